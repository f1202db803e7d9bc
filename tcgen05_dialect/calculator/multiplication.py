"""The MMA in a question, and the catalogue of instructions and kinds of a target."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from ..isa.element import element
from ..isa.mma import shapes
from ..isa.mma.instruction_descriptor import descriptor_layout
from ..isa.mma.products import PRODUCTS
from ..isa.mma.shapes import (
    KIND,
    KINDS,
    SCALE_VECTOR_SIZES,
    SHAPES,
    DataPathLayout,
    data_path_layout,
    instruction_k,
    kind_names,
)
from ..isa.model.table import Mnemonic
from ..isa.targets import FEATURES, TARGETS, Version, first_version, parse_target
from ..isa.tensor_memory import alloc, copies, ld_st
from . import QuestionError
from .answer import Answer, Records


@dataclass(frozen=True, slots=True)
class Multiplication:
    """The parameters of an MMA on which its layouts depend; `multiplication` makes it. `k` is K of
    the tiles; None means the smallest K."""

    kind: str
    m: int
    n: int
    a: str
    b: str
    d: str
    cta_group: int
    ws: bool
    sparse: bool
    k: int | None
    scale_vectorsize: str | None

    @property
    def layout(self) -> DataPathLayout:
        return data_path_layout(self.m, self.cta_group, self.sparse, self.ws)

    @property
    def pads(self) -> bool:
        return KINDS[self.kind].pads

    @property
    def instruction_k(self) -> int:
        """K of one instruction."""
        usual = instruction_k(self.kind, self.sparse)
        if self.k is None or self.k % usual == 0:
            return usual
        return next((each for each in self._legal_k if self.k % each == 0), usual)

    @property
    def _legal_k(self) -> Collection[int]:
        return SHAPES.values("k", kind=self.kind, sparse=self.sparse)

    def extent_k(self, atom: int = 1) -> int:
        """K of a tile; by default the least multiple of `atom` and of K of the instruction."""
        if self.k is None:
            return math.lcm(self.instruction_k, atom)
        if self.k <= 0 or all(self.k % each for each in self._legal_k):
            legal = " or of ".join(map(str, sorted(self._legal_k)))
            raise QuestionError("K of the tile", self.k, f"multiples of {legal}")
        return self.k

    @property
    def is_block_scaled(self) -> bool:
        return KINDS[self.kind].block_scaled

    @property
    def instruction_factors(self) -> int:
        """Number of scale factors for each row of A and column of B in one instruction. Raises
        QuestionError for a kind without block scaling."""
        if not self.is_block_scaled:
            raise QuestionError("kind of an MMA with scale factors", self.kind, kind_names(True))
        # Imported here, because few questions need it and imports take most of the time.
        from ..isa.mma.scale import SCALE_SHAPES

        size = self.scale_vectorsize
        count: int = SCALE_SHAPES.value(
            "factors", kind=self.kind, scale_vectorsize=size, k=self.instruction_k
        )
        return count

    @property
    def scale_factors(self) -> int:
        """Number of scale factors for each row of A and column of B in the tile."""
        return self.extent_k() // self.instruction_k * self.instruction_factors

    def __str__(self) -> str:
        # Imported here, because few questions need it and imports take most of the time.
        from ..isa.mma.products import product_of

        name = product_of(self.ws, self.sparse).short_name
        return (
            f"{name} {self.kind} {self.a} x {self.b} -> {self.d}, {self.m}x{self.n}, "
            f"cta_group {self.cta_group}{f', {size}' if (size := self.scale_vectorsize) else ''}"
        )


def multiplication(
    kind: str = "f16",
    *,
    m: int | None = None,
    n: int | None = None,
    k: int | None = None,
    a: str | None = None,
    b: str | None = None,
    d: str | None = None,
    cta_group: int = 1,
    ws: bool = False,
    sparse: bool = False,
    scale_vectorsize: str | None = None,
) -> Multiplication:
    """
    The MMA with these parameters; the others have defaults.

    By default, A has the first type that the descriptor encodes, B has the type of A if that is
    legal, D has the widest type, and M and N are the largest. Raises Violation, and QuestionError
    for K.
    """
    KIND.check(kind)
    for name in (a, b, d):
        if name is not None:
            element(name)
    point: dict[str, Any] = {"kind": kind, "ws": ws, "cta_group": cta_group, "sparse": sparse}
    SHAPES.check(**point)
    for column, given in (("d", d), ("a", a), ("b", b), ("m", m), ("n", n)):
        if given is not None:
            point[column] = given
            SHAPES.check(**point)
    for column in ("a", "b"):
        legal = SHAPES.values(column, **point)
        same = point.get("a")
        codes: Any = descriptor_layout(kind).field(column).codes
        point.setdefault(column, same if same in legal else min(legal, key=codes.__getitem__))
    point.setdefault("d", max(SHAPES.values("d", **point), key=lambda name: element(name).bits))
    for column in ("m", "n"):
        point.setdefault(column, max(SHAPES.values(column, **point)))
    if KINDS[kind].block_scaled:
        sizes = SCALE_VECTOR_SIZES.values("scale_vectorsize", kind=kind)
        if scale_vectorsize is not None or None in sizes:
            SCALE_VECTOR_SIZES.check(kind=kind, scale_vectorsize=scale_vectorsize)
        else:
            scale_vectorsize = min(sizes)
    elif scale_vectorsize is not None:
        SCALE_VECTOR_SIZES.check(kind=kind)
    made = Multiplication(**point, k=k, scale_vectorsize=scale_vectorsize)
    made.extent_k()
    return made


# Products with and without scale factors share a mnemonic.
_PRODUCTS = tuple(product for product in PRODUCTS.values() if not product.scaled)
INSTRUCTIONS = (
    alloc.ALLOC,
    alloc.DEALLOC,
    alloc.RELINQUISH_ALLOC_PERMIT,
    ld_st.LD,
    ld_st.LD_RED,
    ld_st.ST,
    alloc.WAIT,
    copies.CP,
    copies.SHIFT,
    *(product.mnemonic for product in _PRODUCTS),
    alloc.COMMIT,
    alloc.FENCE,
)
"""All instructions of the family, in the order of the manual."""


def catalogue(target: str | None = None) -> Answer:
    """The instructions, MMA kinds and other forms of a target, each with its first PTX version.
    None means all targets. Raises Violation for an unknown target."""
    names = tuple(TARGETS) if target is None else (parse_target(target).name,)

    def versions(alternatives: Iterable[Iterable[str]]) -> dict[str, Version | None]:
        return {name: first_of(alternatives, name) for name in names}

    instructions = [
        {"instruction": _name(each), "section": each.section, **versions([[each.feature]])}
        for each in INSTRUCTIONS
    ]
    of_kinds = [
        {"kind": kind, "MMA": _name(each.mnemonic), **versions(needed(kind, each.sparse))}
        for kind in shapes.KINDS
        for each in _PRODUCTS
        if shapes.SHAPES.row(kind=kind, ws=each.ws, sparse=each.sparse) is not None
    ]
    forms = [{"form": each.what, **versions([[name]])} for name, each in FEATURES.items()]
    of = "all targets" if target is None else target
    parts = {"instructions": instructions, "kinds of MMA": of_kinds, "forms": forms}
    shown = {
        title: [each for each in records if any(each[name] is not None for name in names)]
        for title, records in parts.items()
    }
    return Answer(
        f"tcgen05 of {of}: the first PTX version that has each",
        [Records(title, records) for title, records in shown.items()],
    )


def _name(instruction: Mnemonic) -> str:
    """The mnemonic without qualifiers and without .sync.aligned."""
    return instruction.template.partition("{")[0].partition(".sync")[0]


def needed(kind: str, sparse: bool) -> list[tuple[str, ...]]:
    """Alternative sets of target features; an MMA of this kind needs all features of one set."""
    features = shapes.required_features(kind, sparse)
    if not shapes.KINDS[kind].block_scaled:
        return [features]
    spelled = shapes.SCALE_VECTOR_SIZES.values("feature", kind=kind)
    return [(*features, each) for each in sorted(spelled)]


def first_of(alternatives: Iterable[Iterable[str]], target: str) -> Version | None:
    """The first PTX version in which a target has all features of one alternative, if any."""
    found: list[Version] = []
    for features in alternatives:
        versions = [first_version(feature, target) for feature in features]
        if (known := [version for version in versions if version is not None]) == versions:
            found.append(max(known))
    return min(found, default=None)

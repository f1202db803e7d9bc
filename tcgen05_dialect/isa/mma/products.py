"""The six matrix products: operands, mnemonics, agreement with the instruction descriptor
(9.7.16.10), and the pipelines that complete in the order of issue (9.7.16.6.2)."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple

from tcgen05_dialect.isa.mma import shapes
from tcgen05_dialect.isa.model.rule import Rule, rule
from tcgen05_dialect.isa.model.table import Mnemonic
from tcgen05_dialect.isa.targets import CTA_GROUP

ACCUMULATOR, MATRIX_A, SCALE, METADATA = "accumulator", "a", "scale", "metadata"
"""Roles of matrices in tensor memory."""
MatrixMemory = Literal["shared", "tensor"]


class Operand(NamedTuple):
    """An operand of a matrix product.

    A matrix in tensor memory is given by an address, a matrix in shared memory by a descriptor.
    `memories` is empty if the operand is not a matrix. `title` is its name in messages, `role` the
    role of the matrix in tensor memory.
    """

    name: str
    title: str = ""
    memories: tuple[MatrixMemory, ...] = ()
    role: str = ""
    is_optional: bool = False
    holder: Literal["register", "vector", "immediate"] = "register"


D = Operand("d", "D", ("tensor",), ACCUMULATOR)
A = Operand("a", "A", ("shared", "tensor"), MATRIX_A)
_B = Operand("b", "B", ("shared",))
_METADATA = Operand("metadata", "the metadata", ("tensor",), METADATA)
_IDESC = Operand("idesc")
SCALE_A = Operand("scale_a", "scale_a", ("tensor",), SCALE)
_SCALE_B = Operand("scale_b", "scale_b", ("tensor",), SCALE)
_DISABLED = Operand("disable_output_lane", is_optional=True, holder="vector")
_ENABLE = Operand("enable_input_d")
_EXPONENT = Operand("scale_input_d", is_optional=True, holder="immediate")
_MASK = Operand("zero_column_mask", is_optional=True)

_UNSCALED = (_IDESC, _DISABLED, _ENABLE, _EXPONENT)
_SCALED = (_IDESC, SCALE_A, _SCALE_B, _ENABLE)
_MASKED = (_IDESC, _ENABLE, _MASK)

_QUALIFIERS = {
    "cta_group": CTA_GROUP,
    "kind": shapes.KIND,
    "block_scale": shapes.BLOCK_SCALE,
    "scale_vectorsize": shapes.SCALE_VECTOR_SIZE,
    "ashift": shapes.ASHIFT_QUALIFIER,
    "collector_buffer": shapes.COLLECTOR_BUFFER,
    "collector_op": shapes.COLLECTOR_OP,
}


def _mnemonic(name: str, section: str) -> Mnemonic:
    return Mnemonic(
        name + "".join(f"{{{qualifier}}}" for qualifier in _QUALIFIERS), section, _QUALIFIERS
    )


_DENSE = _mnemonic("tcgen05.mma", "9.7.16.10.9.1")
_SPARSE = _mnemonic("tcgen05.mma.sp", "9.7.16.10.9.2")
_WS = _mnemonic("tcgen05.mma.ws", "9.7.16.10.9.3")
_WS_SPARSE = _mnemonic("tcgen05.mma.ws.sp", "9.7.16.10.9.4")


@dataclass(frozen=True, eq=False)
class Product:
    """One of the six matrix products, compared by identity.

    `ws`: B stays in a collector buffer (weight-stationary). `sparse`: half of A is stored.
    `scaled`: A and B have scale factors. `operands` are in PTX order.
    """

    name: str
    ws: bool
    sparse: bool
    scaled: bool
    mnemonic: Mnemonic
    operands: tuple[Operand, ...]

    @property
    def short_name(self) -> str:
        """The name without `tcgen05.`."""
        return self.name.removeprefix("tcgen05.")

    @property
    def matrices(self) -> tuple[Operand, ...]:
        """The operands that are matrices."""
        return tuple(operand for operand in self.operands if operand.memories)

    def has(self, name: str) -> bool:
        """Whether the product has an operand of this name, optional or not."""
        return any(operand.name == name for operand in self.operands)


PRODUCTS = {
    product.name: product
    for product in (
        Product("tcgen05.mma", False, False, False, _DENSE, (D, A, _B, *_UNSCALED)),
        Product("tcgen05.mma.block_scale", False, False, True, _DENSE, (D, A, _B, *_SCALED)),
        Product("tcgen05.mma.sp", False, True, False, _SPARSE, (D, A, _B, _METADATA, *_UNSCALED)),
        Product(
            "tcgen05.mma.sp.block_scale",
            False,
            True,
            True,
            _SPARSE,
            (D, A, _B, _METADATA, *_SCALED),
        ),
        Product("tcgen05.mma.ws", True, False, False, _WS, (D, A, _B, *_MASKED)),
        Product(
            "tcgen05.mma.ws.sp", True, True, False, _WS_SPARSE, (D, A, _B, _METADATA, *_MASKED)
        ),
    )
}
"""The six matrix products by name."""
TITLES = {each.name: each.title for product in PRODUCTS.values() for each in product.matrices}


def product_of(ws: bool, sparse: bool, scaled: bool = False) -> Product:
    """The product with these properties. Raises ValueError if there is none."""
    for product in PRODUCTS.values():
        if (product.ws, product.sparse, product.scaled) == (ws, sparse, scaled):
            return product
    raise ValueError("no product with .ws has scale factors")


SPARSITY = rule("T5-IDESC-010")

ELEMENT = rule("T5-TYPE-004")

PACKING = rule("T5-TYPE-005")

EXTENT = rule("T5-SHAPE-005")

MAJOR = rule("T5-SWIZZLE-004")

ROLE = rule("T5-TMEM-005")

DATA_PATH = rule("T5-TMEM-006")

DESCRIPTOR_SOURCE = rule("T5-IDESC-009")


OVERWRITTEN_A = rule("T5-SIM-026")
OVERWRITTEN_SCALE = rule("T5-SIM-027")


class Relied(NamedTuple):
    """Kind of an operation, and the role of the matrix that it accesses if it is an `mma`."""

    kind: str
    role: str = ""


class Pipeline(NamedTuple):
    """
    Two kinds of operations; the second completes after the first if their `.cta_group` agrees.

    `alike`: only if they have the same accumulator and shape. `shape`: only if the second has it.
    The manual does not promise a pipeline with a `rule`: the second operation breaks the rule if it
    overwrites one of the accesses in `relied` and only this pipeline orders the two.
    """

    first: str
    second: str
    alike: bool = False
    shape: str | None = None
    rule: Rule | None = None
    relied: frozenset[Relied] = frozenset()

    def joins(self, first: str, first_key: object, second: str, second_key: object) -> bool:
        """Whether two operations are such a pair. The key of an `mma` is its accumulator and shape;
        the key of a `cp` is its shape."""
        return (
            (self.first, self.second) == (first, second)
            and (not self.alike or first_key == second_key)
            and (self.shape is None or self.shape == second_key)
        )


PIPELINES = (
    Pipeline("mma", "mma", alike=True),
    Pipeline("cp", "mma"),
    Pipeline("shift", "mma"),
    Pipeline("shift", "cp", shape="shape_4x256b"),
    Pipeline("mma", "shift"),
    Pipeline("mma", "mma", rule=OVERWRITTEN_A, relied=frozenset({Relied("mma", MATRIX_A)})),
    Pipeline(
        "mma",
        "cp",
        rule=OVERWRITTEN_SCALE,
        relied=frozenset({Relied("mma", SCALE), Relied("mma", METADATA), Relied("cp")}),
    ),
)


@lru_cache(maxsize=1024)
def is_pipeline(
    first: str, first_key: Hashable, second: str, second_key: Hashable, promised: bool
) -> bool:
    """Whether an operation completes after another that was issued before it; `promised`: by the
    manual."""
    return any(
        each.joins(first, first_key, second, second_key)
        for each in PIPELINES
        if each.rule is None or not promised
    )


@lru_cache(maxsize=64)
def relied_rule(first: Relied, second: str) -> Rule | None:
    """The rule that a later operation breaks if it overwrites an access that only pipelines
    without a promise order before it; None if kernels do not rely on their order."""
    rules = (each.rule for each in PIPELINES if second == each.second and first in each.relied)
    return next(rules, None)

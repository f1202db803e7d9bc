"""Catalogue of the instructions and the kinds of MMA of a target."""

from __future__ import annotations

from collections.abc import Iterable

from tcgen05_dialect.calculator.answer import Answer, Records
from tcgen05_dialect.isa.mma import kinds, shapes
from tcgen05_dialect.isa.mma.products import PRODUCTS
from tcgen05_dialect.isa.model.instruction import Mnemonic
from tcgen05_dialect.isa.targets import FEATURES, TARGETS, Version, first_version, parse_target
from tcgen05_dialect.isa.tensor_memory import alloc, commit, cp, fence, ld_st, shift, wait

# Products with and without scale factors share a mnemonic.
_PRODUCTS = tuple(product for product in PRODUCTS.values() if not product.scaled)
INSTRUCTIONS = (
    alloc.ALLOC,
    alloc.DEALLOC,
    alloc.RELINQUISH_ALLOC_PERMIT,
    ld_st.LD,
    ld_st.LD_RED,
    ld_st.ST,
    wait.WAIT,
    cp.CP,
    shift.SHIFT,
    *(product.mnemonic for product in _PRODUCTS),
    commit.COMMIT,
    fence.FENCE,
)
"""All instructions of the family, in the order of the manual."""


def catalogue(target: str | None = None) -> Answer:
    """
    The instructions, MMA kinds and other forms of a target, each with its first PTX version.

    None means all targets. Raises Violation for an unknown target.
    """
    names = tuple(TARGETS) if target is None else (parse_target(target).name,)
    instructions = [
        {
            "instruction": _name(each),
            "section": each.section,
            **_versions([[each.feature]], names),
        }
        for each in INSTRUCTIONS
    ]
    of_kinds = [
        {"kind": kind, "MMA": _name(each.mnemonic), **_versions(needed(kind, each.sparse), names)}
        for kind in kinds.KINDS
        for each in _PRODUCTS
        if shapes.SHAPES.row(kind=kind, ws=each.ws, sparse=each.sparse) is not None
    ]
    forms = [
        {"form": feature.what, **_versions([[name]], names)} for name, feature in FEATURES.items()
    ]
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
    features = kinds.required_features(kind, sparse)
    if not kinds.KINDS[kind].block_scaled:
        return [features]
    spelled = kinds.SCALE_VECTOR_SIZES.values("feature", kind=kind)
    return [(*features, each) for each in sorted(spelled)]


def first_of(alternatives: Iterable[Iterable[str]], target: str) -> Version | None:
    """The first PTX version in which a target has all features of one alternative, if any."""
    found: list[Version] = []
    for features in alternatives:
        versions = [first_version(feature, target) for feature in features]
        if (known := [version for version in versions if version is not None]) == versions:
            found.append(max(known))
    return min(found, default=None)


def _versions(
    alternatives: Iterable[Iterable[str]], targets: Iterable[str]
) -> dict[str, Version | None]:
    return {target: first_of(alternatives, target) for target in targets}

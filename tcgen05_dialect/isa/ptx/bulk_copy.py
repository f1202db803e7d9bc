"""cp.async.bulk.tensor and bulk async-groups (9.7.9.25)."""

from __future__ import annotations

from tcgen05_dialect.isa.model.rule import rule
from tcgen05_dialect.isa.model.table import Limit, Place, Table
from tcgen05_dialect.isa.targets import CTA_GROUP

DIMENSIONS = Limit(
    rule("T5-PTX-050"),
    range(1, 6),
)
PENDING = Limit(
    rule("T5-PTX-051"),
    range(1 << 31),
)
ROW_COPY_RANK = 2
"""Rank of the tensors of copies of four rows."""
COPIED_ROWS = 4
"""The rows of such a copy, each with a coordinate of its own."""
ROW_COORDINATES = Limit(
    rule("T5-PTX-055"),
    frozenset((1 + COPIED_ROWS,)),
)
_TILE_ALIGNMENT = 128
_TILE_RULE = rule("T5-PTX-052", tile_alignment=_TILE_ALIGNMENT)
TILE = Place(0, _TILE_ALIGNMENT, _TILE_RULE, amount="a box")
"""The place of a tile in shared memory; the tensor map determines its size."""
CTA_GROUPS = {text.removeprefix("."): ctas for ctas, text in CTA_GROUP.spellings.items()}
"""Qualifier of a copy -> the number of CTAs whose barrier objects the copy may signal."""

REDUCTION = Table(
    "cp.reduce.async.bulk.tensor",
    "9.7.9.25.5.3",
    ("operation", "element"),
    (
        ("add", ("u32", "s32", "u64", "f32", "f16", "bf16")),
        (("min", "max"), ("u32", "s32", "u64", "s64", "f16", "bf16")),
        (("inc", "dec"), "u32"),
        (("and", "or", "xor"), ("u32", "s32", "f32", "u64", "s64", "f64")),
    ),
    rule("T5-PTX-205"),
)
REDUCTION_SCOPE = "gpu"
"""The scope of each reduction of an element, which is relaxed."""

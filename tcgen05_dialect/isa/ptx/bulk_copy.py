"""cp.async.bulk.tensor and bulk async-groups (9.7.9.25)."""

from __future__ import annotations

from tcgen05_dialect.isa.cta_group import CTA_GROUP
from tcgen05_dialect.isa.model.limit import Limit
from tcgen05_dialect.isa.model.place import Place
from tcgen05_dialect.isa.model.rule import rule
from tcgen05_dialect.isa.model.table import Table

DIMENSIONS = Limit(
    rule(
        "T5-PTX-050",
        "9.7.9.25.5.2",
        subject="number of coordinates of a tensor copy",
        statement=(
            "A tensor copy has at least one coordinate: one for each dimension of the tensor."
        ),
        why="The number of coordinates determines the form of the instruction.",
        fix="give one coordinate for each dimension of the tensor",
    ),
    range(1, 6),
)
PENDING = Limit(
    rule(
        "T5-PTX-051",
        "9.7.9.25.6.2",
        subject="number of bulk groups left pending",
        statement="The number of bulk groups that may stay pending is not negative.",
        why="ptxas refuses a negative number.",
        fix="give zero or more pending groups",
    ),
    range(1 << 31),
)
ROW_COPY_RANK = 2
"""Rank of the tensors of copies of four rows."""
COPIED_ROWS = 4
"""The rows of such a copy, each with a coordinate of its own."""
ROW_COORDINATES = Limit(
    rule(
        "T5-PTX-055",
        "9.7.9.25.5.2, 5.5.4.2",
        subject="number of coordinates of a copy of four rows",
        statement=(
            "A copy of four rows has five coordinates: that of the column, then those of the four "
            "rows."
        ),
        why="The instruction has no other forms; ptxas refuses them.",
        fix="give the coordinate of the column, then those of four rows",
    ),
    frozenset((1 + COPIED_ROWS,)),
)
_TILE_ALIGNMENT = 128
_TILE_RULE = rule(
    "T5-PTX-052",
    "5.5.3, 9.7.9.25.5.2",
    subject="tile of a tensor copy",
    statement="The tile of a tensor copy begins at an aligned address of shared memory.",
    why="On a GPU a copy with another address traps.",
    fix=(
        f"begin the tile at a multiple of {_TILE_ALIGNMENT} bytes, in a variable with that "
        "alignment"
    ),
)
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
    rule(
        "T5-PTX-205",
        "9.7.9.25.5.3",
        subject="operation of a tensor reduction",
        statement="The operation of a tensor reduction determines the legal types of its elements.",
        why="The manual defines no other combinations.",
        fix=(
            "use an operation that the element type allows, or another element type in the tensor "
            "map"
        ),
    ),
)
REDUCTION_SCOPE = "gpu"
"""The scope of each reduction of an element, which is relaxed."""

"""Rules of tiles in shared memory: the variable that holds a tile, and its descriptors."""

from __future__ import annotations

from tcgen05_dialect.isa.model.rule import rule

DESCRIPTOR_TYPE = rule(
    "T5-DESC-016",
    "9.7.16.4.1",
    subject="type of a tile or of an advanced descriptor",
    fix="give a tile the type of tile 0, an advanced descriptor its new k, and a whole tile none",
)

VARIABLE_ALIGNMENT = rule(
    "T5-DESC-014",
    "9.7.16.4.1",
    subject="alignment of the tile's variable",
    fix="align the variable to the bytes after which the pattern of the swizzle repeats",
)

VARIABLE_SIZE = rule(
    "T5-DESC-015",
    "9.7.16.3",
    subject="bytes of the tile in its variable",
    fix="make the variable as large as the tile, or begin further ahead",
)

K_EXTENT = rule(
    "T5-DESC-013",
    "9.7.16.2.2",
    subject="K of the instruction inside the operand's tile",
    fix="advance less, or make the tile longer",
)

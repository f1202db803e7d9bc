"""Rules of tiles in shared memory: the variable that holds a tile, and its descriptors."""

from __future__ import annotations

from tcgen05_dialect.isa.model.rule import Rule

DESCRIPTOR_TYPE = Rule(
    "T5-DESC-016",
    "type of a tile or of an advanced descriptor",
    "9.7.16.4.1",
    "give a tile the type of tile 0, an advanced descriptor its new k, and a whole tile none",
)

VARIABLE_ALIGNMENT = Rule(
    "T5-DESC-014",
    "alignment of the tile's variable",
    "9.7.16.4.1",
    "align the variable to the bytes after which the pattern of the swizzle repeats",
)

VARIABLE_SIZE = Rule(
    "T5-DESC-015",
    "bytes of the tile in its variable",
    "9.7.16.3",
    "make the variable as large as the tile, or begin further ahead",
)

K_EXTENT = Rule(
    "T5-DESC-013",
    "K of the instruction inside the operand's tile",
    "9.7.16.2.2",
    "advance less, or make the tile longer",
)

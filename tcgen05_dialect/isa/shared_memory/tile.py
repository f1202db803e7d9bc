"""Rules on tiles in shared memory: on the variable that holds a tile, and on its descriptors."""

from __future__ import annotations

from tcgen05_dialect.isa.model.rule import rule

DESCRIPTOR_TYPE = rule(
    "T5-DESC-016",
    "9.7.16.4.1",
    subject="type of a tile or of an advanced descriptor",
    statement=(
        "All tiles of a tcgen05.tile have the type of tile 0; an advanced descriptor has the type "
        "of its tile with another k."
    ),
    why=(
        "The type determines the arrangement of the bytes; with another type the MMA would read "
        "another matrix."
    ),
    fix="give every tile the type of tile 0; give only advanced descriptors a k",
)

VARIABLE_ALIGNMENT = rule(
    "T5-DESC-014",
    "9.7.16.4.1",
    subject="address of the tile",
    statement=(
        "A tile begins at a multiple of the swizzle period, in a variable with this alignment."
    ),
    why=(
        "The hardware derives the swizzle pattern from the address. If a tile begins elsewhere, "
        "the hardware permutes the rows differently from the program."
    ),
    fix="align the variable to the swizzle period",
)

VARIABLE_SIZE = rule(
    "T5-DESC-015",
    "9.7.16.3",
    subject="bytes of the tile in its variable",
    statement="A tile is inside its variable.",
    why="The MMA would use bytes past the end of the variable as part of the operand.",
    fix="make the variable larger, or begin the tile earlier",
)

K_EXTENT = rule(
    "T5-DESC-013",
    "9.7.16.2.2",
    subject="K of the instruction inside the operand's tile",
    statement="At least K elements of the tile follow the origin of an advanced descriptor.",
    why="The MMA would use bytes past the end of the tile as part of the operand.",
    fix="advance the descriptor less, or make the tile longer",
)

"""Rules on tiles in shared memory: on the variable that holds a tile, and on its descriptors."""

from __future__ import annotations

from tcgen05_dialect.isa.model.rule import rule

DESCRIPTOR_TYPE = rule(
    "T5-DESC-016",
    "9.7.16.4.1",
    subject="type of a tile or of an advanced descriptor",
    statement=(
        "All tiles of a variable have one type; an advanced descriptor has the type of its tile "
        "with another k."
    ),
    why="The type fixes the arrangement of the bytes: another type means another matrix.",
    fix="give every tile the type of tile 0; give k to advanced descriptors only",
)

VARIABLE_ALIGNMENT = rule(
    "T5-DESC-014",
    "9.7.16.4.1",
    subject="address of the tile",
    statement="The variable of a tile is aligned to the period of its swizzle mode.",
    why=(
        "The hardware derives the swizzle pattern from the address: in a variable that begins "
        "elsewhere, it permutes different rows than the program did."
    ),
    fix="align the variable to the period of the swizzle",
)

VARIABLE_SIZE = rule(
    "T5-DESC-015",
    "9.7.16.3",
    subject="bytes of the tile in its variable",
    statement="A tile lies inside its variable.",
    why="The MMA would read past the end of the variable, and take those bytes for the operand.",
    fix="make the variable as large as the tile, or begin the tile earlier",
)

K_EXTENT = rule(
    "T5-DESC-013",
    "9.7.16.2.2",
    subject="K of the instruction inside the operand's tile",
    statement="From the start of an advanced descriptor, at least K elements of the tile are left.",
    why="The MMA would read past the end of the tile, and take those bytes for the operand.",
    fix="advance the descriptor less, or make the tile longer",
)

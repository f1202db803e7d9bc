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
    why="The type says how the bytes lie: another type means another matrix.",
    fix=(
        "give a tile the type of tile 0, and an advanced descriptor its new k; give a whole tile "
        "no k"
    ),
)

VARIABLE_ALIGNMENT = rule(
    "T5-DESC-014",
    "9.7.16.4.1",
    subject="address of the tile",
    statement="The variable of a tile is aligned to the period of its swizzle mode.",
    why=(
        "Swizzling takes bits of the address: in a variable that begins elsewhere the hardware "
        "permutes other rows than the program did."
    ),
    fix="align the variable to the period of the swizzle",
)

VARIABLE_SIZE = rule(
    "T5-DESC-015",
    "9.7.16.3",
    subject="bytes of the tile in its variable",
    statement="A tile lies inside its variable.",
    why="The MMA would read what lies behind the variable as a part of the operand.",
    fix="make the variable as large as the tile, or begin the tile earlier",
)

K_EXTENT = rule(
    "T5-DESC-013",
    "9.7.16.2.2",
    subject="K of the instruction inside the operand's tile",
    statement=(
        "From where the descriptor has advanced to, the tile is at least as long as the K of "
        "the instruction."
    ),
    why="The MMA would read what lies behind the tile as a part of the operand.",
    fix="advance the descriptor less, or make the tile longer",
)

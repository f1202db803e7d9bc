"""Operands of instructions: registers, constants and addresses (4.5.2, 5.2, 6.4, 9.4)."""

from __future__ import annotations

from tcgen05_dialect.isa.model.rule import rule

TYPE_RULE = rule(
    "T5-PTX-080",
    "9.4",
    subject="type of an operand or a result",
    statement="A register has the type that the qualifiers of the instruction require.",
    why="ptxas refuses the text.",
    fix="convert the value, or use the qualifier of its type",
)
REGISTER_RULE = rule(
    "T5-PTX-081",
    "5.2",
    subject="type of a register",
    statement=(
        "A value has a register type: a predicate, or an integer or float of a size that PTX has."
    ),
    why="PTX has no registers for other types.",
    fix="convert the value to a register type",
)

IMMEDIATE_BITS = 32
"""Size in bits of immediate operands and of offsets in addresses (6.4.1)."""
ADDRESS_OFFSETS = range(-(1 << IMMEDIATE_BITS - 1), 1 << IMMEDIATE_BITS - 1)
"""Offsets from the register or variable of an address operand (6.4.1)."""

"""Instructions on the bits and bytes of integers (9.7.1.14 to 9.7.1.24, 9.7.8, 9.7.9.7): types and
modes."""

from __future__ import annotations

from tcgen05_dialect.isa.model.rule import rule
from tcgen05_dialect.isa.model.table import Limit

FIELD_TYPES = ("u32", "u64", "s32", "s64")
WORDS = ("b32", "b64")
BYTE_SELECTIONS = ("f4e", "b4e", "rc8", "ecl", "ecr", "rc16")
"""Modes of prmt that select bytes by the last two bits of the selector."""
SHIFTS = ("l", "r")
SHIFT_MODES = ("clamp", "wrap")
DOT_TYPES = ("u32", "s32")
"""Signs of the four bytes of an operand of dp4a."""
LOOK_UP_COMBINATIONS = ("or", "and")
LOOK_UP_TABLE = Limit(
    rule("T5-PTX-014"),
    range(256),
)

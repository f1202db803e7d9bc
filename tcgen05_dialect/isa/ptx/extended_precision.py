"""Extended-precision arithmetic of integers and the condition code register (9.7.2)."""

from __future__ import annotations

from collections.abc import Sequence

from tcgen05_dialect.isa.model.rule import rule

TYPES = ("u32", "s32", "u64", "s64")
HALVES = ("lo", "hi")
CONDITION_CODE = "CC.CF"
"""The bit of the condition code register that holds a carry or a borrow; no operand names it."""
_CARRIES_IN = frozenset(("addc", "subc", "madc"))
_SETS = "cc"
CARRY_RULE = rule("T5-PTX-170")


def sets_condition_code(opcode: Sequence[str]) -> bool:
    """Whether an instruction writes the condition code register; `opcode` are the words of its
    name, without dots."""
    return _SETS in opcode


def uses_condition_code(opcode: Sequence[str]) -> bool:
    """Whether an instruction reads or writes the condition code register."""
    return opcode[0] in _CARRIES_IN or sets_condition_code(opcode)

"""
Destinations of the instructions that the dialect does not know.

Without the definition of an instruction, its opcode and the form of its operands tell which
registers it writes. If that is not certain, a register counts as read and written.
"""

from collections.abc import Iterator, Sequence
from enum import Enum, auto

from ..isa.ptx.opcodes import BARRIERS, REDUCES, WRITES_FIRST, WRITES_NOTHING, WRITTEN
from ..ptx_reader.syntax_tree import InstructionStatement, Operand


class Access(Enum):
    """What an instruction does with a register."""

    READ = auto()
    WRITE = auto()
    BOTH = auto()


def _operand_accesses(statement: InstructionStatement) -> Sequence[Access]:
    """The access of an instruction to each of its operands."""
    opcode = [word.text for word in statement.opcode]
    operands = statement.operands
    written, access = _written(opcode, operands)
    return [access if index < written else Access.READ for index in range(len(operands))]


def _written(opcode: Sequence[str], operands: Sequence[Operand]) -> tuple[int, Access]:
    """The number of operands, from the first on, that are written, and how."""
    first = opcode[0]
    if not operands or operands[0].form == "[" or first in WRITES_NOTHING:
        return 0, Access.READ
    if first in BARRIERS:
        return (1 if REDUCES in opcode else 0), Access.WRITE
    for length in (3, 2):
        if (written := WRITTEN.get(tuple(opcode[:length]))) is not None:
            return written, Access.WRITE
    if first in WRITES_FIRST:
        return 1, Access.WRITE
    return 1, Access.BOTH


def word_accesses(statement: InstructionStatement) -> Iterator[tuple[str, Access]]:
    """The words of the operands, in order, with the access to each; addresses are read."""
    for operand, access in zip(statement.operands, _operand_accesses(statement), strict=True):
        yield from _words(operand, access)


def _words(operand: Operand, access: Access) -> Iterator[tuple[str, Access]]:
    if operand.form == "[":
        access = Access.READ
    for part in operand.parts:
        yield from _words(part, access)
    for word in operand.words:
        yield word, access

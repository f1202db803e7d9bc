"""
Shapes: the common form of instructions that differ only in their registers and integers.

The shape of an instruction is its opcode, the form of its operands, the classes of its registers
and its other constants. Instructions with one shape become the same operation, if this operation
takes their integers.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from ..isa.ptx import ptx_text
from ..isa.ptx.extended_precision import uses_condition_code
from ..isa.ptx.special_registers import is_special
from ..ptx_reader.fault import Fault
from ..ptx_reader.forms import FormedStatement, open_words, skeleton_of
from ..ptx_reader.syntax_tree import InstructionStatement, Operand
from ..ptx_reader.tokens import is_name
from .names import Names, Symbol, Variable

SINK = "_"
"""The operand of an instruction that discards a result."""
Leaf = Variable | Symbol | int | None
"""A register, a variable, an integer or, as None, a discarded result."""
_LONGEST_INTEGER = 18
"""The most digits that certainly fit into 63 bits."""


class Shape(NamedTuple):
    """The shape of an instruction, and its registers, variables and integers in order; the
    condition code register, if the instruction uses it, comes last."""

    key: str
    leaves: Sequence[Leaf]


def shape_of(statement: InstructionStatement, names: Names) -> Shape:
    """The shape of an instruction at a place where `names` are declared."""
    is_formed = isinstance(statement, FormedStatement)
    pieces, words = statement.skeleton if is_formed else skeleton_of(statement)
    parts = [pieces[0]]
    leaves: list[Leaf] = []
    codes = names.codes
    for index, word in enumerate(words, 1):
        code = codes.get(word)
        if code is None:
            code = codes[word] = _code(word, names)
        text, is_leaf, leaf = code
        parts += (text, pieces[index])
        if is_leaf:
            leaves.append(leaf)
    if _has_carry(pieces[0].partition(",")[0]):
        leaves.append(names.condition_code)
    return Shape("".join(parts), leaves)


@lru_cache(maxsize=1024)
def _has_carry(opcode: str) -> bool:
    """Whether an instruction uses the condition code register; cached, because few occur."""
    return uses_condition_code(opcode.split("."))


def _integer(word: str) -> int | None:
    """The integer that is written like this only; None for other words."""
    is_decimal = word.isdecimal() and (word[0] != "0" or word == "0")
    return int(word) if is_decimal and len(word) <= _LONGEST_INTEGER else None


def _code(word: str, names: Names) -> tuple[str, bool, Leaf]:
    """The text of a word in a shape, whether the word is a leaf, and the leaf."""
    if word == SINK:
        return SINK, True, None
    if (number := _integer(word)) is not None:
        return "# ", True, number
    named = names.find(word) if is_name(word) else None
    if named is not None:
        return named.code, True, named
    return f"{word} ", False, None


def undeclared(statement: InstructionStatement, names: Names) -> Fault | None:
    """The fault of the first operand with a register that is not declared."""
    pending = [*reversed(statement.operands)]
    while pending:
        operand = pending.pop()
        pending += reversed(operand.parts)
        for word in operand.words:
            is_register = word[0] == "%" and is_name(word) and not is_special(word)
            if is_register and names.find(word) is None:
                violation = ptx_text.NAME_RULE.violation(
                    word, "a register that is declared", help=names.scope.meant(word)
                )
                return Fault(violation, operand.start, operand.end)
    return None


def integers_of(statement: InstructionStatement, names: Names) -> Mapping[int, int]:
    """The beginning of each operand with integers -> the place of the last one among the leaves."""
    found: dict[int, int] = {}
    count = 0
    pending = [*reversed(statement.operands)]
    while pending:
        operand = pending.pop()
        pending += reversed(operand.parts)
        for word, is_open in open_words(operand):
            _, is_leaf, leaf = _code(word, names) if is_open else ("", False, None)
            if isinstance(leaf, int):
                found[operand.start] = count
            count += is_leaf
    return found


def renamed(
    statement: InstructionStatement, names: Names, name: Callable[[int, Leaf], str]
) -> InstructionStatement:
    """An instruction whose registers and variables have the names that `name` gives."""
    counter: Iterator[int] = iter(range(1 << 30))

    def operand(given: Operand) -> Operand:
        parts = tuple(map(operand, given.parts))
        words = tuple(word(*each) for each in open_words(given))
        return Operand(given.start, given.end, given.form, words, parts)

    def word(given: str, is_open: bool) -> str:
        _, is_leaf, leaf = _code(given, names) if is_open else ("", False, None)
        if not is_leaf:
            return given
        index = next(counter)
        return given if isinstance(leaf, int) else name(index, leaf)

    return InstructionStatement(
        statement.start,
        statement.end,
        None,
        statement.opcode,
        tuple(map(operand, statement.operands)),
    )

"""
Shapes of instructions: what instructions have in common that differ only in their registers.

The shape of an instruction is its opcode, the form of its operands, the classes of its registers
and its constants. All instructions with one shape become the same operation.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from ..isa.ptx import ptx_text
from ..isa.ptx.extended_precision import uses_condition_code
from ..isa.ptx.special_registers import is_special
from ..ptx_reader.fault import Fault
from ..ptx_reader.syntax_tree import InstructionStatement, Operand
from ..ptx_reader.tokens import is_name
from .names import Names, Symbol, Variable

SINK = "_"
"""The operand of an instruction that discards a result."""
Leaf = Variable | Symbol | None
"""A register, a variable or, as None, a discarded result."""
_CLOSING = {"{": "}", "[": "]", "|": "|"}


class Shape(NamedTuple):
    """The shape of an instruction, and its registers and variables in order; the condition code
    register, if the instruction uses it, comes last."""

    key: str
    leaves: Sequence[Leaf]


def shape_of(statement: InstructionStatement, names: Names) -> Shape:
    """The shape of an instruction at a place where `names` are declared."""
    parts = [word.text for word in statement.opcode]
    leaves: list[Leaf] = []
    for operand in statement.operands:
        _add(operand, names, parts, leaves)
    if uses_condition_code([word.lstrip(".") for word in parts[: len(statement.opcode)]]):
        leaves.append(names.condition_code)
    return Shape("".join(parts), leaves)


def _add(operand: Operand, names: Names, parts: list[str], leaves: list[Leaf]) -> None:
    """Add the parts of an operand to a shape."""
    parts.append(",")
    if operand.form:
        parts.append(operand.form)
        for part in operand.parts:
            _add(part, names, parts, leaves)
        parts.append(_CLOSING[operand.form])
        return
    codes = names.codes
    for word in operand.words:
        code = codes.get(word)
        if code is None:
            code = codes[word] = _code(word, names)
        text, is_leaf, leaf = code
        parts.append(text)
        if is_leaf:
            leaves.append(leaf)


def _code(word: str, names: Names) -> tuple[str, bool, Leaf]:
    """The text of a word in a shape, whether the word is a leaf, and the leaf."""
    if word == SINK:
        return SINK, True, None
    if not is_name(word):
        return f"{word} ", False, None
    named = names.find(word)
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
                violation = ptx_text.NAME_RULE.violation(word, "a register that is declared")
                return Fault(violation, operand.start, operand.end)
    return None


def renamed(
    statement: InstructionStatement, names: Names, name: Callable[[int, Leaf], str]
) -> InstructionStatement:
    """An instruction whose registers and variables have the names that `name` gives."""
    counter: Iterator[int] = iter(range(1 << 30))

    def operand(given: Operand) -> Operand:
        parts = tuple(map(operand, given.parts))
        words = tuple(map(word, given.words))
        return Operand(given.start, given.end, given.form, words, parts)

    def word(given: str) -> str:
        if given == SINK:
            return name(next(counter), None)
        if is_name(given) and (named := names.find(given)) is not None:
            return name(next(counter), named)
        return given

    return InstructionStatement(
        statement.start,
        statement.end,
        None,
        statement.opcode,
        tuple(map(operand, statement.operands)),
    )

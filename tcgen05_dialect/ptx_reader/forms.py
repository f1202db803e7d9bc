"""
Forms: the common text of instructions that differ only in registers and decimal integers.

A kernel has few forms and repeats them. An instruction of a known form is parsed only when its
operands are used; for kernels of other compilers, this halves the time of reading.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from ..isa.ptx.kernel import FOLLOWING
from .syntax_tree import Guard, InstructionStatement, Operand
from .tokens import is_name

_CLOSING = {"{": "}", "[": "]", "|": "|"}
_LEAF = re.compile(rf"(%{FOLLOWING}++|(?<![\w$.:%])[0-9]++(?!{FOLLOWING}|\.))", re.ASCII)
"""A register or a decimal integer, as tokens are cut."""
_GUARDS = {"@": False, "@!": True}
"""Text before the predicate of a guard -> whether it is negated."""
LONGEST = 4096
"""The most characters of an instruction that has a form."""


class Skeleton(NamedTuple):
    """The opcode and the operands of an instruction without the words that may be leaves."""

    pieces: Sequence[str]
    """The texts before, between and behind these words."""
    words: Sequence[str]
    """The words: names, and decimal integers that are whole operands or offsets of addresses."""


def skeleton_of(statement: InstructionStatement) -> Skeleton:
    """The skeleton of an instruction."""
    pieces = ["".join([word.text for word in statement.opcode])]
    words: list[str] = []
    for operand in statement.operands:
        _add(operand, pieces, words)
    return Skeleton(pieces, words)


def _add(operand: Operand, pieces: list[str], words: list[str]) -> None:
    """Add the parts of an operand to a skeleton."""
    pieces[-1] += f",{operand.form}"
    if operand.form:
        for part in operand.parts:
            _add(part, pieces, words)
        pieces[-1] += _CLOSING[operand.form]
        return
    for word, is_open in open_words(operand):
        if is_open:
            words.append(word)
            pieces.append("")
        else:
            pieces[-1] += f"{word} "


def open_words(operand: Operand) -> Iterator[tuple[str, bool]]:
    """The words of an operand, and whether each may be a leaf."""
    words = operand.words
    # An integer is a leaf as a whole operand, or as an offset of an address.
    has_integers = len(words) == 1 or (len(words) == 3 and words[1] == "+")
    for word in words:
        yield word, is_name(word) or (has_integers and word.isdecimal())


class Form:
    """The form of instructions; `parse` parses the one at an index into the text."""

    def __init__(
        self,
        statement: InstructionStatement,
        skeleton: Skeleton,
        parse: Callable[[int], InstructionStatement],
    ):
        self.first = statement.first
        self.pieces = skeleton.pieces
        self.parse = parse
        guard = statement.guard
        self._negated = None if guard is None else guard.negated
        first = 0 if guard is None else 1
        order: list[int | str] = []
        for word in skeleton.words:
            order.append(first if _LEAF.fullmatch(word) else word)
            first += order[-1] is not word
        names = any(isinstance(each, str) for each in order)
        self._order = order if names else None
        """The words of the skeleton, leaves by their number; None if all are leaves in order."""

    def statement(self, start: int, end: int, leaves: Sequence[str]) -> "FormedStatement":
        """The instruction with these leaves in the text."""
        guard = None
        if self._negated is not None:
            behind = start + (2 if self._negated else 1) + len(leaves[0])
            guard = Guard(start, behind, leaves[0], self._negated)
        if self._order is not None:
            words = [each if isinstance(each, str) else leaves[each] for each in self._order]
        else:
            words = leaves if guard is None else leaves[1:]
        return FormedStatement(start, end, guard, self, words)


class FormedStatement(InstructionStatement):
    """An instruction of a known form, which is parsed when its opcode or operands are asked for."""

    __slots__ = ("form", "words")

    def __init__(self, start: int, end: int, guard: Guard | None, form: Form, words: Sequence[str]):
        self.start = start
        self.end = end
        self.guard = guard
        self.form = form
        self.words = words

    def __getattr__(self, name: str) -> object:
        """The attributes that are not set yet."""
        if name not in ("opcode", "operands"):
            raise AttributeError(name)
        parsed = self.form.parse(self.start)
        self.opcode, self.operands = parsed.opcode, parsed.operands
        return getattr(parsed, name)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, InstructionStatement) and (
            (self.guard, self.opcode, self.operands) == (other.guard, other.opcode, other.operands)
        )

    @property
    def first(self) -> str:
        return self.form.first

    @property
    def skeleton(self) -> Skeleton:
        return Skeleton(self.form.pieces, self.words)


def cut(text: str) -> tuple[tuple[str, ...], list[str]]:
    """The text of an instruction without registers and integers, and these."""
    parts = _LEAF.split(text)
    return tuple(parts[::2]), parts[1::2]


def form_of(
    statement: InstructionStatement,
    key: Sequence[str],
    leaves: Sequence[str],
    parse: Callable[[int], InstructionStatement],
) -> Form | None:
    """The form of an instruction whose text was cut into `key` and `leaves`; None if it has none,
    because its tokens are cut in other ways, for example by a comment."""
    guard = statement.guard
    skeleton = skeleton_of(statement)
    found = [word for word in skeleton.words if _LEAF.fullmatch(word)]
    if guard is not None:
        if _GUARDS.get(key[0]) is not guard.negated:
            return None
        found.insert(0, guard.name)
    return Form(statement, skeleton, parse) if found == leaves else None

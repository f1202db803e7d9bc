"""
The statements of PTX text.

Two statements are equal if their tokens are, wherever they stand. The blocks of a text are not
nested in the tree, but stand between an `Open` and a `Close`, so that any depth is fine.
"""

from dataclasses import dataclass, field
from typing import Literal, TypeAlias


@dataclass(slots=True)
class _Placed:
    """A part of the text, from `start` to `end`."""

    start: int = field(compare=False, repr=False)
    end: int = field(compare=False, repr=False)


@dataclass(slots=True)
class Word(_Placed):
    """A token."""

    text: str


@dataclass(slots=True)
class Operand(_Placed):
    """
    An operand, by its form: `{` a vector of `parts`, `[` an address whose `parts` stand between
    the brackets, `|` alternatives such as two destinations, and without form an expression: the
    texts of its tokens, of which a register, a constant or a name has one.
    """

    form: Literal["", "{", "[", "|"]
    words: tuple[str, ...] = ()
    parts: "tuple[Operand, ...]" = ()


@dataclass(slots=True)
class Label(_Placed):
    """`name:`"""

    name: str


@dataclass(slots=True)
class Open(_Placed):
    """The beginning of a block."""


@dataclass(slots=True)
class Close(_Placed):
    """The end of a block."""


@dataclass(slots=True)
class Directive(_Placed):
    """A directive: the texts of its tokens, without the semicolon that ends it if there is one."""

    words: tuple[str, ...]
    terminated: bool


@dataclass(slots=True)
class Guard(_Placed):
    """`@name` or, if negated, `@!name`."""

    name: str
    negated: bool


@dataclass(slots=True)
class InstructionStatement(_Placed):
    """An instruction; its opcode is split at the dots."""

    guard: Guard | None
    opcode: tuple[Word, ...]
    operands: tuple[Operand, ...]


Statement: TypeAlias = Label | Open | Close | Directive | InstructionStatement

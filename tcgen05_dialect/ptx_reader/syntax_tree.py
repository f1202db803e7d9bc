"""
Statements of PTX text, as a flat list.

Equality compares tokens and ignores positions. A block is the statements between an `Open` and a
`Close`. Because the list is flat, deeply nested blocks cannot exhaust the stack.
"""

from dataclasses import dataclass, field
from typing import Literal, TypeAlias


@dataclass(slots=True)
class _Placed:
    """A part of the text, from index `start` up to `end`."""

    start: int = field(compare=False, repr=False)
    end: int = field(compare=False, repr=False)


@dataclass(slots=True)
class Word(_Placed):
    """A token."""

    text: str


@dataclass(slots=True)
class Operand(_Placed):
    """
    An operand. Its `form` is one of:

    - `{`: a vector of `parts`;
    - `[`: an address, with `parts` between the brackets;
    - `|`: alternatives, such as two destinations;
    - empty: an expression; `words` are its tokens. A register, a constant or a name is one token.
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
    """
    A directive: the texts of its tokens without the final semicolon. `terminated` tells whether it
    has a semicolon.
    """

    words: tuple[str, ...]
    terminated: bool


@dataclass(slots=True)
class Guard(_Placed):
    """`@name`, or `@!name` if negated."""

    name: str
    negated: bool


@dataclass(slots=True)
class InstructionStatement(_Placed):
    """An instruction; its opcode is split at the dots."""

    guard: Guard | None
    opcode: tuple[Word, ...]
    operands: tuple[Operand, ...]

    @property
    def first(self) -> str:
        """The first word of the opcode."""
        return self.opcode[0].text


Statement: TypeAlias = Label | Open | Close | Directive | InstructionStatement

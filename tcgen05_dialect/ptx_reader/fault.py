"""Faults: violations with their position in a text."""

import unicodedata
from collections.abc import Sequence

from ..isa.model.rule import Violation
from .tokens import Token

_SHOWN = 40
"""Maximum number of characters of a token that a message shows."""
_BYTES = range(0xDC80, 0xDD00)
"""The characters that Python's surrogateescape substitutes for bytes that are not UTF-8."""


class Fault(Exception):
    """A violation and the part of the text that causes it."""

    def __init__(self, violation: Violation, start: int, end: int):
        super().__init__(violation, start, end)
        self.violation = violation
        self.start = start
        self.end = end
        self.subject = ""
        """The name of the instruction with the fault, if any."""
        self.others: Sequence[Fault] = ()
        """Further faults of the same instruction."""


class SurplusFault(Fault):
    """A fault of an operand that has no place in the instruction with these qualifiers."""


class TypeFault(Fault):
    """A fault of the type of a register. If it is not certain, PTX may take the register although
    the dialect does not."""

    def __init__(self, violation: Violation, start: int, end: int, is_certain: bool = True):
        super().__init__(violation, start, end)
        self.is_certain = is_certain


def quoted(*marks: str) -> str:
    """Punctuation as a message writes it, as alternatives."""
    return " or ".join(f"'{mark}'" for mark in marks)


def described(token: Token) -> str:
    """The text of a token in a message; a character that PTX does not allow is named."""
    if token.kind == "end":
        return "the end of the text"
    text = token.text.partition("\n")[0]
    if len(token.text) == 1 and token.kind == "bad" and not " " < text < "\x7f":
        code = ord(token.text)
        if code in _BYTES:
            return f"byte 0x{code % 256:02X}, which is not UTF-8"
        return f"U+{code:04X} {unicodedata.name(token.text, '')}".rstrip()
    if token.kind == "mark":
        return quoted(text)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."

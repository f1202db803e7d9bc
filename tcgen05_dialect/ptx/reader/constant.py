"""Constants of PTX text, and expressions of them (PTX ISA 4.5)."""

import operator
import struct
from collections.abc import Callable, Mapping, Sequence

from ...isa import ptx_text

_LEVELS: Sequence[Mapping[str, Callable[[int, int], int]]] = (
    {"|": lambda a, b: a | b},
    {"^": lambda a, b: a ^ b},
    {"&": lambda a, b: a & b},
    {"<<": lambda a, b: a << (b % 64), ">>": lambda a, b: a >> (b % 64)},
    {"+": operator.add, "-": operator.sub},
    {"*": operator.mul},
)
"""The operators, those that bind most loosely first."""
_UNARY: Mapping[str, Callable[[int], int]] = {
    "-": operator.neg,
    "+": operator.pos,
    "~": operator.invert,
}
_DEEPEST = 32
_BITS = 64
"""Constants are of 64 bits (4.5.1)."""
_BASES = {"0x": 16, "0b": 2}
_FLOATS = {"0f": ">f", "0d": ">d"}


def integer(word: str) -> int | None:
    """The number that a token says, if it is an integer constant."""
    digits = word.lower().removesuffix("u")
    try:
        if (base := _BASES.get(digits[:2])) is not None:
            return int(digits[2:], base)
        if not digits.isdecimal():
            return None
        return int(digits, 8 if digits.startswith("0") else 10)
    except ValueError:
        return None


def floating(words: Sequence[str]) -> float | None:
    """The number that tokens say, if they are a floating-point constant."""
    *signs, word = words
    if signs not in ([], ["-"]) or not (word[0].isdecimal() or word[0] == "."):
        return None
    if (layout := _FLOATS.get(word[:2].lower())) is not None:
        number: float = struct.unpack(layout, bytes.fromhex(word[2:]))[0]
    elif word[:2].lower() not in _BASES and not word.isdecimal():
        try:
            number = float(word)
        except ValueError:
            return None
    else:
        return None
    return -number if signs else number


def evaluate(words: Sequence[str]) -> int:
    """The number that an integer constant expression says. Raises Violation."""
    expression = _Expression(words)
    number = expression.binary(0)
    if expression.words:
        raise ptx_text.CONSTANT_RULE.violation(expression.words[-1], "an operator")
    return number


class _Expression:
    def __init__(self, words: Sequence[str]):
        self.words = list(reversed(words))
        """The tokens that are left, the next one last."""
        self.depth = 0

    def binary(self, level: int) -> int:
        """An expression of operators of a level or ones that bind more tightly."""
        if level == len(_LEVELS):
            return self.unary()
        number = self.binary(level + 1)
        while self.words and (function := _LEVELS[level].get(self.words[-1])) is not None:
            self.words.pop()
            number = _wrapped(function(number, self.binary(level + 1)))
        return number

    def unary(self) -> int:
        signs: list[Callable[[int], int]] = []
        while self.words and (sign := _UNARY.get(self.words[-1])) is not None:
            signs.append(sign)
            self.words.pop()
        number = self.primary()
        for sign in reversed(signs):
            number = sign(number)
        return number

    def primary(self) -> int:
        word = self.words.pop() if self.words else "nothing"
        if word == "(" and self.depth < _DEEPEST:
            self.depth += 1
            number = self.binary(0)
            if not self.words or self.words.pop() != ")":
                raise ptx_text.CONSTANT_RULE.violation("an open parenthesis", ")")
            self.depth -= 1
            return number
        number = integer(word)
        if number is None or number >> _BITS:
            raise ptx_text.CONSTANT_RULE.violation(word, f"an integer of {_BITS} bits")
        return number


def _wrapped(number: int) -> int:
    """The number in 64 bits, as which constants are computed."""
    half = 1 << _BITS - 1
    return (number + half) % (1 << _BITS) - half

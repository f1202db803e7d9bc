"""Constants in PTX text, and the operators of expressions of them (4.5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

PREDEFINED: Mapping[str, int] = {"WARP_SZ": 32}
"""Names of constants (4.5.1)."""


class IntegerForm(NamedTuple):
    """How integers of a base are written: what they begin with, and digits."""

    prefix: str
    digits: str
    base: int


INTEGER_FORMS = (
    IntegerForm("0x", "0-9A-Fa-f", 16),
    IntegerForm("0b", "01", 2),
    IntegerForm("0", "0-7", 8),
    IntegerForm("", "0-9", 10),
)
"""The letters of prefixes are of either case (4.5.1)."""

UNSIGNED_SUFFIX = "U"
BITS = 64
"""What constants are computed in (4.5.1)."""

CONVERTED_BITS = frozenset((1, 32, 64))
"""Sizes of operands that integers are converted to: predicates are false for 0 and else true, and
others lose the upper bits (4.5.1). ptxas refuses an operand of 16 bits that does not fit."""

DECIMAL = r"(?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]++)(?:[eE][+-]?[0-9]++)?"
"""The pattern of a decimal float of 64 bits, and of an integer if it has no point and no exponent
(4.5.2)."""

FLOAT_PREFIXES = {32: "0f", 64: "0d"}
"""Width of a float constant -> what its bits follow, in either case (4.5.2)."""

Type = Literal["s64", "u64", "f64", "f32"]
"""What a constant is; f32 is what `0f` begins, of which no operator takes any (4.5.2)."""

INTEGER_TYPES: Mapping[str, Type] = {".s64": "s64", ".u64": "u64"}
"""What a cast converts to (4.5.4)."""


class Operator(NamedTuple):
    """
    An operator (Table 5).

    Its operands are interpreted as of the type `operands`, or, if that is `usual`, as unsigned if
    either is (4.5.3), or, if it is `own`, as what they are. The result is of the type `result`,
    or, if that is `operand`, of that of the first operand once it is so interpreted.
    """

    precedence: int
    """Operators with higher precedence bind more tightly."""
    operands: Literal["usual", "u64", "own"]
    result: Literal["s64", "u64", "operand"]
    floats: bool = False
    """Whether two floats may be operands."""


_SHIFT = Operator(8, "own", "operand")
_ORDER = Operator(7, "usual", "s64", floats=True)
_EQUALITY = Operator(6, "usual", "s64", floats=True)
_SUM = Operator(9, "usual", "operand", floats=True)
_PRODUCT = Operator(10, "usual", "operand", floats=True)

TERNARY_PRECEDENCE = 0
UNARY_PRECEDENCE = 11
"""Of the operators of one operand, and of casts."""
BINARY: Mapping[str, Operator] = {
    "||": Operator(1, "own", "s64"),
    "&&": Operator(2, "own", "s64"),
    "|": Operator(3, "usual", "operand"),
    "^": Operator(4, "usual", "operand"),
    "&": Operator(5, "usual", "operand"),
    "==": _EQUALITY,
    "!=": _EQUALITY,
    "<": _ORDER,
    "<=": _ORDER,
    ">": _ORDER,
    ">=": _ORDER,
    "<<": _SHIFT,
    ">>": _SHIFT,
    "+": _SUM,
    "-": _SUM,
    "*": _PRODUCT,
    "/": _PRODUCT,
    "%": Operator(10, "u64", "u64"),
}
"""
Operators of two operands, which group from left to right.

ptxas departs from Table 5: `%` gives u64 where the table says s64, `& ^ |` take the usual
conversions where it says u64, and `?:`, which groups from right to left, takes no floats and
gives the chosen operand as it is. These are the values that programs get.
"""

UNARY: Mapping[str, Operator] = {
    "+": Operator(UNARY_PRECEDENCE, "own", "operand", floats=True),
    "-": Operator(UNARY_PRECEDENCE, "own", "operand", floats=True),
    "~": Operator(UNARY_PRECEDENCE, "u64", "u64"),
    "!": Operator(UNARY_PRECEDENCE, "own", "s64"),
}
"""Operators of one operand."""

"""Constants and constant expressions in PTX text (4.5)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

from tcgen05_dialect.isa.tensor_memory.alloc import WARP_LANES

PREDEFINED: Mapping[str, int] = {"WARP_SZ": WARP_LANES}
"""Predefined constants (4.5.1)."""


class IntegerForm(NamedTuple):
    """The prefix and the digits of integers of one base."""

    prefix: str
    digits: str
    base: int


INTEGER_FORMS = (
    IntegerForm("0x", "0-9A-Fa-f", 16),
    IntegerForm("0b", "01", 2),
    IntegerForm("0", "0-7", 8),
    IntegerForm("", "0-9", 10),
)
"""Forms of integers; letters in prefixes may be upper or lower case (4.5.1)."""

UNSIGNED_SUFFIX = "U"
BITS = 64
"""Width in bits of integer arithmetic on constants (4.5.1)."""

CONVERTED_BITS = frozenset((1, 32, 64))
"""Operand sizes to which integers are converted. A predicate is false for 0 and true otherwise;
integers are truncated to larger operands (4.5.1). ptxas refuses a value that does not fit into 16
bits."""

DECIMAL = r"(?:[0-9]++(?:\.[0-9]*+)?|\.[0-9]++)(?:[eE][+-]?[0-9]++)?"
"""The pattern of a decimal number: a 64-bit float, or an integer if it has neither point nor
exponent (4.5.2)."""

FLOAT_PREFIXES = {32: "0f", 64: "0d"}
"""Width of a float constant -> the prefix of its bits, in either case (4.5.2)."""

Type = Literal["s64", "u64", "f64", "f32"]
"""Types of constants. Those with the prefix `0f` are f32, which no operator accepts (4.5.2)."""

INTEGER_TYPES: Mapping[str, Type] = {".s64": "s64", ".u64": "u64"}
"""Result types of casts (4.5.4)."""


class Operator(NamedTuple):
    """
    An operator (Table 5).

    `operands` is the type to which the operands are converted; `usual` means unsigned if either is
    unsigned (4.5.3), and `own` means no conversion. `result` is the type of the result; `operand`
    means the type of the first operand after its conversion.
    """

    precedence: int
    """Operators with higher precedence are applied first."""
    operands: Literal["usual", "u64", "own"]
    result: Literal["s64", "u64", "operand"]
    floats: bool = False
    """Whether both operands may be floats."""


_SHIFT = Operator(8, "own", "operand")
_ORDER = Operator(7, "usual", "s64", floats=True)
_EQUALITY = Operator(6, "usual", "s64", floats=True)
_SUM = Operator(9, "usual", "operand", floats=True)
_PRODUCT = Operator(10, "usual", "operand", floats=True)

TERNARY_PRECEDENCE = 0
UNARY_PRECEDENCE = 11
"""Precedence of unary operators and casts."""
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
Binary operators, which are left-associative.

The types are those of ptxas, which differ from Table 5: `%` gives u64, not s64; `& ^ |` use the
usual conversions, not u64. The operator `?:` is right-associative. It takes no floats and does not
convert the operand that it selects.
"""

UNARY: Mapping[str, Operator] = {
    "+": Operator(UNARY_PRECEDENCE, "own", "operand", floats=True),
    "-": Operator(UNARY_PRECEDENCE, "own", "operand", floats=True),
    "~": Operator(UNARY_PRECEDENCE, "u64", "u64"),
    "!": Operator(UNARY_PRECEDENCE, "own", "s64"),
}
"""Unary operators."""

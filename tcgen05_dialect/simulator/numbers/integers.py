"""
Functions on integers of registers and memory: arithmetic, combination, comparison and selection
(9.3.1, 9.7.1, 9.7.6, 9.7.7.2, 9.7.8, 9.7.13.5, 9.7.13.6).

Choices that the manual leaves open: quotient and remainder of a division by zero have all bits set;
quotients are rounded toward zero; the minimum divided by -1 is the minimum; combinations of
floating-point numbers make the choices of `floats`.
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

import numpy as np

from ...isa.ptx.ptx_text import TYPE_BITS
from . import floats
from .float_arithmetic import arithmetic
from .floats import FORMATS, Lanes, NumpyFormat, decode, flush, is_nan, unsigned


@cache
def dtype(type_: str) -> Any:
    """numpy type of an integer type; bit-size types are unsigned."""
    return np.dtype(f"{'i' if type_[0] == 's' else 'u'}{TYPE_BITS[type_] // 8}").type


def range_of(type_: str) -> tuple[int, int]:
    """Minimum and maximum of an integer type."""
    limits = np.iinfo(dtype(type_))
    return int(limits.min), int(limits.max)


def low(bits: Lanes, type_: str) -> Lanes:
    """Integers in the low bits of registers, which may be wider than the type."""
    return bits.astype(unsigned(TYPE_BITS[type_]), copy=False).view(dtype(type_))


def extended(values: Lanes, register: Any) -> Lanes:
    """Sign-extend or zero-extend integers to a register type."""
    return values.astype(register)


def on_integers(type_: str, function: Callable[..., Lanes]) -> Callable[..., Lanes]:
    """Convert a function on integers of a type to one on bits."""
    number, word = dtype(type_), unsigned(TYPE_BITS[type_])
    if number is word:
        return function
    return lambda *operands: function(*[bits.view(number) for bits in operands]).view(word)


def _widened(bits: Lanes, type_: str) -> Lanes:
    """Integers of twice the width; Python integers beyond 64 bits."""
    values = bits.view(dtype(type_))
    width = 2 * TYPE_BITS[type_]
    return values.astype(dtype(f"{type_[0]}{width}") if width <= 64 else object)


def wide_product(type_: str) -> Callable[[Lanes, Lanes], Lanes]:
    """Product of twice the width."""
    return lambda a, b: (_widened(a, type_) * _widened(b, type_)).view(
        unsigned(2 * TYPE_BITS[type_])
    )


def sum_of_product(a: Lanes, b: Lanes, c: Lanes) -> Lanes:
    """Low half of a product, plus `c`; all have the same width."""
    return a * b + c


def wide_sum_of_product(type_: str) -> Callable[[Lanes, Lanes, Lanes], Lanes]:
    """Product of twice the width, plus `c`."""
    product = wide_product(type_)

    def function(a: Lanes, b: Lanes, c: Lanes) -> Lanes:
        return product(a, b) + c

    return function


def high_product(type_: str) -> Callable[[Lanes, Lanes], Lanes]:
    """Upper half of the product."""
    bits = TYPE_BITS[type_]
    mask = (1 << bits) - 1

    def function(a: Lanes, b: Lanes) -> Lanes:
        product = _widened(a, type_) * _widened(b, type_)
        return (product >> bits & mask).astype(unsigned(bits))

    return function


def magnitude(values: Lanes) -> Lanes:
    """Unsigned absolute values; exact also for the minimum."""
    return np.abs(values).view(unsigned(8 * values.itemsize))


def divided(type_: str, remainder: bool) -> Callable[[Lanes, Lanes], Lanes]:
    """Quotient, or remainder with the sign of the dividend."""
    undefined = np.invert(dtype(type_)(0))

    def function(x: Lanes, y: Lanes) -> Lanes:
        rest = np.fmod(x, y)
        return np.where(y == 0, undefined, rest if remainder else (x - rest) // y)

    return on_integers(type_, function)


def shifted_left(a: Lanes, amount: Lanes) -> Lanes:
    """Left shift; an amount of at least the width gives 0, as in numpy."""
    return (a << amount).astype(a.dtype, copy=False)


def shifted_right(type_: str) -> Callable[[Lanes, Lanes], Lanes]:
    """Right shift; an amount of at least the width gives copies of the sign, or 0, as in numpy."""
    number = dtype(type_)

    def function(a: Lanes, amount: Lanes) -> Lanes:
        return (a.view(number) >> amount).astype(number, copy=False).view(a.dtype)

    return function


Combine = Callable[[Lanes, Lanes], Lanes]
"""New bits in memory, from the bits in memory and the bits of an operand."""


def _increased(old: Lanes, last: Lanes) -> Lanes:
    following: Lanes = old + np.ones_like(old)
    return np.where(old >= last, np.zeros_like(old), following)


def _decreased(old: Lanes, last: Lanes) -> Lanes:
    preceding: Lanes = old - np.ones_like(old)
    return np.where((old == 0) | (old > last), last, preceding)


def _exchanged(old: Lanes, new: Lanes) -> Lanes:
    return new


_ON_BITS: Mapping[str, Combine] = {
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
    "inc": _increased,
    "dec": _decreased,
    "exch": _exchanged,
}
_ON_INTEGERS: Mapping[str, Combine] = {"add": np.add, "min": np.minimum, "max": np.maximum}


def combination(operation: str, type_: str, flushed: bool) -> Combine:
    """The function of an operation on numbers of a type that is not packed."""
    if (on_bits := _ON_BITS.get(operation)) is not None:
        return on_bits
    choose, format_ = _ON_INTEGERS[operation], FORMATS.get(type_)
    if format_ is None:
        return on_integers(type_, choose)
    if operation == "add":
        return arithmetic("add", "rn", format_, flushed)
    return floats.extremum(choose, format_, flushed, False)


Comparison = Callable[[Lanes, Lanes], Lanes]

_COMPARISONS: dict[str, Comparison] = {
    "eq": np.equal,
    "ne": np.not_equal,
    "lt": np.less,
    "le": np.less_equal,
    "gt": np.greater,
    "ge": np.greater_equal,
    "lo": np.less,
    "ls": np.less_equal,
    "hi": np.greater,
    "hs": np.greater_equal,
}


def compared(comparison: str, type_: str, flushed: bool) -> Comparison:
    """Function that compares two registers and returns predicates."""
    format_ = FORMATS.get(type_)
    if format_ is not None:
        return _of_floats(comparison, format_, flushed)
    compare, number = _COMPARISONS[comparison], dtype(type_)
    return lambda a, b: compare(a.view(number), b.view(number))


def _of_floats(comparison: str, format_: NumpyFormat, flushed: bool) -> Comparison:
    """Float comparison; false for NaN unless the comparison is unordered (`equ`, ...)."""
    compare = _COMPARISONS.get(comparison.removesuffix("u"))
    holds_for_nan = comparison not in _COMPARISONS and comparison != "num"

    def function(a: Lanes, b: Lanes) -> Lanes:
        if flushed:
            a, b = flush(a, format_), flush(b, format_)
        unordered = is_nan(a, format_) | is_nan(b, format_)
        if compare is None:
            return unordered == holds_for_nan
        return np.where(unordered, holds_for_nan, compare(decode(a, format_), decode(b, format_)))

    return function


def selected(a: Lanes, b: Lanes, condition: Lanes) -> Lanes:
    """`a` where the condition holds, else `b`."""
    return np.where(condition, a, b)


def tested(test: str, format_: NumpyFormat) -> Callable[[Lanes], Lanes]:
    """Function that tells whether floats belong to a class (9.7.3.1)."""

    def function(bits: Lanes) -> Lanes:
        exponent, nan = bits & format_.infinity, is_nan(bits, format_)
        infinite = (bits & ~format_.sign) == format_.infinity
        zero = bits & ~format_.sign == 0
        match test:
            case "finite":
                return exponent != format_.infinity
            case "infinite":
                return infinite
            case "number":
                return ~nan
            case "notanumber":
                return nan
            case "normal":
                return zero | (exponent != 0) & (exponent != format_.infinity)
            case _:
                return (exponent == 0) & ~zero

    return function

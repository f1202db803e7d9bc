"""
Integer arithmetic modulo the width of the type (9.7.1, 9.7.8).

Choices that the manual leaves open: quotient and remainder of a division by zero have all bits set;
quotients are rounded toward zero; the minimum divided by -1 is the minimum.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from ...isa.ptx.registers import TYPE_BITS
from .lanes import Lanes, unsigned


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

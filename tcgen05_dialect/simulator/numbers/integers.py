"""
Integer arithmetic modulo the width of the type (9.7.1, 9.7.8).

Choices that the manual leaves open: division by zero gives a quotient and a remainder with all bits
set; quotients are rounded toward zero; the least number divided by -1 is itself.
"""

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np

from .lanes import Lanes, unsigned


@cache
def bits_of(type_: str) -> int:
    """The width of a type such as `s32`."""
    return int(type_[1:])


@cache
def dtype(type_: str) -> Any:
    """numpy type of an integer type; bit-size types are unsigned."""
    return np.dtype(f"{'i' if type_[0] == 's' else 'u'}{bits_of(type_) // 8}").type


def range_of(type_: str) -> tuple[int, int]:
    """Least and greatest integer of a type."""
    limits = np.iinfo(dtype(type_))
    return int(limits.min), int(limits.max)


def integers(bits: Lanes, type_: str) -> Lanes:
    """Integers in the low bits of registers."""
    return bits.astype(unsigned(bits_of(type_)), copy=False).view(dtype(type_))


def extended(values: Lanes, register: Any) -> Lanes:
    """Sign-extend or zero-extend integers to a register type."""
    return values.astype(register)


def modular(type_: str, function: Callable[..., Lanes]) -> Callable[..., Lanes]:
    """Convert a function on integers to one on bits."""

    def on_bits(*operands: Lanes) -> Lanes:
        values = function(*(integers(bits, type_) for bits in operands))
        return values.view(unsigned(bits_of(type_)))

    return on_bits


def _widened(bits: Lanes, type_: str) -> Lanes:
    """Integers of twice the width; Python integers beyond 64 bits."""
    values = integers(bits, type_)
    width = 2 * bits_of(type_)
    return values.astype(dtype(f"{type_[0]}{width}") if width <= 64 else object)


def wide_product(type_: str) -> Callable[[Lanes, Lanes], Lanes]:
    """Product of twice the width."""
    return lambda a, b: (_widened(a, type_) * _widened(b, type_)).view(unsigned(2 * bits_of(type_)))


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
    bits = bits_of(type_)
    mask = (1 << bits) - 1

    def function(a: Lanes, b: Lanes) -> Lanes:
        product = _widened(a, type_) * _widened(b, type_)
        return (product >> bits & mask).astype(unsigned(bits))

    return function


def magnitude(values: Lanes) -> Lanes:
    """Unsigned absolute values; exact also for the least number."""
    return np.abs(values).view(unsigned(8 * values.itemsize))


def divided(type_: str, remainder: bool) -> Callable[[Lanes, Lanes], Lanes]:
    """Quotient, or remainder with the sign of the dividend."""

    def function(a: Lanes, b: Lanes) -> Lanes:
        x, y = integers(a, type_), integers(b, type_)
        divisor = np.maximum(magnitude(y), 1)
        if remainder:
            result, negative = magnitude(x) % divisor, x < 0
        else:
            result, negative = magnitude(x) // divisor, (x < 0) != (y < 0)
        result = np.where(negative, ~result + result.dtype.type(1), result)
        return np.where(y == 0, ~np.zeros_like(result), result)

    return function


def shifted_left(type_: str) -> Callable[[Lanes, Lanes], Lanes]:
    """Left shift; an amount of at least the width gives 0."""
    bits = bits_of(type_)

    def function(a: Lanes, amount: Lanes) -> Lanes:
        kept = np.minimum(amount, bits - 1).astype(a.dtype)
        return np.where(amount < bits, a << kept, a.dtype.type(0))

    return function


def shifted_right(type_: str) -> Callable[[Lanes, Lanes], Lanes]:
    """Right shift; an amount of at least the width gives copies of the sign, or 0."""
    bits = bits_of(type_)

    def function(a: Lanes, amount: Lanes) -> Lanes:
        values = integers(a, type_)
        first = np.minimum(amount, bits - 1).astype(values.dtype)
        # Two shifts, each by less than the width.
        second = (amount >= bits).astype(values.dtype)
        return (values >> first >> second).view(a.dtype)

    return function

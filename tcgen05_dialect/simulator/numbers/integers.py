"""
Arithmetic of integers, modulo the width of their type (9.7.1, 9.7.8).

Where the manual leaves the value open: quotient and remainder of a division by zero have all bits
set. A quotient is rounded toward zero; the quotient of the least number by -1 is itself.
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
    """The type of numpy for the integers of a type; bit-size types are unsigned."""
    return np.dtype(f"{'i' if type_[0] == 's' else 'u'}{bits_of(type_) // 8}").type


def range_of(type_: str) -> tuple[int, int]:
    """The least and the greatest integer of a type."""
    limits = np.iinfo(dtype(type_))
    return int(limits.min), int(limits.max)


def integers(bits: Lanes, type_: str) -> Lanes:
    """The integers that the low bits of registers stand for."""
    return bits.astype(unsigned(bits_of(type_)), copy=False).view(dtype(type_))


def extended(values: Lanes, register: Any) -> Lanes:
    """Integers in registers that may be wider: extended by their sign, or by zeros."""
    return values.astype(register)


def modular(type_: str, function: Callable[..., Lanes]) -> Callable[..., Lanes]:
    """A function of integers as one of bits."""

    def on_bits(*operands: Lanes) -> Lanes:
        values = function(*(integers(bits, type_) for bits in operands))
        return values.view(unsigned(bits_of(type_)))

    return on_bits


def _widened(bits: Lanes, type_: str) -> Lanes:
    """Integers of twice the width; Python's if numpy has none."""
    values = integers(bits, type_)
    width = 2 * bits_of(type_)
    return values.astype(dtype(f"{type_[0]}{width}") if width <= 64 else object)


def wide_product(type_: str) -> Callable[[Lanes, Lanes], Lanes]:
    """The product, of twice the width."""
    return lambda a, b: (_widened(a, type_) * _widened(b, type_)).view(unsigned(2 * bits_of(type_)))


def sum_of_product(a: Lanes, b: Lanes, c: Lanes) -> Lanes:
    """The low half of a product, plus `c`, of registers of the same width."""
    return a * b + c


def wide_sum_of_product(type_: str) -> Callable[[Lanes, Lanes, Lanes], Lanes]:
    """The product, of twice the width, plus `c`."""
    product = wide_product(type_)

    def function(a: Lanes, b: Lanes, c: Lanes) -> Lanes:
        return product(a, b) + c

    return function


def high_product(type_: str) -> Callable[[Lanes, Lanes], Lanes]:
    """The upper half of the product."""
    bits = bits_of(type_)
    mask = (1 << bits) - 1

    def function(a: Lanes, b: Lanes) -> Lanes:
        product = _widened(a, type_) * _widened(b, type_)
        return (product >> bits & mask).astype(unsigned(bits))

    return function


def magnitude(values: Lanes) -> Lanes:
    """Absolute values, unsigned, in which that of the least number is exact."""
    return np.abs(values).view(unsigned(8 * values.itemsize))


def divided(type_: str, remainder: bool) -> Callable[[Lanes, Lanes], Lanes]:
    """The quotient, or the remainder, which has the sign of the dividend."""

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
    """Shift left; nothing is left of what is shifted by the width or more."""
    bits = bits_of(type_)

    def function(a: Lanes, amount: Lanes) -> Lanes:
        kept = np.minimum(amount, bits - 1).astype(a.dtype)
        return np.where(amount < bits, a << kept, a.dtype.type(0))

    return function


def shifted_right(type_: str) -> Callable[[Lanes, Lanes], Lanes]:
    """Shift right; the sign, or zeros, are left of what is shifted by the width or more."""
    bits = bits_of(type_)

    def function(a: Lanes, amount: Lanes) -> Lanes:
        values = integers(a, type_)
        first = np.minimum(amount, bits - 1).astype(values.dtype)
        # Twice, so that neither shift has the width itself.
        second = (amount >= bits).astype(values.dtype)
        return (values >> first >> second).view(a.dtype)

    return function

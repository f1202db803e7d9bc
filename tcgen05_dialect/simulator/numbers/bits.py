"""Functions on the bits and bytes of integers (9.7.1, 9.7.8, 9.7.9.7)."""

from collections.abc import Callable

import numpy as np

from .floats import Lanes
from .integers import LANES, dtype


def _ones(count: Lanes, word: type[np.uint64]) -> Lanes:
    """So many ones in the low bits."""
    size = 8 * np.dtype(word).itemsize
    inside = np.minimum(count, size - 1).astype(word)
    return np.where(count >= size, ~word(0), (word(1) << inside) - word(1))


def highest_bit(type_: str, as_shift: bool) -> Callable[[Lanes], Lanes]:
    """bfind: the position of the highest bit unlike the sign, or the shift that brings it up."""

    def function(a: Lanes) -> Lanes:
        number = a.view(dtype(type_))
        length = LANES.of(8 * a.itemsize).length(np.where(number < 0, ~a, a)).astype(np.int64)
        position = length - 1
        result = 8 * a.itemsize - length if as_shift else position
        return np.where(length == 0, np.uint32(0xFFFFFFFF), result.astype(np.uint32))

    return function


def reversed_bits(a: Lanes) -> Lanes:
    """brev."""
    bits = np.unpackbits(np.ascontiguousarray(a).view(np.uint8), bitorder="little")
    bits = bits.reshape(a.size, -1)[:, ::-1]
    return np.packbits(bits, axis=1, bitorder="little").view(a.dtype).reshape(a.shape)


def dot(a_type: str, b_type: str) -> Callable[[Lanes, Lanes, Lanes], Lanes]:
    """dp4a: the scalar product of four bytes, plus a word."""

    def function(a: Lanes, b: Lanes, c: Lanes) -> Lanes:
        return _plus((_parts(4, a, a_type) * _parts(4, b, b_type)).sum(axis=1), c)

    return function


def distance(parts: int, a_type: str, b_type: str) -> Callable[[Lanes, Lanes, Lanes], Lanes]:
    """vabsdiff2.add, vabsdiff4.add: the sum of the absolute differences of the parts, plus a
    word."""

    def function(a: Lanes, b: Lanes, c: Lanes) -> Lanes:
        return _plus(np.abs(_parts(parts, a, a_type) - _parts(parts, b, b_type)).sum(axis=1), c)

    return function


def distances(
    type_: str, a_type: str, b_type: str, saturated: bool
) -> Callable[[Lanes, Lanes, Lanes], Lanes]:
    """vabsdiff4: the absolute differences of four bytes; the third operand is not read."""
    legal = np.iinfo(_PARTS[type_[0], 4])

    def function(a: Lanes, b: Lanes, _c: Lanes) -> Lanes:
        each = np.abs(_parts(4, a, a_type) - _parts(4, b, b_type))
        if saturated:
            each = np.minimum(each, legal.max)
        return each.astype(np.uint8).view(np.uint32).reshape(a.shape)

    return function


_PARTS = {("s", 2): np.int16, ("u", 2): np.uint16, ("s", 4): np.int8, ("u", 4): np.uint8}
"""Sign of a type, and number of parts of a word -> the type of a part."""


def _parts(count: int, bits: Lanes, type_: str) -> Lanes:
    """The halves or bytes of words as wide integers."""
    parts = np.ascontiguousarray(bits).view(_PARTS[type_[0], count])
    return parts.reshape(bits.size, count).astype(np.int64)


def _plus(total: Lanes, word: Lanes) -> Lanes:
    return (total + word.astype(np.int64) & 0xFFFFFFFF).astype(np.uint32)


def extended(type_: str, mode: str) -> Callable[[Lanes, Lanes], Lanes]:
    """szext: the low bits of a word, extended with their sign or with zeros."""

    def function(a: Lanes, length: Lanes) -> Lanes:
        count = np.where(length >= 32, 32, length) if mode == "clamp" else length & 31
        mask = _ones(count, a.dtype.type)
        sign = a >> np.maximum(count, 1).astype(np.uint32) - np.uint32(1) & np.uint32(1)
        is_negative = (sign != 0) & (count != 0) & (type_[0] == "s")
        return np.where(is_negative, a | ~mask, a & mask)

    return function


def mask_of_ones(mode: str) -> Callable[[Lanes, Lanes], Lanes]:
    """bmsk: a mask with the given number of ones, from a position on."""

    def function(position: Lanes, length: Lanes) -> Lanes:
        limit = 32 if mode == "clamp" else 31
        first, count = (
            np.minimum(each, limit) if mode == "clamp" else each & limit
            for each in (position, length)
        )
        last = np.minimum(first + count, 32)
        return _ones(last, position.dtype.type) & ~_ones(first, position.dtype.type)

    return function

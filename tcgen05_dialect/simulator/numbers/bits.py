"""Functions on the bits and bytes of integers (9.7.1, 9.7.8, 9.7.9.7)."""

from collections.abc import Callable

import numpy as np

from .floats import Lanes
from .integers import dtype

_BYTE = 0xFF
_DIGITS = tuple(range(4))


def _field(number: Lanes) -> Lanes:
    """The low byte of a position or a length, which alone counts."""
    return (number & _BYTE).astype(np.int64)


def _ones(count: Lanes, word: type[np.uint64]) -> Lanes:
    """So many ones in the low bits."""
    size = 8 * np.dtype(word).itemsize
    inside = np.minimum(count, size - 1).astype(word)
    return np.where(count >= size, ~word(0), (word(1) << inside) - word(1))


def extracted(type_: str) -> Callable[[Lanes, Lanes, Lanes], Lanes]:
    """bfe: a field, extended with its highest bit if the type is signed."""
    is_signed = type_[0] == "s"

    def function(a: Lanes, position: Lanes, length: Lanes) -> Lanes:
        word, width = a.dtype.type, 8 * a.itemsize
        first, count = _field(position), _field(length)
        field = a >> np.minimum(first, width - 1).astype(word)
        field = np.where(first >= width, word(0), field) & _ones(count, word)
        if not is_signed:
            return field
        last = np.minimum(first + count - 1, width - 1)
        sign = (a >> np.maximum(last, 0).astype(word)) & word(1)
        extended = field | ~_ones(np.minimum(count, np.maximum(width - first, 0)), word)
        return np.where((sign != 0) & (count != 0), extended, field)

    return function


def inserted(a: Lanes, b: Lanes, position: Lanes, length: Lanes) -> Lanes:
    """bfi: the low bits of `a` in a field of `b`."""
    word, width = a.dtype.type, 8 * a.itemsize
    first = _field(position)
    shift = np.minimum(first, width - 1).astype(word)
    mask = np.where(first >= width, word(0), _ones(_field(length), word) << shift)
    return (b & ~mask) | (a << shift & mask)


def _byte(pair: Lanes, index: Lanes) -> Lanes:
    return pair >> (index * 8).astype(np.uint64) & np.uint64(_BYTE)


def permuted(mode: str | None) -> Callable[[Lanes, Lanes, Lanes], Lanes]:
    """prmt: bytes of a pair of words, chosen by digits or by a mode."""

    def digits(selector: Lanes, place: int) -> tuple[Lanes, Lanes]:
        """The byte for a place of the result, and whether only its sign is copied."""
        if mode is None:
            digit = selector >> 4 * place & 0xF
            return digit & 7, digit & 8 != 0
        last = selector & 3
        index = {
            "f4e": last + place,
            "b4e": last - place & 7,
            "rc8": last,
            "ecl": np.maximum(last, place),
            "ecr": np.minimum(last, place),
            "rc16": 2 * (last & 1) + place % 2,
        }[mode]
        return index, np.zeros_like(last, np.bool_)

    def function(a: Lanes, b: Lanes, selector: Lanes) -> Lanes:
        pair = b.astype(np.uint64) << np.uint64(32) | a
        result = np.zeros_like(pair)
        for place in _DIGITS:
            index, is_sign = digits(selector.astype(np.int64), place)
            byte = _byte(pair, index)
            sign = np.where(byte & np.uint64(0x80) != 0, np.uint64(_BYTE), np.uint64(0))
            result |= np.where(is_sign, sign, byte) << np.uint64(8 * place)
        return result.astype(np.uint32)

    return function


def count_of_ones(a: Lanes) -> Lanes:
    """popc."""
    return np.bitwise_count(a).astype(np.uint32)


def _length(a: Lanes) -> Lanes:
    """The number of bits up to the highest one."""
    shift, length = 4 * a.itemsize, np.zeros(a.shape, np.int64)
    rest = a.copy()
    while shift:
        high = rest >> a.dtype.type(shift)
        length += np.where(high != 0, shift, 0)
        rest = np.where(high != 0, high, rest)
        shift //= 2
    return length + (rest != 0)


def leading_zeros(a: Lanes) -> Lanes:
    """clz."""
    return (8 * a.itemsize - _length(a)).astype(np.uint32)


def highest_bit(type_: str, as_shift: bool) -> Callable[[Lanes], Lanes]:
    """bfind: the position of the highest bit unlike the sign, or the shift that brings it up."""

    def function(a: Lanes) -> Lanes:
        number = a.view(dtype(type_))
        length = _length(np.where(number < 0, ~a, a))
        position = length - 1
        result = 8 * a.itemsize - length if as_shift else position
        return np.where(length == 0, np.uint32(0xFFFFFFFF), result.astype(np.uint32))

    return function


def reversed_bits(a: Lanes) -> Lanes:
    """brev."""
    bits = np.unpackbits(np.ascontiguousarray(a).view(np.uint8), bitorder="little")
    bits = bits.reshape(a.size, -1)[:, ::-1]
    return np.packbits(bits, axis=1, bitorder="little").view(a.dtype).reshape(a.shape)


def funnel(direction: str, mode: str) -> Callable[[Lanes, Lanes, Lanes], Lanes]:
    """shf: a shift of two words together."""

    def function(low: Lanes, high: Lanes, amount: Lanes) -> Lanes:
        count = np.minimum(amount, 32) if mode == "clamp" else amount & 31
        pair, shift = high.astype(np.uint64) << np.uint64(32) | low, count.astype(np.uint64)
        shifted = pair << shift >> np.uint64(32) if direction == "l" else pair >> shift
        return (shifted & np.uint64(0xFFFFFFFF)).astype(np.uint32)

    return function


def looked_up(table: int) -> Callable[[Lanes, Lanes, Lanes], Lanes]:
    """lop3: a bit of the table for each combination of bits."""

    def function(a: Lanes, b: Lanes, c: Lanes) -> Lanes:
        result = np.zeros_like(a)
        for index in range(8):
            if table >> index & 1:
                chosen = [x if index >> place & 1 else ~x for x, place in ((a, 2), (b, 1), (c, 0))]
                result |= chosen[0] & chosen[1] & chosen[2]
        return result

    return function


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

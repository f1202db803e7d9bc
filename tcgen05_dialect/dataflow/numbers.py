"""
Knowledge about a register: single bits, an interval, and a small set of values; and arithmetic.

Every fact is an upper bound: a register may have fewer values than its `Number` allows, never
more. Numbers are unsigned.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product
from typing import NamedTuple

MOST_MEMBERS = 32
"""The most values that are listed; there are as many lanes in a warp."""

MOST_CASES = 128
"""The most combinations of values for which a result is computed."""

_FEW = 8
"""The most values that known bits or an interval are listed for."""


class Number(NamedTuple):
    """The possible values of `width` bits: those in `low` to `high` that have the bits `ones` and
    not the bits `zeros`; if `members` are given, only these, in order."""

    width: int
    ones: int
    zeros: int
    low: int
    high: int
    members: tuple[int, ...] | None = None

    @property
    def constant(self) -> int | None:
        """The only value; None if there are several."""
        return self.low if self.low == self.high else None

    @property
    def known(self) -> int:
        """The mask of the bits that are the same in all values."""
        return self.ones | self.zeros

    @property
    def is_unknown(self) -> bool:
        return not self.known and self.high - self.low == (1 << self.width) - 1

    def has(self, value: int) -> bool:
        """Whether a value is possible."""
        if self.members is not None:
            return value in self.members
        fits = not value & self.zeros and value & self.ones == self.ones
        return fits and self.low <= value <= self.high


def anything(width: int) -> Number:
    """An unknown register."""
    return Number(width, 0, 0, 0, (1 << width) - 1)


def constant(value: int, width: int) -> Number:
    """A register with one value, taken modulo two to the power of the width."""
    mask = (1 << width) - 1
    value &= mask
    return Number(width, value, mask & ~value, value, value, (value,))


def one_of(values: Iterable[int], width: int) -> Number:
    """A register with one of some values; there is at least one."""
    mask = (1 << width) - 1
    members = sorted({value & mask for value in values})
    ones, union = mask, 0
    for each in members:
        ones &= each
        union |= each
    few = tuple(members) if len(members) <= MOST_MEMBERS else None
    return Number(width, ones, mask & ~union, members[0], members[-1], few)


def limited(
    width: int, ones: int = 0, zeros: int = 0, low: int = 0, high: int | None = None
) -> Number:
    """The number with these known bits in an interval, as sharp as they imply."""
    mask = (1 << width) - 1
    ones, zeros = ones & mask, zeros & mask
    low = max(low, ones)
    high = min(mask if high is None else high, mask & ~zeros)
    if low > high or ones & zeros:
        # No value is possible, so the code is never executed; nothing need be said of it.
        return anything(width)
    same = mask & ~((1 << (low ^ high).bit_length()) - 1)
    ones |= low & same
    zeros |= ~low & same & mask
    if low == high:
        return constant(low, width)
    free = mask & ~(ones | zeros)
    few: Iterable[int] = ()
    if free.bit_count() <= _FEW.bit_length():
        few = _fillings(ones, free)
    elif high - low < _FEW:
        few = range(low, high + 1)
    fitting = [each for each in few if low <= each <= high and each & ~free == ones]
    return one_of(fitting, width) if fitting else Number(width, ones, zeros, low, high)


def _fillings(ones: int, free: int) -> Iterable[int]:
    bits = [1 << at for at in range(free.bit_length()) if free >> at & 1]
    for chosen in product((0, 1), repeat=len(bits)):
        yield ones | sum(bit for bit, take in zip(bits, chosen, strict=True) if take)


def joined(first: Number, second: Number) -> Number:
    """The number that is either the first or the second."""
    if first == second:
        return first
    if first.members is not None and second.members is not None:
        return one_of((*first.members, *second.members), first.width)
    return limited(
        first.width,
        first.ones & second.ones,
        first.zeros & second.zeros,
        min(first.low, second.low),
        max(first.high, second.high),
    )


def kept(number: Number, values: Sequence[int]) -> Number | None:
    """The number with some of its members; None if there are none."""
    return one_of(values, number.width) if values else None


def between(number: Number, low: int, high: int) -> Number | None:
    """The values of a number that lie in an interval; None if there are none."""
    if number.members is not None:
        return kept(number, [each for each in number.members if low <= each <= high])
    low, high = max(low, number.low), min(high, number.high)
    return limited(number.width, number.ones, number.zeros, low, high) if low <= high else None


def met(first: Number, second: Number) -> Number | None:
    """The values that are in both numbers; None if there are none."""
    if first.members is not None:
        return kept(first, [each for each in first.members if second.has(each)])
    if second.members is not None:
        return kept(second, [each for each in second.members if first.has(each)])
    return between(first, second.low, second.high)


def signed(value: int, width: int) -> int:
    """The bits of a register as a number with a sign."""
    half = 1 << width - 1
    return (value ^ half) - half


def is_positive(number: Number) -> bool:
    """Whether all values are the same with a sign and without."""
    return number.high < 1 << number.width - 1


def concatenated(parts: Iterable[Number]) -> Number:
    """The number that is composed of parts, the lowest first."""
    ones = zeros = low = high = place = 0
    for part in parts:
        ones |= part.ones << place
        zeros |= part.zeros << place
        low |= part.low << place
        high |= part.high << place
        place += part.width
    return limited(place, ones, zeros, low, high)


def field(number: Number, place: int, width: int) -> Number:
    """Some bits of a number as a number of their own."""
    mask = (1 << width) - 1
    if number.members is not None:
        return one_of((each >> place for each in number.members), width)
    above = number.high >> place
    if above >> width:
        return limited(width, number.ones >> place & mask, number.zeros >> place & mask)
    return limited(
        width, number.ones >> place, number.zeros >> place & mask, number.low >> place, above
    )


def extended(number: Number, width: int) -> Number:
    """A number in a wider register, filled with zeros."""
    if number.members is not None:
        return one_of(number.members, width)
    above = (1 << width) - (1 << number.width)
    return limited(width, number.ones, number.zeros | above, number.low, number.high)


def total(first: Number, second: Number, carry: int = 0) -> Number:
    """The sum of two numbers of the same width, and of 0 or 1."""
    width = first.width
    mask = (1 << width) - 1
    most = (~first.zeros & mask) + (~second.zeros & mask) + carry
    least = first.ones + second.ones + carry
    no_carry = ~(most ^ first.zeros ^ second.zeros)
    some_carry = least ^ first.ones ^ second.ones
    known = first.known & second.known & (no_carry | some_carry) & mask
    low, high = first.low + second.low + carry, first.high + second.high + carry
    if low >> width == high >> width:
        return limited(width, least & known, ~most & known, low & mask, high & mask)
    return limited(width, least & known, ~most & known)


def total_of(first: Number, second: Number) -> Number:
    """The sum of two numbers of the same width, by their values if there are few."""
    one, other = first.members, second.members
    if one is None or other is None or len(one) * len(other) > MOST_CASES:
        return total(first, second)
    return one_of((a + b for a in one for b in other), first.width)


def inverted(number: Number) -> Number:
    """The number with all bits changed."""
    mask = (1 << number.width) - 1
    if number.members is not None:
        return one_of((~each for each in number.members), number.width)
    return limited(number.width, number.zeros, number.ones, mask - number.high, mask - number.low)


def difference(first: Number, second: Number) -> Number:
    """The difference of two numbers of the same width."""
    return total(first, inverted(second), carry=1)


def times(first: Number, second: Number, width: int) -> Number:
    """The low bits of the product of two numbers without signs."""
    for one, other in ((first, second), (second, first)):
        factor = one.constant
        if factor is not None and factor and not factor & factor - 1:
            return shifted(fitted(other, width), factor.bit_length() - 1)
    zeros = trailing_zeros(first) + trailing_zeros(second)
    below = (1 << min(zeros, width)) - 1
    low, high = first.low * second.low, first.high * second.high
    if high >> width:
        return limited(width, 0, below)
    return limited(width, 0, below, low, high)


def fitted(number: Number, width: int) -> Number:
    """The low bits of a number, or the number in a wider register."""
    return extended(number, width) if number.width < width else field(number, 0, width)


def trailing_zeros(number: Number) -> int:
    """How many of the lowest bits are certainly 0."""
    unset = ~number.zeros
    return (unset & -unset).bit_length() - 1


def shifted(number: Number, amount: int) -> Number:
    """A number shifted left by some bits."""
    width = number.width
    if amount >= width:
        return constant(0, width)
    mask = (1 << width) - 1
    ones, zeros = number.ones << amount & mask, (number.zeros << amount | (1 << amount) - 1) & mask
    if number.high << amount > mask:
        return limited(width, ones, zeros)
    return limited(width, ones, zeros, number.low << amount, number.high << amount)

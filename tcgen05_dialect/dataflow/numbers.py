"""
Knowledge about a register: single bits, an interval, and a small set of values; and what
instructions make of it.

Every fact is an upper bound: a register may have fewer values than its `Number` allows, never
more. Numbers are unsigned.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import product
from math import prod
from typing import NamedTuple

from xdsl.dialects.builtin import FixedBitwidthType, IntegerType
from xdsl.ir import Operation, SSAValue

from ..isa.instructions.meaning import COMPARISONS, Domain
from ..ptx import instructions
from ..ptx.analysis.values import evaluator, meaning_of
from ..ptx.instruction import PureInstruction
from ..ptx.instructions import SpecialRegisterOp

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


def width_of(value: SSAValue) -> int:
    """The number of bits of a register; 0 for a value that is in none."""
    type_ = value.type
    # Nearly all types are integers, and this test is faster than the other.
    if isinstance(type_, IntegerType):
        return type_.bitwidth
    return type_.bitwidth if isinstance(type_, FixedBitwidthType) else 0


@cache
def is_pure(kind: type[object]) -> bool:
    """Whether instructions of a class only compute their results, from their operands."""
    return issubclass(kind, PureInstruction) and not issubclass(kind, SpecialRegisterOp)


def computed(op: Operation, operands: Sequence[Number]) -> list[Number]:
    """The numbers that the results of an instruction that only computes may be."""
    if type(op) is instructions.UnpackOp:
        return _unpacked(op, operands[0])
    found = _by_cases(op, operands)
    if found is None and type(op) is instructions.PackOp:
        found = concatenated(operands)
    if found is None and (function := meaning_of(op, _NUMBERS)) is not None:
        found = function(*operands)
    first, *others = (anything(width_of(each)) for each in op.results)
    return [found or first, *others]


def _by_cases(op: Operation, operands: Sequence[Number]) -> Number | None:
    """The result for each combination of values of the operands, if there are few."""
    kind = type(op)
    if kind is instructions.SelpOp and (chosen := operands[2].constant) is not None:
        return operands[0 if chosen else 1]
    sets: list[tuple[int, ...]] = []
    for each in operands:
        if each.members is None:
            return None
        sets.append(each.members)
    if prod(map(len, sets)) > MOST_CASES:
        return None
    if kind is instructions.PackOp:
        widths = list(map(width_of, op.operands))
        return one_of((_packed(parts, widths) for parts in product(*sets)), sum(widths))
    same = len(op.operands) == 2 and op.operands[0] is op.operands[1]
    evaluate = evaluator(op)
    if evaluate is None:
        return None
    found: set[int] = set()
    for values in zip(*sets, strict=True) if same else product(*sets):
        result = evaluate(*values)
        if result is None:
            return None
        found.add(result)
    return one_of(found, width_of(op.results[0]))


def _packed(parts: Sequence[int], widths: Sequence[int]) -> int:
    found = place = 0
    for part, width in zip(parts, widths, strict=True):
        found |= part << place
        place += width
    return found


def _unpacked(op: instructions.UnpackOp, whole: Number) -> list[Number]:
    found: list[Number] = []
    place = 0
    for part in op.parts:
        found.append(field(whole, place, width_of(part)))
        place += width_of(part)
    return found


class Numbers(Domain[Number]):
    """The domain of partially known registers."""

    def _unknown(self) -> Number:
        return anything(self.width)

    def _is_plain(self, *numbers: Number) -> bool:
        """Whether the numbers are the same with a sign and without, if the type has one."""
        return not self.is_signed or all(map(is_positive, numbers))

    def constant(self, number: int) -> Number:
        return constant(number, self.width)

    def add(self, a: Number, b: Number) -> Number:
        return total(a, b)

    def sub(self, a: Number, b: Number) -> Number:
        return difference(a, b)

    def mul(self, a: Number, b: Number) -> Number:
        return times(a, b, self.width)

    def product(self, a: Number, b: Number) -> Number:
        width = 2 * self.width
        if not self._is_plain(a, b):
            return anything(width)
        return times(extended(a, width), extended(b, width), width)

    def div(self, a: Number, b: Number) -> Number:
        if not b.low or not self._is_plain(a, b):
            return self._unknown()
        return limited(self.width, low=a.low // b.high, high=a.high // b.low)

    def rem(self, a: Number, b: Number) -> Number:
        if not b.low or not self._is_plain(a, b):
            return self._unknown()
        return limited(self.width, high=min(a.high, b.high - 1))

    def min(self, a: Number, b: Number) -> Number:
        if not self._is_plain(a, b):
            return self._unknown()
        return limited(self.width, low=min(a.low, b.low), high=min(a.high, b.high))

    def max(self, a: Number, b: Number) -> Number:
        if not self._is_plain(a, b):
            return self._unknown()
        return limited(self.width, low=max(a.low, b.low), high=max(a.high, b.high))

    def both(self, a: Number, b: Number) -> Number:
        return limited(self.width, a.ones & b.ones, a.zeros | b.zeros, 0, min(a.high, b.high))

    def either(self, a: Number, b: Number) -> Number:
        return limited(self.width, a.ones | b.ones, a.zeros & b.zeros, max(a.low, b.low))

    def differing(self, a: Number, b: Number) -> Number:
        same = a.ones & b.ones | a.zeros & b.zeros
        return limited(self.width, a.ones & b.zeros | a.zeros & b.ones, same)

    def inverse(self, a: Number) -> Number:
        return inverted(a)

    def merged(self, mask: Number, a: Number, b: Number) -> Number:
        ones, zeros = (
            mask.ones & one | mask.zeros & other | one & other
            for one, other in ((a.ones, b.ones), (a.zeros, b.zeros))
        )
        return limited(self.width, ones, zeros)

    def shl(self, a: Number, amount: Number) -> Number:
        if amount.constant is not None:
            return shifted(a, amount.constant)
        below = (1 << min(trailing_zeros(a) + amount.low, self.width)) - 1
        return limited(self.width, 0, below)

    def shr(self, a: Number, amount: Number) -> Number:
        if not self._is_plain(a):
            return self._unknown()
        if amount.constant is None:
            return limited(self.width, high=a.high >> min(amount.low, self.width))
        if amount.constant >= self.width:
            return constant(0, self.width)
        return extended(field(a, amount.constant, self.width - amount.constant), self.width)

    def compare(self, comparison: str, a: Number, b: Number) -> Number:
        if comparison in ("eq", "ne"):
            apart = a.high < b.low or b.high < a.low
            apart |= bool(a.ones & b.zeros | a.zeros & b.ones)
            return constant(comparison == "ne", 1) if apart else anything(1)
        if not self._is_plain(a, b):
            return anything(1)
        holds = COMPARISONS[comparison]
        # What holds at the ends of the intervals that are nearest and farthest holds everywhere.
        ends = {holds(a.low, b.high), holds(a.high, b.low)}
        return constant(ends.pop(), 1) if len(ends) == 1 else anything(1)

    def select(self, a: Number, b: Number, condition: Number) -> Number:
        chosen = condition.constant
        return joined(a, b) if chosen is None else a if chosen else b

    def resize(self, a: Number, width: int) -> Number:
        low = field(a, 0, self.width) if a.width > self.width else a
        if width > low.width and not self._is_plain(low):
            return anything(width)
        return fitted(low, width)

    def ones(self, a: Number) -> Number:
        return limited(32, high=self.width)

    def length(self, a: Number) -> Number:
        return limited(32, high=self.width)


_NUMBERS = Numbers()

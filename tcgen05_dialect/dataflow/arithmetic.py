"""Arithmetic on partially known registers: the result of each instruction that only computes."""

from collections.abc import Sequence
from functools import cache
from itertools import product
from math import prod

from xdsl.dialects.builtin import FixedBitwidthType, IntegerType
from xdsl.ir import Operation, SSAValue

from ..isa.instructions.meaning import COMPARISONS, Domain
from ..ptx import instructions
from ..ptx.analysis.values import evaluator, meaning_of
from ..ptx.instruction import PureInstruction
from ..ptx.instructions import SpecialRegisterOp
from .numbers import (
    MOST_CASES,
    Number,
    anything,
    concatenated,
    constant,
    difference,
    extended,
    field,
    fitted,
    inverted,
    is_positive,
    joined,
    limited,
    one_of,
    shifted,
    times,
    total,
    trailing_zeros,
)


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
    return [found or anything(width_of(op.results[0]))]


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

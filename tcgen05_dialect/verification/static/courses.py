"""
Courses of values through the iterations of a loop, and their sums.

A value has a course if each change of the iteration by its period changes the value by the same
number: a counter, an index that a ring wraps, a parity. Comparisons of a counter end a course at
some iteration, near the first or the last.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor, gcd, lcm
from typing import Any

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Operation, SSAValue

from ...ptx import instructions
from ...ptx.analysis.known_values import constant_bits
from ...ptx.instructions import CvtaOp, CvtaToOp
from ...ptx.register_types import register_bits

Form = Mapping[SSAValue | None, Fraction]
"""Linear function of values that the loop does not change; the key of the constant is None."""


@dataclass(frozen=True)
class Course:
    """
    Course of a value: `period` iterations change it by `rate * period`. It is that of all
    iterations but the first `after` and the last `before`.

    `start` is the value in the first iteration, if known, of the line with this rate. The values
    differ from the line by at most `spread`.
    """

    period: int = 1
    rate: Fraction = Fraction(0)
    start: Form | None = None
    after: int = 0
    before: int = 0
    spread: Fraction = Fraction(0)

    @property
    def repeats(self) -> bool:
        return not self.rate

    @property
    def constant(self) -> int | None:
        """The value, if it is a known constant."""
        if self.rate or self.spread or self.period != 1 or self.after or self.before:
            return None
        number = None if self.start is None else number_of(self.start)
        return int(number) if number is not None and number.denominator == 1 else None


FIXED = Course()
"""The course of a value that never changes."""


def outside(value: SSAValue, depth: int = 8) -> Course:
    """The course of a value that is computed outside the loop; sums are known to a depth."""
    bits = constant_bits(value)
    if bits is not None:
        width = register_bits(value.type) or 1
        # An address or a mask counts as negative, too; only differences of numbers matter.
        signed = bits - (1 << width) if width > 1 and bits >> width - 1 else bits
        return Course(start={None: Fraction(signed)})
    op = value.owner
    if depth and isinstance(op, instructions.AddOp | instructions.SubOp) and is_whole(op):
        sign = 1 if isinstance(op, instructions.AddOp) else -1
        return sum_of(outside(op.a, depth - 1), outside(op.b, depth - 1), sign)
    return Course(start={value: Fraction(1)})


def together(courses: Iterable[Course | None]) -> Course | None:
    """The course of a value that is computed in any way from repeating values; None if another
    one is among them."""
    period, after, before = 1, 0, 0
    for each in courses:
        if each is None or not each.repeats:
            return None
        period = lcm(period, each.period)
        after, before = max(after, each.after), max(before, each.before)
    return Course(period, after=after, before=before)


def joined(courses: Sequence[Course | None]) -> Course | None:
    """The course of a value that is one of several, always chosen in the same way."""
    first, *others = courses
    if first is None or any(each is None or each.rate != first.rate for each in others):
        return None
    known = [each for each in courses if each is not None]
    return Course(
        lcm(*(each.period for each in known)),
        first.rate,
        first.start if all(each.start == first.start for each in known) else None,
        max(each.after for each in known),
        max(each.before for each in known),
        max(each.spread for each in known),
    )


def number_of(start: Form) -> Fraction | None:
    """The value of a form that has only a constant."""
    return None if start.keys() - {None} else start.get(None, Fraction(0))


def scaled(a: Course, factor: Fraction) -> Course:
    start = None if a.start is None else {key: each * factor for key, each in a.start.items()}
    return replace(a, rate=a.rate * factor, start=start, spread=a.spread * abs(factor))


def sum_of(a: Course, b: Course, sign: int = 1) -> Course:
    start = None
    if a.start is not None and b.start is not None:
        keys = {*a.start, *b.start}
        sums = {
            key: a.start.get(key, Fraction(0)) + sign * b.start.get(key, Fraction(0))
            for key in keys
        }
        start = {key: each for key, each in sums.items() if each or key is None}
    return Course(
        lcm(a.period, b.period),
        a.rate + sign * b.rate,
        start,
        max(a.after, b.after),
        max(a.before, b.before),
        a.spread + b.spread,
    )


def is_whole(op: Operation) -> bool:
    type_ = op.properties.get("type")
    return not isinstance(type_, StringAttr) or not type_.data.startswith(("f", "bf", "pred"))


class Courses:
    """Courses of the results of operations; `end` is the difference that ends the loop, if the
    comparison of two values ends it."""

    def __init__(self, end: Course | None):
        self._end = end

    def of(self, op: Operation, operands: Sequence[Course | None]) -> Course | None:
        """The course of the results of an operation that only computes."""
        known = [each for each in operands if each is not None]
        if len(known) < len(operands):
            return None
        rule = _RULES.get(type(op))
        found = rule(self, op, *known) if rule is not None and is_whole(op) else None
        if found is None:
            found = together(known)
        if found is not None and found.rate and (register_bits(op.results[0].type) or 1) < 32:
            # A narrow number wraps after few iterations.
            return None
        if found is not None and found.start is None and found.period == 1 and not found.rate:
            # Two results are equal only if they are the same.
            found = replace(found, start={op.results[0]: Fraction(1)})
        return found

    def difference(self, a: Course, b: Course) -> Course:
        return sum_of(a, b, -1)

    def compared(self, op: Any, a: Course, b: Course) -> tuple[Course, int] | None:
        """
        The course of a comparison of two values, and the sign of their difference in most
        iterations, 0 if unknown; None if the sign may change in any iteration.
        """
        gap = self.difference(a, b)
        if gap.repeats:
            return replace(gap, start=None, spread=Fraction(0)), 0
        comparison = op.properties.get("comparison")
        word = "" if comparison is None else comparison.data
        crossing = self._crossing(gap, word in (_AT_ZERO if gap.rate > 0 else _BELOW_ZERO))
        if crossing is None:
            return None
        sign = 1 if gap.rate > 0 else -1
        crossed = [(gap, crossing)]
        if word not in ("eq", "ne") and (_is_unsigned(op) or word in _UNSIGNED):
            for each in (a, b):
                found = self.zero(each, is_unsigned=True)
                if found is None:
                    return None
                crossed.append((each, found))
        after = max(max(each.after, place.after) for each, place in crossed)
        before = max(max(each.before, place.before) for each, place in crossed)
        return Course(after=after, before=before), -sign if crossing.before else sign

    def zero(self, value: Course, is_unsigned: bool) -> Course | None:
        """The iterations until a value has passed 0, or from there on, as those of a course; None
        if they are unknown."""
        if value.repeats:
            return FIXED
        start = value.start
        is_sum = start is not None and all(each >= 0 for each in start.values())
        if is_unsigned and value.rate > 0 and is_sum and not value.spread:
            # A sum of unsigned numbers is not negative.
            return FIXED
        return self._crossing(value, at_zero=value.rate > 0)

    def _crossing(self, gap: Course, at_zero: bool) -> Course | None:
        """
        The iterations until a changing difference has passed 0, or from there on, as those of a
        course; None if they are unknown. `at_zero`: it is enough that it reaches 0.
        """
        if gap.start is None:
            return None
        lag = gap.spread / abs(gap.rate)
        number = number_of(gap.start)
        if number is not None:
            last = lag - number / gap.rate
            return Course(after=max(0, ceil(last) if at_zero else floor(last) + 1))
        left = self._left(gap)
        # The iteration that ends the loop counts, too.
        return None if left is None else Course(before=max(1, ceil(left + lag)))

    def _left(self, gap: Course) -> Fraction | None:
        """The number of iterations from that where a difference is 0 to the end of the loop; None
        if it depends on more than constants."""
        end = self._end
        if end is None or end.start is None or end.spread or gap.start is None or not end.rate:
            return None
        ratio = gap.rate / end.rate
        rest = {
            key: gap.start.get(key, Fraction(0)) - ratio * end.start.get(key, Fraction(0))
            for key in {*gap.start, *end.start}
        }
        if any(number for key, number in rest.items() if key is not None):
            return None
        return rest.get(None, Fraction(0)) / gap.rate


_AT_ZERO = ("ge", "lt", "hs", "lo")
"""Comparisons whose result changes when a growing difference reaches 0."""
_BELOW_ZERO = ("gt", "le", "hi", "ls")
"""Comparisons whose result changes when a shrinking difference reaches 0."""
_UNSIGNED = ("hs", "lo", "hi", "ls")


_Rule = Callable[..., Course | None]


def _is_unsigned(op: Any) -> bool:
    """Whether an operation takes its operands for numbers without a sign."""
    type_ = op.properties.get("source", op.properties.get("type"))
    return not isinstance(type_, StringAttr) or not type_.data.startswith("s")


def _add(courses: Courses, op: Any, a: Course, b: Course) -> Course | None:
    return sum_of(a, b)


def _sub(courses: Courses, op: Any, a: Course, b: Course) -> Course | None:
    return sum_of(a, b, -1)


def _mul(courses: Courses, op: Any, a: Course, b: Course) -> Course | None:
    half = op.properties.get("half")
    if half is not None and half.data != "lo":
        return None
    if a.constant is not None:
        return scaled(b, Fraction(a.constant))
    return None if b.constant is None else scaled(a, Fraction(b.constant))


def _mad(courses: Courses, op: Any, a: Course, b: Course, c: Course) -> Course | None:
    product = _mul(courses, op, a, b)
    return None if product is None else sum_of(product, c)


def _shl(courses: Courses, op: Any, a: Course, amount: Course) -> Course | None:
    places = amount.constant
    return None if places is None or places > 63 else scaled(a, Fraction(1 << places))


def _div(courses: Courses, op: Any, a: Course, b: Course) -> Course | None:
    return _divided(_one_sign(courses, op, a), b.constant)


def _shr(courses: Courses, op: Any, a: Course, amount: Course) -> Course | None:
    places = amount.constant
    # The shift of a signed number rounds down, whatever its sign.
    dividend = _one_sign(courses, op, a) if _is_unsigned(op) else a
    return None if places is None or places > 63 else _divided(dividend, 1 << places)


def _divided(a: Course | None, divisor: int | None) -> Course | None:
    if a is None or divisor is None or divisor <= 0 or a.repeats:
        return None
    step = a.rate * a.period
    period = a.period * divisor // gcd(int(step), divisor)
    line = scaled(a, Fraction(1, divisor))
    return replace(line, period=period, spread=line.spread + 1)


def _one_sign(courses: Courses, op: Any, a: Course) -> Course | None:
    """The course of a value without the iterations until it has passed 0; None if they are
    unknown."""
    found = courses.zero(a, _is_unsigned(op))
    if found is None:
        return None
    after, before = max(a.after, found.after), max(a.before, found.before)
    # A negative number without a sign is not on the line.
    is_off = _is_unsigned(op) and a.rate < 0 and not found.before
    return replace(a, after=after, before=before, start=None if is_off else a.start)


def _rem(courses: Courses, op: Any, a: Course, b: Course) -> Course | None:
    return _wrapped(_one_sign(courses, op, a), b.constant)


def _and(courses: Courses, op: Any, a: Course, b: Course) -> Course | None:
    mask, value = (a.constant, b) if a.constant is not None else (b.constant, a)
    return None if mask is None or mask < 0 else _wrapped(value, 1 << mask.bit_length())


def _wrapped(a: Course | None, modulus: int | None) -> Course | None:
    if a is None or modulus is None or modulus <= 0 or a.repeats:
        return None
    step = int(a.rate * a.period)
    return Course(a.period * (modulus // gcd(step, modulus)), after=a.after, before=a.before)


def _setp(courses: Courses, op: Any, a: Course, b: Course) -> Course | None:
    found = courses.compared(op, a, b)
    return None if found is None else found[0]


def _least(courses: Courses, op: Any, a: Course, b: Course) -> Course | None:
    found = courses.compared(op, a, b)
    if found is None:
        return None
    course, sign = found
    if not sign:
        return joined((a, b))
    if _is_unsigned(op) and any(_is_negative(each) for each in (a, b)):
        return None
    takes_first = (sign < 0) == isinstance(op, instructions.MinOp)
    taken = a if takes_first else b
    after, before = max(taken.after, course.after), max(taken.before, course.before)
    return replace(taken, after=after, before=before, start=None)


def _is_negative(value: Course) -> bool:
    """Whether a value is at last negative, as far as known; the end of the loop may come before."""
    number = None if value.start is None else number_of(value.start)
    return number is not None and (value.rate < 0 or (not value.rate and number < 0))


def _selp(courses: Courses, op: Any, a: Course, b: Course, condition: Course) -> Course | None:
    found = joined((a, b))
    if found is None or not condition.repeats:
        return None
    return Course(
        lcm(found.period, condition.period),
        found.rate,
        None,
        max(found.after, condition.after),
        max(found.before, condition.before),
    )


def _same(courses: Courses, op: Any, a: Course) -> Course | None:
    return a


def _convert(courses: Courses, op: Any, a: Course) -> Course | None:
    source = op.properties.get("source")
    if isinstance(source, StringAttr) and source.data.startswith(("f", "bf")):
        return None
    bits = register_bits(op.results[0].type) or 1
    if bits < 32:
        return _wrapped(a, 1 << bits)
    if _is_unsigned(op) and _is_negative(a):
        return None
    is_wider = bits > (register_bits(op.operands[0].type) or 1)
    return _one_sign(courses, op, a) if is_wider else a


def _wide(courses: Courses, op: Any, a: Course, b: Course) -> Course | None:
    if _is_unsigned(op) and any(_is_negative(each) for each in (a, b)):
        return None
    first, second = (_one_sign(courses, op, each) for each in (a, b))
    return None if first is None or second is None else _mul(courses, op, first, second)


def _mad_wide(courses: Courses, op: Any, a: Course, b: Course, c: Course) -> Course | None:
    product = _wide(courses, op, a, b)
    return None if product is None else sum_of(product, c)


_RULES: Mapping[type[Operation], _Rule] = {
    instructions.AddOp: _add,
    instructions.SubOp: _sub,
    instructions.MulOp: _mul,
    instructions.MulWideOp: _wide,
    instructions.MadOp: _mad,
    instructions.MadWideOp: _mad_wide,
    instructions.ShlOp: _shl,
    instructions.DivOp: _div,
    instructions.ShrOp: _shr,
    instructions.RemOp: _rem,
    instructions.AndOp: _and,
    instructions.SetpOp: _setp,
    instructions.MinOp: _least,
    instructions.MaxOp: _least,
    instructions.SelpOp: _selp,
    instructions.CvtOp: _convert,
    instructions.MovOp: _same,
    CvtaOp: _same,
    CvtaToOp: _same,
}

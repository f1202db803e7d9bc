"""
Courses of values through the iterations of a loop.

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

from ..ptx import arithmetic as ops
from ..ptx.known_values import constant_bits
from ..ptx.memory import CvtaOp, CvtaToOp
from ..ptx.register_types import register_bits

Form = Mapping[SSAValue | None, Fraction]
"""Linear function of values that the loop does not change; the key of the constant is None."""


@dataclass(frozen=True)
class Course:
    """
    Course of a value: `period` iterations change it by `rate * period`. It is that of all
    iterations but the first `after` and the last `before`. `start` is the value in the first
    iteration, if known; then the period is 1.
    """

    period: int = 1
    rate: Fraction = Fraction(0)
    start: Form | None = None
    after: int = 0
    before: int = 0

    @property
    def repeats(self) -> bool:
        return not self.rate

    @property
    def constant(self) -> int | None:
        """The value, if it is a known constant."""
        if self.rate or self.start is None or any(self.start.keys() - {None}):
            return None
        number = self.start.get(None, Fraction(0))
        return int(number) if number.denominator == 1 else None


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
    if depth and isinstance(op, ops.AddOp | ops.SubOp) and _is_whole(op):
        sign = 1 if isinstance(op, ops.AddOp) else -1
        return _sum(outside(op.a, depth - 1), outside(op.b, depth - 1), sign)
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
    )


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
        found = rule(self, op, *known) if rule is not None and _is_whole(op) else None
        if found is None:
            found = together(known)
        if found is not None and found.start is None and found.period == 1 and not found.rate:
            # Two results are equal only if they are the same.
            found = replace(found, start={op.results[0]: Fraction(1)})
        return found

    def difference(self, a: Course, b: Course) -> Course:
        return _sum(a, b, -1)

    def compared(self, op: Any, a: Course, b: Course) -> tuple[Course, int] | None:
        """
        The course of a comparison of two values, and the sign of their difference in most
        iterations, 0 if unknown; None if the sign may change in any iteration.
        """
        gap = self.difference(a, b)
        if gap.repeats:
            return replace(gap, start=None), 0
        if gap.start is None:
            return None
        sign = 1 if gap.rate > 0 else -1
        crossing = -gap.start.get(None, Fraction(0)) / gap.rate
        if not gap.start.keys() - {None}:
            # A quotient lags behind the line through its values.
            lag = gap.period if gap.period > 1 else 0
            comparison = op.properties.get("comparison")
            is_at_once = comparison is not None and comparison.data in _AT_ONCE
            first = ceil(crossing) if is_at_once else floor(crossing) + 1
            return Course(after=max(gap.after, first + lag), before=gap.before), sign
        left = self._left(gap)
        if left is None:
            return None
        lag = gap.period if gap.period > 1 else 0
        return Course(after=gap.after, before=max(gap.before, ceil(left) + lag)), -sign

    def _left(self, gap: Course) -> Fraction | None:
        """The number of iterations from that where a difference is 0 to the end of the loop; None
        if it depends on more than constants."""
        end = self._end
        if end is None or end.start is None or gap.start is None or not end.rate:
            return None
        ratio = gap.rate / end.rate
        rest = {
            key: gap.start.get(key, Fraction(0)) - ratio * end.start.get(key, Fraction(0))
            for key in {*gap.start, *end.start}
        }
        if any(number for key, number in rest.items() if key is not None):
            return None
        return rest.get(None, Fraction(0)) / gap.rate


_AT_ONCE = ("ge", "lt", "hs", "lo")
"""Comparisons whose result changes when a growing difference reaches 0."""


_Rule = Callable[..., Course | None]


def _is_whole(op: Operation) -> bool:
    type_ = op.properties.get("type")
    return not isinstance(type_, StringAttr) or not type_.data.startswith(("f", "bf", "pred"))


def _scaled(a: Course, factor: Fraction) -> Course:
    start = None if a.start is None else {key: each * factor for key, each in a.start.items()}
    return replace(a, rate=a.rate * factor, start=start)


def _sum(a: Course, b: Course, sign: int = 1) -> Course:
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
    )


def _add(courses: Courses, op: Any, a: Course, b: Course) -> Course | None:
    return _sum(a, b)


def _sub(courses: Courses, op: Any, a: Course, b: Course) -> Course | None:
    return _sum(a, b, -1)


def _mul(courses: Courses, op: Any, a: Course, b: Course) -> Course | None:
    half = op.properties.get("half")
    if half is not None and half.data != "lo":
        return None
    if a.constant is not None:
        return _scaled(b, Fraction(a.constant))
    return None if b.constant is None else _scaled(a, Fraction(b.constant))


def _mad(courses: Courses, op: Any, a: Course, b: Course, c: Course) -> Course | None:
    product = _mul(courses, op, a, b)
    return None if product is None else _sum(product, c)


def _shl(courses: Courses, op: Any, a: Course, amount: Course) -> Course | None:
    places = amount.constant
    return None if places is None or places > 63 else _scaled(a, Fraction(1 << places))


def _div(courses: Courses, op: Any, a: Course, b: Course) -> Course | None:
    return _divided(a, b.constant)


def _shr(courses: Courses, op: Any, a: Course, amount: Course) -> Course | None:
    places = amount.constant
    return None if places is None or places > 63 else _divided(a, 1 << places)


def _divided(a: Course, divisor: int | None) -> Course | None:
    if divisor is None or divisor <= 0 or a.repeats:
        return None
    step = a.rate * a.period
    period = a.period * divisor // gcd(int(step), divisor)
    return replace(_scaled(a, Fraction(1, divisor)), period=period)


def _rem(courses: Courses, op: Any, a: Course, b: Course) -> Course | None:
    return _wrapped(a, b.constant)


def _and(courses: Courses, op: Any, a: Course, b: Course) -> Course | None:
    mask, value = (a.constant, b) if a.constant is not None else (b.constant, a)
    return None if mask is None or mask < 0 else _wrapped(value, 1 << mask.bit_length())


def _wrapped(a: Course, modulus: int | None) -> Course | None:
    if modulus is None or modulus <= 0 or a.repeats:
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
    takes_first = (sign < 0) == isinstance(op, ops.MinOp)
    taken = a if takes_first else b
    after, before = max(taken.after, course.after), max(taken.before, course.before)
    return replace(taken, after=after, before=before, start=None)


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
    source = op.properties.get("source")
    return None if isinstance(source, StringAttr) and source.data.startswith(("f", "bf")) else a


_RULES: Mapping[type[Operation], _Rule] = {
    ops.AddOp: _add,
    ops.SubOp: _sub,
    ops.MulOp: _mul,
    ops.MulWideOp: _mul,
    ops.MadOp: _mad,
    ops.MadWideOp: _mad,
    ops.ShlOp: _shl,
    ops.DivOp: _div,
    ops.ShrOp: _shr,
    ops.RemOp: _rem,
    ops.AndOp: _and,
    ops.SetpOp: _setp,
    ops.MinOp: _least,
    ops.MaxOp: _least,
    ops.SelpOp: _selp,
    ops.CvtOp: _same,
    ops.MovOp: _same,
    CvtaOp: _same,
    CvtaToOp: _same,
}

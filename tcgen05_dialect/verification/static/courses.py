"""
Courses of values through the iterations of a loop, and their sums.

A value has a course if each change of the iteration by its period changes the value by the same
number: a counter, an index that a ring wraps, a parity. Comparisons of a counter end a course at
some iteration, near the first or the last.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil, floor, gcd, lcm
from typing import TypeVar

from xdsl.ir import Operation, SSAValue

from ...isa.instructions.meaning import WHOLE, Domain, Unknown
from ...ptx import instructions
from ...ptx.analysis.known_values import constant_bits
from ...ptx.analysis.values import meaning_of, source_type
from ...ptx.instructions import CvtaOp, CvtaToOp
from ...ptx.register_types import register_bits

T = TypeVar("T")
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
    if (
        depth
        and isinstance(op, instructions.AddOp | instructions.SubOp)
        and source_type(op) in WHOLE
    ):
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


class Courses(Domain[Course]):
    """The domain of the courses of values. `end` is the difference that ends the loop, if the
    comparison of two values ends it."""

    def __init__(self, end: Course | None):
        super().__init__()
        self._end = end

    def result(self, op: Operation, operands: Sequence[Course | None]) -> Course | None:
        """The course of the results of an operation that only computes."""
        known = [each for each in operands if each is not None]
        if len(known) < len(operands):
            return None
        found = known[0] if isinstance(op, CvtaOp | CvtaToOp) else self._computed(op, known)
        if found is not None and found.rate and (register_bits(op.results[0].type) or 1) < 32:
            # A narrow number wraps after few iterations.
            return None
        if found is not None and found.start is None and found.period == 1 and not found.rate:
            # Two results are equal only if they are the same.
            found = replace(found, start={op.results[0]: Fraction(1)})
        return found

    def _computed(self, op: Operation, operands: Sequence[Course]) -> Course | None:
        function = meaning_of(op, self)
        try:
            return together(operands) if function is None else function(*operands)
        except Unknown:
            return together(operands)

    def difference(self, a: Course, b: Course) -> Course:
        return sum_of(a, b, -1)

    def _compared(self, word: str, a: Course, b: Course) -> tuple[Course, int]:
        """
        The course of a comparison of two values, and the sign of their difference in most
        iterations, 0 if unknown. Raises Unknown if the sign may change in any iteration.
        """
        gap = self.difference(a, b)
        if gap.repeats:
            return replace(gap, start=None, spread=Fraction(0)), 0
        crossing = self._crossing(gap, word in (_AT_ZERO if gap.rate > 0 else _BELOW_ZERO))
        if crossing is None:
            raise Unknown
        sign = 1 if gap.rate > 0 else -1
        crossed = [(gap, crossing)]
        if word not in ("eq", "ne") and not self.is_signed:
            crossed += ((each, self._zero(each)) for each in (a, b))
        after = max(max(each.after, place.after) for each, place in crossed)
        before = max(max(each.before, place.before) for each, place in crossed)
        return Course(after=after, before=before), -sign if crossing.before else sign

    def _zero(self, value: Course) -> Course:
        """The iterations until a value has passed 0, or from there on, as those of a course. Raises
        Unknown."""
        if value.repeats:
            return FIXED
        start = value.start
        is_sum = start is not None and all(each >= 0 for each in start.values())
        if not self.is_signed and value.rate > 0 and is_sum and not value.spread:
            # A sum of unsigned numbers is not negative.
            return FIXED
        return _known(self._crossing(value, at_zero=value.rate > 0))

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

    def _of_one_sign(self, a: Course) -> Course:
        """The course of a value without the iterations until it has passed 0. Raises Unknown."""
        found = self._zero(a)
        after, before = max(a.after, found.after), max(a.before, found.before)
        # A negative number without a sign is not on the line.
        is_off = not self.is_signed and a.rate < 0 and not found.before
        return replace(a, after=after, before=before, start=None if is_off else a.start)

    def _refuse_negative(self, *values: Course) -> None:
        if not self.is_signed and any(map(_is_negative, values)):
            raise Unknown

    def constant(self, number: int) -> Course:
        return Course(start={None: Fraction(number)})

    def add(self, a: Course, b: Course) -> Course:
        return sum_of(a, b)

    def sub(self, a: Course, b: Course) -> Course:
        return sum_of(a, b, -1)

    def mul(self, a: Course, b: Course) -> Course:
        if a.constant is not None:
            return scaled(b, Fraction(a.constant))
        return scaled(a, Fraction(_known(b.constant)))

    def product(self, a: Course, b: Course) -> Course:
        self._refuse_negative(a, b)
        return self.mul(self._of_one_sign(a), self._of_one_sign(b))

    def div(self, a: Course, b: Course) -> Course:
        return _divided(self._of_one_sign(a), _known(b.constant))

    def rem(self, a: Course, b: Course) -> Course:
        return _wrapped(self._of_one_sign(a), _known(b.constant))

    def min(self, a: Course, b: Course) -> Course:
        return self._extremum(a, b, 1)

    def max(self, a: Course, b: Course) -> Course:
        return self._extremum(a, b, -1)

    def _extremum(self, a: Course, b: Course, takes_first: int) -> Course:
        course, sign = self._compared("", a, b)
        if not sign:
            return _known(joined((a, b)))
        self._refuse_negative(a, b)
        taken = b if sign == takes_first else a
        after, before = max(taken.after, course.after), max(taken.before, course.before)
        return replace(taken, after=after, before=before, start=None)

    def both(self, a: Course, b: Course) -> Course:
        mask, value = (a.constant, b) if a.constant is not None else (b.constant, a)
        if mask is None or mask < 0:
            raise Unknown
        return _wrapped(value, 1 << mask.bit_length())

    def shl(self, a: Course, amount: Course) -> Course:
        return scaled(a, Fraction(1 << _places(amount)))

    def shr(self, a: Course, amount: Course) -> Course:
        # The shift of a signed number rounds down, whatever its sign.
        return _divided(a if self.is_signed else self._of_one_sign(a), 1 << _places(amount))

    def compare(self, comparison: str, a: Course, b: Course) -> Course:
        return self._compared(comparison, a, b)[0]

    def select(self, a: Course, b: Course, condition: Course) -> Course:
        found = _known(joined((a, b)))
        if not condition.repeats:
            raise Unknown
        return Course(
            lcm(found.period, condition.period),
            found.rate,
            None,
            max(found.after, condition.after),
            max(found.before, condition.before),
        )

    def resize(self, a: Course, width: int) -> Course:
        if width < 32:
            # The register of a narrow number may be wider.
            return a if a.constant in range(1 << width - 1) else _wrapped(a, 1 << width)
        if width == self.width:
            return a
        self._refuse_negative(a)
        return a if width < self.width else self._of_one_sign(a)


def _known(found: T | None) -> T:
    """What is known. Raises Unknown."""
    if found is None:
        raise Unknown
    return found


def _places(amount: Course) -> int:
    places = _known(amount.constant)
    if places not in range(64):
        raise Unknown
    return places


_AT_ZERO = ("ge", "lt", "hs", "lo")
"""Comparisons whose result changes when a growing difference reaches 0."""
_BELOW_ZERO = ("gt", "le", "hi", "ls")
"""Comparisons whose result changes when a shrinking difference reaches 0."""


def _divided(a: Course, divisor: int) -> Course:
    if divisor <= 0 or a.repeats:
        raise Unknown
    step = a.rate * a.period
    period = a.period * divisor // gcd(int(step), divisor)
    line = scaled(a, Fraction(1, divisor))
    return replace(line, period=period, spread=line.spread + 1)


def _wrapped(a: Course, modulus: int) -> Course:
    if modulus <= 0 or a.repeats:
        raise Unknown
    step = int(a.rate * a.period)
    return Course(a.period * (modulus // gcd(step, modulus)), after=a.after, before=a.before)


def _is_negative(value: Course) -> bool:
    """Whether a value is at last negative, as far as known; the end of the loop may come before."""
    number = None if value.start is None else number_of(value.start)
    return number is not None and (value.rate < 0 or (not value.rate and number < 0))

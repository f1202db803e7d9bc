"""The course of a value through the iterations of a loop, and sums of courses."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import lcm

from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Operation, SSAValue

from ..ptx import instructions
from ..ptx.known_values import constant_bits
from ..ptx.register_types import register_bits

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

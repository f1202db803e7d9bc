"""
Reference of floating-point instructions, written from the manual.

It computes on bits, in exact fractions, one number at a time, and shares nothing with the
emulator.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from typing import Any

Number = Fraction | float
"""A finite number is a fraction; the others are infinite or NaN."""

_DIGITS = Context(prec=60, Emax=10**9, Emin=-(10**9))
_LARGE_EXPONENT = 3000


@dataclass(frozen=True)
class Layout:
    """How many bits of exponent and fraction follow the sign, how many zeros follow them."""

    exponent: int
    fraction: int
    nan: int
    zeros: int = 0

    @property
    def bits(self) -> int:
        return 1 + self.exponent + self.fraction + self.zeros

    @property
    def sign(self) -> int:
        return 1 << self.bits - 1

    @property
    def infinity(self) -> int:
        return ((1 << self.exponent) - 1) << self.fraction + self.zeros

    def negative(self, bits: int) -> bool:
        return bool(bits & self.sign)

    def is_nan(self, bits: int) -> bool:
        return bits & ~self.sign > self.infinity

    def number(self, bits: int) -> Number:
        """What bits stand for, without the sign of a zero."""
        size = bits & ~self.sign
        if size >= self.infinity:
            if size > self.infinity:
                return math.nan
            return -math.inf if self.negative(bits) else math.inf
        value = self.size(size >> self.zeros)
        return -value if self.negative(bits) else value

    def size(self, pattern: int) -> Fraction:
        """The value of exponent and fraction; that of infinity is what would follow."""
        return Fraction(self._steps(pattern), self._unit)

    @property
    def _unit(self) -> int:
        """How many of the smallest steps between numbers make one."""
        return 1 << (1 << self.exponent - 1) - 2 + self.fraction

    def _steps(self, pattern: int) -> int:
        """The value in smallest steps."""
        exponent, fraction = divmod(pattern, 1 << self.fraction)
        return fraction + ((exponent > 0) << self.fraction) << max(exponent, 1) - 1

    def flushed(self, bits: int) -> int:
        return bits if bits & self.infinity else bits & self.sign

    def rounded(self, value: Fraction, rounding: str, negative_zero: bool = False) -> int:
        """The bits of the neighbour that the rounding chooses, found by bisection."""
        size, negative = abs(value), value < 0 or (value == 0 and negative_zero)
        below, above = 0, self.infinity >> self.zeros
        steps = math.floor(size * self._unit)
        if steps >= self._steps(above):
            below = above - 1
        while above - below > 1:
            middle = (below + above) // 2
            below, above = (middle, above) if self._steps(middle) <= steps else (below, middle)
        low, high = self.size(below), self.size(above)
        even = above if below % 2 else below
        if size == low:
            chosen = below
        elif rounding in ("rn", "rna"):
            middle = (low + high) / 2
            tie = even if rounding == "rn" else above
            chosen = tie if size == middle else above if size > middle else below
        else:
            outward = {"rz": False, "rm": negative, "rp": not negative}[rounding]
            chosen = above if outward else below
        return (chosen << self.zeros) | (self.sign if negative else 0)

    def special(self, value: float) -> int:
        """The bits of a number that is infinite or NaN, or of a zero."""
        if math.isnan(value):
            return self.nan
        size = self.infinity if math.isinf(value) else 0
        return size | (self.sign if math.copysign(1, value) < 0 else 0)


LAYOUTS = {
    "f16": Layout(5, 10, 0x7FFF),
    "bf16": Layout(8, 7, 0x7FFF),
    "f32": Layout(8, 23, 0x7FFFFFFF),
    "f64": Layout(11, 52, 0xFFF8000000000000),
    "tf32": Layout(8, 10, 0x7FFFFFFF, zeros=13),
}
UPPER = Layout(11, 20, 0x7FFFFFFF00000000, zeros=32)
"""What rcp.approx.ftz.f64 reads and writes of an f64 (9.7.3.14)."""


def nan_of(layout: Layout, operands: Sequence[int]) -> int:
    """The canonical NaN; of f64 the first operand that is NaN, quiet."""
    if layout == LAYOUTS["f64"]:
        for bits in operands:
            if layout.is_nan(bits):
                return bits | 1 << 51
    return layout.nan


def _sign_only(value: Number, negative: bool) -> float:
    """A finite number as one of the same sign; with infinite ones it makes no other difference."""
    if isinstance(value, float):
        return value
    return math.copysign(1.0 if value else 0.0, -1.0 if negative else 1.0)


def _quotient(x: float, y: float) -> float:
    if y:
        return x / y
    if not x or math.isnan(x):
        return math.nan
    return math.copysign(math.inf, x) * math.copysign(1.0, y)


_RING: dict[str, Callable[[Any, Any, Any], Any]] = {
    "add": lambda x, y, z: x + y,
    "sub": lambda x, y, z: x - y,
    "mul": lambda x, y, z: x * y,
    "fma": lambda x, y, z: x * y + z,
}


def _special(name: str, numbers: Sequence[float]) -> float:
    """The result where it is no finite number, or a zero."""
    x, y, z = (*numbers, 0.0, 0.0)[:3]
    match name:
        case "add" | "sub" | "mul" | "fma":
            return _RING[name](x, y, z)
        case "div":
            return _quotient(x, y)
        case "rcp":
            return _quotient(1.0, x)
        case "sqrt":
            return x if not x else math.sqrt(x) if x > 0 else math.nan
        case "ex2":
            return math.inf if x > 0 else 0.0 if x < 0 else x
        case "rsqrt":
            return math.nan if x < 0 else _quotient(1.0, x)
        case "tanh":
            return x
        case "lg2":
            return -math.inf if x == 0 else x if x > 0 else math.nan
        case _:
            raise LookupError(name)


def _exact(name: str, numbers: Sequence[Fraction]) -> Fraction:
    x, y, z = (*numbers, Fraction(0), Fraction(0))[:3]
    match name:
        case "add" | "sub" | "mul" | "fma":
            return _RING[name](x, y, z)
        case "div":
            return x / y
        case "rcp":
            return 1 / x
        case "sqrt":
            scale = 1 << 1400
            numerator = x * scale * scale
            root = math.isqrt(numerator.numerator // numerator.denominator)
            exact = Fraction(root) ** 2 == numerator
            return Fraction(2 * root + (not exact), 2 * scale)
        case "ex2":
            limit = Fraction(_LARGE_EXPONENT)
            whole, rest = divmod(max(min(x, limit), -limit), 1)
            power = Decimal(rest.numerator) / Decimal(rest.denominator) if rest else Decimal(0)
            root = _DIGITS.power(Decimal(2), power) if rest else Decimal(1)
            return Fraction(root) * Fraction(2) ** whole
        case "rsqrt":
            return 1 / _exact("sqrt", [x])
        case "tanh":
            # Smaller numbers, and larger ones, are rounded to themselves, and to one.
            if not Fraction(1, 1 << 60) < abs(x) < 60:
                return x if abs(x) < 1 else Fraction(1 if x > 0 else -1)
            power = _DIGITS.divide(Decimal(2 * x.numerator), Decimal(x.denominator))
            square = _DIGITS.exp(power)
            less, more = _DIGITS.subtract(square, Decimal(1)), _DIGITS.add(square, Decimal(1))
            return Fraction(_DIGITS.divide(less, more))
        case "lg2":
            exponent = x.numerator.bit_length() - x.denominator.bit_length()
            rest = x / Fraction(2) ** exponent
            decimal = _DIGITS.divide(Decimal(rest.numerator), Decimal(rest.denominator))
            logarithm = _DIGITS.divide(_DIGITS.ln(decimal), _DIGITS.ln(Decimal(2)))
            return exponent + Fraction(logarithm)
        case _:
            raise LookupError(name)


def _zero_is_negative(name: str, signs: Sequence[bool], rounding: str) -> bool:
    """The sign of an exact zero (IEEE 754, 6.3)."""
    match name:
        case "add" | "sub" | "fma":
            first = signs[0] != signs[1] if name == "fma" else signs[0]
            last = signs[-1] != (name == "sub")
            return first if first == last else rounding == "rm"
        case "lg2":
            return False
        case _:
            return sum(signs) % 2 == 1


def compute(
    name: str, layout: Layout, operands: Sequence[int], rounding: str = "rn", ftz: bool = False
) -> int:
    """The bits of the result of an operation such as `add`, given the bits of its operands."""
    if ftz:
        operands = [layout.flushed(bits) for bits in operands]
    numbers = [layout.number(bits) for bits in operands]
    signs = [layout.negative(bits) for bits in operands]
    finite = [value for value in numbers if isinstance(value, Fraction)]
    undefined = len(finite) == len(numbers) and (
        (name in ("div", "rcp") and not finite[-1])
        or (name == "sqrt" and finite[0] <= 0)
        or (name in ("lg2", "rsqrt") and finite[0] <= 0)
    )
    if len(finite) < len(numbers) or undefined:
        simple = [_sign_only(*pair) for pair in zip(numbers, signs, strict=True)]
        value = _special(name, simple)
        return nan_of(layout, operands) if math.isnan(value) else layout.special(value)
    zero = _zero_is_negative(name, signs, rounding)
    result = layout.rounded(_exact(name, finite), rounding, zero)
    return layout.flushed(result) if ftz else result


def extremum(name: str, layout: Layout, a: int, b: int, ftz: bool, nan: bool) -> int:
    """min or max (9.7.3.11)."""
    operands = [layout.flushed(bits) if ftz else bits for bits in (a, b)]
    numeric = [bits for bits in operands if not layout.is_nan(bits)]
    if not numeric or (nan and len(numeric) < 2):
        return nan_of(layout, operands)
    ordered = sorted(numeric, key=lambda bits: (layout.number(bits), not layout.negative(bits)))
    return ordered[0 if name == "min" else -1]

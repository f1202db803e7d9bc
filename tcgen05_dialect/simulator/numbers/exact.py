"""f64 arithmetic that numpy does not provide, with exact fractions, lane by lane."""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

from .floats import F64, Lanes

_PRECISION = F64.precision
_ROOT_BITS = 2 * (_PRECISION + 3)


def rounded(value: Fraction, rounding: str) -> float:
    """Round a fraction to f64."""
    size, negative = abs(value), value < 0
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    if size < Fraction(2) ** exponent:
        exponent -= 1
    place = max(exponent - _PRECISION + 1, F64.last_place)
    kept, rest = divmod(size / Fraction(2) ** place, 1)
    outward = {"rn": True, "rz": False, "rm": negative, "rp": not negative}[rounding]
    half = Fraction(1, 2)
    if rounding == "rn":
        kept += rest > half or (rest == half and kept % 2 == 1)
    else:
        kept += rest > 0 and outward
    try:
        result = math.ldexp(kept, place)
    except OverflowError:
        result = math.inf if outward else float(np.finfo(np.float64).max)
    return -result if negative else result


def rounded_integers(values: Lanes, rounding: str) -> Lanes:
    """Integers of 64 bits as f64."""
    return np.array([rounded(Fraction(int(value)), rounding) for value in values])


def _sum(rounding: str, x: Fraction, y: Fraction, x_negative: bool, y_negative: bool) -> float:
    """Sum; x + (-x) is -0 with rounding toward negative infinity."""
    if x + y:
        return rounded(x + y, rounding)
    negative = x_negative if x_negative == y_negative else rounding == "rm"
    return -0.0 if negative else 0.0


def _negative(x: float) -> bool:
    return math.copysign(1.0, x) < 0


def _fused(rounding: str, x: float, y: float, z: float) -> float:
    signs = _negative(x) != _negative(y), _negative(z)
    return _sum(rounding, Fraction(x) * Fraction(y), Fraction(z), *signs)


def _add(rounding: str, x: float, y: float) -> float:
    return _sum(rounding, Fraction(x), Fraction(y), _negative(x), _negative(y))


def _subtract(rounding: str, x: float, y: float) -> float:
    return _add(rounding, x, -y)


def _multiply(rounding: str, x: float, y: float) -> float:
    return rounded(Fraction(x) * Fraction(y), rounding) if x and y else x * y


def _divide(rounding: str, x: float, y: float) -> float | None:
    if y == 0:
        return None
    return rounded(Fraction(x) / Fraction(y), rounding) if x else x / y


def _reciprocal(rounding: str, x: float) -> float | None:
    return _divide(rounding, 1.0, x)


def _square_root(rounding: str, x: float) -> float | None:
    if x <= 0:
        return None
    numerator, denominator = x.as_integer_ratio()
    # x = square * 4^-scale with enough bits; a sticky half stands for the rest of the root.
    scale = (denominator.bit_length() + _ROOT_BITS) // 2
    square = (numerator << 2 * scale) // denominator
    root = math.isqrt(square)
    return rounded(Fraction(2 * root + (root * root != square), 2 << scale), rounding)


def _reciprocal_root(rounding: str, x: float) -> float | None:
    if x <= 0:
        return None
    numerator, denominator = x.as_integer_ratio()
    scale = (numerator.bit_length() + _ROOT_BITS) // 2
    square, rest = divmod(denominator << 2 * scale, numerator)
    root = math.isqrt(square)
    inexact = bool(rest) or root * root != square
    return rounded(Fraction(2 * root + inexact, 2 << scale), rounding)


def _reciprocal_of_root(x: Lanes) -> Lanes:
    return 1 / np.sqrt(x)


def _fused_specials(x: Lanes, y: Lanes, z: Lanes) -> Lanes:
    """`x * y + z` if not all operands are finite; a finite product does not matter."""
    return np.where(np.isfinite(x) & np.isfinite(y), 0.0, x * y) + z


NEAREST: dict[str, Callable[..., Lanes]] = {
    "add": np.add,
    "sub": np.subtract,
    "mul": np.multiply,
    "div": np.divide,
    "rcp": np.reciprocal,
    "sqrt": np.sqrt,
}
"""Operation -> its function rounded to nearest, for any operands."""
_SPECIALS: dict[str, Callable[..., Lanes]] = {
    **NEAREST,
    "fma": _fused_specials,
    "rsqrt": _reciprocal_of_root,
}
_EXACT: dict[str, Callable[..., float | None]] = {
    "add": _add,
    "sub": _subtract,
    "mul": _multiply,
    "div": _divide,
    "rcp": _reciprocal,
    "sqrt": _square_root,
    "fma": _fused,
    "rsqrt": _reciprocal_root,
}
"""Operation -> its function for finite operands, None for an infinite result or NaN."""


def f64(operation: str) -> Callable[..., Lanes]:
    """f64 operation: in fractions for finite operands, otherwise by numpy."""

    def compute(rounding: str, *operands: Lanes) -> Lanes:
        result: Lanes = _SPECIALS[operation](*operands)
        finite: Any = np.logical_and.reduce([np.isfinite(x) for x in operands])
        for lane in np.flatnonzero(finite):
            value = _EXACT[operation](rounding, *(float(x[lane]) for x in operands))
            if value is not None:
                result[lane] = value
        return result

    return compute

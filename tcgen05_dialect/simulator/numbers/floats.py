"""
The floating-point formats, on bits: what they stand for, how numbers are rounded to them, and the
operations that do not round (9.7.3, 9.7.4).

Where the manual leaves the bits open: NaN is the canonical NaN of the format; of f64, whose NaN
payloads the manual keeps, the first NaN operand, made quiet. A result is flushed (`.ftz`) if it
is subnormal after it was rounded.
"""

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from ...isa import float_format as isa
from ...isa.float_format import FLOAT_FORMATS, FloatFormat
from .lanes import Lanes, unsigned


class NumpyFormat(FloatFormat):
    """A floating-point format with the types and the masks of numpy that work on its bits."""

    @cached_property
    def unsigned(self) -> Any:
        return unsigned(self.bits)

    @cached_property
    def sign(self) -> Any:
        return self.unsigned(1 << self.bits - 1)

    @cached_property
    def infinity(self) -> Any:
        """Positive infinity; as a mask, the exponent."""
        return self.unsigned(((1 << self.exponent_bits) - 1) << self.precision - 1 + self.padding)

    @cached_property
    def carrier(self) -> Any:
        """The format of numpy with the same exponent, which has at least as many bits."""
        return {5: np.float16, 8: np.float32, 11: np.float64}[self.exponent_bits]

    @cached_property
    def native(self) -> bool:
        """Whether the carrier is the format itself."""
        return self.bits == 8 * np.dtype(self.carrier).itemsize and self.padding == 0


FORMATS = {name: NumpyFormat(*format_) for name, format_ in FLOAT_FORMATS.items()}
F32, F64, TF32 = FORMATS["f32"], FORMATS["f64"], FORMATS["tf32"]
F64_UPPER = NumpyFormat(*isa.F64_UPPER)
_F64_FRACTION_BITS = F64.precision - 1


def decode(bits: Lanes, format_: NumpyFormat) -> Lanes:
    """What bits of a format stand for, as f64, which is exact."""
    if format_.native:
        return bits.view(format_.carrier).astype(np.float64)
    width = 8 * np.dtype(format_.carrier).itemsize
    kept = bits >> format_.unsigned(format_.padding) << format_.unsigned(format_.padding)
    carried = kept.astype(unsigned(width)) << unsigned(width)(width - format_.bits)
    return carried.view(format_.carrier).astype(np.float64)


def encode(values: Lanes, format_: NumpyFormat, rounding: str = "rn") -> Lanes:
    """The bits of a format for f64 values, rounded; to f64 itself there is nothing to round."""
    if format_.native and (rounding == "rn" or format_ is F64):
        values = values.astype(format_.carrier)
        bits: Lanes = values.view(format_.unsigned)
    else:
        bits = _round(values, format_, rounding)
    nan = np.isnan(values)
    return np.where(nan, format_.unsigned(format_.nan), bits) if nan.any() else bits


def _round(values: Lanes, format_: NumpyFormat, rounding: str) -> Lanes:
    pattern = np.ascontiguousarray(values).view(np.uint64)
    negative = pattern >> np.uint64(63) != 0
    fraction = pattern & np.uint64((1 << _F64_FRACTION_BITS) - 1)
    exponent = (
        pattern >> np.uint64(_F64_FRACTION_BITS) & np.uint64((1 << F64.exponent_bits) - 1)
    ).astype(np.int64)
    hidden = (exponent > 0).astype(np.uint64) << np.uint64(_F64_FRACTION_BITS)
    significand = fraction | hidden
    scale = np.maximum(exponent, 1) - 1 + F64.last_place
    # The place of the last bit of the result; the bits below it decide how it is rounded.
    place = np.maximum(scale + _F64_FRACTION_BITS + 1 - format_.precision, format_.last_place)
    shift = np.minimum(place - scale, _F64_FRACTION_BITS + 2).astype(np.uint64)
    kept = significand >> shift
    rest = significand - (kept << shift)
    half = np.uint64(1) << shift - np.uint64(1)
    # A carry out of the significand is one more of the exponent, as it should be.
    up = rounds_up(rounding, negative, kept & np.uint64(1) != 0, rest, half)
    fields = (place - format_.last_place).astype(np.uint64) << np.uint64(format_.precision - 1)
    rounded: Lanes = fields + kept + up
    infinity = np.uint64(int(format_.infinity) >> format_.padding)
    inward = np.isfinite(values) & ~away_from_zero(rounding, negative)
    rounded = np.where(rounded >= infinity, infinity - inward, rounded)
    rounded = (rounded << np.uint64(format_.padding)).astype(format_.unsigned)
    return rounded | negative.astype(format_.unsigned) << format_.unsigned(format_.bits - 1)


def rounds_up(rounding: str, negative: Any, odd: Any, rest: Any, half: Any) -> Any:
    """Whether a magnitude is rounded up, of whose last place `rest` is left over."""
    match rounding:
        case "rn":
            return (rest > half) | ((rest == half) & odd)
        case "rna":
            return rest >= half
        case _:
            return (rest > 0) & away_from_zero(rounding, negative)


def away_from_zero(rounding: str, negative: Any) -> Any:
    """Whether a number of this sign that is too large is rounded to infinity."""
    match rounding:
        case "rz":
            return np.logical_and(negative, False)
        case "rm":
            return np.logical_and(negative, True)
        case "rp":
            return np.logical_not(negative)
        case _:
            return np.logical_or(negative, True)


def flush(bits: Lanes, format_: NumpyFormat) -> Lanes:
    """Subnormal numbers become zeros of the same sign (`.ftz`)."""
    return np.where(bits & format_.infinity == 0, bits & format_.sign, bits)


def is_nan(bits: Lanes, format_: NumpyFormat) -> Lanes:
    """Where bits of a format are NaN."""
    return (bits & ~format_.sign) > format_.infinity


def nan_of(format_: NumpyFormat, *operands: Lanes) -> Lanes:
    """The NaN of a result, given the bits of its operands."""
    result = np.full_like(operands[0], format_.unsigned(format_.nan))
    if format_ is F64:
        quiet = np.uint64(1 << _F64_FRACTION_BITS - 1)
        for bits in reversed(operands):
            result = np.where(is_nan(bits, format_), bits | quiet, result)
    return result


def negative(format_: NumpyFormat, flushed: bool) -> Callable[[Lanes], Lanes]:
    """Change of the sign; NaN of f64 stays as it is."""
    return _sign(format_, flushed, lambda bits: bits ^ format_.sign)


def magnitude(format_: NumpyFormat, flushed: bool) -> Callable[[Lanes], Lanes]:
    """The absolute value; NaN of f64 stays as it is (9.7.3.9)."""
    return _sign(format_, flushed, lambda bits: bits & ~format_.sign)


def _sign(
    format_: NumpyFormat, flushed: bool, change: Callable[[Lanes], Lanes]
) -> Callable[[Lanes], Lanes]:
    def function(bits: Lanes) -> Lanes:
        nan = bits if format_ is F64 else nan_of(format_, bits)
        result = change(flush(bits, format_) if flushed else bits)
        return np.where(is_nan(bits, format_), nan, result)

    return function


def extremum(
    choose: Callable[[Lanes, Lanes], Lanes], format_: NumpyFormat, flushed: bool, nan: bool
) -> Callable[[Lanes, Lanes], Lanes]:
    """
    Minimum or maximum, in which -0 is less than +0: of a NaN and a number the number, or NaN if
    `nan` (`.NaN`).
    """

    def order(bits: Lanes) -> Lanes:
        """Bits of numbers as integers of the same order, and back."""
        return np.where(bits & format_.sign != 0, ~bits, bits ^ format_.sign)

    def function(a: Lanes, b: Lanes) -> Lanes:
        if flushed:
            a, b = flush(a, format_), flush(b, format_)
        chosen = choose(order(a), order(b))
        result = np.where(chosen & format_.sign != 0, chosen ^ format_.sign, ~chosen)
        a_nan, b_nan = is_nan(a, format_), is_nan(b, format_)
        result = np.where(a_nan, b, np.where(b_nan, a, result))
        neither = (a_nan | b_nan) if nan else (a_nan & b_nan)
        return np.where(neither, nan_of(format_, a, b), result)

    return function

"""
Floating-point formats on bits: decoding, rounding, and operations without rounding (9.7.3, 9.7.4).

Choices that the manual leaves open: a NaN result is the canonical NaN of the format; for f64, where
the manual keeps payloads, it is the first NaN operand, made quiet. `.ftz` flushes a result that is
subnormal after rounding.
"""

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from ...isa import float_format as isa
from ...isa.float_format import FLOAT_FORMATS, FloatFormat
from .lanes import Lanes, unsigned


class NumpyFormat(FloatFormat):
    """Floating-point format with the numpy types and masks for its bits."""

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
        """numpy format with the same exponent and at least as many bits."""
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
    """Decode bits of a format to f64, exactly."""
    if format_.native:
        return bits.view(format_.carrier).astype(np.float64)
    width = 8 * np.dtype(format_.carrier).itemsize
    kept = bits >> format_.unsigned(format_.padding) << format_.unsigned(format_.padding)
    carried = kept.astype(unsigned(width)) << unsigned(width)(width - format_.bits)
    return carried.view(format_.carrier).astype(np.float64)


def encode(values: Lanes, format_: NumpyFormat, rounding: str = "rn") -> Lanes:
    """Round f64 values to the bits of a format; f64 itself needs no rounding."""
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
    # Exponent of the last bit of the result; the bits below decide the rounding.
    place = np.maximum(scale + _F64_FRACTION_BITS + 1 - format_.precision, format_.last_place)
    shift = np.minimum(place - scale, _F64_FRACTION_BITS + 2).astype(np.uint64)
    kept = significand >> shift
    rest = significand - (kept << shift)
    half = np.uint64(1) << shift - np.uint64(1)
    # A carry out of the significand correctly increments the exponent.
    up = rounds_up(rounding, negative, kept & np.uint64(1) != 0, rest, half)
    fields = (place - format_.last_place).astype(np.uint64) << np.uint64(format_.precision - 1)
    rounded: Lanes = fields + kept + up
    infinity = np.uint64(int(format_.infinity) >> format_.padding)
    inward = np.isfinite(values) & ~away_from_zero(rounding, negative)
    rounded = np.where(rounded >= infinity, infinity - inward, rounded)
    rounded = (rounded << np.uint64(format_.padding)).astype(format_.unsigned)
    return rounded | negative.astype(format_.unsigned) << format_.unsigned(format_.bits - 1)


def rounds_up(rounding: str, negative: Any, odd: Any, rest: Any, half: Any) -> Any:
    """Whether a magnitude is rounded up; `rest` is the part below the last place."""
    match rounding:
        case "rn":
            return (rest > half) | ((rest == half) & odd)
        case "rna":
            return rest >= half
        case _:
            return (rest > 0) & away_from_zero(rounding, negative)


def away_from_zero(rounding: str, negative: Any) -> Any:
    """Whether an overflow with this sign is rounded to infinity."""
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
    """Replace subnormal numbers by zeros of the same sign (`.ftz`)."""
    return np.where(bits & format_.infinity == 0, bits & format_.sign, bits)


def is_nan(bits: Lanes, format_: NumpyFormat) -> Lanes:
    """Mask of the NaNs."""
    return (bits & ~format_.sign) > format_.infinity


def nan_of(format_: NumpyFormat, *operands: Lanes) -> Lanes:
    """NaN result for the given operands."""
    result = np.full_like(operands[0], format_.unsigned(format_.nan))
    if format_ is F64:
        quiet = np.uint64(1 << _F64_FRACTION_BITS - 1)
        for bits in reversed(operands):
            result = np.where(is_nan(bits, format_), bits | quiet, result)
    return result


def negative(format_: NumpyFormat, flushed: bool) -> Callable[[Lanes], Lanes]:
    """Negation; an f64 NaN is unchanged."""
    return _sign(format_, flushed, lambda bits: bits ^ format_.sign)


def magnitude(format_: NumpyFormat, flushed: bool) -> Callable[[Lanes], Lanes]:
    """Absolute value; an f64 NaN is unchanged (9.7.3.9)."""
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
    Minimum or maximum, with -0 less than +0. If one operand is NaN, the result is the other
    operand, or NaN with `nan` (`.NaN`).
    """

    def order(bits: Lanes) -> Lanes:
        """Map bits of numbers to integers with the same order."""
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

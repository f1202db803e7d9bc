"""
Conversion: cvt (9.7.9.21).

Choices that the manual leaves open: NaN becomes the canonical NaN of the destination; `.sat` and
`.relu` turn negative zero into positive zero; numbers beyond the range of f16 become infinite, as
in the other formats.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from ...isa.ptx.registers import TYPE_BITS
from .floats import F32, F64, FORMATS, NumpyFormat, decode, encode, flush, without_negatives
from .integers import dtype, extended, low, magnitude, range_of
from .lanes import Lanes

_INTEGRAL: dict[str | None, Callable[[Lanes], Lanes]] = {
    "rni": np.rint,
    "rzi": np.trunc,
    "rmi": np.floor,
    "rpi": np.ceil,
}
_LOST = 64 - F64.precision
"""Bits of a 64-bit integer that do not fit the significand of f64."""


def conversion(
    type_: str,
    source: str,
    rounding: str | None,
    flushed: bool,
    saturate: str | None,
    clamped: bool,
    register: Any,
) -> Callable[[Lanes], Lanes]:
    """The function of cvt; `clamped` (`.relu`) zeroes negatives, `register` is the dtype of the
    destination."""
    saturated = saturate == "sat"
    to, from_ = FORMATS.get(type_), FORMATS.get(source)

    def numbers(bits: Lanes) -> Lanes:
        if from_ is None:
            return low(bits, source)
        values = decode(flush(bits, from_) if flushed and from_ is F32 else bits, from_)
        return _INTEGRAL[rounding](values) if rounding in _INTEGRAL else values

    def to_integer(bits: Lanes) -> Lanes:
        values = numbers(bits)
        # Conversion from float to integer always saturates.
        result = _saturated(values, type_) if saturated or from_ else values.astype(dtype(type_))
        if from_ is not None:
            zero = from_ is not F64 and TYPE_BITS[type_] < 64
            nan = 0 if zero else 1 << TYPE_BITS[type_] - 1
            result = np.where(np.isnan(values), np.array(nan).astype(dtype(type_)), result)
        return extended(result, register)

    def to_float(bits: Lanes) -> Lanes:
        assert to is not None
        mode = "rn" if rounding is None or rounding in _INTEGRAL else rounding
        values = numbers(bits)
        if from_ is None:
            values = _as_f64(values, to, mode)
        if saturated:
            values = np.where(values > 0, np.minimum(values, 1.0), 0.0)
        result = encode(finite(values, to) if saturate == "satfinite" else values, to, mode)
        if clamped:
            result = without_negatives(result, to)
        return flush(result, to) if flushed and to is F32 else result

    return to_integer if to is None else to_float


def _saturated(values: Lanes, type_: str) -> Lanes:
    """Clamp integral numbers to an integer type; the result for NaN is arbitrary."""
    least, greatest = range_of(type_)
    # Both bounds, minimum and maximum + 1, are powers of two (or 0) and thus exact in f64.
    low, high = values < least, values >= greatest + 1
    inside = np.where(low | high | (values != values), values.dtype.type(0), values)
    return np.where(high, greatest, np.where(low, least, inside.astype(dtype(type_))))


def _as_f64(values: Lanes, to: NumpyFormat, rounding: str) -> Lanes:
    """Integers as f64: rounded for f64 itself, rounded to odd for narrower formats."""
    if to is F64 and values.itemsize == 8:
        # Imported here, because few kernels need fractions.
        from .exact import rounded_integers

        return rounded_integers(values, rounding)
    size = magnitude(values).astype(np.uint64)
    kept = size >> np.uint64(_LOST) << np.uint64(_LOST)
    odd = kept | (kept != size).astype(np.uint64) << np.uint64(_LOST)
    result = np.where(size >> np.uint64(F64.precision) != 0, odd, size).astype(np.float64)
    return np.where(values < 0, -result, result)


def finite(values: Lanes, to: NumpyFormat) -> Lanes:
    """Numbers limited to the finite ones of a format (`.satfinite`); NaN stays NaN."""
    last = to.unsigned(1 << to.padding)
    (greatest,) = decode(np.array([to.infinity - last], to.unsigned), to)
    return np.clip(values, -greatest, greatest)


def pair(
    to: NumpyFormat, rounding: str, saturated: bool, clamped: bool
) -> Callable[[Lanes, Lanes], Lanes]:
    """Convert two f32 to the halves of a register; `saturated` (`.satfinite`) limits them to finite
    numbers, and `clamped` (`.relu`) zeroes negatives."""

    def function(high: Lanes, low: Lanes) -> Lanes:
        values = np.array((low, high)).view(np.float32)
        bits = encode(finite(values, to) if saturated else values, to, rounding)
        if clamped:
            bits = without_negatives(bits, to)
        lower, upper = bits.astype(np.uint32)
        return upper << np.uint32(to.bits) | lower

    return function

"""
Conversions: cvt, also to and from packed numbers of at most 8 bits (9.7.9.21), and decoding of the
elements of matrices.

Choices that the manual leaves open: NaN becomes the canonical NaN of the destination; `.sat` and
`.relu` turn negative zero into positive zero; numbers beyond the range of f16 become infinite, as
in the other formats; random bits are added to the highest bits below the last bit of the result.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from ...isa.element import NARROW_FORMATS, SCALE_BIAS, SCALE_NAN, NarrowFormat, element
from ...isa.instructions.conversion import PACKED_ELEMENTS
from ...isa.ptx.ptx_text import TYPE_BITS
from . import floats
from .floats import (
    F32,
    F64,
    FORMATS,
    Lanes,
    NumpyFormat,
    decode,
    encode,
    flush,
    unsigned,
    without_negatives,
)
from .floats import encode as encode_float
from .integers import dtype, extended, low, magnitude, range_of

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


_MAGNITUDE = 0x7F
_WIDE = 16
"""Width for which numpy is faster than a lookup table."""


@cache
def _dtypes() -> Mapping[str, Any]:
    """
    Element type -> type of numpy.

    Imported at the first use: verification of kernels decodes no elements, and works without
    ml_dtypes.
    """
    import ml_dtypes

    return {
        "f16": np.float16,
        "bf16": ml_dtypes.bfloat16,
        "e4m3": ml_dtypes.float8_e4m3fn,
        "e5m2": ml_dtypes.float8_e5m2,
        "e2m3": ml_dtypes.float6_e2m3fn,
        "e3m2": ml_dtypes.float6_e3m2fn,
        "e2m1": ml_dtypes.float4_e2m1fn,
        "u8": np.uint8,
        "s8": np.int8,
        "ue8m0": ml_dtypes.float8_e8m0fnu,
        # e4m3 without the sign bit.
        "ue4m3": ml_dtypes.float8_e4m3fn,
    }


@cache
def _numbers(name: str) -> npt.NDArray[np.float64]:
    """Lookup table: bit pattern -> number."""
    dtype = np.dtype(_dtypes()[name])
    patterns = np.arange(1 << element(name).bits, dtype=np.uint64)
    if name == "ue4m3":
        patterns &= np.uint64(_MAGNITUDE)
    return patterns.astype(f"u{dtype.itemsize}").view(dtype).astype(np.float64)


def decode_elements(name: str, bits: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """The exact values of encoded elements. Bits above the element's width must be 0."""
    if name == "tf32":
        return floats.decode(bits.astype(np.uint32, copy=False), floats.TF32)
    if element(name).bits == _WIDE:
        return bits.astype(np.uint16, copy=False).view(_dtypes()[name]).astype(np.float64)
    return _numbers(name)[bits]


_SCALE = "ue8m0"
Encode = Callable[[Lanes, Lanes | None], Lanes]
"""Codes of f64 numbers, which are rounded with random fractions if there are any."""


def split(type_: str) -> tuple[str, int]:
    """The element and the number of elements of a packed type, such as `e4m3x2`."""
    element, _, count = type_.rpartition("x")
    return element, int(count)


def slot_bits(element: str) -> int:
    """The bits of a register that an element occupies."""
    return PACKED_ELEMENTS[element].slot_bits if element in PACKED_ELEMENTS else 16


def unpacked(bits: Lanes, type_: str) -> list[Lanes]:
    """The numbers of a packed register as f64, lowest first."""
    element, count = split(type_)
    size = slot_bits(element)
    whole = bits.astype(np.uint32)
    codes = [whole >> np.uint32(size * place) for place in range(count)]
    return [_decoded(each & np.uint32((1 << size) - 1), element) for each in codes]


def packed(codes: Sequence[Lanes], type_: str) -> Lanes:
    """A register with these codes, lowest first."""
    element, count = split(type_)
    size = slot_bits(element)
    whole = sum(
        (each.astype(np.uint32) << np.uint32(size * place) for place, each in enumerate(codes)),
        start=np.zeros(codes[0].shape, np.uint32),
    )
    return whole.astype(unsigned(size * count))


def _decoded(codes: Lanes, element: str) -> Lanes:
    """The numbers for codes, as f64."""
    if element in FORMATS:
        return decode(codes.astype(FORMATS[element].unsigned), FORMATS[element])
    narrow = NARROW_FORMATS.get(element)
    inside = codes if narrow is None else codes & np.uint32((1 << narrow.bits) - 1)
    return decode_elements(element, inside)


def encoder(element: str, rounding: str, saturated: bool, clamped: bool) -> Encode:
    """The function that converts f64 numbers to codes; `saturated` (`.satfinite`) limits them to
    finite numbers, and `clamped` (`.relu`) zeroes negatives."""
    if element == _SCALE:
        return lambda values, random: _exponents(values, rounding, saturated)
    narrow = NARROW_FORMATS.get(element)
    if narrow is not None:
        return lambda values, random: _narrow(values, narrow, clamped, random)
    format_ = FORMATS[element]
    if rounding == "rs":
        wide = _stochastic_format(format_, saturated)
        return lambda values, random: _narrow(values, wide, clamped, random)

    def encode(values: Lanes, random: Lanes | None) -> Lanes:
        bits = encode_float(finite(values, format_) if saturated else values, format_, rounding)
        return without_negatives(bits, format_) if clamped else bits

    return encode


def _stochastic_format(format_: NumpyFormat, saturated: bool) -> NarrowFormat:
    greatest = int(format_.infinity) - saturated
    return NarrowFormat(format_.exponent_bits, format_.precision - 1, greatest, format_.nan)


def _narrow(values: Lanes, format_: NarrowFormat, clamped: bool, random: Lanes | None) -> Lanes:
    """Round to nearest even or, with random fractions, up if their sum with the rest carries."""
    beyond = 2.0 ** (format_.bias + 2)
    size = np.minimum(np.where(np.isnan(values), 0, np.abs(values)), beyond)
    least = 1 - format_.bias
    exponent = np.where(size == 0, least, np.maximum(np.frexp(size)[1] - 1, least))
    steps = np.ldexp(size, format_.fraction_bits - exponent)
    steps = np.rint(steps) if random is None else np.floor(steps + random)
    # A carry out of the fraction correctly increments the exponent.
    code = (exponent + format_.bias - 1 << format_.fraction_bits) + steps.astype(np.int64)
    code = np.minimum(code, format_.greatest)
    negative = np.signbit(values)
    sign = 1 << format_.bits - 1
    code = np.where(negative, 0 if clamped else code | sign, code)
    return np.where(np.isnan(values), format_.nan, code)


def _exponents(values: Lanes, rounding: str, saturated: bool) -> Lanes:
    """Codes of ue8m0: the exponents of magnitudes, rounded down (rz) or up (rp)."""
    fraction, exponent = np.frexp(np.abs(values))
    exponent = exponent - ((fraction == 0.5) | (rounding == "rz"))
    code = np.where(np.isinf(values), SCALE_NAN, exponent + SCALE_BIAS)
    code = np.where(values == 0, 0, np.clip(code, 0, SCALE_NAN - saturated))
    return np.where(np.isnan(values), SCALE_NAN, code)

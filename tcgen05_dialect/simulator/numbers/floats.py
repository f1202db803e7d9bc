"""
Floating-point formats on bits: decoding, rounding, and operations without rounding (9.7.3, 9.7.4).

Choices that the manual leaves open: a NaN result is the canonical NaN of the format. For f64, where
the manual preserves payloads, it is the first NaN operand as a quiet NaN. `.ftz` flushes a result
that is subnormal after rounding.
"""

from collections.abc import Callable, Sequence
from functools import cache, cached_property
from importlib import import_module
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from xdsl.ir import Attribute

from ...isa import element as isa
from ...isa.element import FLOAT_FORMATS, FloatFormat
from ...isa.tensor_memory.alloc import WARP_LANES
from ...ptx.register_types import register_bits

Lanes: TypeAlias = npt.NDArray[Any]
"""An array of WARP_LANES elements: the bits of a register as unsigned integers, or predicates."""

_BITS: dict[int | None, Any] = {
    None: np.bool_,
    8: np.uint8,
    16: np.uint16,
    32: np.uint32,
    64: np.uint64,
    128: np.dtype("V16"),
}


_BYTES_ONLY = 128


def dtype_of(type_: Attribute) -> Any:
    """dtype of the registers of a type."""
    return _BITS[register_bits(type_)]


@cache
def unsigned(bits: int) -> Any:
    """Unsigned integer type of a width. Numbers of 128 bits are bytes, because numpy has none."""
    if bits == _BYTES_ONLY:
        return _BITS[bits]
    return np.dtype(f"u{bits // 8}").type


_count: Callable[[npt.NDArray[Any]], int] = import_module("numpy._core.multiarray").count_nonzero
"""`numpy.count_nonzero` without its dispatcher, which takes three times as long as the function."""


def some(flags: npt.NDArray[Any]) -> bool:
    """`flags.any()`, ten times as fast for an array of this size."""
    return _count(flags) != 0


def every(flags: npt.NDArray[Any]) -> bool:
    """`flags.all()`, ten times as fast for an array of this size."""
    return _count(flags) == flags.size


def uniform(value: int, type_: Attribute) -> Lanes:
    """Register with the same integer, modulo its width, in every lane."""
    bits = register_bits(type_)
    if bits is None:
        return np.full(WARP_LANES, bool(value & 1))
    number = value % (1 << bits)
    if bits == _BYTES_ONLY:
        return np.frombuffer(number.to_bytes(bits // 8, "little") * WARP_LANES, _BITS[bits]).copy()
    return np.full(WARP_LANES, number, dtype_of(type_))


def narrowed(register: Lanes, kept: Sequence[int]) -> Lanes:
    """A register with only some of its numbers, if it has several in each lane: an array with axes
    (number, lane)."""
    if register.ndim == 1:
        return register
    return register[kept[0]] if len(kept) == 1 else register[kept]


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
        """Positive infinity, which is also the mask of the exponent."""
        return self.unsigned(((1 << self.exponent_bits) - 1) << self.precision - 1 + self.padding)

    @cached_property
    def carrier(self) -> Any:
        """The numpy format with the same exponent range and at least as many bits."""
        return {5: np.float16, 8: np.float32, 11: np.float64}[self.exponent_bits]

    @cached_property
    def carrier_word(self) -> Any:
        """Unsigned integer type of the carrier's width."""
        return unsigned(8 * np.dtype(self.carrier).itemsize)

    @cached_property
    def dropped(self) -> Any:
        """Number of bits of the carrier below the significand."""
        width = 8 * np.dtype(self.carrier).itemsize
        return self.carrier_word(width - self.bits + self.padding)

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
    """Round values of f64, or of the format's carrier, to the bits of a format; f64 itself needs no
    rounding."""
    if format_.native:
        bits: Lanes = _narrowed(values, format_.carrier, rounding).view(format_.unsigned)
    else:
        bits = _shortened(_to_odd(values, format_.carrier), format_, rounding)
    # The minimum of numbers with a NaN is NaN, and takes no array.
    if not values.size or not np.isnan(np.minimum.reduce(values, None)):
        return bits
    return np.where(np.isnan(values), format_.unsigned(format_.nan), bits)


def _narrowed(values: Lanes, carrier: Any, rounding: str) -> Lanes:
    """Round values to a numpy type."""
    near = values.astype(carrier, copy=False)
    if rounding == "rn" or near is values:
        return near
    if rounding == "rz":
        beyond, limit = np.abs(near) > np.abs(values), 0
    elif rounding == "rm":
        beyond, limit = near > values, -np.inf
    else:
        beyond, limit = near < values, np.inf
    return np.where(beyond, np.nextafter(near, carrier(limit)), near)


def _to_odd(values: Lanes, carrier: Any) -> Lanes:
    """Bits of values rounded to a numpy type: the last bit of an inexact result is one. A second
    rounding to fewer bits is then exact."""
    near = _narrowed(values, carrier, "rz")
    bits: Lanes = near.view(unsigned(8 * near.itemsize))
    return bits if near is values else bits | (near != values)


def _shortened(bits: Lanes, format_: NumpyFormat, rounding: str) -> Lanes:
    """Round the bits of the carrier to those of the format. A carry out of the significand
    correctly increments the exponent."""
    dropped, last = format_.dropped, 1 << int(format_.dropped)
    match rounding:
        case "rn":
            bits = bits + ((bits >> dropped & 1) + (last // 2 - 1))
        case "rna":
            bits = bits + last // 2
        case "rm":
            bits = bits + (bits >> 8 * bits.itemsize - 1) * (last - 1)
        case "rp":
            bits = bits + (~bits >> 8 * bits.itemsize - 1) * (last - 1)
        case _:
            pass
    shortened = bits >> dropped
    if format_.padding:
        shortened = shortened << format_.padding
    return shortened.astype(format_.unsigned, copy=False)


def flush(bits: Lanes, format_: NumpyFormat) -> Lanes:
    """Replace subnormal numbers by zeros of the same sign (`.ftz`)."""
    return np.where(bits & format_.infinity == 0, bits & format_.sign, bits)


def saturated(bits: Lanes, format_: NumpyFormat) -> Lanes:
    """Numbers limited to the interval from 0 to 1 (`.sat`); NaN becomes 0."""
    (one,) = encode(np.ones(1), format_)
    zero = is_nan(bits, format_) | (bits & format_.sign != 0)
    return np.where(zero, format_.unsigned(0), np.minimum(bits, one))


def without_negatives(bits: Lanes, format_: NumpyFormat) -> Lanes:
    """Zero instead of negative numbers (`.relu`)."""
    return np.where(bits & format_.sign != 0, format_.unsigned(0), bits)


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
    choose: Callable[[Lanes, Lanes], Lanes],
    format_: NumpyFormat,
    flushed: bool,
    nan: bool,
    magnitudes: bool = False,
) -> Callable[[Lanes, Lanes], Lanes]:
    """Minimum or maximum, with -0 less than +0. If one operand is NaN, the result is the other
    operand, or NaN with `nan` (`.NaN`). With `magnitudes` (`.abs`), of the absolute values."""

    def order(bits: Lanes) -> Lanes:
        """Map bits of numbers to integers with the same order."""
        return np.where(bits & format_.sign != 0, ~bits, bits ^ format_.sign)

    def function(a: Lanes, b: Lanes) -> Lanes:
        if flushed:
            a, b = flush(a, format_), flush(b, format_)
        if magnitudes:
            a, b = a & ~format_.sign, b & ~format_.sign
        chosen = choose(order(a), order(b))
        result = np.where(chosen & format_.sign != 0, chosen ^ format_.sign, ~chosen)
        a_nan, b_nan = is_nan(a, format_), is_nan(b, format_)
        result = np.where(a_nan, b, np.where(b_nan, a, result))
        neither = (a_nan | b_nan) if nan else (a_nan & b_nan)
        return np.where(neither, nan_of(format_, a, b), result)

    return function


def with_sign_of_product(
    function: Callable[[Lanes, Lanes], Lanes], format_: NumpyFormat
) -> Callable[[Lanes, Lanes], Lanes]:
    """A function whose result, unless it is NaN, has the sign that a product would have
    (`.xorsign`)."""

    def signed(a: Lanes, b: Lanes) -> Lanes:
        result = function(a, b)
        sign = (a ^ b) & format_.sign
        return np.where(is_nan(result, format_), result, result & ~format_.sign | sign)

    return signed

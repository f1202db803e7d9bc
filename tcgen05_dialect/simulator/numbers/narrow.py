"""
Conversion to and from packed numbers of at most 8 bits (9.7.9.21).

Choices that the manual leaves open: `.relu` turns negative zero into positive zero; random bits are
added to the highest bits below the last bit of the result.
"""

from collections.abc import Callable, Sequence

import numpy as np

from ...isa.float_format import NARROW_FORMATS, SCALE_BIAS, SCALE_NAN, NarrowFormat
from ...isa.ptx.packed_conversion import PACKED_ELEMENTS
from . import elements
from .conversions import finite
from .floats import FORMATS, NumpyFormat, without_negatives
from .floats import decode as decode_float
from .floats import encode as encode_float
from .lanes import Lanes, unsigned

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
    return [decode(each & np.uint32((1 << size) - 1), element) for each in codes]


def packed(codes: Sequence[Lanes], type_: str) -> Lanes:
    """A register with these codes, lowest first."""
    element, count = split(type_)
    size = slot_bits(element)
    whole = sum(
        (each.astype(np.uint32) << np.uint32(size * place) for place, each in enumerate(codes)),
        start=np.zeros(codes[0].shape, np.uint32),
    )
    return whole.astype(unsigned(size * count))


def decode(codes: Lanes, element: str) -> Lanes:
    """The numbers for codes, as f64."""
    if element in FORMATS:
        return decode_float(codes.astype(FORMATS[element].unsigned), FORMATS[element])
    narrow = NARROW_FORMATS.get(element)
    inside = codes if narrow is None else codes & np.uint32((1 << narrow.bits) - 1)
    return elements.decode(element, inside)


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

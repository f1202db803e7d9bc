"""
Exact bits of float attributes, NaNs included.

xDSL holds a float of any type as a Python float and converts it with `struct`, which sets the quiet
bit of a signalling NaN and drops the payload of an f16 NaN. This module widens and narrows NaNs bit
by bit. From xDSL it uses `FloatAttr.new`, which skips the conversion. It can be deleted when xDSL
preserves the bits of NaNs.
"""

import math
import struct
from collections.abc import Mapping

from xdsl.dialects.builtin import AnyFloat, FloatAttr, FloatData, bf16, f16, f32, f64
from xdsl.ir import Attribute

from ..isa.float_format import FLOAT_FORMATS

_FRACTION_BITS: Mapping[Attribute, int] = {
    type_: FLOAT_FORMATS[type_.name].precision - 1 for type_ in (f16, bf16, f32, f64)
}
_WIDEST = _FRACTION_BITS[f64]
_WIDEST_EXPONENT = 0x7FF << _WIDEST


def _layout(type_: AnyFloat) -> tuple[int, int]:
    """The number of fraction bits, and the shifted exponent of infinities and NaNs."""
    fraction = _FRACTION_BITS[type_]
    sign = 1 << type_.bitwidth - 1
    return fraction, sign - (1 << fraction)


def float_of(bits: int, type_: AnyFloat) -> float:
    """The value of a float given by its bits; a NaN keeps its sign and payload."""
    fraction, exponent = _layout(type_)
    payload = bits % (1 << fraction)
    if bits & exponent != exponent or not payload:
        return next(iter(type_.iter_unpack(bits.to_bytes(type_.bitwidth // 8, "little"))))
    sign = bits >> type_.bitwidth - 1
    widened = sign << 63 | _WIDEST_EXPONENT | payload << _WIDEST - fraction
    return struct.unpack("<d", widened.to_bytes(8, "little"))[0]


def bits_of(value: float, type_: AnyFloat) -> int:
    """The bits of a value as a float of a type. Raises OverflowError if it is out of range."""
    if not math.isnan(value):
        return int.from_bytes(type_.pack((value,)), "little")
    fraction, exponent = _layout(type_)
    widened = int.from_bytes(struct.pack("<d", value), "little")
    # A payload that is lost in narrowing would turn the NaN into an infinity.
    payload = widened % (1 << _WIDEST) >> _WIDEST - fraction or 1 << fraction - 1
    return widened >> 63 << type_.bitwidth - 1 | exponent | payload


def float_attribute(bits: int, type_: AnyFloat) -> FloatAttr:
    """The attribute for a float with these bits."""
    return FloatAttr.new((FloatData(float_of(bits, type_)), type_))


def attribute_bits(attribute: FloatAttr) -> int:
    """The bits of the float in an attribute."""
    return bits_of(attribute.value.data, attribute.type)

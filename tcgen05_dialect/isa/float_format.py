"""Encodings of the floating-point numbers in registers (5.2.1, 5.2.3, 9.7.3, 9.7.4)."""

from __future__ import annotations

from typing import NamedTuple


class FloatFormat(NamedTuple):
    """
    A format with a sign, an IEEE 754 exponent, and a significand.

    `precision` is the number of significant bits, including the hidden leading one. The bits below
    the significand are zero. `nan` is the canonical NaN.
    """

    bits: int
    exponent_bits: int
    precision: int
    nan: int

    @property
    def bias(self) -> int:
        """The exponent field of the number one."""
        return (1 << self.exponent_bits - 1) - 1

    @property
    def padding(self) -> int:
        """The number of zeros below the significand."""
        return self.bits - self.exponent_bits - self.precision

    @property
    def last_place(self) -> int:
        """The exponent of the smallest subnormal number."""
        return 2 - self.bias - self.precision


FLOAT_FORMATS = {
    "f16": FloatFormat(16, 5, 11, 0x7FFF),
    "bf16": FloatFormat(16, 8, 8, 0x7FFF),
    "f32": FloatFormat(32, 8, 24, 0x7FFFFFFF),
    "f64": FloatFormat(64, 11, 53, 0xFFF8000000000000),
    "tf32": FloatFormat(32, 8, 11, 0x7FFFFFFF),
}
F64_UPPER = FloatFormat(64, 11, 21, 0x7FFFFFFF00000000)
"""The upper word of an f64: the operand and result of rcp.approx.ftz.f64 (9.7.3.14)."""


class NarrowFormat(NamedTuple):
    """
    A format with a sign, an exponent and a fraction, of which not all codes are numbers as in IEEE
    754. `greatest` is the code of the greatest number, `nan` the code to which NaN is converted.
    """

    exponent_bits: int
    fraction_bits: int
    greatest: int
    nan: int

    @property
    def bits(self) -> int:
        return 1 + self.exponent_bits + self.fraction_bits

    @property
    def bias(self) -> int:
        """The exponent field of the number one."""
        return (1 << self.exponent_bits - 1) - 1


NARROW_FORMATS = {
    "e4m3": NarrowFormat(4, 3, 0x7E, 0x7F),
    "e5m2": NarrowFormat(5, 2, 0x7B, 0x7F),
    "e3m2": NarrowFormat(3, 2, 0x1F, 0x1F),
    "e2m3": NarrowFormat(2, 3, 0x1F, 0x1F),
    "e2m1": NarrowFormat(2, 1, 0x07, 0x07),
}
"""Formats of at most 8 bits with a sign (5.2.3); those without NaN convert it to the greatest
number."""
SCALE_BIAS = 127
SCALE_NAN = 0xFF
"""Codes of ue8m0 for the number one and for NaN (5.2.3)."""

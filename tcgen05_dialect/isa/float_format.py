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

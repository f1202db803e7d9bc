"""Element types of the matrices, and the encodings of floating-point numbers in registers (5.2.1,
5.2.3, 9.7.3, 9.7.4)."""

from __future__ import annotations

from typing import NamedTuple

from tcgen05_dialect.isa.model.rule import alternatives, rule


class Element(NamedTuple):
    """An element type. `bits` is the size of a value; that of tf32 includes its padding."""

    name: str
    bits: int


ELEMENTS = {
    name: Element(name, bits)
    for bits, names in (
        (4, ("e2m1",)),
        (6, ("e2m3", "e3m2")),
        (8, ("e4m3", "e5m2", "u8", "s8", "ue8m0", "ue4m3")),
        (16, ("f16", "bf16")),
        (32, ("tf32", "f32", "s32")),
    )
    for name in names
}

INDEX = Element("index", 4)
"""An index of the sparsity metadata (9.7.16.10.8)."""

PACKINGS = ("padded", "packed")
"""Arrangement in memory of elements of fewer than 8 bits."""

# Kinds that mix element sizes store 4-bit and 6-bit elements in the space of 8-bit elements: 16
# elements are packed at the start of 16 bytes, and the rest is padding (9.7.16.10.4.4).
PADDED_CONTAINER_BITS = 8

ELEMENT_RULE = rule("T5-TYPE-001", elements=alternatives(tuple(ELEMENTS)))


def element(name: str) -> Element:
    """The element type called `name`. Raises Violation."""
    if name not in ELEMENTS:
        raise ELEMENT_RULE.violation(name, tuple(ELEMENTS))
    return ELEMENTS[name]


def container_bits(bits: int, pads: bool) -> int:
    """The number of bits of shared memory that an element of `bits` bits occupies; `pads` is as in
    `kinds.Kind`."""
    return max(bits, PADDED_CONTAINER_BITS) if pads else bits


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

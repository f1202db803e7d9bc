"""Element types of the matrices."""

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

"""Element types of the matrices."""

from __future__ import annotations

from typing import NamedTuple

from tcgen05_dialect.isa.model.rule import rule


class Element(NamedTuple):
    """An element type; `bits` is the size of its value, tf32 counted with its padding to 32."""

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
"""How elements of fewer than 8 bits may lie in memory."""

# 4- and 6-bit elements of the kinds that mix them with 8-bit ones take the room of 8-bit elements:
# 16 of them lie packed at the start of 16 bytes, the rest is padding (9.7.16.10.4.4).
PADDED_CONTAINER_BITS = 8

ELEMENT_RULE = rule(
    "T5-TYPE-001",
    "9.7.16.10",
    subject="element type",
    statement="An element type is one that the descriptors can encode.",
    why="There is no code for other types.",
    fix=f"use {', '.join(ELEMENTS)} in descriptors, and the builtin types of these in types",
)


def element(name: str) -> Element:
    """The element type called `name`. Raises Violation."""
    if name not in ELEMENTS:
        raise ELEMENT_RULE.violation(name, tuple(ELEMENTS))
    return ELEMENTS[name]


def container_bits(bits: int, pads: bool) -> int:
    """Room in shared memory of an element of `bits` bits; `pads` as in `mma.Kind`."""
    return max(bits, PADDED_CONTAINER_BITS) if pads else bits

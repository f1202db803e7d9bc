"""What a tensor map says of a tensor and of the boxes copied from it (5.5; CUDA driver API,
cuTensorMapEncodeTiled)."""

from __future__ import annotations

from typing import NamedTuple

from tcgen05_dialect.isa.bulk_copy import DIMENSIONS
from tcgen05_dialect.isa.shared_memory_descriptor import SWIZZLES, UNIT_BYTES, Swizzle

ELEMENT_BITS = {
    "u8": 8,
    "u16": 16,
    "u32": 32,
    "s32": 32,
    "u64": 64,
    "s64": 64,
    "f16": 16,
    "bf16": 16,
    "tf32": 32,
    "f32": 32,
    "f64": 64,
}
"""The element types of 8 bits and more (5.5.1), and their bits."""
FLOATS = frozenset({"f16", "bf16", "tf32", "f32", "f64"})
ROUNDED_FROM = {"tf32": "f32"}
"""Element types to which a load rounds elements of another type, to nearest even (5.5.1); all
others are copied as they are."""
FILLS = ("zero", "nan")
"""What elements outside of the tensor are read as; `nan` goes with FLOATS only."""


class SubByteElement(NamedTuple):
    """An element type of fewer than 8 bits (5.5.1), `cuda` in the driver API: 16 elements lie
    packed in `unit_bytes` of shared memory, behind them padding. Where there is some the box has
    `extent` elements along the innermost dimension, and `swizzles` are the modes."""

    name: str
    cuda: str
    bits: int
    unit_bytes: int
    extent: int | None
    swizzles: tuple[str, ...]


_PADDED = 16, 128, ("no_swizzle", "swizzle_128b", "swizzle_128b_atom_32b")
SUB_BYTE_ELEMENTS = {
    element.name: element
    for element in (
        SubByteElement("b4x16", "16U4_ALIGN8B", 4, 8, None, tuple(SWIZZLES)),
        SubByteElement("b4x16_p64", "16U4_ALIGN16B", 4, *_PADDED),
        SubByteElement("b6x16_p32", "16U6_ALIGN16B", 6, *_PADDED),
    )
}
CUDA_ELEMENTS = {
    "u8": "UINT8",
    "f16": "FLOAT16",
    "bf16": "BFLOAT16",
    "tf32": "TFLOAT32",
} | {name: element.cuda for name, element in SUB_BYTE_ELEMENTS.items()}
"""Element types that an MMA multiplies -> what CU_TENSOR_MAP_DATA_TYPE_ precedes."""
CUDA_SWIZZLES = {
    "no_swizzle": "NONE",
    "swizzle_32b": "32B",
    "swizzle_64b": "64B",
    "swizzle_128b": "128B",
    "swizzle_128b_atom_32b": "128B_ATOM_32B",
}
"""Swizzle mode -> what CU_TENSOR_MAP_SWIZZLE_ precedes."""

RANKS = DIMENSIONS.values
GLOBAL_ALIGNMENT = 16
"""Bytes to which the tensor is aligned in global memory."""
EXTENTS = range(1, (1 << 32) + 1)
"""Elements of the tensor along each dimension."""
STRIDES = range(0, 1 << 40, GLOBAL_ALIGNMENT)
"""Bytes from an element to the next one along each dimension but the innermost, where there is
nothing between them."""
BOX_EXTENTS = range(1, 257)
"""Elements that the box spans along each dimension."""
ELEMENT_STRIDES = range(1, 9)
"""Of so many elements that the box spans one is copied. Ignored along the innermost dimension."""


def element_bytes(element: str) -> int:
    """Bytes of an element of ELEMENT_BITS."""
    return ELEMENT_BITS[element] // 8


def nan_bits(element: str) -> int:
    """The NaN that fills: the manual calls it special and gives no bits; this is the canonical one
    of its instructions."""
    return (1 << ELEMENT_BITS[element] - 1) - 1


def box_row_bytes(swizzle: Swizzle) -> range:
    """The legal bytes of the box along the innermost dimension."""
    longest = BOX_EXTENTS[-1] * max(ELEMENT_BITS.values()) // 8
    return range(UNIT_BYTES, (swizzle.width if swizzle.is_swizzled else longest) + 1, UNIT_BYTES)

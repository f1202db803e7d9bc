"""Tensor maps: descriptions of a tensor and of the boxes copied from it (5.5; CUDA driver API,
cuTensorMapEncodeTiled)."""

from __future__ import annotations

from typing import NamedTuple

from tcgen05_dialect.isa.float_format import FLOAT_FORMATS
from tcgen05_dialect.isa.ptx.bulk_copy import DIMENSIONS
from tcgen05_dialect.isa.shared_memory.swizzle import SWIZZLES, UNIT_BYTES, Swizzle

EXTENTS = range(1, (1 << 32) + 1)
"""Number of elements of the tensor along each dimension."""
BOX_EXTENTS = range(1, 257)
"""Number of elements of the box along each dimension."""
PACKED = 16
"""Number of elements of fewer than 8 bits in a group (5.5.1.1)."""


class Element(NamedTuple):
    """
    An element type of a tensor (5.5.1); `cuda` is its name in the driver API.

    Elements of fewer than 8 bits are packed in global memory (5.5.1.1). In shared memory, groups of
    PACKED elements are packed at the start of each `unit_bytes` bytes; a load leaves the rest
    uninitialised. A store takes the low `bits` bits of each `stored_bits` bits of shared memory;
    None means that the type has no store. The innermost extent of the tensor is a multiple of
    `multiple` elements. If `extent` is given, it is the innermost extent of the box, which begins
    at a multiple of it (9.7.9.25.5.1). The tensor and its strides are aligned to `alignment` bytes;
    `swizzles` are the legal modes.
    """

    name: str
    cuda: str
    bits: int
    unit_bytes: int
    stored_bits: int | None
    multiple: int = 1
    extent: int | None = None
    alignment: int = UNIT_BYTES
    swizzles: tuple[str, ...] = tuple(SWIZZLES)

    @property
    def item_bits(self) -> int:
        """Size in bits of the smallest item in memory: an element, or a byte with several
        elements."""
        return max(8, self.bits)

    @property
    def unit_payload(self) -> int:
        """Number of bytes with elements in each UNIT_BYTES bytes of shared memory."""
        return UNIT_BYTES * PACKED * self.bits // (8 * self.unit_bytes)

    @property
    def extents(self) -> range:
        """Legal numbers of elements of the tensor along the innermost dimension."""
        return EXTENTS[self.multiple - 1 :: self.multiple]

    @property
    def box_extents(self) -> range:
        """Legal numbers of elements of the box along the innermost dimension."""
        if self.extent is None:
            return BOX_EXTENTS[self.multiple - 1 :: self.multiple]
        return range(self.extent, self.extent + 1)

    @property
    def strides(self) -> range:
        """Legal strides in bytes along each dimension except the innermost, where elements are
        contiguous."""
        return range(0, 1 << 40, self.alignment)


def _whole(name: str, cuda: str, bits: int) -> Element:
    return Element(name, cuda, bits, PACKED * bits // 8, bits)


_PADDED = 128, 128, 32, ("no_swizzle", "swizzle_128b", "swizzle_128b_atom_32b")
ELEMENTS = {
    element.name: element
    for element in (
        _whole("u8", "UINT8", 8),
        _whole("u16", "UINT16", 16),
        _whole("u32", "UINT32", 32),
        _whole("s32", "INT32", 32),
        _whole("u64", "UINT64", 64),
        _whole("s64", "INT64", 64),
        _whole("f16", "FLOAT16", 16),
        _whole("bf16", "BFLOAT16", 16),
        _whole("tf32", "TFLOAT32", 32),
        _whole("f32", "FLOAT32", 32),
        _whole("f64", "FLOAT64", 64),
        Element("b4x16", "16U4_ALIGN8B", 4, 8, 4, multiple=2),
        Element("b4x16_p64", "16U4_ALIGN16B", 4, 16, None, *_PADDED),
        # Stores call it b6p2x16.
        Element("b6x16_p32", "16U6_ALIGN16B", 6, 16, 8, *_PADDED),
    )
}
SUB_BYTE_ELEMENTS = {name: element for name, element in ELEMENTS.items() if element.bits < 8}
CUDA_ELEMENTS = {name: element.cuda for name, element in ELEMENTS.items()}
"""Element type -> its name in the driver API, after CU_TENSOR_MAP_DATA_TYPE_."""
FLOATS = frozenset(FLOAT_FORMATS)
ROUNDED_FROM = {"tf32": "f32"}
"""Element type -> the type in global memory that a load rounds to it, to nearest even (5.5.1).
Other types are copied unchanged."""
FILLS = ("zero", "nan")
"""Values of elements read outside the tensor; `nan` is for FLOATS only."""
CUDA_SWIZZLES = {
    "no_swizzle": "NONE",
    "swizzle_32b": "32B",
    "swizzle_64b": "64B",
    "swizzle_128b": "128B",
    "swizzle_128b_atom_32b": "128B_ATOM_32B",
}
"""Swizzle mode -> its name in the driver API, after CU_TENSOR_MAP_SWIZZLE_."""

RANKS = DIMENSIONS.values
ELEMENT_STRIDES = range(1, 9)
"""Element strides: a copy takes every n-th element of the box. Ignored along the innermost
dimension."""


def nan_bits(element: str) -> int:
    """The bits of the NaN for elements outside the tensor. The manual calls it special and does not
    give its bits; this is the canonical NaN of arithmetic instructions."""
    return FLOAT_FORMATS[element].nan


def box_row_bytes(swizzle: Swizzle) -> range:
    """Legal sizes of the box along the innermost dimension, in bytes of shared memory."""
    longest = BOX_EXTENTS[-1] * max(element.bits for element in ELEMENTS.values()) // 8
    return range(UNIT_BYTES, (swizzle.width if swizzle.is_swizzled else longest) + 1, UNIT_BYTES)

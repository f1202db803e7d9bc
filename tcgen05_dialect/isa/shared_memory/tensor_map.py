"""What a tensor map says of a tensor and of the boxes copied from it (5.5; CUDA driver API,
cuTensorMapEncodeTiled)."""

from __future__ import annotations

from typing import NamedTuple

from tcgen05_dialect.isa.ptx.bulk_copy import DIMENSIONS
from tcgen05_dialect.isa.shared_memory.swizzle import SWIZZLES, UNIT_BYTES, Swizzle

EXTENTS = range(1, (1 << 32) + 1)
"""Elements of the tensor along each dimension."""
BOX_EXTENTS = range(1, 257)
"""Elements that the box spans along each dimension."""
PACKED = 16
"""Elements of fewer than 8 bits come in so many (5.5.1.1)."""


class Element(NamedTuple):
    """
    An element type of a tensor (5.5.1), `cuda` in the driver API.

    Elements of fewer than 8 bits are packed in global memory (5.5.1.1); in shared memory PACKED of
    them lie at the start of `unit_bytes`, as they are, and what is behind them a load leaves
    uninitialized. A store takes the low `bits` of each `stored_bits` of shared memory; None: there
    is no store. Along the innermost dimension the tensor has a multiple of `multiple` elements, and
    the box `extent` if that is given: then it begins at multiples, too (9.7.9.25.5.1). The tensor
    and its strides are aligned to `alignment` bytes; `swizzles` are the modes.
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
        """Bits of what memory holds whole: an element, or a byte with several."""
        return max(8, self.bits)

    @property
    def unit_payload(self) -> int:
        """Bytes of each UNIT_BYTES of shared memory that hold elements."""
        return UNIT_BYTES * PACKED * self.bits // (8 * self.unit_bytes)

    @property
    def extents(self) -> range:
        """Elements of the tensor along the innermost dimension."""
        return EXTENTS[self.multiple - 1 :: self.multiple]

    @property
    def box_extents(self) -> range:
        """Elements that the box spans along the innermost dimension."""
        if self.extent is None:
            return BOX_EXTENTS[self.multiple - 1 :: self.multiple]
        return range(self.extent, self.extent + 1)

    @property
    def strides(self) -> range:
        """Bytes from an element to the next one along each dimension but the innermost, where there
        is nothing between them."""
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
        # In stores this one is called b6p2x16.
        Element("b6x16_p32", "16U6_ALIGN16B", 6, 16, 8, *_PADDED),
    )
}
SUB_BYTE_ELEMENTS = {name: element for name, element in ELEMENTS.items() if element.bits < 8}
CUDA_ELEMENTS = {name: element.cuda for name, element in ELEMENTS.items()}
"""Element type -> what CU_TENSOR_MAP_DATA_TYPE_ precedes."""
FLOATS = frozenset({"f16", "bf16", "tf32", "f32", "f64"})
ROUNDED_FROM = {"tf32": "f32"}
"""Element types to which a load rounds elements of another type, to nearest even (5.5.1); all
others are copied as they are."""
FILLS = ("zero", "nan")
"""What elements outside of the tensor are read as; `nan` goes with FLOATS only."""
CUDA_SWIZZLES = {
    "no_swizzle": "NONE",
    "swizzle_32b": "32B",
    "swizzle_64b": "64B",
    "swizzle_128b": "128B",
    "swizzle_128b_atom_32b": "128B_ATOM_32B",
}
"""Swizzle mode -> what CU_TENSOR_MAP_SWIZZLE_ precedes."""

RANKS = DIMENSIONS.values
ELEMENT_STRIDES = range(1, 9)
"""Of so many elements that the box spans one is copied. Ignored along the innermost dimension."""


def nan_bits(element: str) -> int:
    """The NaN that fills: the manual calls it special and gives no bits; this is the canonical one
    of its instructions."""
    return (1 << ELEMENTS[element].bits - 1) - 1


def box_row_bytes(swizzle: Swizzle) -> range:
    """The legal bytes of the box along the innermost dimension, in shared memory."""
    longest = BOX_EXTENTS[-1] * max(element.bits for element in ELEMENTS.values()) // 8
    return range(UNIT_BYTES, (swizzle.width if swizzle.is_swizzled else longest) + 1, UNIT_BYTES)

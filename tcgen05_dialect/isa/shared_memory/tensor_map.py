"""Tensor maps: descriptions of a tensor and of the boxes copied from it (5.5; CUDA driver API,
cuTensorMapEncodeTiled)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from math import prod
from typing import NamedTuple

from tcgen05_dialect.isa.element import FLOAT_FORMATS
from tcgen05_dialect.isa.instructions.copies import DIMENSIONS
from tcgen05_dialect.isa.model.rule import Violation, extents_text, rule
from tcgen05_dialect.isa.shared_memory.descriptor import SWIZZLES, UNIT_BYTES, Swizzle

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
_BY_CONTAINER = {(each.bits, each.unit_bytes): each.name for each in SUB_BYTE_ELEMENTS.values()}
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

BOX_RULE = rule("T5-MAP-001")
BYTES_RULE = rule("T5-MAP-002")
SWIZZLE_RULE = rule("T5-MAP-003")
ORDER_RULE = rule("T5-MAP-004")
ELEMENT_RULE = rule("T5-MAP-005")


def element_type(element: str, bits: int, container_bits: int) -> str:
    """
    The element type of the tensor map for MMA elements of `bits` bits, each in a container of
    `container_bits` bits of shared memory. Element types that tensor maps lack are copied as bytes.
    """
    if element in ELEMENTS:
        return element
    return _BY_CONTAINER.get((bits, PACKED * container_bits // 8), "u8")


def fitting_elements(element: str, container_bits: int) -> frozenset[str]:
    """The element types of tensor maps that fill a tile of these MMA elements, each in a container
    of `container_bits` bits: other floating-point types are left out."""
    return frozenset(
        name
        for name, each in ELEMENTS.items()
        if each.unit_bytes * 8 // PACKED == container_bits and not is_other_float(name, element)
    )


def nan_bits(element: str) -> int:
    """The bits of the NaN for elements outside the tensor. The manual calls it special and does not
    give its bits; this is the canonical NaN of arithmetic instructions."""
    return FLOAT_FORMATS[element].nan


def is_other_float(element: str, read: str) -> bool:
    """Whether numbers of a floating-point type are read as those of another one of the same size.
    Reading f32 as tf32 is usual."""
    if element == read or not {element, read} <= FLOATS:
        return False
    return ELEMENTS[element].bits == ELEMENTS[read].bits and ROUNDED_FROM.get(read) != element


def box_row_bytes(swizzle: Swizzle) -> range:
    """Legal sizes of the box along the innermost dimension, in bytes of shared memory."""
    longest = BOX_EXTENTS[-1] * max(element.bits for element in ELEMENTS.values()) // 8
    return range(UNIT_BYTES, (swizzle.width if swizzle.is_swizzled else longest) + 1, UNIT_BYTES)


@dataclass(frozen=True)
class Box:
    """
    The part of a tensor that one copy moves, and its arrangement in shared memory.

    As in hardware, the innermost dimension comes first in `extents`, which count elements of the
    tensor. A copy moves every n-th element of an extent; `steps` has the n of each dimension, and
    is empty if all are 1.
    """

    extents: tuple[int, ...]
    element: str
    swizzle: str = "no_swizzle"
    steps: tuple[int, ...] = ()

    @property
    def kind(self) -> Element:
        """The element type."""
        return ELEMENTS[self.element]

    @property
    def mode(self) -> Swizzle:
        """The swizzle mode."""
        return SWIZZLES[self.swizzle]

    @cached_property
    def tile(self) -> tuple[int, ...]:
        """Number of copied elements along each dimension. The innermost step has no effect."""
        steps = (1, *self.steps[1:]) if self.steps else (1,) * len(self.extents)
        return tuple(-(-e // step) for e, step in zip(self.extents, steps, strict=True))

    @cached_property
    def bytes(self) -> int:
        """The bytes that complete on a barrier object: those of all elements of the tile, including
        elements outside the tensor, without padding."""
        return prod(self.tile) * self.kind.bits // 8

    @property
    def shared_bytes(self) -> int:
        """The bytes of shared memory that the tile occupies, with padding."""
        return prod(self.tile) * self.kind.unit_bytes // PACKED

    def violations(self) -> Iterator[Violation]:
        """Violations of BOX_RULE."""
        kind, rank, what = self.kind, len(self.extents), "extents of the box"
        if rank not in RANKS:
            legal = f"{min(RANKS)} to {max(RANKS)}"
            yield BOX_RULE.violation(rank, legal, f"the number of {what}")
        elif wrong := [extent for extent in self.extents if extent not in BOX_EXTENTS]:
            yield BOX_RULE.violation(
                extents_text(wrong), numbers_text(BOX_EXTENTS), f"each of the {what}"
            )
        elif self.extents[0] not in kind.box_extents:
            subject = f"for {self.element}, the innermost of the {what}"
            yield BOX_RULE.violation(self.extents[0], numbers_text(kind.box_extents), subject)
        else:
            yield from self._swizzle_violations()

    def _swizzle_violations(self) -> Iterator[Violation]:
        kind = self.kind
        if self.swizzle not in kind.swizzles:
            what = f"the swizzle mode of a tensor map of {self.element}"
            yield BOX_RULE.violation(self.swizzle, kind.swizzles, what)
            return
        mode = self.mode
        row = self.extents[0] * kind.unit_bytes // PACKED
        legal = box_row_bytes(mode)
        what = f"the number of bytes in a row of the box with {self.swizzle}"
        if row not in legal:
            shown = legal if mode.is_swizzled else numbers_text(legal)
            yield BOX_RULE.violation(row, shown, what)

    def open_violations(self) -> Iterator[Violation]:
        """Violations of BOX_RULE if the box is legal, but the documentation does not say where its
        rows are in shared memory."""
        mode, row = self.mode, self.extents[0] * self.kind.unit_bytes // PACKED
        if mode.is_swizzled and row < mode.width and prod(self.tile[1:]) > 1:
            what = f"the number of bytes in a row of the box with {self.swizzle}"
            help = (
                "lengthen the rows, or use a box of one row: the manual does not say where shorter "
                "rows are"
            )
            yield BOX_RULE.violation(row, mode.width, what, help=help)


def numbers_text(legal: range) -> str:
    """Text of a range of legal numbers."""
    if len(legal) == 1:
        return str(legal[0])
    if legal.step == 1:
        return f"{legal[0]} to {legal[-1]}"
    return f"a multiple of {legal.step}, at most {legal[-1]}"

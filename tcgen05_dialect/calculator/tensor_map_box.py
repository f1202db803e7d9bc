"""Tensor map boxes that fill a tile of shared memory for an MMA."""

from __future__ import annotations

from dataclasses import dataclass

from tcgen05_dialect.calculator.question import QuestionError
from tcgen05_dialect.isa.shared_memory import tensor_map
from tcgen05_dialect.isa.shared_memory.layout import SharedMemoryLayout
from tcgen05_dialect.isa.shared_memory.swizzle import SWIZZLES


@dataclass(frozen=True, slots=True)
class Box:
    """
    The box of a two-dimensional tensor map, and the copies that fill a tile. The major dimension
    comes first.

    Copy (i, j) begins at element `i * extents[0]` of the major dimension and `j * extents[1]` of
    the other. Its destination is byte `i * steps[0] + j * steps[1]` of the tile.
    """

    element: str
    swizzle: str
    extents: tuple[int, int]
    copies: tuple[int, int]
    steps: tuple[int, int]


def box_of(tile: SharedMemoryLayout, element: str) -> Box:
    """
    The box that fills a legal tile of elements of this type.

    Raises QuestionError if no two-dimensional box fills it.
    """
    kind = tensor_map.element_type(element, tile.bits, tile.container_bits)
    mode = SWIZZLES[tile.swizzle]
    major_extent, rows = (tile.mn, tile.k) if tile.transposed else (tile.k, tile.mn)
    atom_major, atom_rows = reversed(tile.atom) if not tile.transposed else tile.atom
    major_stride, row_stride = tile.k_stride, tile.mn_stride
    if tile.transposed:
        major_stride, row_stride = row_stride, major_stride
    atoms = major_extent // atom_major
    sub_byte = tensor_map.SUB_BYTE_ELEMENTS.get(kind)
    if sub_byte is not None:
        if tile.swizzle not in sub_byte.swizzles:
            raise QuestionError(f"swizzle of a box of {kind}", tile.swizzle, sub_byte.swizzles)
        if sub_byte.extent not in (None, atom_major):
            found = f"{atom_major}, a row of the {tile.swizzle} atom"
            raise QuestionError(f"elements of a row of a box of {kind}", found, sub_byte.extent)
    # A box is as wide as an atom. It is several atoms high if these are contiguous.
    height = atom_rows
    if atoms == 1 or row_stride == tile.atom_bytes:
        most = min(rows, tensor_map.BOX_EXTENTS[-1])
        height = max(h for h in range(atom_rows, most + 1, atom_rows) if rows % h == 0)
    copies = (atoms, rows // height)
    return Box(
        kind,
        mode.name,
        (atom_major, height),
        copies,
        (major_stride, height // atom_rows * row_stride),
    )

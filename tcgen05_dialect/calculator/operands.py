"""Operands of an MMA by name, in each memory that the ISA allows, and the boxes that load them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ..isa.element import INDEX, container_bits, element
from ..isa.mma.scale import CELL_BYTES, ScaleFactors
from ..isa.mma.shapes import Position, stored_elements
from ..isa.mma.sparse import GRANULARITIES, metadata_positions
from ..isa.model.rule import raise_any
from ..isa.shared_memory import tensor_map
from ..isa.shared_memory.descriptor import (
    ROW_BYTES,
    SWIZZLES,
    UNIT_BYTES,
    VARIABLE_ALIGNMENT,
    SharedMemoryDescriptor,
    swizzle,
)
from ..isa.shared_memory.layout import SharedMemoryLayout, swizzle_modes
from ..isa.targets import SHARED_BYTES, SHARED_RULE
from ..isa.tensor_memory.alloc import (
    CELL_BITS,
    WARP_LANES,
    Cell,
    column_violations,
    unpack,
)
from ..isa.tensor_memory.copies import PAYLOAD_BITS
from . import ColourGroup, Placement, QuestionError
from .access import Matrix, SharedMatrix, TensorMatrix, row_group
from .multiplication import Multiplication


def tensor_d(mma: Multiplication, name: str, placement: Placement) -> TensorMatrix:
    """The accumulator; each cell holds one element."""
    layout, origin = mma.layout, unpack(placement.address)
    width, together = layout.columns(mma.n), _together(mma)

    def group(m: int, n: int) -> ColourGroup:
        found, fold = row_group("m", mma.m, m, together), n // width
        if layout.folds == 1:
            return found
        name = f"{found.name}, n {fold * width}-{(fold + 1) * width - 1}"
        return ColourGroup(name, found.hue + fold * -(-mma.m // together), found.shade)

    return replace(
        _in_lanes_of_d(
            mma,
            name,
            ("n", mma.n),
            (element(mma.d).bits, CELL_BITS),
            origin,
            lambda m, n: (layout.position(m, n, mma.n, origin.lane),),
            width,
        ),
        group=group,
    )


def tensor_a(mma: Multiplication, name: str, placement: Placement) -> TensorMatrix:
    """A in tensor memory; elements of less than 8 bits occupy 8 bits if the kind pads them."""
    layout, bits, origin = mma.layout, element(mma.a).bits, unpack(placement.address)
    room = container_bits(bits, mma.pads)
    made = _in_lanes_of_d(
        mma,
        name,
        ("k", stored_elements(mma.extent_k(), mma.sparse)),
        (bits, room),
        origin,
        lambda m, k: layout.a_positions(m, k, room, origin.lane),
    )
    return replace(made, shift=PAYLOAD_BITS[bits] if room > bits else 0)


def tensor_metadata(mma: Multiplication, name: str, placement: Placement) -> TensorMatrix:
    """The sparsity metadata; columns are relative to the one that the selector selects."""
    if not mma.sparse:
        raise QuestionError("metadata of an MMA", "dense", "sparse")
    layout, origin = mma.layout, unpack(placement.address)
    return _in_lanes_of_d(
        mma,
        name,
        ("chunk", mma.extent_k() // GRANULARITIES[mma.kind].chunk),
        (INDEX.bits, INDEX.bits),
        origin,
        lambda m, chunk: metadata_positions(mma.kind, layout, m, chunk, origin.lane),
    )


def _together(mma: Multiplication) -> int:
    """The number of rows in the lanes of one warp."""
    return WARP_LANES // 2 if mma.layout.is_half else WARP_LANES


def _in_lanes_of_d(
    mma: Multiplication,
    name: str,
    second: tuple[str, int],
    bits: tuple[int, int],
    origin: Cell,
    positions: Callable[[int, int], tuple[Position, ...]],
    width: int | None = None,
) -> TensorMatrix:
    """A matrix whose rows are in the lanes of D. `second` is the name and the extent of the other
    index; `bits` is the size of an element and the size that it occupies."""
    mma.layout.check_lane(origin.lane)
    width = -(-second[1] * bits[1] // CELL_BITS) if width is None else width
    raise_any(column_violations(origin.column, width, f"columns of {name}"))
    return TensorMatrix(
        name=name,
        what=f"{name} of {mma}, layout {mma.layout.name}",
        names=("m", second[0]),
        extents=(mma.m, second[1]),
        bits=bits[0],
        ctas=mma.cta_group,
        group=lambda m, _: row_group("m", mma.m, m, _together(mma)),
        origin=origin,
        width=width,
        room=bits[1],
        positions=positions,
    )


_MAX_BYTES = max(SHARED_BYTES.values())
_USUAL_SWIZZLE = "swizzle_128b"


def tile(mma: Multiplication, name: str, placement: Placement) -> SharedMemoryLayout:
    """
    The part of A or B that each CTA holds. Each CTA of a pair holds half of the rows of A or of the
    columns of B. Of a sparse A, it holds the stored elements.

    By default, K is that of one instruction, rounded up to whole atoms, and the swizzle mode is
    swizzle_128b unless only another one is legal. Raises Violation and
    QuestionError.
    """
    bits = element(mma.a if name == "A" else mma.b).bits
    mn = (mma.m if name == "A" else mma.n) // mma.cta_group
    modes = swizzle_modes(bits, placement.major)
    mode = placement.swizzle or (modes[0] if len(modes) == 1 else _USUAL_SWIZZLE)
    swizzle(mode)

    def made(k: int) -> SharedMemoryLayout:
        return SharedMemoryLayout(
            mn, k, bits, placement.major, mode, placement.atom_order, mma.pads
        )

    of_one = 2 if name == "A" and mma.sparse else 1
    found = made(mma.extent_k(made(1).atom[1] * of_one) // of_one)
    found.verify()
    check_bytes(name, placement.address, found.size_bytes, found.alignment)
    return found


def check_bytes(name: str, address: int, size: int, alignment: int) -> None:
    """Raise Violation if a matrix does not fit into shared memory at this address."""
    if size > _MAX_BYTES:
        raise SHARED_RULE.violation(size, f"up to {_MAX_BYTES}", f"bytes of {name}")
    SharedMemoryDescriptor(address, 0, 0).verify()
    if address % alignment:
        legal = f"multiples of {alignment}"
        raise VARIABLE_ALIGNMENT.violation(address, legal, f"address of {name}")


def shared_tile(mma: Multiplication, name: str, placement: Placement) -> SharedMatrix:
    """A or B, with one tile in each CTA."""
    layout = tile(mma, name, placement)
    mode, row_bits = swizzle(layout.swizzle), ROW_BYTES * 8
    chunk, unit = mode.chunk * 8 // layout.container_bits, UNIT_BYTES * 8
    other = "m" if name == "A" else "n"

    def offsets(mn: int, k: int) -> tuple[tuple[int, int, int, int], ...]:
        cta, mn = divmod(mn, layout.mn)
        byte, bit = divmod(layout.bit_offset(mn, k), 8)
        return ((cta, byte, layout.linear_byte_offset(mn, k), bit),)

    def group(mn: int, k: int) -> ColourGroup:
        """The colour of a swizzle chunk; successive atoms alternate between two shades."""
        along, across = (mn, k) if layout.transposed else (k, mn)
        hue, name = along // chunk, other if layout.transposed else "k"
        name = f"{name} {hue * chunk}-{(hue + 1) * chunk - 1}"
        return ColourGroup(name, hue, across // mode.atom_rows % 2)

    return SharedMatrix(
        name=name,
        what=f"{name} of {mma}, {layout.major}, {layout.swizzle}",
        names=(other, "k"),
        extents=(layout.mn * mma.cta_group, layout.k),
        flipped=name == "B",
        bits=layout.bits,
        ctas=mma.cta_group,
        group=group,
        address=placement.address,
        size=layout.size_bytes,
        slots=tuple(
            first + bit
            for first in range(0, row_bits, unit)
            for bit in range(0, unit * layout.bits // layout.container_bits, layout.bits)
        ),
        offsets=offsets,
    )


_BITS = CELL_BITS // CELL_BYTES
"""Number of bits of a scale factor."""


class Scales:
    """SFA or SFB. Each CTA holds the scale factors of its own rows of A and of all columns of B."""

    def __init__(self, mma: Multiplication, name: str):
        self.ctas, is_a = mma.cta_group, name == "SFA"
        index, self.rows = ("m", mma.m) if is_a else ("n", mma.n)
        self._is_split = is_a
        folds, parts = (1, mma.cta_group) if is_a else (mma.layout.folds, 1)
        self.matrix = ScaleFactors(self.rows // parts, mma.scale_factors, folds)
        """The scale factors of one CTA."""
        self.description: dict[str, Any] = {
            "name": name,
            "what": f"{name} of {mma}",
            "names": (index, "factor"),
            "extents": (self.rows, self.matrix.factors),
            "flipped": not is_a,
            "bits": _BITS,
            "ctas": mma.cta_group,
            "group": self._group,
        }

    def _group(self, row: int, _: int) -> ColourGroup:
        return row_group("m" if self._is_split else "n", self.rows, row)

    def split(self, row: int) -> tuple[Collection[int], int]:
        """The CTAs that hold the factors of a row, and the index of the row in each."""
        cta, row = divmod(row, self.matrix.rows)
        return ((cta,) if self._is_split else range(self.ctas)), row


def tensor_scales(mma: Multiplication, name: str, placement: Placement) -> TensorMatrix:
    """Scale factors in tensor memory, with a copy for each warp that needs them."""
    scales, origin = Scales(mma, name), unpack(placement.address)
    raise_any(
        column_violations(origin.column, scales.matrix.used_columns, f"columns of {name}")
        or scales.matrix.column_violations(origin.column)
    )
    if origin.lane:
        raise QuestionError(f"lane of {name}", origin.lane, 0)

    def positions(row: int, factor: int) -> tuple[Position, ...]:
        ctas, row = scales.split(row)
        lanes, column, byte = scales.matrix.position(row, factor)
        return tuple(Position(cta, lane, column, byte * _BITS) for cta in ctas for lane in lanes)

    return TensorMatrix(
        **scales.description,
        origin=origin,
        width=scales.matrix.columns,
        room=_BITS,
        positions=positions,
    )


def shared_scales(mma: Multiplication, name: str, placement: Placement) -> SharedMatrix:
    """Scale factors in shared memory, in the layout that tcgen05.cp with shape 32x128b expects."""
    scales = Scales(mma, name)
    check_bytes(name, placement.address, scales.matrix.size_bytes, UNIT_BYTES)

    def offsets(row: int, factor: int) -> tuple[tuple[int, int, int, int], ...]:
        ctas, row = scales.split(row)
        byte = scales.matrix.byte_offset(row, factor)
        return tuple((cta, byte, byte, 0) for cta in ctas)

    return SharedMatrix(
        **scales.description,
        address=placement.address,
        size=scales.matrix.size_bytes,
        slots=tuple(range(0, ROW_BYTES * 8, _BITS)),
        offsets=offsets,
    )


Maker = Callable[[Multiplication, str, Placement], Matrix]

OPERANDS: Mapping[str, Mapping[str, Maker]] = {
    "A": {"shared": shared_tile, "tensor": tensor_a},
    "B": {"shared": shared_tile},
    "D": {"tensor": tensor_d},
    "SFA": {"tensor": tensor_scales, "shared": shared_scales},
    "SFB": {"tensor": tensor_scales, "shared": shared_scales},
    "metadata": {"tensor": tensor_metadata},
}
"""Operand -> memory, the usual one first -> function that creates the matrix."""
_USUAL = Placement()
MEMORIES = tuple(dict.fromkeys(memory for made in OPERANDS.values() for memory in made))


def operand_matrix(mma: Multiplication, name: str, placement: Placement = _USUAL) -> Matrix:
    """The operand of an MMA as a matrix in memory. Raises Violation and QuestionError."""
    return OPERANDS[name][memory_of(name, placement)](mma, name, placement)


def memory_of(name: str, placement: Placement) -> str:
    """The memory of an operand. Raises QuestionError."""
    if name not in OPERANDS:
        raise QuestionError("matrix", name, tuple(OPERANDS))
    made = OPERANDS[name]
    memory = placement.memory or next(iter(made))
    if memory not in made:
        raise QuestionError(f"memory of {name}", memory, tuple(made))
    return memory


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
    """The box that fills a legal tile of elements of this type. Raises QuestionError if no
    two-dimensional box fills it."""
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

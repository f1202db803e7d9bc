"""
Reads of tensor core operands: matrices in shared memory; A, the sparsity metadata and the scale
factors in tensor memory.

Matrices in tensor memory have axes (CTA, copy, row, k): each data path reads its own copy
(`DataPathLayout.a_positions`).

Collector buffers of a tensor core: they keep A, or B of .ws products, for the next product
(9.7.16.10.9).

A buffer only saves the hardware a second read of the matrix; the emulator always reads it. It
checks that the preceding product, in issue order, left the same operand with the same elements in
the buffer.
"""

from collections.abc import Hashable, MutableMapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from ...isa.element import container_bits
from ...isa.mma.operation import Form
from ...isa.mma.scale import CELL_BYTES, ScaleFactors
from ...isa.mma.shapes import DEFAULT_COLLECTOR, REUSING, DataPathLayout
from ...isa.mma.sparse import GRANULARITIES, INDEX_BITS, INDEX_RULE, INDICES, metadata_positions
from ...isa.practice import BOUNDS, COLLECTOR, SCALE_COPIES, UNWRITTEN
from ...isa.shared_memory.descriptor import K_EXTENT, ROW_BYTES, SWIZZLES, SharedMemoryDescriptor
from ...isa.shared_memory.layout import AtomGrid
from ...isa.tensor_memory.alloc import CELL_BITS, Cell
from ...isa.tensor_memory.copies import PAYLOAD_BITS
from ..numbers.floats import every, some
from ..order.shadow import Where
from .tensor_memory import WINDOW_BYTES, Memory, TensorMemory, block, lane_index

Matrix = npt.NDArray[Any]


def stacked(matrices: Sequence[Matrix]) -> Matrix:
    """Stack the matrices of all CTAs along a CTA axis; a single matrix is not copied."""
    return matrices[0][None] if len(matrices) == 1 else np.stack(matrices)


class _Places(NamedTuple):
    """Positions of elements in a memory: `offsets` in units of `size` bytes, `shifts` in bits.
    `where` contains all their bytes."""

    offsets: npt.NDArray[np.intp]
    size: int
    shifts: npt.NDArray[np.uint16] | None
    where: Where


@lru_cache(maxsize=256)
def _places_of(
    descriptor: SharedMemoryDescriptor,
    transposed: bool,
    rows: int,
    k: int,
    bits: int,
    pads: bool,
    base: int,
) -> _Places:
    """Positions of a matrix. The stages of a ring differ only in the place of the same pattern."""
    start = descriptor.start_address
    shift = 0
    if not descriptor.leading_absolute:
        shift = start - start % SWIZZLES[descriptor.swizzle].pattern_bytes
    first = replace(descriptor, start_address=start - shift)
    pattern = _pattern_of(first, transposed, rows, k, bits, pads, base)
    if not shift:
        return pattern
    inside, (extent,) = pattern.where, pattern.where.bounds
    where = Where(
        (range(extent.start + shift, extent.stop + shift),), lambda: cast(Any, inside.index) + shift
    )
    offsets = pattern.offsets + shift // pattern.size
    return _Places(offsets, pattern.size, pattern.shifts, where)


@lru_cache(maxsize=64)
def _pattern_of(
    descriptor: SharedMemoryDescriptor,
    transposed: bool,
    rows: int,
    k: int,
    bits: int,
    pads: bool,
    base: int,
) -> _Places:
    swizzle = SWIZZLES[descriptor.swizzle]
    leading = 0 if descriptor.leading_absolute else descriptor.leading_byte_offset
    stride = descriptor.stride_byte_offset
    grid = AtomGrid.described(swizzle, bits, pads, transposed, leading, stride)
    mn, kk = np.arange(rows)[:, None], np.arange(k)[None]
    linear: Any = grid.linear_bits(mn, kk)
    address: Any = linear // 8 + descriptor.start_address
    if swizzle.is_swizzled and not transposed:
        # Only an absolute leading address gives the position of the next atom along K.
        before = descriptor.start_address % swizzle.width
        inside = before + kk * container_bits(bits, pads) // 8
        behind = inside >= swizzle.width
        if some(behind) and not descriptor.leading_absolute:
            raise K_EXTENT.violation(
                f"{before} to {int(inside.max())}",
                range(swizzle.width),
                f"bytes of K in rows of {descriptor.swizzle}",
            )
        rows_at: Any = grid.linear_bits(mn, 0) // 8
        second = descriptor.leading_byte_offset + rows_at + inside - swizzle.width
        address = cast(Any, np.where(behind, second, address))
    phase = descriptor.base_offset * ROW_BYTES
    address = cast(Any, swizzle).apply(address - phase) + phase - base
    size = max(1, container_bits(bits, False) // 8)
    shifts = (linear % 8).astype(np.uint16) if bits % 8 else None
    first, end = int(address.min()), int(address.max()) + size
    offsets = (address // size).astype(np.intp)

    def all_bytes() -> npt.NDArray[np.int32]:
        found = np.zeros(end - first, np.bool_)
        at = offsets.ravel() * size - first
        for byte in range(size):
            found[at + byte] = True
        return (np.flatnonzero(found) + first).astype(np.int32)

    return _Places(offsets, size, shifts, Where((range(first, end),), all_bytes))


@dataclass(eq=False)
class SharedMatrix:
    """Matrix of rows x k elements in the shared memory of a CTA."""

    memory: Memory
    descriptor: SharedMemoryDescriptor
    transposed: bool
    rows: int
    k: int
    bits: int
    pads: bool

    @property
    def _base(self) -> int:
        return self.memory.base % WINDOW_BYTES

    @cached_property
    def _places(self) -> _Places:
        """Positions of the elements. Raises Violation if they are out of bounds."""
        base, memory = self._base, self.memory
        places = _places_of(
            self.descriptor, self.transposed, self.rows, self.k, self.bits, self.pads, base
        )
        (extent,) = places.where.bounds
        first, end = extent.start, extent.stop
        if first < 0 or end > memory.bytes.size:
            raise BOUNDS.says(
                f"a matrix from {base + first:#x} to {base + end:#x} is not inside {memory.name}, "
                f"{base:#x} to {base + memory.bytes.size:#x}",
            )
        return places

    def cells(self) -> Where:
        """Bytes of the matrix; equal positions share one object. Raises Violation."""
        return self._places.where

    def positions(self) -> Matrix:
        """Bit of the memory at which each element begins, with axes (row, k). Raises Violation."""
        offsets, size, shifts, _ = self._places
        return offsets * size * 8 + (0 if shifts is None else shifts)

    def read(self) -> Matrix:
        """Read the bits of the elements, right-aligned. Raises Violation."""
        memory = self.memory
        offsets, size, shifts, where = self._places
        first, end = where.bounds[0].start, where.bounds[0].stop
        if not every(memory.written[first:end]):
            _check_written(memory, where, self._base)
        if shifts is None:
            units = memory.bytes[: memory.bytes.size // size * size].view(f"u{size}")
            return units.take(offsets)
        # Elements of 6 bits may begin in one byte and end in the next.
        window = np.append(memory.bytes[first:end], np.uint8(0)).astype(np.uint16)
        pair = window.take(offsets - first) | window.take(offsets - first + 1) << np.uint16(8)
        return pair >> shifts & np.uint16((1 << self.bits) - 1)


def _check_written(memory: Memory, where: Where, base: int) -> None:
    written = memory.written[where.index]
    if not every(written):
        missing = memory.shadow.cells(where)[~written]
        found = f"the byte at {base + int(missing[0]):#x} of {memory.name} was never written"
        raise UNWRITTEN.says(f"{found}, but a matrix contains it")


@lru_cache(maxsize=64)
def _a_lanes(layout: DataPathLayout, lane: int) -> npt.NDArray[np.intp]:
    """Lanes of A in each CTA, with axes (copy, row)."""
    rows = [layout.a_positions(row, 0, CELL_BITS, lane) for row in range(layout.rows)]
    return np.array([[place.lane for place in places] for places in rows]).T


def a_in_tensor_memory(
    memories: Sequence[TensorMemory],
    layout: DataPathLayout,
    k: int,
    bits: int,
    pads: bool,
    cell: Cell,
) -> Matrix:
    """Read the bits of A, k elements of each row, right-aligned. Raises Violation."""
    room = container_bits(bits, pads)
    places = [layout.a_positions(0, at, room)[0] for at in range(k)]
    shift = PAYLOAD_BITS[bits] if room > bits else 0
    columns = np.array([place.column for place in places])
    shifts = np.array([place.bit + shift for place in places], np.uint32)
    lanes = _a_lanes(layout, cell.lane)
    width = int(columns[-1]) + 1
    index = lane_index(lanes)
    words = stacked([memory.read_block(index, cell.column, width) for memory in memories])
    words = words.reshape(-1, *lanes.shape, width)
    return words[..., columns] >> shifts & np.uint32((1 << bits) - 1)


@lru_cache(maxsize=64)
def a_cells(layout: DataPathLayout, columns: int, cell: Cell) -> Where:
    """Cells of A: `columns` columns of each row."""
    lanes = _a_lanes(layout, cell.lane)
    return block(lanes, cell.column, columns)


@lru_cache(maxsize=64)
def _index_places(kind: str, layout: DataPathLayout, chunks: int, lane: int) -> Matrix:
    """Lane, column and bit of the metadata in each CTA, with axes (copy, row, chunk)."""
    found = [
        [metadata_positions(kind, layout, row, chunk, lane) for chunk in range(chunks)]
        for row in range(layout.rows)
    ]
    return np.array([[[p[1:] for p in copies] for copies in row] for row in found]).transpose(
        3, 2, 0, 1
    )


@lru_cache(maxsize=64)
def index_cells(kind: str, layout: DataPathLayout, chunks: int, cell: Cell) -> Where:
    """Cells of the metadata of `chunks` chunks."""
    lanes, columns, _ = _index_places(kind, layout, chunks, cell.lane)
    return Where.at(lanes, columns + cell.column)


@lru_cache(maxsize=8)
def _index_positions(kind: str) -> tuple[Matrix, Matrix]:
    """For each index: whether it is legal, and the positions in the chunk that it selects."""
    granularity = GRANULARITIES[kind]
    indices = range(1 << INDEX_BITS)
    legal = INDICES.values("index", granularity=granularity.name)
    positions = np.array([granularity.positions(index) for index in indices])
    return np.array([index in legal for index in indices]), positions


def expanded(
    memories: Sequence[TensorMemory],
    kind: str,
    layout: DataPathLayout,
    stored: Matrix,
    cell: Cell,
) -> Matrix:
    """
    Expand a sparse A to its full size. `stored` holds the stored elements with axes (CTA, copy,
    row, stored k); the metadata begins at `cell`.

    Raises Violation, also for a reserved index.
    """
    granularity = GRANULARITIES[kind]
    ctas, _, rows, elements = stored.shape
    chunks = elements // granularity.stored
    lanes, columns, bits = _index_places(kind, layout, chunks, cell.lane)
    words = stacked([memory.read(lanes, columns + cell.column) for memory in memories])
    indices = words >> bits.astype(np.uint32) & np.uint32((1 << INDEX_BITS) - 1)
    meaningful, positions = _index_positions(kind)
    if not every(meaningful[indices]):
        cta, copy, row, chunk = np.argwhere(~meaningful[indices])[0]
        raise INDEX_RULE.violation(
            f"{int(indices[cta, copy, row, chunk]):#06b} for chunk {chunk} of row "
            f"{int(cta) * rows + int(row)} of A",
            tuple(f"{index:#06b}" for index in np.flatnonzero(meaningful)),
            f"index of the metadata, granularity {granularity.name}",
        )
    copies = indices.shape[1]
    full = np.zeros((ctas, copies, rows, chunks, granularity.chunk))
    values = stored.reshape(ctas, -1, rows, chunks, granularity.stored)
    where = positions[indices]
    np.put_along_axis(full, where, np.broadcast_to(values, where.shape), axis=-1)
    return full.reshape(ctas, copies, rows, chunks * granularity.chunk)


@lru_cache(maxsize=64)
def _scale_places(scales: ScaleFactors, first: int, count: int) -> tuple[Matrix, Matrix, Matrix]:
    """Lanes with axes (copy, row); columns and lowest bits with axes (row, factor)."""
    places = [
        [scales.position(row, factor) for factor in range(first, first + count)]
        for row in range(scales.rows)
    ]
    lanes = np.array([row[0].lanes for row in places]).T
    columns = np.array([[place.column for place in row] for row in places])
    bits = np.array([[place.byte * 8 for place in row] for row in places], np.uint32)
    return lanes, columns, bits


@lru_cache(maxsize=64)
def scale_cells(scales: ScaleFactors, first: int, count: int, cell: Cell) -> Where:
    """Cells of the scale factors, with axes (copy, row, factor)."""
    lanes, columns, _ = _scale_places(scales, first, count)
    return Where.at(lanes[..., None], columns + cell.column)


def scale_factors(
    memory: TensorMemory, name: str, scales: ScaleFactors, first: int, count: int, cell: Cell
) -> Matrix:
    """
    Read `count` scale factors of each row, beginning at `first`, as bits with axes (row, factor).

    Raises Violation, also if the copies for the warps differ.
    """
    lanes, columns, bits = _scale_places(scales, first, count)
    words = memory.read(lanes[..., None], columns + cell.column)
    factors = words >> bits & np.uint32((1 << CELL_BITS // CELL_BYTES) - 1)
    if some(factors != factors[0]):
        copy, row, factor = (int(at) for at in np.argwhere(factors != factors[0])[0])
        raise SCALE_COPIES.says(
            f"{name}, factor {factor} of row {row}, is {factors[copy, row, factor]:#x} in lane "
            f"{lanes[copy, row]} and {factors[0, row, factor]:#x} in lane {lanes[0, row]} of "
            f"{memory.name}",
        )
    return factors[0]


_FILL, _LAST_USE = "fill", "lastuse"


@dataclass(eq=False)
class Collected:
    """Matrix in a buffer: the identity of the operand, and its elements once a product has read
    them."""

    operand: Hashable
    elements: npt.NDArray[Any] | None = None

    def check(self, elements: npt.NDArray[Any], buffer: str) -> None:
        """Raise Violation if an earlier product read other elements."""
        if self.elements is None:
            self.elements = elements
        elif not np.array_equal(self.elements, elements):
            found = f"the matrix in collector buffer {buffer} has changed since the fill"
            raise COLLECTOR.says(found)


def buffer_of(form: Form) -> str:
    """The buffer of a product, named or by default."""
    return form.collector_buffer or DEFAULT_COLLECTOR[form.product.ws][0]


Collectors = MutableMapping[str, Collected]
"""Collector buffer of a CTA -> the matrix that it holds."""


def collect(form: Form, ctas: Sequence[Collectors], operand: Hashable) -> Collected | None:
    """
    Update the buffer for a product that is issued, and return its content, None if discarded.

    Raises Violation if the product reuses a buffer that does not hold the operand.
    """
    buffer, op = buffer_of(form), form.collector_op or DEFAULT_COLLECTOR[form.product.ws][1]
    collected = ctas[0].get(buffer)
    if op in REUSING:
        held = [collectors.get(buffer) for collectors in ctas]
        if collected is None or any(other is not collected for other in held):
            raise _violation(buffer, op, "no matrix")
        if collected.operand != operand:
            raise _violation(buffer, op, "another matrix")
    else:
        collected = Collected(operand) if op == _FILL else None
    for collectors in ctas:
        if collected is None or op == _LAST_USE:
            collectors.pop(buffer, None)
        else:
            collectors[buffer] = collected
    return collected


def _violation(buffer: str, op: str, found: str) -> Exception:
    return COLLECTOR.says(f"{op} of collector buffer {buffer}, which holds {found}")

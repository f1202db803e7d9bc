"""Record of a run: the copy that loaded each tile, the MMAs that read it, and the matrices that
were multiplied, with the elements of arrays from which they come."""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import prod
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
from xdsl.ir import Operation

from ...isa.shared_memory.descriptor import UNIT_BYTES
from ...isa.shared_memory.tensor_map import ELEMENTS
from ...isa.tensor_memory.alloc import Cell
from ..machine.operands import SharedMatrix
from ..machine.state import Cta
from ..machine.tensor_map import TensorMap
from ..machine.tensor_memory import Memory, TensorMemory
from ..numbers.floats import every
from ..order.shadow import Where

Integers = npt.NDArray[np.int64]
_UNIT_BITS = UNIT_BYTES * 8


@dataclass(eq=False)
class Tile:
    """A box of a tensor that a copy wrote to shared memory, from byte `first` of it on."""

    op: Operation
    map: TensorMap
    origin: tuple[int, ...]
    first: int
    size: int
    address: int
    """Address of byte `first`, on which the swizzle depends."""
    place: str
    read: set[Where] = field(default_factory=set[Where])
    """The bytes that tensor core operations have read."""

    @cached_property
    def span(self) -> range:
        """Its bytes in the memory."""
        return range(self.first, self.first + self.size)

    @cached_property
    def _units(self) -> Integers:
        """For each unit of UNIT_BYTES bytes in shared memory its number in the tile, or -1."""
        places = self.map.places(self.address)
        found = np.full(self.size // UNIT_BYTES, -1)
        found[places] = np.arange(places.size)
        return found

    def linear(self, bits: Integers) -> Integers:
        """For bits of the shared memory their positions in the tile without swizzle and padding;
        -1 outside it."""
        inside = (bits >= self.span.start * 8) & (bits < self.span.stop * 8)
        unit, rest = np.divmod(np.where(inside, bits - self.first * 8, 0), _UNIT_BITS)
        payload = self._kind.unit_payload * 8
        number = self._units[unit]
        return np.where(inside & (number >= 0) & (rest < payload), number * payload + rest, -1)

    @property
    def _kind(self) -> Any:
        return ELEMENTS[self.map.element]

    @property
    def element_bits(self) -> int:
        return self._kind.bits

    @property
    def elements(self) -> int:
        """Number of elements of the tile."""
        return prod(self.map.tile)

    def coordinates(self, linear: Integers) -> Integers:
        """Coordinates in the tensor of bits of the tile, the innermost first, as last axis."""
        at = np.unravel_index(linear // self.element_bits, self.map.tile[::-1])
        steps = (1, *self.map.element_strides[1:])
        return np.stack([a * s for a, s in zip(at[::-1], steps, strict=True)], axis=-1)


class Sources(NamedTuple):
    """
    Where the elements of a matrix (row, k) come from.

    `tile` is the number of the tile or -1, `linear` the bit in it, and `coordinates` those in the
    tensor relative to the origin of the first tile, innermost dimension first.
    """

    tile: Integers
    linear: Integers
    coordinates: Integers
    bits: Integers
    """Distance in bits in global memory from the origin of the first tile."""

    @property
    def is_complete(self) -> bool:
        """Whether every element is in a tile."""
        return every(self.tile >= 0)


def sources_of(matrix: SharedMatrix, tiles: Sequence[Tile]) -> Sources:
    """The sources of the elements of a matrix in tiles. Raises Violation if it is not in bounds."""
    positions = matrix.positions()
    rank = max(len(tile.origin) for tile in tiles)
    number = np.full(positions.shape, -1)
    linear, bits = np.full(positions.shape, -1), np.zeros(positions.shape, np.int64)
    coordinates = np.zeros((*positions.shape, rank), np.int64)
    base = tiles[0]
    for index, tile in enumerate(tiles):
        at = tile.linear(positions)
        inside = at >= 0
        if not inside.any():
            continue
        number[inside], linear[inside] = index, at[inside]
        found = tile.coordinates(at[inside])
        away = np.array(tile.origin) - np.resize(base.origin, len(tile.origin))
        coordinates[inside, : found.shape[1]] = found + away
        steps = (tile.element_bits, *(stride * 8 for stride in tile.map.strides))
        rest = at[inside] % tile.element_bits
        other = 0 if tile.map.address == base.map.address else _FAR * (index + 1)
        bits[inside] = (found + away) @ np.array(steps) + rest + other
    return Sources(number, linear, coordinates, bits)


_FAR = 1 << 56
"""Distance in bits between different arrays."""


def is_regular(sources: Sources) -> bool:
    """Whether rows and columns of the matrix follow each other in the tensor or in the tile."""
    same = every(sources.tile == sources.tile.flat[0])
    return _is_affine(sources.bits) or (same and _is_affine(sources.linear))


def are_regular_parts(sources: Sources) -> bool:
    """Whether the parts of the matrix in several tiles are regular, each by itself."""
    numbers = np.unique(sources.tile)
    if numbers[0] < 0 or len(numbers) == 1:
        return False
    for number in numbers.tolist():
        inside = sources.tile == number
        rows, columns = inside.any(axis=1), inside.any(axis=0)
        if not every(inside == rows[:, None] & columns):
            return False
        if not _is_affine(sources.linear[rows][:, columns]):
            return False
    return True


def plane_of(values: Integers) -> Integers:
    """The matrix with the first row and the first column of another one, and equal steps."""
    rows, columns = values.shape
    first = int(values[0, 0])
    row, column = (
        int(values[at]) - first for at in ((min(1, rows - 1), 0), (0, min(1, columns - 1)))
    )
    down: Integers = np.arange(rows, dtype=np.int64).reshape(-1, 1)
    along: Integers = np.arange(columns, dtype=np.int64).reshape(1, -1)
    return first + down * row + along * column


def _is_affine(values: Integers) -> bool:
    rows, columns = values.shape
    plane = plane_of(values)
    steps = plane[-1, 0] != plane[0, 0], plane[0, -1] != plane[0, 0]
    return every(values == plane) and bool((steps[0] or rows == 1) and (steps[1] or columns == 1))


def dimension(coordinates: Integers) -> int | None:
    """The dimension along which a line of coordinates runs in steps of one element."""
    away = coordinates - coordinates[0]
    steps = np.arange(len(coordinates))
    found = [at for at in range(away.shape[1]) if every(away[:, at] == steps)]
    return found[0] if len(found) == 1 and every(np.delete(away, found[0], 1) == 0) else None


@dataclass(eq=False)
class Reading:
    """A matrix of an MMA in tiles of shared memory; MMAs that differ only in the origins of the
    tiles have the same reading. `near` contains the other tiles of the memory."""

    op: Operation
    matrix: SharedMatrix
    name: str
    type: str
    tiles: tuple[Tile, ...]
    near: tuple[Tile, ...]
    sources: Sources
    is_regular: bool
    along: int | None
    """Dimension of the tensor in which K runs."""
    across: int | None
    """Dimension of the tensor in which the rows run."""
    start: tuple[int, ...]
    """Coordinates of its first element relative to the origin of the first tile."""

    def within(self, tile: Tile) -> "Operand":
        """The matrix where its first tile is this one."""
        along = across = None
        if self.along is not None:
            first = tile.origin[self.along] + self.start[self.along]
            along = range(first, first + self.matrix.k)
        if self.across is not None:
            first = tile.origin[self.across] + self.start[self.across]
            end = min(first + self.matrix.rows, tile.map.extents[self.across])
            across = range(first, max(first, end))
        return Operand(self, tile, along, across)


class Operand(NamedTuple):
    """
    A matrix of an MMA in one execution, where `tile` is its first tile. `along` has its coordinates
    of K, `across` the coordinates of its rows inside the tensor; either is None if they do not run
    in one dimension.
    """

    reading: Reading
    tile: Tile
    along: range | None
    across: range | None


class Pairing(NamedTuple):
    """Matrices A and B of an MMA whose coordinates along K differ, or whose product the operation
    `op` has added before, at least in part."""

    op: Operation
    a: Operand
    b: Operand


Products: TypeAlias = dict[Hashable, tuple[int, Operation]]
"""The products in a sum: for each the first coordinate of K, and the MMA that added it."""


class Block(NamedTuple):
    """Rows of A and of B that a CTA multiplies."""

    a: TensorMap
    b: TensorMap
    rows: range
    columns: range


@dataclass(eq=False)
class Written:
    """What an operation wrote to columns of tensor memory. `tile` is what a `cp` read."""

    op: Operation
    is_product: bool
    lane: int
    columns: range
    tile: Tile | None = None
    is_read: bool = False


class Scales(NamedTuple):
    """Operand of an MMA that holds scale factors, and an operation that wrote some of them."""

    name: str
    writer: Operation
    is_product: bool
    map: TensorMap | None
    """Tensor from which the writer, a `cp`, took them, if it is known."""


class NanScales(NamedTuple):
    """NaN among the scale factors that an MMA reads in one CTA: `number` of `total`. The first has
    these bits, scales elements `along` K of a row, and lies at `place`."""

    number: int
    total: int
    bits: int
    row: int
    along: range
    place: str


class Provenance:
    """Record of a run. It contains no repetitions, so it does not grow with the length of the
    run."""

    def __init__(self) -> None:
        self.boxes: dict[tuple[Operation, TensorMap], set[tuple[int, ...]]] = {}
        """Copy and tensor -> the origins of the boxes that it loaded."""
        self.readings: dict[tuple[Any, ...], Reading] = {}
        self.uses: dict[tuple[Any, ...], Tile] = {}
        """One tile for each way in which the tiles of a copy were read."""
        self.pairings: dict[Operation, Pairing] = {}
        self.repeated: dict[Operation, Pairing] = {}
        self.blocks: dict[str, dict[Block, Operation]] = {}
        """CTA -> what it multiplied."""
        self.overwritten: dict[tuple[Operation, Operation], None] = {}
        """Products that nothing read, and the products that overwrote them."""
        self.scales: dict[Operation, dict[Scales, None]] = {}
        """MMA -> what wrote its scale factors."""
        self.nan_scales: dict[tuple[Operation, str], NanScales] = {}
        """MMA and operand -> the first NaN that it read."""
        self._tiles: dict[Memory, list[Tile]] = {}
        self._sums: dict[TensorMemory, dict[Cell, Products]] = {}
        """The products in each accumulator, by its first cell."""
        self._written: dict[TensorMemory, list[Written]] = {}

    def loaded(self, memory: Memory, tile: Tile) -> None:
        """Record a tile that a copy has written."""
        kept: list[Tile] = []
        for other in self._tiles.get(memory, ()):
            if _meet(other.span, tile.span):
                self._retire(other)
            else:
                kept.append(other)
        self._tiles[memory] = [*kept, tile]
        self.boxes.setdefault((tile.op, tile.map), set()).add(tile.origin)

    def forget(self, cta: Cta) -> None:
        """Close the record of a CTA that has ended."""
        for tile in self._tiles.pop(cta.shared, ()):
            self._retire(tile)
        self._written.pop(cta.tensor, None)
        self._sums.pop(cta.tensor, None)

    def _retire(self, tile: Tile) -> None:
        self.uses.setdefault((tile.op, tile.map, tile.first, frozenset(tile.read)), tile)

    def multiplied(
        self,
        op: Operation,
        ctas: Sequence[Cta],
        a: Sequence[SharedMatrix],
        b: Sequence[SharedMatrix],
        types: tuple[str, str],
        d: Cell,
        is_dense: bool,
    ) -> None:
        """Record the matrices in shared memory that an MMA reads, of each CTA; A may be elsewhere.
        Call it after `accumulated`."""
        all_a = [self._operand(op, matrix, "A", types[0]) for matrix in a]
        all_b = [self._operand(op, matrix, "B", types[1]) for matrix in b]
        if not is_dense:
            return
        for first, second, cta in zip(all_a, all_b, ctas, strict=False):
            if first is None or second is None:
                continue
            self._pair(op, first, second, self._sums[cta.tensor][d])
            rows, columns = first.across, _whole(all_b)
            if rows is not None and columns is not None:
                block = Block(first.tile.map, second.tile.map, rows, columns)
                self.blocks.setdefault(cta.name, {}).setdefault(block, op)

    def _pair(self, op: Operation, a: Operand, b: Operand, sums: Products) -> None:
        """Record two matrices that are multiplied, and added to the sum of some products."""
        along, other = a.along, b.along
        if along is None or other is None:
            return
        if along != other:
            self.pairings.setdefault(op, Pairing(op, a, b))
        if a.across is None or b.across is None:
            return
        rows = a.tile.map, a.across, b.tile.map, b.across, other.start - along.start
        number, k = along.start // len(along), len(along)
        for near in (number - 1, number, number + 1):
            before = sums.get((*rows, near))
            if before is not None and abs(before[0] - along.start) < k:
                self.repeated.setdefault(op, Pairing(before[1], a, b))
        sums[*rows, number] = along.start, op

    def _operand(
        self, op: Operation, matrix: SharedMatrix, name: str, type_: str
    ) -> Operand | None:
        """The matrix as an operand; None if no copy loaded it."""
        where, all_tiles = matrix.cells(), self._tiles.get(matrix.memory)
        if all_tiles is None:
            return None
        (extent,) = where.bounds
        tiles = [each for each in all_tiles if _meet(each.span, extent)]
        if not tiles:
            return None
        for tile in tiles:
            tile.read.add(where)
        base = tiles[0]
        key: tuple[Any, ...] = (op, name, type_, where, base.op, base.map, base.first)
        for tile in tiles[1:]:
            away = (t - b for t, b in zip(tile.origin, base.origin, strict=False))
            key = (*key, tile.op, tile.map, tile.first, *away)
        if key not in self.readings:
            sources = sources_of(matrix, tiles)
            regular = sources.is_complete and is_regular(sources)
            first = sources.coordinates[0], sources.coordinates[:, 0]
            along, across = map(dimension, first) if regular else (None, None)
            start = tuple(sources.coordinates[0, 0].tolist())
            self.readings[key] = Reading(
                op,
                matrix,
                name,
                type_,
                (*tiles,),
                (*all_tiles,),
                sources,
                regular,
                along,
                across,
                start,
            )
        return self.readings[key].within(base)

    def copied(
        self, op: Operation, tensor: TensorMemory, columns: range, matrix: SharedMatrix
    ) -> None:
        """Record a copy from shared memory to columns of tensor memory."""
        where, source = matrix.cells(), None
        (extent,) = where.bounds
        for tile in self._tiles.get(matrix.memory, ()):
            if _meet(tile.span, extent):
                tile.read.add(where)
                source = source or tile
        self._write(tensor, Written(op, False, 0, columns, source))

    def accumulated(
        self, op: Operation, tensor: TensorMemory, cell: Cell, columns: int, adds: bool
    ) -> None:
        """Record the accumulator of an MMA, which adds to it or overwrites it."""
        span = range(cell.column, cell.column + columns)
        sums = self._sums.setdefault(tensor, {})
        if cell not in sums or not adds:
            sums[cell] = {}
        for each in self._meeting(tensor, span, cell.lane):
            if each.is_product and not each.is_read and not adds:
                self.overwritten.setdefault((each.op, op))
        self._write(tensor, Written(op, True, cell.lane, span))

    def scaled(self, op: Operation, name: str, tensor: TensorMemory, columns: range) -> None:
        """Record the scale factors of an MMA."""
        for each in self._meeting(tensor, columns, None):
            source = None if each.tile is None else each.tile.map
            scales = Scales(name, each.op, each.is_product, source)
            self.scales.setdefault(op, {}).setdefault(scales)

    def read(self, tensor: TensorMemory, columns: range) -> None:
        """Record a read of columns of tensor memory."""
        for each in self._meeting(tensor, columns, None):
            each.is_read = True

    def _meeting(self, tensor: TensorMemory, columns: range, lane: int | None) -> list[Written]:
        return [
            each
            for each in self._written.get(tensor, ())
            if _meet(each.columns, columns) and lane in (None, each.lane)
        ]

    def _write(self, tensor: TensorMemory, written: Written) -> None:
        meeting = self._meeting(tensor, written.columns, written.lane)
        for each in meeting:
            same = each.columns == written.columns
            if same and each.op is written.op and each.tile is written.tile:
                each.is_read = False
                return
        kept = [each for each in self._written.get(tensor, ()) if each not in meeting]
        self._written[tensor] = [*kept, written]


def _meet(span: range, other: range) -> bool:
    return span.start < other.stop and other.start < span.stop


def _whole(parts: Sequence[Operand | None]) -> range | None:
    """The rows of all parts of B."""
    if len(parts) == 1:
        return None if parts[0] is None else parts[0].across
    ranges = [each.across for each in parts if each is not None and each.across is not None]
    if len(ranges) < len(parts):
        return None
    return range(min(each.start for each in ranges), max(each.stop for each in ranges))

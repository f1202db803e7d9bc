"""Sources of a matrix in shared memory: elements of an array that copies loaded to its place."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import prod
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from xdsl.ir import Operation

from ...isa.shared_memory.descriptor import UNIT_BYTES
from ...isa.shared_memory.tensor_map import ELEMENTS
from ..machine.tensor_map import TensorMap
from ..numbers.floats import every
from ..order.where import Where
from ..product.gather import SharedMatrix

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
    end: int = field(init=False)

    def __post_init__(self) -> None:
        self.end = self.first + self.size

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
        inside = (bits >= self.first * 8) & (bits < self.end * 8)
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

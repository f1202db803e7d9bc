"""Outlines of tensor maps: boxes whose number of bytes is all that is known."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice
from typing import Any
from zlib import crc32

import numpy as np
import numpy.typing as npt

from ..isa.model.rule import Violation
from ..isa.shared_memory.descriptor import UNIT_BYTES
from ..simulator.numbers.contents import content_of
from ..simulator.numbers.floats import Lanes, every
from ..simulator.numbers.integers import Combine
from .equations import Box

_BOXES = 1 << 16
"""Number of boxes in the memory of a map."""
_BOX_BYTES = 4
"""Bytes of global memory that stand for a box: a number for its content."""
TENSOR_BYTES = _BOXES * _BOX_BYTES


@dataclass(frozen=True)
class _Cell:
    """The bytes of global memory that stand for a box."""

    first: int
    inside: tuple[slice, ...] = (slice(_BOX_BYTES),)

    def of(self, content: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return content[self.first : self.first + _BOX_BYTES]


@lru_cache(maxsize=64)
def _units(count: int) -> npt.NDArray[np.int64]:
    return np.arange(count)


def _kept(old: Lanes, given: Lanes) -> Lanes:
    """The result of a reduction, which a run without data does not compute."""
    return old


@dataclass(eq=False)
class Outline:
    """
    Tensor map whose boxes have a known size. Its tensor is a memory with a number for each box,
    which stands for its content, so two boxes are the same or disjoint.
    """

    parameter: int
    """Number of the parameter."""
    box: Box
    extents: tuple[int, ...]
    """One for each coordinate."""
    address: int = 0
    element: str = "element"
    can_store: bool = True
    tensor_bytes: int = TENSOR_BYTES
    contents: npt.NDArray[np.uint8] | None = None
    """The bytes of its memory, if boxes have contents."""
    seed: int = 0
    """The seed of the contents of boxes."""
    _cells: dict[tuple[int, ...], int] = field(default_factory=dict[tuple[int, ...], int])

    @property
    def tile_bytes(self) -> int:
        return self.box.bytes

    @property
    def origins(self) -> Collection[tuple[int, ...]]:
        """The coordinates of the boxes that copies used."""
        return self._cells.keys()

    @property
    def row_violation(self) -> str:
        # The boxes of a map for such copies are rows.
        return ""

    def box_at(self, cell: int) -> tuple[tuple[int, ...], int]:
        """The coordinates of the box with a cell, and the number for its content, 0 without one."""
        number = cell // _BOX_BYTES
        origin = next(islice(self._cells, number, None))
        if self.contents is None:
            return origin, 0
        first = number * _BOX_BYTES
        return origin, int.from_bytes(self.contents[first : first + _BOX_BYTES].tobytes())

    def can_store_at(self, origin: Sequence[int]) -> bool:
        # Coordinates may come from numbers that no launch has.
        return True

    def origin_violations(self, origin: Sequence[int]) -> Iterator[Violation]:
        return iter(())

    def window(self, origin: Sequence[int]) -> _Cell:
        box = tuple(origin)
        if is_new := box not in self._cells:
            self._cells[box] = len(self._cells)
        cell = _Cell(self._cells[box] % _BOXES * _BOX_BYTES)
        if is_new and self.contents is not None:
            cell.of(self.contents)[...] = _number_of(repr((self.address, box)).encode())
        return cell

    def places(self, address: int) -> npt.NDArray[np.int64]:
        return _units(max(1, self.box.tile // UNIT_BYTES))

    def filled(self) -> npt.NDArray[np.uint8]:
        return np.zeros(UNIT_BYTES, np.uint8)

    def rounded(self, elements: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return elements

    def padded(self, tile: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
        if self.contents is None:
            return tile
        first = int.from_bytes(tile[:_BOX_BYTES].tobytes()) << _PLACE_BITS
        return content_of(first + np.arange(self.places(0).size * UNIT_BYTES), self.seed)

    def written(self) -> npt.NDArray[np.bool_]:
        return np.ones(UNIT_BYTES, np.bool_)

    def combination(self, operation: str) -> Combine:
        return _kept

    def stored(self, content: npt.NDArray[np.uint8]) -> npt.NDArray[Any]:
        # Each byte of a flag for a written byte is 0xff.
        if every(content == 0xFF):
            return np.full(_BOX_BYTES, 0xFF, np.uint8)
        return _number_of(content.tobytes())


_PLACE_BITS = 20
"""Bits of the place of a byte in a box."""


def _number_of(content: bytes) -> npt.NDArray[np.uint8]:
    """The number that stands for a content."""
    return np.frombuffer(crc32(content).to_bytes(_BOX_BYTES), np.uint8)

"""Outlines of tensor maps: boxes of which only the number of bytes is known."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from ..isa.model.rule import Violation
from ..isa.shared_memory.swizzle import UNIT_BYTES
from ..simulator.numbers.integers import Combine
from ..simulator.numbers.lanes import Lanes
from .equations import Box

CELLS = 1 << 16
"""Number of boxes in the memory of a map."""


@dataclass(frozen=True)
class _Cell:
    """The cell of global memory that stands for a box."""

    number: int
    inside: tuple[slice, ...] = ()

    def of(self, content: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return content[self.number : self.number + 1]


@lru_cache(maxsize=64)
def _units(count: int) -> npt.NDArray[np.int64]:
    return np.arange(count)


def _kept(old: Lanes, given: Lanes) -> Lanes:
    """The result of a reduction, which a run without data does not compute."""
    return old


@dataclass(eq=False)
class Outline:
    """
    Tensor map whose boxes have a known size. Its tensor is a memory with one cell for each box, so
    two boxes are the same or disjoint.
    """

    parameter: int
    """Number of the parameter."""
    box: Box
    extents: tuple[int, ...]
    """One for each coordinate."""
    address: int = 0
    element: str = "element"
    can_store: bool = True
    tensor_bytes: int = CELLS
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

    def can_store_at(self, origin: Sequence[int]) -> bool:
        # Coordinates may come from numbers that no launch has.
        return True

    def origin_violations(self, origin: Sequence[int]) -> Iterator[Violation]:
        return iter(())

    def window(self, origin: Sequence[int]) -> _Cell:
        return _Cell(self._cells.setdefault(tuple(origin), len(self._cells)) % CELLS)

    def places(self, address: int) -> npt.NDArray[np.int64]:
        return _units(max(1, self.box.tile // UNIT_BYTES))

    def filled(self) -> npt.NDArray[np.uint8]:
        return np.zeros(UNIT_BYTES, np.uint8)

    def rounded(self, elements: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return elements

    def padded(self, tile: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
        return tile

    def written(self) -> npt.NDArray[np.bool_]:
        return np.ones(UNIT_BYTES, np.bool_)

    def combination(self, operation: str) -> Combine:
        return _kept

    def stored(self, content: npt.NDArray[np.uint8]) -> npt.NDArray[Any]:
        return np.bitwise_and.reduce(content).reshape(1)

"""Sets of cells of a memory."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

Index: TypeAlias = "slice | npt.NDArray[Any] | tuple[slice | npt.NDArray[Any], ...]"


@dataclass(eq=False)
class Where:
    """
    Set of cells of a memory. `bounds` has a range for each axis of the memory. The set lies within
    the bounds, and fills them if it is `solid`. `make` computes the exact index on demand.
    """

    bounds: tuple[range, ...]
    make: Callable[[], Index]
    solid: bool = False
    _index: "Index | None" = field(default=None, init=False)

    @property
    def index(self) -> Index:
        """Index into an array with one element for each cell."""
        # A cached_property of Python 3.11 takes a lock, which costs as much as the usual index.
        if self._index is None:
            self._index = self.make()
        return self._index

    def without_index(self) -> "Where":
        """The same set, to keep: its index, computed again on demand, may take most memory."""
        return Where(self.bounds, self.make, self.solid)

    def meets(self, other: "Where") -> bool:
        """Whether the two sets may overlap."""
        for mine, its in zip(self.bounds, other.bounds, strict=True):
            if mine.start >= its.stop or its.start >= mine.stop:
                return False
        return True

    def contains(self, other: "Where") -> bool:
        """Whether this set certainly has all cells of the other one."""
        if not self.solid:
            return self is other
        for mine, its in zip(self.bounds, other.bounds, strict=True):
            if its.start < mine.start or mine.stop < its.stop:
                return False
        return True

    @classmethod
    def at(cls, *index: npt.NDArray[Any]) -> "Where":
        """The cells with these numbers along each axis of the memory."""
        bounds = (
            range(int(np.minimum.reduce(axis, None)), int(np.maximum.reduce(axis, None)) + 1)
            for axis in index
        )
        return cls(tuple(bounds), lambda: index)

    @classmethod
    def runs(cls, starts: npt.NDArray[Any], size: int) -> "Where":
        """`size` consecutive cells from each start, with axes (start, cell)."""
        first, last = int(np.minimum.reduce(starts)), int(np.maximum.reduce(starts))
        return cls((range(first, last + size),), lambda: starts[:, None] + np.arange(size))

    @classmethod
    def span(cls, first: int, end: int) -> "Where":
        """All cells from `first` to `end` (exclusive)."""
        return cls((range(first, end),), lambda: slice(first, end), solid=True)

    @classmethod
    def of_view(cls, view: npt.NDArray[Any], cells: npt.NDArray[Any]) -> "Where | None":
        """The bytes of a view into an array of bytes, or None for an empty view."""
        if not view.size:
            return None
        first = view.__array_interface__["data"][0] - cells.__array_interface__["data"][0]
        axes = (*zip(view.shape, view.strides, strict=True), (view.itemsize, 1))
        end = first + sum((extent - 1) * stride for extent, stride in axes) + 1

        def index() -> Index:
            places = np.array(first)
            for extent, stride in axes:
                places = places[..., None] + np.arange(extent) * stride
            return places.ravel()

        return cls((range(first, end),), index)

"""The accesses that a memory remembers: the last write of each cell, and the reads since."""

from collections.abc import Callable, Hashable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from .clocks import Clock, Rows
from .events import Access, Ids

Index: TypeAlias = "slice | npt.NDArray[Any]"


@dataclass(eq=False)
class Where:
    """Cells of a memory, all of them from `first` to before `end`; which, when it is needed."""

    first: int
    end: int
    make: Callable[[], Index]

    @cached_property
    def index(self) -> Index:
        """What indexes an array of all cells."""
        return self.make()

    def meets(self, other: "Where") -> bool:
        """Whether the cells may be partly the same."""
        return self.first < other.end and other.first < self.end

    @classmethod
    def at(cls, index: npt.NDArray[Any]) -> "Where":
        """The cells at an array of indices."""
        return cls(int(index.min()), int(index.max()) + 1, lambda: index)

    @classmethod
    def span(cls, first: int, end: int) -> "Where":
        """All cells from `first` to before `end`."""
        return cls(first, end, lambda: slice(first, end))

    @classmethod
    def of_view(cls, view: npt.NDArray[Any], cells: npt.NDArray[Any]) -> "Where | None":
        """The bytes of a view of an array of bytes, None if there are none."""
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

        return cls(first, end, index)


class _Read(NamedTuple):
    where: Where
    ids: Any


class Conflict(NamedTuple):
    """An access, a write or a read, that nothing orders before one that is made; of which cell."""

    id: int
    cell: int
    written: bool


@dataclass(eq=False)
class Shadow:
    """
    The accesses to a memory of so many cells.

    An access is given with its ids and, if its threads differ, the row of each: arrays that
    broadcast to the cells' indices.
    """

    size: int
    clock: Clock
    """By which clock the async proxy must know what threads have written."""
    _writes: npt.NDArray[np.int32] | None = field(default=None, init=False)
    _reads: dict[Hashable, _Read] = field(default_factory=dict[Hashable, _Read], init=False)

    def read(
        self, access: Access, where: Where, key: Hashable, ids: Any, rows: Any = None
    ) -> Conflict | None:
        """
        Remember a read, instead of an earlier one with the same key: one of the same cells that
        is in order before this one. Returns the write that is not.
        """
        conflict = self._after_writes(access, where, rows)
        self._reads[key] = _Read(where, ids)
        return conflict

    def write(self, access: Access, where: Where, ids: Any, rows: Any = None) -> Conflict | None:
        """Remember a write. Returns an access that is not in order before it."""
        conflict = self._after_writes(access, where, rows) or self._after_reads(access, where, rows)
        self.overwrite(where, ids)
        return conflict

    def overwrite(self, where: Where, ids: Any) -> None:
        """Remember a write, whatever came before."""
        if self._writes is None:
            self._writes = np.zeros(self.size, np.int32)
        self._writes[where.index] = ids

    def accesses(self, where: Where) -> Iterator[tuple[Ids, bool]]:
        """The ids of the last writes, and of the reads since, of some cells."""
        if self._writes is not None:
            yield np.unique(self._writes[where.index]), True
        for read in self._reads.values():
            if where.meets(read.where):
                yield np.unique(read.ids), False

    def _after_writes(self, access: Access, where: Where, rows: Any) -> Conflict | None:
        if self._writes is None:
            return None
        prior = self._writes[where.index]
        each: Rows | None = None if rows is None else _flat(rows, where)
        at = access.unordered(prior.ravel(), each, self.clock, True)
        if at < 0:
            return None
        return Conflict(int(prior.ravel()[at]), int(_cells(where.index)[at]), True)

    def _after_reads(self, access: Access, where: Where, rows: Any) -> Conflict | None:
        near = [(key, read) for key, read in self._reads.items() if where.meets(read.where)]
        if not near:
            return None
        conflict = None
        writer = np.full(where.end - where.first, -1, np.int32)
        writer[_cells(where.index) - where.first] = 0 if rows is None else _flat(rows, where)
        for key, read in near:
            cells, ids = _cells(read.where.index), _flat(read.ids, read.where)
            inside = (cells >= where.first) & (cells < where.end)
            found = np.where(inside, writer[np.where(inside, cells - where.first, 0)], -1)
            hit = found >= 0
            if not hit.any():
                continue
            threads = None if rows is None else found[hit]
            at = access.unordered(ids[hit], threads, self.clock, False)
            if at >= 0 and conflict is None:
                conflict = Conflict(int(ids[hit][at]), int(cells[hit][at]), False)
            if hit.all():
                del self._reads[key]
            else:
                self._reads[key] = _Read(Where.at(cells[~hit]), ids[~hit])
        return conflict


def _cells(index: Index) -> npt.NDArray[Any]:
    if isinstance(index, slice):
        return np.arange(int(index.start), int(index.stop))
    return index.ravel()


def _flat(values: Any, where: Where) -> npt.NDArray[Any]:
    """Values that broadcast to some cells, one for each of them."""
    index = where.index
    shape = (index.stop - index.start,) if isinstance(index, slice) else index.shape
    return np.broadcast_to(values, shape).ravel()

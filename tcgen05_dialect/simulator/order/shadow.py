"""Shadow memory: the last write of each cell, and the reads since."""

from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from math import prod
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt

from ...isa.model.rule import Rule
from .clocks import Clock
from .events import Access, Ids

Index: TypeAlias = "slice | npt.NDArray[Any] | tuple[slice | npt.NDArray[Any], ...]"


@dataclass(eq=False)
class Where:
    """
    Set of cells of a memory within the numbers `first` to `end` (exclusive); `make` computes the
    exact index on demand.
    """

    first: int
    end: int
    make: Callable[[], Index]

    @cached_property
    def index(self) -> Index:
        """Index into an array with one element for each cell."""
        return self.make()

    def meets(self, other: "Where") -> bool:
        """Whether the two sets may overlap."""
        return self.first < other.end and other.first < self.end

    @classmethod
    def at(cls, index: npt.NDArray[Any]) -> "Where":
        """The cells of a one-dimensional memory with these numbers."""
        return cls(int(index.min()), int(index.max()) + 1, lambda: index)

    @classmethod
    def span(cls, first: int, end: int) -> "Where":
        """All cells from `first` to `end` (exclusive)."""
        return cls(first, end, lambda: slice(first, end))

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

        return cls(first, end, index)


class _Read(NamedTuple):
    where: Where
    ids: Any
    writes: int
    """Number of writes before this read."""


class Conflict(NamedTuple):
    """An earlier write or read of a cell that is not ordered before the current access, and the
    rule that this breaks."""

    id: int
    cell: int
    written: bool
    rule: Rule


@dataclass(eq=False)
class Shadow:
    """
    Record of the accesses to a memory whose cells form an array of `shape`.

    `ids` and `rows` broadcast to the cells: the id of the access, and its thread if several
    threads take part.
    """

    shape: tuple[int, ...]
    clock: Clock
    """Clock that must contain earlier accesses before an asynchronous operation."""
    _writes: npt.NDArray[np.int32] | None = field(default=None, init=False)
    _count: int = field(default=0, init=False)
    _latest: tuple[Where, Any] | None = field(default=None, init=False)
    """Cells and ids of the last write."""
    _reads: dict[Hashable, _Read] = field(default_factory=dict[Hashable, _Read], init=False)

    def read(
        self, access: Access, where: Where, key: Hashable, ids: Any, rows: Any = None
    ) -> Sequence[Conflict]:
        """
        Record a read. It replaces the read with the same key, which has the same cells and is
        ordered before this one. Returns the conflicts with writes.
        """
        earlier = self._reads.get(key)
        self._reads[key] = _Read(where, ids, self._count)
        # Order is permanent: clocks only advance.
        if earlier is not None and earlier.writes == self._count:
            return ()
        return self._after_writes(access, where, rows)

    def write(self, access: Access, where: Where, ids: Any, rows: Any = None) -> Sequence[Conflict]:
        """Record a write. Returns the conflicts."""
        # The reads come first: they are later than the write.
        conflicts = [
            *self._after_reads(access, where, rows),
            *self._after_writes(access, where, rows),
        ]
        self.overwrite(where, ids)
        return conflicts

    def overwrite(self, where: Where, ids: Any) -> None:
        """Record a write without a check."""
        if self._writes is None:
            self._writes = np.zeros(self.shape, np.int32)
        self._writes[where.index] = ids
        self._count += 1
        self._latest = where, ids

    def accesses(self, where: Where) -> Iterator[tuple[Ids, bool]]:
        """Ids of the last writes of some cells and of the reads since, and whether they write."""
        if self._writes is not None:
            yield np.unique(self._writes[where.index]), True
        for read in self._reads.values():
            if where.meets(read.where):
                yield np.unique(read.ids), False

    def _after_writes(self, access: Access, where: Where, rows: Any) -> Sequence[Conflict]:
        if self._writes is None:
            return ()
        each = None
        if rows is None:
            prior = self._distinct_writes(where)
        else:
            prior = self._writes[where.index]
            each = np.broadcast_to(rows, prior.shape).ravel()
        return [
            Conflict(int(prior.ravel()[at]), int(self.cells(where)[at]), True, rule)
            for at, rule in access.unordered(prior.ravel(), each, self.clock, True)
        ]

    def _distinct_writes(self, where: Where) -> Ids:
        """Ids of the last writes of some cells; a single id if all cells have the same."""
        assert self._writes is not None and self._latest is not None
        cells, ids = self._latest
        if cells is where and np.ndim(ids) == 0:
            return np.array([ids], np.int32)
        prior = self._writes[where.index]
        first = prior[(0,) * prior.ndim]
        return first[None] if (prior == first).all() else prior

    def _after_reads(self, access: Access, where: Where, rows: Any) -> Sequence[Conflict]:
        near = [(key, read) for key, read in self._reads.items() if where.meets(read.where)]
        if not near:
            return ()
        conflicts: list[Conflict] = []
        writer = np.full(where.end - where.first, -1, np.int32)
        writer[self.cells(where) - where.first] = 0 if rows is None else self._flat(rows, where)
        for key, read in near:
            cells, ids = self.cells(read.where), self._flat(read.ids, read.where)
            inside = (cells >= where.first) & (cells < where.end)
            found = np.where(inside, writer[np.where(inside, cells - where.first, 0)], -1)
            hit = found >= 0
            if not hit.any():
                continue
            threads = None if rows is None else found[hit]
            conflicts += [
                Conflict(int(ids[hit][at]), int(cells[hit][at]), False, rule)
                for at, rule in access.unordered(ids[hit], threads, self.clock, False)
            ]
            if hit.all():
                del self._reads[key]
            else:
                rest = np.unravel_index(cells[~hit], self.shape)
                first, end = int(cells[~hit].min()), int(cells[~hit].max()) + 1
                self._reads[key] = _Read(Where(first, end, lambda rest=rest: rest), ids[~hit], -1)
        return conflicts

    def cells(self, where: Where) -> npt.NDArray[Any]:
        """Numbers of some cells."""
        return _numbers(self.shape)[where.index].ravel()

    def _flat(self, values: Any, where: Where) -> npt.NDArray[Any]:
        """Values broadcast to one for each cell."""
        return np.broadcast_to(values, _numbers(self.shape)[where.index].shape).ravel()


@lru_cache(maxsize=8)
def _numbers(shape: tuple[int, ...]) -> npt.NDArray[np.int64]:
    return np.arange(prod(shape)).reshape(shape)

"""
Shadow memory: the last write of each cell, and the reads since.

Sets of cells of a memory.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property, lru_cache, partial
from math import prod
from typing import Any, Literal, NamedTuple, TypeAlias, cast

import numpy as np
import numpy.typing as npt

from ...isa.effects.model import StateSpace
from ...isa.model.rule import Rule
from ...isa.practice import PROXY, RACE, by_habit
from ..numbers.floats import every, some
from .clocks import Rows
from .events import Access, Ids, distinct

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
    rows: tuple[npt.NDArray[Any], int] | None = None
    """The numbers of the rows and their length, if the cells are whole rows of an array with one
    axis that is cut into rows; numpy reads rows several times as fast as cells."""
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
        return Where(self.bounds, self.make, self.solid, self.rows)

    def part(self, first: int, end: int) -> "Where":
        """The cells in a range of the first axis of the index, with the bounds of the whole set."""
        return Where(self.bounds, lambda: cast("npt.NDArray[Any]", self.index)[first:end])

    def of(self, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """The elements at the cells of an array with one element for each cell."""
        if self.rows is None:
            return values[self.index]
        rows, size = self.rows
        return values[: values.size // size * size].reshape(-1, size)[rows]

    def put(self, values: npt.NDArray[Any], new: Any) -> None:
        """Set the elements at the cells of an array with one element for each cell."""
        if self.rows is None:
            values[self.index] = new
        else:
            rows, size = self.rows
            values[: values.size // size * size].reshape(-1, size)[rows] = new

    def meets(self, other: "Where") -> bool:
        """Whether the two sets may overlap."""
        # Memories have one or two axes. A loop over them takes three times as long.
        mine, its = self.bounds, other.bounds
        if mine[0].start >= its[0].stop or its[0].start >= mine[0].stop:
            return False
        return len(mine) == 1 or (mine[1].start < its[1].stop and its[1].start < mine[1].stop)

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
    def runs(cls, starts: npt.NDArray[Any], size: int, is_aligned: bool = False) -> "Where":
        """`size` consecutive cells from each start, with axes (start, cell). `is_aligned`: the
        starts are multiples of the size."""
        first, last = int(np.minimum.reduce(starts)), int(np.maximum.reduce(starts))
        rows = (starts // size, size) if is_aligned else None
        bounds = (range(first, last + size),)
        return cls(bounds, lambda: starts[:, None] + np.arange(size), rows=rows)

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


Unchanged: TypeAlias = Callable[[int], bool]
"""Tells whether the thread that writes a cell leaves the memory as it is."""


class _Sorted(NamedTuple):
    """The cells of a read in ascending order."""

    numbers: npt.NDArray[Any]
    order: npt.NDArray[np.intp]
    """The position of each of them in the read."""
    table: npt.NDArray[np.intp] | None
    """The position in the read of each cell from the first to the last one, -1 for cells that it
    leaves out; None if it has a cell twice, or its cells are far apart."""


@dataclass(eq=False)
class _Live:
    """The cells of a read that no write has replaced since."""

    cells: npt.NDArray[Any]
    """All cells of the read."""
    ids: Ids
    """The id of each of them."""
    is_live: npt.NDArray[np.bool_]
    """Which of them are left."""

    @cached_property
    def _sorted(self) -> _Sorted:
        order = self.cells.argsort(kind="stable")
        numbers, table = self.cells[order], None
        extent = int(numbers[-1] - numbers[0]) + 1
        if extent <= _SPREAD * numbers.size and every(numbers[1:] != numbers[:-1]):
            table = np.full(extent, -1, np.intp)
            table[numbers - numbers[0]] = order
        return _Sorted(numbers, order, table)

    def within(self, bounds: Sequence[range], shape: tuple[int, ...]) -> npt.NDArray[np.intp]:
        """Positions in the read of the cells in a range of each axis of the memory."""
        inside, cells = self.is_live, self.cells
        axes = (cells,) if len(shape) == 1 else np.unravel_index(cells, shape)
        for numbers, span in zip(axes, bounds, strict=True):
            inside = inside & (numbers >= span.start) & (numbers < span.stop)
        return inside.nonzero()[0]

    def hit(self, cells: npt.NDArray[Any]) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
        """Positions in the read of the cells that a write replaces, in any order, and for each of
        them a position in the write. It takes time in proportion to the cells of the write."""
        numbers, order, table = self._sorted
        if table is not None:
            at = cells - numbers[0]
            writers = ((at >= 0) & (at < table.size)).nonzero()[0]
            positions = table[at[writers]]
            is_hit = positions >= 0
            if not every(is_hit):
                positions, writers = positions[is_hit], writers[is_hit]
        else:
            first, end = (np.searchsorted(numbers, cells, side) for side in _SIDES)
            counts = end - first
            before = counts.cumsum() - counts
            at = np.arange(int(counts.sum())) + (first - before).repeat(counts)
            positions, writers = order[at], np.arange(cells.size).repeat(counts)
        left = self.is_live[positions]
        return (positions, writers) if every(left) else (positions[left], writers[left])


_SIDES: tuple[Literal["left"], Literal["right"]] = ("left", "right")


class _Read(NamedTuple):
    where: Where
    ids: Any
    writes: int
    """Number of writes before this read."""
    live: _Live | None = None
    """The cells that are left, once a write has replaced a part of them."""


class _Hit(NamedTuple):
    """Cells of a read that a write replaces: the read with its key, the positions of the cells in
    the read, None for all, and the threads that write them, if several do."""

    key: Hashable
    read: _Read
    positions: npt.NDArray[np.intp] | None = None
    threads: Rows | None = None


@dataclass(eq=False)
class _Region:
    """
    Cells with the same last write, and the id of this write. The id is written to the array of all
    cells only when a part of the region is accessed. Most tiles are always accessed as a whole, so
    this saves memory, and 2 % of the time of a 1024 x 1024 x 1024 GEMM.
    """

    where: Where
    id: int
    is_filled: bool = False


class Conflict(NamedTuple):
    """An earlier write or read of a cell that is not ordered before the current access, and the
    rule that this breaks."""

    id: int
    cell: int
    written: bool
    rule: Rule
    thread: int | None = None
    """The thread that makes the current access, if several take part."""


@dataclass(eq=False)
class Shadow:
    """
    Record of the accesses to a memory. Its cells form an array of shape `shape`.

    `ids` and `rows` broadcast to the cells: the id of the access, and its thread if several
    threads take part.
    """

    shape: tuple[int, ...]
    space: StateSpace
    _filled: npt.NDArray[np.int32] | None = field(default=None, init=False)
    """The id of the last write of each cell, except in regions that are not filled."""
    _count: int = field(default=0, init=False)
    _regions: list[_Region] = field(default_factory=list[_Region], init=False)
    """Disjoint regions. They do not contain every written cell: `_filled` has the others."""
    _reads: dict[Hashable, _Read] = field(default_factory=dict[Hashable, _Read], init=False)
    _read: npt.NDArray[np.bool_] | None = field(default=None, init=False)
    """The cells that threads have read, and no thread has written since. Most stores are to none of
    them, and need no search in the reads of threads."""

    @property
    def last_writes(self) -> npt.NDArray[np.int32] | None:
        """The id of the last write of each cell, 0 for none; None if there was no write."""
        self._fill(self._regions)
        return self._filled

    def snapshot(self) -> "Shadow":
        """The same record; later accesses are added to only one of the two."""
        other = copy(self)
        self._fill(self._regions)
        other._filled = None if self._filled is None else self._filled.copy()
        other._regions, other._reads = self._regions.copy(), self._reads.copy()
        other._read = None if self._read is None else self._read.copy()
        for key, read in self._reads.items():
            if read.live is not None:
                live = copy(read.live)
                live.is_live = live.is_live.copy()
                other._reads[key] = read._replace(live=live)
        return other

    def read(
        self, access: Access, where: Where, key: Hashable, ids: Any, rows: Any = None
    ) -> Sequence[Conflict]:
        """
        Record a read. It replaces the read with the same key, which has the same cells and is
        ordered before this one. Returns the conflicts with writes.
        """
        earlier = self._reads.get(key)
        # A write often replaces a read of an asynchronous operation, whose set it shares.
        kept = where if rows is None else where.without_index()
        self._reads[key] = _Read(kept, ids, self._count)
        if np.ndim(ids):
            if self._read is None:
                self._read = np.zeros(self.shape, np.bool_)
            where.put(self._read, True)
        # Order is permanent: clocks only advance.
        if earlier is not None and earlier.writes == self._count:
            return ()
        return [*self._after_writes(access, where, rows)]

    def write(
        self,
        access: Access,
        where: Where,
        ids: Any,
        rows: Any = None,
        unchanged: Unchanged | None = None,
    ) -> Sequence[Conflict]:
        """Record a write; `unchanged` tells whether a cell keeps its value. Returns the
        conflicts."""
        writes = [
            each._replace(
                rule=by_habit(
                    each.rule, True, overwriting=Overwriting(self, each, access, where, unchanged)
                )
            )
            for each in self._after_writes(access, where, rows)
        ]
        # Reads come first, because they are later than the write.
        hits = [*self._hits(where, rows)]
        conflicts = [*self._after_reads(access, hits), *writes]
        self._forget(hits, where, rows)
        self.overwrite(where, ids)
        return conflicts

    def write_ordered(self, access: Access, where: Where, ids: Any, rows: Any) -> bool:
        """Record a write by threads, unless it conflicts with an access; then return False."""
        hits = [*self._hits(where, rows)]
        if next(iter(self._after_writes(access, where, rows)), None) is not None:
            return False
        if self._after_reads(access, hits):
            return False
        self._forget(hits, where, rows)
        self.overwrite(where, ids)
        return True

    def overwrite(self, where: Where, ids: Any) -> None:
        """Record a write without a check."""
        kept: list[_Region] = []
        for region in self._regions:
            if not region.where.meets(where):
                kept.append(region)
            elif not where.contains(region.where):
                self._fill([region])
        if where.solid and np.ndim(ids) == 0:
            self._fill(kept[:-_MOST_REGIONS])
            kept = [*kept[-_MOST_REGIONS:], _Region(where, ids)]
        else:
            where.put(self._cells, ids)
        self._regions = kept
        self._count += 1

    @property
    def _cells(self) -> Ids:
        if self._filled is None:
            self._filled = np.zeros(self.shape, np.int32)
        return self._filled

    def _fill(self, regions: Iterable[_Region]) -> None:
        """Write regions to the array of all cells."""
        for region in regions:
            if not region.is_filled:
                self._cells[region.where.index] = region.id
                region.is_filled = True

    def _writes_at(self, where: Where) -> Ids:
        """Ids of the last writes of some cells."""
        self._fill([region for region in self._regions if region.where.meets(where)])
        return where.of(self._cells)

    def accesses(self, where: Where) -> Iterator[tuple[Ids, bool]]:
        """Ids of the last writes of some cells and of the reads since, and whether they write."""
        if self._count:
            yield distinct(self._writes_at(where).ravel())[0], True
        for read in self._reads.values():
            if where.meets(read.where):
                ids: Ids = np.asarray(self._left(read)[1], np.int32)
                yield distinct(ids.ravel())[0], False

    def _after_writes(self, access: Access, where: Where, rows: Any) -> Iterable[Conflict]:
        if not self._count:
            return []
        for region in self._regions:
            if region.where.contains(where):
                if rows is None:
                    return self._conflicts(access, where, region.id, None, True)
                prior = np.full(rows.shape, region.id, np.int32)
                return self._conflicts(access, where, prior, rows.ravel(), True)
        prior = self._writes_at(where)
        if not some(prior):
            return []
        # If the id is the same for all cells, or for all cells of each thread, it comes once.
        first = prior[(0,) * prior.ndim] if rows is None else prior[:, :1]
        if every(prior == first):
            prior = first
        threads = None if rows is None else rows.repeat(prior.shape[1])
        return self._conflicts(access, where, prior, threads, True)

    def is_read(self, where: Where, id_: int) -> bool:
        """Whether all cells of `where` whose last write has this id were read since."""
        cells = self.cells(where)
        unread = self._writes_at(where).ravel() == id_
        for read in self._reads.values():
            if where.meets(read.where):
                unread &= ~np.isin(cells, self.cells(self._left(read)[0]))
        return not some(unread)

    def _hits(self, where: Where, rows: Any) -> Iterator[_Hit]:
        """The reads of which a write replaces cells."""
        cells = threads = None
        is_unread = rows is not None and (self._read is None or not some(where.of(self._read)))
        for key, read in self._reads.items():
            if (is_unread and np.ndim(read.ids)) or not where.meets(read.where):
                continue
            if rows is None and where.contains(read.where):
                yield _Hit(key, read)
                continue
            live = read.live or self._live(read)
            each = None
            if rows is None and where.solid:
                hit = live.within(where.bounds, self.shape)
            else:
                if cells is None:
                    cells = self.cells(where)
                    threads = None if rows is None else self._flat(rows, where)
                hit, writers = live.hit(cells)
                each = None if threads is None else threads[writers]
            if not hit.size:
                continue
            yield _Hit(key, read._replace(writes=-1, live=live), hit, each)

    def _after_reads(self, access: Access, hits: Iterable[_Hit]) -> list[Conflict]:
        """The conflicts of a write with the reads of which it replaces cells."""
        conflicts: list[Conflict] = []
        for _, read, positions, threads in hits:
            is_one, live = np.ndim(read.ids) == 0, read.live
            if is_one and threads is not None and access.follows(int(read.ids)):
                continue
            if positions is None or live is None:
                conflicts += self._conflicts(access, *self._left(read), None, False)
                continue
            order = positions.argsort(kind="stable")
            positions, each = positions[order], None if threads is None else threads[order]
            ids = read.ids if is_one and threads is None else live.ids[positions]
            where = self._numbered(live.cells[positions])
            conflicts += self._conflicts(access, where, ids, each, False)
        return conflicts

    def _forget(self, hits: Sequence[_Hit], where: Where, rows: Any) -> None:
        """Drop the cells of reads that a write replaces."""
        if hits and rows is not None and self._read is not None:
            where.put(self._read, False)
        for key, read, positions, _ in hits:
            if positions is not None:
                assert read.live is not None
                read.live.is_live[positions] = False
                if some(read.live.is_live):
                    # A later read by the same instruction is not a repetition of this one.
                    self._reads[key] = read
                    continue
            del self._reads[key]

    def _live(self, read: _Read) -> _Live:
        """The cells of a read that no write has replaced."""
        cells = self.cells(read.where)
        is_one = np.ndim(read.ids) == 0
        ids = np.broadcast_to(read.ids, cells.shape) if is_one else self._flat(read.ids, read.where)
        return _Live(cells, ids, np.ones(cells.size, np.bool_))

    def _left(self, read: _Read) -> tuple[Where, Any]:
        """The cells of a read that no write has replaced, and their ids."""
        if read.live is None:
            return read.where, read.ids
        left = read.live.is_live
        return self._numbered(self.cells(read.where)[left]), read.live.ids[left]

    def _numbered(self, cells: npt.NDArray[Any]) -> Where:
        """The cells with these numbers."""
        return Where((), partial(np.unravel_index, cells, self.shape))

    def _conflicts(
        self, access: Access, where: Where, prior: Any, threads: Rows | None, written: bool
    ) -> Iterator[Conflict]:
        """Conflicts with prior accesses, whose ids broadcast to the cells."""
        if isinstance(prior, int):
            if rule := access.broken(prior, self.space, written):
                yield Conflict(prior, self._cell(where, (), 0), written, rule)
            return
        ids: Ids = np.asarray(prior, np.int32)
        for at, rule in access.unordered(ids.ravel(), threads, self.space, written):
            yield Conflict(
                int(ids.flat[at]),
                self._cell(where, ids.shape, at),
                written,
                rule,
                None if threads is None else int(threads[at]),
            )

    def _cell(self, where: Where, shape: tuple[int, ...], at: int) -> int:
        """Number of the first cell of element `at` of an array that broadcasts to the cells."""
        return int(self._numbers(where)[np.unravel_index(at, shape)].flat[0])

    def cells(self, where: Where) -> npt.NDArray[Any]:
        """Numbers of some cells."""
        return self._numbers(where).ravel()

    def _numbers(self, where: Where) -> npt.NDArray[Any]:
        match where.index:
            # An array of all numbers would be large for global memory.
            case slice() as index if len(self.shape) == 1:
                return np.arange(*index.indices(self.shape[0]))
            case np.ndarray() as index if len(self.shape) == 1:
                return index
            case (np.ndarray() as index,):
                return index
            case _:
                return _numbers(self.shape)[where.index]

    def _flat(self, values: Any, where: Where) -> npt.NDArray[Any]:
        """Values broadcast to one for each cell."""
        return np.broadcast_to(values, self._numbers(where).shape).ravel()


class Overwriting(NamedTuple):
    """A write that conflicts with an earlier write."""

    shadow: Shadow
    conflict: Conflict
    access: Access
    where: Where
    unchanged: Unchanged | None

    def keep_the_value(self) -> bool:
        """Whether threads make both writes, and write the same value."""
        if self.conflict.rule is not RACE or not self.access.is_of_threads(self.conflict.id):
            return False
        return self.unchanged is not None and self.unchanged(self.conflict.cell)

    def lack_fence_after_reads(self) -> bool:
        """Whether only a proxy fence is missing, and the values of the earlier one were read."""
        return self.conflict.rule is PROXY and self.shadow.is_read(self.where, self.conflict.id)


_MOST_REGIONS = 64
_SPREAD = 16
"""Limit on the extent of a table for each cell in it."""


@lru_cache(maxsize=8)
def _numbers(shape: tuple[int, ...]) -> npt.NDArray[np.int64]:
    return np.arange(prod(shape)).reshape(shape)

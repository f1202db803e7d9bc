"""Tensor memory and its allocator (9.7.16.1, 9.7.16.7)."""

from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from ...isa.effects.model import StateSpace
from ...isa.model.rule import Violation
from ...isa.practice import COLLECTIVE, TENSOR_MEMORY, UNWRITTEN
from ...isa.tensor_memory import alloc
from ...isa.tensor_memory.alloc import COLUMNS, LANES, unpack
from ..numbers.floats import every, some
from ..order.clocks import Rows
from ..order.shadow import Shadow
from ..order.where import Where
from .errors import LaunchError, mistake

LaneIndex: TypeAlias = "slice | npt.NDArray[np.intp]"
"""Index of lanes into arrays with one element for each cell."""


def place_in(owner: npt.NDArray[np.int32], columns: int) -> int | None:
    """The first of the columns that an allocation gets if columns have these owners; None if it
    does not fit."""
    for first in range(0, COLUMNS - columns + 1, columns & -columns):
        if not some(owner[first : first + columns]):
            return first
    return None


@dataclass(eq=False)
class TensorMemory:
    """Cells of 32 bits and their allocator. `owner` is the allocation of each column, 0 if free."""

    name: str
    cells: npt.NDArray[np.uint32] = field(
        default_factory=lambda: np.zeros((LANES, COLUMNS), np.uint32)
    )
    written: npt.NDArray[np.bool_] = field(
        default_factory=lambda: np.zeros((LANES, COLUMNS), np.bool_)
    )
    owner: npt.NDArray[np.int32] = field(default_factory=lambda: np.zeros(COLUMNS, np.int32))
    half_freed: npt.NDArray[np.bool_] = field(default_factory=lambda: np.zeros(COLUMNS, np.bool_))
    """Columns that the peer CTA has freed, but not yet this one."""
    threads: Rows | None = field(default=None, init=False)
    permitted: bool = True
    starts_written: bool = False
    """Whether the cells of a new allocation count as written."""
    shadow: Shadow = field(
        default_factory=lambda: Shadow((LANES, COLUMNS), StateSpace.TENSOR), init=False
    )
    _last_owner: npt.NDArray[np.int32] = field(
        default_factory=lambda: np.zeros(COLUMNS, np.int32), init=False
    )
    """Like `owner`, but also of columns that are free again."""
    _names: dict[int, str] = field(default_factory=dict[int, str], init=False)
    """Names of the allocations in the program."""
    _allocations: int = 0
    _latest: int | None = None
    """Number of columns of the last allocation."""

    def __post_init__(self) -> None:
        self.shadow = Shadow((LANES, COLUMNS), StateSpace.TENSOR)

    def place(self, cell: int) -> str:
        """Name of a cell in messages, relative to its allocation if that has a name."""
        lane, column = divmod(cell, COLUMNS)
        owner = int(self._last_owner[column])
        if name := self._names.get(owner):
            first = int(np.argmax(self._last_owner == owner))
            return f"{name}[{lane}, {column - first}] in tensor memory of {self.name}"
        return f"lane {lane}, column {column} of {self.name}"

    def fits(self, columns: int, exclusive: bool = False) -> bool:
        """Whether an allocation of `columns` fits. Raises Violation for an illegal number, and
        LaunchError for one that only another target may have."""
        alloc.check_columns(columns, exclusive)
        if columns > COLUMNS:
            raise LaunchError(
                f"{self.name} allocates {columns} columns; the simulated GPU has {COLUMNS}"
            )
        return place_in(self.owner, columns) is not None

    def allocate(self, columns: int, name: str = "") -> int:
        """
        Allocate columns, which must fit, and return the first; `name` is what the program calls
        them. Raises Violation.
        """
        if not self.permitted:
            raise mistake(TENSOR_MEMORY, f"{self.name} allocates after relinquish_alloc_permit")
        if self._latest is not None and columns > self._latest:
            found = f"{self.name} allocates {columns} columns after an allocation of {self._latest}"
            raise mistake(TENSOR_MEMORY, f"{found}: later allocations may not be larger")
        self._latest = columns
        first = place_in(self.owner, columns)
        assert first is not None
        self._allocations += 1
        self.owner[first : first + columns] = self._allocations
        self._last_owner[first : first + columns] = self._allocations
        self._names[self._allocations] = name
        self.written[:, first : first + columns] = self.starts_written
        return first

    def free(self, address: int, columns: int) -> None:
        """Free an allocation. Raises Violation."""
        cell = unpack(address)
        owners = self.owner[cell.column : cell.column + columns]
        whole = self.owner == owners[0]
        if cell.lane or not owners[0] or some(owners != owners[0]) or whole.sum() != columns:
            found = f"{columns} columns at {address:#x} of {self.name} are not a whole allocation"
            raise mistake(TENSOR_MEMORY, f"{found}; {self._allocated()}")
        owners[:] = 0
        self.half_freed[cell.column : cell.column + columns] = False

    def peer_frees(self, first: int, columns: int) -> None:
        """Record that the peer CTA frees its half of an allocation. Raises Violation if this CTA
        has yet to allocate."""
        if not every(self.owner[first : first + columns]):
            raise mistake(COLLECTIVE, f"{self.name} has yet to allocate the columns")
        self.half_freed[first : first + columns] = True

    @property
    def allocated(self) -> int:
        """Number of allocated columns."""
        return int(np.count_nonzero(self.owner))

    def describe(self) -> str:
        """Text: the allocations."""
        parts: list[str] = []
        for owner in sorted({*self.owner[self.owner > 0].tolist()}):
            columns = np.flatnonzero(self.owner == owner)
            parts.append(f"{columns.size} columns at {int(columns[0]):#x}")
        return ", ".join(parts)

    def check(self, column: int, columns: int) -> None:
        """Raise Violation unless all columns are allocated, in both CTAs of a pair."""
        self.check_allocated(column, columns)
        if self.is_half_freed(column, columns):
            raise mistake(COLLECTIVE, self.half_freed_text(column, columns))

    def is_half_freed(self, column: int, columns: int) -> bool:
        """Whether the peer CTA has freed some of the columns."""
        return some(self.half_freed[column : column + columns])

    def half_freed_text(self, column: int, columns: int) -> str:
        """Clause: the peer CTA has freed the columns."""
        found = f"columns {column} to {column + columns - 1} of {self.name}"
        return f"the peer CTA has freed its half of {found}"

    def check_allocated(self, column: int, columns: int) -> None:
        """Raise Violation unless all columns are allocated in this CTA."""
        owners = self.owner[column : column + columns]
        if owners.size < columns or not every(owners):
            found = f"columns {column} to {column + columns - 1} of {self.name} are not allocated"
            raise mistake(TENSOR_MEMORY, f"{found}; {self._allocated()}")

    def _allocated(self) -> str:
        return f"allocated: {self.describe() or 'none'}"

    def check_written(self, where: Where) -> None:
        """Raise Violation for a read of cells that hold no value."""
        written = self.written[where.index]
        if not every(written):
            missing = int(self.shadow.cells(where)[~written.ravel()][0])
            raise mistake(UNWRITTEN, f"{self.place(missing)} was never written")

    def read(
        self, lanes: npt.NDArray[np.intp], columns: npt.NDArray[np.intp]
    ) -> npt.NDArray[np.uint32]:
        """Read the cells at lanes x columns (arrays that broadcast). Raises Violation."""
        self.check_allocated(int(columns.min()), int(columns.max() - columns.min()) + 1)
        written = self.written[lanes, columns]
        if not every(written):
            where = tuple(np.argwhere(~written)[0])
            all_lanes, all_columns = np.broadcast_arrays(lanes, columns)
            raise self._unwritten(all_lanes[where], all_columns[where])
        return self.cells[lanes, columns]

    def empty_lanes(
        self, lanes: npt.NDArray[np.intp], columns: npt.NDArray[np.intp]
    ) -> npt.NDArray[np.intp]:
        """The lanes of cells at lanes x columns of which nothing was written, if all cells of the
        other lanes were; empty if there are no such lanes, or no others."""
        written = self.written[lanes, columns]
        all_lanes = np.broadcast_to(lanes, written.shape)
        empty = np.setdiff1d(all_lanes, all_lanes[written])
        is_rest_written = np.isin(all_lanes[~written], empty).all()
        return empty if is_rest_written and some(written) else empty[:0]

    def _unwritten(self, lane: Any, column: Any) -> Violation:
        found = f"{self.place(int(lane) * COLUMNS + int(column))} was never written"
        return mistake(UNWRITTEN, found)

    def read_block(self, lanes: LaneIndex, first: int, columns: int) -> npt.NDArray[np.uint32]:
        """
        Read `columns` cells of each lane, beginning at column `first`, with axes (lane, column); a
        view if the lanes are a slice. Raises Violation.
        """
        self.check(first, columns)
        written = self.written[lanes, first : first + columns]
        if not every(written):
            row, column = (int(at) for at in np.argwhere(~written)[0])
            raise self._unwritten(np.arange(LANES)[lanes][row], first + column)
        return self.cells[lanes, first : first + columns]

    def write_block(self, lanes: LaneIndex, first: int, values: npt.NDArray[np.uint32]) -> None:
        """Write cells of each lane, beginning at column `first`. Raises Violation."""
        columns = values.shape[-1]
        self.check(first, columns)
        self.cells[lanes, first : first + columns] = values
        self.written[lanes, first : first + columns] = True

    def write(
        self,
        lanes: npt.NDArray[np.intp],
        columns: npt.NDArray[np.intp],
        values: npt.NDArray[np.uint32],
    ) -> None:
        """Write the cells at lanes x columns. Raises Violation."""
        self.check_allocated(int(columns.min()), int(columns.max() - columns.min()) + 1)
        self.cells[lanes, columns] = values
        self.written[lanes, columns] = True


def lane_index(lanes: npt.NDArray[np.intp]) -> LaneIndex:
    """Index of lanes: a slice if they are consecutive, which is faster."""
    flat = lanes.ravel()
    if flat.size and every(flat[1:] == flat[:-1] + 1):
        return slice(int(flat[0]), int(flat[-1]) + 1)
    return flat


def block(lanes: npt.NDArray[Any], first: int, columns: int) -> Where:
    """`columns` cells of each lane, beginning at column `first`."""
    index, end = lane_index(lanes), first + columns
    bounds = range(int(lanes.min()), int(lanes.max()) + 1), range(first, end)
    return Where(bounds, lambda: (index, slice(first, end)), isinstance(index, slice))

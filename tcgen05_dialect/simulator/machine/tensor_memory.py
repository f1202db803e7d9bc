"""
Tensor memory and its allocator (9.7.16.1, 9.7.16.7).

Byte-addressed memory: global buffers, shared memory and parameters.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from operator import itemgetter
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
from xdsl.ir import Operation

from ...isa.effects.model import StateSpace
from ...isa.model.rule import Violation, plural
from ...isa.practice import (
    ALIGNMENT,
    BARRIER,
    BOUNDS,
    COLLECTIVE,
    LIFETIME,
    RACE,
    TENSOR_MEMORY,
    UNWRITTEN,
)
from ...isa.targets import SHARED_BYTES
from ...isa.tensor_memory import alloc
from ...isa.tensor_memory.alloc import COLUMNS, LANES, unpack
from ...ptx.effects import is_strong_access
from ..numbers.floats import Lanes, every, some, unsigned
from ..order.clocks import Clocks, Known, Message, Rows
from ..order.shadow import Shadow, Unchanged, Where
from .errors import LaunchError, fault

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
        name, at = self.owner_of(column)
        if name:
            return f"{name}[{lane}, {at}] in tensor memory of {self.name}"
        return f"lane {lane}, column {column} of {self.name}"

    def owner_of(self, at: int) -> tuple[str, int]:
        """The name of the last allocation of a column, and the position of the column there."""
        owner = int(self._last_owner[at])
        first = int(np.argmax(self._last_owner == owner)) if owner else 0
        return self._names.get(owner, ""), at - first

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
            raise TENSOR_MEMORY.says(f"{self.name} allocates after relinquish_alloc_permit")
        if self._latest is not None and columns > self._latest:
            found = f"{self.name} allocates {columns} columns after an allocation of {self._latest}"
            raise TENSOR_MEMORY.says(f"{found}: later allocations may not be larger")
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
            raise TENSOR_MEMORY.says(f"{found}; {self._allocated()}")
        owners[:] = 0
        self.half_freed[cell.column : cell.column + columns] = False

    def peer_frees(self, first: int, columns: int) -> None:
        """Record that the peer CTA frees its half of an allocation. Raises Violation if this CTA
        has yet to allocate."""
        if not every(self.owner[first : first + columns]):
            raise COLLECTIVE.says(f"{self.name} has yet to allocate the columns")
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
            raise COLLECTIVE.says(self.half_freed_text(column, columns))

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
            raise TENSOR_MEMORY.says(f"{found}; {self._allocated()}")

    def _allocated(self) -> str:
        return f"allocated: {self.describe() or 'none'}"

    def check_written(self, where: Where) -> None:
        """Raise Violation for a read of cells that hold no value."""
        written = self.written[where.index]
        if not every(written):
            missing = int(self.shadow.cells(where)[~written.ravel()][0])
            raise UNWRITTEN.says(f"{self.place(missing)} was never written")

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
        """The lanes of cells at lanes x columns that were never written, if all cells of the
        other lanes were; empty if there are no such lanes, or no others."""
        written = self.written[lanes, columns]
        all_lanes = np.broadcast_to(lanes, written.shape)
        # The functions of numpy for sets import masked arrays.
        some_written, some_empty = (
            np.bincount(all_lanes[which], minlength=LANES) > 0 for which in (written, ~written)
        )
        is_rest_written = not some(some_written & some_empty)
        return np.flatnonzero(some_empty if is_rest_written and some(written) else some_empty[:0])

    def _unwritten(self, lane: Any, column: Any) -> Violation:
        found = f"{self.place(int(lane) * COLUMNS + int(column))} was never written"
        return UNWRITTEN.says(found)

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


RANK_SHIFT = 24
"""
Bit position of the CTA rank in an address of the shared memory window of the cluster, which
consists of the windows of its CTAs.
"""
WINDOW_BYTES = 1 << RANK_SHIFT
"""Bytes of the window of one CTA; addresses in descriptors are relative to it."""

SHARED_WINDOW = 0x7E0000000000
"""Generic address of the shared memory window."""
PARAMETER_WINDOW = 1 << 32
"""Generic address of the parameters."""
LOCAL_WINDOW = 0x7D0000000000
"""Generic address of the local memory of a thread."""
CONSTANT_WINDOW = 0x7C0000000000
"""Generic address of constant memory."""
GLOBAL_BASE = 0x7F0000000000
"""Address of the first argument or variable in global memory."""
SPACE_BYTES = 1 << 32
"""Bytes of each of these windows."""

_FAR_HELP = (
    "compute the address from an argument or a variable; an argument for a pointer must be an array"
)
_ADDRESSES = 1 << 64
"""Number of addresses: numpy may hold an address as a negative number."""

Bytes = npt.NDArray[np.uint8]


class Variable(NamedTuple):
    """Variable in shared memory; its size is 0 if the launch sets it."""

    offset: int
    name: str
    size: int
    alignment: int


class Posted(NamedTuple):
    """Messages of a write with semantics: to readers in the CTA with this rank, in other CTAs of
    the cluster, and in other clusters, as events by cluster."""

    clocks: Clocks
    rank: int
    near: Message
    far: Message
    outside: Mapping[int, Known]


@dataclass(eq=False)
class Memory:
    """Bytes of a state space from address `base`. `written` marks initialised bytes."""

    name: str
    base: int
    bytes: Bytes
    written: npt.NDArray[np.bool_]
    state_space: StateSpace = StateSpace.GLOBAL
    over: bool = field(default=False, init=False)
    """Whether the CTA that owns this shared memory has ended."""
    _opaque: npt.NDArray[np.bool_] | None = field(default=None, init=False)
    """Bytes of barrier objects; only mbarrier instructions may access them (9.7.13.15.1)."""
    messages: dict[int, Posted] = field(default_factory=dict[int, Posted], init=False)
    """Offset -> the knowledge that the last write with semantics passes to its readers."""
    shadow: Shadow = field(init=False)
    origin: int = field(default=0, init=False)
    """The byte that messages call byte 0, to which a pointer into the middle points."""
    threads: Rows | None = field(default=None, init=False)
    """The threads of the CTA whose shared memory it is."""
    variables: "Sequence[Variable]" = field(default=(), init=False)
    """The variables, sorted by offset."""
    dynamic: int | None = field(default=None, init=False)
    """The bytes of dynamic shared memory at the end; None for a kernel without a variable there."""

    def __post_init__(self) -> None:
        self.shadow = Shadow((self.bytes.size,), self.state_space)

    @classmethod
    def shared(cls, name: str, base: int, size: int) -> "Memory":
        """Shared memory of a CTA, uninitialised."""
        written = np.zeros(size, np.bool_)
        return cls(name, base, np.zeros(size, np.uint8), written, StateSpace.SHARED)

    def check_written(self, where: Where) -> None:
        """Raise Violation for a read of bytes that hold no value."""
        (bounds,) = where.bounds
        # The index of a matrix takes longer to make than all bytes between its first and last.
        if every(self.written[bounds.start : bounds.stop]):
            return
        written = where.of(self.written)
        if not every(written):
            missing = int(self.shadow.cells(where)[~written.ravel()][0])
            raise UNWRITTEN.says(f"{self.place(missing)} was never written")

    def check_runs(self, op: Operation, offset: int) -> None:
        """Raise OperationError for an access if the CTA that owns this memory has ended."""
        if self.over:
            found = f"the access is to {self.place(offset)}, but the CTA has ended"
            raise fault(op, LIFETIME, found)

    def set_opaque(self, first: int, size: int, opaque: bool) -> None:
        """Begin or end the life of a barrier object."""
        if self._opaque is None:
            self._opaque = np.zeros(self.bytes.size, np.bool_)
        self._opaque[first : first + size] = opaque

    def is_opaque(self, where: Where) -> bool:
        """Whether an access touches a barrier object."""
        return self._opaque is not None and some(where.of(self._opaque))

    def check_opaque(self, op: Operation, where: Where) -> None:
        """Raise OperationError if an access touches a barrier object."""
        if self.is_opaque(where):
            assert self._opaque is not None
            cells = np.arange(self._opaque.size)[where.index]
            at = int(cells[self._opaque[cells]][0])
            found = f"the access is to {self.place(at)}, which belongs to an mbarrier"
            raise fault(op, BARRIER, found, "access an mbarrier with its own instructions only")

    def place(self, cell: int, element: int = 0) -> str:
        """
        Name of a byte in messages, relative to its variable if that is known. With `element`, the
        bytes of an element, it is the index in a variable that is aligned as its elements are.
        """
        variable = self.variable(cell)
        if variable is None:
            return f"byte {cell - self.origin} of {self.name}"
        at, name = cell - variable.offset, variable.name
        if variable.alignment == element < variable.size and not at % element:
            return f"{name}[{at // element}] in {self.name}"
        return f"{name}{f'+{at}' * (at > 0)} in {self.name}"

    def owner_of(self, at: int) -> tuple[str, int]:
        """The name of the variable that contains a byte, or of the memory, and its position
        there."""
        variable = self.variable(at)
        if variable is None:
            return self.name, at - self.origin
        return variable.name, at - variable.offset

    def variable(self, cell: int) -> Variable | None:
        """The variable that contains a byte, if it is known."""
        index = bisect_right(self.variables, cell, key=itemgetter(0)) - 1
        return None if index < 0 else self.variables[index]

    def check_alone(self, op: Operation, lanes: Lanes, where: Where, values: Bytes) -> None:
        """Raise OperationError if lanes wrote different values to one byte at once; `where` and
        `values` have axes (lane, byte)."""
        lost = where.of(self.bytes) != values
        if some(lost):
            offsets: Any = where.index
            lane, byte = (int(numbers[0]) for numbers in lost.nonzero())
            cell = int(offsets[lane, byte])
            found = f"lane {lanes[lane]} and another lane of the warp write different values to"
            fix = "let each lane write to its own address, or let only one lane write"
            raise fault(op, RACE, f"{found} {self.place(cell)}", fix)

    def keeping(self, where: Where, values: Bytes) -> Unchanged:
        """Tells whether no lane that writes a byte changes any of the bytes that it writes; `where`
        and `values` have axes (lane, byte)."""

        @cache
        def changed() -> Lanes:
            return values != self.bytes[where.index]

        def keeps(cell: int) -> bool:
            offsets: Any = where.index
            return not some(changed()) or not some(changed()[(offsets == cell).any(axis=1)])

        return keeps

    @property
    def end(self) -> int:
        return self.base + self.bytes.size


Shadowed: TypeAlias = Memory | TensorMemory
"""Memory with a record of the accesses to it."""
Touch: TypeAlias = Callable[[Memory, Lanes, Where, Bytes | None], None]
"""
Called for each access with the memory, the lanes, their bytes, and the values if it writes. Raises
OperationError for a race.
"""


@dataclass(eq=False)
class Space:
    """State space: memories at disjoint addresses, with gaps between them."""

    name: str
    memories: list[Memory] = field(default_factory=list[Memory])
    _bases: list[int] = field(default_factory=list[int])

    def __contains__(self, memory: Memory) -> bool:
        return any(each is memory for each in self.memories)

    def add(self, memory: Memory) -> None:
        """Add a memory after the existing ones."""
        self.insert(len(self.memories), memory)

    def insert(self, index: int, memory: Memory) -> None:
        """Add a memory between the existing ones."""
        assert all(each.end <= memory.base for each in self.memories[max(index - 1, 0) : index])
        assert all(memory.end <= each.base for each in self.memories[index : index + 1])
        self.memories.insert(index, memory)
        self._bases.insert(index, memory.base)

    def around(self, address: int, size: int) -> Memory | None:
        """The memory that contains `size` bytes at an address; None if there is none."""
        index = bisect_right(self._bases, address) - 1
        if index < 0 or address + size > self.memories[index].end:
            return None
        return self.memories[index]

    def find(self, op: Operation, address: int, size: int) -> tuple[Memory, int]:
        """
        The memory that contains `size` bytes at an address, and their offset in it.

        Raises OperationError if no memory contains all of them.
        """
        memory = self.around(address, size)
        if memory is not None:
            memory.check_runs(op, address - memory.base)
            return memory, address - memory.base
        index = bisect_right(self._bases, address) - 1
        is_one = size == 1
        at = f"at {address % _ADDRESSES:#x} {'is' if is_one else 'are'}"
        found = f"{size} {plural('byte', size)} {at} not in {self.name} memory"
        if not self.memories:
            raise fault(op, BOUNDS, found)
        position = self._position(address, index)
        if not position:
            raise fault(op, BOUNDS, f"{found}, and no array or variable is near", _FAR_HELP)
        begin = "it begins" if is_one else "they begin"
        help = self._launch_help(address + size, index)
        raise fault(op, BOUNDS, f"{found}: {begin} {position}", help)

    def _launch_help(self, end: int, index: int) -> str:
        """The help for an access that ends at `end`, just after dynamic shared memory: the bytes
        that it needs; empty otherwise."""
        memory = self.memories[max(index, 0)]
        missing = end - memory.end
        if memory.dynamic is None or not 0 <= missing < WINDOW_BYTES:
            return ""
        whole, most = memory.bytes.size + missing, max(SHARED_BYTES.values())
        if whole > most:
            return f"the access needs {whole} bytes of shared memory, and a CTA has at most {most}"
        needed = memory.dynamic + missing
        return (
            f"the access needs {needed} bytes of dynamic shared memory, and the launch gives "
            f"{memory.dynamic}: give more, or correct the address"
        )

    def _position(self, address: int, index: int) -> str:
        """Text: the position of an address relative to the memory below it or to the first one;
        empty if it is far away."""
        memory = self.memories[max(index, 0)]
        name, offset = f"{memory.name} ({memory.bytes.size} bytes)", address - memory.base
        if index >= 0 and address < memory.end:
            return f"at {memory.place(offset)} and pass the end of {name}"
        distance = -offset if index < 0 else address - memory.end
        if distance >= WINDOW_BYTES:
            return ""
        place = f"{distance} {plural('byte', distance)}" if distance else "directly"
        if index < 0:
            return f"{place} before {memory.name}"
        last = memory.variables[-1:]
        return f"{place} after {name}" + "".join(f", which ends with {each.name}" for each in last)

    def parts(
        self, op: Operation, addresses: Lanes, active: Lanes, size: int, alignment: int = 0
    ) -> Iterator[tuple[Memory, Lanes, Where]]:
        """
        Split an access of `size` bytes per active lane by memory. Yields the memory, its lanes, and
        their bytes (lanes x size). Without an alignment, the access is aligned to its size.

        Raises OperationError for an address that is misaligned or out of bounds.
        """
        lanes = active.nonzero()[0]
        given = addresses[lanes].astype(np.int64, copy=False)
        unit = alignment or size
        misaligned = given % unit
        if some(misaligned):
            wrong = int(given[misaligned != 0][0])
            memory, offset = self.find(op, wrong, size)
            found = f"the address {wrong:#x} ({memory.place(offset)}) is not a multiple of {unit}"
            raise fault(op, ALIGNMENT, f"{found}, the size of the access")
        while lanes.size:
            memory, _ = self.find(op, int(given[0]), size)
            is_aligned = unit == size and memory.base % size == 0
            where = Where.runs(given - memory.base, size, is_aligned)
            if where.bounds[0].start >= 0 and where.bounds[0].stop <= memory.bytes.size:
                yield memory, lanes, where
                return
            inside = (given >= memory.base) & (given + size <= memory.end)
            yield memory, lanes[inside], Where.runs(given[inside] - memory.base, size)
            lanes, given = lanes[~inside], given[~inside]

    def load(
        self,
        op: Operation,
        addresses: Lanes,
        active: Lanes,
        size: int,
        judge: Touch,
        needed: npt.NDArray[np.bool_] | None = None,
    ) -> Bytes:
        """Read `size` bytes for each active lane, as lanes x size; those `needed`, by default all,
        must be written. Raises OperationError."""
        result = np.zeros((active.size, size), np.uint8)
        for memory, lanes, where in self.parts(op, addresses, active, size):
            memory.check_opaque(op, where)
            judge(memory, lanes, where, None)
            written = where.of(memory.written)
            if needed is not None:
                written = written | ~needed
            if not every(written):
                lane = int(lanes[~written.all(axis=1)][0])
                place = memory.place(int(addresses[lane]) - memory.base)
                raise fault(op, UNWRITTEN, f"{size} bytes at {place} were never written")
            result[lanes] = where.of(memory.bytes)
        return result

    def store(
        self, op: Operation, addresses: Lanes, active: Lanes, values: Bytes, judge: Touch
    ) -> Sequence[tuple[Memory, Where]]:
        """Write the bytes (lanes x size) of the active lanes, and return their places. Raises
        OperationError."""
        places: list[tuple[Memory, Where]] = []
        for memory, lanes, where in self.parts(op, addresses, active, values.shape[1]):
            memory.check_opaque(op, where)
            given = values[lanes]
            judge(memory, lanes, where, given)
            where.put(memory.bytes, given)
            where.put(memory.written, True)
            if not is_strong_access(op):
                memory.check_alone(op, lanes, where, given)
            places.append((memory, where))
        return places


def aligned(address: int, alignment: int) -> int:
    """Round an address up to an alignment."""
    return -(-address // alignment) * alignment


def words(data: Bytes, bits: int) -> list[Lanes]:
    """Split lanes x bytes into elements of `bits` bits: one register for each element."""
    elements = np.ascontiguousarray(data).view(unsigned(bits))
    return [elements[:, index] for index in range(elements.shape[1])]


def data_of(values: list[Lanes]) -> Bytes:
    """Bytes of several registers, as lanes x bytes."""
    return np.ascontiguousarray(np.array(values).T).view(np.uint8)

"""
Vector clocks of the threads of a cluster (the causality order of chapter 8).

Each source of events has a *component* that counts them: the accesses of a thread, its completed
tensor core operations, the phases of a barrier object and so on. A clock holds a number for each
component; the events up to that number happened before. A thread has several clocks, because an
event may be ordered before some of its accesses and not before others.
"""

from collections.abc import Hashable, Mapping
from enum import IntEnum
from math import prod
from mmap import ACCESS_COPY, mmap
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
from xdsl.ir import Operation

from ...isa.effects.model import CTA_SCOPE, Ordering
from ...ptx.bases import BarrierInstruction
from ...ptx.effects import orders_of, scope_of
from ..numbers.floats import every, some

Rows: TypeAlias = npt.NDArray[np.intp]
"""Row numbers of threads in a cluster."""
Known: TypeAlias = npt.NDArray[np.int32]
"""One clock: a number for each component."""
Message: TypeAlias = npt.NDArray[np.int32]
"""Clocks that a thread passes to others, with axes (first members of `Clock`, component)."""


class Clock(IntEnum):
    """The clocks of a thread."""

    SEEN = 0
    """Events before the accesses of the thread itself."""
    TENSOR = 1
    """Events also before tcgen05 operations after a `fence::after_thread_sync`."""
    ASYNC_SHARED = 2
    """Events also before async proxy accesses to shared memory by the thread."""
    ASYNC_GLOBAL = 3
    """Events also before async proxy accesses to global memory by the thread."""
    INITIALIZED = 4
    """Events also before uses of barrier objects by other CTAs and asynchronous operations."""
    TOLD = 5
    """Events received through any operation, ordered or not; names a missing fence."""
    COMPLETE = 6
    """Events complete at a `fence::after_thread_sync`, also after a relaxed wait. They are ordered
    before synchronous tcgen05 operations and before asynchronous ones that overwrite operands."""
    AFTER = 7
    """Events before tcgen05 operations of the thread. Never passed on."""
    RELEASED = 8
    """SEEN at the last releasing fence. Relaxed operations pass it on in the CTA."""
    RELEASED_FAR = 9
    """The same for a fence whose scope is wider than the CTA. Passed on to other CTAs."""
    RELAXED = 10
    """Events received from relaxed operations in the CTA. An acquiring fence adds them to SEEN."""
    RELAXED_FAR = 11
    """The same from other CTAs. A fence adds them if its scope is wider than the CTA."""
    AFTER_TOLD = 12
    """SEEN and TOLD at the last `fence::after_thread_sync`; names the other missing fence."""


class Order(IntEnum):
    """What an operation orders when threads pass on what they know."""

    NONE = 0
    """Nothing: its scope leaves out the other thread."""
    RELAXED = 1
    """Only what has fences of its own: tcgen05 operations, and uses of barrier objects."""
    FULL = 2
    """All accesses: release or acquire."""


_HANDED_ON = slice(Clock.AFTER)
_WITHOUT_FENCE = {
    Order.NONE: np.array([Clock.TOLD]),
    Order.RELAXED: np.array([Clock.TENSOR, Clock.INITIALIZED, Clock.TOLD]),
}
"""Clocks that weaker operations pass on completely."""


class Passed(NamedTuple):
    """
    Events that an operation received (`acquires`) or released without ordering them. The first of
    its threads is `row`; `far` if the other thread is in another CTA.
    """

    op: Operation
    row: int
    acquires: bool
    far: bool
    told: Known


class _Reads(NamedTuple):
    """Key of a component that counts reads of loaded registers."""

    loads: int


def _is_narrow_wait(op: Operation) -> bool:
    is_acquire = isinstance(op, BarrierInstruction) and Ordering.ACQUIRE in orders_of(op)
    return is_acquire and scope_of(op) == CTA_SCOPE


class Clocks:
    """Clocks of all threads of a cluster; `index` identifies the cluster."""

    def __init__(self, index: int, threads: int):
        self.index = index
        self.table = _zeros(len(Clock), threads, threads + _SPARE)
        own = np.arange(threads)
        self.table[Clock.SEEN, own, own] = 1
        self._components: dict[Hashable, int] = {}
        self._used = threads
        self._owned: dict[int, list[int]] = {}
        """Thread -> the components that count its tcgen05 operations."""
        self._others: dict[int, Known] = {}
        self._received: dict[int, Known] = {}
        """Cluster -> its events that a relaxed load has received; an acquiring fence adds them."""
        self._passed: dict[Hashable, Passed] = {}
        """What each operation passed on last without ordering it."""

    @staticmethod
    def bytes_for(threads: int) -> int:
        """Size of the clocks for a number of threads."""
        return 4 * len(Clock) * threads * (threads + _SPARE)

    @property
    def threads(self) -> int:
        """The number of threads, whose components come first."""
        return self.table.shape[1]

    def forget(self) -> None:
        """Free the clocks after the end of all threads."""
        self.table = self.table[:, :0, :0].copy()
        self._components.clear()
        self._passed.clear()

    def record(
        self,
        op: Operation,
        rows: Rows,
        message: Message,
        order: Order,
        far: bool,
        *,
        acquires: bool,
    ) -> None:
        """Record a message that an operation of threads passes on, for messages about races."""
        if order is not Order.FULL:
            row = int(rows[0])
            passed = Passed(op, row, acquires, far, message[Clock.TOLD])
            self._passed[op, row, acquires, far] = passed

    def passed(self, component: int, number: int) -> list[Passed]:
        """The operations that passed an event on without ordering it."""
        return [
            each
            for each in self._passed.values()
            if component < each.told.size and each.told[component] >= number
        ]

    def is_by_narrow_wait(self, component: int, number: int) -> bool:
        """Whether an event of another CTA is not ordered because the scope of waits at barrier
        objects leaves out that CTA."""
        far = [each for each in self.passed(component, number) if each.far]
        return bool(far) and all(each.acquires and _is_narrow_wait(each.op) for each in far)

    @property
    def others(self) -> Mapping[int, Known]:
        """Index of another cluster -> its events that are ordered before accesses of this one. They
        are kept for the cluster as a whole: what one thread acquires, all threads know."""
        return self._others.copy()

    def learn(self, others: Mapping[int, Known], order: Order) -> None:
        """Acquire events of other clusters."""
        known = self._others if order is Order.FULL else self._received
        for index, numbers in others.items():
            if index != self.index:
                known[index] = join(known[index], numbers) if index in known else numbers

    def learn_received(self) -> None:
        """Execute a fence that acquires events of other clusters."""
        self.learn(self._received, Order.FULL)

    def knows(self, other: "Clocks", component: int, number: int) -> bool:
        """Whether an event of another cluster is ordered before accesses of this one."""
        known = self._others.get(other.index)
        return known is not None and component < len(known) and bool(known[component] >= number)

    def component(self, key: Hashable, owner: int = -1) -> int:
        """The component for a key, created at first use. Those of the threads come first. `owner`
        is the thread whose tcgen05 operations it counts, if there is one."""
        found = self._components.get(key)
        if found is None:
            found = self._components[key] = self._used
            self._used += 1
            if self._used > self.table.shape[2]:
                self._grow()
            if owner >= 0:
                self._owned.setdefault(owner, []).append(found)
        return found

    def _grow(self) -> None:
        """Quadruple the capacity for components that count no thread."""
        old = self.table
        threads, size = old.shape[1:]
        self.table = _zeros(len(Clock), threads, 4 * size - 3 * threads)
        for clock, known in enumerate(old):
            rows = np.flatnonzero(known.max(axis=1))
            self.table[clock, rows, :size] = known[rows]

    def reads_of(self, component: int) -> int:
        """The component that counts the reads of the registers that a counted load writes."""
        return self.component(_Reads(component))

    def key(self, component: int) -> Hashable:
        """The key of a component that `component` has created."""
        return next(key for key, each in self._components.items() if each == component)

    def message(self) -> Message:
        """The empty message."""
        return np.zeros(self.table[_HANDED_ON, 0].shape, np.int32)

    def release(self, rows: Rows, order: Order = Order.FULL, far: bool = False) -> Message:
        """The message that threads pass on at an operation for which others may wait; `far` if
        these are in other CTAs."""
        known = self.table[_HANDED_ON, _index(rows)]
        message: Message = known[:, 0].copy() if len(rows) == 1 else known.max(axis=1)
        message[Clock.TOLD] = np.maximum(message[Clock.TOLD], message[Clock.SEEN])
        if order is not Order.FULL:
            limited = np.zeros_like(message)
            if order is Order.RELAXED:
                released = self.table[Clock.RELEASED_FAR if far else Clock.RELEASED, rows]
                limited = np.minimum(message, released.max(axis=0))
            limited[_WITHOUT_FENCE[order]] = message[_WITHOUT_FENCE[order]]
            message = limited
        self.count(rows)
        return message

    def _own(self, clock: Clock) -> Known:
        """View of the threads' own components in a clock. A slice of it is four times as fast as an
        index of rows and components."""
        known = self.table[clock]
        return known.reshape(-1)[:: known.shape[1] + 1]

    def numbers(self, rows: Rows) -> Known:
        """The threads' own components."""
        return self._own(Clock.SEEN)[_index(rows)].copy()

    def count(self, rows: Rows) -> None:
        """Advance the threads' own components: later accesses are not part of earlier messages."""
        self._own(Clock.SEEN)[_index(rows)] += 1

    def acquire(
        self, rows: Rows, message: Message, order: Order = Order.FULL, far: bool = False
    ) -> None:
        """Add the clocks in a message to the clocks of threads; `far` if it comes from another
        CTA."""
        if order is Order.FULL:
            for clock, numbers in enumerate(message):
                self.raise_(rows, clock, numbers)
            return
        for clock in _WITHOUT_FENCE[order]:
            self.raise_(rows, clock, message[clock])
        if order is Order.RELAXED:
            self.raise_(rows, Clock.RELAXED_FAR if far else Clock.RELAXED, message[Clock.SEEN])

    def meet(self, rows: Rows) -> None:
        """Make threads wait for each other: they exchange TOLD, but no accesses are ordered."""
        self.raise_(rows, Clock.TOLD, self.told(rows))
        self.count(rows)

    def raise_(self, rows: Rows, clock: int, numbers: Known) -> None:
        """Raise one clock of threads to at least `numbers`, whose pages may mostly be 0."""
        index, size = _index(rows), numbers.shape[-1]
        for first in range(0, size, _PAGE):
            part = numbers[..., first : first + _PAGE]
            raised = np.nonzero(part if part.ndim == 1 else part.any(axis=0))[0]
            if not raised.size:
                continue
            low, high = int(raised[0]), int(raised[-1]) + 1
            at, part = (clock, index, slice(first + low, first + high)), part[..., low:high]
            known = self.table[at]
            np.maximum(known, part, out=known)
            if not isinstance(index, slice):
                # numpy copies the rows.
                self.table[at] = known

    def fence(self, rows: Rows, source: Clock, *targets: Clock) -> None:
        """Add the events of one clock of threads to other clocks."""
        for target in targets:
            self.raise_(rows, target, self.table[source, _index(rows)])
        self.count(rows)

    def fence_before(self, rows: Rows) -> None:
        """Execute `fence::before_thread_sync`: it orders the tcgen05 operations of the threads
        themselves, and those before an earlier `fence::after_thread_sync`."""
        tensor, seen = self.table[Clock.TENSOR], self.table[Clock.SEEN]
        self.raise_(rows, Clock.TENSOR, self.table[Clock.AFTER, _index(rows)])
        self._own(Clock.TENSOR)[_index(rows)] = self.numbers(rows)
        for row, owned in self._owned.items():
            if some(rows == row):
                tensor[row, owned] = np.maximum(tensor[row, owned], seen[row, owned])
        self.count(rows)

    def fence_after(self, rows: Rows) -> None:
        """Execute `fence::after_thread_sync`."""
        for source in (Clock.SEEN, Clock.TOLD):
            self.raise_(rows, Clock.AFTER_TOLD, self.table[source, _index(rows)])
        self.fence(rows, Clock.TENSOR, Clock.AFTER, Clock.COMPLETE)

    def complete(self, rows: Rows, component: int, number: int, *clocks: Clock) -> None:
        """Raise one component to at least `number` in some clocks of threads."""
        for clock in clocks:
            known = self.table[clock, rows, component]
            self.table[clock, rows, component] = np.maximum(known, number)

    def reached(self, rows: Rows, clock: Clock, other: Clock) -> Known:
        """Events that at least one of the threads has in one of two clocks."""
        at = _index(rows)
        return np.maximum(self.table[clock, at], self.table[other, at]).max(axis=0)

    def told(self, rows: Rows) -> Known:
        """Events that at least one of the threads has in SEEN or TOLD."""
        return self.reached(rows, Clock.SEEN, Clock.TOLD)

    def know_of(self, rows: Rows, others: Rows) -> npt.NDArray[np.bool_]:
        """Which threads know of any event of some others, which shows that these run."""
        return self._told_of(rows, others).max(axis=1) > 0

    def told_of(self, rows: Rows, others: Rows) -> Known:
        """The events of some others that at least one of the threads has in SEEN or TOLD."""
        return self._told_of(rows, others).max(axis=0)

    def _told_of(self, rows: Rows, others: Rows) -> npt.NDArray[np.int32]:
        at, of = _index(rows), _index(others)
        seen, told = (self.table[each, at][:, of] for each in (Clock.SEEN, Clock.TOLD))
        return np.maximum(seen, told)

    def known(self, rows: Rows, *clocks: Clock) -> Known:
        """Events that every thread has in at least one of the given clocks."""
        at, first, *others = _index(rows), *clocks
        known: Known = self.table[first, at]
        for clock in others:
            known = np.maximum(known, self.table[clock, at])
        return known[0].copy() if len(known) == 1 else known.min(axis=0)

    def is_known(self, rows: Rows, component: int, number: int, *clocks: Clock) -> bool:
        """Whether every thread knows an event of a component by at least one of the clocks."""
        at, first, *others = _index(rows), *clocks
        known: Known = self.table[first, at, component]
        for clock in others:
            known = np.maximum(known, self.table[clock, at, component])
        return every(known >= number)


def _index(rows: Rows) -> "slice | Rows":
    """Index of threads in ascending order: a slice if they are consecutive, which is faster."""
    first, last = int(rows[0]), int(rows[-1])
    return slice(first, last + 1) if last - first == len(rows) - 1 else rows


def _zeros(*shape: int) -> npt.NDArray[np.int32]:
    """Zeros in private pages of their own, which take memory when they are written: most clocks
    stay 0. For numpy's zeros, malloc may clear memory that it has used before."""
    pages = mmap(-1, 4 * prod(shape), access=ACCESS_COPY)
    return np.frombuffer(pages, np.int32).reshape(shape)


_PAGE = 1024
"""Numbers in a page of memory."""
_SPARE = 64
"""Initial capacity for components that count no thread."""


def join(message: Message, other: Message) -> Message:
    """Union of two messages, or of two clocks."""
    if message.shape[-1] < other.shape[-1]:
        message, other = other, message
    result = message.copy()
    width = other.shape[-1]
    result[..., :width] = np.maximum(result[..., :width], other)
    return result


def mark(message: Message, component: int, number: int, of_tensor_core: bool) -> Message:
    """A message with one component raised to at least `number`; in TENSOR only if it counts
    operations of the tensor core."""
    message = _padded(message, component)
    tensor = message[Clock.TENSOR, component]
    message[:, component] = np.maximum(message[:, component], number)
    if not of_tensor_core:
        message[Clock.TENSOR, component] = tensor
    return message


def mark_generic(message: Message, component: int, number: int) -> Message:
    """A message with a component of accesses through the generic proxy raised to at least
    `number`."""
    message = _padded(message, component)
    for clock in (Clock.SEEN, Clock.TOLD):
        message[clock, component] = max(message[clock, component], number)
    return message


def _padded(message: Message, component: int) -> Message:
    """A message that has a component."""
    missing = component + 1 - message.shape[1]
    return np.pad(message, ((0, 0), (0, missing))) if missing > 0 else message

"""
Vector clocks of the threads of a cluster (the causality order of chapter 8).

Each source of events has a *component* that counts them: the accesses of a thread, its completed
tensor core operations, the phases of a barrier object and so on. A clock holds a number for each
component; the events up to that number happened before. A thread has several clocks, because an
event may be ordered before some of its accesses and not before others.
"""

from bisect import bisect_left
from collections import deque
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import reduce
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
from xdsl.ir import Operation

from ...isa.effects.model import CTA_SCOPE, Ordering
from ...isa.tensor_memory.alloc import WARP_LANES
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


_HANDED_ON = slice(0, Clock.AFTER)
_WITHOUT_FENCE = {
    Order.NONE: [Clock.TOLD],
    Order.RELAXED: [Clock.TENSOR, Clock.INITIALIZED, Clock.TOLD],
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

    def is_by(self, rows: Rows) -> bool:
        """Whether one of some threads may be among its threads: they are of one warp."""
        return some((rows >= self.row) & (rows < self.row + WARP_LANES))


class GroupWait(NamedTuple):
    """
    A wait of a thread for all its groups of copies but the newest ones, which stay `pending`.
    `groups` has the number of the last event of each group, at least of those; `number` is that of
    the thread then.
    """

    op: Operation
    pending: int
    groups: Sequence[int]
    number: int

    def behind(self, number: int) -> int | None:
        """How many groups come behind that of an event; None if this group was not committed."""
        index = bisect_left(self.groups, number)
        return None if index == len(self.groups) else len(self.groups) - index - 1


@dataclass(eq=False)
class Moment:
    """An event of threads or operations: the components that count it, and their numbers then."""

    components: Rows
    numbers: Known

    def is_in(self, told: Known) -> bool:
        """Whether a clock contains the whole event."""
        if self.components.max() >= len(told):
            return False
        return every(told[self.components] >= self.numbers)


class _Apart:
    """Rows of one clock of the lanes of a warp that differ from the other lanes."""

    def __init__(self, size: int):
        self.numbers = np.zeros((WARP_LANES, size), np.int32)
        self.is_apart = np.zeros(WARP_LANES, np.bool_)

    @property
    def lanes(self) -> Rows:
        return self.is_apart.nonzero()[0]


class Clocks:
    """
    Clocks of all threads of a cluster; `index` identifies the cluster.

    The lanes of a warp mostly know the same, but for their own components. So a warp has one row
    of numbers for each clock, and each thread its own component; lanes that know something else
    have rows of their own until they know the same again.
    """

    def __init__(self, index: int, threads: int):
        self.index = index
        warps = -(-threads // WARP_LANES)
        self.threads = warps * WARP_LANES
        """The number of threads, whose components come first."""
        self._common = np.zeros((len(Clock), warps, self.threads + _SPARE), np.int32)
        """What the lanes of each warp know that are not apart, except of themselves."""
        self._own = np.zeros((len(Clock), self.threads), np.int32)
        """What each thread knows of its own component."""
        self._own[Clock.SEEN] = 1
        self._apart: list[dict[int, _Apart]] = [{} for _ in range(warps)]
        """For each warp, the clocks in which lanes are apart."""
        self._components: dict[Hashable, int] = {}
        self._used = self.threads
        self._owned: dict[int, list[int]] = {}
        """Thread -> the components that count its tcgen05 operations."""
        self._others: dict[int, Known] = {}
        self._received: dict[int, Known] = {}
        """Cluster -> its events that a relaxed load has received; an acquiring fence adds them."""
        self._passed: dict[Hashable, Passed] = {}
        """What each operation passed on last without ordering it."""
        self._group_waits: dict[int, deque[GroupWait]] = {}
        """Component that counts groups of copies -> the last waits for them."""
        self._without: list[tuple[Known, Known]] = []
        """For barriers that told of the end of threads, the events that these threads knew, and
        those that the threads at the barrier knew without them."""

    @property
    def width(self) -> int:
        """The number of components for which there is room."""
        return self._common.shape[2]

    @staticmethod
    def bytes_for(threads: int) -> int:
        """Largest size of the clocks for a number of threads: all lanes are apart."""
        return 4 * len(Clock) * threads * (threads + _SPARE)

    def forget(self) -> None:
        """Free the clocks after the end of all threads."""
        self._common = self._common[:, :, :0].copy()
        self._apart.clear()
        self._components.clear()
        self._passed.clear()
        self._group_waits.clear()
        self._without.clear()

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

    def record_wait(self, component: int, wait: GroupWait) -> None:
        """Record a wait for groups that a component counts, for messages about races."""
        self._group_waits.setdefault(component, deque(maxlen=_REACH)).append(wait)

    def group_waits(self, component: int) -> Sequence[GroupWait]:
        """The last waits for groups that a component counts."""
        return self._group_waits.get(component, ())

    def passed(self, component: int, number: int) -> list[Passed]:
        """The operations that passed an event on without ordering it."""
        return [
            each
            for each in self._passed.values()
            if component < each.told.size and each.told[component] >= number
        ]

    def met_without(self, ended: Message, met: Message) -> Message:
        """What a barrier tells threads that have met at it, after the end of others."""
        told = join(met, ended)
        if not np.array_equal(told, met):
            self._without.append((ended[Clock.TOLD], met[Clock.TOLD]))
        return told

    def is_by_ends(self, component: int, number: int, known: Known) -> bool:
        """Whether an event precedes the end of threads of which a barrier told. `known` are the
        events before the barrier, and others."""
        return any(
            component < ended.size
            and ended[component] >= number
            and every(known[: met.size] >= met)
            for ended, met in self._without
        )

    def narrow_wait(self, component: int, number: int) -> Operation | None:
        """A wait at a barrier object that would order an event of another CTA if its scope did not
        leave out that CTA."""
        waits = (
            each.op
            for each in self.passed(component, number)
            if each.far
            and each.acquires
            and isinstance(each.op, BarrierInstruction)
            and Ordering.ACQUIRE in orders_of(each.op)
            and scope_of(each.op) == CTA_SCOPE
        )
        return next(waits, None)

    def is_by_relaxed_arrival(self, component: int, number: int, rows: Rows) -> bool:
        """Whether an arrival at a barrier object would order an event before accesses of some
        threads if it were not relaxed: their own waits acquire."""
        passed = [
            each
            for each in self.passed(component, number)
            if isinstance(each.op, BarrierInstruction)
        ]
        arrives = any(
            not each.acquires and Ordering.RELEASE not in orders_of(each.op) for each in passed
        )
        return arrives and not any(each.acquires and each.is_by(rows) for each in passed)

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
            if self._used > self._common.shape[2]:
                self._grow()
            if owner >= 0:
                self._owned.setdefault(owner, []).append(found)
        return found

    def _grow(self) -> None:
        """Quadruple the capacity for components that count no thread."""
        more = 3 * (self._common.shape[2] - self.threads)
        self._common = np.pad(self._common, ((0, 0), (0, 0), (0, more)))
        for apart in (each for clocks in self._apart for each in clocks.values()):
            apart.numbers = np.pad(apart.numbers, ((0, 0), (0, more)))

    def reads_of(self, component: int) -> int:
        """The component that counts the reads of the registers that a counted load writes."""
        return self.component(("reads", component))

    def key(self, component: int) -> Hashable:
        """The key of a component that `component` has created."""
        return next(key for key, each in self._components.items() if each == component)

    def message(self) -> Message:
        """The empty message."""
        return np.zeros_like(self._common[_HANDED_ON, 0])

    def release(self, rows: Rows, order: Order = Order.FULL, far: bool = False) -> Message:
        """The message that threads pass on at an operation for which others may wait; `far` if
        these are in other CTAs."""
        message: Message = self._most(_HANDED_ON, rows)
        message[Clock.TOLD] = np.maximum(message[Clock.TOLD], message[Clock.SEEN])
        if order is not Order.FULL:
            limited = np.zeros_like(message)
            if order is Order.RELAXED:
                released = self.most(Clock.RELEASED_FAR if far else Clock.RELEASED, rows)
                limited = np.minimum(message, released)
            limited[_WITHOUT_FENCE[order]] = message[_WITHOUT_FENCE[order]]
            message = limited
        self.count(rows)
        return message

    def number(self, row: int) -> int:
        """A thread's own component."""
        return int(self._own[Clock.SEEN, row])

    def numbers(self, rows: Rows) -> Known:
        """The threads' own components."""
        return self._own[Clock.SEEN, _index(rows)].copy()

    def count(self, rows: Rows) -> None:
        """Advance the threads' own components: later accesses are not part of earlier messages."""
        self._own[Clock.SEEN, _index(rows)] += 1

    def acquire(
        self, rows: Rows, message: Message, order: Order = Order.FULL, far: bool = False
    ) -> None:
        """Add the clocks in a message to the clocks of threads; `far` if it comes from another
        CTA."""
        if order is Order.FULL:
            self._raise(rows, _HANDED_ON, message)
            return
        for clock in _WITHOUT_FENCE[order]:
            self._raise_one(rows, clock, message[clock])
        if order is Order.RELAXED:
            clock = Clock.RELAXED_FAR if far else Clock.RELAXED
            self._raise_one(rows, clock, message[Clock.SEEN])

    def meet(self, rows: Rows) -> None:
        """Make threads wait for each other: they exchange TOLD, but no accesses are ordered."""
        warp = int(rows[0]) // WARP_LANES
        apart = self._apart[warp]
        if len(rows) == WARP_LANES and Clock.SEEN not in apart and Clock.TOLD not in apart:
            # The usual case, of a whole warp whose lanes know the same.
            at, told = _index(rows), self._common[Clock.TOLD, warp]
            np.maximum(told, self._common[Clock.SEEN, warp], out=told)
            own = self._own[Clock.TOLD, at]
            np.maximum(own, self._own[Clock.SEEN, at], out=own)
            np.maximum(own, told[at], out=own)
            told[at] = own
        else:
            self._raise_one(rows, Clock.TOLD, self.told(rows))
        self.count(rows)

    def _raise_one(self, rows: Rows, clock: int, numbers: Known) -> None:
        """Raise one clock of threads to at least some numbers."""
        self._raise(rows, slice(clock, clock + 1), numbers[None])

    def _raise(self, rows: Rows, clocks: slice, message: Message) -> None:
        """Raise clocks of threads to at least the numbers of a message, with axes (clock,
        component)."""
        width = message.shape[1]
        for warp, part in _warps(rows):
            at = _index(part)
            self._own[clocks, at] = np.maximum(self._own[clocks, at], message[:, at])
            apart, is_whole = self._apart[warp], len(part) == WARP_LANES
            if is_whole:
                known = self._common[clocks, warp, :width]
                np.maximum(known, message, out=known)
            if is_whole and not apart:
                continue
            for clock, numbers in enumerate(message, clocks.start):
                if not is_whole:
                    self._raise_lanes(clock, warp, part, numbers)
                elif (each := apart.get(clock)) is not None:
                    known = each.numbers[each.lanes, :width]
                    each.numbers[each.lanes, :width] = np.maximum(known, numbers)
                    self._join(clock, warp)

    def _raise_lanes(self, clock: int, warp: int, part: Rows, numbers: Known) -> None:
        """Raise one clock of some lanes of a warp, except for what each knows of itself."""
        width = len(numbers)
        apart = self._apart[warp].get(clock)
        if apart is None:
            more = numbers > self._common[clock, warp, :width]
            if len(part) == 1:
                more[part] = False
            if not some(more):
                return
        apart = self._separate(clock, warp, part)
        lanes = _index(part - warp * WARP_LANES)
        apart.numbers[lanes, :width] = np.maximum(apart.numbers[lanes, :width], numbers)

    def _separate(self, clock: int, warp: int, part: Rows) -> _Apart:
        """Give some lanes of a warp rows of their own."""
        apart = self._apart[warp].get(clock)
        if apart is None:
            apart = self._apart[warp][clock] = _Apart(self._common.shape[2])
        lanes = part - warp * WARP_LANES
        new = lanes[~apart.is_apart[lanes]]
        if new.size:
            apart.numbers[new] = self._common[clock, warp]
            apart.is_apart[new] = True
        return apart

    def _join(self, clock: int, warp: int) -> None:
        """Drop the rows of lanes that know the same as the others of their warp again."""
        apart, first = self._apart[warp][clock], warp * WARP_LANES
        lanes, common = apart.lanes, self._common[clock, warp]
        # What a lane knows of itself is not in its row.
        apart.numbers[lanes, first + lanes] = common[first + lanes]
        apart.is_apart[lanes] = (apart.numbers[lanes] != common).any(axis=1)
        if not some(apart.is_apart):
            del self._apart[warp][clock]

    def fence(self, rows: Rows, source: Clock, *targets: Clock) -> None:
        """Add the events of one clock of threads to other clocks."""
        for target in targets:
            self._add(rows, source, target)
        self.count(rows)

    def _add(self, rows: Rows, source: Clock, target: Clock) -> None:
        for warp, part in _warps(rows):
            at, clocks = _index(part), self._apart[warp]
            if len(part) == WARP_LANES:
                # The lanes that know the same in both clocks do so after the fence.
                lanes = np.zeros(WARP_LANES, np.bool_)
                for each in (clocks[clock] for clock in (source, target) if clock in clocks):
                    lanes |= each.is_apart
                part = lanes.nonzero()[0] + warp * WARP_LANES
            if part.size:
                numbers = self._rows(source, warp, part)
                apart = self._separate(target, warp, part)
                lanes = part - warp * WARP_LANES
                apart.numbers[lanes] = np.maximum(apart.numbers[lanes], numbers)
            if isinstance(at, slice) and at.stop - at.start == WARP_LANES:
                known = self._common[target, warp]
                np.maximum(known, self._common[source, warp], out=known)
                if part.size:
                    self._join(target, warp)
            self._own[target, at] = np.maximum(self._own[target, at], self._own[source, at])

    def fence_before(self, rows: Rows) -> None:
        """Execute `fence::before_thread_sync`: it orders the tcgen05 operations of the threads
        themselves, and those before an earlier `fence::after_thread_sync`."""
        self._add(rows, Clock.AFTER, Clock.TENSOR)
        self._own[Clock.TENSOR, _index(rows)] = self.numbers(rows)
        for row, owned in self._owned.items():
            if some(rows == row):
                known = self.row(Clock.SEEN, row)
                numbers = np.zeros_like(known)
                numbers[owned] = known[owned]
                self._raise_lanes(Clock.TENSOR, row // WARP_LANES, np.array([row]), numbers)
        self.count(rows)

    def fence_after(self, rows: Rows) -> None:
        """Execute `fence::after_thread_sync`."""
        for source in (Clock.SEEN, Clock.TOLD):
            self._add(rows, source, Clock.AFTER_TOLD)
        self.fence(rows, Clock.TENSOR, Clock.AFTER, Clock.COMPLETE)

    def complete(self, rows: Rows, component: int, number: int, *clocks: Clock) -> None:
        """Raise one component to at least `number` in some clocks of threads."""
        for warp, part in _warps(rows):
            for clock in clocks:
                apart, common = self._apart[warp].get(clock), self._common[clock, warp]
                if len(part) == WARP_LANES:
                    common[component] = max(common[component], number)
                    lanes = None if apart is None else apart.lanes
                elif number > common[component] or apart is not None:
                    apart = self._separate(clock, warp, part)
                    lanes = part - warp * WARP_LANES
                else:
                    continue
                if apart is not None and lanes is not None:
                    known = apart.numbers[lanes, component]
                    apart.numbers[lanes, component] = np.maximum(known, number)
        if component < self.threads and some(rows == component):
            for clock in clocks:
                self._own[clock, component] = max(self._own[clock, component], number)

    def complete_each(
        self, rows: Rows, components: Rows, numbers: npt.NDArray[Any], clock: Clock
    ) -> None:
        """Raise, for each of some lanes of a warp, another component that counts no thread to at
        least a number."""
        ((warp, part),) = _warps(rows)
        apart, at = self._separate(clock, warp, part), part - warp * WARP_LANES
        apart.numbers[at, components] = np.maximum(apart.numbers[at, components], numbers)

    def row(self, clock: Clock, row: int) -> Known:
        """The numbers of one clock of a thread."""
        warp, lane = divmod(row, WARP_LANES)
        apart = self._apart[warp].get(clock)
        is_apart = apart is not None and apart.is_apart[lane]
        found = (apart.numbers[lane] if apart and is_apart else self._common[clock, warp]).copy()
        found[row] = self._own[clock, row]
        return found

    def _rows(self, clock: int, warp: int, part: Rows) -> npt.NDArray[np.int32]:
        """The numbers of one clock of some lanes of a warp, with axes (lane, component)."""
        apart = self._apart[warp].get(clock)
        lanes = part - warp * WARP_LANES
        if apart is None:
            found = self._common[clock, warp][None].repeat(len(part), axis=0)
        else:
            found = np.where(
                apart.is_apart[lanes, None], apart.numbers[lanes], self._common[clock, warp]
            )
        found[np.arange(len(part)), part] = self._own[clock, part]
        return found

    def at(self, clock: Clock, rows: Rows, components: Rows) -> Known:
        """The numbers of one clock of threads in ascending order, each of one component."""
        warps, lanes = np.divmod(rows, WARP_LANES)
        found: Known = self._common[clock, warps, components]
        for warp in range(int(warps[0]), int(warps[-1]) + 1) if rows.size else ():
            if (apart := self._apart[warp].get(clock)) is not None:
                which = apart.is_apart[lanes] & (warps == warp)
                found[which] = apart.numbers[lanes[which], components[which]]
        own = rows == components
        if some(own):
            found[own] = self._own[clock, rows[own]]
        return found

    def most(self, clock: Clock, rows: Rows) -> Known:
        """Events that at least one of the threads has in a clock."""
        return self._most(slice(clock, clock + 1), rows)[0]

    def _most(self, clocks: slice, rows: Rows) -> Message:
        """Events that at least one of the threads has in each of some clocks."""
        most: Message | None = None
        chosen = range(len(Clock))[clocks]
        for warp, part in _warps(rows):
            found: Message = self._common[clocks, warp].copy()
            for clock, apart in self._apart[warp].items():
                if clock in chosen:
                    lanes = _index(part - warp * WARP_LANES)
                    which = apart.is_apart[lanes]
                    if not some(which):
                        continue
                    numbers = apart.numbers[lanes][which].max(axis=0)
                    if not every(which):
                        numbers = np.maximum(numbers, self._common[clock, warp])
                    found[chosen.index(clock)] = numbers
            at = _index(part)
            own = self._own[clocks, at]
            found[:, at] = own if len(part) == 1 else np.maximum(found[:, at], own)
            most = found if most is None else np.maximum(most, found)
        assert most is not None
        return most

    def reached(self, rows: Rows, clock: Clock, other: Clock) -> Known:
        """Events that at least one of the threads has in one of two clocks, in ascending order."""
        return np.maximum(*self._most(slice(clock, other + 1, other - clock), rows))

    def told(self, rows: Rows) -> Known:
        """Events that at least one of the threads has in SEEN or TOLD."""
        return self.reached(rows, Clock.SEEN, Clock.TOLD)

    def know_of(self, rows: Rows, others: Rows) -> npt.NDArray[np.bool_]:
        """Which threads know of any event of some other threads, which shows that these run."""
        found: list[npt.NDArray[np.bool_]] = []
        for warp, part in _warps(rows):
            clocks, apart = (Clock.SEEN, Clock.TOLD), self._apart[warp]
            if any(clock in apart for clock in clocks):
                known = self._in_one(self._rows(clock, warp, part) for clock in clocks)
                found.append(known[:, others].max(axis=1) > 0)
            else:
                known = self._in_one(self._common[clock, warp] for clock in clocks)
                found.append(np.full(len(part), some(known[others])))
        return np.concatenate(found)

    def known(self, rows: Rows, *clocks: Clock) -> Known:
        """Events that every thread has in at least one of the given clocks."""
        least: Known | None = None
        for warp, part in _warps(rows):
            apart = self._apart[warp]
            if len(part) == 1:
                found = self._in_one(self.row(clock, int(part[0])) for clock in clocks)
            elif any(clock in apart for clock in clocks):
                found = self._in_one(self._rows(clock, warp, part) for clock in clocks)
                found = found.min(axis=0)
            else:
                found = self._in_one(self._common[clock, warp] for clock in clocks).copy()
                own = self._in_one(self._own[clock, part] for clock in clocks)
                found[part] = np.minimum(found[part], own)
            least = found if least is None else np.minimum(least, found)
        assert least is not None
        return least

    @staticmethod
    def _in_one(clocks: Iterable[Known]) -> Known:
        return reduce(np.maximum, clocks)

    def is_known(self, rows: Rows, component: int, number: int, *clocks: Clock) -> bool:
        """Whether every thread knows an event of a component by at least one of the clocks."""
        warp = int(rows[0]) // WARP_LANES
        if int(rows[-1]) // WARP_LANES == warp != component // WARP_LANES:
            apart = self._apart[warp]
            if not any(each in apart for each in clocks):
                # The lanes know the same, except of themselves.
                common = self._common
                return any(bool(common[each, warp, component] >= number) for each in clocks)
        components = np.full(len(rows), component)
        return every(self._in_one(self.at(each, rows, components) for each in clocks) >= number)


_REACH = 8
"""How many waits for the groups of a thread are kept."""


def _index(rows: Rows) -> "slice | Rows":
    """Index of threads in ascending order: a slice if they are consecutive, which is faster."""
    first, last = int(rows[0]), int(rows[-1])
    return slice(first, last + 1) if last - first == len(rows) - 1 else rows


def _warps(rows: Rows) -> Iterable[tuple[int, Rows]]:
    """The warps of threads in ascending order, each with its threads."""
    warp = int(rows[0]) // WARP_LANES
    if int(rows[-1]) // WARP_LANES == warp:
        return ((warp, rows),)
    ends = np.flatnonzero(np.diff(rows // WARP_LANES)) + 1
    return [(int(part[0]) // WARP_LANES, part) for part in np.split(rows, ends)]


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

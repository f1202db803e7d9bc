"""
What the threads of a cluster know to have happened before (the causality order of chapter 8).

Whatever happens is counted by a *component* of its own: what a thread itself does, what of its
operations the tensor core has completed, the phases of a barrier object, ... A clock has a number
for each component: all that the component counts up to there has happened before. Each thread has
several clocks, since not all that it has seen is in order with all that it may do.
"""

from collections.abc import Hashable
from enum import IntEnum
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

Rows: TypeAlias = npt.NDArray[np.intp]
"""Threads of a cluster, by number."""
Known: TypeAlias = npt.NDArray[np.int32]
"""One clock: a number for each component."""
Message: TypeAlias = npt.NDArray[np.int32]
"""Clocks that a thread hands to others: the first ones of `Clock` x component."""


class Clock(IntEnum):
    """The clocks of a thread."""

    SEEN = 0
    """What is in order before the accesses that the thread makes itself."""
    TENSOR = 1
    """... and before tcgen05 operations that follow a `fence::after_thread_sync`."""
    ASYNC_SHARED = 2
    """... and before the accesses of the async proxy to shared memory that the thread starts."""
    ASYNC_GLOBAL = 3
    """... and before those to global memory."""
    INITIALIZED = 4
    """... and before uses of barrier objects by other CTAs and by asynchronous operations."""
    TOLD = 5
    """What has been handed on by any operation, with or without order: tells what is missing."""
    AFTER = 6
    """What is in order before tcgen05 operations of the thread. Not handed on."""
    RELEASED = 7
    """What had been seen at the last fence that releases: relaxed operations hand on this."""
    RELAXED = 8
    """What relaxed operations have handed to the thread, and a fence that acquires lets it see."""


_HANDED_ON = slice(Clock.AFTER)
_OF_RELAXED = np.array([Clock.TENSOR, Clock.INITIALIZED, Clock.TOLD])
"""What relaxed operations hand on, since its own fences do."""


class Clocks:
    """The clocks of all threads of a cluster; `index` tells the cluster from others."""

    def __init__(self, index: int, threads: int):
        self.index = index
        self.table = np.zeros((len(Clock), threads, threads + _SPARE), np.int32)
        own = np.arange(threads)
        self.table[Clock.SEEN, own, own] = 1
        self._components: dict[Hashable, int] = {}
        self._used = threads

    @staticmethod
    def bytes_for(threads: int) -> int:
        """The size of the clocks of so many threads."""
        return 4 * len(Clock) * threads * (threads + _SPARE)

    def forget(self) -> None:
        """Free what the threads knew, which have ended."""
        self.table = self.table[:, :0, :0].copy()
        self._components.clear()

    def component(self, key: Hashable) -> int:
        """The component of what `key` names; the first ones are those of the threads."""
        found = self._components.get(key)
        if found is None:
            found = self._components[key] = self._used
            self._used += 1
            if self._used > self.table.shape[2]:
                self.table = np.pad(self.table, ((0, 0), (0, 0), (0, self.table.shape[2])))
        return found

    def message(self) -> Message:
        """A message that says nothing."""
        return np.zeros(self.table[_HANDED_ON, 0].shape, np.int32)

    def release(self, rows: Rows, relaxed: bool = False) -> Message:
        """What threads hand on by an operation that others may wait for."""
        message: Message = self.table[_HANDED_ON, rows].max(axis=1)
        message[Clock.TOLD] = np.maximum(message[Clock.TOLD], message[Clock.SEEN])
        if relaxed:
            released = self.table[Clock.RELEASED, rows].max(axis=0)
            limited = np.minimum(message, released)
            limited[_OF_RELAXED] = message[_OF_RELAXED]
            message = limited
        self.count(rows)
        return message

    def count(self, rows: Rows) -> None:
        """What the threads do from now on is not what others have been told of."""
        self.table[Clock.SEEN, rows, rows] += 1

    def acquire(self, rows: Rows, message: Message, relaxed: bool = False) -> None:
        """Let threads know what others have handed on."""
        width = message.shape[1]
        if not relaxed:
            known = self.table[_HANDED_ON, rows, :width]
            self.table[_HANDED_ON, rows, :width] = np.maximum(known, message[:, None])
            return
        for clock in _OF_RELAXED:
            self.raise_(rows, clock, message[clock])
        self.raise_(rows, Clock.RELAXED, message[Clock.SEEN])

    def raise_(self, rows: Rows, clock: int, numbers: Known) -> None:
        """Set numbers of one clock of threads, where they are not greater."""
        width = numbers.shape[-1]
        known = self.table[clock, rows, :width]
        self.table[clock, rows, :width] = np.maximum(known, numbers)

    def fence(self, rows: Rows, source: Clock, *targets: Clock) -> None:
        """What one clock of threads knows up to now, others know, too."""
        for target in targets:
            self.raise_(rows, target, self.table[source, rows])
        self.count(rows)

    def complete(self, rows: Rows, component: int, number: int, *clocks: Clock) -> None:
        """Threads know from themselves that a component has come so far."""
        for clock in clocks:
            known = self.table[clock, rows, component]
            self.table[clock, rows, component] = np.maximum(known, number)

    def known(self, rows: Rows, *clocks: Clock) -> Known:
        """What all the threads know, by any of some clocks."""
        if len(clocks) == 1:
            return self.table[clocks[0], rows].min(axis=0)
        return self.table[np.array(clocks)[:, None], rows].max(axis=0).min(axis=0)


_SPARE = 64
"""Components that there is room for from the beginning, besides those of the threads."""


def join(message: Message, other: Message) -> Message:
    """What two messages say together."""
    if message.shape[1] < other.shape[1]:
        message, other = other, message
    result = message.copy()
    width = other.shape[1]
    result[:, :width] = np.maximum(result[:, :width], other)
    return result


def mark(message: Message, component: int, number: int) -> Message:
    """A message that also says that a component has come so far."""
    if component >= message.shape[1]:
        message = np.pad(message, ((0, 0), (0, component + 1 - message.shape[1])))
    message[:, component] = np.maximum(message[:, component], number)
    return message

"""Copies that the threads of a warp have started with cp.async, and their groups (9.7.9.25.3)."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from ...isa.tensor_memory.alloc import WARP_LANES
from .tasks import Task

Counts = npt.NDArray[np.int64]
"""A number of copies for each lane."""


def _none() -> Counts:
    return np.zeros(WARP_LANES, np.int64)


@dataclass(eq=False)
class ThreadCopies:
    """The copies of each lane, counted from one."""

    started: Counts = field(default_factory=_none)
    """Number of copies that each lane has started."""
    awaited: Counts = field(default_factory=_none)
    """Number of copies up to the last one for which each lane, or a barrier object, waits."""
    _committed: list[list[int]] = field(default_factory=lambda: [[] for _ in range(WARP_LANES)])
    """For each lane the last copy of each of its groups."""
    _tasks: list[tuple[Counts, Task]] = field(default_factory=list[tuple[Counts, Task]])
    """Copies that may be incomplete, each with its numbers; 0 in lanes that do not take part."""

    def start(self, lanes: npt.NDArray[np.bool_]) -> Counts:
        """Count a copy of some lanes; its number in each of them, 0 in the others."""
        self.started = self.started + lanes
        return np.where(lanes, self.started, 0)

    def add(self, numbers: Counts, task: Task) -> None:
        """Add the task of a copy with these numbers."""
        self._tasks = [(each, known) for each, known in self._tasks if not known.done]
        self._tasks.append((numbers, task))

    def commit(self, lanes: Sequence[int]) -> None:
        """Commit the open group of some lanes; it may be empty."""
        for lane in lanes:
            self._committed[lane].append(int(self.started[lane]))

    def last(self, lanes: Sequence[int], pending: int) -> Counts:
        """The last copy of each lane in its groups except the latest `pending` ones; 0 if none."""
        found = _none()
        for lane in lanes:
            groups = self._committed[lane]
            if len(groups) > pending:
                found[lane] = groups[len(groups) - 1 - pending]
        return found

    def tasks(self, last: Counts) -> list[Task]:
        """The tasks of the copies up to the given one of each lane, for which something waits."""
        self.awaited = np.maximum(self.awaited, last)
        return [task for numbers, task in self._tasks if ((numbers > 0) & (numbers <= last)).any()]

    def pending(self, lanes: npt.NDArray[np.bool_]) -> int:
        """The number of copies of some lanes for which nothing waits."""
        return int((self.started - self.awaited)[lanes].sum()) if self._tasks else 0

"""
Execution order of the operations that threads issue to the tensor core (9.7.16.6).

Asynchronous operations: issued by threads, executed step by step by the schedule.

Bulk async-groups: completion of bulk copies to global memory (9.7.9.25.1).

Copies that the threads of a warp have started with cp.async, and their groups (9.7.9.25.3).
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from xdsl.ir import Operation

from ...isa.effects.model import WRITTEN, Completion
from ...isa.mma.products import is_pipeline
from ...isa.model.rule import Violation
from ...isa.tensor_memory.alloc import WARP_LANES
from ...reporting.diagnostics import located
from ..order.clocks import Clock, Clocks, Known, Rows


@dataclass(eq=False)
class Task:
    """
    An asynchronous operation: the remaining `steps` run in order, after all tasks in `after` are
    complete. `signals` is the object through which threads observe its completion.

    Other events may take place between two steps.
    """

    op: Operation
    steps: list[Callable[[], None]]
    after: Sequence["Task"] = ()
    signals: object = None

    @property
    def done(self) -> bool:
        return not self.steps

    @property
    def ready(self) -> bool:
        """Whether the next step may run now."""
        # Completed tasks are dropped, because the run loop calls this often.
        if self.after:
            self.after = [task for task in self.after if task.steps]
        return not self.after

    def first_ready(self) -> "Task":
        """A task that may run now: this one, or one that it waits for."""
        return self if self.ready else self.after[0].first_ready()

    def advance(self) -> None:
        """Run the next step. Raises OperationError."""
        step = self.steps.pop(0)
        try:
            step()
        except Violation as violation:
            raise located(self.op, violation) from violation


@dataclass(eq=False)
class Moves:
    """Tensor memory loads (or stores) of a warp: their number, and those without a wait yet."""

    count: int = 0
    _tasks: list[Task] = field(default_factory=list[Task])

    def add(self, task: Task) -> None:
        """Record a load or store."""
        self.count += 1
        self._tasks.append(task)

    def take(self) -> list[Task]:
        """Return and forget the tasks without a wait yet."""
        tasks, self._tasks = self._tasks, []
        return tasks


@dataclass(eq=False)
class BulkStore:
    """A bulk copy to global memory, and the completions that it has reached."""

    reached: set[Completion] = field(default_factory=set[Completion])

    @property
    def is_done(self) -> bool:
        """Whether the copy is complete."""
        return WRITTEN in self.reached


@dataclass(eq=False)
class BulkGroups:
    """Bulk groups of each lane of a warp: the open group and the committed groups."""

    _open: dict[int, list[BulkStore]] = field(default_factory=dict[int, list[BulkStore]])
    _committed: dict[int, list[list[BulkStore]]] = field(
        default_factory=dict[int, list[list[BulkStore]]]
    )
    _numbers: dict[int, int] = field(default_factory=dict[int, int])
    _awaited: dict[int, int] = field(default_factory=dict[int, int])
    """Lane -> the number of its groups that it has waited for, at least for their reads."""
    _copying: set[int] = field(default_factory=set[int])

    def has_copies(self, lane: int) -> bool:
        """Whether a lane has started copies."""
        return lane in self._copying

    def add(self, lane: int, store: BulkStore) -> None:
        """Add a copy to the open group of a lane."""
        self._copying.add(lane)
        self._open.setdefault(lane, []).append(store)

    def commit(self, lane: int) -> None:
        """Commit the open group of a lane; it may be empty."""
        groups = self._committed.setdefault(lane, [])
        while groups and all(store.is_done for store in groups[0]):
            del groups[0]
        groups.append(self._open.pop(lane, []))
        self._numbers[lane] = self.number(lane) + 1

    def number(self, lane: int) -> int:
        """Number of groups that a lane has committed."""
        return self._numbers.get(lane, 0)

    def before(self, lane: int, pending: int) -> Iterator[BulkStore]:
        """The copies for which a lane waits: all its committed groups except the latest
        `pending` groups."""
        groups = self._committed.get(lane, [])
        self._awaited[lane] = max(self._awaited.get(lane, 0), self.number(lane) - pending)
        return chain.from_iterable(groups[: max(0, len(groups) - pending)])

    def pending(self, lanes: Iterable[int]) -> int:
        """The number of copies and groups of some lanes for which they have not waited."""
        if not self._open and not self._numbers:
            return 0
        return sum(
            self.number(lane) - self._awaited.get(lane, 0) + len(self._open.get(lane, ()))
            for lane in lanes
        )


Counts = npt.NDArray[np.int64]
"""A number of copies for each lane."""


def _none() -> Counts:
    return np.zeros(WARP_LANES, np.int64)


@dataclass(eq=False)
class ThreadCopies:
    """The copies of each lane, counted from one."""

    started: Counts = field(default_factory=_none)
    """Number of copies that each lane has started."""
    components: Rows | None = None
    """The clock components that count them, once there are copies."""
    awaited: Counts = field(default_factory=_none)
    """Number of copies up to the last one for which each lane, or a barrier object, waits."""
    _committed: list[list[int]] = field(default_factory=lambda: [[] for _ in range(WARP_LANES)])
    """For each lane the last copy of each of its groups."""
    _tasks: list[tuple[Counts, Task]] = field(default_factory=list[tuple[Counts, Task]])
    """Copies that may be incomplete, each with its numbers; 0 in lanes that do not take part."""

    def start(self, lanes: npt.NDArray[np.bool_]) -> Counts:
        """Count one copy per lane. Returns its number for each lane, 0 for other lanes."""
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

    def newest(self, lane: int, pending: int) -> Sequence[int]:
        """The last copy of each of the latest `pending` groups of a lane."""
        return self._committed[lane][-pending:]

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


class Commit(NamedTuple):
    """
    A commit: its number among the operations of its thread, the barrier object that it completes,
    and the phase in which it should arrive. `component` counts the phases.
    """

    number: int
    barrier: str
    component: int
    phase: int


@dataclass(eq=False)
class Issued:
    """
    Operation of the tensor core: its kind (`mma`, `cp`, `shift`), the `key` that must match for
    pipelining, and its `number` among the operations of its thread.
    """

    op: Operation
    kind: str
    key: Hashable
    ctas: int
    number: int
    order: int
    """Clock component that counts the operations the thread has issued."""
    completion: int
    """Clock component that counts the completed operations of the thread."""
    known: Mapping[int, int]
    """Component of each thread -> number of its operations known to be issued before."""
    before: "Sequence[Issued]"
    """Last operations of each kind and key before it in a pipeline, guaranteed or not."""
    history: "list[Issued]"
    """All operations issued in the cluster."""
    commits: Sequence[Commit]
    """The commits of the thread and `ctas`."""
    task: Task | None = None

    @property
    def commit(self) -> Commit | None:
        """The first commit that tracks the operation, if there is one."""
        return next((each for each in self.commits if each.number >= self.number), None)

    def is_done(self, known: Known) -> bool:
        """Whether the clock `known` implies that this operation is complete."""
        if known[self.completion] >= self.number:
            return True
        done = (each for each in reversed(self.history) if known[each.completion] >= each.number)
        return any(self.precedes(each) for each in done)

    def would_precede(self, other: "Issued", known: Known) -> bool:
        """Whether the two are a promised pipeline if `known`, and not only what the fences of the
        threads order, tells of the issue of this one."""
        return (
            self.ctas == other.ctas
            and is_pipeline(self.kind, self.key, other.kind, other.key, promised=True)
            and bool(known[self.order] >= self.number)
        )

    def is_next(self, other: "Issued", promised: bool) -> bool:
        """
        Whether a later operation directly follows this one in a pipeline; with `promised`, only
        pipelines that the manual guarantees.
        """
        return (
            self.ctas == other.ctas
            and is_pipeline(self.kind, self.key, other.kind, other.key, promised)
            and other.known.get(self.order, 0) >= self.number
        )

    def precedes(self, other: "Issued", promised: bool = True) -> bool:
        """Whether a chain of pipelines leads from this operation to a later one."""
        seen: set[Issued] = set()
        reached = [other]
        while reached:
            each = reached.pop()
            if self.is_next(each, promised):
                return True
            seen.add(each)
            reached += [
                before
                for before in each.before
                if (before.order != self.order or before.number > self.number)
                and before not in seen
                and (not promised or before.is_next(each, promised))
            ]
        return False


@dataclass(eq=False)
class TensorCore:
    """
    The tensor core operations of a cluster that are issued but not complete.

    Operations that form a pipeline execute in order in two cases: one thread issues both, or the
    second follows a `fence::after_thread_sync` that observes a `fence::before_thread_sync` after
    the first. A commit implies the latter fence.
    """

    clocks: Clocks
    _issued: list[Issued] = field(default_factory=list[Issued])
    _history: list[Issued] = field(default_factory=list[Issued])
    _counts: dict[int, int] = field(default_factory=dict[int, int])
    """Component of each thread -> number of issued operations."""
    _last: dict[tuple[object, ...], Issued] = field(
        default_factory=dict[tuple[object, ...], Issued]
    )
    _commits: dict[int, list[Task]] = field(default_factory=dict[int, list[Task]])
    _signals: dict[int, list[Commit]] = field(default_factory=dict[int, list[Commit]])
    """Completion component -> the commits."""

    def register(
        self, op: Operation, kind: str, key: Hashable, row: int, ctas: int, completion: Completion
    ) -> Issued:
        """Register the next operation of the thread with row number `row`."""
        clocks = self.clocks
        order = clocks.component(("order", row), row)
        number = self._counts[order] = self._counts.get(order, 0) + 1
        after = clocks.row(Clock.AFTER, row)
        known = {each: int(after[each]) for each in self._counts} | {order: number - 1}
        completed, history = self.completed(row, ctas, completion), self._history
        commits = self._signals.setdefault(completed, [])
        issued = Issued(op, kind, key, ctas, number, order, completed, known, (), history, commits)
        issued.before = [
            each for each in self._last.values() if each.is_next(issued, promised=False)
        ]
        self._history.append(issued)
        self._last[kind, key, ctas, row] = issued
        clocks.complete(np.array([row]), order, number, Clock.SEEN)
        return issued

    def forget(self) -> None:
        """Free all operations; they must be complete."""
        for each in self._history:
            each.known, each.before = {}, ()
        for held in (self._issued, self._history, self._last, self._counts, self._commits):
            held.clear()
        self._signals.clear()

    def completed(self, row: int, ctas: int, completion: Completion) -> int:
        """Clock component that counts the operations of a thread with a completion that are
        complete."""
        return self.clocks.component((completion, row, ctas), row)

    def start(self, issued: Issued, steps: Sequence[Callable[[], None]]) -> Task:
        """Create the task of an operation; it waits for its predecessors in the pipeline."""
        for each in self._issued:
            if each.task and each.task.done:
                each.task = None
        self._issued = [each for each in self._issued if each.task]
        before = [
            each.task for each in self._issued if each.task and each.is_next(issued, promised=False)
        ]
        issued.task = Task(issued.op, list(steps), before)
        self._issued.append(issued)
        return issued.task

    def tracked(self, row: int, completed: int) -> tuple[list[Task], int]:
        """
        Pending tasks that the next commit of a thread tracks, and the number of the commit among
        the operations of the thread. The component `completed` counts what the commit tracks.
        """
        order = self.clocks.component(("order", row), row)
        self._counts[order] = self._counts.get(order, 0) + 1
        tasks = [each.task for each in self._issued if each.task and each.completion == completed]
        # Commits also execute in order.
        tasks += self._commits.get(completed, [])
        return [task for task in tasks if not task.done], self._counts[order]

    def missed(self, completed: int, warp: Rows) -> Operation | None:
        """
        An operation of a warp that a commit misses: no commit tracks it, and the thread that
        commits has issued nothing to track. The component `completed` counts what it tracks.
        """
        if any(each.completion == completed for each in self._last.values()):
            return None
        mine = {self.clocks.component(("order", each), each) for each in warp.tolist()}
        found = (each for each in self._last.values() if each.order in mine and not each.commit)
        return next((each.op for each in found), None)

    def commit(self, completed: int, tasks: list[Task], first: Commit | None) -> None:
        """Record a commit with its tasks; `first` is what it signals first, if anything."""
        self._commits[completed] = tasks
        if first is not None:
            self._signals.setdefault(completed, []).append(first)

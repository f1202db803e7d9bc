"""Execution order of the operations that threads issue to the tensor core (9.7.16.6)."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from xdsl.ir import Operation

from ...isa.completion import Completion
from ...isa.mma.agreement import is_pipeline
from ..order.clocks import Clock, Clocks, Known, Rows
from .tasks import Task


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
        after = clocks.table[Clock.AFTER, row]
        known = {each: int(after[each]) for each in self._counts} | {order: number - 1}
        completed, history = self.completed(row, ctas, completion), self._history
        commits = self._signals.setdefault(completed, [])
        issued = Issued(op, kind, key, ctas, number, order, completed, known, (), history, commits)
        issued.before = [
            each for each in self._last.values() if each.is_next(issued, promised=False)
        ]
        self._history.append(issued)
        self._last[kind, key, ctas, row] = issued
        clocks.table[Clock.SEEN, row, order] = number
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

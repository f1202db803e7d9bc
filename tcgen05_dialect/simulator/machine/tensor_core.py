"""The order in which the tensor core does what threads issue to it (9.7.16.6)."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field

from xdsl.ir import Operation

from ...isa.mma.pipeline import is_pipeline
from ..order.clocks import Clock, Clocks, Known
from .tasks import Task


@dataclass(eq=False)
class Issued:
    """
    An operation of the tensor core: its kind (`mma`, `cp`, `shift`), what must agree with others'
    for order, and which of its thread's operations it is.
    """

    op: Operation
    kind: str
    key: Hashable
    ctas: int
    number: int
    order: int
    """The component that counts what the thread has issued."""
    completion: int
    """The component that counts what of this is known to be done."""
    known: Mapping[int, int]
    """What has been issued before it, by the component of each thread."""
    before: "Sequence[Issued]"
    """Of each kind and key the last one that it follows in a pipeline."""
    history: "list[Issued]"
    """All that has been issued in the cluster."""
    task: Task | None = None

    def is_done(self, known: Known) -> bool:
        """Whether this is done when so much is: it, or what follows it in a pipeline."""
        if known[self.completion] >= self.number:
            return True
        done = (each for each in reversed(self.history) if known[each.completion] >= each.number)
        return any(self.precedes(each) for each in done)

    def is_next(self, other: "Issued") -> bool:
        """Whether a later operation and this one are a pipeline."""
        return (
            self.ctas == other.ctas
            and is_pipeline(self.kind, self.key, other.kind, other.key)
            and other.known.get(self.order, 0) >= self.number
        )

    def precedes(self, other: "Issued") -> bool:
        """Whether pipelines lead from this operation to a later one."""
        seen: set[Issued] = set()
        reached = [other]
        while reached:
            each = reached.pop()
            if self.is_next(each):
                return True
            seen.add(each)
            later = (b for b in each.before if b.order != self.order or b.number > self.number)
            reached += [b for b in later if b not in seen]
        return False


@dataclass(eq=False)
class TensorCore:
    """
    What the threads of a cluster have issued and is not done.

    Operations that form a pipeline are done in order if they are of one thread, or if what
    `fence::before_thread_sync` of the first (a commit implies it) has made known has reached the
    second and its `fence::after_thread_sync`.
    """

    clocks: Clocks
    _issued: list[Issued] = field(default_factory=list[Issued])
    _history: list[Issued] = field(default_factory=list[Issued])
    _counts: dict[int, int] = field(default_factory=dict[int, int])
    """By the component of each thread, what it has issued."""
    _last: dict[tuple[object, ...], Issued] = field(
        default_factory=dict[tuple[object, ...], Issued]
    )
    _commits: dict[int, list[Task]] = field(default_factory=dict[int, list[Task]])

    def register(self, op: Operation, kind: str, key: Hashable, row: int, ctas: int) -> Issued:
        """What a thread, by its row, issues next."""
        clocks = self.clocks
        order = clocks.component(("order", row))
        number = self._counts[order] = self._counts.get(order, 0) + 1
        after = clocks.table[Clock.AFTER, row]
        known = {each: int(after[each]) for each in self._counts} | {order: number - 1}
        issued = Issued(
            op, kind, key, ctas, number, order, self.completion(row, ctas), known, (), self._history
        )
        issued.before = [each for each in self._last.values() if each.is_next(issued)]
        self._history.append(issued)
        self._last[kind, key, ctas, row] = issued
        clocks.table[Clock.SEEN, row, order] = number
        return issued

    def forget(self) -> None:
        """Free what has been issued, all of which is done."""
        for each in self._history:
            each.known, each.before = {}, ()
        for held in (self._issued, self._history, self._last, self._counts, self._commits):
            held.clear()

    def completion(self, row: int, ctas: int) -> int:
        """The component that counts what of a thread's operations is known to be done."""
        return self.clocks.component(("completion", row, ctas))

    def start(self, issued: Issued, steps: Sequence[Callable[[], None]]) -> Task:
        """The task of an operation, which comes after those that it forms a pipeline with."""
        for each in self._issued:
            if each.task and each.task.done:
                each.task = None
        self._issued = [each for each in self._issued if each.task]
        before = [each.task for each in self._issued if each.task and each.is_next(issued)]
        issued.task = Task(issued.op, list(steps), before)
        self._issued.append(issued)
        return issued.task

    def tracked(self, row: int, ctas: int) -> tuple[list[Task], int]:
        """What a commit of a thread tracks: what is not done, and up to which number, 0 if none."""
        completion = self.completion(row, ctas)
        tasks = [each.task for each in self._issued if each.task and each.completion == completion]
        numbers = [each.number for each in self._last.values() if each.completion == completion]
        # Commits, too, are done in order.
        tasks += self._commits.get(completion, [])
        return [task for task in tasks if not task.done], max(numbers, default=0)

    def commit(self, row: int, ctas: int, tasks: list[Task]) -> None:
        """A thread commits by tasks."""
        self._commits[self.completion(row, ctas)] = tasks

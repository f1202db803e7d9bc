"""Asynchronous operations: issued by threads, executed step by step by the schedule."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from xdsl.ir import Operation

from ...isa.model.rule import Violation
from ...reporting.operation_error import located


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

"""Asynchronous operations: issued by a thread, done at moments of their own."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from xdsl.ir import Operation

from ...isa.model.rule import Violation
from ...reporting.operation_error import located


@dataclass(eq=False)
class Task:
    """
    An operation that runs on its own: `steps`, as long as there are any, in order, after all tasks
    of `after`, which lists those that may not be done yet, are done.

    What happens between two steps of it is up to the schedule.
    """

    op: Operation
    steps: list[Callable[[], None]]
    after: Sequence["Task"] = ()

    @property
    def done(self) -> bool:
        return not self.steps

    @property
    def ready(self) -> bool:
        """Whether its next step may happen now."""
        # It is asked often, and those that are done are not needed any more.
        self.after = [task for task in self.after if not task.done]
        return not self.after

    def advance(self) -> None:
        """Take the next step. Raises OperationError."""
        step = self.steps.pop(0)
        try:
            step()
        except Violation as violation:
            raise located(self.op, violation) from violation


@dataclass(eq=False)
class Moves:
    """The loads, or the stores, of tensor memory of a warp: how many, and those not waited for."""

    count: int = 0
    _tasks: list[Task] = field(default_factory=list[Task])

    def add(self, task: Task) -> None:
        """One more."""
        self.count += 1
        self._tasks.append(task)

    def take(self) -> list[Task]:
        """Those that no one has waited for yet, for who now does."""
        tasks, self._tasks = self._tasks, []
        return tasks

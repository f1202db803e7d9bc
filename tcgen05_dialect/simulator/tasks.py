"""Asynchronous operations: issued by a thread, done at moments of their own."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from xdsl.ir import Operation

from ..isa.rule import Violation
from .errors import located


@dataclass(eq=False)
class Task:
    """
    An operation that runs on its own: `steps` in order, after all tasks of `after` are done.

    What happens between two steps of it is up to the schedule.
    """

    op: Operation
    steps: Sequence[Callable[[], None]]
    after: Sequence["Task"] = ()
    _next: int = field(default=0, init=False)

    @property
    def done(self) -> bool:
        return self._next == len(self.steps)

    @property
    def ready(self) -> bool:
        """Whether its next step may happen now."""
        return all(task.done for task in self.after)

    def advance(self) -> None:
        """Take the next step. Raises OperationError."""
        step = self.steps[self._next]
        self._next += 1
        try:
            step()
        except Violation as violation:
            raise located(self.op, violation) from violation

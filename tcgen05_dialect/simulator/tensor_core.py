"""The order in which the tensor core does what threads issue to it (9.7.16.6)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from xdsl.ir import Operation

from .tasks import Task

Thread = tuple[object, int]
"""A warp and a lane of it."""


class _Issued(NamedTuple):
    """An operation: its kind (`mma`, `cp`, `shift`), and what must agree with others' for order."""

    task: Task
    kind: str
    key: object
    ctas: int
    thread: Thread


@dataclass(eq=False)
class TensorCore:
    """
    What the threads of a cluster have issued and is not done.

    Operations of one thread that form a pipeline are done in order. Those of different threads
    are, too, if the first thread has executed `fence::before_thread_sync` (a commit implies it)
    since, and after that the second one `fence::after_thread_sync`.
    """

    _issued: list[_Issued] = field(default_factory=list[_Issued])
    _published: dict[Task, int] = field(default_factory=dict[Task, int])
    _acquired: dict[Thread, int] = field(default_factory=dict[Thread, int])

    def _forget(self) -> None:
        self._issued = [each for each in self._issued if not each.task.done]
        live = {each.task for each in self._issued}
        self._published = {t: when for t, when in self._published.items() if t in live}

    def issue(
        self,
        op: Operation,
        kind: str,
        key: object,
        thread: Thread,
        ctas: int,
        steps: Sequence[Callable[[], None]],
    ) -> Task:
        """The task of an operation, which comes after those it forms a pipeline with."""
        self._forget()
        acquired = self._acquired.get(thread, -1)
        before = [
            each.task
            for each in self._issued
            if each.ctas == ctas
            and _is_pipeline(each, kind, key)
            and (each.thread == thread or self._published.get(each.task, acquired + 1) <= acquired)
        ]
        task = Task(op, steps, before)
        self._issued.append(_Issued(task, kind, key, ctas, thread))
        return task

    def tracked(self, thread: Thread, ctas: int) -> list[Task]:
        """What a commit of a thread tracks."""
        return [
            each.task
            for each in self._issued
            if each.thread == thread and each.ctas == ctas and not each.task.done
        ]

    def publish(self, thread: Thread, now: int) -> None:
        """What the thread has issued is ordered before what others issue after a fence."""
        for each in self._issued:
            if each.thread == thread:
                self._published.setdefault(each.task, now)

    def acquire(self, thread: Thread, now: int) -> None:
        """What the thread will issue is ordered after what has been published."""
        self._acquired[thread] = now


def _is_pipeline(first: _Issued, kind: str, key: object) -> bool:
    match first.kind, kind:
        case "mma", "mma":
            return first.key == key
        case ("cp", "mma") | ("shift", "mma") | ("mma", "shift"):
            return True
        case "shift", "cp":
            return key == _AFTER_SHIFT
        case _:
            return False


_AFTER_SHIFT = "shape_4x256b"

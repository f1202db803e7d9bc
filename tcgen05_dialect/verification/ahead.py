"""
Runs ahead: a second process that runs scenarios of a kernel, from the last one on, while this
process runs them from the first one on.

The process is a fork, so both know the same operations. It hands back only runs without errors and
doubts, and without warnings other than those of the first run; this process does all others itself,
at their turn. What a check prints thus does not depend on the number of processes. If the second
process ends early, this one does the rest.
"""

import os
import pickle
import signal
from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import suppress
from mmap import mmap
from struct import Struct
from threading import active_count
from typing import Any, NamedTuple

from xdsl.ir import SSAValue

from ..reporting.diagnostics import OperationError, rule_of
from ..simulator.launch.launch import Coverage, Point
from .effort import Helpers
from .execution import Outcome, Skeleton
from .static.loops import Scenario

_ROOM = 1 << 26
"""Bytes for all results; the pages are committed when they are used."""
_MESSAGE = Struct("<III")
"""The number of a task, and where its result begins and ends. Results of all tasks would not fit in
a pipe, so the second process would wait until they are read."""


class _Clean(NamedTuple):
    """The outcome of a run without errors, and what it adds to the skeleton."""

    warnings: Sequence[Hashable]
    points: Mapping[Point, Any]
    residue: Hashable
    unawaited: Sequence[int]
    visits: Sequence[Any]
    contents: Sequence[tuple[int, Any]]


class Ahead:
    """
    The second process. It runs `scenarios`, and before them `others`, in which what many kernels
    rely on counts for nothing if they are read from PTX. `last` is a task of its own, whose result
    is whether it found nothing; the process begins with it.
    """

    def __init__(
        self,
        skeleton: Skeleton,
        scenarios: Sequence[Scenario],
        others: Sequence[Scenario],
        key_of: Callable[[Scenario], Hashable],
        last: Callable[[], bool],
    ):
        self._skeleton, self._limit = skeleton, skeleton.max_steps
        self._boxes = dict(skeleton.boxes)
        self._usual, all_ = len(scenarios), [*scenarios, *others]
        self._tasks = {key_of(each): at for at, each in enumerate(all_)}
        self._last = len(all_)
        self.begun = mmap(-1, self._last + 1)
        """For each task, 1 if a process has begun it here, 2 if in the second process."""
        self._values: dict[int, SSAValue] = {id(value): value for value in _values(skeleton)}
        self._data = mmap(-1, _ROOM)
        self._found: dict[int, bytes] = {}
        reading, writing = os.pipe()
        parent = os.getpid()
        try:
            self._process = os.fork()
        except OSError:
            os.close(reading)
            os.close(writing)
            raise
        if not self._process:
            with suppress(BaseException):
                signal.signal(signal.SIGINT, signal.SIG_DFL)
                os.close(reading)
                self._work(writing, parent, all_, last)
            os._exit(0)
        os.close(writing)
        self._results = os.fdopen(reading, "rb")

    def close(self) -> None:
        """End the second process."""
        with suppress(ProcessLookupError):
            os.kill(self._process, signal.SIGKILL)
        os.waitpid(self._process, 0)
        self._results.close()

    def outcome(self, key: Hashable, like: Sequence[OperationError]) -> Outcome | None:
        """The outcome of a scenario; None if this process must run it. `like` are the warnings of
        the first run."""
        found = self._result(self._tasks.get(key))
        if not found or self._skeleton.max_steps != self._limit:
            return None
        signatures, points, residue, unawaited, visits, contents = pickle.loads(found)
        known = {_signature(each): each for each in like}
        if any(each not in known for each in signatures):
            return None
        for mine, entries in zip(self._skeleton.visits.values(), visits, strict=True):
            mine.add(entries)
        for at, numbers in contents:
            self._skeleton.knowledge.note(self._values[at], numbers)
        is_read = self._skeleton.is_read
        return Outcome(
            warnings=tuple(known[each] for each in signatures),
            coverage=Coverage(points),
            is_read=is_read,
            residue=residue,
            unawaited=unawaited,
        )

    @property
    def last_is_clean(self) -> bool:
        """Whether the second process has found nothing in its own task."""
        return self._boxes == self._skeleton.boxes and bool(self._result(self._last))

    def _result(self, task: int | None) -> bytes:
        """The result of a task in the second process; empty if there is none."""
        if task is None or self.begun[task] != 2:
            if task is not None:
                self.begun[task] = 1
            return b""
        while task not in self._found:
            message = self._results.read(_MESSAGE.size)
            if len(message) < _MESSAGE.size:
                return b""  # It has ended, perhaps for lack of memory.
            at, start, end = _MESSAGE.unpack(message)
            self._found[at] = self._data[start:end]
        return self._found[task]

    def _work(
        self, writing: int, parent: int, scenarios: Sequence[Scenario], last: Callable[[], bool]
    ) -> None:
        skeleton, start = self._skeleton, 0
        with os.fdopen(writing, "wb") as results:
            for task in reversed(range(self._last + 1)):
                if self.begun[task] or os.getppid() != parent:
                    break
                self.begun[task] = 2
                if task == self._last:
                    found = b"none" if last() else b""
                else:
                    for visits in skeleton.visits.values():
                        visits.clear()
                    each = scenarios[task]
                    outcome = skeleton.run(each.values, each.sizes)
                    found = _packed(skeleton, outcome, task < self._usual)
                found = found if start + len(found) <= _ROOM else b""
                self._data[start : start + len(found)] = found
                results.write(_MESSAGE.pack(task, start, start + len(found)))
                results.flush()
                start += len(found)


def may_help(skeleton: Skeleton) -> bool:
    """Whether a second process may run scenarios of a kernel."""
    is_safe = Helpers.allowed and _thread_count() == 1
    return is_safe and skeleton.knows_boxes and not skeleton.choices


def _thread_count() -> int:
    """The number of threads, with those that libraries have started: jaxlib starts some, and a fork
    copies the locks that they hold."""
    try:
        return len(os.listdir("/proc/self/task"))
    except OSError:
        return active_count()


def _packed(skeleton: Skeleton, outcome: Outcome, is_usual: bool) -> bytes:
    """The outcome of a run without errors and doubts; empty for another one."""
    if not outcome.passes or outcome.later or outcome.doubt or outcome.races:
        return b""
    counts_all = is_usual or not outcome.is_read
    warnings = (each for each in outcome.warnings if counts_all or not rule_of(each).practice)
    return pickle.dumps(
        tuple(
            _Clean(
                [_signature(each) for each in warnings],
                outcome.coverage.points,
                outcome.residue,
                outcome.unawaited,
                [each.entries for each in skeleton.visits.values()],
                [(id(value), found) for value, found in skeleton.knowledge.contents.items()],
            )
        )
    )


def _signature(warning: OperationError) -> Hashable:
    """What tells a warning from others, in both processes."""
    rule, related = rule_of(warning), warning.related
    places = id(warning.operation), None if related is None else id(related)
    return rule.id, rule.severity, *places, warning.message


def _values(skeleton: Skeleton) -> Sequence[SSAValue]:
    kernel = skeleton.kernel
    results = [result for op in kernel.walk() for result in op.results]
    return [*results, *(argument for block in kernel.body.blocks for argument in block.args)]

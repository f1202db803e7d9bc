"""
Runs ahead: processes that run scenarios of a kernel before their turn.

Scenarios that differ only in integer parameters begin as one run: a register that depends on such a
parameter holds an array with axes (scenario, lane). An instruction that computes each lane
separately computes all scenarios at once. Before any other instruction reads a register whose
values differ between scenarios, such as the branch at the end of a loop, the run divides into
processes, one for each value (`_split`). Up to this point all scenarios execute the same
instructions in the same order, with the same addresses. Each scenario thus goes through exactly the
states of a separate run.

Another process runs the remaining scenarios, beginning with the last one.

The processes are forks, so all know the same operations. They hand back only runs without errors
and doubts, and without warnings other than those of the first run; the first process does all other
runs itself, at their turn. What a check prints thus does not depend on the number of processes. If
another process ends early, the first one does its runs.
"""

import os
import pickle
import signal
import time
from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import suppress
from mmap import mmap
from select import select
from struct import Struct
from typing import Any, NamedTuple

from xdsl.ir import SSAValue

from ..processes import Processes, can_fork
from ..reporting.diagnostics import OperationError, rule_of
from ..simulator.launch.clusters import Bits
from ..simulator.launch.launch import Coverage, Point
from ..simulator.machine.machine import Group
from ..simulator.numbers.floats import narrowed
from . import Progress
from .execution import Outcome, Skeleton
from .static.loops import Scenario

_ROOM = 1 << 26
"""Bytes for all results; the pages are committed when they are used."""
_LEAST_SHARED = 0.05
"""Seconds of a run that are worth a process: each copies the pages that it and its parent change,
which took 0.02 seconds."""
_SECOND = 1.0
"""Seconds between two looks at the progress."""
_MESSAGE = Struct("<II")
"""The number of a task, and the length of its result. Results of all tasks would not fit in a pipe,
so the other processes would wait until they are read."""


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
    The processes. They run `scenarios`, and `others`, in which what many kernels rely on counts for
    nothing if they are read from PTX. `last` is a task of its own, whose result is whether it found
    nothing; the process for single scenarios begins with it.
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
        self._inferred = dict(skeleton.boxes), dict(skeleton.descriptors)
        self._usual, self._scenarios = len(scenarios), [*scenarios, *others]
        self._tasks = {key_of(each): at for at, each in enumerate(self._scenarios)}
        self._last = len(self._scenarios)
        self.begun = mmap(-1, self._last + 1)
        """For each task, 1 if this process runs it, 2 if another one does."""
        self._together: Sequence[int] = ()
        """The tasks whose runs are still one in this process; the first is that of the process."""
        self._start = 0.0
        """The processor time at the start of the run of this process."""
        self._values: dict[int, SSAValue] = {id(value): value for value in _values(skeleton)}
        self._data, self._room = mmap(-1, _ROOM), _ROOM // (self._last + 1)
        self._found: dict[int, bytes] = {}
        self._forks: list[int] = []
        # As numbers: `kept_results` takes an open file for an input, and keeps no result.
        self._reading, self._writing = os.pipe()
        parent = os.getpid()
        try:
            is_here = self._fork()
        except OSError:
            os.close(self._writing)
            os.close(self._reading)
            raise
        if not is_here:
            with suppress(BaseException):
                self._work(parent, last)
            os._exit(0)

    def _fork(self) -> bool:
        """Make a process; returns whether this is the old one. All have the group of the first."""
        process = os.fork()
        if process:
            self._forks.append(process)
            with suppress(OSError):
                os.setpgid(process, self._forks[0])
        else:
            with suppress(OSError):
                os.setpgid(0, self._forks[0] if self._forks else 0)
        return bool(process)

    def close(self) -> None:
        """End the processes."""
        with suppress(ProcessLookupError):
            os.killpg(self._forks[0], signal.SIGKILL)
        for process in self._forks:
            os.waitpid(process, 0)
        os.close(self._reading)
        self._end_writing()

    def _end_writing(self) -> None:
        """Leave the pipe to the others: it ends when all of them have ended."""
        if self._writing >= 0:
            os.close(self._writing)
            self._writing = -1

    def outcome(self, key: Hashable, like: Sequence[OperationError]) -> Outcome | None:
        """The outcome of a scenario; None if this process must run it alone. `like` are the
        warnings of the first run."""
        task = self._tasks.get(key)
        if task is not None and not self.begun[task] and self._writing >= 0:
            return self._run_together(task)
        found = self._result(task)
        is_limit_alike = self._skeleton.max_steps == self._limit
        if not (found and is_limit_alike and self._is_inferred_alike()):
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

    def _is_inferred_alike(self) -> bool:
        return self._inferred == (self._skeleton.boxes, self._skeleton.descriptors)

    @property
    def last_is_clean(self) -> bool:
        """Whether the process with the task `last` has found nothing."""
        return self._is_inferred_alike() and bool(self._result(self._last))

    def _result(self, task: int | None) -> bytes:
        """The result of a task in another process; empty if there is none."""
        self._end_writing()
        if task is None or self.begun[task] != 2:
            if task is not None:
                self.begun[task] = 1
            return b""
        while task not in self._found:
            while not select([self._reading], (), (), _SECOND)[0]:
                Progress.tell(f"run {task + 1} in another process")
            message = os.read(self._reading, _MESSAGE.size)
            if len(message) < _MESSAGE.size:
                return b""  # It has ended, perhaps for lack of memory.
            at, size = _MESSAGE.unpack(message)
            start = at * self._room
            self._found[at] = self._data[start : start + size]
        return self._found[task]

    def _send(self, task: int, found: bytes) -> None:
        """Hand back the result of a task."""
        found = found if len(found) <= self._room else b""
        start = task * self._room
        self._data[start : start + len(found)] = found
        os.write(self._writing, _MESSAGE.pack(task, len(found)))

    def _run_together(self, task: int) -> Outcome:
        """Run a scenario, and in other processes those that may begin as one run with it."""
        skeleton, first = self._skeleton, self._scenarios[task]
        is_alone = first.sizes.grid == first.sizes.cluster or first.sizes.alone is not None
        may_split = is_alone and not skeleton.waiting and skeleton.program.several
        others = [
            at
            for at, each in enumerate(self._scenarios)
            if at != task and not self.begun[at] and each.sizes == first.sizes
        ]
        self._together = [task, *(others if may_split else ())]
        for at in self._together:
            self.begun[at] = 2
        self.begun[task] = 1
        values: dict[int, Bits] = {}
        for p, value in first.values.items():
            several = tuple(self._scenarios[at].values[p] for at in self._together)
            values[p] = value if len({*several}) == 1 else several
        before = [dict(each.entries) for each in skeleton.visits.values()]
        for each in skeleton.visits.values():
            each.clear()
        found, self._start = b"", time.process_time()
        try:
            outcome = skeleton.run_together(values, first.sizes, self._split)
            self._divide([[at] for at in range(len(self._together))])
            found = _packed(skeleton, outcome, self._together[0] < self._usual)
        finally:
            if self._together[0] != task:
                with suppress(BaseException):
                    self._send(self._together[0], found)
                os._exit(0)
        for mine, entries in zip(skeleton.visits.values(), before, strict=True):
            mine.add(entries)
        return skeleton.with_data(outcome, first.values, first.sizes)

    def _split(self, group: Group, index: int) -> None:
        """Divide the run so that a register of a group has one number in each lane."""
        numbers = group.warp.registers[index]
        ways: dict[bytes, list[int]] = {}
        for at, each in enumerate(numbers):
            ways.setdefault(each.tobytes(), []).append(at)
        kept = self._divide([*ways.values()])
        if len(ways) > 1:
            for cta in (cta for cluster in group.machine.clusters for cta in cluster.ctas):
                for warp in cta.warps:
                    warp.registers[:] = [narrowed(each, kept) for each in warp.registers]
        group.warp.registers[index] = numbers[kept[0]]

    def _divide(self, ways: Sequence[Sequence[int]]) -> Sequence[int]:
        """Give a process to the scenarios of each way, as positions among those that are together;
        this process keeps the first, and gives up the others if they have shared little so far.
        Returns the way of the process."""
        kept, *others = ways
        spent = time.process_time() - self._start
        for each in others:
            try:
                is_forked = spent > _LEAST_SHARED
                is_here = not is_forked or self._fork()
            except OSError:
                is_forked, is_here = False, True
            if not is_here:
                kept, self._start = each, time.process_time() - spent
                break
            if not is_forked:
                for at in each:
                    self.begun[self._together[at]] = 0
        if others:
            self._together = [self._together[at] for at in kept]
            for visits in self._skeleton.visits.values():
                visits.narrow(kept)
        return kept

    def _work(self, parent: int, last: Callable[[], bool]) -> None:
        """Run the tasks that no other process has begun, from the last one on."""
        skeleton = self._skeleton
        while os.getppid() == parent and (task := self.begun.rfind(b"\0")) >= 0:
            self.begun[task] = 2
            if task == self._last:
                found = b"none" if last() else b""
            else:
                for visits in skeleton.visits.values():
                    visits.clear()
                each = self._scenarios[task]
                outcome = skeleton.run(each.values, each.sizes)
                found = _packed(skeleton, outcome, task < self._usual)
            self._send(task, found)


def may_help(skeleton: Skeleton) -> bool:
    """Whether other processes may run scenarios of a kernel."""
    return Processes.allowed > 1 and can_fork() and not skeleton.choices


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

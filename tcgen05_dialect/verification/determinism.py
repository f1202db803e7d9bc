"""
Determinism: the conditions under which the verdict on one run holds for every schedule.

1. Control flow and addresses depend neither on data nor on the time: `Skeleton.check` and
   `Knowledge` raise Undecided otherwise.
2. Each wait is for a barrier, a group or a copy, or is a loop that asks again and does nothing
   else. Other polls of barriers get each of the two results in a run of its own; each warp must
   then have the same effects. Any other read of a flag is not a wait. Where threads poll flags,
   each write of a flag also comes late, and alone, in one run: a poll then sees each value.
3. A phase of a barrier object ends only after the waits for the previous phase are over. The race
   detector reports an error otherwise.
4. An arrival is ordered after the end of the previous phase, so that each phase has the same
   arrivals in every schedule. The race detector reports an error otherwise.
5. The same holds for the named barriers of CTAs. A warp may arrive twice in one use of a barrier:
   9.7.13.1 asks only that the count expects both arrivals.
6. Allocations of tensor memory are ordered among each other, and with deallocations, except where
   an allocation waits for a deallocation: then an allocation gets the same columns in every
   schedule.
7. A request for the work of another cluster is made after the response to the last one, so that
   each gets the same response in every schedule.

If they hold, the order that operations impose on each other is the same in every schedule, by
induction on the phases of barriers. Races depend on this order alone. Because the run ends, no
schedule ends in a deadlock.
"""

from collections import Counter
from collections.abc import Callable, Container, Hashable
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

import numpy as np
import numpy.typing as npt
from xdsl.ir import Operation
from xdsl.traits import Pure

from ..isa.tensor_memory.alloc import unpack
from ..ptx.analysis.values import control_operands
from ..ptx.bases import BarrierInstruction, CtaBarrier
from ..ptx.control_flow import Branch
from ..ptx.effects import is_strong_access
from ..ptx.instructions import (
    ClusterlaunchcontrolTryCancelOp,
    LdOp,
    MbarrierWaitOp,
    NanosleepOp,
)
from ..ptx.tcgen05 import AllocOp, DeallocOp
from ..simulator.machine.barrier import Barrier
from ..simulator.machine.errors import place_of
from ..simulator.machine.machine import Group, Schedule, Step, Wait
from ..simulator.machine.program import Handler, Program
from ..simulator.machine.state import Cta
from ..simulator.machine.tensor_memory import place_in
from ..simulator.numbers.floats import Lanes, every
from ..simulator.order.clocks import Known, Moment
from .knowledge import Undecided
from .static.control import ASKING, is_flag

_WITHOUT_EFFECT = ASKING | MbarrierWaitOp | NanosleepOp | Branch


_Check = Callable[[Group], None]
"""Check of a condition before a group executes an operation."""


@dataclass(eq=False)
class _Event(Moment):
    """An operation of threads, with their own components at that time."""

    op: Operation


def _told(group: Group) -> Known:
    """What the threads of a group were told."""
    return group.warp.cta.cluster.clocks.told(group.rows)


def _event(op: Operation, group: Group) -> _Event:
    clocks, rows = group.warp.cta.cluster.clocks, group.rows
    return _Event(rows, clocks.numbers(rows), op)


@dataclass(eq=False)
class _Meetings:
    """The arrivals at the last two meetings at a barrier of a CTA."""

    last: list[_Event] = field(default_factory=list[_Event])
    current: list[_Event] = field(default_factory=list[_Event])
    all_last: Moment = field(init=False)
    """The last meeting as one event."""

    def begin(self) -> None:
        """Begin another meeting."""
        self.last, self.current = self.current, []
        if self.last:
            parts = zip(*((each.components, each.numbers) for each in self.last), strict=True)
            self.all_last = Moment(*map(np.concatenate, parts))


@dataclass(eq=False)
class _Columns:
    """The allocations of a CTA that are in use, by their first columns; and the deallocations, each
    with the owners of columns before."""

    allocated: dict[int, _Event] = field(default_factory=dict[int, _Event])
    freed: list[tuple[_Event, npt.NDArray[np.int32]]] = field(
        default_factory=list[tuple[_Event, npt.NDArray[np.int32]]]
    )


class Determinism:
    """The conditions that a run checks and that are not errors if they fail; `doubt` says which one
    failed first."""

    def __init__(self) -> None:
        self.doubt: Undecided | None = None
        self._meetings: dict[tuple[Cta, int], _Meetings] = {}
        self._columns: dict[Cta, _Columns] = {}

    def begin(self) -> None:
        """Begin another run."""
        self.doubt = None
        self._meetings.clear()
        self._columns.clear()

    def before(self, op: Operation, program: Program) -> Step | None:
        """Check the conditions before some operations."""
        match op:
            case CtaBarrier():
                return self._barrier(op, program)
            case AllocOp():
                return self._alloc(op, program)
            case DeallocOp():
                return self._dealloc(op, program)
            case ClusterlaunchcontrolTryCancelOp():
                return self._request(op)
            case _:
                return None

    def _fail(self, op: Operation, before: Operation, what: str) -> None:
        if self.doubt is None:
            ordered = f"{op.name}, {place_of(op)}, after {before.name}, {place_of(before)}"
            self.doubt = Undecided(f"nothing orders {ordered}, and {what}")

    def _barrier(self, op: Any, program: Program) -> _Check:
        number = program.index(op.barrier)

        def check(group: Group) -> None:
            cta, name = group.warp.cta, int(group.read(number)[group.lanes[0]])
            meetings = self._meetings.setdefault((cta, name), _Meetings())
            barrier: Barrier | None = cta.barriers.get(name)
            if barrier is None or not barrier.is_in_use:
                meetings.begin()
            if meetings.last and not meetings.all_last.is_in(told := _told(group)):
                for each in meetings.last:
                    if not each.is_in(told):
                        what = f"which threads meet at barrier {name} depends on the schedule"
                        self._fail(op, each.op, what)
            meetings.current.append(_event(op, group))

        return check

    def _request(self, op: Any) -> _Check:
        def check(group: Group) -> None:
            # The schedule `lazy` completes a request only when threads wait for it. The response to
            # all CTAs of a cluster has come when one of them has it.
            cta = group.warp.cta
            here = {*cta.mbarriers.values()}
            for task in group.machine.tasks:
                each = task.op
                if task.done or not isinstance(each, ClusterlaunchcontrolTryCancelOp):
                    continue
                if each.multicast is None or task.signals in here:
                    self._fail(op, each, "which one gets the work depends on the schedule")

        return check

    def _alloc(self, op: Any, program: Program) -> _Check:
        columns = program.index(op.columns)

        def check(group: Group) -> None:
            cta = group.warp.cta
            found = self._columns.setdefault(cta, _Columns())
            count = int(group.read(columns)[group.lanes[0]])
            if cta.tensor.fits(count, op.exclusive is not None):
                what, told = "the columns that are allocated depend on the schedule", _told(group)
                for each in found.allocated.values():
                    if not each.is_in(told):
                        self._fail(op, each.op, what)
                for each, before in found.freed:
                    # It must wait for the deallocation if nothing else is free.
                    if not each.is_in(told) and place_in(before, count) is not None:
                        self._fail(op, each.op, what)
                first = place_in(cta.tensor.owner, count)
                assert first is not None
                found.allocated[first] = _event(op, group)

        return check

    def _dealloc(self, op: Any, program: Program) -> _Check:
        address = program.index(op.taddr)

        def check(group: Group) -> None:
            cta = group.warp.cta
            found = self._columns.setdefault(cta, _Columns())
            found.allocated.pop(unpack(int(group.read(address)[group.lanes[0]])).column, None)
            told = _told(group)
            for each in found.allocated.values():
                if not each.is_in(told):
                    what = "the columns that are allocated depend on the schedule"
                    self._fail(each.op, op, what)
            found.freed.append((_event(op, group), cta.tensor.owner.copy()))

        return check


Answer: TypeAlias = bool | Literal["each", "highest"] | None
"""The result of polls that decide more than whether to ask again; "each": polls of flags see each
value; None: the schedule `lazy` decides."""


def is_strong_write(op: Operation) -> bool:
    """Whether an operation writes what another thread may read at the same time."""
    return is_strong_access(op) and not isinstance(op, LdOp | BarrierInstruction)


class OneByOne(Schedule):
    """The schedule `lazy`, in which each strong write of a thread waits until nothing else can take
    place."""

    def __init__(self):
        super().__init__("lazy")
        self._waiting: list[Group] = []
        self._next: Group | None = None
        self._written: dict[Group, Lanes] = {}
        """Group in the middle of a write -> the lanes that have written."""

    def release(self) -> bool:
        """Let the first write take place; return whether there is one."""
        self._next = self._waiting.pop(0) if self._waiting else None
        return self._next is not None

    def write(self, group: Group, step: Step) -> Wait | None:
        """Execute a write in the next lane of a group, or wait until it may take place."""
        mask, full = group.mask, group.full
        if self._next is not group:
            self._waiting.append(group)
        else:
            self._next = None
            written = self._written.pop(group, ~mask)
            one = np.arange(mask.size) == np.argmin(written)
            group.mask, group.full = one, False
            try:
                wait = step(group)
            finally:
                group.mask, group.full = mask, full
            if every(written | one):
                return wait
            self._written[group] = written | one
            self._waiting.insert(0, group)
        group.index -= 1
        return Wait(lambda: self._next is group)

    @staticmethod
    def postponing(handler: Handler) -> Handler:
        """The handler; its strong writes wait in a run with this schedule."""

        def waiting(op: Operation, program: Program) -> Step:
            step = handler(op, program)
            if not is_strong_write(op):
                return step

            def run(group: Group) -> Wait | None:
                schedule = group.machine.schedule
                is_one = isinstance(schedule, OneByOne)
                return schedule.write(group, step) if is_one else step(group)

            return run

        return waiting


class Answering(Schedule):
    """The schedule `lazy`, but for some polls, which all get the same answer."""

    def __init__(self, polls: Container[Operation], answer: bool):
        super().__init__("lazy")
        self._polls, self._answer = polls, answer

    def gives_up(self, op: Operation, warp: Hashable) -> bool:
        return not self._answer if op in self._polls else super().gives_up(op, warp)


@dataclass(eq=False)
class EffectLog:
    """Record of the effects of each warp, without waits: how often it executed each instruction
    with the same operands."""

    found: Counter[Hashable] = field(default_factory=Counter[Hashable])

    def before(self, op: Operation, program: Program) -> Step | None:
        """Record the effects of an operation."""
        if op.has_trait(Pure) or isinstance(op, _WITHOUT_EFFECT) or is_flag(op):
            return None
        operands = [program.index(each) for each in control_operands(op)]

        def record(group: Group) -> None:
            mask = group.mask
            values = tuple(group.read(each)[mask].tobytes() for each in operands)
            warp = group.warp.cta.position, group.warp.index
            self.found[op, warp, mask.tobytes(), values] += 1

        return record

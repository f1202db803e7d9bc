"""Events of a run, in the order of the emulator, for traces and timelines."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from itertools import count
from typing import NamedTuple, Protocol, TypeAlias

from xdsl.ir import Operation

from ...isa.effects.model import StateSpace
from ..order.events import Source
from ..order.race_detector import Judge
from ..order.shadow import Where
from .barrier import Came, Mbarrier, Meeting
from .errors import place_of
from .state import Warp
from .tensor_core import Task
from .tensor_memory import Shadowed


class Kind(Enum):
    """What happens in an event."""

    RUN = "a warp executes an instruction"
    ISSUE = "an instruction issues an asynchronous operation"
    STEP = "an asynchronous operation takes a step"
    ARRIVE = "an arrival or bytes come to a barrier object"
    ASK = "threads ask for the end of a phase"
    LEARN = "threads learn that a phase has ended"
    STOP = "threads begin to wait"
    RESUME = "threads stop waiting"


class Reach(NamedTuple):
    """
    Cells that an instruction reads or writes: from `first` to `end` in a variable in shared memory,
    in an allocation of tensor memory (in columns), or in an array.
    """

    space: StateSpace
    name: str
    first: int
    end: int
    written: bool


@dataclass(eq=False, slots=True)
class Event:
    """
    Event of a run. `warp` is None for the step of an operation, whose number is `task`; `group`
    tells apart the diverged parts of a warp. `barrier` and `phase` are those of a barrier object.
    `is_last` marks the last step of an operation, and the arrival that ends a phase.
    """

    kind: Kind
    op: Operation
    cta: str
    warp: int | None = None
    group: int = 0
    task: int = 0
    barrier: str = ""
    phase: int = 0
    what: str = ""
    """The goal of a wait, if it is not a phase of a barrier object."""
    ended_by: Came | None = None
    """The arrival that ended a wait for a barrier of threads."""
    is_last: bool = False
    work: int = 0
    """Multiply-adds of a product in each CTA, times the bits of the elements of A."""
    reached: list[Reach] = field(default_factory=list[Reach])

    def __str__(self) -> str:
        """The line of a trace; empty for an event without a line of its own."""
        place = place_of(self.op)
        if self.kind is Kind.RUN:
            return f"warp {self.warp} of {self.cta}: {self.op.name}, {place}"
        if self.kind is Kind.STEP:
            return f"step of {self.op.name}, {place}"
        if self.kind is Kind.ARRIVE and self.is_last:
            return f"end of phase {self.phase} of {self.barrier}, by {self.op.name}, {place}"
        return ""


Receiver: TypeAlias = Callable[[Event], None]


class Executing(Protocol):
    """Lanes of a warp that execute an instruction, or wait at it."""

    warp: Warp
    waiting: Operation


class Recorder:
    """Makes the events of a run and passes them to a receiver."""

    def __init__(self, receiver: Receiver) -> None:
        self._receive = receiver
        self._issued: dict[Task, tuple[int, str]] = {}
        """Operation -> its number, and the CTA of the thread that issued it."""
        self._next = count(1)
        self._reached: list[Reach] = []
        """Cells that the current instruction has accessed since it issued an operation."""
        self._current: Event | None = None

    def runs(self, group: Executing, op: Operation) -> None:
        """A group executes an instruction."""
        self._reached = []
        self._current = self._add(self._of(Kind.RUN, group, op))

    def reaches(self, memory: Shadowed, where: Where, written: bool) -> None:
        """The current instruction accesses cells."""
        bounds = where.bounds[-1]
        name, first = memory.owner_of(bounds.start)
        end = first + len(bounds)
        reach = Reach(memory.shadow.space, name, first, end, written)
        self._reached.append(reach)
        if self._current is not None:
            self._current.reached.append(reach)

    def issues(self, task: Task) -> None:
        """The current instruction issues an operation."""
        current = self._current
        assert current is not None
        number = next(self._next)
        self._issued[task] = number, current.cta
        event = Event(Kind.ISSUE, task.op, current.cta, current.warp, task=number)
        event.reached, self._reached = self._reached, []
        self._current = self._add(event)

    def works(self, amount: int) -> None:
        """The operation that was issued last does this work; see `Event`."""
        assert self._current is not None
        self._current.work = amount

    def steps(self, task: Task) -> None:
        """An operation takes a step."""
        number, cta = self._issued[task]
        event = Event(Kind.STEP, task.op, cta, task=number)
        event.is_last = len(task.steps) == 1
        if event.is_last:
            del self._issued[task]
        self._add(event)

    def arrives(self, barrier: Mbarrier, came: Came, ends: bool) -> None:
        """Something comes to a barrier object; the phase `ends`."""
        phase = barrier.phases.over - ends
        event = Event(Kind.ARRIVE, came.op, came.cta, came.warp, phase=phase)
        event.barrier, event.is_last = barrier.name, ends
        self._add(event)

    def at_phase(
        self, kind: Kind, group: Executing, op: Operation, barrier: Mbarrier, phase: int
    ) -> None:
        """A group asks for the end of a phase, or learns that it has ended."""
        event = self._of(kind, group, op)
        event.barrier, event.phase = barrier.name, phase
        self._add(event)

    def stops(self, group: Executing, what: str, needs: Sequence[object]) -> None:
        """A group begins to wait for something, which is a barrier of threads or has a name."""
        event = self._of(Kind.STOP, group, group.waiting)
        event.what = what or next((each.name for each in needs if isinstance(each, Meeting)), "")
        self._add(event)

    def resumes(self, group: Executing, needs: Sequence[object]) -> None:
        """A group stops waiting for something."""
        event = self._of(Kind.RESUME, group, group.waiting)
        met = (each.came[-1] for each in needs if isinstance(each, Meeting))
        event.ended_by = next(met, None)
        self._add(event)

    def _of(self, kind: Kind, group: Executing, op: Operation) -> Event:
        warp = group.warp
        return Event(kind, op, warp.cta.name, warp.index, group=id(group))

    def _add(self, event: Event) -> Event:
        self._receive(event)
        return event


@dataclass(eq=False)
class Traced(Judge):
    """A judge that also passes each access to the recorder of a trace."""

    recorder: Recorder = field(kw_only=True)

    def see(
        self, source: Source, memory: Shadowed, where: Where, written: bool, operand: str = ""
    ) -> None:
        self.recorder.reaches(memory, where, written)

"""
Phases of a barrier object: the threads that wait for each, and its arrivals (9.7.13.15).

A wait gives only the parity of a phase, and an arrival gives no phase. They refer to the intended
phase only if they are ordered: a wait before the end of the next phase, an arrival after the end of
the previous phase. The checks use only clocks, so the findings do not depend on the schedule.
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple, TypeAlias

from ...isa.practice import PHASES
from ..numbers.floats import every, some
from .clocks import Clocks, Known, Moment, Rows

LateWait: TypeAlias = Callable[[str, str], None]
"""Called with a sentence about a wait that may be late, and with help. May raise."""


class Waiter(NamedTuple):
    """
    Threads that wait for a phase, with their own components at that time; `who` and `place` are for
    messages. `parity` is None if they wait by a state. `at_once`: the end of the phase was visible
    to them before.
    """

    who: Callable[[], str]
    place: str
    rows: Rows
    numbers: Known
    parity: int | None = None
    at_once: bool = False
    warp: tuple[str, int] | None = None
    """The name of the CTA of the threads, and the index of their warp in it."""
    told: Known | None = None
    """The clock of the threads, if they wait for a phase."""

    def is_behind(self, told: Known, threads: int) -> bool:
        """Whether the wait comes after the issue of all events with the joined clock `told`; the
        components of the threads come first."""
        return self.told is not None and every(self.told[:threads] >= told[:threads])

    def is_after(self, row: int, number: int) -> bool:
        """Whether the wait comes after an event of a thread, if it is a wait of this thread."""
        return every(self.numbers[self.rows == row] > number)

    def is_told(self, told: Known) -> bool:
        """Whether the clock `told` contains the wait of at least one of the threads."""
        return some(told[self.rows] >= self.numbers)


@dataclass(eq=False)
class Phases:
    """
    Phases of the barrier object `name`. `over` is the number of phases that have ended; the clock
    component `component` counts the same. `account` gives what a phase
    needed to end; empty if that is no longer known.
    """

    name: str
    clocks: Clocks
    account: Callable[[int], str]
    over: int = field(default=0, init=False)
    component: int = field(init=False)
    awaited: int = field(default=0, init=False)
    """The number of phases from the first one on for which threads have waited."""
    _waiters: dict[int, dict[bytes, Waiter]] = field(
        default_factory=dict[int, dict[bytes, Waiter]], init=False
    )
    """Phase -> the threads that wait for it, keyed by their row numbers."""
    _looks: dict[bytes, Waiter] = field(default_factory=dict[bytes, Waiter], init=False)
    """The last waits without a phase, because they have timed out or their result is unused."""
    _arrivals: list[Moment] = field(default_factory=list[Moment], init=False)
    _has_bytes: bool = field(default=False, init=False)
    _ended: deque[Sequence[Moment] | None] = field(
        default_factory=lambda: deque[Sequence[Moment] | None](maxlen=_REACH), init=False
    )
    """The arrivals of the last phases; None for a phase that also had bytes."""
    _ended_by: str = field(default="", init=False)
    """The operation that ended the last phase, and its place."""

    def __post_init__(self) -> None:
        self.component = self.clocks.component(self)

    def known(self, told: Known) -> int:
        """
        The number of phases whose end is visible to threads with the clock `told`: the clock
        contains the end of the last one, or all its arrivals.
        """
        number = int(told[self.component]) if self.component < len(told) else 0
        for phase, arrivals in zip(
            range(self.over, number, -1), reversed(self._ended), strict=False
        ):
            if arrivals is not None and all(each.is_in(told) for each in arrivals):
                return phase
        return number

    def meant(self, known: int, parity: int, report: LateWait) -> int:
        """
        The phase meant by a wait with this parity, by threads to which the end of `known` phases is
        visible: the last of these phases or the next one; -1 is the phase before the first. Calls
        `report` if the wait is too late.
        """
        meant = known if known % 2 == parity else known - 1
        if meant + 1 < self.over:
            found = (
                f"this waits for {phase_name(meant)} of {self.name}, and nothing orders it before"
            )
            report(f"{found} the end of phase {meant + 1}", _HOLD_BACK)
        return meant

    @property
    def last_is_awaited(self) -> bool:
        """Whether threads wait, or have waited, for the last phase that has ended."""
        return bool(self._waiters.get(self.over - 1))

    def wait(self, phase: int, waiter: Waiter) -> None:
        """Record threads that wait for a phase."""
        self.awaited += phase >= 0 and phase not in self._waiters
        # An earlier wait of the same threads needs no separate check.
        self._waiters.setdefault(phase, {})[waiter.rows.tobytes()] = waiter

    def look(self, waiter: Waiter) -> None:
        """Record threads that read the barrier object, and need not see the end of a phase."""
        self._looks[waiter.rows.tobytes()] = waiter

    def in_vain(self, phase: int, told: Known, row: int, number: int) -> Waiter | None:
        """
        A wait before the phase that ended at once with the phase before it, contained in the clock
        `told`. If the thread `row` waited, the wait came after its event with the number.
        """
        for waiter in self._waiters.get(phase - 1, {}).values():
            if waiter.at_once and waiter.is_told(told) and waiter.is_after(row, number):
                return waiter
        return None

    def give_up(self, phase: int, rows: Rows) -> None:
        """Note that the wait of the threads in `rows` for a phase has timed out."""
        waiters = self._waiters.get(phase, {})
        given = {*rows.tolist()}
        for key in [key for key, each in waiters.items() if given.issuperset(each.rows.tolist())]:
            self.look(waiters.pop(key))

    def pending(self, told: Known) -> Waiter | None:
        """Threads whose finished wait is not contained in the clock `told`."""
        for waiters in (*self._waiters.values(), self._looks):
            for waiter in waiters.values():
                if not waiter.is_told(told):
                    return waiter
        return None

    def check(self, told: Known, help: str = "") -> None:
        """Raise Violation if an event of this phase may also take place in the previous one."""
        if self.over and self.known(told) < self.over:
            found = f"this counts in phase {self.over} of {self.name}, and nothing orders it after"
            found += f" the end of phase {self.over - 1}"
            if account := self.account(self.over - 1):
                found += f", which ended after {account}"
            raise PHASES.says(found, help)

    def arrive(self, components: Rows, told: Known) -> None:
        """Record an arrival. Raises Violation if it may belong to the previous phase."""
        self.check(told)
        self._arrivals.append(Moment(components, told[components]))

    def complete(self, told: Known) -> None:
        """Record completed bytes. Raises Violation if they may belong to the previous phase."""
        self.check(told, _EXPECT)
        self._has_bytes = True

    def end(
        self, told: Known, by: str, report: LateWait, warp: tuple[str, int] | None = None
    ) -> None:
        """
        End the current phase; `told` is the joined clock of the events that complete it. `by` names
        the last of them, and `warp` is that of its threads, if they did it themselves. Calls
        `report` if threads may still wait for the previous phase.
        """
        phase = self.over
        for waiter in self._waiters.pop(phase - 1, {}).values():
            if not waiter.is_told(told):
                found = f"this ends phase {phase} of {self.name}, and nothing orders it after the"
                found += f" wait of {waiter.who()} for {phase_name(phase - 1)}, {waiter.place}"
                if phase and by != self._ended_by:
                    found += f"; phase {phase - 1} was ended by {self._ended_by}"
                if waiter.is_behind(told, self.clocks.threads):
                    # Even a thread that waits without delay may be late.
                    raise PHASES.says(found, _HOLD_BACK)
                is_same = warp is not None and waiter.warp == warp
                report(found, _MEET if is_same else _HOLD_BACK)
        self._ended_by = by
        self._ended.append(None if self._has_bytes else self._arrivals)
        self._arrivals, self._has_bytes = [], False
        self.over += 1


def phase_name(phase: int) -> str:
    """Text: a phase; -1 is the one before the first."""
    return f"phase {phase}" if phase >= 0 else "the phase before phase 0"


_REACH = 2
"""Number of ended phases to keep; a wait to which less is visible is too late in any case."""
_HOLD_BACK = (
    "let the waiting threads arrive at another barrier after their wait, and wait at that barrier "
    "before the next phase can end"
)
_MEET = (
    "execute bar.warp.sync in this warp between the wait and the arrival, so that all its lanes "
    "have finished the wait"
)
_EXPECT = (
    "let each phase expect the bytes of all its copies, and wait for its end before issuing the "
    "copies of the next phase"
)

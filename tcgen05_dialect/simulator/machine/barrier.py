"""
Barriers: barrier objects (9.7.13.15), and the barriers of CTAs and clusters (9.7.13.1).

Waits of a deadlock: the barriers of waiting threads, as data and as text.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any, NamedTuple, TypeAlias

from xdsl.ir import Operation

from ...isa.effects.model import Actor
from ...isa.instructions.mbarrier import BYTES
from ...isa.model.rule import Rule, describe, plural
from ...isa.practice import BARRIER, LATE_WAIT, PHASES
from ...ptx.effects import effects_of
from ..order.clocks import Clock, Clocks, Known, Message, Moment, Order, Rows, join, mark
from ..order.phases import Phases
from .errors import lines_of, place_of


class Came(NamedTuple):
    """What an operation of a warp brings to a barrier: arrivals, and bytes that it expects or
    completes. `warp` is the index of the warp in the CTA with the name `cta`."""

    op: Operation
    cta: str
    warp: int
    arrivals: int = 0
    expected: int = 0
    completed: int = 0


@dataclass(eq=False)
class _Expectation(Moment):
    """
    Bytes that threads expect without an arrival, with their own components at that time. An arrival
    after it keeps the phase open until then; so do bytes, if operations after it complete more than
    it expects.
    """

    came: Came
    surplus: int = 0
    """Bytes that later operations complete, less the bytes that it and later operations expect."""
    is_kept: bool = False


Report: TypeAlias = Callable[[Operation, Rule, str, str], None]


@dataclass(eq=False)
class Mbarrier:
    """
    Barrier object. A phase ends when no arrivals and no bytes are pending.

    `near` holds the clocks that a thread acquires when it observes the end of the last phase: from
    threads of the CTA, commits and copies. `far` holds those from threads of other CTAs, if any.
    """

    name: str
    count: int
    clocks: Clocks
    init: Operation
    initialised: tuple[int, int]
    """Clock component and event number of the initialisation."""
    report: Report
    """Reports a broken rule, with a sentence and help."""
    watch: "Callable[[Mbarrier, Came, bool], None] | None" = None
    """Receives what comes, and whether it ends the phase."""
    pending: int = field(init=False)
    _later: int = field(init=False)
    """The arrivals that the phases after this one expect."""
    bytes: int = 0
    near: Message = field(init=False)
    far: Message | None = field(default=None, init=False)
    phases: Phases = field(init=False)
    came: list[Came] = field(default_factory=list[Came], init=False)
    """What has come in this phase."""
    before: list[Came] = field(default_factory=list[Came], init=False)
    """What came in the phase before."""
    _coming: Message = field(init=False)
    _coming_far: Message | None = field(default=None, init=False)
    _expectations: list[_Expectation] = field(default_factory=list[_Expectation], init=False)
    _uses: dict[int, int] = field(default_factory=dict[int, int], init=False)
    _remote: dict[int, Operation] = field(default_factory=dict[int, Operation], init=False)
    _commits: set[int] = field(default_factory=set[int], init=False)

    def __post_init__(self) -> None:
        self.pending = self._later = self.count
        self.near = self._coming = self.clocks.message()
        self.phases = Phases(self.name, self.clocks, self._account)

    def use(
        self, component: int, number: int, remote: Operation | None, is_commit: bool = False
    ) -> None:
        """Record a use, counted by a component; `remote` is an operation of another CTA."""
        self._uses[component] = number
        if remote is not None:
            self._remote[component] = remote
        if is_commit:
            self._commits.add(component)

    def in_use(self, known: Known) -> bool:
        """Whether uses may still be pending."""
        return any(True for _ in self._pending_uses(known))

    def remote_uses(self, known: Known) -> list[tuple[int, int, Operation]]:
        """The uses by other CTAs that may still be pending: their components, numbers and
        operations."""
        pending = self._pending_uses(known)
        return [
            (each, self._uses[each], self._remote[each]) for each in pending if each in self._remote
        ]

    def awaits_commits(self, known: Known) -> bool:
        """Whether no uses but commits may still be pending."""
        return self._commits.issuperset(self._pending_uses(known))

    def _pending_uses(self, known: Known) -> Iterator[int]:
        return (each for each, number in self._uses.items() if known[each] < number)

    def arrive(self, came: Came, message: Message, components: Rows, far: bool = False) -> None:
        """
        Count arrivals, `far` if of threads of another CTA; `components` are their components in the
        message. Raises Violation if the phase expects fewer arrivals, or if they may belong to
        another phase.
        """
        self.phases.arrive(components, message[Clock.TOLD])
        if came.arrivals > self.pending:
            raise BARRIER.says(self._too_many(came.arrivals), _COUNT)
        if not far:
            self._coming = join(self._coming, message)
        elif self._coming_far is None:
            self._coming_far = message
        else:
            self._coming_far = join(self._coming_far, message)
        self.pending -= came.arrivals
        for each in self._expectations:
            own = {*each.components.tolist()} <= {*components.tolist()}
            each.is_kept |= own or each.is_in(message[Clock.TOLD])
        self._take(came)

    def drop(self, arrivals: int) -> None:
        """Let the phases after this one expect fewer arrivals. Raises Violation if they expect no
        more."""
        if arrivals > self._later:
            found = f"{arrivals} arrivals leave {self.name}, of {self._later}"
            raise BARRIER.says(found, "let each thread that arrives leave at most once")
        self._later -= arrivals

    def check_goes_on(self, arrivals: int) -> None:
        """Raise Violation if arrivals would complete the phase."""
        if arrivals == self.pending and self.bytes == 0:
            found = f"this completes phase {self.phases.over} of {self.name}"
            raise BARRIER.says(found, "complete a phase by an arrival without .noComplete")

    def expect(self, came: Came, told: Known, rows: Rows) -> None:
        """Add pending bytes to this phase; `told` is the knowledge of the threads that expect
        them, and `rows` are their row numbers. Raises Violation."""
        self.phases.check(told)
        for each in self._expectations:
            each.surplus -= came.expected * each.is_in(told)
        numbers = self.clocks.numbers(rows)
        self._expectations.append(_Expectation(rows, numbers, came, -came.expected))
        self._take(came)

    def complete(self, came: Came, message: Message) -> None:
        """Complete pending bytes; this may happen before they are expected. Raises Violation."""
        self.phases.complete(message[Clock.TOLD])
        self._coming = join(self._coming, message)
        for each in self._expectations:
            each.surplus += came.completed * each.is_in(message[Clock.TOLD])
        self._take(came)

    def _take(self, came: Came) -> None:
        self.came.append(came)
        self.bytes += came.expected - came.completed
        if abs(self.bytes) not in BYTES.values:
            more = "are missing" if self.bytes > 0 else "more came than were expected"
            found = f"{abs(self.bytes)} bytes {more} in phase {self.phases.over} of {self.name}"
            raise BARRIER.says(f"{found}; the limit is {max(BYTES.values)}")
        ends = self.pending == 0 and self.bytes == 0
        if ends:
            self._check_expectations()
            whole, far = self._coming, self._coming_far
            told = (whole if far is None else join(whole, far))[Clock.TOLD]
            by_threads = effects_of(type(came.op)).actor is Actor.THREAD
            warp = (came.cta, came.warp) if by_threads else None
            late = partial(self.report, came.op, LATE_WAIT)
            self.phases.end(told, f"{came.op.name}, {place_of(came.op)}", late, warp)
            self.pending = self.count = self._later
            self._coming = mark(whole, self.phases.component, self.phases.over, False)
            self.near, self.far = self._coming, far
            self.before, self.came = self.came, []
        if self.watch is not None:
            self.watch(self, came, ends)

    def _check_expectations(self) -> None:
        """Report bytes before whose expectation this phase may end."""
        for each in self._expectations:
            if not each.is_kept and each.surplus <= 0:
                phase = f"phase {self.phases.over} of {self.name}"
                found = f"{phase} may end before this expects bytes: no arrival comes after it"
                self.report(each.came.op, PHASES, found, _EXPECT_FIRST)
        self._expectations.clear()

    def _account(self, phase: int) -> str:
        """Text: the arrivals and bytes of the last phase that has ended, if it is this one."""
        if phase != self.phases.over - 1:
            return ""
        number = sum(came.arrivals for came in self.before)
        arrivals = f"{number} {plural('arrival', number)}"
        if number == self.count:
            arrivals += f" (the count of mbarrier.init, {place_of(self.init)})"
        announced = [came for came in self.before if came.expected]
        if not announced:
            return arrivals
        bytes_ = sum(came.expected for came in announced)
        places = lines_of(came.op for came in announced)
        return f"{arrivals} and the {bytes_} bytes announced at {places}"

    def _too_many(self, arrivals: int) -> str:
        """Sentence about arrivals that the phase does not expect."""
        found = (
            f"phase {self.phases.over} of {self.name} counts {self.count} "
            f"{plural('arrival', self.count)}"
        )
        added = f"this operation adds {arrivals}, {arrivals - self.pending} too many"
        if arrived := [came.op for came in self.came if came.arrivals]:
            number = self.count - self.pending
            found += f": {number} came from {lines_of(arrived)}, and {added}"
        else:
            found += f", and {added}"
        if self.bytes > 0:
            found += f"; {self.bytes} bytes are still missing"
        return found


_EXPECT_FIRST = "expect the bytes before, or with, an arrival of the same thread in the phase"
_COUNT = (
    "let mbarrier.init count every arrival of a phase, and wait for the end of the phase before an "
    "arrival in the next one"
)


@dataclass(eq=False)
class Meeting:
    """
    One use of a barrier by `expected` threads that wait for each other; `arrived` counts them, and
    `came` tells who they are. If it is one `of_all`, it expects the threads that have not ended.
    """

    name: str
    expected: int
    of_all: bool
    arrived: int = 0
    over: bool = False
    message: Message | None = None
    """The joined clocks of the threads that have arrived."""
    came: list[Came] = field(default_factory=list[Came])
    votes: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    """For a reduction: in how many threads of each warp the predicate holds, and fails."""


@dataclass(eq=False)
class Ended:
    """Threads that have ended. A barrier that does not wait for these threads tells others that
    they have ended, but does not order their accesses."""

    _clocks: Clocks
    _message: Message | None = field(default=None, init=False)
    _ends: list[tuple[Operation, Rows, Message]] = field(
        default_factory=list[tuple[Operation, Rows, Message]], init=False
    )
    """The ends that no barrier has passed on yet."""

    def add(self, op: Operation, rows: Rows, message: Message) -> None:
        """Add threads that an operation ends, and what they knew."""
        self._message = message if self._message is None else join(self._message, message)
        self._ends.append((op, rows, message))

    def told_with(self, met: Message) -> Message:
        """What a barrier tells the threads that have met at it."""
        if self._message is None:
            return met
        for op, rows, message in self._ends:
            for far in (False, True):
                self._clocks.record(op, rows, message, Order.NONE, far, acquires=False)
        self._ends.clear()
        return self._clocks.met_without(self._message, met)


@dataclass(eq=False)
class Barrier:
    """Reusable barrier for a number of threads, or for all that have not ended."""

    name: str
    _ended: Ended
    _meeting: Meeting | None = field(default=None, init=False)

    @property
    def is_in_use(self) -> bool:
        """Whether threads have arrived, and others have yet to arrive."""
        return self._meeting is not None

    @property
    def arrived(self) -> int:
        """Number of threads that have arrived while others have yet to arrive."""
        return 0 if self._meeting is None else self._meeting.arrived

    def arrive(
        self, came: Came, message: Message, running: int, count: int | None = None
    ) -> Meeting:
        """Count arrivals and return the meeting: of `count` threads or, if that is None, of all
        `running` ones. Raises Violation."""
        meeting, of_all = self._meeting, count is None
        expected = running if count is None else count
        if meeting is None:
            meeting = self._meeting = Meeting(self.name, expected, of_all)
        if expected != meeting.expected and not (of_all and meeting.of_all):
            found = f"some threads expect {expected} threads at {self.name}"
            raise BARRIER.says(f"{found}, and others expect {meeting.expected}")
        meeting.of_all &= of_all
        meeting.arrived += came.arrivals
        meeting.came.append(came)
        meeting.message = message if meeting.message is None else join(meeting.message, message)
        if meeting.arrived > meeting.expected:
            found = f"{meeting.arrived} threads arrive at {self.name}"
            raise BARRIER.says(f"{found}, which expects {meeting.expected}")
        self._end(meeting)
        return meeting

    def leave(self, threads: int) -> None:
        """Stop waiting for threads that have ended without an arrival."""
        meeting = self._meeting
        if meeting is not None and meeting.of_all:
            meeting.expected -= threads
            self._end(meeting)

    def _end(self, meeting: Meeting) -> None:
        """End the meeting if all have arrived."""
        if meeting.arrived == meeting.expected:
            if meeting.of_all and meeting.message is not None:
                meeting.message = self._ended.told_with(meeting.message)
            meeting.over = True
            self._meeting = None


_MOST_CANDIDATES = 3
"""Number of operations that a text names where one of them may be the missing one."""


class Contribution(NamedTuple):
    """
    Warps of one CTA at one operation, and what they bring to a barrier. `cta` is empty for the CTA
    of the barrier. `operation`, `line` and `warps` are empty if unknown. `state` is what missing
    warps do instead.
    """

    operation: str
    line: int
    cta: str
    warps: tuple[int, ...]
    arrivals: int = 0
    expected_bytes: int = 0
    completed_bytes: int = 0
    state: str = ""

    def __str__(self) -> str:
        brings = " and ".join(
            f"{number} {plural(what, number)}"
            for number, what in (
                (self.arrivals, "arrival"),
                (self.expected_bytes, "expected byte"),
                (self.completed_bytes, "byte"),
            )
            if number
        )
        warps = f"{plural('warp', len(self.warps))} {describe(self.warps)}" if self.warps else ""
        if self.cta:
            warps += f" of {self.cta}"
        by = " of ".join(filter(None, (self.operation, warps)))
        text = " by ".join(filter(None, (brings, by)))
        if self.line:
            text += f", line {self.line}"
        return f"{text}; {self.state}" if self.state else text


class Stuck(NamedTuple):
    """
    Something that threads wait for, in one or more CTAs alike. A barrier needs `arrivals` more of
    `expected_arrivals`, and `bytes` more bytes; negative bytes came without being expected. `phase`
    is that of a barrier object, `init` the line that initialises it. `reason` says why nothing can
    come, if that is known.
    """

    name: str
    ctas: tuple[str, ...]
    phase: int | None = None
    expected_arrivals: int = 0
    arrivals: int = 0
    bytes: int = 0
    reason: str = ""
    came: tuple[Contribution, ...] = ()
    missing: tuple[Contribution, ...] = ()
    waiting: tuple[Contribution, ...] = ()
    init: int = 0

    @property
    def help(self) -> str:
        """What to change, if it is clear; else empty."""
        if self.bytes > 0 and not self.arrivals:
            places = self._announcements
            if completed := self._completed:
                announced = (
                    f"announce only the {completed} bytes that the copies transfer, at {places}"
                )
                return f"{announced}, or copy {self.bytes} more"
            return f"issue the copies of the bytes announced at {places}"
        if self.bytes < 0 and (places := self._announcements):
            return f"announce the {self._completed} bytes that the copies transfer, at {places}"
        if self._may_count_wrong:
            init = f"line {self.init}" if self.init else "the initialisation"
            count = self.expected_arrivals - self.arrivals
            arrivals = f"{self.arrivals} more {plural('arrival', self.arrivals)}"
            return f"add {arrivals}, or change the count of mbarrier.init, {init}, to {count}"
        return ""

    @property
    def _announced(self) -> int:
        return self._completed + self.bytes

    @property
    def _completed(self) -> int:
        return sum(each.completed_bytes for each in self.came)

    @property
    def _announcements(self) -> str:
        """The lines of the operations that expect bytes."""
        lines = dict.fromkeys(f"line {each.line}" for each in self.came if each.expected_bytes)
        return " and ".join(lines)

    @property
    def _may_count_wrong(self) -> bool:
        """Whether the count of a barrier object may be wrong: it has ended no phase."""
        return self.phase == 0 and 0 < self.arrivals < self.expected_arrivals

    def __str__(self) -> str:
        first, *more = self.ctas
        phase = "" if self.phase is None else f"phase {self.phase} of "
        text = f"{phase}{self.name} in {first}"
        if more:
            text += f", and in {len(more)} more {plural('CTA', len(more))}"
        needs: list[str] = []
        if self.arrivals:
            count = f"{self.arrivals} of {self.expected_arrivals} arrivals"
            if self._may_count_wrong and self.init:
                count += f" (the count of mbarrier.init, line {self.init})"
            needs.append(count)
        if self.bytes > 0:
            needs.append(f"{self.bytes} of {self._announced} announced bytes")
        comma = "," * bool(more)
        if self.arrivals:
            text += f"{comma} needs {' and '.join(needs)}"
        elif self.bytes:
            text += f"{comma} has all arrivals and expects {self._announced} bytes, but "
            text += f"{self._completed} came: {abs(self.bytes)} "
            text += "are missing" if self.bytes > 0 else "too many"
        if self.reason:
            text += f", but {self.reason}"
        if self.arrivals and self.bytes < 0:
            text += f"; {-self.bytes} more bytes came than were expected"
        if self.phase:
            over = (
                "phase 0 is over" if self.phase == 1 else f"phases 0 to {self.phase - 1} are over"
            )
            text += f"; {over}"
        lines = [
            f"  {name}: {each}" for name, parts in self._contributions() for each in _named(parts)
        ]
        return "\n".join((text, *lines))

    def as_json(self) -> dict[str, Any]:
        """The fields as values of JSON."""
        parts = {name: [each._asdict() for each in parts] for name, parts in self._contributions()}
        return self._asdict() | parts

    def _contributions(self) -> tuple[tuple[str, tuple[Contribution, ...]], ...]:
        return ("came", self.came), ("missing", self.missing), ("waiting", self.waiting)


def _named(parts: tuple[Contribution, ...]) -> Iterator[Contribution | str]:
    """Names contributions: all whose warps are known, and the first others."""
    candidates = [each for each in parts if not each.warps]
    named, more = candidates[:_MOST_CANDIDATES], candidates[_MOST_CANDIDATES:]
    yield from (each for each in parts if each.warps or each in named)
    if more:
        count = "1" if len(more) == 1 else f"one of {len(more)}"
        yield f"or {count} more {plural('operation', len(more))}"

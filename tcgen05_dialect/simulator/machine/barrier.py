"""Barriers: barrier objects (9.7.13.15), and the barriers of CTAs and clusters (9.7.13.1)."""

from dataclasses import dataclass, field

from xdsl.ir import Operation

from ...isa.ptx.mbarrier import BYTES
from ...isa.simulation import BARRIER
from ..order.clocks import Clock, Clocks, Known, Message, Rows, join, mark
from ..order.phases import Phases
from .errors import mistake


@dataclass(eq=False)
class Mbarrier:
    """
    Barrier object. A phase ends when no arrivals and no bytes are pending.

    `message` holds the clocks that a thread acquires when it observes the end of the last phase.
    """

    name: str
    count: int
    clocks: Clocks
    init: Operation
    initialised: tuple[int, int]
    """Clock component and event number of the initialisation."""
    pending: int = field(init=False)
    bytes: int = 0
    message: Message = field(init=False)
    phases: Phases = field(init=False)
    _coming: Message = field(init=False)
    _uses: dict[int, int] = field(default_factory=dict[int, int], init=False)
    _remote: set[int] = field(default_factory=set[int], init=False)
    _waits: dict[int, int] = field(default_factory=dict[int, int], init=False)

    def __post_init__(self) -> None:
        self.pending = self.count
        self.message = self._coming = self.clocks.message()
        self.phases = Phases(self.name, self.clocks)

    def use(self, component: int, number: int, remote: bool) -> None:
        """Record a use, counted by a component; `remote` if by another CTA."""
        self._uses[component] = number
        if remote:
            self._remote.add(component)

    def wait(self, rows: Rows, numbers: Known) -> None:
        """Record a wait of threads, counted by their own components."""
        self._waits.update(zip(rows.tolist(), numbers.tolist(), strict=True))

    def is_waited_for(self, told: Known) -> bool:
        """Whether waits may still be pending. A wait writes nothing, so it is over for anyone who
        was told of what its threads did later."""
        return any(told[component] < number for component, number in self._waits.items())

    def in_use(self, known: Known, remote: bool = False) -> bool:
        """Whether uses may still be pending; with `remote`, only uses by other CTAs."""
        components = self._remote if remote else self._uses
        return any(known[component] < self._uses[component] for component in components)

    def arrive(self, arrivals: int, message: Message, components: Rows) -> None:
        """
        Count arrivals; `components` are their components in the message. Raises Violation if the
        phase expects fewer arrivals, or if they may belong to another phase.
        """
        self.phases.arrive(components, message[Clock.TOLD])
        if arrivals > self.pending:
            found = f"{arrivals} threads arrive at {self.name}"
            raise mistake(BARRIER, f"{found}, which expects {self.pending} more in this phase")
        self._coming = join(self._coming, message)
        self.pending -= arrivals
        self._end_phase()

    def expect(self, count: int) -> None:
        """Add pending bytes to this phase. Raises Violation."""
        self.bytes += count
        self._check_bytes()

    def complete(self, count: int, message: Message) -> None:
        """Complete pending bytes; this may happen before they are expected. Raises Violation."""
        self.phases.complete(message[Clock.TOLD])
        self._coming = join(self._coming, message)
        self.bytes -= count
        self._check_bytes()
        self._end_phase()

    def _check_bytes(self) -> None:
        if abs(self.bytes) not in BYTES.values:
            found = f"{abs(self.bytes)} bytes are pending at {self.name}"
            raise mistake(BARRIER, f"{found}; the limit is {max(BYTES.values)}")

    def _end_phase(self) -> None:
        if self.pending == 0 and self.bytes == 0:
            self.phases.end(self._coming[Clock.TOLD])
            self.pending = self.count
            self._coming = mark(self._coming, self.phases.component, self.phases.over)
            self.message = self._coming

    def describe(self) -> str:
        """Text: the current phase and its pending arrivals and bytes."""
        needs: list[str] = []
        if self.pending:
            needs.append(f"{self.pending} of {self.count} arrivals")
        if self.bytes > 0:
            needs.append(f"{self.bytes} bytes")
        found = f"phase {self.phases.over} of {self.name}"
        if needs:
            found += f", which needs {' and '.join(needs)}"
        if self.bytes < 0:
            found += (
                f"; copies completed {-self.bytes} bytes that no thread announced with "
                "mbarrier.arrive.expect_tx"
            )
        return found


@dataclass(eq=False)
class Meeting:
    """One use of a barrier by threads that wait for each other; `arrived` counts them."""

    name: str
    arrived: int = 0
    over: bool = False
    message: Message | None = None
    """The joined clocks of the threads that have arrived."""


@dataclass(eq=False)
class Barrier:
    """Reusable barrier for a number of threads."""

    name: str
    _expected: int = field(default=0, init=False)
    _meeting: Meeting = field(init=False)

    def __post_init__(self) -> None:
        self._meeting = Meeting(self.name)

    def arrive(self, threads: int, expected: int, message: Message) -> Meeting:
        """Count `threads` arrivals of `expected` and return the meeting. Raises Violation."""
        meeting = self._meeting
        if meeting.arrived and expected != self._expected:
            found = f"some threads expect {expected} threads at {self.name}"
            raise mistake(BARRIER, f"{found}, and others expect {self._expected}")
        self._expected = expected
        meeting.arrived += threads
        meeting.message = message if meeting.message is None else join(meeting.message, message)
        if meeting.arrived > expected:
            found = f"{meeting.arrived} threads arrive at {self.name}"
            raise mistake(BARRIER, f"{found}, which expects {expected}")
        if meeting.arrived == expected:
            meeting.over = True
            self._meeting = Meeting(self.name)
        return meeting

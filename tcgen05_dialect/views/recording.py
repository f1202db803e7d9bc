"""
Recordings: what the warps of a CTA and its units do in a run, in the order of the emulator.

A step of the axis is a begin or an end of a bar; it is no time. Beside it, bars have a place in an
estimate in cycles, in which copies and products take the time of a roofline, and all other
instructions none.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation

from ..calculator.roofline import load_cycles, product_cycles
from ..isa.effects.model import Actor
from ..isa.model.rule import plural
from ..ptx.effects import effects_of
from ..reporting.diagnostics import Finding, Source
from ..simulator.launch.launch import Report
from ..simulator.machine.errors import LaunchError, line_number
from ..simulator.machine.trace import Event, Kind
from .bars import (
    ELSEWHERE,
    MERGED,
    UNITS,
    Arrow,
    Bar,
    Names,
    Row,
    copied,
    is_wait,
    kind_of,
    kind_of_unit,
    lay_out,
    named,
    names_of,
    unit_of,
)

MOST_BARS = 20_000
AXIS = "order of the emulator (steps, not time)"
ESTIMATE = "estimate of time by a roofline (cycles)"
ESTIMATE_NOTE = (
    "Copies take the bandwidth of the L2 cache, products the rate of the tensor cores. Latencies "
    "and all other instructions take no time."
)
_MATRICES = UNITS[Actor.WARP]


class Recording:
    """What happens in the CTA at a position of the grid. Give `add` as the `trace` of a `Run`, and
    call `close` after the run."""

    def __init__(self, cta: Sequence[int] = ()) -> None:
        x, y, z = (*cta, 0, 0, 0)[:3]
        self.cta = f"CTA {(x, y, z)}"
        self.title = ""
        self.bars: list[Bar] = []
        self.arrows: list[Arrow] = []
        self.rows: list[Row] = []
        self.about: list[str] = []
        """How the kernel was run."""
        self.left_out: list[str] = []
        """Parts of the run that the recording leaves out."""
        self.findings: Sequence[Finding] = ()
        self.length = 0
        """Number of steps."""
        self._ctas: dict[str, None] = {}
        self._warps: set[int] = set()
        self._is_full = False
        self._current: Bar | None = None
        """The bar of the current event."""
        self._last: dict[int | None, Bar] = {}
        """Warp -> its latest instruction."""
        self._ran: dict[tuple[Operation, int | None], Bar] = {}
        """Operation and warp -> the latest bar."""
        self._latest: dict[str, Bar] = {}
        """Row of a unit -> the operation that it got last."""
        self._asked: dict[tuple[int | None, int, str], tuple[int, Bar]] = {}
        """Group and barrier object -> the phase for which it waits, and the wait."""
        self._stopped: dict[tuple[int | None, int], Bar] = {}
        """Group -> its wait for something else."""
        self._tasks: dict[int, tuple[Bar, Event]] = {}
        """Number of an operation -> its bar, and its issue."""
        self._allocated: list[Bar] = []
        self._ended: dict[tuple[str, int], tuple[Bar, int]] = {}
        """Phase of a barrier object -> the bar that has ended it, and the step."""
        self._times: dict[tuple[str, int], float] = {}
        """Phase of a barrier object -> the cycle of its last arrival."""
        self._clocks: dict[int | str | None, float] = {}
        """Warp or unit -> the cycle up to which it has worked."""

    def add(self, event: Event) -> None:
        """Take the next event of the run."""
        self._ctas[event.cta] = None
        if self._is_full:
            return
        if event.kind is Kind.ARRIVE:
            barrier, owner = _barrier_of(event)
            if owner == self.cta:
                self._arrive(event, barrier)
        elif event.cta == self.cta:
            self._take(event)
        self._is_full = len(self.bars) >= MOST_BARS

    def _take(self, event: Event) -> None:
        match event.kind:
            case Kind.RUN:
                self._run(event)
            case Kind.ISSUE:
                self._issue(event)
            case Kind.STEP:
                self._step(event)
            case Kind.ASK:
                self._ask(event)
            case Kind.LEARN:
                self._learn(event)
            case Kind.STOP:
                self._stop(event)
            case _:
                self._resume(event)

    def close(
        self, report: Report, module: ModuleOp | Source | str, kernel: str | None = None
    ) -> None:
        """Name the bars as the module does, and mark the findings of the run. Raises LaunchError if
        the launch has no such CTA."""
        if self.cta not in self._ctas and not report.errors:
            raise LaunchError(f"the launch has no {self.cta}")
        names = replace(names_of(module, kernel), copied=copied(self.bars))
        for bar in self.bars:
            if bar.is_open:
                bar.end = max(self.length, bar.start + 1)
                bar.cycles = bar.cycles[0], max([bar.cycles[0], *self._clocks.values()])
            bar.name = named(bar, names)
        self.left_out += self._absent()
        self._mark(report)
        self.rows = [*self._arranged(names)]

    def _tick(self) -> int:
        """Begin a step and return it."""
        self.length += 1
        return self.length - 1

    def _bar(self, row: str, kind: str, event: Event, start: int | None = None) -> Bar:
        """Add a bar of one step; later events may extend it."""
        start = self._tick() if start is None else start
        bar = Bar(row, start, kind, event.op, event.warp, start + 1)
        now = self._clocks.get(event.warp, 0.0)
        bar.cycles = now, now
        self.bars.append(bar)
        return bar

    def _end(self, bar: Bar) -> None:
        bar.end, bar.is_open = self._tick() + 1, False

    def _run(self, event: Event) -> None:
        assert event.warp is not None
        self._warps.add(event.warp)
        self._current, kind = None, kind_of(event.op)
        if not kind or is_wait(event.op):
            return
        last = self._last.get(event.warp)
        if last is not None and kind in MERGED and _repeats(last, event, kind):
            last.count, last.end, self._current = last.count + 1, max(last.end, self.length), last
            return
        bar = self._bar(_row(event), kind, event)
        # The accesses of an event follow it.
        bar.reached = event.reached
        self._current = self._last[event.warp] = self._ran[event.op, event.warp] = bar
        if effects_of(type(event.op)).actor is Actor.ALLOCATOR:
            self._allocate(bar, event)

    def _allocate(self, bar: Bar, event: Event) -> None:
        """Begin or end the bar of an allocation."""
        if not bar.instruction.endswith("dealloc"):
            life = self._bar(_MATRICES, "allocation", event, bar.start)
            life.is_open = True
            self._allocated.append(life)
        elif self._allocated:
            life = self._allocated.pop()
            life.reached, life.end, life.is_open = event.reached, bar.end, False

    def _ask(self, event: Event) -> None:
        barrier, _ = _barrier_of(event)
        key = event.warp, event.group, barrier
        phase, bar = self._asked.get(key, (0, None))
        if bar is None or phase != event.phase:
            if bar is not None:
                bar.end, bar.is_open = self.length, False
            bar = self._bar(_row(event), "wait", event)
            bar.is_open, bar.name = True, f"{barrier} parity {event.phase & 1}"
            bar.facts.append(f"waits for {_phase(barrier, event.phase)}")
            self._asked[key] = event.phase, bar
        self._current = self._last[event.warp] = bar

    def _learn(self, event: Event) -> None:
        barrier, _ = _barrier_of(event)
        phase = barrier, event.phase
        _, bar = self._asked.pop((event.warp, event.group, barrier))
        self._latest.pop(UNITS[Actor.TENSOR_CORE], None)
        bar.is_passed = bar.end == self.length
        if bar.is_passed:
            bar.is_open = False
        else:
            self._end(bar)
        if phase in self._ended:
            self.arrows.append(Arrow(*self._ended[phase], bar))
        self._continue(bar, self._times.get(phase, 0.0))

    def _continue(self, bar: Bar, cycle: float) -> None:
        """Let a wait end at a cycle, if its warp is not later."""
        begin, _ = bar.cycles
        bar.cycles = begin, max(begin, cycle)
        self._clocks[bar.warp] = bar.cycles[1]

    def _stop(self, event: Event) -> None:
        if is_wait(event.op):
            return
        bar = self._current
        if bar is None or bar.op is not event.op:
            if not event.what:
                return
            bar = self._bar(_row(event), "wait", event)
        bar.kind, bar.is_open = "wait", True
        bar.name = _awaited(event.what)
        self._stopped[event.warp, event.group] = self._last[event.warp] = bar

    def _resume(self, event: Event) -> None:
        bar = self._stopped.pop((event.warp, event.group), None)
        if bar is None:
            return
        self._end(bar)
        if (came := event.ended_by) is not None and came.cta == self.cta:
            source = self._ran.get((came.op, came.warp))
            if source is not None and source is not bar:
                self.arrows.append(Arrow(source, source.start + 1, bar))
            self._continue(bar, self._clocks.get(came.warp, 0.0))

    def _issue(self, event: Event) -> None:
        issuer, row = self._current, unit_of(event.op)
        if effects_of(type(event.op)).tracks:
            # The bar of a commit is its arrival.
            now = self._clocks.get(event.warp, 0.0)
            bar = Bar(row, 0, "commit", event.op, event.warp, 0)
            bar.cycles = now, now
            self._tasks[event.task] = bar, event
            self._latest.pop(row, None)
            return
        kind = kind_of_unit(event.op)
        bar = self._latest.get(row)
        if bar is not None and _goes_on(bar, event, kind):
            bar.count, bar.left = bar.count + 1, bar.left + 1
            bar.reached = bar.reached + event.reached
        else:
            bar = self._bar(row, kind, event, None if issuer is None else issuer.start)
            bar.reached, bar.is_open = event.reached, True
            self._latest[row] = bar
        self._tasks[event.task] = bar, event

    def _step(self, event: Event) -> None:
        self._current = None
        if event.task not in self._tasks:
            return
        bar, issue = self._tasks[event.task]
        self._current = bar
        if not event.is_last:
            return
        del self._tasks[event.task]
        if bar.kind == "commit":
            ready = max(bar.cycles[0], self._clocks.get(bar.row, 0.0))
            arrival = self._current = self._bar(bar.row, bar.kind, event)
            arrival.warp, arrival.cycles = bar.warp, (ready, ready)
            return
        # An issue gets its work after its event.
        bar.work, bar.left = bar.work + issue.work, bar.left - 1
        if not bar.left:
            self._end(bar)
            self._execute(bar)

    def _execute(self, bar: Bar) -> None:
        """Estimate when a unit executes an operation."""
        cycles = {"product": product_cycles(bar.work), "copy": load_cycles(bar.bytes)}
        begin = max(bar.cycles[0], self._clocks.get(bar.row, 0.0))
        bar.cycles = begin, begin + cycles.get(bar.kind, 0.0)
        self._clocks[bar.row] = bar.cycles[1]

    def _arrive(self, event: Event, barrier: str) -> None:
        bar = self._current if event.cta == self.cta else None
        if bar is None:
            if not event.is_last:
                return
            bar = self._bar(ELSEWHERE, "arrive", event)
            bar.facts.append(f"warp {event.warp} of {event.cta}")
        if bar.kind in ("arrive", "commit"):
            bar.name = barrier
        phase = barrier, event.phase
        verb = "ends" if event.is_last else "comes to"
        bar.facts.append(f"{verb} {_phase(*phase)}")
        self._times[phase] = max(self._times.get(phase, 0.0), bar.cycles[1])
        if event.is_last:
            self._ended[phase] = bar, self.length if bar.is_open else bar.end

    def _absent(self) -> Iterator[str]:
        if others := len(self._ctas.keys() - {self.cta}):
            yield f"{others} other {plural('CTA', others)}"
        if self._is_full:
            yield f"what happens after {MOST_BARS} bars"

    def _mark(self, report: Report) -> None:
        """Mark the findings at the bars of their lines: errors, which end the run, at the last
        bar, and there the other operation that they name."""
        self.findings = report.findings
        for finding in report.findings:
            if at_line := self._at(finding.line):
                at_line[-1 if finding.severity == "error" else 0].findings.append(finding)
            if finding.severity == "error" and (other := self._at(finding.related)):
                other[-1].related.append(finding)

    def _at(self, line: int) -> list[Bar]:
        """The bars of operations in a line."""
        return [bar for bar in self.bars if line and bar.line == line]

    def _arranged(self, names: Names) -> Iterator[Row]:
        """Put the bars into rows and lanes."""
        rows: dict[str, list[Bar]] = {f"warp {number}": [] for number in sorted(self._warps)}
        roles = {f"warp {number}": role for number, role in names.roles.items()}
        rows |= {name: [] for name in (*UNITS.values(), ELSEWHERE)}
        for bar in self.bars:
            rows[bar.row].append(bar)
        for name, bars in rows.items():
            if bars or name.startswith("warp"):
                yield Row(name, lay_out(bars), roles.get(name, ""), _work(bars))


def _row(event: Event) -> str:
    return f"warp {event.warp}"


def _awaited(what: str) -> str:
    """A short name for the goal of a wait."""
    what, _, _ = what.removeprefix("the ").partition(" of CTA")
    return what.removeprefix("ptx.")


def _barrier_of(event: Event) -> tuple[str, str]:
    """The name of a barrier object, and its CTA."""
    name, _, cta = event.barrier.partition(" in shared memory of ")
    return name.removeprefix("the mbarrier ").removeprefix("@"), cta


def _phase(barrier: str, phase: int) -> str:
    before = "the phase before the first" if phase < 0 else f"phase {phase}"
    return f"{before} of {barrier} (parity {phase & 1})"


def _repeats(bar: Bar, event: Event, kind: str) -> bool:
    """Whether an instruction is like that of the latest bar of its warp."""
    mine = kind, event.op.name, line_number(event.op)
    return (bar.kind, bar.op.name, bar.line) == mine


def _goes_on(bar: Bar, event: Event, kind: str) -> bool:
    """Whether an operation continues the products of a bar."""
    written = {(reach.name, reach.first) for reach in event.reached if reach.written}
    same = (bar.warp, bar.op.name, bar.written) == (event.warp, event.op.name, written)
    return kind == bar.kind == "product" and bar.is_open and same


def _work(bars: Sequence[Bar]) -> str:
    """The units for which a warp issues operations, as a name for the warp."""
    units = (unit_of(bar.op) for bar in bars if bar.kind == "issue")
    return ", ".join(dict.fromkeys(units))

"""Bars of a timeline: their kinds, names and lanes."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import chain
from typing import Any, NamedTuple

from xdsl.ir import Operation

from ..isa.effects.model import Actor, StateSpace
from ..ptx.effects import effects_of
from ..ptx.text.syntax import word_of
from ..reporting.diagnostics import Finding
from ..simulator.machine.errors import line_number
from ..simulator.machine.trace import Reach
from .labels import Names

UNITS = {
    Actor.TMA: "TMA",
    Actor.TENSOR_CORE: "tensor core",
    Actor.WARP: "tensor memory",
    Actor.COPY: "cp.async",
    Actor.SCHEDULER: "scheduler",
}
"""Actor of an asynchronous operation -> its row."""
ELSEWHERE = "other CTAs"
KINDS = {
    "wait": "wait",
    "copy": "copy",
    "product": "product",
    "tensor": "ld, st of tensor memory",
    "commit": "commit",
    "arrive": "arrival",
    "issue": "issue",
    "access": "access",
    "fence": "fence",
    "allocation": "allocation",
    "other": "other",
}
"""Kind of a bar -> its text in the legend."""
MERGED = frozenset({"access", "fence", "other"})
"""Kinds whose consecutive equal instructions share a bar."""
_NOT_SHOWN = frozenset({"ptx.bar.warp.sync", "ptx.tcgen05.relinquish_alloc_permit"})
_PRIVATE = frozenset({"param", "const", "local"})
_OF_UNITS = {Actor.TENSOR_CORE: "product", Actor.WARP: "tensor"}


@dataclass(eq=False, slots=True)
class Bar:
    """
    A bar of a row, from step `start` to step `end`. `warp` executes or issues `count` operations;
    `left` counts those that are not complete. `cycles` is its place in the estimate, `work` that of
    products (see `Event`).
    """

    row: str
    start: int
    kind: str
    op: Operation
    warp: int | None
    end: int
    name: str = ""
    is_open: bool = False
    """Whether it has not ended."""
    is_passed: bool = False
    """Whether it is a wait that ended at once."""
    count: int = 1
    left: int = 1
    lane: int = 0
    work: int = 0
    cycles: tuple[float, float] = (0.0, 0.0)
    reached: list[Reach] = field(default_factory=list[Reach])
    facts: list[str] = field(default_factory=list[str])
    findings: list[Finding] = field(default_factory=list[Finding])
    related: list[Finding] = field(default_factory=list[Finding])
    """Errors about another bar that name this one, too."""

    @property
    def line(self) -> int:
        """The line of the operation, 0 if it is unknown."""
        return line_number(self.op)

    @property
    def instruction(self) -> str:
        return self.op.name.removeprefix("ptx.")

    @property
    def is_estimated(self) -> bool:
        """Whether the estimate shows the bar."""
        return self.kind in ("wait", "copy", "product") and self.cycles[1] > self.cycles[0]

    @property
    def written(self) -> set[tuple[str, int]]:
        """Names and first cells of the places that it writes."""
        return {(reach.name, reach.first) for reach in self.reached if reach.written}

    @property
    def bytes(self) -> int:
        """Bytes of shared memory that a copy reads or writes."""
        shared = {each for each in self.reached if each.space is StateSpace.SHARED}
        return sum(reach.end - reach.first for reach in shared)


class Arrow(NamedTuple):
    """An arrow to a wait, from the step in the bar that ended it."""

    source: Bar
    at: int
    target: Bar


class Row(NamedTuple):
    """A row of lanes; `role` is the name of its warp in the kernel, and `work` names the units for
    which the warp issues operations."""

    name: str
    lanes: int
    role: str
    work: str

    @property
    def title(self) -> str:
        """The name, with the role or the work of the warp."""
        known = self.role or self.work
        return f"{self.name} ({known})" if known else self.name


def is_wait(op: Operation) -> bool:
    """Whether an instruction waits for a phase of a barrier object."""
    effects = effects_of(type(op))
    return effects.actor is Actor.THREAD and "wait" in op.name and "mbarrier" in op.name


def kind_of(op: Operation) -> str:
    """The kind of the bar of an instruction; empty for one that has none."""
    if "space" in op.properties and word_of(op, "space") in _PRIVATE:
        return ""
    return _kind(type(op))


@cache
def _kind(op_type: type[Operation]) -> str:
    effects = effects_of(op_type)
    spaces = {area.space for area in (*effects.reads, *effects.writes)}
    if op_type.name in _NOT_SHOWN:
        return ""
    if effects.actor in UNITS:
        return "issue"
    if effects.arrives_at:
        return "arrive"
    if effects.completes:
        return "wait"
    if spaces & {StateSpace.BARRIER} or effects.tracks or effects.actor is Actor.ALLOCATOR:
        return "other"
    if spaces & {StateSpace.SHARED, StateSpace.GLOBAL, StateSpace.MEMORY}:
        return "access"
    return "fence" if effects.orders else ""


def unit_of(op: Operation) -> str:
    """The row of an asynchronous operation."""
    return UNITS.get(effects_of(type(op)).actor, UNITS[Actor.COPY])


def kind_of_unit(op: Operation) -> str:
    """The kind of the bar of an asynchronous operation."""
    return _OF_UNITS.get(effects_of(type(op)).actor, "copy")


def named(bar: Bar, names: Names) -> str:
    """The name of a bar."""
    reads = _names(bar, names, False)
    writes = _names(bar, names, True)
    times = f" x{bar.count}" if bar.count > 1 else ""
    match bar.kind:
        case "product" if ".mma" in bar.op.name:
            # Which columns of a matrix does not matter here.
            reads, writes = (
                [*dict.fromkeys(name.split()[0] for name in each)] for each in (reads, writes)
            )
            return f"{' * '.join(_shortened(reads))} -> {', '.join(writes)}"
        case "copy" | "product":
            return f"{', '.join(writes)} <- {', '.join(reads)}"
        case "tensor":
            return f"{bar.instruction.split('.')[1]} {', '.join(writes or reads)}{times}"
        case "allocation":
            columns = sum(reach.end - reach.first for reach in bar.reached)
            return f"allocation of {columns} columns" if columns else "allocation"
        case "wait":
            return bar.name or bar.instruction
        case "commit" | "arrive":
            return f"{bar.instruction.removeprefix('tcgen05.')} {bar.name}".strip()
        case _:
            return " ".join(filter(None, [bar.instruction, ", ".join([*reads, *writes])])) + times


def _names(bar: Bar, names: Names, written: bool) -> list[str]:
    found = (
        names.of(reach.space, reach.name, reach.first, reach.end)
        for reach in bar.reached
        if reach.written == written
    )
    if bar.kind == "copy" and not any(each.space is StateSpace.GLOBAL for each in bar.reached):
        # A box that lies outside of its tensor reaches nothing there.
        loads = any(each.written for each in bar.reached)
        tensor = getattr(bar.op, "tensor_map", None)
        if tensor is not None and loads != written:
            found = chain(found, [tensor.name_hint])
    return [*dict.fromkeys(filter(None, found))]


def _shortened(buffers: Sequence[str]) -> Sequence[str]:
    """The names of buffers; buffers of one stage have the name of the stage."""
    stages = {name.partition(".")[0] for name in buffers}
    return [*stages] if len(stages) == 1 and len(buffers) > 1 else buffers


def lay_out(bars: Iterable[Bar]) -> int:
    """Put bars of a row, in the order of their starts, into lanes; return how many there are."""
    ends: list[int] = []
    for bar in sorted(bars, key=lambda each: (each.start, -each.end)):
        free = next((lane for lane, end in enumerate(ends) if end <= bar.start), len(ends))
        ends[free:] = [bar.end, *ends[free + 1 :]]
        bar.lane = free
    return max(1, len(ends))


def copied(bars: Iterable[Bar]) -> dict[str, set[range]]:
    """The bytes of each variable in shared memory that copies read or write."""
    found: dict[str, set[range]] = {}
    for bar in bars:
        for reach in bar.reached if bar.kind == "copy" else ():
            if reach.space is StateSpace.SHARED:
                found.setdefault(reach.name, set()).add(range(reach.first, reach.end))
    return found


def facts_of(bar: Bar) -> dict[str, Any]:
    """The properties of a bar by name, as people read them."""
    begin, end = bar.cycles
    facts: dict[str, Any] = {"instruction": bar.instruction}
    if bar.line:
        facts["line"] = bar.line
    if bar.warp is not None:
        facts["warp"] = bar.warp
    if bar.count > 1:
        facts["operations"] = bar.count
    if bar.kind == "copy":
        facts["bytes"] = bar.bytes
    if bar.facts:
        facts["barrier"] = "; ".join(dict.fromkeys(bar.facts))
    if bar.is_open:
        facts["end"] = "it had not ended with the run"
    if bar.is_passed:
        facts["end"] = "it ended at once"
    if bar.is_estimated:
        facts["estimate"] = f"{end - begin:.0f} cycles from cycle {begin:.0f} on"
    return facts

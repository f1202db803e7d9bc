"""
Bars of a timeline: their kinds, names and lanes.

The names of warps, and of buffers in shared memory and tensor memory, in a kernel.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import chain
from typing import Any, NamedTuple

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from ..compiler import lower_tensors, parse, with_functions
from ..isa.effects.model import Actor, StateSpace
from ..isa.effects.table import mbarrier_waits
from ..isa.instructions.memory import PARAMETER_SPACES
from ..language import language_of, text_source
from ..ptx.effects import effects_of
from ..ptx.kernel import KernelOp
from ..ptx.text.syntax import word_of
from ..reporting.diagnostics import Finding, Source
from ..simulator.machine.errors import line_number
from ..simulator.machine.trace import Reach
from ..ws.kernel import MATRIX, TILES, Kernel, Place, RingUse, memory_of, specialized, with_roles
from ..ws.roles import WarpSpecializeOp, first_warps, role_of


class Buffer(NamedTuple):
    """A buffer in one stage: bytes of shared memory or columns of tensor memory, counted from the
    beginning of the memory of all rings."""

    name: str
    first: int
    end: int


@dataclass(frozen=True)
class Names:
    """The names of a kernel. `roles` has those of warps by number; `tiles` and `matrices` are the
    buffers of rings; `copied` has, for each variable in shared memory, the bytes of its copies."""

    roles: Mapping[int, str] = field(default_factory=dict[int, str])
    tiles: Sequence[Buffer] = ()
    matrices: Sequence[Buffer] = ()
    copied: Mapping[str, Collection[range]] = field(default_factory=dict[str, Collection[range]])

    def of(self, space: StateSpace, owner: str, first: int, end: int) -> str:
        """The name of cells of a variable, an allocation or an array; for a part of a matrix in
        tensor memory, with its columns."""
        # Messages call an array `argument 0 %a`, or `argument 0` if it has no name.
        words = owner.split(" ") if owner.startswith("argument ") else [owner]
        name = (words[2] if len(words) > 2 else owner).lstrip("@%")
        tensor = space is StateSpace.TENSOR
        rings = self.matrices if tensor else self.tiles
        if rings and (name.endswith(MATRIX) if tensor else is_tiles(name)):
            for each in rings:
                if each.first <= first < each.end:
                    whole = not tensor or end - first >= each.end - each.first
                    part = "" if whole else f" {first - each.first}:{end - each.first}"
                    return f"{each.name}{part}"
        if tensor:
            return f"{name} {first}:{end}".strip()
        return f"{name}{self._part(owner, first)}" if space is StateSpace.SHARED else name

    def _part(self, owner: str, first: int) -> str:
        """The part of a variable that contains a byte: the number of the tile if all tiles have one
        size, else the first byte."""
        tiles = self.copied.get(owner, ())
        first = next((tile.start for tile in tiles if first in tile), first)
        sizes = {0 if tile.start % len(tile) else len(tile) for tile in tiles}
        if len(tiles) > 1 and len(sizes) == 1 and 0 not in sizes:
            return f"[{first // max(sizes)}]"
        return f"+{first}" if first else ""


def names_of(module: ModuleOp | Source | str, kernel: str | None = None) -> Names:
    """The names of a kernel; without roles and rings, the names of its variables remain."""
    op = specialized_in(module, kernel)
    if op is None:
        return Names()
    roles = {
        first + index: role.sym_name.data
        for role, first in first_warps(op.roles).items()
        for index in range(role.warps_count)
    }
    rings = [*ring_buffers(op)]
    tiles, matrices = (
        [each for ring in rings if ring.place.is_shared == is_shared for each in ring.stages()]
        for is_shared in (True, False)
    )
    return Names(roles, tiles, matrices)


def specialized_in(
    module: ModuleOp | Source | str, kernel: str | None = None
) -> WarpSpecializeOp | None:
    """The roles of a kernel; None if it has none. A sequential form is partitioned."""
    if not isinstance(module, ModuleOp):
        source = text_source(module) if isinstance(module, str) else module
        if language_of(source.name, source.text) == "PTX":
            return None
        module, _ = parse(source)
        lower_tensors(module, source)
    for op in with_functions(module).ops:
        if isinstance(op, KernelOp) and kernel in (None, op.sym_name.data):
            return specialized(with_roles(op))
    return None


class RingBuffer(NamedTuple):
    """A buffer of the stages of a ring, or of a ws.alloc; the operations that use it, and the roles
    that produce and consume it."""

    name: str
    part: str
    place: Place
    users: Sequence[Operation]
    roles: tuple[Sequence[str], Sequence[str]]

    def stages(self) -> Iterator[Buffer]:
        """The buffer in each stage."""
        for stage in range(self.place.stages):
            number = f"[{stage}]" if self.place.stages > 1 else ""
            first = self.place.start + stage * self.place.step
            yield Buffer(f"{self.name}{number}{self.part}", first, first + self.place.step)


def ring_buffers(op: WarpSpecializeOp) -> Iterator[RingBuffer]:
    """The buffers of a kernel of roles and rings, in the order of their places."""
    kernel = Kernel(op)
    uses: dict[SSAValue, RingUse] = {use.op.ring: use for use in kernel.rings.values()}
    for owner, places in memory_of(kernel).places.items():
        use = uses.get(owner)
        for index, place in enumerate(places):
            holdings = [] if use is None else [holding for _, holding in use.holdings]
            buffers = [holding.buffers[index] for holding in holdings] or [owner]
            users = [each.operation for buffer in buffers for each in buffer.uses]
            inner = buffers[0].name_hint or str(index)
            yield RingBuffer(
                owner.name_hint or "buffer",
                f".{inner}" if len(places) > 1 else "",
                place,
                [*holdings, *users, *(each for _, each in (use.token_ops if use else ()))],
                _roles(use, users),
            )


def _roles(use: RingUse | None, users: Sequence[Operation]) -> tuple[Sequence[str], Sequence[str]]:
    if use is not None:
        produced, consumed = (
            [role.sym_name.data for role in roles] for roles in (use.producers, use.consumers)
        )
        return produced, consumed
    roles = (role_of(each) for each in users)
    return [*dict.fromkeys(role.sym_name.data for role in roles if role is not None)], ()


def is_tiles(variable: str) -> bool:
    """Whether a variable is that of all tiles of roles and rings, which may have a longer name."""
    return variable.endswith(TILES)


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
_PRIVATE = frozenset({*PARAMETER_SPACES, "const", "local"})
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
    return op.name.removeprefix("ptx.") in mbarrier_waits()


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

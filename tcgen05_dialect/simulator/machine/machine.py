"""
The machine: converged groups of lanes, their control flow, and pending operations.

Schedules: the order in which concurrent events take place.

Statistics of a run.

The registers of warpgroups, which all their warps change by the same setmaxnreg (9.7.19.5).
"""

from collections import Counter
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass, field
from math import inf
from random import Random
from typing import NamedTuple

import numpy as np
from xdsl.ir import Operation

from ...isa.instructions.barriers import WARPGROUP_WARPS
from ...isa.model.rule import Violation, plural
from ...isa.practice import REGISTER_POOL, STEPS, TENSOR_MEMORY, WARPGROUP
from ...isa.tensor_memory.alloc import WARP_LANES
from ...ptx.analysis.control_flow import loops_around
from ...ptx.instructions import SetmaxnregOp
from ...ptx.structure import GuardOp
from ...reporting.diagnostics import located
from .. import SCHEDULES
from ..numbers.floats import Lanes, every, some
from ..order.clocks import Rows
from ..order.race_detector import Judge
from ..provenance.record import Provenance
from .barrier import Stuck
from .errors import fault, line_number, lines_of, place_of, refused
from .state import Cluster, Extents, LaunchSizes, Waits, Warp, end_cta
from .tensor_core import Task
from .tensor_map import TensorMap, decoded
from .tensor_memory import Space
from .trace import Recorder


def _mates(warp: Warp) -> list[Warp]:
    """The other warps of the warpgroup."""
    first = warp.index - warp.index % WARPGROUP_WARPS
    group = warp.cta.warps[first : first + WARPGROUP_WARPS]
    return [mate for mate in group if mate is not warp]


def _what(op: SetmaxnregOp) -> str:
    return f"setmaxnreg {op.action.data} {op.count}"


def set_registers(op: SetmaxnregOp, warp: Warp, judge: Judge) -> None:
    """Record a setmaxnreg. Raises OperationError if another warp executes a different one; in PTX
    text, other numbers of setmaxnreg.dec are a warning."""
    index = len(warp.register_changes)
    warp.register_changes.append(op)
    for mate in _mates(warp):
        if index < len(mate.register_changes):
            other = mate.register_changes[index]
            if _what(op) != _what(other):
                found = f"{warp.name} executes {_what(op)}, and {mate.name} {_what(other)}"
                found += f", {place_of(other)}"
                judge.report(op, WARPGROUP, found, actions={op.action.data, other.action.data})
        elif not some(mate.lanes):
            raise _missing(op, mate, op, warp)


def change_registers(op: SetmaxnregOp, warp: Warp) -> bool:
    """
    Move registers between a warp and the pool of its CTA; return False if too few are free.

    Raises OperationError if the warp has more registers than setmaxnreg.inc asks for, or fewer than
    setmaxnreg.dec keeps.
    """
    if warp.maxnreg is None:
        return True
    pool = warp.cta.pool
    required = pool.required(warp.maxnreg, op.count)
    if op.takes != (required >= 0) and required:
        found = f"each thread of {warp.name} has {warp.maxnreg} registers before {_what(op)}"
        raise fault(op, REGISTER_POOL, found, _DIRECTION)
    if required > pool.free:
        return False
    pool.free -= required
    warp.maxnreg = op.count
    return True


_DIRECTION = "raise the number with setmaxnreg.inc, and lower it with setmaxnreg.dec"


def end_warp(op: Operation, warp: Warp) -> None:
    """Check the end of a warp. Raises OperationError if another has executed more setmaxnreg."""
    index = len(warp.register_changes)
    for mate in _mates(warp):
        if index < len(mate.register_changes):
            raise _missing(op, warp, mate.register_changes[index], mate)


def _missing(op: Operation, ended: Warp, other: SetmaxnregOp, mate: Warp) -> Exception:
    found = f"{ended.name} ends without the {_what(other)} that {mate.name} executes"
    return fault(op, WARPGROUP, f"{found}, {place_of(other)}")


@dataclass
class Schedule:
    """
    Source of the scheduling choices of one run.

    `eager` completes asynchronous operations as soon as possible. `lazy` completes them only when
    no thread can make progress, and only what a thread waits for; this exposes code that forgets
    to wait. `random` draws the order of threads and operations from `seed`. Raises LaunchError for
    any other kind. `elect.sync` elects the lowest lane, or the highest one if `elects_highest`, or
    with `random` any, but for equal masks always the same one.
    """

    kind: str = "eager"
    seed: int = 0
    elects_highest: bool = False
    _random: Random = field(init=False, repr=False)
    _gave_up: set[Hashable] = field(default_factory=set[Hashable], init=False, repr=False)

    def __post_init__(self) -> None:
        if self.kind not in SCHEDULES:
            raise refused(self.kind, SCHEDULES, "the schedule")
        self._random = Random(self.seed)

    def gives_up(self, op: Operation, warp: Hashable) -> bool:
        """
        Whether a wait of a warp with a time limit times out: with `eager` the first time, with
        `lazy` every second time, with `random` sometimes. It may time out even after the end of its
        phase, because in another schedule it would run earlier.
        """
        if self.kind == "random":
            return self._random.random() < _GIVES_UP
        waiting = op, warp
        if waiting not in self._gave_up:
            self._gave_up.add(waiting)
            return True
        if self.kind == "lazy":
            self._gave_up.discard(waiting)
        return False

    def elected(self, choices: int) -> int:
        """Which of some lanes is elected."""
        if self.kind == "random":
            return Random(f"{self.seed} {choices}").randrange(choices)
        return choices - 1 if self.elects_highest else 0

    @property
    def pairs_block(self) -> bool:
        """Whether alloc and dealloc of a CTA wait for its peer. The manual allows it."""
        return self.kind == "lazy"

    def shuffled(self, choices: int) -> Sequence[int]:
        """The numbers below `choices`, in random order."""
        return self._random.sample(range(choices), choices)

    def turn(self) -> int:
        """Maximum number of instructions that a group of lanes runs before the next group runs."""
        return self._random.randrange(1, _TURN) if self.kind == "random" else _TURN


_GIVES_UP = 0.25
_TURN = 64


@dataclass
class Statistics:
    """
    Counts of a run: instructions by warp index in the CTA (the cost of each role), matrix products
    and their multiply-adds, bytes moved by TMA, and the maximum number of tensor memory columns
    allocated by one CTA.
    """

    instructions: Counter[int] = field(default_factory=Counter[int])
    matrix_products: int = 0
    multiply_adds: int = 0
    bytes_loaded: int = 0
    bytes_stored: int = 0
    tensor_memory_columns: int = 0

    def __str__(self) -> str:
        warps = ", ".join(f"warp {warp}: {n}" for warp, n in sorted(self.instructions.items()))
        return "\n".join(
            (
                f"instructions          {self.instructions.total()} ({warps})",
                f"matrix products       {self.matrix_products}",
                f"multiply-adds         {self.multiply_adds}",
                f"bytes loaded by TMA   {self.bytes_loaded}",
                f"bytes stored by TMA   {self.bytes_stored}",
                f"tensor memory columns {self.tensor_memory_columns}",
            )
        )


def _nothing() -> None:
    pass


def _no_progress() -> bool:
    return False


class Gathering(NamedTuple):
    """Wait of lanes of a warp for each other: `lanes` with the same key. `came` are those of the
    group."""

    key: Hashable
    lanes: Lanes
    came: Lanes


class Wait(NamedTuple):
    """
    Condition that a group waits for, and an action when it holds.

    `needs` contains the tasks, the objects signalled by tasks, and the barriers for which the group
    waits. `describe` names what the group waits for, if that is not a barrier. `time_out` is the
    action of a wait with a time limit when it times out. `gathering` is set if it waits for other
    lanes.
    """

    ready: Callable[[], bool]
    then: Callable[[], None] = _nothing
    needs: Sequence[object] = ()
    describe: Callable[[], str] = lambda: ""
    time_out: Callable[[], None] | None = None
    gathering: Gathering | None = None

    def or_go_on(self) -> "Wait | None":
        """If the condition holds, perform the action and return None; else return the wait."""
        if not self.ready():
            return self
        self.then()
        return None


Step = Callable[["Group"], Wait | None]
"""Effect of one instruction on the group that runs it; returns a wait or None."""


@dataclass(eq=False)
class Block:
    """Executable basic block. `join` is its immediate postdominator, if it has one."""

    steps: list[Step] = field(default_factory=list[Step])
    ops: list[Operation] = field(default_factory=list[Operation])
    join: "Block | None" = None


@dataclass(eq=False)
class Join:
    """Block at which lanes reconverge after a divergent branch."""

    block: Block
    lanes: Lanes
    arrived: Lanes = field(init=False)
    gone: Lanes = field(init=False)

    def __post_init__(self) -> None:
        self.arrived = np.zeros(WARP_LANES, np.bool_)
        self.gone = np.zeros(WARP_LANES, np.bool_)

    @property
    def complete(self) -> bool:
        return every(self.arrived | self.gone | ~self.lanes)


class Group:
    """Converged lanes of a warp, at instruction `index` of `block`."""

    def __init__(
        self, machine: "Machine", warp: Warp, mask: Lanes, block: Block, joins: tuple[Join, ...]
    ):
        self.warp = warp
        self.block = block
        self.index = 0
        self.joins = joins
        self.wait: Wait | None = None
        self.over = False
        self.polls = False
        """Whether its last turn has asked memory for what others may write."""
        self.mask = mask
        self.full = every(mask)
        self.machine = machine
        self.waiting = block.ops[0]
        """The instruction that was started last."""

    @property
    def op(self) -> Operation:
        """The instruction at which the group waits, or the next one to run."""
        return self.block.ops[self.index] if self.wait is None else self.waiting

    @property
    def gathering(self) -> Gathering | None:
        """The wait of the group for other lanes, if it waits for them."""
        return None if self.wait is None else self.wait.gathering

    @property
    def rows(self) -> Rows:
        """Row numbers of its threads in the cluster."""
        return self.warp.rows if self.full else self.warp.rows[self.mask]

    @property
    def lanes(self) -> list[int]:
        """Numbers of its lanes."""
        return self.mask.nonzero()[0].tolist()

    @property
    def width(self) -> int:
        """Number of its lanes."""
        return int(np.count_nonzero(self.mask))

    def read(self, index: int) -> Lanes:
        """Value of a register in every lane of the warp."""
        return self.warp.registers[index]

    def write(self, index: int, value: Lanes) -> None:
        """Set a register in the lanes of the group."""
        registers = self.warp.registers
        registers[index] = value if self.full else np.where(self.mask, value, registers[index])

    def enter(self, block: Block) -> None:
        """Continue at the beginning of a block, or wait there to reconverge with other lanes."""
        self.block, self.index = block, 0
        self._meet()

    def _meet(self) -> None:
        while self.joins and self.joins[-1].block is self.block:
            join = self.joins[-1]
            join.arrived |= self.mask
            if not join.complete:
                self.over = True
                return
            self.mask = join.arrived
            self.full = every(self.mask)
            self.joins = self.joins[:-1]

    def split(self, ways: Sequence[tuple[Lanes, Block]]) -> None:
        """Diverge: the lanes of each way continue at its block."""
        joins, rest = self.joins, self.mask
        for lanes, _ in ways[:-1]:
            self.warp.parts.separate(rest, lanes, self.waiting)
            rest = rest & ~lanes
        if self.block.join is not None:
            joins = (*joins, Join(self.block.join, self.mask.copy()))
        (first, block), *others = ways
        self.mask, self.joins, self.full = first, joins, False
        groups = [Group(self.machine, self.warp, lanes, at, joins) for lanes, at in others]
        self.machine.groups += groups
        self.enter(block)
        for group, (_, at) in zip(groups, others, strict=True):
            group.enter(at)

    def leave(self) -> None:
        """End the lanes of the group. Raises OperationError if a CTA must not end yet."""
        self.over = True
        self.warp.leave(self.waiting, self.mask)
        cta = self.warp.cta
        if not self.warp.is_running:
            end_warp(self.waiting, self.warp)
        if not any(warp.is_running for warp in cta.warps):
            cta.shared.over = True
            if left := cta.tensor.describe():
                found = f"{cta.name} ends with {left} of tensor memory still allocated"
                raise fault(self.waiting, TENSOR_MEMORY, found, "dealloc them before the CTA ends")
            end_cta(self.waiting, cta)
            self.machine.judge.end(self.waiting, cta)
        self._quit(self.mask, 0)

    def take(self, other: "Group", lanes: Lanes) -> None:
        """Take over lanes of another group of the warp, which waits at the same instruction."""
        pairs = enumerate(zip(self.joins, other.joins, strict=False))
        common = next(
            (index for index, (mine, its) in pairs if mine is not its),
            min(len(self.joins), len(other.joins)),
        )
        self.mask = self.mask | lanes
        self.full = every(self.mask)
        for join in self.joins[common:]:
            join.lanes, join.gone = join.lanes | lanes, join.gone & ~lanes
        other.mask = other.mask & ~lanes
        other.over = not some(other.mask)
        other.full = False
        other.go_on()
        other._quit(lanes, common)

    def part(self, depth: int) -> None:
        """Let the lanes that have arrived at a join of the group go on without the others."""
        join = self.joins[depth]
        rest = Group(self.machine, self.warp, join.arrived, join.block, self.joins[:depth])
        join.gone, join.arrived = join.gone | join.arrived, np.zeros(WARP_LANES, np.bool_)
        self.machine.groups.append(rest)
        rest.enter(join.block)

    def go_on(self) -> None:
        """Continue after the instruction at which the group waits."""
        self.wait = None
        self.index += 1

    def _quit(self, lanes: Lanes, first: int) -> None:
        """Make all joins of the group, except the first `first` ones, stop waiting for some
        lanes."""
        for join in self.joins[first:]:
            join.gone = join.gone | lanes
        for depth in reversed(range(first, len(self.joins))):
            join = self.joins[depth]
            if not join.complete:
                return
            if some(join.arrived):
                rest = Group(self.machine, self.warp, join.arrived, join.block, self.joins[:depth])
                self.machine.groups.append(rest)
                rest.enter(join.block)
                return


@dataclass(eq=False)
class Machine:
    """State of a run: groups of lanes, and the asynchronous operations that they issued."""

    schedule: Schedule
    sizes: LaunchSizes
    max_steps: int
    computes: bool = True
    """Whether tensor core operations compute; else they only make their accesses."""
    records: bool = True
    """Whether `provenance` records tiles and products."""
    global_space: Space = field(default_factory=lambda: Space("global"))
    parameters: Space = field(default_factory=lambda: Space("parameter"))
    constants: Space = field(default_factory=lambda: Space("constant"))
    local_bytes: int = 0
    """Size of the local memory of a thread."""
    tensor_maps: dict[int, TensorMap] = field(default_factory=dict[int, TensorMap])
    """Generic address -> tensor map."""
    decoded_maps: dict[bytes, TensorMap] = field(default_factory=dict[bytes, TensorMap])
    """Tensor maps in global memory, by their bytes."""
    decode: Callable[[Operation, bytes, Space], TensorMap] = decoded
    """Reads the bytes of a tensor map in global memory, for an operation that uses it."""
    changed_maps: dict[int, Operation] = field(default_factory=dict[int, Operation])
    """Address of a map in global memory -> the last change of it that no thread has acquired."""
    clusters: list[Cluster] = field(default_factory=list[Cluster])
    ended: Callable[[Cluster], None] = lambda _: None
    """Receives each cluster that has ended."""
    cancel: Callable[[], Extents | None] = _nothing
    """Takes the next cluster that has not started, and returns its first CTA; None if there is
    none."""
    not_started: Callable[[], int] = int
    """The number of clusters that wait for the end of others."""
    idle: Callable[[], bool] = _no_progress
    """Called when nothing can make progress; returns whether it has changed that."""
    split: "Callable[[Group, int], None]" = lambda _group, _index: None
    """Called before an instruction of a group that reads one number of each operand, with a
    register that has several: an array with axes (number, lane). It must leave one."""
    judge: Judge = field(default_factory=Judge)
    provenance: Provenance = field(default_factory=Provenance)
    statistics: Statistics = field(default_factory=Statistics)
    waits: Waits = field(default_factory=Waits)
    recorder: Recorder | None = None
    """Records the events of the run."""
    groups: list[Group] = field(default_factory=list[Group])
    polled: set[Hashable] = field(default_factory=set[Hashable])
    """States of the running groups since the last step other than a poll."""
    tasks: list[Task] = field(default_factory=list[Task])
    steps: int = 0
    printed: list[str] = field(default_factory=list[str])
    """The texts that threads have printed, in the order of the run."""
    stuck: list[Stuck] = field(default_factory=list[Stuck])
    """What threads wait for at the end of the run, if that is a deadlock."""

    def close(self) -> None:
        """Free the clocks, and break the reference cycles that would keep the memories."""
        self.ended, self.idle, self.cancel = lambda _: None, _no_progress, _nothing
        self.not_started = int
        for cluster in self.clusters:
            self.judge.forget(cluster.clocks)
            cluster.forget()
        self.clusters, self.groups, self.tasks = [], [], []

    def issue(self, task: Task) -> Task:
        """Start an asynchronous operation."""
        self.tasks.append(task)
        if self.recorder is not None:
            self.recorder.issues(task)
        return task

    def advance(self, task: Task) -> None:
        """Take the next step of a task. Raises OperationError."""
        if self.recorder is not None:
            self.recorder.steps(task)
        task.advance()

    def run_group(self, group: Group, turn: int) -> bool:
        """Run at most `turn` instructions of a group; return whether the group could run."""
        if group.over or (group.wait is not None and not group.wait.ready()):
            return False
        if group.wait is not None:
            if self.recorder is not None:
                self.recorder.resumes(group, group.wait.needs)
            group.wait.then()
            group.wait = None
        group.polls = False
        start, limit = self.steps, self.max_steps
        try:
            while self.steps < start + turn and not group.over and group.wait is None:
                if self.steps >= limit:
                    raise unended(group, limit)
                block, index = group.block, group.index
                group.index = index + 1
                group.waiting = op = block.ops[index]
                self.steps += 1
                # A guarded instruction runs only if lanes execute it.
                if self.recorder is not None and not isinstance(op.parent_op(), GuardOp):
                    self.recorder.runs(group, op)
                group.wait = block.steps[index](group)
                if self.recorder is not None and (wait := group.wait) is not None:
                    self.recorder.stops(group, wait.describe(), wait.needs)
        except Violation as violation:
            raise located(group.waiting, violation) from violation
        finally:
            self.statistics.instructions[group.warp.index] += self.steps - start
        return True


def unended(group: Group, limit: int = 0) -> Exception:
    """The error for a run that reaches the limit on its instructions, or that repeats polls."""
    found = "the kernel does not end: threads poll what nothing changes"
    help = "let a thread write the value that ends the polls"
    if limit:
        found = f"the kernel has not ended after {limit} instructions"
        help = "raise the limit with --max-steps N, or Run(max_steps=N), if it needs more"
    if loops := loops_around(group.op):
        places = lines_of(min(loop.ops, key=lambda op: line_number(op) or inf) for loop in loops)
        found += f"; {group.warp.name} is still in the {plural('loop', len(loops))} at {places}"
        help = f"check the condition that ends the loop; {help}"
    if waiting := group.machine.not_started():
        found += f"; {waiting} {plural('cluster', waiting)} had no room to start: if the kernel "
        found += "waits for their work, nothing is decided"
        help = f"launch a smaller grid; {help}"
    return fault(group.op, STEPS, found, help)


def all_of(tasks: Sequence[Task], what: str, then: Callable[[], None] = _nothing) -> Wait:
    """Wait for the completion of tasks; `what` describes them in messages."""
    return Wait(lambda: all(task.done for task in tasks), then, tasks, lambda: what)

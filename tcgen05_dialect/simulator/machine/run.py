"""
Main loop of a run: schedules groups of lanes and asynchronous operations.

Diagnosis of a deadlock: the barriers of waiting threads, with present and missing arrivals.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from enum import IntEnum

import numpy as np
from xdsl.ir import Block, Operation

from ...isa.practice import DEADLOCK, REGISTER_POOL
from ...ptx.analysis.control_flow import closure
from ...ptx.analysis.places import pointees, shared_place
from ...ptx.effects import effects_of
from ...ptx.instructions import BarrierClusterWaitOp, SetmaxnregOp
from ...ptx.kernel import kernel_around
from ..numbers.floats import some
from .barrier import Came, Contribution, Mbarrier, Meeting, Stuck
from .errors import fault, line_number, place_of
from .machine import Group, Machine, unended
from .state import RegisterPool, Warp
from .tensor_core import Task

Progress = Callable[[int, int], None]
"""Called with the numbers of executed instructions and of pending asynchronous operations."""


def run_machine(machine: Machine, progress: Progress | None = None) -> None:
    """Run until all threads have ended and all operations are complete. Raises OperationError."""
    # Infinities, NaN and overflow are results, not errors.
    with np.errstate(all="ignore"):
        _run(machine, progress)


def _run(machine: Machine, progress: Progress | None) -> None:
    play = _random_step if machine.schedule.kind == "random" else _round
    timed_out: set[Hashable] = set()
    while True:
        machine.groups = [group for group in machine.groups if not group.over]
        _end_clusters(machine)
        if not machine.groups and not machine.tasks:
            return
        if not (
            play(machine) or machine.idle() or _time_out(machine, timed_out) or _part_lanes(machine)
        ):
            raise next(map(unended, _running(machine)), None) or _deadlock(machine)
        if progress is not None:
            progress(machine.steps, len(machine.tasks))


def _round(machine: Machine) -> bool:
    """Run every group once. Returns whether anything made progress."""
    happened, waits, eager = False, True, machine.schedule.kind == "eager"
    for group in list(machine.groups):
        # Most groups wait; a call for each of them would take 5 % of the time.
        if group.wait is not None and not group.wait.ready():
            continue
        if machine.run_group(group, machine.schedule.turn()):
            happened, waits = True, waits and group.polls
        if eager and _finish_tasks(machine):
            happened, waits = True, False
    # Threads that poll may wait for what an operation brings.
    if waits and not _advance_needed(machine):
        return happened and not _repeats(machine)
    machine.polled.clear()
    return True


def _repeats(machine: Machine) -> bool:
    """
    Whether all groups that run, which poll, are where they were before, with the same registers,
    barrier objects and memory.

    Tensor memory needs no comparison: between a change and a read, registers or barrier objects
    change.
    """
    state: Hashable = tuple(map(_state, _running(machine))), _barriers(machine)
    if state in machine.polled:
        # A group that polls may also write. Memory is large, so registers are compared first.
        spaces = machine.global_space, *(each.space for each in machine.clusters)
        local = (each.warp.local for each in _running(machine) if each.warp.local is not None)
        memories = (memory.bytes for space in (*spaces, *local) for memory in space.memories)
        state = state, hash(tuple(each.tobytes() for each in memories))
    repeats = state in machine.polled
    machine.polled.add(state)
    return repeats


def _running(machine: Machine) -> list[Group]:
    return [each for each in machine.groups if each.wait is None and not each.over]


def _state(group: Group) -> Hashable:
    """Where a group is, and the registers of its warp."""
    registers = hash(tuple(value.tobytes() for value in group.warp.registers))
    return group.op, group.warp, group.mask.tobytes(), registers


def _barriers(machine: Machine) -> Hashable:
    """The state of all barrier objects."""
    return tuple(
        (barrier.phases.over, barrier.pending, barrier.bytes)
        for cluster in machine.clusters
        for cta in cluster.ctas
        for barrier in cta.mbarriers.values()
    )


def _finish_tasks(machine: Machine) -> bool:
    """Complete all operations that can complete. One that waits for others usually follows them."""
    happened = False
    while any(task.ready for task in machine.tasks):
        for task in machine.tasks:
            while task.ready and not task.done:
                machine.advance(task)
        machine.tasks = [task for task in machine.tasks if not task.done]
        happened = True
    return happened


def _advance_needed(machine: Machine) -> bool:
    """Advance the oldest operation that a group waits for, or the newest one if there is none."""
    waits = [group.wait for group in machine.groups if group.wait is not None]
    wanted = {each for wait in waits for each in wait.needs}
    oldest: dict[object, int] = {}
    for index, task in enumerate(machine.tasks if wanted else ()):
        for each in (task, task.signals):
            if each in wanted:
                oldest.setdefault(each, index)
    for wait in waits if oldest else ():
        needed = [oldest[each] for each in wait.needs if each in oldest]
        if needed:
            return _advance(machine, machine.tasks[min(needed)].first_ready())
    for task in reversed(machine.tasks):
        if task.ready:
            return _advance(machine, task)
    return False


def _advance(machine: Machine, task: Task) -> bool:
    machine.advance(task)
    if task.done:
        machine.tasks.remove(task)
    return True


def _random_step(machine: Machine) -> bool:
    """Advance one group or one operation, chosen at random. Returns whether one made progress."""
    groups, tasks = machine.groups, [task for task in machine.tasks if task.ready]
    for index in machine.schedule.shuffled(len(groups) + len(tasks)):
        if index >= len(groups):
            return _advance(machine, tasks[index - len(groups)])
        if machine.run_group(groups[index], machine.schedule.turn()):
            return True
    return False


def _time_out(machine: Machine, timed_out: set[Hashable]) -> bool:
    """
    Let a wait with a time limit time out; return whether there was one.

    A warp spins if its registers and all barrier objects are as at an earlier time-out.
    """
    barriers = _barriers(machine)
    for group in machine.groups:
        if group.wait is None or group.wait.time_out is None:
            continue
        state = _state(group), barriers
        if state not in timed_out:
            timed_out.add(state)
            group.wait.time_out()
            group.wait = None
            return True
    return False


def _part_lanes(machine: Machine) -> bool:
    """
    Let lanes that wait at a join of branches go on without the other lanes, if they then may bring
    what threads wait for. Returns whether there were such lanes.
    """
    wanted = {
        op.parent_block()
        for group in machine.groups
        if group.wait is not None
        for barrier in group.wait.needs
        if isinstance(barrier, Mbarrier)
        for op in _operations_on(barrier, group)[0]
    }

    def following(block: Block) -> Sequence[Block]:
        return () if block.last_op is None else block.last_op.successors

    for group in machine.groups if wanted else ():
        for depth, join in reversed([*enumerate(group.joins)]):
            start = join.block.ops[0].parent_block()
            if start is None or not some(join.arrived):
                continue
            if not wanted.isdisjoint(closure([start], following)):
                group.part(depth)
                return True
    return False


def _end_clusters(machine: Machine) -> None:
    for cluster in list(machine.clusters):
        if any(warp.is_running for cta in cluster.ctas for warp in cta.warps):
            continue
        machine.clusters.remove(cluster)
        machine.ended(cluster)
        machine.judge.forget(cluster.clocks)
        for cta in cluster.ctas:
            machine.provenance.forget(cta)
            machine.waits.record(cta)
        cluster.forget()


def _deadlock(machine: Machine) -> Exception:
    """The error for a deadlock; it lists what threads wait for."""
    machine.stuck, op = _stuck_in(machine)
    lines = ["no thread and no operation can make progress", *map(str, machine.stuck[:_SHOWN])]
    if len(machine.stuck) > _SHOWN:
        lines.append(f"... and {len(machine.stuck) - _SHOWN} more")
    rule = REGISTER_POOL if isinstance(op, SetmaxnregOp) else DEADLOCK
    return fault(op, rule, "\n".join(lines), machine.stuck[0].help)


_SHOWN = 8
"""Number of waits that the report of a deadlock shows."""


_AWAITED = Mbarrier | Meeting | RegisterPool
"""What the diagnosis describes."""
_States = Mapping[tuple[str, int], str]
"""CTA and index of a warp -> what the warp does."""


class _Rank(IntEnum):
    """How near something that threads wait for is to the cause of a deadlock."""

    CAUSE = 0
    """Nothing can complete it."""
    ENDED = 1
    """A warp that is missing has ended."""
    UNKNOWN = 2
    EFFECT = 3
    """All missing warps wait for something else."""


def _stuck_in(machine: Machine) -> tuple[list[Stuck], Operation]:
    """
    What threads wait for in a deadlock, the cause first, and the operation at which they wait for
    the cause.
    """
    waiting: dict[object, list[Group]] = {}
    states: dict[tuple[str, int], str] = {}
    for group in machine.groups:
        assert group.wait is not None
        states.setdefault(_key(group.warp), f"waiting at {place_of(group.op)}")
        barriers = [each for each in group.wait.needs if isinstance(each, _AWAITED)]
        for what in barriers or [(group.warp.cta, group.wait.describe())]:
            waiting.setdefault(what, []).append(group)
    # What is the same in several CTAs is listed once.
    alike: dict[Stuck, tuple[_Rank, list[Group]]] = {}
    for what, groups in waiting.items():
        stuck, rank = _stuck(what, groups, states)
        alike.setdefault(stuck, (rank, []))[1].append(groups[0])
    found = sorted(alike.items(), key=lambda item: item[1][0])
    named = [
        stuck._replace(ctas=tuple(dict.fromkeys(group.warp.cta.name for group in groups)))
        for stuck, (_, groups) in found
    ]
    return named, found[0][1][1][0].op


def _stuck(what: object, groups: list[Group], states: _States) -> tuple[Stuck, _Rank]:
    """Something that groups of a CTA wait for; its CTAs are not set."""
    match what:
        case Mbarrier():
            stuck, rank = _mbarrier(what, groups[0], states)
        case Meeting():
            stuck, rank = _meeting(what, groups[0], states)
        case RegisterPool():
            stuck, rank = _pool(what, groups, states)
        case _:
            assert groups[0].wait is not None
            name = groups[0].wait.describe().removesuffix(f" of {groups[0].warp.cta.name}")
            stuck, rank = Stuck(name, ()), _Rank.UNKNOWN
    came = [group.warp.brings(group.op) for group in groups]
    return stuck._replace(waiting=_contributions(came, groups[0].warp.cta.name)), rank


def _mbarrier(barrier: Mbarrier, group: Group, states: _States) -> tuple[Stuck, _Rank]:
    cta = group.warp.cta
    stuck = Stuck(
        barrier.name.removesuffix(f" in {cta.shared.name}"),
        (),
        barrier.phases.over,
        barrier.count,
        barrier.pending,
        barrier.bytes,
        came=_contributions(barrier.came, cta.name),
        init=line_number(barrier.init),
    )
    if barrier.before:
        came = {(each.op, each.cta, each.warp) for each in barrier.came}
        absent = [
            each
            for each in barrier.before
            if (each.op, each.cta, each.warp) not in came
            and ((each.arrivals and barrier.pending) or (each.completed and barrier.bytes > 0))
        ]
        missing, rank = _contributions(absent, cta.name, states), _rank(absent, states)
    else:
        ops, complete = _operations_on(barrier, group)
        executed = {each.op for each in barrier.came}
        missing = tuple(
            Contribution(op.name, line_number(op), "", ()) for op in ops if op not in executed
        )
        rank = _Rank.UNKNOWN
        if complete and not ops and (barrier.pending or barrier.bytes > 0):
            stuck = stuck._replace(reason="no instruction of the kernel provides them")
            rank = _Rank.CAUSE
    # The copies of the phase have come, and bring another number of bytes.
    differs = barrier.bytes > 0 and not barrier.pending and not missing
    is_cause = barrier.bytes < 0 or (differs and any(each.completed for each in barrier.came))
    return stuck._replace(missing=missing), _Rank.CAUSE if is_cause else rank


def _meeting(meeting: Meeting, group: Group, states: _States) -> tuple[Stuck, _Rank]:
    cta = group.warp.cta
    stuck = Stuck(
        meeting.name.removesuffix(f" of {cta.name}"),
        (),
        expected_arrivals=meeting.expected,
        arrivals=meeting.expected - meeting.arrived,
        came=_contributions(meeting.came, cta.name),
    )
    ctas = cta.cluster.ctas if isinstance(group.op, BarrierClusterWaitOp) else [cta]
    warps = [warp for each in ctas for warp in each.warps]
    if meeting.of_all:
        warps = [warp for warp in warps if warp.is_running]
    elif sum(int(warp.initial.sum()) for warp in warps) != meeting.expected:
        # Any warps may take part.
        return stuck, _Rank.UNKNOWN
    came = {(each.cta, each.warp) for each in meeting.came}
    missing = [warp.brings(group.op) for warp in warps if _key(warp) not in came]
    # Where the missing warps would come is not known.
    parts = (
        each._replace(operation="", line=0) for each in _contributions(missing, cta.name, states)
    )
    return stuck._replace(missing=tuple(parts)), _rank(missing, states)


def _pool(pool: RegisterPool, groups: list[Group], states: _States) -> tuple[Stuck, _Rank]:
    cta = groups[0].warp.cta
    required = [
        pool.required(each.warp.maxnreg or 0, each.op.count)
        for each in groups
        if isinstance(each.op, SetmaxnregOp)
    ]
    reason = f"only {pool.free} registers are free, and a warp takes {min(required)}"
    stuck = Stuck(pool.name.removesuffix(f" of {cta.name}"), (), reason=reason)
    running = {index for name, index in states if name == cta.name}
    only = running <= {each.warp.index for each in groups}
    return stuck, _Rank.CAUSE if only else _Rank.UNKNOWN


def _key(warp: Warp) -> tuple[str, int]:
    return warp.cta.name, warp.index


def _rank(missing: list[Came], states: _States) -> _Rank:
    if not missing:
        return _Rank.UNKNOWN
    has_ended = any((each.cta, each.warp) not in states for each in missing)
    return _Rank.ENDED if has_ended else _Rank.EFFECT


def _contributions(
    came: Iterable[Came], cta: str, states: _States | None = None
) -> tuple[Contribution, ...]:
    """The operations with the warps of each CTA; `states` tells what the warps do instead."""
    alike: dict[tuple[Operation, str, str], list[Came]] = {}
    for each in came:
        state = "" if states is None else states.get((each.cta, each.warp), "ended")
        alike.setdefault((each.op, each.cta, state), []).append(each)
    return tuple(
        Contribution(
            op.name,
            line_number(op),
            "" if each_cta == cta else each_cta,
            tuple(sorted({each.warp for each in all_})),
            sum(each.arrivals for each in all_),
            sum(each.expected for each in all_),
            sum(each.completed for each in all_),
            state,
        )
        for (op, each_cta, state), all_ in alike.items()
    )


def _operations_on(barrier: Mbarrier, group: Group) -> tuple[list[Operation], bool]:
    """
    The operations of the kernel that bring what a barrier object needs, in program order, and
    whether the list is complete because all addresses are known.
    """
    cta = group.warp.cta
    offset = next(at for at, each in cta.mbarriers.items() if each is barrier)
    variable, kernel = cta.shared.variable(offset), kernel_around(group.op)
    if variable is None or kernel is None:
        return [], False
    name = variable.name.removeprefix("@")
    found: list[Operation] = []
    complete = True
    for op in kernel.walk():
        effects = effects_of(type(op))
        brings = (
            (effects.arrives_at, barrier.pending > 0),
            (effects.completes_at, barrier.bytes > 0),
        )
        for operand, is_needed in brings:
            if operand and is_needed:
                place = shared_place(op, operand)
                if place is not None and not place.may_be(name, offset - variable.offset):
                    continue
                names, is_known = pointees(getattr(op, operand))
                complete &= is_known
                if name in names:
                    found.append(op)
    return found, complete

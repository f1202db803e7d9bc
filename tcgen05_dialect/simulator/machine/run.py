"""Main loop of a run: schedules groups of lanes and asynchronous operations."""

from collections.abc import Callable, Hashable

import numpy as np

from ...isa.practice import DEADLOCK, REGISTER_POOL
from ...ptx.instructions import SetmaxnregOp
from .deadlock import stuck_in
from .errors import fault
from .gathering import part_lanes
from .machine import Group, Machine, unended
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
            play(machine) or machine.idle() or _time_out(machine, timed_out) or part_lanes(machine)
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
        machine.remove_done_tasks()
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
    machine.stuck, op = stuck_in(machine)
    lines = ["no thread and no operation can make progress", *map(str, machine.stuck[:_SHOWN])]
    if len(machine.stuck) > _SHOWN:
        lines.append(f"... and {len(machine.stuck) - _SHOWN} more")
    rule = REGISTER_POOL if isinstance(op, SetmaxnregOp) else DEADLOCK
    return fault(op, rule, "\n".join(lines), machine.stuck[0].help)


_SHOWN = 8
"""Number of waits that the report of a deadlock shows."""

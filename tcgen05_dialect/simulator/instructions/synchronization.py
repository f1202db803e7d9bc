"""Instructions for barriers, fences and exchange between lanes."""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any

import numpy as np
from xdsl.ir import Operation

from ...isa.ptx.memory import CLUSTER_SCOPES, CTA_SCOPE, SEMANTICS
from ...isa.ptx.synchronization import ShuffleBounds
from ...isa.simulation import BARRIER, DIVERGENCE
from ...isa.tensor_memory.cells import WARP_LANES
from ...ptx import synchronization as sync
from ...ptx.syntax import word_of
from ..machine.barrier import Barrier, Meeting
from ..machine.errors import fault
from ..machine.gathering import gather
from ..machine.machine import Group, Step, Wait
from ..machine.program import Handler, Program, nothing
from ..machine.warpgroup import set_registers
from ..numbers.lanes import Lanes, every, some
from ..order.clocks import Clock, Clocks, Order, Rows

_ALL = np.arange(WARP_LANES)


def order_of(op: Operation, far: bool = False) -> Order:
    """
    What an operation orders by its semantics and scope; `far` means that the other thread is in
    another CTA. Without a scope all threads are in scope; without semantics, the operation releases
    and acquires.
    """
    if far and word_of(op, "scope") == CTA_SCOPE:
        return Order.NONE
    given = word_of(op, "semantics")
    orders = given is None or SEMANTICS[given].releases or SEMANTICS[given].acquires
    return Order.FULL if orders else Order.RELAXED


def _arrival(op: Any, program: Program) -> Callable[[Group], Meeting]:
    """Function that makes a group arrive at a barrier of the CTA."""
    barrier = program.index(op.barrier)
    threads = None if op.threads is None else program.index(op.threads)

    def arrive(group: Group) -> Meeting:
        cta = group.warp.cta
        number = int(group.read(barrier)[group.mask][0])
        met = cta.barriers.get(number)
        if met is None:
            met = cta.barriers[number] = Barrier(f"barrier {number} of {cta.name}")
        given = None if threads is None else int(group.read(threads)[group.mask][0])
        # The barrier counts warps, also those that have fewer threads.
        running = WARP_LANES * sum(some(warp.lanes) for warp in cta.warps)
        message = cta.cluster.clocks.release(group.rows)
        return met.arrive(group.warp.brings(op, WARP_LANES), message, running, given)

    return arrive


def _after(meetings: Mapping[Meeting, Rows], clocks: Clocks) -> Wait:
    """The wait of a group for meetings, each with the threads that take part in it."""

    def learn() -> None:
        for meeting, rows in meetings.items():
            assert meeting.message is not None
            clocks.acquire(rows, meeting.message)

    return Wait(
        lambda: all(meeting.over for meeting in meetings),
        learn,
        [meeting for meeting in meetings if not meeting.over],
    )


def _bar_sync(op: sync.BarSyncOp, program: Program) -> Step:
    arrive = _arrival(op, program)

    def step(group: Group) -> Wait | None:
        return _after({arrive(group): group.rows}, group.warp.cta.cluster.clocks).or_go_on()

    return step


def _bar_arrive(op: sync.BarArriveOp, program: Program) -> Step:
    arrive = _arrival(op, program)

    def step(group: Group) -> Wait | None:
        arrive(group)
        return None

    return step


@lru_cache(maxsize=64)
def _named_by(mask: int) -> Lanes:
    """The lanes in a mask."""
    return (mask >> _ALL & 1).astype(np.bool_)


def _mask_of(op: Any, program: Program) -> Callable[[Group], Lanes]:
    """Function that reads the lanes in operand `mask`; it must contain all lanes of the group."""
    index = program.index(op.mask)

    def lanes(group: Group) -> Lanes:
        bits = int(group.read(index)[group.mask][0])
        named = _named_by(bits)
        if some(group.mask & ~named):
            raise fault(
                op, DIVERGENCE, f"the mask {bits:#x} lacks lanes that execute the instruction"
            )
        return named

    return lanes


def _warp_sync(op: sync.BarWarpSyncOp, program: Program) -> Step:
    mask_of = _mask_of(op, program)

    def step(group: Group) -> Wait | None:
        warp, named = group.warp, mask_of(group)
        # Lanes also wait for lanes at another bar.warp.sync, with which they do not converge.
        wait = gather(group, named, (sync.BarWarpSyncOp, named.tobytes()), patient=True)
        if wait is not None:
            return wait
        clocks, rows = warp.cta.cluster.clocks, warp.rows[named & warp.lanes]
        clocks.acquire(rows, clocks.release(rows))
        warp.parts.bring_together(group.mask)
        return None

    return step


def _meet(group: Group) -> None:
    """Make lanes wait for each other; this orders no memory accesses (9.7.9.6, 9.7.13.4)."""
    group.warp.parts.bring_together(group.mask)
    group.warp.cta.cluster.clocks.meet(group.rows)


def _elect(op: sync.ElectSyncOp, program: Program) -> Step:
    """Handler of elect.sync. It elects the lowest lane; the manual leaves the choice open."""
    mask_of = _mask_of(op, program)
    leader, elected = program.index(op.leader), program.index(op.elected)

    def step(group: Group) -> Wait | None:
        named = mask_of(group)
        wait = gather(group, named, op)
        if wait is not None:
            return wait
        lanes = named & group.warp.lanes
        if some(lanes != group.mask):
            raise fault(
                op, DIVERGENCE, "only some lanes of the mask execute the instruction together"
            )
        _meet(group)
        first = int(np.flatnonzero(lanes)[0])
        group.write(leader, np.full(WARP_LANES, first, np.uint32))
        group.write(elected, np.equal(_ALL, first))
        return None

    return step


def _shuffle(op: sync.ShflSyncOp, program: Program) -> Step:
    mask_of, mode = _mask_of(op, program), op.mode.data
    a, lane, clamp = (program.index(value) for value in (op.a, op.lane, op.clamp))
    result, in_range = program.index(op.d), program.index(op.in_range)

    def step(group: Group) -> Wait | None:
        named = mask_of(group)
        wait = gather(group, named, op)
        if wait is not None:
            return wait
        if every(named & group.warp.lanes == group.mask):
            _meet(group)
        b = group.read(lane).astype(np.int64) & WARP_LANES - 1
        bound, segment = ShuffleBounds.decode(group.read(clamp).astype(np.int64))
        last = _ALL & segment | bound & ~segment
        first = _ALL & segment
        source = {
            "up": _ALL - b,
            "down": _ALL + b,
            "bfly": _ALL ^ b,
            "idx": first | b & ~segment,
        }[mode]
        inside = source >= last if mode == "up" else source <= last
        source = np.where(inside, source, _ALL)
        group.write(result, group.read(a)[source])
        group.write(in_range, inside)
        return None

    return step


def _cluster_arrive(op: sync.BarrierClusterArriveOp, program: Program) -> Step:
    def step(group: Group) -> Wait | None:
        warp, cluster = group.warp, group.warp.cta.cluster
        if not warp.cluster_meetings.keys().isdisjoint(group.rows.tolist()):
            found = "a thread arrives twice at the cluster barrier without a wait in between"
            raise fault(op, BARRIER, found)
        running = sum(int(w.lanes.sum()) for cta in cluster.ctas for w in cta.warps)
        order, far = order_of(op), len(cluster.ctas) > 1
        message = cluster.clocks.release(group.rows, order, far)
        for is_far in {False, far}:
            cluster.clocks.record(op, group.rows, message, order, is_far, acquires=False)
        came = warp.brings(op, group.width)
        meeting = cluster.barrier.arrive(came, message, running)
        warp.cluster_meetings.update(dict.fromkeys(group.rows.tolist(), meeting))
        return None

    return step


def _cluster_wait(op: sync.BarrierClusterWaitOp, program: Program) -> Step:
    def step(group: Group) -> Wait | None:
        warp = group.warp
        threads: dict[Meeting, list[int]] = {}
        for row in group.rows.tolist():
            meeting = warp.cluster_meetings.pop(row, None)
            if meeting is None:
                found = "a thread waits at the cluster barrier before it has arrived there"
                raise fault(op, BARRIER, found)
            threads.setdefault(meeting, []).append(row)
        meetings = {meeting: np.array(rows) for meeting, rows in threads.items()}
        return _after(meetings, warp.cta.cluster.clocks).or_go_on()

    return step


def _fence(op: sync.FenceOp, program: Program) -> Step:
    semantics = SEMANTICS[op.semantics.data]
    received, released = (Clock.RELAXED, Clock.RELAXED_FAR), (Clock.RELEASED, Clock.RELEASED_FAR)
    reach = 1 if op.scope.data == CTA_SCOPE else 2
    beyond = op.scope.data not in CLUSTER_SCOPES

    def step(group: Group) -> Wait | None:
        clocks, rows = group.warp.cta.cluster.clocks, group.rows
        if semantics.acquires:
            for clock in received[:reach]:
                clocks.fence(rows, clock, Clock.SEEN)
            if beyond:
                clocks.learn_received()
        if semantics.releases:
            clocks.fence(rows, Clock.SEEN, *released[:reach])
        return None

    return step


def _setmaxnreg(op: sync.SetmaxnregOp, program: Program) -> Step:
    def step(group: Group) -> Wait | None:
        set_registers(op, group.warp)
        return None

    return step


def _making_known(*targets: Clock) -> Step:
    """A fence that adds SEEN to other clocks."""

    def step(group: Group) -> Wait | None:
        group.warp.cta.cluster.clocks.fence(group.rows, Clock.SEEN, *targets)
        return None

    return step


def _proxy_fence(op: sync.FenceProxyAsyncOp, program: Program) -> Step:
    space = word_of(op, "space")
    if space is None:
        return _making_known(Clock.ASYNC_SHARED, Clock.ASYNC_GLOBAL, Clock.INITIALIZED)
    if space == "global":
        return _making_known(Clock.ASYNC_GLOBAL)
    return _making_known(Clock.ASYNC_SHARED, Clock.INITIALIZED)


def _mbarrier_init_fence(op: sync.FenceMbarrierInitOp, program: Program) -> Step:
    return _making_known(Clock.INITIALIZED)


HANDLERS: dict[type[Operation], Handler] = {
    sync.BarSyncOp: _bar_sync,
    sync.BarArriveOp: _bar_arrive,
    sync.BarWarpSyncOp: _warp_sync,
    sync.BarrierClusterArriveOp: _cluster_arrive,
    sync.BarrierClusterWaitOp: _cluster_wait,
    sync.ElectSyncOp: _elect,
    sync.ShflSyncOp: _shuffle,
    sync.FenceOp: _fence,
    sync.FenceProxyAsyncOp: _proxy_fence,
    sync.FenceMbarrierInitOp: _mbarrier_init_fence,
    sync.SetmaxnregOp: _setmaxnreg,
    sync.GriddepcontrolOp: nothing,
    sync.NanosleepOp: nothing,
}

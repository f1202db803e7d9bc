"""Instructions for barriers, fences and exchange between lanes."""

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from xdsl.ir import Operation

from ...isa.effects.model import CLUSTER_SCOPES, CTA_SCOPE, Ordering
from ...isa.instructions.warp import ShuffleBounds
from ...isa.practice import BARRIER, DIVERGENCE
from ...isa.tensor_memory.alloc import WARP_LANES
from ...ptx import instructions
from ...ptx.effects import orders_of, scope_of
from ..machine.barrier import Barrier, Meeting
from ..machine.errors import fault
from ..machine.gathering import gather
from ..machine.machine import Group, Step, Wait, change_registers, set_registers
from ..machine.program import Handler, Program, nothing
from ..numbers.floats import Lanes, every, some
from ..order.clocks import Clock, Clocks, Order, Rows

_ALL = np.arange(WARP_LANES)


def order_of(op: Operation, far: bool = False, *which: Ordering) -> Order:
    """What an operation orders by its semantics and scope, as a release, an acquire or, by default,
    whichever it is; `far` means that the other thread is in another CTA."""
    if far and scope_of(op) == CTA_SCOPE:
        return Order.NONE
    orders = orders_of(op)
    is_full = any(each in orders for each in which or (Ordering.RELEASE, Ordering.ACQUIRE))
    return Order.FULL if is_full else Order.RELAXED


def arrival(op: Any, program: Program) -> Callable[[Group], Meeting]:
    """Function that makes a group arrive at a barrier of the CTA."""
    barrier, order = program.index(op.barrier), order_of(op)
    threads = None if op.threads is None else program.index(op.threads)

    def arrive(group: Group) -> Meeting:
        cta = group.warp.cta
        number = int(group.read(barrier)[group.mask][0])
        met = cta.barriers.get(number)
        if met is None:
            met = cta.barriers[number] = Barrier(f"barrier {number} of {cta.name}", cta.ended)
        given = None if threads is None else int(group.read(threads)[group.mask][0])
        # The barrier counts warps, even warps with fewer threads.
        running = WARP_LANES * sum(warp.is_running for warp in cta.warps)
        message = cta.cluster.clocks.release(group.rows, order)
        arriving = WARP_LANES
        if some(away := group.warp.lanes & ~group.mask):
            # The other threads of the warp arrive by themselves.
            arriving = int(group.mask.sum())
            if group.lanes[0] < away.argmax():
                arriving += WARP_LANES - int(group.warp.lanes.sum())
        return met.arrive(group.warp.brings(op, arriving), message, running, given)

    return arrive


def after(op: Operation, meetings: Mapping[Meeting, Rows], clocks: Clocks) -> Wait:
    """The wait of a group for meetings, each with the threads that take part in it."""
    order = order_of(op)

    def learn() -> None:
        for meeting, rows in meetings.items():
            assert meeting.message is not None
            clocks.acquire(rows, meeting.message, order)

    return Wait(
        lambda: all(meeting.over for meeting in meetings),
        learn,
        [meeting for meeting in meetings if not meeting.over],
    )


def _bar_sync(op: instructions.BarSyncOp, program: Program) -> Step:
    arrive = arrival(op, program)

    def step(group: Group) -> Wait | None:
        return after(op, {arrive(group): group.rows}, group.warp.cta.cluster.clocks).or_go_on()

    return step


def _bar_arrive(op: instructions.BarArriveOp, program: Program) -> Step:
    arrive = arrival(op, program)

    def step(group: Group) -> None:
        arrive(group)

    return step


@lru_cache(maxsize=64)
def _named_by(mask: int) -> Lanes:
    """The lanes in a mask."""
    return (mask >> _ALL & 1).astype(np.bool_)


def mask_of_lanes(op: Any, program: Program) -> Callable[[Group], Lanes]:
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


def _warp_sync(op: instructions.BarWarpSyncOp, program: Program) -> Step:
    mask_of = mask_of_lanes(op, program)

    def step(group: Group) -> Wait | None:
        warp, named = group.warp, mask_of(group)
        # Lanes also wait for lanes at another bar.warp.sync, with which they do not converge.
        wait = gather(group, named, (instructions.BarWarpSyncOp, named.tobytes()), patient=True)
        if wait is not None:
            return wait
        meet(op, group, warp.rows[named & warp.lanes])
        return None

    return step


def meet(op: Operation, group: Group, rows: Rows) -> None:
    """Make threads wait for each other; some instructions order no memory accesses by this."""
    clocks = group.warp.cta.cluster.clocks
    if orders_of(op):
        clocks.acquire(rows, clocks.release(rows))
    else:
        clocks.meet(rows)
    group.warp.parts.bring_together(group.mask)


def _elect(op: instructions.ElectSyncOp, program: Program) -> Step:
    """Handler of elect.sync. The manual leaves the choice of the lane open, but for equal masks it
    is the same."""
    mask_of = mask_of_lanes(op, program)
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
        meet(op, group, group.rows)
        choices = lanes.nonzero()[0]
        first = int(choices[group.machine.schedule.elected(choices.size)])
        group.write(leader, np.full(WARP_LANES, first, np.uint32))
        group.write(elected, np.equal(_ALL, first))
        return None

    return step


def exchanging(compute: Callable[..., Sequence[Lanes]], *more: str) -> Handler:
    """Handler of an instruction whose results depend on operand `a` in the lanes of the mask.
    `compute` gets the operation, the lanes, and the values of `a` and of `more` operands in all
    lanes of the warp."""

    def handler(op: Any, program: Program) -> Step:
        mask_of = mask_of_lanes(op, program)
        operands = [program.index(getattr(op, name)) for name in ("a", *more)]
        results = [program.index(result) for result in op.results]

        def step(group: Group) -> Wait | None:
            named = mask_of(group)
            wait = gather(group, named, op)
            if wait is not None:
                return wait
            lanes = named & group.warp.lanes
            if every(lanes == group.mask):
                meet(op, group, group.rows)
            values = compute(op, lanes, *(group.read(operand) for operand in operands))
            for result, value in zip(results, values, strict=True):
                group.write(result, value)
            return None

        return step

    return handler


def _shuffled(
    op: instructions.ShflSyncOp, lanes: Lanes, a: Lanes, lane: Lanes, clamp: Lanes
) -> Sequence[Lanes]:
    b, mode = lane.astype(np.int64) & WARP_LANES - 1, op.mode.data
    bound, segment = ShuffleBounds.decode(clamp.astype(np.int64))
    last = _ALL & segment | bound & ~segment
    first = _ALL & segment
    source = {
        "up": _ALL - b,
        "down": _ALL + b,
        "bfly": _ALL ^ b,
        "idx": first | b & ~segment,
    }[mode]
    inside = source >= last if mode == "up" else source <= last
    return a[np.where(inside, source, _ALL)], inside


def _cluster_arrive(op: instructions.BarrierClusterArriveOp, program: Program) -> Step:
    def step(group: Group) -> None:
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

    return step


def _cluster_wait(op: instructions.BarrierClusterWaitOp, program: Program) -> Step:
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
        return after(op, meetings, warp.cta.cluster.clocks).or_go_on()

    return step


def fence(op: Operation, program: Program) -> Step:
    """Handler of a fence that releases or acquires."""
    orders = orders_of(op)
    received, released = (Clock.RELAXED, Clock.RELAXED_FAR), (Clock.RELEASED, Clock.RELEASED_FAR)
    scope = scope_of(op)
    reach = 1 if scope == CTA_SCOPE else 2
    beyond = scope not in CLUSTER_SCOPES

    def step(group: Group) -> None:
        clocks, rows = group.warp.cta.cluster.clocks, group.rows
        if Ordering.ACQUIRE in orders:
            for clock in received[:reach]:
                clocks.fence(rows, clock, Clock.SEEN)
            if beyond:
                clocks.learn_received()
        if Ordering.RELEASE in orders:
            clocks.fence(rows, Clock.SEEN, *released[:reach])

    return step


def _setmaxnreg(op: instructions.SetmaxnregOp, program: Program) -> Step:
    def step(group: Group) -> Wait | None:
        warp = group.warp
        set_registers(op, warp, group.machine.judge)
        if change_registers(op, warp):
            return None
        return Wait(lambda: change_registers(op, warp), needs=[warp.cta.pool])

    return step


_KNOWN = {
    Ordering.PROXY_SHARED: Clock.ASYNC_SHARED,
    Ordering.PROXY_GLOBAL: Clock.ASYNC_GLOBAL,
    Ordering.INITIALISATION: Clock.INITIALIZED,
}
"""What a fence orders -> the clock to which it adds SEEN."""


def proxy_fence(op: Operation, program: Program) -> Step:
    """Handler of a fence that orders accesses of the generic proxy before other accesses."""
    targets = [_KNOWN[each] for each in orders_of(op)]

    def step(group: Group) -> None:
        group.warp.cta.cluster.clocks.fence(group.rows, Clock.SEEN, *targets)

    return step


HANDLERS: dict[type[Operation], Handler] = {
    instructions.BarSyncOp: _bar_sync,
    instructions.BarArriveOp: _bar_arrive,
    instructions.BarWarpSyncOp: _warp_sync,
    instructions.BarrierClusterArriveOp: _cluster_arrive,
    instructions.BarrierClusterWaitOp: _cluster_wait,
    instructions.ElectSyncOp: _elect,
    instructions.ShflSyncOp: exchanging(_shuffled, "lane", "clamp"),
    instructions.FenceOp: fence,
    instructions.FenceProxyAsyncOp: proxy_fence,
    instructions.FenceMbarrierInitOp: proxy_fence,
    instructions.SetmaxnregOp: _setmaxnreg,
    instructions.GriddepcontrolOp: nothing,
    instructions.NanosleepOp: nothing,
}

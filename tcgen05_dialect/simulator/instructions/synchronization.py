"""Barrier objects, barriers, fences and exchange between lanes."""

from typing import Any

import numpy as np
from xdsl.ir import Operation

from ...isa.simulation import BARRIER, DIVERGENCE
from ...isa.tensor_memory import WARP_LANES
from ...ptx import mbarrier
from ...ptx import synchronization as sync
from ..barrier import Mbarrier, Meeting
from ..errors import fault
from ..lanes import Lanes
from ..machine import Cta, Group, Step, Wait
from ..program import Handler, Program, nothing

_ALL = np.arange(WARP_LANES)


def check_aligned(op: Operation, group: Group) -> None:
    """Raise OperationError unless all threads of the warp run the instruction together."""
    missing = group.warp.lanes & ~group.mask
    if missing.any():
        raise fault(
            op,
            DIVERGENCE,
            f"lanes {', '.join(map(str, np.flatnonzero(group.mask)))} of {group.warp.name}",
            "all lanes of the warp",
        )


def _barriers(op: Any, program: Program) -> Any:
    """What gives the barrier object, and the number of lanes that use it, of each address."""
    address = program.index(op.address)
    offset = 0 if op.address_offset is None else op.address_offset.value.data

    def barriers(group: Group) -> list[tuple[Cta, int, int]]:
        found: dict[int, int] = {}
        for lane in np.flatnonzero(group.mask):
            at = int(group.read(address)[lane]) + offset
            found[at] = found.get(at, 0) + 1
        cluster = group.warp.cta.cluster
        return [(cluster.cta_of(op, at), at, lanes) for at, lanes in found.items()]

    return barriers


def _init(op: mbarrier.MbarrierInitOp, program: Program) -> Step:
    barriers, count = _barriers(op, program), program.index(op.count)

    def step(group: Group) -> Wait | None:
        for cta, address, _ in barriers(group):
            value = int(group.read(count)[group.mask][0])
            name = f"the mbarrier at {address:#x} of {cta.name}"
            cta.mbarriers[address - cta.shared.base] = Mbarrier(name, value)
            at = address - cta.shared.base
            cta.shared.written[at : at + _OBJECT_BYTES] = True
        return None

    return step


def _inval(op: mbarrier.MbarrierInvalOp, program: Program) -> Step:
    barriers = _barriers(op, program)

    def step(group: Group) -> Wait | None:
        for cta, address, _ in barriers(group):
            cta.mbarrier(op, address)
            del cta.mbarriers[address - cta.shared.base]
        return None

    return step


def _arrive(op: Any, program: Program) -> Step:
    barriers = _barriers(op, program)
    own = not isinstance(op, mbarrier.MbarrierArriveRemoteOp)
    expected = program.index(op.bytes) if hasattr(op, "bytes") else None
    arrives = not isinstance(op, mbarrier.MbarrierExpectTxOp)

    def step(group: Group) -> Wait | None:
        for cta, address, lanes in barriers(group):
            if own and cta is not group.warp.cta:
                raise fault(op, BARRIER, f"{address:#x}, of {cta.name}", "one of the own CTA")
            barrier = cta.mbarrier(op, address)
            if expected is not None:
                barrier.expect(int(group.read(expected)[group.mask].sum(dtype=np.int64)))
            if arrives:
                barrier.arrive(lanes)
        return None

    return step


def _phase_over(op: Any, program: Program) -> Any:
    """What gives the wait for the phases that the lanes of a group wait for."""
    address, parity = program.index(op.address), program.index(op.parity)
    offset = 0 if op.address_offset is None else op.address_offset.value.data

    def wait(group: Group) -> Wait:
        lanes = np.flatnonzero(group.mask)
        cta = group.warp.cta
        asked = {
            (
                cta.mbarrier(op, int(group.read(address)[lane]) + offset),
                int(group.read(parity)[lane]),
            )
            for lane in lanes
        }
        return Wait(
            lambda: all(barrier.is_over(parity) for barrier, parity in asked),
            lambda: "; ".join(barrier.describe() for barrier, _ in asked),
        )

    return wait


def _wait(op: mbarrier.MbarrierWaitOp, program: Program) -> Step:
    phase_over = _phase_over(op, program)

    def step(group: Group) -> Wait | None:
        wait = phase_over(group)
        return None if wait.ready() else wait

    return step


def _try_wait(op: mbarrier.MbarrierTryWaitOp, program: Program) -> Step:
    """It waits as long as it takes: the time after which it gives up is the machine's to choose."""
    phase_over, done = _phase_over(op, program), program.index(op.done)

    def step(group: Group) -> Wait | None:
        wait = phase_over(group)
        group.write(done, np.ones(WARP_LANES, np.bool_))
        return None if wait.ready() else wait

    return step


def _meeting(op: Any, program: Program) -> Any:
    """What makes the threads of a group arrive at the barrier of a CTA, and gives it."""
    barrier = program.index(op.barrier)
    threads = None if op.threads is None else program.index(op.threads)

    def arrive(group: Group) -> Meeting:
        check_aligned(op, group)
        cta = group.warp.cta
        number = int(group.read(barrier)[group.mask][0])
        meeting = cta.barriers.setdefault(number, Meeting(f"barrier {number} of {cta.name}"))
        given = None if threads is None else int(group.read(threads)[group.mask][0])
        whole = len(cta.warps) * WARP_LANES
        meeting.arrive(WARP_LANES, whole if given is None else given)
        return meeting

    return arrive


def _after(meeting: Meeting, generation: int) -> Wait:
    return Wait(
        lambda: meeting.generation > generation,
        lambda: f"{meeting.name}, at which {meeting.arrived} threads have arrived",
    )


def _bar_sync(op: sync.BarSyncOp, program: Program) -> Step:
    arrive = _meeting(op, program)

    def step(group: Group) -> Wait | None:
        cta = group.warp.cta
        number = int(group.read(program.index(op.barrier))[group.mask][0])
        before = cta.barriers[number].generation if number in cta.barriers else 0
        meeting = arrive(group)
        return None if meeting.generation > before else _after(meeting, before)

    return step


def _bar_arrive(op: sync.BarArriveOp, program: Program) -> Step:
    arrive = _meeting(op, program)

    def step(group: Group) -> Wait | None:
        arrive(group)
        return None

    return step


def _mask_of(op: Any, program: Program) -> Any:
    """What gives the lanes that the operand `mask` names, and checks that the group's are."""
    index = program.index(op.mask)

    def lanes(group: Group) -> Lanes:
        bits = int(group.read(index)[group.mask][0])
        named = (bits >> _ALL & 1).astype(np.bool_)
        if (group.mask & ~named).any():
            raise fault(op, DIVERGENCE, f"mask {bits:#x}", "a mask with the lanes that run it")
        return named & group.warp.lanes

    return lanes


def _warp_sync(op: sync.BarWarpSyncOp, program: Program) -> Step:
    mask_of = _mask_of(op, program)

    def step(group: Group) -> Wait | None:
        warp, lanes = group.warp, mask_of(group)
        if (lanes == group.mask).all():
            return None
        warp.synchronized |= group.mask
        if not (lanes & ~warp.synchronized).any():
            warp.synchronized &= ~lanes
            warp.synchronizations += 1
            return None
        before = warp.synchronizations
        return Wait(
            lambda: warp.synchronizations > before,
            lambda: f"lanes {', '.join(map(str, np.flatnonzero(lanes & ~warp.synchronized)))}",
        )

    return step


def _elect(op: sync.ElectSyncOp, program: Program) -> Step:
    """The lowest lane of the mask: the manual leaves open which, but it is always the same."""
    mask_of = _mask_of(op, program)
    leader, elected = program.index(op.leader), program.index(op.elected)

    def step(group: Group) -> Wait | None:
        lanes = mask_of(group)
        if (lanes != group.mask).any():
            raise fault(op, DIVERGENCE, "a part of the lanes of the mask", "all of them")
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
        mask_of(group)
        b, c = group.read(lane).astype(np.int64) & 31, group.read(clamp).astype(np.int64)
        segment, bound = c >> 8 & 31, c & 31
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
        if op.aligned is not None:
            check_aligned(op, group)
        warp, cluster = group.warp, group.warp.cta.cluster
        warp.cluster_generation = cluster.barrier.generation
        expected = sum(w.initial_threads for cta in cluster.ctas for w in cta.warps)
        cluster.barrier.arrive(int(group.mask.sum()), expected)
        return None

    return step


def _cluster_wait(op: sync.BarrierClusterWaitOp, program: Program) -> Step:
    def step(group: Group) -> Wait | None:
        warp, barrier = group.warp, group.warp.cta.cluster.barrier
        before = warp.cluster_generation
        return None if barrier.generation > before else _after(barrier, before)

    return step


_OBJECT_BYTES = mbarrier.BARRIER_OBJECT.bytes

HANDLERS: dict[type[Operation], Handler] = {
    mbarrier.MbarrierInitOp: _init,
    mbarrier.MbarrierInvalOp: _inval,
    mbarrier.MbarrierArriveOp: _arrive,
    mbarrier.MbarrierArriveRemoteOp: _arrive,
    mbarrier.MbarrierArriveExpectTxOp: _arrive,
    mbarrier.MbarrierExpectTxOp: _arrive,
    mbarrier.MbarrierWaitOp: _wait,
    mbarrier.MbarrierTryWaitOp: _try_wait,
    sync.BarSyncOp: _bar_sync,
    sync.BarArriveOp: _bar_arrive,
    sync.BarWarpSyncOp: _warp_sync,
    sync.BarrierClusterArriveOp: _cluster_arrive,
    sync.BarrierClusterWaitOp: _cluster_wait,
    sync.ElectSyncOp: _elect,
    sync.ShflSyncOp: _shuffle,
    # Order is what the schedule grants; see docs/simulator.md.
    sync.FenceOp: nothing,
    sync.FenceProxyAsyncOp: nothing,
    sync.FenceMbarrierInitOp: nothing,
    sync.SetmaxnregOp: nothing,
    sync.GriddepcontrolOp: nothing,
    sync.NanosleepOp: nothing,
}

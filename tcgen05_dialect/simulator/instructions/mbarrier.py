"""Instructions for barrier objects (9.7.13.15)."""

from collections.abc import Callable
from typing import Any

import numpy as np
from xdsl.ir import Operation

from ...isa.simulation import BARRIER, INITIALISATION, RACE
from ...isa.tensor_memory.cells import WARP_LANES
from ...ptx import mbarrier
from ..machine.barrier import Mbarrier
from ..machine.errors import fault
from ..machine.machine import Group, Step, Wait
from ..machine.program import Handler, Program
from ..machine.state import Cta
from ..order.clocks import Clock, Known, Rows
from .synchronization import is_relaxed


def _barriers(op: Any, program: Program) -> Callable[[Group], list[tuple[Cta, int, Rows]]]:
    """Function that finds the barrier objects of a group: CTA, address and threads of each."""
    address = program.index(op.address)
    offset = 0 if op.address_offset is None else op.address_offset.value.data

    def barriers(group: Group) -> list[tuple[Cta, int, Rows]]:
        found: dict[int, list[int]] = {}
        for lane in np.flatnonzero(group.mask):
            at = int(group.read(address)[lane]) + offset
            found.setdefault(at, []).append(group.warp.rows[lane])
        cluster = group.warp.cta.cluster
        return [(cluster.cta_of(op, at), at, np.array(rows)) for at, rows in found.items()]

    return barriers


def _threads_use(op: Operation, barrier: Mbarrier, rows: Rows, remote: bool = False) -> None:
    """Record a use by threads. Raises OperationError unless they know the initialisation."""
    check_initialised(op, barrier, barrier.clocks.known(rows, Clock.SEEN, Clock.INITIALIZED))
    numbers = barrier.clocks.table[Clock.SEEN, rows, rows]
    for row, number in zip(rows.tolist(), numbers.tolist(), strict=True):
        barrier.use(row, number, remote)


def check_initialised(op: Operation, barrier: Mbarrier, known: Known) -> None:
    """Raise OperationError unless the clock contains the initialisation."""
    component, number = barrier.initialised
    if known[component] < number:
        found = f"the init of {barrier.name} may not be visible here"
        raise fault(op, INITIALISATION, found)


def _init(op: mbarrier.MbarrierInitOp, program: Program) -> Step:
    barriers, count = _barriers(op, program), program.index(op.count)

    def step(group: Group) -> Wait | None:
        for cta, address, rows in barriers(group):
            name = f"the mbarrier {cta.shared.place(address - cta.shared.base)}"
            at, row, clocks = address - cta.shared.base, rows[:1], cta.cluster.clocks
            if at in cta.mbarriers:
                found = f"{cta.mbarriers[at].name} is already initialised"
                raise fault(op, BARRIER, found, "execute mbarrier.inval before it")
            if len(rows) > 1:
                found = f"{len(rows)} threads of {group.warp.name} initialise {name} at once"
                raise fault(op, BARRIER, found, "let one thread execute mbarrier.init")
            place = at + np.arange(_OBJECT_BYTES)[None]
            lanes = row - group.warp.rows[0]
            value = int(group.read(count)[lanes[0]])
            group.machine.judge.threads(op, group.warp, cta.shared, lanes, place, True)
            initialised = int(row[0]), int(clocks.table[Clock.SEEN, row[0], row[0]])
            cta.mbarriers[at] = Mbarrier(name, value, clocks, initialised)
            cta.shared.written[at : at + _OBJECT_BYTES] = True
            cta.shared.opaque[at : at + _OBJECT_BYTES] = True
        return None

    return step


def _inval(op: mbarrier.MbarrierInvalOp, program: Program) -> Step:
    barriers = _barriers(op, program)

    def step(group: Group) -> Wait | None:
        for cta, address, rows in barriers(group):
            barrier = cta.mbarrier(op, address)
            _threads_use(op, barrier, rows)
            if barrier.in_use(barrier.clocks.known(rows, Clock.SEEN)):
                raise fault(op, RACE, f"other threads may still use {barrier.name}")
            at = address - cta.shared.base
            cta.shared.opaque[at : at + _OBJECT_BYTES] = False
            del cta.mbarriers[at]
        return None

    return step


def _arrive(op: Any, program: Program) -> Step:
    barriers = _barriers(op, program)
    own = not isinstance(op, mbarrier.MbarrierArriveRemoteOp)
    expected = program.index(op.bytes) if hasattr(op, "bytes") else None
    arrives = not isinstance(op, mbarrier.MbarrierExpectTxOp)

    def step(group: Group) -> Wait | None:
        clocks = group.warp.cta.cluster.clocks
        for cta, address, rows in barriers(group):
            if own and cta is not group.warp.cta:
                raise fault(op, BARRIER, f"the mbarrier is in {cta.name}, not in the executing CTA")
            barrier = cta.mbarrier(op, address)
            _threads_use(op, barrier, rows, cta is not group.warp.cta)
            if expected is not None:
                lanes = rows - group.warp.rows[0]
                barrier.expect(int(group.read(expected)[lanes].sum(dtype=np.int64)))
            if arrives:
                barrier.arrive(len(rows), clocks.release(rows, is_relaxed(op)))
        return None

    return step


def _phase_over(op: Any, program: Program) -> Callable[[Group], Wait]:
    """Function that builds the wait of a group for the phases of its lanes."""
    barriers, parity = _barriers(op, program), program.index(op.parity)
    relaxed = is_relaxed(op)

    def wait(group: Group) -> Wait:
        asked: list[tuple[Mbarrier, Rows, int]] = []
        parities = group.read(parity)
        for cta, address, rows in barriers(group):
            if cta is not group.warp.cta:
                raise fault(op, BARRIER, f"the mbarrier is in {cta.name}, not in the executing CTA")
            barrier = cta.mbarrier(op, address)
            _threads_use(op, barrier, rows)
            wanted = parities[rows - group.warp.rows[0]]
            each = set(wanted.tolist())
            asked += [(barrier, rows[wanted == parity], parity) for parity in each]

        def learn() -> None:
            for barrier, rows, _ in asked:
                barrier.clocks.acquire(rows, barrier.message, relaxed)

        return Wait(
            lambda: all(barrier.is_over(parity) for barrier, _, parity in asked),
            lambda: "; ".join(barrier.describe() for barrier, _, _ in asked),
            learn,
        )

    return wait


def _wait(op: mbarrier.MbarrierWaitOp, program: Program) -> Step:
    phase_over = _phase_over(op, program)
    return lambda group: phase_over(group).or_go_on()


def _try_wait(op: mbarrier.MbarrierTryWaitOp, program: Program) -> Step:
    """Handler of try_wait; the schedule decides when it times out."""
    phase_over, done = _phase_over(op, program), program.index(op.done)

    def step(group: Group) -> Wait | None:
        wait, schedule = phase_over(group), group.machine.schedule
        if not wait.ready() and schedule.gives_up((op, group.warp)):
            group.write(done, np.zeros(WARP_LANES, np.bool_))
            return None
        group.write(done, np.ones(WARP_LANES, np.bool_))
        return wait.or_go_on()

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
}

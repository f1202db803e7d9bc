"""Instructions for barrier objects (9.7.13.15)."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np
from xdsl.ir import Operation

from ...isa.effects.model import Completion
from ...isa.instructions.mbarrier import BARRIER_OBJECT
from ...isa.practice import (
    BARRIER,
    INIT_FENCE,
    INITIALISATION,
    LAST_COMMIT,
    LATE_WAIT,
    RACE,
    REMOTE_INIT,
)
from ...isa.tensor_memory.alloc import WARP_LANES
from ...ptx import instructions
from ...ptx.effects import completions_of, effects_of
from ...ptx.text.syntax import offset_of
from ..machine.barrier import Mbarrier
from ..machine.errors import fault, place_of
from ..machine.machine import Group, Step, Wait
from ..machine.program import Handler, Program
from ..machine.state import Cta, Warp
from ..machine.tensor_core import BulkGroups, BulkStore, Task
from ..machine.tensor_memory import SHARED_WINDOW
from ..machine.trace import Kind
from ..numbers.floats import Lanes, every
from ..order.clocks import Clock, Clocks, Order, Rows
from ..order.events import PENDING, Access, is_by_cluster_barrier
from ..order.phases import Waiter
from ..order.race_detector import Judge
from ..order.shadow import Where
from .synchronization import order_of


def barriers_of(op: Any, program: Program) -> Callable[[Group], list[tuple[Cta, int, Rows]]]:
    """
    Function that finds the barrier objects a group accesses: CTA, address and threads of each.
    """
    address, offset = program.index(op.address), offset_of(op, "address")
    window = SHARED_WINDOW if getattr(op, "is_generic", False) else 0

    def barriers(group: Group) -> list[tuple[Cta, int, Rows]]:
        cluster, rows = group.warp.cta.cluster, group.rows
        addresses = group.read(address)[group.mask].astype(np.int64) + offset - window
        # Usually all lanes have the same.
        first = int(addresses[0])
        if every(addresses == first):
            return [(cluster.cta_of(op, first), first, rows)]
        each = dict.fromkeys(addresses.tolist())
        return [(cluster.cta_of(op, at), at, rows[addresses == at]) for at in each]

    return barriers


def _check_initialised(op: Operation, barrier: Mbarrier, rows: Rows, judge: Judge) -> None:
    """Check that threads know the initialisation. Raises OperationError."""
    clocks, event = barrier.clocks, barrier.initialised
    if clocks.is_known(rows, *event, Clock.SEEN, Clock.INITIALIZED):
        return
    met = clocks.is_known(rows, *event, Clock.TOLD)
    judge.report(
        op,
        INITIALISATION,
        _not_visible_text(barrier),
        related=barrier.init,
        met_at_barrier=met and is_by_cluster_barrier(clocks, *event),
    )


def threads_use(
    op: Operation, barrier: Mbarrier, rows: Rows, judge: Judge, remote: bool = False
) -> None:
    """Record a use by threads; `remote`: those of another CTA. Raises OperationError unless they
    know the initialisation."""
    _check_initialised(op, barrier, rows, judge)
    numbers = barrier.clocks.numbers(rows)
    for row, number in zip(rows.tolist(), numbers.tolist(), strict=True):
        barrier.use(row, number, op if remote else None)


def check_visible(op: Operation, barrier: Mbarrier, rows: Rows, judge: Judge, remote: bool) -> None:
    """
    Check that the initialisation is visible to an asynchronous operation of threads; `remote`: from
    another CTA.

    Raises OperationError if nothing orders the two or, in IR, only a barrier with the other CTA.
    """
    component, number = barrier.initialised
    if barrier.clocks.is_known(rows, component, number, Clock.INITIALIZED):
        return
    # A later number of the same thread shows that it has synchronised since.
    least = number + 1 if component in rows else number
    if not barrier.clocks.is_known(rows, component, least, Clock.SEEN):
        raise fault(op, INITIALISATION, _not_visible_text(barrier), related=barrier.init)
    if remote:
        judge.report(op, REMOTE_INIT, _not_visible_text(barrier), related=barrier.init)
        return
    found = f"{barrier.name} is used by {op.name}, {place_of(op)}"
    asked = "the manual asks for fence.mbarrier_init or fence.proxy.async in between"
    judge.report(barrier.init, INIT_FENCE, f"{found}, and {asked}")


def _not_visible_text(barrier: Mbarrier) -> str:
    return f"the init of {barrier.name} may not be visible here"


def _init(op: instructions.MbarrierInitOp, program: Program) -> Step:
    barriers, count = barriers_of(op, program), program.index(op.count)

    def step(group: Group) -> None:
        for cta, address, rows in barriers(group):
            name = f"the mbarrier {cta.shared.place(address - cta.shared.base, _OBJECT_BYTES)}"
            at, row, clocks = address - cta.shared.base, rows[:1], cta.cluster.clocks
            if at in cta.mbarriers:
                before = cta.mbarriers[at]
                known, first = before.name, before.init
                warps = (warp for each in cta.cluster.ctas for warp in each.warps)
                by = next(warp.name for warp in warps if before.initialised[0] in warp.rows)
                found = f"{group.warp.name} initialises {known}, which is already initialised by "
                found += f"{first.name} of {by}, {place_of(first)}"
                legal = "execute mbarrier.inval before it, or initialise another object"
                raise fault(op, BARRIER, found, legal)
            values = group.read(count)[rows - group.warp.rows[0]]
            if len(rows) > 1:
                found = f"{len(rows)} threads of {group.warp.name} initialise {name} at once"
                help = "let one thread execute mbarrier.init"
                group.machine.judge.report(
                    op, BARRIER, found, help, equal_counts=every(values == values[0])
                )
            place = Where.runs(np.array([at]), _OBJECT_BYTES)
            lanes, value = row - group.warp.rows[0], int(values[0])
            group.machine.judge.threads(op, group.warp, cta.shared, lanes, place, True)
            initialised = int(row[0]), clocks.number(int(row[0]))
            recorder = group.machine.recorder
            watch = None if recorder is None else recorder.arrives
            cta.inits.add(op)
            cta.mbarriers[at] = Mbarrier(
                name, value, clocks, op, initialised, group.machine.judge.report, watch
            )
            cta.shared.written[at : at + _OBJECT_BYTES] = True
            cta.shared.set_opaque(at, _OBJECT_BYTES, True)

    return step


def _inval(op: instructions.MbarrierInvalOp, program: Program) -> Step:
    barriers = barriers_of(op, program)

    def step(group: Group) -> None:
        for cta, address, rows in barriers(group):
            barrier = cta.mbarrier(op, address)
            threads_use(op, barrier, rows, group.machine.judge)
            known, told = barrier.clocks.known(rows, Clock.SEEN), barrier.clocks.told(rows)
            if (waiter := barrier.phases.pending(told)) is not None:
                found = f"{waiter.who()} may still wait at {barrier.name}, {waiter.place}"
                raise fault(op, RACE, found)
            if barrier.in_use(known):
                if not barrier.awaits_commits(known):
                    raise fault(op, RACE, f"other threads may still use {barrier.name}")
                found = f"a commit may still arrive at {barrier.name}"
                group.machine.judge.report(op, LAST_COMMIT, found)
            at = address - cta.shared.base
            lanes, place = rows - group.warp.rows[0], Where.runs(np.array([at]), _OBJECT_BYTES)
            group.machine.judge.threads(op, group.warp, cta.shared, lanes, place, False)
            cta.shared.set_opaque(at, _OBJECT_BYTES, False)
            del cta.mbarriers[at]

    return step


def operand_of(op: Any, program: Program, name: str) -> Callable[[Group, Rows], Lanes | None]:
    """Function that reads an operand in the lanes of threads; None if the instruction lacks it."""
    value = getattr(op, name, None)
    if value is None:
        return lambda group, rows: None
    index = program.index(value)
    return lambda group, rows: group.read(index)[rows - group.warp.rows[0]]


def _arrives(op: Operation) -> bool:
    """Whether an instruction arrives at a barrier object, and does not only expect bytes there."""
    return bool(effects_of(type(op)).arrives_at)


def arrive(op: Any, program: Program, drops: bool = False, completes: bool = True) -> Step:
    """Handler of arrivals and expectations. The arrivals `drops` later ones, or must not be those
    that `completes` the phase."""
    barriers = barriers_of(op, program)
    own, arrives = not op.is_remote, _arrives(op)
    expected, counts = operand_of(op, program, "bytes"), operand_of(op, program, "count")
    state = program.index(op.state) if hasattr(op, "state") else None

    def step(group: Group) -> None:
        clocks = group.warp.cta.cluster.clocks
        for cta, address, rows in barriers(group):
            if own and cta is not group.warp.cta:
                raise fault(op, BARRIER, f"the mbarrier is in {cta.name}, not in the executing CTA")
            barrier = cta.mbarrier(op, address)
            threads_use(op, barrier, rows, group.machine.judge, cta is not group.warp.cta)
            added, given = expected(group, rows), counts(group, rows)
            bytes_ = 0 if added is None else int(added.sum(dtype=np.int64))
            if state is not None:
                # The manual leaves the value open; it identifies the current phase and, if the
                # arrival does not complete it, tells how many arrivals the phase still expects.
                phase = np.full(len(rows), barrier.phases.over, np.int64)
                if not completes and given is not None:
                    each = given.astype(np.int64)
                    phase += barrier.pending - each.cumsum() + each << PHASE_BITS
                states = group.read(state).copy()
                states[rows - group.warp.rows[0]] = phase.astype(np.uint64)
                group.write(state, states)
            if arrives:
                arrivals = len(rows) if given is None else int(given.sum(dtype=np.int64))
                if drops:
                    barrier.drop(arrivals)
                if not completes:
                    barrier.check_goes_on(arrivals)
                far = cta is not group.warp.cta
                order = order_of(op, far)
                message = clocks.release(rows, order, far)
                clocks.record(op, rows, message, order, far, acquires=False)
                came = group.warp.brings(op, arrivals, bytes_)
                barrier.arrive(came, message, rows, far)
            else:
                barrier.expect(group.warp.brings(op, expected=bytes_), clocks.told(rows), rows)

    return step


class _Asked(NamedTuple):
    """A phase of a barrier object for which threads of a group wait."""

    barrier: Mbarrier
    phase: int
    rows: Rows
    is_known: bool
    """Whether the end of the phase is already visible to the threads."""

    def is_over(self) -> bool:
        """Whether the phase has ended."""
        return self.barrier.phases.over > self.phase


def _own_barriers(op: Any, program: Program) -> Callable[[Group], list[tuple[Mbarrier, Rows]]]:
    """Function that finds the barrier objects on which a group waits, and the threads of each."""
    barriers = barriers_of(op, program)

    def own(group: Group) -> list[tuple[Mbarrier, Rows]]:
        found: list[tuple[Mbarrier, Rows]] = []
        for cta, address, rows in barriers(group):
            if cta is not group.warp.cta:
                raise fault(op, BARRIER, f"the mbarrier is in {cta.name}, not in the executing CTA")
            barrier = cta.mbarrier(op, address)
            _check_initialised(op, barrier, rows, group.machine.judge)
            found.append((barrier, rows))
        return found

    return own


def _asked(op: Any, program: Program) -> Callable[[Group], list[_Asked]]:
    """Function that finds the phases for which a group waits, and records the wait."""
    barriers, by_state = _own_barriers(op, program), hasattr(op, "state")
    wanted = program.index(op.state if by_state else op.parity)
    place = place_of(op)

    def asked(group: Group) -> list[_Asked]:
        found: list[_Asked] = []
        late = partial(group.machine.judge.report, op, LATE_WAIT)
        for barrier, rows in barriers(group):
            given = group.read(wanted)[rows - group.warp.rows[0]]
            for each in set(given.tolist()):
                waiting = rows[given == each]
                told = barrier.clocks.told(waiting)
                known = barrier.phases.known(told)
                phase = (
                    each % (1 << PHASE_BITS)
                    if by_state
                    else barrier.phases.meant(known, each, late)
                )
                parity, is_known = None if by_state else each, phase < known
                asks = parity, is_known
                for waiter in _waiters(place, group.warp, waiting, barrier.clocks, *asks):
                    barrier.phases.wait(phase, waiter._replace(told=told))
                found.append(_Asked(barrier, phase, waiting, is_known))
                if group.machine.recorder is not None:
                    group.machine.recorder.at_phase(Kind.ASK, group, op, barrier, phase)
        return found

    return asked


def _until_over(
    op: Operation, group: Group, asked: Sequence[_Asked], order: Order, far_order: Order
) -> Wait:
    """The wait of a group for the end of phases, with its orders of threads of the CTA and of
    others."""

    def learn() -> None:
        for barrier, phase, rows, _ in asked:
            if group.machine.recorder is not None:
                group.machine.recorder.at_phase(Kind.LEARN, group, op, barrier, phase)
            clocks = barrier.clocks
            clocks.acquire(rows, barrier.near, order)
            clocks.record(op, rows, barrier.near, order, False, acquires=True)
            if barrier.far is not None:
                clocks.acquire(rows, barrier.far, far_order, far=True)
                clocks.record(op, rows, barrier.far, far_order, True, acquires=True)

    return Wait(
        lambda: all(map(_Asked.is_over, asked)),
        learn,
        [each.barrier for each in asked if not each.is_over()],
    )


def _orders_of(op: Any) -> tuple[Order, Order]:
    """What a wait orders after arrivals of threads of the CTA, and of others."""
    # Canonical patterns of tcgen05 operations work with waits of any scope.
    return order_of(op), max(order_of(op, far=True), Order.RELAXED)


def _waiters(
    place: str,
    warp: Warp,
    rows: Rows,
    clocks: Clocks,
    parity: int | None = None,
    at_once: bool = False,
) -> Iterator[Waiter]:
    """Threads of a warp that wait, split into lanes that wait together: a thread ordered after one
    of them is ordered after all."""
    for part in warp.parts.of(warp.lanes_of(rows)):
        waiting = warp.rows[part]
        who, numbers = partial(_name, warp, part), clocks.numbers(waiting)
        yield Waiter(who, place, waiting, numbers, parity, at_once, (warp.cta.name, warp.index))


def _name(warp: Warp, part: Lanes) -> str:
    """Name of lanes of a warp, which may be all."""
    return warp.name if every(part == warp.initial) else warp.name_of(part)


def _wait(op: instructions.MbarrierWaitOp, program: Program) -> Step:
    asked, orders = _asked(op, program), _orders_of(op)
    return lambda group: _until_over(op, group, asked(group), *orders).or_go_on()


def _try_wait(op: Any, program: Program) -> Step:
    """Handler of try_wait and test_wait; the schedule decides when it times out."""
    if not op.done.uses:
        return _look(op, program)
    asked, orders, done = _asked(op, program), _orders_of(op), program.index(op.done)

    def step(group: Group) -> Wait | None:
        phases, warp = asked(group), group.warp

        def time_out() -> None:
            group.write(done, np.zeros(WARP_LANES, np.bool_))
            for barrier, phase, rows, _ in phases:
                barrier.phases.give_up(phase, rows)

        is_known = all(each.is_known for each in phases)
        if not is_known and group.machine.schedule.gives_up(op, warp):
            time_out()
            return None
        group.write(done, np.ones(WARP_LANES, np.bool_))
        return _until_over(op, group, phases, *orders)._replace(time_out=time_out).or_go_on()

    return step


def _look(op: Operation, program: Program) -> Step:
    """Handler of a try_wait whose result is unused; it orders nothing."""
    barriers = _own_barriers(op, program)

    def step(group: Group) -> None:
        for barrier, rows in barriers(group):
            for waiter in _waiters(place_of(op), group.warp, rows, barrier.clocks):
                barrier.phases.look(waiter)

    return step


_OBJECT_BYTES = BARRIER_OBJECT.bytes
PHASE_BITS = 32
"""Low bits of the state of a barrier object, which hold the number of the phase."""

HANDLERS: dict[type[Operation], Handler] = {
    instructions.MbarrierInitOp: _init,
    instructions.MbarrierInvalOp: _inval,
    instructions.MbarrierArriveOp: arrive,
    instructions.MbarrierArriveStateOp: arrive,
    instructions.MbarrierArriveRemoteOp: arrive,
    instructions.MbarrierArriveExpectTxOp: arrive,
    instructions.MbarrierArriveExpectTxStateOp: arrive,
    instructions.MbarrierArriveExpectTxRemoteOp: arrive,
    instructions.MbarrierExpectTxOp: arrive,
    instructions.MbarrierExpectTxRemoteOp: arrive,
    instructions.MbarrierWaitOp: _wait,
    instructions.MbarrierTryWaitParityOp: _try_wait,
    instructions.MbarrierTestWaitParityOp: _try_wait,
    instructions.MbarrierTryWaitOp: _try_wait,
    instructions.MbarrierTestWaitOp: _try_wait,
}


def issue_tracked(
    op: Operation,
    group: Group,
    lane: int,
    place: tuple[Cta, int],
    size: int,
    touch: Callable[[Access], None],
    steps: Sequence[Callable[[], None]],
) -> None:
    """Issue an operation of a lane, which after its steps completes `size` bytes on the barrier
    object at a place. `touch` checks its accesses. Raises OperationError."""
    (completion,) = completions_of(op)
    owner, address = place
    barrier = owner.mbarrier(op, address)
    judge, clocks, rows = group.machine.judge, barrier.clocks, group.warp.rows[[lane]]
    remote, phases = op if owner is not group.warp.cta else None, barrier.phases
    check_visible(op, barrier, rows, judge, remote is not None)
    issued = completion.at(barrier.name, phases.over)
    access = judge.operation(
        op, group.warp, rows, phases.component, completion=issued, lanes=group.width
    )
    touch(access)
    message = clocks.release(rows)
    barrier.use(phases.component, PENDING, remote)
    came = group.warp.brings(op, completed=size)

    def complete() -> None:
        judge.events.complete(access.first, phases.over + 1)
        barrier.use(phases.component, phases.over + 1, remote)
        barrier.complete(came, message)

    group.machine.issue(Task(op, [*steps, complete], signals=barrier))


def component(clocks: Clocks, groups: BulkGroups, lane: int, completion: Completion) -> int:
    """Clock component that counts the groups of a lane with a completion."""
    return clocks.component((groups, lane, completion))


def issue_grouped(
    op: Operation,
    group: Group,
    lane: int,
    touch: Callable[[Access, Access], None],
    read: Callable[[], None],
    write: Callable[[], None],
) -> BulkStore:
    """Issue an operation of a lane as part of its current bulk group: it reads its source, and
    writes later. `touch` checks these two accesses. Raises OperationError."""
    warp, groups = group.warp, group.warp.bulk_groups
    completions, store = completions_of(op), BulkStore()
    groups.add(lane, store)
    clocks, number = warp.cta.cluster.clocks, groups.number(lane) + 1
    accesses = (
        group.machine.judge.operation(
            op,
            warp,
            warp.rows[[lane]],
            component(clocks, groups, lane, completion),
            number,
            completion,
            group.width,
        )
        for completion in completions
    )
    reading, writing = accesses
    touch(reading, writing)
    source_read, written = completions

    def read_source() -> None:
        read()
        store.reached.add(source_read)

    def complete() -> None:
        store.reached.add(written)

    group.machine.issue(Task(op, [read_source, write, complete], signals=store))
    return store

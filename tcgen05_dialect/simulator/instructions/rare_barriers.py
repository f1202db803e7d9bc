"""
Barriers of a CTA that combine a predicate of all threads (9.7.13.1).

Instructions for the work of clusters that have not started (9.7.13.16).

Proxy fences, fences with .sync_restrict, and membar (9.7.13.4).

Less usual instructions for barrier objects (9.7.13.15).

Votes, matches and reductions in a warp (9.7.13.8 to 9.7.13.12).
"""

from collections.abc import Callable, Sequence
from functools import partial, reduce
from typing import Any

import numpy as np
from xdsl.ir import Operation

from ...isa.instructions.barriers import DIMENSIONS, RESPONSE
from ...isa.model.rule import raise_any
from ...isa.practice import BARRIER, LAST_REQUEST
from ...isa.tensor_memory.alloc import WARP_LANES
from ...ptx import instructions as ptx
from ...ptx.text.syntax import offset_of
from ..machine.errors import fault
from ..machine.machine import Group, Step, Wait
from ..machine.program import Handler, Program, computing, nothing, pure
from ..machine.state import Cta, coordinate, is_canceled, response_to
from ..machine.tensor_memory import Bytes, Memory
from ..numbers import floats
from ..numbers.floats import F32, Lanes, dtype_of, every, some
from ..numbers.integers import on_integers
from ..order.events import Access
from ..order.shadow import Where
from .bulk_copy import shared_address
from .mbarrier import PHASE_BITS, arrive, barriers_of, issue_tracked, operand_of, threads_use
from .synchronization import after, arrival, exchanging, fence, order_of, proxy_fence


def _reduce(op: Any, program: Program) -> Step:
    """Handler of a barrier that combines the predicates of the threads that meet at it."""
    arrive, kind = arrival(op, program), "popc"
    if isinstance(op, ptx.BarRedOp):
        kind = op.operation.data
    a, result, dtype = program.index(op.a), program.index(op.d), dtype_of(op.d.type)

    def step(group: Group) -> Wait | None:
        held = int(np.count_nonzero(group.read(a) & group.mask))
        votes = held, group.width - held
        meeting = arrive(group)
        meeting.votes.append(votes)
        wait = after(op, {meeting: group.rows}, group.warp.cta.cluster.clocks)

        def finish() -> None:
            wait.then()
            if len(meeting.votes) != len(meeting.came):
                found = (
                    f"some threads meet at {meeting.name} by bar.red, others by another instruction"
                )
                raise fault(op, BARRIER, found)
            held, failed = map(sum, zip(*meeting.votes, strict=True))
            value = {"and": failed == 0, "or": held > 0, "popc": held}[kind]
            group.write(result, np.full(WARP_LANES, value, dtype))

        return wait._replace(then=finish).or_go_on()

    return step


def _try_cancel(op: ptx.ClusterlaunchcontrolTryCancelOp, program: Program) -> Step:
    address, mbarrier = (shared_address(op, program, name) for name in ("address", "mbarrier"))

    def step(group: Group) -> None:
        cluster, here = group.warp.cta.cluster, group.warp.cta
        for lane in group.lanes:
            at, barrier = address(group, lane), mbarrier(group, lane)
            raise_any(RESPONSE.address_violations(at))
            _check_goes_on(op, group, lane)
            cancelled = group.machine.cancel()
            for cta in [here] if op.multicast is None else cluster.ctas:
                shift = cta.shared.base - here.shared.base
                memory, start = cluster.space.find(op, at + shift, RESPONSE.bytes)
                place = cta, barrier + shift
                if cancelled is None:
                    cta.failed.append(start)
                response = response_to(cancelled)
                _issue(op, group, lane, place, (memory, start), response)

    return step


def _check_goes_on(op: Operation, group: Group, lane: int) -> None:
    """Raise OperationError if the thread knows that its CTA has read a response that says that no
    launch was cancelled."""
    cta, events = group.warp.cta, group.machine.judge.events
    known = cta.cluster.clocks.told(group.warp.rows[[lane]])
    for start in cta.failed:
        response = Where.span(start, start + RESPONSE.bytes)
        for ids, is_write in cta.shared.shadow.accesses(response):
            seen = ids[(ids != 0) & events.are_in(known, ids)]
            if seen.size and not is_write:
                reader = events.source(int(seen[0]))
                found = f"{reader} has read the response to a request that failed"
                raise fault(op, LAST_REQUEST, found, related=reader.op)


def _issue(
    op: Operation,
    group: Group,
    lane: int,
    place: tuple[Cta, int],
    target: tuple[Memory, int],
    response: Bytes,
) -> None:
    """Issue the task that writes a response."""
    memory, start = target
    cells = slice(start, start + RESPONSE.bytes)

    def touch(access: Access) -> None:
        group.machine.judge.write(access, memory, Where.span(start, start + RESPONSE.bytes))

    def write() -> None:
        memory.bytes[cells] = response
        memory.written[cells] = True

    issue_tracked(op, group, lane, place, RESPONSE.bytes, touch, [write])


def _first_cta(op: ptx.ClusterlaunchcontrolFirstCtaOp) -> Callable[[Lanes], Lanes]:
    return partial(coordinate, DIMENSIONS.index(op.coordinate.data))


def _first_cta_vector(op: ptx.ClusterlaunchcontrolFirstCtaVectorOp, program: Program) -> Step:
    response, results = program.index(op.response), program.operands(op, "coordinates")

    def step(group: Group) -> None:
        for index, result in enumerate(results):
            group.write(result, coordinate(index, group.read(response)))

    return step


def _acquire_map(op: ptx.FenceProxyTensormapAcquireOp, program: Program) -> Step:
    """Step that makes the changes of a tensor map visible to copies."""
    order = fence(op, program)
    index, offset = program.index(op.address), offset_of(op, "address")

    def step(group: Group) -> Wait | None:
        addresses = group.read(index)
        for lane in group.lanes:
            group.machine.changed_maps.pop(int(addresses[lane]) + offset, None)
        return order(group)

    return step


def _complete_tx(op: Any, program: Program) -> Step:
    barriers, completed = barriers_of(op, program), operand_of(op, program, "bytes")

    def step(group: Group) -> None:
        cluster = group.warp.cta.cluster
        for cta, address, rows in barriers(group):
            far = cta is not group.warp.cta
            if far and not op.is_remote:
                raise fault(op, BARRIER, f"the mbarrier is in {cta.name}, not in the executing CTA")
            barrier = cta.mbarrier(op, address)
            threads_use(op, barrier, rows, group.machine.judge, far)
            given = completed(group, rows)
            assert given is not None
            came = group.warp.brings(op, completed=int(given.sum(dtype=np.int64)))
            barrier.complete(came, cluster.clocks.release(rows, order_of(op, far), far))

    return step


def _pending_count(state: Lanes) -> Lanes:
    return (state >> np.uint64(PHASE_BITS)).astype(np.uint32)


_drop = partial(arrive, drops=True)


_BITS = np.uint32(1) << np.arange(WARP_LANES, dtype=np.uint32)


def _as_mask(lanes: Lanes) -> int:
    """The mask of some lanes."""
    return int(_BITS[lanes].sum(dtype=np.uint64))


def _vote(op: ptx.VoteSyncOp, lanes: Lanes, a: Lanes) -> Sequence[Lanes]:
    holds = a[lanes]
    result = {
        "all": every(holds),
        "any": some(holds),
        "uni": every(holds) or not some(holds),
    }[op.mode.data]
    return [np.full(WARP_LANES, result)]


def _ballot(op: Operation, lanes: Lanes, a: Lanes) -> Sequence[Lanes]:
    return [np.full(WARP_LANES, _as_mask(lanes & a), np.uint32)]


def _match_any(op: Operation, lanes: Lanes, a: Lanes) -> Sequence[Lanes]:
    masks = [_as_mask(lanes & (a == a[lane])) for lane in range(WARP_LANES)]
    return [np.array(masks, np.uint32)]


def _match_all(op: Operation, lanes: Lanes, a: Lanes) -> Sequence[Lanes]:
    agree = every(a[lanes] == a[lanes][0])
    mask = _as_mask(lanes) if agree else 0
    return [np.full(WARP_LANES, mask, np.uint32), np.full(WARP_LANES, agree)]


_FUNCTIONS: dict[str, Any] = {
    "add": np.add,
    "min": np.minimum,
    "max": np.maximum,
    "and": np.bitwise_and,
    "or": np.bitwise_or,
    "xor": np.bitwise_xor,
}


def _redux(op: ptx.ReduxSyncOp, lanes: Lanes, a: Lanes) -> Sequence[Lanes]:
    function, type_ = _FUNCTIONS[op.operation.data], op.type.data
    if type_ == "f32":
        if op.abs is not None:
            a = a & ~F32.sign
        combine = floats.extremum(function, F32, False, op.nan is not None)
    else:
        combine = on_integers(type_, function)
    parts = [a[[lane]] for lane in np.flatnonzero(lanes)]
    return [np.repeat(reduce(combine, parts), WARP_LANES)]


def _activemask(op: ptx.ActivemaskOp, program: Program) -> Step:
    result = program.index(op.d)

    def step(group: Group) -> None:
        group.write(result, np.full(WARP_LANES, _as_mask(group.mask), np.uint32))

    return step


HANDLERS: dict[type[Operation], Handler] = {
    ptx.BarRedOp: _reduce,
    ptx.BarRedPopcOp: _reduce,
    ptx.ClusterlaunchcontrolTryCancelOp: _try_cancel,
    ptx.ClusterlaunchcontrolIsCanceledOp: pure(is_canceled),
    ptx.ClusterlaunchcontrolFirstCtaOp: computing(_first_cta),
    ptx.ClusterlaunchcontrolFirstCtaVectorOp: _first_cta_vector,
    ptx.MembarOp: fence,
    # Each memory has one virtual address.
    ptx.FenceProxyAliasOp: nothing,
    ptx.FenceProxyTensormapReleaseOp: fence,
    ptx.FenceProxyTensormapAcquireOp: _acquire_map,
    ptx.FenceAcquireSyncRestrictOp: fence,
    ptx.FenceReleaseSyncRestrictOp: fence,
    ptx.FenceProxyAsyncAcquireOp: proxy_fence,
    ptx.FenceProxyAsyncReleaseOp: proxy_fence,
    ptx.MbarrierArriveDropOp: _drop,
    ptx.MbarrierArriveDropStateOp: _drop,
    ptx.MbarrierArriveDropRemoteOp: _drop,
    ptx.MbarrierArriveDropExpectTxOp: _drop,
    ptx.MbarrierArriveDropExpectTxStateOp: _drop,
    ptx.MbarrierArriveDropExpectTxRemoteOp: _drop,
    ptx.MbarrierArriveNoCompleteOp: partial(arrive, completes=False),
    ptx.MbarrierArriveDropNoCompleteOp: partial(arrive, drops=True, completes=False),
    ptx.MbarrierCompleteTxOp: _complete_tx,
    ptx.MbarrierCompleteTxRemoteOp: _complete_tx,
    ptx.MbarrierPendingCountOp: pure(_pending_count),
    ptx.VoteSyncOp: exchanging(_vote),
    ptx.VoteSyncBallotOp: exchanging(_ballot),
    ptx.MatchSyncAnyOp: exchanging(_match_any),
    ptx.MatchSyncAllOp: exchanging(_match_all),
    ptx.ReduxSyncOp: exchanging(_redux),
    ptx.ActivemaskOp: _activemask,
}

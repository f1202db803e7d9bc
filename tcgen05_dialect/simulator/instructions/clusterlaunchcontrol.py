"""Instructions for the work of clusters that have not started (9.7.13.16)."""

from functools import partial

from xdsl.ir import Operation

from ...isa.completion import Completion
from ...isa.instructions.barriers import DIMENSIONS, RESPONSE
from ...isa.model.rule import raise_any
from ...isa.practice import LAST_REQUEST
from ...ptx import instructions as ptx
from ...ptx.effects import completions_of
from ..machine.errors import fault
from ..machine.machine import Group, Step, Wait
from ..machine.memory import Bytes, Memory
from ..machine.program import Handler, Program, computing, pure
from ..machine.state import Cta, coordinate, is_canceled, response_to
from ..order.events import Access
from ..order.where import Where
from .bulk_copy import shared_address
from .transactions import tracked


def _try_cancel(op: ptx.ClusterlaunchcontrolTryCancelOp, program: Program) -> Step:
    address, mbarrier = (shared_address(op, program, name) for name in ("address", "mbarrier"))
    (completion,) = completions_of(op)

    def step(group: Group) -> Wait | None:
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
                _issue(op, group, lane, place, completion, (memory, start), response)
        return None

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
    completion: Completion,
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

    task = tracked(op, group, lane, place, completion, RESPONSE.bytes, touch, [write])
    group.machine.issue(task)


def _first_cta(op: ptx.ClusterlaunchcontrolFirstCtaOp, program: Program) -> Step:
    index = DIMENSIONS.index(op.coordinate.data)
    return computing(op, program, partial(coordinate, index))


def _first_cta_vector(op: ptx.ClusterlaunchcontrolFirstCtaVectorOp, program: Program) -> Step:
    response, results = program.index(op.response), program.operands(op, "coordinates")

    def step(group: Group) -> Wait | None:
        for index, result in enumerate(results):
            group.write(result, coordinate(index, group.read(response)))
        return None

    return step


HANDLERS: dict[type[Operation], Handler] = {
    ptx.ClusterlaunchcontrolTryCancelOp: _try_cancel,
    ptx.ClusterlaunchcontrolIsCanceledOp: pure(is_canceled),
    ptx.ClusterlaunchcontrolFirstCtaOp: _first_cta,
    ptx.ClusterlaunchcontrolFirstCtaVectorOp: _first_cta_vector,
}

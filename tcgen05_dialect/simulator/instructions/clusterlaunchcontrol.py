"""
Clusters that take over the work of clusters that have not started (9.7.13.16).

The manual leaves the response opaque. Here it has the coordinates of the first CTA of the cancelled
cluster, and a last word that is one if there is such a cluster.
"""

from collections.abc import Sequence

import numpy as np
from xdsl.ir import Operation

from ...isa.completion import Completion
from ...isa.model.rule import raise_any
from ...isa.ptx.clusterlaunchcontrol import DIMENSIONS, RESPONSE
from ...ptx import clusterlaunchcontrol as ptx
from ...ptx.effects import completions_of
from ..machine.machine import Group, Step, Wait
from ..machine.memory import Memory
from ..machine.program import Handler, Program, computing, pure
from ..machine.state import Cta
from ..numbers.lanes import Lanes
from ..order.events import Access
from ..order.where import Where
from .bulk_copy import shared_address
from .transactions import tracked

_WORDS = RESPONSE.bytes // 4


def _words(response: Lanes) -> Lanes:
    """Responses as lanes x words."""
    return np.ascontiguousarray(response).view(np.uint32).reshape(-1, _WORDS)


def _try_cancel(op: ptx.ClusterlaunchcontrolTryCancelOp, program: Program) -> Step:
    address, mbarrier = (shared_address(op, program, name) for name in ("address", "mbarrier"))
    (completion,) = completions_of(op)

    def step(group: Group) -> Wait | None:
        cluster, here = group.warp.cta.cluster, group.warp.cta
        for lane in group.lanes:
            at, barrier = address(group, lane), mbarrier(group, lane)
            raise_any(RESPONSE.address_violations(at))
            cancelled = group.machine.cancel()
            words = (0, 0, 0, 0) if cancelled is None else (*cancelled, 1)
            for cta in [here] if op.multicast is None else cluster.ctas:
                shift = cta.shared.base - here.shared.base
                memory, start = cluster.space.find(op, at + shift, RESPONSE.bytes)
                place = cta, barrier + shift
                _issue(op, group, lane, place, completion, (memory, start), words)
        return None

    return step


def _issue(
    op: Operation,
    group: Group,
    lane: int,
    place: tuple[Cta, int],
    completion: Completion,
    target: tuple[Memory, int],
    words: Sequence[int],
) -> None:
    """Issue the task that writes a response."""
    memory, start = target
    cells = slice(start, start + RESPONSE.bytes)

    def touch(access: Access) -> None:
        group.machine.judge.write(access, memory, Where.span(start, start + RESPONSE.bytes))

    def write() -> None:
        memory.bytes[cells] = np.array(words, np.uint32).view(np.uint8)
        memory.written[cells] = True

    task = tracked(op, group, lane, place, completion, RESPONSE.bytes, touch, [write])
    group.machine.issue(task)


def _canceled(response: Lanes) -> Lanes:
    return _words(response)[:, -1] != 0


def _first_cta(op: ptx.ClusterlaunchcontrolFirstCtaOp, program: Program) -> Step:
    index = DIMENSIONS.index(op.coordinate.data)

    def coordinate(response: Lanes) -> Lanes:
        return _words(response)[:, index].copy()

    return computing(op, program, coordinate)


def _first_cta_vector(op: ptx.ClusterlaunchcontrolFirstCtaVectorOp, program: Program) -> Step:
    response, results = program.index(op.response), program.operands(op, "coordinates")

    def step(group: Group) -> Wait | None:
        words = _words(group.read(response))
        for index, result in enumerate(results):
            group.write(result, words[:, index].copy())
        return None

    return step


HANDLERS: dict[type[Operation], Handler] = {
    ptx.ClusterlaunchcontrolTryCancelOp: _try_cancel,
    ptx.ClusterlaunchcontrolIsCanceledOp: pure(_canceled),
    ptx.ClusterlaunchcontrolFirstCtaOp: _first_cta,
    ptx.ClusterlaunchcontrolFirstCtaVectorOp: _first_cta_vector,
}

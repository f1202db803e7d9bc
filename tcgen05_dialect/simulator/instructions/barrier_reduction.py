"""Barriers of a CTA that combine a predicate of all threads (9.7.13.1)."""

from collections.abc import Callable
from typing import Any

import numpy as np
from xdsl.ir import Operation

from ...isa.practice import BARRIER
from ...isa.tensor_memory.alloc import WARP_LANES
from ...ptx import instructions as ptx
from ..machine.errors import fault
from ..machine.machine import Group, Step, Wait
from ..machine.program import Handler, Program
from ..numbers.floats import dtype_of
from .synchronization import after, arrival

Combine = Callable[[int, int], int]
"""Combines the numbers of threads in which the predicate holds, and in which not."""


def _both(held: int, failed: int) -> int:
    return int(failed == 0)


def _any(held: int, failed: int) -> int:
    return int(held > 0)


def _count(held: int, failed: int) -> int:
    return held


def _reducing(choose: Callable[[Any], Combine]) -> Handler:
    def handler(op: Any, program: Program) -> Step:
        arrive, combine = arrival(op, program), choose(op)
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
                        f"some threads meet at {meeting.name} by bar.red, others by another "
                        "instruction"
                    )
                    raise fault(op, BARRIER, found)
                value = combine(*map(sum, zip(*meeting.votes, strict=True)))
                group.write(result, np.full(WARP_LANES, value, dtype))

            return wait._replace(then=finish).or_go_on()

        return step

    return handler


def _of_predicates(op: ptx.BarRedOp) -> Combine:
    return _both if op.operation.data == "and" else _any


def _of_counts(op: ptx.BarRedPopcOp) -> Combine:
    return _count


HANDLERS: dict[type[Operation], Handler] = {
    ptx.BarRedOp: _reducing(_of_predicates),
    ptx.BarRedPopcOp: _reducing(_of_counts),
}
"""Operation -> builder of its function."""

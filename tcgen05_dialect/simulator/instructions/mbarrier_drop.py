"""Less usual instructions for barrier objects (9.7.13.15)."""

from functools import partial
from typing import Any

import numpy as np
from xdsl.ir import Operation

from ...isa.practice import BARRIER
from ...ptx import instructions as ptx
from ..machine.errors import fault
from ..machine.machine import Group, Step, Wait
from ..machine.program import Handler, Program, pure
from ..numbers.floats import Lanes
from .mbarrier import PHASE_BITS, arrive, barriers_of, operand_of, threads_use
from .synchronization import order_of


def _complete_tx(op: Any, program: Program) -> Step:
    barriers, completed = barriers_of(op, program), operand_of(op, program, "bytes")

    def step(group: Group) -> Wait | None:
        cluster = group.warp.cta.cluster
        for cta, address, rows in barriers(group):
            far = cta is not group.warp.cta
            if far and not op.is_remote:
                raise fault(op, BARRIER, f"the mbarrier is in {cta.name}, not in the executing CTA")
            barrier = cta.mbarrier(op, address)
            threads_use(op, barrier, rows, far)
            given = completed(group, rows)
            assert given is not None
            came = group.warp.brings(op, completed=int(given.sum(dtype=np.int64)))
            barrier.complete(came, cluster.clocks.release(rows, order_of(op, far), far))
        return None

    return step


def _pending_count(state: Lanes) -> Lanes:
    return (state >> np.uint64(PHASE_BITS)).astype(np.uint32)


_drop = partial(arrive, drops=True)

HANDLERS: dict[type[Operation], Handler] = {
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
}

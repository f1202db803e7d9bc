"""
createpolicy (9.7.9.18).

Caches are not modelled. The manual leaves the value of a policy open; here all are zero.
"""

import numpy as np
from xdsl.ir import Operation

from ...isa.tensor_memory.alloc import WARP_LANES
from ...ptx import instructions as ptx
from ..machine.machine import Group, Step, Wait
from ..machine.program import Handler, Program


def _policy(op: Operation, program: Program) -> Step:
    result = program.index(op.results[0])

    def step(group: Group) -> Wait | None:
        group.write(result, np.zeros(WARP_LANES, np.uint64))
        return None

    return step


HANDLERS: dict[type[Operation], Handler] = {
    ptx.CreatepolicyFractionalOp: _policy,
    ptx.CreatepolicyRangeOp: _policy,
    ptx.CreatepolicyCvtOp: _policy,
}

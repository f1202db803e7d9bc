"""
Instructions on cache lines (9.7.9.15, 9.7.9.16, 9.7.9.17).

createpolicy (9.7.9.18).

Caches are not modelled. The manual leaves the value of a policy open; here all are zero.

Accesses to memory of several GPUs (9.7.9.14). The emulator has one GPU.
"""

import numpy as np
from xdsl.ir import Operation

from ...isa.tensor_memory.alloc import WARP_LANES
from ...ptx import instructions as ptx
from ...ptx.effects import bytes_at
from ...ptx.syntax import offset_of
from ..machine.machine import Group, Step, Wait
from ..machine.program import Handler, Program, nothing, unsupported


def _discard(op: ptx.DiscardOp, program: Program) -> Step:
    address, offset = program.index(op.address), offset_of(op, "address")
    size = bytes_at(op, "address")

    def step(group: Group) -> Wait | None:
        addresses = group.read(address).astype(np.int64) + offset
        space = group.machine.global_space
        for memory, lanes, where in space.parts(op, addresses, group.mask, size):
            group.machine.judge.threads(op, group.warp, memory, lanes, where, True)
            # Without data, all bytes of global memory count as written.
            if group.machine.computes:
                memory.written[where.index] = False
        return None

    return step


def _policy(op: Operation, program: Program) -> Step:
    result = program.index(op.results[0])

    def step(group: Group) -> Wait | None:
        group.write(result, np.zeros(WARP_LANES, np.uint64))
        return None

    return step


_access = unsupported("addresses of the memory of several GPUs")


HANDLERS: dict[type[Operation], Handler] = {
    # Caches are not modelled.
    ptx.PrefetchuOp: nothing,
    ptx.ApplypriorityOp: nothing,
    ptx.DiscardOp: _discard,
    ptx.CreatepolicyFractionalOp: _policy,
    ptx.CreatepolicyRangeOp: _policy,
    ptx.CreatepolicyCvtOp: _policy,
    ptx.MultimemLdReduceOp: _access,
    ptx.MultimemStOp: _access,
    ptx.MultimemRedOp: _access,
}

"""Instructions on cache lines (9.7.9.15, 9.7.9.16, 9.7.9.17)."""

import numpy as np
from xdsl.ir import Operation

from ...ptx import instructions as ptx
from ...ptx.effects import bytes_at
from ...ptx.syntax import offset_of
from ..machine.machine import Group, Step, Wait
from ..machine.program import Handler, Program, nothing


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


HANDLERS: dict[type[Operation], Handler] = {
    # Caches are not modelled.
    ptx.PrefetchuOp: nothing,
    ptx.ApplypriorityOp: nothing,
    ptx.DiscardOp: _discard,
}

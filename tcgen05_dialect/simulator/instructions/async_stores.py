"""
Asynchronous stores and reductions by threads, and stores of zeros (9.7.9.12, 9.7.9.13, 9.7.13.7).

Choice that the manual leaves open: stores and reductions in global memory, whose completion no
thread can observe, take place at once.
"""

from typing import Any

import numpy as np
from xdsl.ir import Operation

from ...isa.practice import BARRIER, BOUNDS, UNWRITTEN
from ...isa.ptx.registers import OPERAND_BITS
from ...ptx import instructions as ptx
from ...ptx.effects import bytes_at, completions_of
from ...ptx.syntax import offset_of
from ..machine.errors import fault
from ..machine.machine import Group, Step, Wait
from ..machine.memory import SHARED_WINDOW, Memory, data_of
from ..machine.program import Handler, Program
from ..numbers.floats import Lanes, every, unsigned
from ..numbers.integers import Combine, combination
from ..order.events import Access
from ..order.where import Where
from .atomics import reduction
from .bulk_copy import shared_address
from .memory import store
from .transactions import tracked


def _async(op: Any, program: Program) -> Step:
    """Handler of a store or a reduction in shared memory of a cluster."""
    address, mbarrier = (shared_address(op, program, name) for name in ("address", "mbarrier"))
    combine: Combine | None = None
    if isinstance(op, ptx.RedAsyncOp):
        combine = combination(op.operation.data, op.type.data, False)
    values = program.operands(op, "values" if combine is None else "value")
    dtype, size = unsigned(OPERAND_BITS[op.type.data]), bytes_at(op, "address")
    (completion,) = completions_of(op)

    def step(group: Group) -> Wait | None:
        machine, cluster = group.machine, group.warp.cta.cluster
        data = data_of([group.read(value).astype(dtype, copy=False) for value in values])
        for lane in group.lanes:
            at, barrier = address(group, lane), mbarrier(group, lane)
            memory, start = cluster.space.find(op, at, size)
            owner = cluster.cta_of(op, barrier)
            if owner.shared is not memory:
                found = f"the store is to {memory.name}, but its mbarrier is in {owner.name}"
                raise fault(op, BARRIER, found, "signal the CTA to which the store goes")
            cells = slice(start, start + size)

            def touch(access: Access, memory: Memory = memory, start: int = start) -> None:
                where = Where.span(start, start + size)
                memory.check_opaque(op, where)
                machine.judge.write(access, memory, where)

            def write(
                memory: Memory = memory, cells: slice = cells, given: Lanes = data[lane]
            ) -> None:
                if combine is not None:
                    if not every(memory.written[cells]):
                        found = f"{size} bytes at {memory.place(cells.start)} were never written"
                        raise fault(op, UNWRITTEN, found)
                    old = memory.bytes[cells].view(dtype)
                    given = combine(old, given.view(dtype)).astype(dtype).view(np.uint8)
                memory.bytes[cells] = given
                memory.written[cells] = True

            place = owner, barrier
            machine.issue(tracked(op, group, lane, place, completion, size, touch, [write]))
        return None

    return step


def _bulk(op: ptx.StBulkOp, program: Program) -> Step:
    address, size = program.index(op.address), program.index(op.size)
    shift = offset_of(op, "address") - (SHARED_WINDOW if op.is_generic else 0)

    def step(group: Group) -> Wait | None:
        cta, lanes = group.warp.cta, group.lanes
        addresses, sizes = (group.read(each).astype(np.int64) for each in (address, size))
        for lane in lanes:
            count = int(sizes[lane])
            memory, start = cta.cluster.space.find(op, int(addresses[lane]) + shift, max(1, count))
            if memory is not cta.shared:
                found = f"{cta.name} executes it, but it clears {memory.name}"
                raise fault(op, BOUNDS, found, "clear the shared memory of the executing CTA")
            if count:
                where = Where.runs(np.array([start]), count)
                memory.check_opaque(op, where)
                group.machine.judge.threads(op, group.warp, memory, np.array([lane]), where, True)
                memory.bytes[start : start + count] = 0
                memory.written[start : start + count] = True
        return None

    return step


def _store(op: ptx.StAsyncGlobalOp, program: Program) -> Step:
    return store(op, program, [op.value])


HANDLERS: dict[type[Operation], Handler] = {
    ptx.StAsyncOp: _async,
    ptx.RedAsyncOp: _async,
    ptx.StAsyncGlobalOp: _store,
    ptx.RedAsyncGlobalOp: reduction,
    ptx.StBulkOp: _bulk,
}

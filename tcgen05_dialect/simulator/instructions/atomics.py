"""
Atomic operations and reductions on memory (9.7.13.5, 9.7.13.6).

Choices that the manual leaves open: the lanes of a warp come in order. The addition of f32 in
global memory flushes subnormal numbers, as the manual says of current hardware.

Asynchronous stores and reductions by threads, and stores of zeros (9.7.9.12, 9.7.9.13, 9.7.13.7).

Choice that the manual leaves open: stores and reductions in global memory, whose completion no
thread can observe, take place at once.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from xdsl.ir import Operation

from ...isa.effects.model import StateSpace
from ...isa.practice import BARRIER, BOUNDS, UNWRITTEN
from ...isa.ptx.ptx_text import OPERAND_BITS
from ...ptx import instructions as ptx
from ...ptx.effects import bytes_at
from ...ptx.text.syntax import offset_of, word_of
from ..machine.errors import fault
from ..machine.machine import Group, Step
from ..machine.program import Handler, Program
from ..machine.tensor_memory import SHARED_WINDOW, Bytes, Memory, data_of, words
from ..numbers.floats import Lanes, every, unsigned
from ..numbers.integers import Combine, combination
from ..order.clocks import Known, join
from ..order.events import Access
from ..order.shadow import Where
from .arithmetic import each_part
from .bulk_copy import shared_address
from .mbarrier import issue_tracked
from .memory import post, receive, spaces, store

Change = Callable[[Memory, Lanes, list[Lanes]], Lanes]
"""The new elements in memory, from the old ones and the operands of the lanes."""


def _joined(old: Mapping[int, Known], new: Mapping[int, Known]) -> dict[int, Known]:
    found = dict(old)
    for index, numbers in new.items():
        found[index] = join(found[index], numbers) if index in found else numbers
    return found


def _pass_on(op: Operation, group: Group, memory: Memory, lane: int, offset: int) -> None:
    """Acquire what was posted at a place and post it again, with what the thread releases: a later
    reader learns of all earlier operations on the place."""
    warp, old = group.warp, memory.messages.get(offset)
    rows = warp.rows[[lane]]
    new = post(op, warp, rows)
    if old is not None:
        if (message := receive(op, warp, rows, old)) is not None:
            new = new._replace(near=join(new.near, message), far=join(new.far, old.far))
        if new.outside:
            new = new._replace(outside=_joined(old.outside, new.outside))
    memory.messages[offset] = new


def _rounds(starts: Lanes) -> Iterator[Lanes]:
    """The indices of accesses in rounds; in one round, they start at different places."""
    left = np.arange(starts.size)
    while left.size:
        _, first = np.unique(starts[left], return_index=True)
        yield left[np.sort(first)]
        left = np.delete(left, first)


def _atomic(op: Any, program: Program, operands: list[int], change: Change, results: str) -> Step:
    address, offset = program.index(op.address), offset_of(op, "address")
    targets = program.operands(op, results) if results else []
    space, dtype = word_of(op, "space"), unsigned(OPERAND_BITS[op.type.data])
    count = bytes_at(op, "address") // np.dtype(dtype).itemsize
    size = np.dtype(dtype).itemsize * count

    def step(group: Group) -> None:
        state, addresses = spaces(op, group, space, group.read(address))
        given = [group.read(index) for index in operands]
        before = np.zeros((group.mask.size, size), np.uint8)
        for memory, lanes, where in state.parts(op, addresses + offset, group.mask, size):
            memory.check_opaque(op, where)
            group.machine.judge.threads(op, group.warp, memory, lanes, where, True)
            offsets: Any = where.index
            if not every(memory.written[offsets]):
                place = memory.place(int(offsets[~memory.written[offsets].all(axis=1)][0, 0]))
                raise fault(op, UNWRITTEN, f"{size} bytes at {place} were never written")
            for lane, first in zip(lanes.tolist(), offsets[:, 0].tolist(), strict=True):
                _pass_on(op, group, memory, lane, first)
            before[lanes] = changed(memory, offsets, [each[lanes] for each in given])
        if targets:
            for index, part in zip(targets, words(before, 8 * size // count), strict=True):
                group.write(index, part.copy())
        group.polls |= bool(targets)

    def changed(memory: Memory, offsets: Any, given: list[Lanes]) -> Bytes:
        """Change memory; returns the bytes before the operation of each lane."""
        old = np.zeros(offsets.shape, np.uint8)
        for some in _rounds(offsets[:, 0]):
            old[some] = memory.bytes[offsets[some]]
            elements = words(old[some], 8 * size // count)
            parts = [each[some].astype(dtype, copy=False) for each in given]
            operands_of = [parts] if count == 1 else [[part] for part in parts]
            new = [
                change(memory, element, its)
                for element, its in zip(elements, operands_of, strict=True)
            ]
            memory.bytes[offsets[some]] = data_of(new)
        return old

    return step


def _combining(op: Any) -> Change:
    operation, type_ = op.operation.data, op.type.data
    base = type_.removesuffix("x2")
    exact, flushed = combination(operation, base, False), combination(operation, base, True)
    if type_ != base:
        exact = each_part(type_, lambda format_: combination(operation, base, False))
    flushes = type_ == "f32" and word_of(op, "noftz") is None

    def change(memory: Memory, old: Lanes, operands: list[Lanes]) -> Lanes:
        is_global = memory.state_space is StateSpace.GLOBAL
        return (flushed if flushes and is_global else exact)(old, *operands)

    return change


def _compare(memory: Memory, old: Lanes, operands: list[Lanes]) -> Lanes:
    compare, value = operands
    return np.where(old == compare, value, old)


def _reducing(operands: str, results: str = "") -> Handler:
    def handler(op: Any, program: Program) -> Step:
        return _atomic(op, program, program.operands(op, operands), _combining(op), results)

    return handler


def _cas(op: ptx.AtomCasOp, program: Program) -> Step:
    operands = [program.index(op.compare), program.index(op.value)]
    return _atomic(op, program, operands, _compare, "d")


def _async(op: Any, program: Program) -> Step:
    """Handler of a store or a reduction in shared memory of a cluster."""
    address, mbarrier = (shared_address(op, program, name) for name in ("address", "mbarrier"))
    combine: Combine | None = None
    if isinstance(op, ptx.RedAsyncOp):
        combine = combination(op.operation.data, op.type.data, False)
    values = program.operands(op, "values" if combine is None else "value")
    dtype, size = unsigned(OPERAND_BITS[op.type.data]), bytes_at(op, "address")

    def step(group: Group) -> None:
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

            issue_tracked(op, group, lane, (owner, barrier), size, touch, [write])

    return step


def _bulk(op: ptx.StBulkOp, program: Program) -> Step:
    address, size = program.index(op.address), program.index(op.size)
    shift = offset_of(op, "address") - (SHARED_WINDOW if op.is_generic else 0)

    def step(group: Group) -> None:
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

    return step


def _store(op: ptx.StAsyncGlobalOp, program: Program) -> Step:
    return store(op, program, [op.value])


HANDLERS: dict[type[Operation], Handler] = {
    ptx.AtomOp: _reducing("value", "d"),
    ptx.AtomCasOp: _cas,
    ptx.AtomVectorOp: _reducing("values", "old"),
    ptx.RedOp: _reducing("value"),
    ptx.RedVectorOp: _reducing("values"),
    ptx.StAsyncOp: _async,
    ptx.RedAsyncOp: _async,
    ptx.StAsyncGlobalOp: _store,
    ptx.RedAsyncGlobalOp: _reducing("value"),
    ptx.StBulkOp: _bulk,
}

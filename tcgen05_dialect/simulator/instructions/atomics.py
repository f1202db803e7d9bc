"""
Atomic operations and reductions on memory (9.7.13.5, 9.7.13.6).

Choices that the manual leaves open: the lanes of a warp come in order. The addition of f32 in
global memory flushes subnormal numbers, as the manual says of current hardware.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np
from xdsl.ir import Operation

from ...isa.effects.model import CLUSTER_SCOPES, CTA_SCOPE, Ordering, StateSpace
from ...isa.ptx.registers import OPERAND_BITS
from ...ptx import instructions as ptx
from ...ptx.effects import bytes_at, orders_of, scope_of
from ...ptx.syntax import offset_of, word_of
from ..machine.errors import fault
from ..machine.machine import Group, Step, Wait
from ..machine.memory import UNWRITTEN, Bytes, Memory, Posted, data_of, words
from ..machine.program import Handler, Program
from ..numbers.floats import Lanes, every, unsigned
from ..numbers.integers import combination
from ..order.clocks import Clock, Known, Order, join
from .arithmetic import each_part
from .memory import spaces

Change = Callable[[Memory, Lanes, list[Lanes]], Lanes]
"""The new elements in memory, from the old ones and the operands of the lanes."""


def _order(op: Operation, ordering: Ordering, far: bool) -> Order:
    """What an operation orders as a release or as an acquire."""
    if far and scope_of(op) == CTA_SCOPE:
        return Order.NONE
    return Order.FULL if ordering in orders_of(op) else Order.RELAXED


def _joined(old: Mapping[int, Known], new: Mapping[int, Known]) -> dict[int, Known]:
    found = dict(old)
    for index, numbers in new.items():
        found[index] = join(found[index], numbers) if index in found else numbers
    return found


def _pass_on(op: Operation, group: Group, memory: Memory, lane: int, offset: int) -> None:
    """Acquire what was posted at a place and post it again, with what the thread releases: a later
    reader learns of all earlier operations on the place."""
    warp = group.warp
    clocks, rank = warp.cta.cluster.clocks, warp.cta.rank
    rows, beyond = warp.rows[[lane]], scope_of(op) not in CLUSTER_SCOPES
    old = memory.messages.get(offset)
    near, far = (
        clocks.release(rows, _order(op, Ordering.RELEASE, far), far) for far in (False, True)
    )
    for message, is_far in ((near, False), (far, True)):
        order = _order(op, Ordering.RELEASE, is_far)
        clocks.record(op, rows, message, order, is_far, acquires=False)
    outside: Mapping[int, Known] = {}
    if beyond:
        outside = {**clocks.others, clocks.index: far[Clock.SEEN]}
    if old is not None:
        is_far = old.rank != rank
        order = _order(op, Ordering.ACQUIRE, is_far)
        if old.clocks is clocks:
            message = old.far if is_far else old.near
            clocks.acquire(rows, message, order, is_far)
            clocks.record(op, rows, message, order, is_far, acquires=True)
            near, far = join(near, message), join(far, old.far)
        if beyond:
            clocks.learn(old.outside, _order(op, Ordering.ACQUIRE, far=True))
            outside = _joined(old.outside, outside)
    memory.messages[offset] = Posted(clocks, rank, near, far, outside)


def _rounds(starts: Lanes) -> Iterator[Lanes]:
    """The indices of accesses, in rounds in each of which they start at different places."""
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

    def step(group: Group) -> Wait | None:
        state, addresses = spaces(op, group, space, group.read(address))
        given = [group.read(index) for index in operands]
        before = np.zeros((group.mask.size, size), np.uint8)
        for memory, lanes, where in state.parts(op, addresses + offset, group.mask, size):
            memory.check_opaque(op, where)
            offsets: Any = where.index
            if not every(memory.written[offsets]):
                place = memory.place(int(offsets[~memory.written[offsets].all(axis=1)][0, 0]))
                raise fault(op, UNWRITTEN, f"{size} bytes at {place} were never written")
            group.machine.judge.threads(op, group.warp, memory, lanes, where, True)
            for lane, first in zip(lanes.tolist(), offsets[:, 0].tolist(), strict=True):
                _pass_on(op, group, memory, lane, first)
            before[lanes] = changed(memory, offsets, [each[lanes] for each in given])
        if targets:
            for index, part in zip(targets, words(before, 8 * size // count), strict=True):
                group.write(index, part.copy())
        group.polls |= bool(targets)
        return None

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


def _scalar(results: str) -> Handler:
    def handler(op: Any, program: Program) -> Step:
        return _atomic(op, program, [program.index(op.value)], _combining(op), results)

    return handler


reduction = _scalar("")
"""Handler of a reduction of one number."""


def _vector(results: str) -> Handler:
    def handler(op: Any, program: Program) -> Step:
        return _atomic(op, program, program.operands(op, "values"), _combining(op), results)

    return handler


def _cas(op: ptx.AtomCasOp, program: Program) -> Step:
    operands = [program.index(op.compare), program.index(op.value)]
    return _atomic(op, program, operands, _compare, "d")


HANDLERS: dict[type[Operation], Handler] = {
    ptx.AtomOp: _scalar("d"),
    ptx.AtomCasOp: _cas,
    ptx.AtomVectorOp: _vector("old"),
    ptx.RedOp: reduction,
    ptx.RedVectorOp: _vector(""),
}
"""Operation -> builder of its function."""

"""The numbers that an index takes, where loops with constant bounds and threads decide them."""

from collections.abc import Mapping
from typing import NamedTuple

from xdsl.dialects import arith, scf
from xdsl.ir import Block, Operation, SSAValue

from ..isa.tensor_memory.cells import WARP_LANES
from ..ptx.known_values import constant_value
from .base import enclosing
from .roles import RoleOp

Sum = Mapping[SSAValue | None, int]
"""A linear expression: the factor of each counter or thread number; at None, the constant part."""


class Range(NamedTuple):
    """The lowest and the highest number that an index takes."""

    lowest: int
    highest: int


def range_of(value: SSAValue | int, user: Operation) -> Range | None:
    """
    The range of an index where `user` uses it. None if it is not known: if it depends on anything
    but constants, counters of loops with constant bounds and the number of the thread, or if a
    condition decides whether the operation is executed.
    """
    if isinstance(value, int):
        return Range(value, value)
    if (number := constant_value(value)) is not None:
        return Range(number, number)
    for around in enclosing(user):
        if isinstance(around, RoleOp):
            break
        if around.name not in _AROUND:
            return None
    found = sum_of(value)
    if found is None:
        return None
    lowest = highest = 0
    for source, factor in found.items():
        if source is None:
            ends = factor, factor
        elif (range_ := _range_of_source(source)) is None:
            return None
        else:
            ends = factor * range_.lowest, factor * range_.highest
        lowest += min(ends)
        highest += max(ends)
    return Range(lowest, highest)


_AROUND = frozenset({scf.ForOp.name, "ws.produce", "ws.consume"})
"""Operations that execute what is in them on each path."""


def sum_of(value: SSAValue | int) -> Sum | None:
    """A value as a sum; None if it is none."""
    number = value if isinstance(value, int) else constant_value(value)
    if number is not None:
        return {None: number}
    assert isinstance(value, SSAValue)
    op = value.owner
    if isinstance(op, Block):
        return {value: 1}
    if not isinstance(op, arith.AddiOp | arith.SubiOp | arith.MuliOp):
        return None
    a, b = map(sum_of, op.operands)
    if a is None or b is None:
        return None
    if isinstance(op, arith.MuliOp):
        if {*b} != {None}:
            a, b = b, a
        return _scaled(a, b[None]) if {*b} == {None} else None
    return _plus(a, b if isinstance(op, arith.AddiOp) else _scaled(b, -1))


def difference(a: Sum | None, b: Sum | None) -> int | None:
    """The difference of two sums; None if it is not constant."""
    if a is None or b is None:
        return None
    found = _plus(a, _scaled(b, -1))
    return None if any(found[each] for each in found if each is not None) else found.get(None, 0)


def _plus(a: Sum, b: Sum) -> Sum:
    return {each: a.get(each, 0) + b.get(each, 0) for each in {**a, **b}}


def _scaled(sum_: Sum, factor: int) -> Sum:
    return {each: factor * number for each, number in sum_.items()}


def _range_of_source(value: SSAValue) -> Range | None:
    """The range of the counter of a loop with constant bounds, or of the number of a thread."""
    assert isinstance(value.owner, Block)
    around = value.owner.parent_op()
    if isinstance(around, RoleOp):
        return Range(0, WARP_LANES * around.warps_count - 1)
    if not isinstance(around, scf.ForOp) or value is not around.body.block.args[0]:
        return None
    first, end, step = (constant_value(each) for each in (around.lb, around.ub, around.step))
    if first is None or end is None or step is None or step < 1 or first >= end:
        return None
    return Range(first, range(first, end, step)[-1])

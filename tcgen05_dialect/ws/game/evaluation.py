"""Evaluation of the integers that decide which regions a role executes, and of the values of
indices."""

from collections.abc import Iterable, Iterator, Mapping, Set
from math import lcm
from typing import NamedTuple

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, IntegerType
from xdsl.ir import Block, Operation, SSAValue

from ...isa.tensor_memory.alloc import WARP_LANES
from ...ptx.analysis.control_flow import closure
from ...ptx.analysis.known_values import INDEX_BITS, arith_bits, constant_value
from ...ptx.contract import AssumeOp
from ..base import TokenType, enclosing
from ..regions import EndOp, sources_of
from ..roles import RoleOp, WarpSpecializeOp


def _bits(value: SSAValue) -> int | None:
    match value.type:
        case IntegerType(width=width):
            return width.data
        case IndexType() | TokenType():
            # The number of a token is that of its stage, of all that the role takes.
            return INDEX_BITS
        case _:
            return None


_SHIFTS = (arith.ShRUIOp, arith.ShRSIOp)
_DIVISIONS = (
    *_SHIFTS,
    arith.DivUIOp,
    arith.DivSIOp,
    arith.CeilDivUIOp,
    arith.CeilDivSIOp,
    arith.FloorDivSIOp,
    arith.RemUIOp,
    arith.RemSIOp,
)
_LARGEST_UNIT = 1 << 16


class Environment(dict[SSAValue, int]):
    """The numbers of values, without sign. A value that is not known is absent."""

    def number(self, value: SSAValue) -> int | None:
        """The number of a value; None if it is not known."""
        found = self.get(value)
        if found is None and (constant := constant_value(value)) is not None:
            bits = _bits(value)
            return None if bits is None else constant % (1 << bits)
        return found

    def signed(self, value: SSAValue) -> int | None:
        """The number of a value with its sign."""
        number, bits = self.number(value), _bits(value)
        if number is None or bits is None:
            return None
        return number - (1 << bits) if number >> bits - 1 else number

    def copy_from(self, target: SSAValue, source: SSAValue) -> None:
        """Let a value have the number of another."""
        self.set(target, self.number(source))

    def set(self, target: SSAValue, number: int | None) -> None:
        """Let a value have a number, or none."""
        bits = _bits(target)
        if number is None or bits is None:
            self.pop(target, None)
        else:
            self[target] = number % (1 << bits)

    def evaluate(self, op: Operation) -> None:
        """Compute the results of an operation as far as they are known."""
        if len(op.results) == 1:
            self.set(op.results[0], arith_bits(op, [*map(self.number, op.operands)]))


def deciding(
    acts: Iterable[Operation], assumed: Iterable[AssumeOp], others: Iterable[SSAValue] = ()
) -> set[SSAValue]:
    """The values on which it depends how often and in which order operations take, pass on and end
    stages, and which numbers other values have."""
    pending: list[SSAValue] = [*others, *(op.condition for op in assumed)]
    for act in acts:
        if isinstance(act, EndOp):
            pending.append(act.token)
        around = act.parent_op()
        while around is not None and not isinstance(around, WarpSpecializeOp):
            if isinstance(around, scf.IfOp):
                pending.append(around.cond)
            elif isinstance(around, scf.ForOp):
                pending.extend((around.lb, around.ub, around.step))
            around = around.parent_op()
    return closure(pending, sources_of)


def unit_of(parameter: SSAValue, deciding_values: Set[SSAValue]) -> int:
    """The number whose multiples a parameter takes as representative values: the least common
    multiple of the constants that divide what is computed from it."""
    unit = 1

    def step(value: SSAValue) -> Iterator[SSAValue]:
        nonlocal unit
        for use in value.uses:
            divisor = _divisor(use.operation, use.index)
            if divisor is None:
                yield from (each for each in use.operation.results if each in deciding_values)
            else:
                unit = lcm(unit, divisor)

    closure([parameter], step)
    return unit if unit <= _LARGEST_UNIT else 1


def _divisor(op: Operation, index: int) -> int | None:
    """The constant, 1 if it is unknown, by which an operation divides an operand; None if it does
    not divide it."""
    if isinstance(op, WarpSpecializeOp):
        return op.tile[index]
    if index or not isinstance(op, _DIVISIONS):
        return None
    number = constant_value(op.operands[1])
    if number is not None and isinstance(op, _SHIFTS):
        number = 1 << number if 0 <= number < _LARGEST_UNIT.bit_length() else None
    return number if number is not None and 0 < number <= _LARGEST_UNIT else 1


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

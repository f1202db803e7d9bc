"""Evaluation of the integers that decide which regions a role executes, and of the values of
indices."""

from collections.abc import Callable, Iterable, Mapping, Set
from math import lcm
from typing import NamedTuple

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import IndexType, IntegerType
from xdsl.ir import Block, Operation, SSAValue

from ...isa.tensor_memory.alloc import WARP_LANES
from ...ptx.analysis.known_values import constant_value
from ...ptx.contract import AssumeOp
from ..base import TokenType, enclosing
from ..regions import EndOp, sources_of
from ..roles import RoleOp, WarpSpecializeOp

_INDEX_BITS = 64


def _bits(value: SSAValue) -> int | None:
    match value.type:
        case IntegerType(width=width):
            return width.data
        case IndexType() | TokenType():
            # The number of a token is that of its stage, of all that the role takes.
            return _INDEX_BITS
        case _:
            return None


def _signed(number: int, bits: int) -> int:
    return number - (1 << bits) if number >> (bits - 1) & 1 else number


def _toward_zero(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


_UNSIGNED: Mapping[type[Operation], Callable[[int, int], int]] = {
    arith.AddiOp: lambda a, b: a + b,
    arith.SubiOp: lambda a, b: a - b,
    arith.MuliOp: lambda a, b: a * b,
    arith.DivUIOp: lambda a, b: a // b,
    arith.CeilDivUIOp: lambda a, b: -(-a // b),
    arith.RemUIOp: lambda a, b: a % b,
    arith.AndIOp: lambda a, b: a & b,
    arith.OrIOp: lambda a, b: a | b,
    arith.XOrIOp: lambda a, b: a ^ b,
    arith.ShLIOp: lambda a, b: a << min(b, _INDEX_BITS),
    arith.ShRUIOp: lambda a, b: a >> min(b, _INDEX_BITS),
    arith.MinUIOp: min,
    arith.MaxUIOp: max,
}
_SIGNED: Mapping[type[Operation], Callable[[int, int], int]] = {
    arith.DivSIOp: _toward_zero,
    arith.CeilDivSIOp: lambda a, b: -(-a // b),
    arith.FloorDivSIOp: lambda a, b: a // b,
    arith.RemSIOp: lambda a, b: a - b * _toward_zero(a, b),
    arith.ShRSIOp: lambda a, b: a >> min(b, _INDEX_BITS),
    arith.MinSIOp: min,
    arith.MaxSIOp: max,
}
_COMPARISONS: tuple[tuple[bool, Callable[[int, int], bool]], ...] = (
    (False, lambda a, b: a == b),
    (False, lambda a, b: a != b),
    (True, lambda a, b: a < b),
    (True, lambda a, b: a <= b),
    (True, lambda a, b: a > b),
    (True, lambda a, b: a >= b),
    (False, lambda a, b: a < b),
    (False, lambda a, b: a <= b),
    (False, lambda a, b: a > b),
    (False, lambda a, b: a >= b),
)
"""By the number of the predicate of `arith.cmpi`: whether it is signed, and its function."""
_DIVISIONS = (
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
        return None if number is None or bits is None else _signed(number, bits)

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
            self.set(op.results[0], self._result(op))

    def _result(self, op: Operation) -> int | None:
        numbers = [self.number(each) for each in op.operands]
        match op:
            case arith.SelectOp():
                chosen = numbers[0]
                return None if chosen is None else numbers[1 if chosen else 2]
            case arith.ExtSIOp():
                return self.signed(op.input)
            case arith.ExtUIOp() | arith.TruncIOp() | arith.IndexCastOp():
                is_index = isinstance(op, arith.IndexCastOp)
                return self.signed(op.input) if is_index else numbers[0]
            case arith.CmpiOp():
                signed, compare = _COMPARISONS[op.predicate.value.data]
                given = [self.signed(each) for each in op.operands] if signed else numbers
                a, b = given
                return None if a is None or b is None else int(compare(a, b))
            case _:
                return self._binary(op, numbers)

    def _binary(self, op: Operation, numbers: list[int | None]) -> int | None:
        function = _UNSIGNED.get(type(op))
        if function is None:
            function = _SIGNED.get(type(op))
            numbers = [self.signed(each) for each in op.operands] if function else numbers
        if function is None:
            return None
        a, b = numbers
        if a is None or b is None or (b == 0 and isinstance(op, _DIVISIONS)):
            return None
        return function(a, b)


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
    found: set[SSAValue] = set()
    while pending:
        value = pending.pop()
        if value in found:
            continue
        found.add(value)
        pending.extend(sources_of(value))
    return found


def unit_of(parameter: SSAValue, deciding_values: Set[SSAValue]) -> int:
    """The number whose multiples a parameter takes as representative values: the least common
    multiple of the constants that divide what is computed from it."""
    unit = 1
    seen = {parameter}
    pending = [parameter]
    while pending:
        value = pending.pop()
        for use in value.uses:
            op = use.operation
            if isinstance(op, WarpSpecializeOp):
                unit = lcm(unit, op.tile[use.index])
                continue
            if isinstance(op, _DIVISIONS) and use.index == 0:
                divisor = constant_value(op.operands[1])
                if divisor is not None and 0 < divisor <= _LARGEST_UNIT:
                    unit = lcm(unit, divisor)
                continue
            if isinstance(op, arith.ShRUIOp | arith.ShRSIOp) and use.index == 0:
                shift = constant_value(op.operands[1])
                if shift is not None and 0 <= shift < _LARGEST_UNIT.bit_length():
                    unit = lcm(unit, 1 << shift)
                continue
            new = [each for each in op.results if each in deciding_values and each not in seen]
            seen.update(new)
            pending.extend(new)
    return unit if unit <= _LARGEST_UNIT else 1


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

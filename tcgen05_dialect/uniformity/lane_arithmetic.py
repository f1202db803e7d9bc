"""Arithmetic on the values of threads: the result of each instruction that only computes."""

from collections.abc import Callable, Mapping, Sequence

from xdsl.dialects.builtin import FixedBitwidthType, StringAttr
from xdsl.ir import Operation, SSAValue

from ..ptx import instructions
from ..ptx.analysis.values import COMPARISONS, WHOLE, integer_function
from . import lane_values as lanes
from .lane_values import Shared, Value


def computed(op: Operation, operands: list[Value]) -> Value:
    """The result of an instruction that only computes, from the values of its operands."""
    type_ = op.properties.get("type")
    name = type_.data if isinstance(type_, StringAttr) else ""
    if name == "pred" and (logic := _LOGIC.get(type(op))) is not None:
        return logic(*operands)
    if name in WHOLE and isinstance(op, instructions.SetpOp):
        return _compared(op, name, *operands)
    if (function := integer_function(op, name)) is not None:
        shared = max(operand.shared for operand in operands)
        if shared is Shared.KNOWN or (shared is not Shared.NONE and _is_linear(op, operands)):
            return lanes.combined(function, _read(op, name, operands), _bits(op.results[0]), shared)
    return lanes.agreeing(operands)


def _is_linear(op: Operation, operands: Sequence[Value]) -> bool:
    """Whether equal changes of the operands that are not constant change the result equally."""
    match op:
        case instructions.AddOp() | instructions.SubOp() | instructions.MovOp():
            return True
        case instructions.MulOp() if op.half is not None and op.half.data == "hi":
            return False
        case instructions.MulOp() | instructions.MadOp():
            return operands[0].constant is not None or operands[1].constant is not None
        case instructions.ShlOp():
            return operands[1].constant is not None
        case _:
            return False


def _compared(op: instructions.SetpOp, type_: str, first: Value, second: Value) -> Value:
    comparison = op.comparison.data
    if max(first.shared, second.shared) is Shared.KNOWN:
        operands = _read(op, type_, (first, second))
        return lanes.combined(COMPARISONS[comparison], operands, 1)
    if comparison not in ("eq", "ne"):
        return lanes.agreeing((first, second))
    found = lanes.equal(first, second, _bits(op.a))
    return found if comparison == "eq" else lanes.negated(found)


def _read(op: Operation, type_: str, operands: Sequence[Value]) -> Sequence[Value]:
    """The operands as the type of an instruction reads them: registers hold no signs."""
    source = op.properties.get("source")
    from_ = source.data if isinstance(source, StringAttr) else type_
    if not from_.startswith("s"):
        return operands
    pairs = zip(operands, op.operands, strict=True)
    return [lanes.signed(value, _bits(operand)) for value, operand in pairs]


def _bits(value: SSAValue) -> int:
    assert isinstance(value.type, FixedBitwidthType)
    return value.type.bitwidth


def _same_value(value: Value) -> Value:
    return value


_LOGIC: Mapping[type[Operation], Callable[..., Value]] = {
    instructions.AndOp: lanes.conjunction,
    instructions.OrOp: lanes.disjunction,
    instructions.XorOp: lanes.exclusive,
    instructions.NotOp: lanes.negated,
    instructions.MovOp: _same_value,
}

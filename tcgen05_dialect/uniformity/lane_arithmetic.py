"""Arithmetic on the values of threads: the result of each instruction that only computes."""

from collections.abc import Callable, Mapping, Sequence

from xdsl.dialects.builtin import FixedBitwidthType, StringAttr
from xdsl.ir import Operation, SSAValue

from ..isa.ptx.arithmetic import BITS, INTEGERS
from ..ptx import arithmetic as ops
from . import lane_values as lanes
from .lane_values import Shared, Value

_WHOLE = frozenset((*BITS, *INTEGERS))
_Function = Callable[..., int]


def computed(op: Operation, operands: list[Value]) -> Value:
    """The result of an instruction that only computes, from the values of its operands."""
    type_ = op.properties.get("type")
    name = type_.data if isinstance(type_, StringAttr) else ""
    if name == "pred" and (logic := _LOGIC.get(type(op))) is not None:
        return logic(*operands)
    if name in _WHOLE and isinstance(op, ops.SetpOp):
        return _compared(op, name, *operands)
    if (function := _function(op, name)) is not None:
        shared = max(operand.shared for operand in operands)
        if shared is Shared.KNOWN or (shared is not Shared.NONE and _is_linear(op, operands)):
            return lanes.combined(function, _read(op, name, operands), _bits(op.results[0]), shared)
    return lanes.agreeing(operands)


def _function(op: Operation, type_: str) -> _Function | None:
    """The function of an instruction on integers; None if it is not known."""
    match op:
        case ops.CvtOp() if op.source.data not in _WHOLE or op.saturate is not None:
            return None
        case ops.MulOp() if op.half is None or op.half.data != "lo":
            return None
        case _:
            return _FUNCTIONS.get(type(op)) if type_ in _WHOLE else None


def _is_linear(op: Operation, operands: Sequence[Value]) -> bool:
    """Whether equal changes of the operands that are not constant change the result equally."""
    match op:
        case ops.AddOp() | ops.SubOp() | ops.MovOp():
            return True
        case ops.MulOp() | ops.MadOp():
            return operands[0].constant is not None or operands[1].constant is not None
        case ops.ShlOp():
            return operands[1].constant is not None
        case _:
            return False


def _compared(op: ops.SetpOp, type_: str, first: Value, second: Value) -> Value:
    comparison = op.comparison.data
    if max(first.shared, second.shared) is Shared.KNOWN:
        operands = _read(op, type_, (first, second))
        return lanes.combined(_COMPARISONS[comparison], operands, 1)
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


def _quotient(a: int, b: int) -> int:
    """The quotient, rounded to zero; that by zero is unspecified."""
    if b == 0:
        return 0
    return a // b if (a < 0) == (b < 0) else -(-a // b)


def _remainder(a: int, b: int) -> int:
    return a - b * _quotient(a, b)


def _product_and_sum(a: int, b: int, c: int) -> int:
    return a * b + c


def _same(a: int) -> int:
    return a


def _selected(a: int, b: int, condition: int) -> int:
    return a if condition else b


def _shifted_left(a: int, amount: int) -> int:
    return a << min(amount, 64)


def _shifted_right(a: int, amount: int) -> int:
    return a >> min(amount % (1 << 32), 64)


_FUNCTIONS: Mapping[type[Operation], _Function] = {
    ops.AddOp: int.__add__,
    ops.SubOp: int.__sub__,
    ops.MulOp: int.__mul__,
    ops.MulWideOp: int.__mul__,
    ops.MadOp: _product_and_sum,
    ops.MadWideOp: _product_and_sum,
    ops.DivOp: _quotient,
    ops.RemOp: _remainder,
    ops.MinOp: min,
    ops.MaxOp: max,
    ops.AndOp: int.__and__,
    ops.OrOp: int.__or__,
    ops.XorOp: int.__xor__,
    ops.NotOp: int.__invert__,
    ops.NegOp: int.__neg__,
    ops.MovOp: _same,
    ops.CvtOp: _same,
    ops.SelpOp: _selected,
    ops.ShlOp: _shifted_left,
    ops.ShrOp: _shifted_right,
}
_COMPARISONS: Mapping[str, _Function] = {
    "eq": int.__eq__,
    "ne": int.__ne__,
    **dict.fromkeys(("lt", "lo"), int.__lt__),
    **dict.fromkeys(("le", "ls"), int.__le__),
    **dict.fromkeys(("gt", "hi"), int.__gt__),
    **dict.fromkeys(("ge", "hs"), int.__ge__),
}


def _same_value(value: Value) -> Value:
    return value


_LOGIC: Mapping[type[Operation], Callable[..., Value]] = {
    ops.AndOp: lanes.conjunction,
    ops.OrOp: lanes.disjunction,
    ops.XorOp: lanes.exclusive,
    ops.NotOp: lanes.negated,
    ops.MovOp: _same_value,
}

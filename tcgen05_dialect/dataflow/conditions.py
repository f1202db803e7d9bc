"""Bounds on a number that follow from a condition that holds."""

from collections.abc import Callable, Mapping

from typing_extensions import TypeIs
from xdsl.ir import Block, Operation, SSAValue

from ..ptx import arithmetic as ops
from ..ptx.analysis.values import COMPARISONS, WHOLE, source_type
from .arithmetic import computed, is_pure
from .numbers import Number, between, is_positive, kept, met, signed

Condition = tuple[SSAValue, bool]
"""A predicate, and whether it holds."""
OPPOSITE: Mapping[str, str] = {
    "eq": "ne",
    "lt": "ge",
    "le": "gt",
    "lo": "hs",
    "ls": "hi",
    "ne": "eq",
    "ge": "lt",
    "gt": "le",
    "hs": "lo",
    "hi": "ls",
}
_SWAPPED: Mapping[str, str] = {
    "eq": "eq",
    "ne": "ne",
    "lt": "gt",
    "le": "ge",
    "gt": "lt",
    "ge": "le",
    "lo": "hi",
    "ls": "hs",
    "hi": "lo",
    "hs": "ls",
}
_DEPTH = 3
"""The instructions between a value that is compared and one that is computed from it."""
_FEW = 3
_LOGIC = (ops.NotOp, ops.AndOp, ops.OrOp)
_Known = Callable[[SSAValue], Number]


def concerns(predicate: SSAValue, value: SSAValue) -> bool:
    """Whether a predicate may tell something of a value: it compares it, or what it is computed
    from."""
    owner = predicate.owner
    kind = type(owner)
    if not isinstance(owner, Operation):
        return False
    if kind in _LOGIC:
        return any(concerns(each, value) for each in owner.operands)
    if kind is not ops.SetpOp:
        return predicate is value
    return any(_depends(value, each) for each in owner.operands)


def refined(value: SSAValue, number: Number, condition: Condition, known: _Known) -> Number | None:
    """The numbers of a value for which a condition holds; None if there are none."""
    predicate, expected = condition
    if value is predicate:
        return between(number, int(expected), int(expected))
    owner = predicate.owner
    kind = type(owner)
    if kind is ops.SetpOp:
        assert isinstance(owner, ops.SetpOp)
        return _compared(value, number, owner, expected, known)
    if kind not in _LOGIC or not isinstance(owner, Operation):
        return number
    if kind is ops.NotOp:
        return refined(value, number, (owner.operands[0], not expected), known)
    if expected is (kind is ops.AndOp):
        found: Number | None = number
        for each in owner.operands:
            found = None if found is None else refined(value, found, (each, expected), known)
        return found
    return number


def _compared(
    value: SSAValue, number: Number, op: ops.SetpOp, expected: bool, known: _Known
) -> Number | None:
    type_ = source_type(op)
    if type_ not in WHOLE:
        return number
    name = op.comparison.data if expected else OPPOSITE[op.comparison.data]
    has_sign = type_.startswith("s")
    first, second = op.operands
    for one, other, way in ((first, second, name), (second, first, _SWAPPED[name])):
        limit = known(other)
        if one is value:
            return _limited(number, way, limit, has_sign)
        before = known(one)
        source = _limited(before, way, limit, has_sign)
        if source != before and _depends(value, one):
            return None if source is None else met(number, _with(value, one, source, known))
    return number


def _depends(value: SSAValue, source: SSAValue, depth: int = _DEPTH) -> bool:
    """Whether a value is computed from another one in a few steps."""
    if value is source:
        return True
    owner = value.owner
    if not depth or not _is_computed(owner):
        return False
    return any(_depends(each, source, depth - 1) for each in owner.operands)


def _with(
    value: SSAValue, source: SSAValue, number: Number, known: _Known, depth: int = _DEPTH
) -> Number:
    """What is known of a value where the value that it is computed from has these numbers."""
    if value is source:
        return number
    owner = value.owner
    if not depth or not _is_computed(owner):
        return known(value)
    operands = [_with(each, source, number, known, depth - 1) for each in owner.operands]
    return computed(owner, operands)[0]


def _is_computed(owner: Operation | Block) -> TypeIs[Operation]:
    """Whether an operation only computes one number from few others."""
    if not is_pure(type(owner)) or not isinstance(owner, Operation):
        return False
    return len(owner.results) == 1 and 0 < len(owner.operands) <= _FEW


def _limited(number: Number, way: str, limit: Number, has_sign: bool) -> Number | None:
    """The numbers that compare in a way with one of the numbers of a limit."""
    members, bound = number.members, limit.constant
    if members is not None and bound is not None:
        compare = COMPARISONS[way]
        if has_sign:
            bound = signed(bound, limit.width)
            return kept(
                number, [each for each in members if compare(signed(each, number.width), bound)]
            )
        return kept(number, [each for each in members if compare(each, bound)])
    if way == "eq":
        return between(number, limit.low, limit.high)
    if way == "ne":
        if bound is None or bound not in (number.low, number.high):
            return number
        low, high = number.low + (bound == number.low), number.high - (bound == number.high)
        return between(number, low, high)
    if has_sign and not (is_positive(number) and is_positive(limit)):
        return number
    if way in ("lt", "lo"):
        return between(number, 0, limit.high - 1)
    if way in ("le", "ls"):
        return between(number, 0, limit.high)
    top = (1 << number.width) - 1
    return between(number, limit.low + (way in ("gt", "hi")), top)

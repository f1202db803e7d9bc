"""What a condition that holds tells of a number."""

from collections.abc import Callable, Mapping

from xdsl.ir import Operation, SSAValue

from ..ptx import arithmetic as ops
from ..ptx.analysis.integer_functions import COMPARISONS, WHOLE, source_type
from ..ptx.instruction import PureInstruction
from .arithmetic import computed
from .numbers import Number, between, is_positive, kept, signed

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
    source = value.owner
    near = (value, *source.operands) if isinstance(source, Operation) else (value,)
    return any(each in near for each in owner.operands)


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
        owner = value.owner
        if (
            isinstance(owner, Operation)
            and issubclass(type(owner), PureInstruction)
            and len(owner.results) == 1
            and one in owner.operands
            and known(one).members is not None
        ):
            source = _limited(known(one), way, limit, has_sign)
            if source is None:
                return None
            operands = [source if each is one else known(each) for each in owner.operands]
            found = computed(owner, operands)[0]
            if found.members is not None and number.members is not None:
                return kept(number, [each for each in number.members if each in found.members])
    return number


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

"""Constants that predicates select: the possible values of such an operand."""

from collections.abc import Hashable, Iterable, Mapping
from itertools import product
from typing import NamedTuple

from xdsl.ir import Block, Operation, SSAValue

from ..ptx import arithmetic as ops
from ..ptx.analysis.values import WHOLE, backwards, evaluator, source_type
from ..ptx.instruction import PureInstruction
from ..ptx.memory import LdOp
from ..ptx.parameters import ParameterUse
from ..ptx.structure import ConstantOp
from ..ptx.syntax import word_of
from .arithmetic import is_pure
from .conditions import OPPOSITE, Condition
from .facts import Facts

_MOST_PREDICATES = 4
_MOST_OPERATIONS = 64


class Choice(NamedTuple):
    """A value, and the conditions under which it is chosen."""

    value: int
    conditions: tuple[Condition, ...]


def choices(value: SSAValue, facts: Facts, held: Iterable[Condition]) -> list[Choice] | None:
    """
    The values of a computation from constants, for all combinations of the predicates that select
    them. Conditions that hold are taken into account. None if the value is not so computed.
    """
    fixed = dict(_decided(each, facts) for each in held)
    order: dict[SSAValue, None] = {}
    predicates: dict[Hashable, Condition] = {}
    if not _collect(value, facts, order, predicates):
        return None
    free = [key for key in predicates if key not in fixed]
    if len(free) > _MOST_PREDICATES:
        return None
    found: dict[int, Choice] = {}
    for truths in product((True, False), repeat=len(free)):
        chosen = {**fixed, **dict(zip(free, truths, strict=True))}
        result = _value(value, facts, reversed(order), chosen)
        if result is None:
            return None
        conditions = tuple(
            (predicates[key][0], truth is predicates[key][1])
            for key, truth in zip(free, truths, strict=True)
        )
        found.setdefault(result, Choice(result, conditions))
    return [*found.values()]


def chosen_by_launch(choice: Choice) -> bool:
    """Whether a choice depends on nothing but parameters of the kernel: no launch need make it."""
    predicates = (predicate for predicate, _ in choice.conditions)
    sources = backwards(
        predicates, {}, lambda op: op.operands if _depends_on_operands_only(op) else ()
    )
    return all(
        value.owner.prev_block is None
        if isinstance(value.owner, Block)
        else _depends_on_operands_only(value.owner)
        for value in sources
    )


def _depends_on_operands_only(op: Operation) -> bool:
    """Whether the results depend on nothing but the operands and the parameters."""
    if isinstance(op, LdOp):
        return word_of(op, "space") == "param"
    return is_pure(type(op)) or isinstance(op, ConstantOp | ParameterUse)


def _collect(
    value: SSAValue,
    facts: Facts,
    order: dict[SSAValue, None],
    predicates: dict[Hashable, Condition],
) -> bool:
    """Collect the computations of a value, each before those it depends on, and the predicates of
    its selections. Returns whether everything else is constant."""
    pending = [value]
    while pending:
        each = pending.pop()
        if facts.number(each).constant is not None:
            continue
        owner = each.owner
        if not isinstance(owner, PureInstruction) or len(order) > _MOST_OPERATIONS:
            return False
        order.pop(each, None)
        order[each] = None
        if isinstance(owner, ops.SelpOp):
            key, truth = _decided((owner.condition, True), facts)
            predicates.setdefault(key, (owner.condition, truth))
            pending += (owner.a, owner.b)
        elif owner.operands:
            pending += owner.operands
        else:
            return False
    return True


def _value(
    value: SSAValue,
    facts: Facts,
    order: Iterable[SSAValue],
    chosen: Mapping[Hashable, bool],
) -> int | None:
    known: dict[SSAValue, int] = {}

    def bits(each: SSAValue) -> int:
        constant = facts.number(each).constant
        return known[each] if constant is None else constant

    for each in order:
        owner = each.owner
        assert isinstance(owner, Operation)
        if isinstance(owner, ops.SelpOp):
            key, truth = _decided((owner.condition, True), facts)
            known[each] = bits(owner.a if chosen[key] is truth else owner.b)
            continue
        evaluate = evaluator(owner)
        result = None if evaluate is None else evaluate(*map(bits, owner.operands))
        if result is None:
            return None
        known[each] = result
    return bits(value)


def _decided(condition: Condition, facts: Facts) -> tuple[Hashable, bool]:
    """What a condition is about, equal for a condition and its opposite, and whether it holds."""
    predicate, truth = condition
    while isinstance(predicate.owner, ops.NotOp):
        predicate, truth = predicate.owner.a, not truth
    owner = predicate.owner
    if isinstance(owner, ops.SetpOp) and source_type(owner) in WHOLE:
        name = owner.comparison.data
        if name > (opposite := OPPOSITE[name]):
            name, truth = opposite, not truth
        key = facts.key(owner.a), facts.key(owner.b), name, source_type(owner)
        return key, truth
    return facts.key(predicate), truth

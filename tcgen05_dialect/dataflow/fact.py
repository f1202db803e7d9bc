"""Facts about values: their possible numbers, the addresses that they are relative to, and how
conditions and the edges between blocks bound them."""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from typing import NamedTuple

from typing_extensions import TypeIs
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from ..isa.instructions.meaning import COMPARISONS, WHOLE
from ..isa.ptx.ptx_text import TYPE_BITS
from ..ptx import instructions
from ..ptx.analysis.control_flow import ControlFlowGraph
from ..ptx.analysis.known_values import constant_value
from ..ptx.analysis.values import source_type
from ..ptx.control_flow import CondBraOp
from ..ptx.instructions import CvtaOp, CvtaToOp
from ..ptx.text.syntax import word_of
from .numbers import (
    Number,
    between,
    computed,
    constant,
    difference,
    extended,
    field,
    is_positive,
    is_pure,
    joined,
    kept,
    met,
    signed,
    times,
    total,
    total_of,
)

VALUE, VARIABLE, ALLOCATION = 1, 2, 3
"""Ranks of bases: a sum of two addresses is relative to the one with the higher rank."""
_ADDRESS_BITS = 32


class Base(NamedTuple):
    """What an address is relative to, by `rank`: the start of an allocation of tensor memory, the
    start of a variable in shared memory, or another value."""

    rank: int
    identity: Hashable


class Fact(NamedTuple):
    """A value: `number` has its possible values. It is `base` plus `offset`; without a base it
    depends on constants and on the position of the thread only, and the offset is the number."""

    number: Number
    base: Base | None
    offset: Number

    @property
    def slot(self) -> "Slot | None":
        """Where the base was loaded from, if that is an address that alloc wrote."""
        identity = None if self.base is None else self.base.identity
        return identity if isinstance(identity, Slot) else None

    @property
    def is_cell(self) -> bool:
        """Whether the offset counts from a known place in tensor memory: from the start of an
        allocation, or from the beginning."""
        return self.base is None or self.base.rank == ALLOCATION


class Slot(NamedTuple):
    """A place in memory to which alloc writes an address: an offset from a base."""

    base: Base | None
    offset: int


def plain(number: Number) -> Fact:
    """The fact about a value without a base."""
    return Fact(number, None, number)


def relative_to(base: Base, number: Number) -> Fact:
    """The fact about a value that is a base."""
    return Fact(number, base, constant(0, number.width))


def either(first: Fact, second: Fact) -> Fact | None:
    """The fact about a value that is the first or the second; None if their bases differ."""
    if first == second:
        return first
    if first.base != second.base:
        return None
    number = joined(first.number, second.number)
    offset = number if first.base is None else joined(first.offset, second.offset)
    return Fact(number, first.base, offset)


def placed(op: Operation, known: Sequence[Fact], number: Number) -> Fact | None:
    """The fact about the result of an instruction on whole numbers with these operands, of which
    the number is known; None if it is relative to no base of theirs."""
    if all(each.base is None for each in known):
        return plain(number)
    place = _PLACES.get(type(op))
    return None if place is None else place(op, known, number)


def _sum(op: Operation, known: Sequence[Fact], number: Number) -> Fact | None:
    first, second = sorted(known, key=_rank, reverse=True)
    if _rank(first) == _rank(second):
        return None
    return Fact(number, first.base, total_of(first.offset, second.number))


def _rank(fact: Fact) -> int:
    return 0 if fact.base is None else fact.base.rank


def _difference(op: Operation, known: Sequence[Fact], number: Number) -> Fact | None:
    first, second = known
    if second.base is None:
        return Fact(number, first.base, difference(first.offset, second.offset))
    return plain(difference(first.offset, second.offset)) if first.base == second.base else None


def _product_and_sum(op: Operation, known: Sequence[Fact], number: Number) -> Fact | None:
    first, second, third = known
    if _rank(third) <= max(_rank(first), _rank(second)):
        return None
    width = number.width
    is_signed = source_type(op).startswith("s") and width > first.number.width
    if is_signed and not (is_positive(first.number) and is_positive(second.number)):
        return None
    a, b = (extended(each.number, max(width, each.number.width)) for each in (first, second))
    return Fact(number, third.base, total(third.offset, times(a, b, width)))


def _union(op: Operation, known: Sequence[Fact], number: Number) -> Fact | None:
    first, second = known
    apart = (first.number.zeros | second.number.zeros) == (1 << number.width) - 1
    # At the address 0 of an allocation, which is always possible, no bits meet.
    return _sum(op, known, number) if apart or any(each.slot for each in known) else None


def _copy(op: Operation, known: Sequence[Fact], number: Number) -> Fact:
    return known[0]


def _converted(op: Operation, known: Sequence[Fact], number: Number) -> Fact | None:
    (fact,) = known
    to, from_ = word_of(op, "type") or "", source_type(op)
    if to not in WHOLE or from_ not in WHOLE or op.properties.get("saturate"):
        return None
    if min(TYPE_BITS[to], TYPE_BITS[from_]) < _ADDRESS_BITS:
        return None
    if number.width <= fact.offset.width:
        return Fact(number, fact.base, field(fact.offset, 0, number.width))
    if from_.startswith("s") and not is_positive(fact.number):
        return None
    return Fact(number, fact.base, extended(fact.offset, number.width))


def _same_place(op: Operation, known: Sequence[Fact], number: Number) -> Fact:
    return Fact(number, known[0].base, known[0].offset)


_PLACES: Mapping[type[Operation], Callable[[Operation, Sequence[Fact], Number], Fact | None]] = {
    instructions.AddOp: _sum,
    instructions.SubOp: _difference,
    instructions.MadOp: _product_and_sum,
    instructions.MadWideOp: _product_and_sum,
    instructions.OrOp: _union,
    instructions.MovOp: _copy,
    instructions.CvtOp: _converted,
    CvtaOp: _same_place,
    CvtaToOp: _same_place,
}


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
_LOGIC = (instructions.NotOp, instructions.AndOp, instructions.OrOp)
_Known = Callable[[SSAValue], Number]


def concerns(predicate: SSAValue, value: SSAValue) -> bool:
    """Whether a predicate may constrain a value: it compares the value or one of its operands."""
    owner = predicate.owner
    kind = type(owner)
    if not isinstance(owner, Operation):
        return False
    if kind in _LOGIC:
        return any(concerns(each, value) for each in owner.operands)
    if kind is not instructions.SetpOp:
        return predicate is value
    return any(_depends(value, each) for each in owner.operands)


def refined(value: SSAValue, number: Number, condition: Condition, known: _Known) -> Number | None:
    """The numbers of a value for which a condition holds; None if there are none."""
    predicate, expected = condition
    if value is predicate:
        return between(number, int(expected), int(expected))
    owner = predicate.owner
    kind = type(owner)
    if kind is instructions.SetpOp:
        assert isinstance(owner, instructions.SetpOp)
        return _compared(value, number, owner, expected, known)
    if kind not in _LOGIC or not isinstance(owner, Operation):
        return number
    if kind is instructions.NotOp:
        return refined(value, number, (owner.operands[0], not expected), known)
    if expected is (kind is instructions.AndOp):
        found: Number | None = number
        for each in owner.operands:
            found = None if found is None else refined(value, found, (each, expected), known)
        return found
    return number


def _compared(
    value: SSAValue, number: Number, op: instructions.SetpOp, expected: bool, known: _Known
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


_OUTER_CONDITIONS = 3
"""The branches before a block whose conditions are taken into account."""


class Induction(NamedTuple):
    """An argument of the first block of a loop: what it is at first, and what each iteration adds
    to it."""

    first: list[SSAValue]
    step: int


class Edges:
    """The edges of a control-flow graph."""

    def __init__(self, graph: ControlFlowGraph):
        self.graph = graph
        self._places: dict[Operation, tuple[int, int]] = {}
        for index, block in enumerate(graph.blocks):
            for position, op in enumerate(block.ops):
                self._places[op] = index, position
        self._incoming: dict[SSAValue, list[tuple[SSAValue, tuple[Condition, ...]]]] = {}

    def place(self, value: SSAValue) -> tuple[int, int, int]:
        """The place where a value is defined, for comparisons."""
        owner = value.owner
        if isinstance(owner, Block):
            return self.graph.number.get(owner, 0), -1, 0
        inner = 0
        while owner not in self._places:
            outer = owner.parent_op()
            if outer is None:
                return len(self.graph.blocks), 0, 0
            # What a guard holds comes before its results.
            owner, inner = outer, inner - 1
        return (*self._places[owner], inner)

    def passed(self, argument: SSAValue) -> list[tuple[SSAValue, tuple[Condition, ...]]]:
        """The values passed to an argument of a block, each with the conditions for it."""
        known = self._incoming.get(argument)
        if known is None:
            known = self._incoming[argument] = list(self._find_passed(argument))
        return known

    def _find_passed(self, argument: SSAValue) -> Iterator[tuple[SSAValue, tuple[Condition, ...]]]:
        for before, way, value in self.graph.passed(argument):
            branch = self.graph.blocks[before].last_op
            outer = self._conditions_before(before)
            conditions = tuple(each for each in outer if concerns(each[0], value))
            if branch is not None and _decides(branch):
                conditions = ((branch.operands[0], way == 0), *conditions)
            yield value, conditions

    def _conditions_before(self, block: int) -> tuple[Condition, ...]:
        """The conditions of the branches that lead to a block and to nowhere else."""
        found: list[Condition] = []
        for _ in range(_OUTER_CONDITIONS):
            before = self.graph.predecessors[block]
            if len(before) != 1:
                break
            branch = self.graph.blocks[before[0]].last_op
            if branch is not None and _decides(branch):
                is_then = branch.successors[0] is self.graph.blocks[block]
                found.append((branch.operands[0], is_then))
            block = before[0]
        return tuple(found)

    def induction(self, argument: SSAValue) -> Induction | None:
        """The steps of an argument of the first block of a loop, if all ways back to it add the
        same constant."""
        assert isinstance(argument, BlockArgument)
        number = self.graph.number.get(argument.block, 0)
        first: list[SSAValue] = []
        steps: set[int] = set()
        for before, _, passed in self.graph.passed(argument):
            if not self.graph.dominates(number, before):
                first.append(passed)
            elif (step := _step(passed, argument)) is None:
                return None
            else:
                steps.add(step)
        return Induction(first, steps.pop()) if len(steps) == 1 and first else None

    def conditions(self, block: int) -> list[Condition]:
        """The conditions of all branches that must go one way to lead to a block."""
        found: list[Condition] = []
        while block:
            before = self.graph.dominators[block]
            branch = self.graph.blocks[before].last_op
            if self.graph.predecessors[block] == [before] and branch and _decides(branch):
                found.append((branch.operands[0], branch.successors[0] is self.graph.blocks[block]))
            block = before
        return found


def _step(value: SSAValue, argument: SSAValue) -> int | None:
    """The constant that is added to an argument; None if the value is not such a sum."""
    owner = value.owner
    while type(owner) is instructions.MovOp:
        owner = owner.operands[0].owner
    if type(owner) is not instructions.AddOp:
        return None
    one, other = owner.operands
    if other is argument:
        one, other = other, one
    return constant_value(other) if one is argument else None


def _decides(branch: Operation) -> bool:
    """Whether a branch goes one way or another by a predicate."""
    return type(branch) is CondBraOp and branch.successors[0] is not branch.successors[1]

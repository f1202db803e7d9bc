"""
Bounds on a number that follow from a condition that holds.

Edges between blocks: the values that branches pass, and the order of values in a kernel.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from typing_extensions import TypeIs
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from ..ptx import instructions
from ..ptx.analysis.control_flow import ControlFlowGraph
from ..ptx.analysis.values import COMPARISONS, WHOLE, source_type
from ..ptx.control_flow import Branch, CondBraOp
from ..ptx.known_values import constant_value
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
_LOGIC = (instructions.NotOp, instructions.AndOp, instructions.OrOp)
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
        self.number = {block: index for index, block in enumerate(graph.blocks)}
        """The number of each block that can be reached."""
        self._places: dict[Operation, tuple[int, int]] = {}
        for index, block in enumerate(graph.blocks):
            for position, op in enumerate(block.ops):
                self._places[op] = index, position
        self._incoming: dict[SSAValue, list[tuple[SSAValue, tuple[Condition, ...]]]] = {}

    def place(self, value: SSAValue) -> tuple[int, int, int]:
        """The place where a value is defined, for comparisons."""
        owner = value.owner
        if isinstance(owner, Block):
            return self.number.get(owner, 0), -1, 0
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
        assert isinstance(argument, BlockArgument)
        block = argument.owner
        if block not in self.number:
            return
        for before in dict.fromkeys(self.graph.predecessors[self.number[block]]):
            branch = self.graph.blocks[before].last_op
            assert isinstance(branch, Branch)
            outer = self._conditions_before(before)
            for index, (target, arguments) in enumerate(branch.targets()):
                if target is not block:
                    continue
                passed = arguments[argument.index]
                conditions = tuple(each for each in outer if concerns(each[0], passed))
                if _decides(branch):
                    conditions = ((branch.operands[0], index == 0), *conditions)
                yield passed, conditions

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
        block = argument.owner
        number = self.number.get(block)
        if number is None:
            return None
        first: list[SSAValue] = []
        steps: set[int] = set()
        for before in dict.fromkeys(self.graph.predecessors[number]):
            branch = self.graph.blocks[before].last_op
            assert isinstance(branch, Branch)
            for target, arguments in branch.targets():
                if target is not block:
                    continue
                passed = arguments[argument.index]
                if not self._is_inside(before, number):
                    first.append(passed)
                    continue
                step = _step(passed, argument)
                if step is None:
                    return None
                steps.add(step)
        return Induction(first, steps.pop()) if len(steps) == 1 and first else None

    def _is_inside(self, block: int, first: int) -> bool:
        """Whether a block is after another one on all ways to it."""
        while block > first:
            block = self.graph.dominators[block]
        return block == first

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

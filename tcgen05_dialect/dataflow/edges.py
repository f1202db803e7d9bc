"""Edges between blocks: the values that branches pass, and the order of values in a kernel."""

from collections.abc import Iterator
from typing import NamedTuple

from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from ..ptx import arithmetic as ops
from ..ptx.analysis.control_flow import ControlFlowGraph
from ..ptx.control_flow import Branch, CondBraOp
from ..ptx.known_values import constant_value
from .conditions import Condition, concerns

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
    while type(owner) is ops.MovOp:
        owner = owner.operands[0].owner
    if type(owner) is not ops.AddOp:
        return None
    one, other = owner.operands
    if other is argument:
        one, other = other, one
    return constant_value(other) if one is argument else None


def _decides(branch: Operation) -> bool:
    """Whether a branch goes one way or another by a predicate."""
    return type(branch) is CondBraOp and branch.successors[0] is not branch.successors[1]

"""
Agreement of warps: whether all warps that can reach an instruction execute it if one does.

A condition is the same for all warps if it depends only on constants, parameters, and memory at
addresses that do not depend on the thread.
"""

from collections.abc import Iterable, Iterator, Mapping, Set
from functools import cached_property

from xdsl.ir import Block, Operation, SSAValue

from ..ptx.control_flow import BrxOp, CondBraOp
from ..ptx.inline import InlineOp
from ..ptx.structure import GuardOp, SpecialRegisterOp
from ..ptx.synchronization import ElectSyncOp
from ..uniformity.lane_values import Shared
from ..uniformity.threads import special_register
from .kernel_facts import KernelFacts


class Agreement:
    """The agreement of the warps of a kernel on the execution of its instructions."""

    def __init__(self, known: KernelFacts):
        self._known = known
        self._differ: dict[SSAValue, bool] = {}

    @cached_property
    def _controlling(self) -> Mapping[int, Set[int]]:
        """For each block, the branches that decide whether it is executed."""
        found: dict[int, set[int]] = {}
        for branch in range(len(self._known.graph.blocks)):
            for block in self._known.graph.controlled(branch):
                found.setdefault(block, set()).add(branch)
        return found

    def is_common(self, op: Operation, warps: Iterable[int]) -> bool:
        """Whether some warps, which may execute an instruction, all do so if one does."""
        block = self._known.block(op)
        assert block is not None
        conditions = list(self._conditions(self._deciding(block)))
        guard = op.parent_op()
        if isinstance(guard, GuardOp):
            conditions.append(guard.predicate)
        return not any(
            self._differs(each)
            and any(self._known.in_warp(warp).number(each).constant is None for warp in warps)
            for each in conditions
        )

    def _deciding(self, block: int) -> set[int]:
        """The branches that decide whether a block is executed, also through others."""
        found: set[int] = set()
        pending = [block]
        while pending:
            for branch in self._controlling.get(pending.pop(), ()):
                if branch not in found:
                    found.add(branch)
                    pending.append(branch)
        return found

    def _conditions(self, branches: Iterable[int]) -> Iterator[SSAValue]:
        """The conditions of the branches at the end of blocks."""
        for each in branches:
            branch = self._known.graph.blocks[each].last_op
            if isinstance(branch, CondBraOp):
                yield branch.predicate
            elif isinstance(branch, BrxOp):
                yield branch.index

    def _differs(self, value: SSAValue) -> bool:
        """Whether a value may differ from warp to warp."""
        if value not in self._differ:
            self._differ[value] = self._is_of_thread(value)
        return self._differ[value]

    def _is_of_thread(self, value: SSAValue) -> bool:
        seen: set[SSAValue] = set()
        pending = [value]
        while pending:
            each = pending.pop()
            if each in seen:
                continue
            seen.add(each)
            owner = each.owner
            if isinstance(owner, Block):
                pending += self._passed(each, owner)
            elif isinstance(owner, SpecialRegisterOp):
                threads = self._known.facts.threads
                if special_register(owner.register.data, threads).agreement is not Shared.CTA:
                    return True
            elif isinstance(owner, GuardOp):
                pending += owner.operands
                pending += (inner for op in owner.body.block.ops for inner in op.operands)
            elif isinstance(owner, InlineOp) or _is_own(owner):
                return True
            else:
                pending += owner.operands
        return False

    def _passed(self, argument: SSAValue, block: Block) -> Iterator[SSAValue]:
        """What an argument of a block depends on: what is passed, and which way was taken."""
        edges = self._known.edges
        number = edges.number.get(block)
        if number is None:
            return
        yield from (each for each, _ in edges.passed(argument))
        graph = self._known.graph
        ways = graph.predecessors[number]
        if len(ways) > 1:
            deciding = {each for before in ways for each in (before, *self._deciding(before))}
            # What decides the block before all ways does not decide between them.
            yield from self._conditions(deciding - self._deciding(graph.dominators[number]))


def _is_own(op: Operation) -> bool:
    """Whether the results of an instruction may be the thread's own, whatever its operands are."""
    return op.name.startswith(_OWN) and not isinstance(op, ElectSyncOp)


_OWN = ("ptx.atom", "ptx.special_register.", "ptx.activemask", "ptx.match")

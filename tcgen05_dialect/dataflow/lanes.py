"""
Lanes of tensor memory against the warp that executes ld and st (9.7.16.8.1).

Operands of matrix products in the columns of D (9.7.16.10.9).

Agreement of warps: whether all warps that can reach an instruction execute it if one does.

A condition is the same for all warps if it depends only on constants, parameters, and memory at
addresses that do not depend on the thread.
"""

from collections.abc import Iterable, Iterator, Mapping, Set
from functools import cached_property

from xdsl.ir import Block, Operation, SSAValue

from ..isa.mma.operation import overlap_violations
from ..isa.mma.products import D
from ..isa.model.rule import Violation, combined, describe
from ..isa.practice import judged
from ..isa.tensor_memory.alloc import ADDRESS, COLUMNS, warp_lanes
from ..isa.tensor_memory.ld_st import LANE_RULE
from ..ptx.analysis.values import closure
from ..ptx.control_flow import BrxOp, CondBraOp
from ..ptx.inline import InlineOp
from ..ptx.instructions import ElectSyncOp, SpecialRegisterOp
from ..ptx.structure import GuardOp
from ..ptx.tcgen05 import LdOp, LdRedOp, StOp
from ..ptx.tcgen05_mma import Mma
from ..reporting.diagnostics import OperationError, located
from ..uniformity.lane_values import Shared
from ..uniformity.threads import special_register
from .accesses import address
from .kernel_facts import KernelFacts
from .numbers import Number, difference, field, signed


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
        controlling = self._controlling
        return closure(controlling.get(block, ()), lambda each: controlling.get(each, ()))

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


def lane_errors(known: KernelFacts) -> Iterator[OperationError]:
    """The errors of loads and stores in lanes that the executing warp certainly cannot access."""
    agreement = Agreement(known)
    for op in known.instructions:
        if isinstance(op, LdOp | LdRedOp | StOp):
            violation = _violation(op, known, agreement)
            if violation is not None:
                yield located(op, violation)


def _violation(
    op: LdOp | LdRedOp | StOp, known: KernelFacts, agreement: Agreement
) -> Violation | None:
    threads = known.facts.threads
    if not threads.extents:
        return None
    wrong: dict[int, Number] = {}
    right: list[int] = []
    for warp in range(len(threads.warps())):
        lane = _lane(op, warp, known)
        if lane is None:
            return None
        legal = warp_lanes(warp)
        if lane.members is not None and not any(each in legal for each in lane.members):
            wrong[warp] = lane
        else:
            right.append(warp)
    wrong = {warp: lane for warp, lane in wrong.items() if known.may_execute(op, warp)}
    if not wrong:
        return None
    if any(known.may_execute(op, warp) for warp in right):
        wrong = {warp: lane for warp, lane in wrong.items() if known.exists(warp)}
        if not wrong or not agreement.is_common(op, wrong):
            # Perhaps only the others execute it.
            return None
    warp, lane = next(iter(wrong.items()))
    legal = warp_lanes(warp)
    sentence = (
        f"warp {warp} accesses lane {describe(frozenset(lane.members or ()))}, but it can access "
        f"only lanes {legal.start} to {legal.stop - 1}"
    )
    help_ = "add the first lane of the warp, 32 times its number in the warpgroup, to the address"
    lanes = {0}.union(*(each.members or () for each in wrong.values()))
    rule = judged(LANE_RULE, known.kernel.is_read, lanes=lanes)
    return rule.violation(lane.low, legal, sentence=sentence, culprit="address", help=help_)


def _lane(op: LdOp | LdRedOp | StOp, warp: int, known: KernelFacts) -> Number | None:
    """The lane of the address in a warp; None if nothing is known of it."""
    cell = address(op, "address", known.in_warp(warp))
    return field(cell.offset, 16, 16) if cell.is_cell else None


def overlap_errors(known: KernelFacts) -> Iterator[OperationError]:
    """The errors of matrix products with an operand in columns of D. The addresses may be relative
    to any value, but both to the same."""
    for op in known.instructions:
        if isinstance(op, Mma):
            violation = combined(
                overlap_violations(
                    op.form(), known.facts.number(op.idesc).constant, _distances(op, known)
                )
            )
            if violation is not None:
                yield located(op, violation)


def _distances(op: Mma, known: KernelFacts) -> dict[str, int]:
    """The distances in columns from D to other operands in the same lanes, as far as known."""
    found: dict[str, int] = {}
    d = address(op, D.name, known.facts)
    for each in op.form().matrices_in("tensor"):
        if each.name == D.name:
            continue
        other = address(op, each.name, known.facts)
        distance = difference(other.offset, d.offset).constant
        if other.base == d.base and distance is not None:
            columns = signed(distance, ADDRESS.width)
            if abs(columns) <= COLUMNS:
                found[each.name] = columns
    return found

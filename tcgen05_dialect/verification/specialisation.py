"""
Copies of a kernel in which a condition has one result, if a run without data does not know it.

Branches on data whose sides are the same to other threads, such as one that rescales an accumulator
if a maximum has grown. Runs may take either side: on none of them is there synchronisation with
other threads, at most one accesses memory, and nothing that decides control, barriers or addresses
depends on the side. A thread that takes the side with the accesses makes all that it can make, and
their order is the same whichever sides other threads take.

Optional arrays, whose pointers a kernel compares with null, such as lengths of sequences. Control
may depend on such an array, but not in a launch without it.
"""

from collections.abc import Container, Iterable, Sequence
from typing import NamedTuple

from xdsl.dialects.builtin import IntegerType, ModuleOp
from xdsl.ir import BlockArgument, Operation, SSAValue
from xdsl.utils.hints import isa

from tcgen05_dialect.passes.support.conversion import PtxBuilder

from ..isa.effects.model import is_strong
from ..ptx import instructions as ptx
from ..ptx import tcgen05
from ..ptx.analysis.control_flow import reverse_postorder
from ..ptx.analysis.known_values import constant_bits
from ..ptx.analysis.values import (
    backwards,
    computed_from_data,
    control_operands,
    forwards,
    is_pure,
    operations,
    passed_values,
    read_operands,
    slice_of,
)
from ..ptx.control_flow import Branch, BraOp, CondBraOp
from ..ptx.effects import may_be_together
from ..ptx.kernel import KernelOp
from ..ptx.structure import GuardOp, YieldOp
from ..ptx.text.syntax import word_of
from ..uniformity.lane_values import Shared
from ..uniformity.uniformity import VOTES, Uniformity
from .static.inventory import Inventory, pointers_of

_ACCESSES = ptx.LdOp | ptx.StOp | tcgen05.LdOp | tcgen05.LdRedOp | tcgen05.StOp
_OWN = (
    VOTES
    | _ACCESSES
    | tcgen05.WaitOp
    | tcgen05.FenceOp
    | ptx.BarWarpSyncOp
    | ptx.ShflSyncOp
    | Branch
    | YieldOp
)
"""Operations that synchronise at most with the same warp."""


class Sides(NamedTuple):
    """Branches on data, and copies of their kernel: in one all branches are taken, and guarded
    instructions executed, in the other none."""

    branches: Sequence[Operation]
    kernels: Sequence[KernelOp]


def sides_of(kernel: KernelOp) -> Sides | None:
    """The sides of a kernel's branches on data; None if there are no such branches."""
    branches = _free_branches(kernel)
    if not branches:
        return None
    numbers = {op: number for number, op in enumerate(kernel.walk())}
    places = {numbers[op] for op in branches}
    kernels: list[KernelOp] = []
    for is_taken in (True, False):
        copy = _copy_of(kernel)
        for op in [op for number, op in enumerate(copy.walk()) if number in places]:
            _take(op, is_taken)
        _leave_out_unreached(copy)
        kernels.append(copy)
    return Sides(branches, kernels)


class Without(NamedTuple):
    """The pointers to optional arrays on which control depends, with the numbers that only lead to
    their elements, and a copy of their kernel, for launches in which all of these are 0."""

    zeros: Sequence[BlockArgument]
    kernel: KernelOp


def without_arrays(kernel: KernelOp) -> Without | None:
    """A kernel without the optional arrays on which its control depends; None if there are
    none."""
    ops = Inventory(kernel)
    optional = [
        each for each in pointers_of(ops) if isinstance(each, BlockArgument) and _is_asked_for(each)
    ]
    loads = {op for each in slice_of(kernel).loaded if isinstance(op := each.owner, ptx.LdOp)}
    behind = {op: ops.behind([op.address]) for op in loads if optional}
    arrays = [each for each in optional if any(each in found for found in behind.values())]
    if not arrays:
        return None
    absent = {op for op, found in behind.items() if not found.isdisjoint(arrays)}
    distances = {
        each
        for op in absent
        for each in behind[op]
        if isinstance(each, BlockArgument) and _only_leads_to(each, absent)
    }
    copy = _copy_of(kernel)
    entry = copy.body.blocks[0]
    assert entry.first_op is not None
    build = PtxBuilder({})
    build.at = entry.first_op
    zeros: list[BlockArgument] = []
    for each in sorted({*arrays, *distances}, key=lambda each: each.index):
        if each.owner is ops.blocks[0] and isa(each.type, IntegerType):
            entry.args[each.index].replace_all_uses_with(build.constant(0, each.type))
            zeros.append(each)
    _decide(copy)
    return Without(zeros, copy)


def _is_asked_for(pointer: SSAValue) -> bool:
    """Whether a kernel compares a pointer with null."""

    def results(op: Operation, _: SSAValue) -> Iterable[SSAValue]:
        return op.results if isinstance(op, ptx.MovOp | ptx.CvtaToOp) else ()

    return any(
        _compares_with_null(use.operation)
        for value in forwards([pointer], results)
        for use in value.uses
    )


def _compares_with_null(op: Operation) -> bool:
    return isinstance(op, ptx.SetpOp) and any(constant_bits(each) == 0 for each in op.operands)


def _only_leads_to(number: SSAValue, loads: Container[Operation]) -> bool:
    """Whether a kernel compares a number with 0, and otherwise only computes addresses of some
    loads from it, as it does from the distance between elements."""

    def results(op: Operation, _: SSAValue) -> Iterable[SSAValue]:
        return op.results if is_pure(type(op)) and not _compares_with_null(op) else ()

    found = forwards([number], results)
    users = {use.operation for value in found for use in value.uses}
    return any(map(_compares_with_null, users)) and all(
        is_pure(type(op)) or isinstance(op, Branch) or op in loads for op in users
    )


def _decide(kernel: KernelOp) -> None:
    """Let the branches of a copy lead only where its constants allow."""
    # Imported here, because few kernels need it.
    from ..dataflow.kernel_facts import facts_of

    facts = facts_of(kernel)
    known: list[tuple[Operation, bool]] = []
    for op in operations(reverse_postorder(kernel.body)):
        if isinstance(op, CondBraOp | GuardOp):
            holds = facts.number(op.predicate)
            if not (holds.has(0) and holds.has(1)):
                known.append((op, holds.has(1)))
    for op, holds in known:
        negated = isinstance(op, GuardOp) and op.negated is not None
        _take(op, holds != negated)
    _leave_out_unreached(kernel)


def _copy_of(kernel: KernelOp) -> KernelOp:
    """A copy of a kernel, in a copy of its module."""
    module = kernel.parent_op()
    assert isinstance(module, ModuleOp)
    copy = [*module.clone().ops][[*module.ops].index(kernel)]
    assert isinstance(copy, KernelOp)
    return copy


def _free_branches(kernel: KernelOp) -> list[Operation]:
    """The branches and guards on data that are the same to other threads on each side."""
    uniformity = Uniformity(kernel)
    graph = uniformity.graph
    ops = [*operations(graph.blocks)]
    of_data = computed_from_data(ops)
    passed = passed_values(graph.blocks)
    free: dict[Operation, set[SSAValue]] = {}
    """Branch -> the values that depend on its side."""
    for op in ops:
        if isinstance(op, CondBraOp | GuardOp) and op.predicate in of_data:
            merged = _merged(op, uniformity)
            if merged is not None:
                free[op] = merged
    while True:
        deciding = (
            value
            for op in ops
            for value in control_operands(op)
            if op not in free or (isinstance(op, GuardOp) and value is not op.predicate)
        )
        needed = backwards(deciding, passed, read_operands)
        others = [op for op, merged in free.items() if not merged.isdisjoint(needed)]
        if not others:
            return [*free]
        for op in others:
            del free[op]


def _merged(op: CondBraOp | GuardOp, uniformity: Uniformity) -> set[SSAValue] | None:
    """The values that depend on the side of a branch; None if its sides may differ to other
    threads."""
    is_uniform = uniformity.value(op.predicate).agreement is not Shared.NONE
    if isinstance(op, GuardOp):
        return {*op.results} if _is_own(op.instructions, is_uniform) else None
    graph, block = uniformity.graph, op.parent
    assert block is not None
    number = graph.number[block]
    sides = graph.sides(number)
    if not sides:
        return None
    join, inside, accesses = graph.joins[number], set[int]().union(*sides), 0
    assert join is not None
    for side in sides:
        found = [each for at in side for each in operations([graph.blocks[at]])]
        if not _is_own(found, is_uniform):
            return None
        accesses += any(isinstance(each, _ACCESSES) for each in found)
    if accesses > 1:
        return None
    return {*graph.blocks[join].args, *(arg for at in inside for arg in graph.blocks[at].args)}


def _is_own(ops: Iterable[Operation], is_uniform: bool) -> bool:
    """Whether no operation synchronises with other warps, and the threads that execute them
    suffice: whole warps, if the condition `is_uniform`."""
    return all(
        is_pure(type(op))
        or isinstance(op, GuardOp)
        or (
            isinstance(op, _OWN)
            and not is_strong(word_of(op, "semantics"))
            and (is_uniform or not may_be_together(type(op)))
        )
        for op in ops
    )


def _take(op: Operation, is_taken: bool) -> None:
    """Replace a branch by one side, or a guard by its instructions or nothing."""
    if isinstance(op, CondBraOp):
        block, arguments = op.targets()[not is_taken]
        branch = BraOp.create(operands=arguments, successors=[block], location=op.location)
        parent = op.parent
        assert parent is not None
        parent.insert_op_before(branch, op)
        op.detach()
        op.erase()
        return
    assert isinstance(op, GuardOp)
    values: Sequence[SSAValue] = op.kept
    if is_taken == (op.negated is None):
        end = op.body.block.last_op
        if isinstance(end, YieldOp):
            values = end.operands
        for each in op.instructions:
            each.detach()
            assert op.parent is not None
            op.parent.insert_op_before(each, op)
    for result, value in zip(op.results, values, strict=True):
        result.replace_all_uses_with(value)
    op.detach()
    op.erase()


def _leave_out_unreached(kernel: KernelOp) -> None:
    reached = {*reverse_postorder(kernel.body)}
    unreached = [block for block in kernel.body.blocks if block not in reached]
    for block in unreached:
        for op in block.ops:
            op.drop_all_references()
    for block in unreached:
        kernel.body.erase_block(block, safe_erase=False)

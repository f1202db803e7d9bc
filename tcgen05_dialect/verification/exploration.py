"""
Exploration of a kernel whose control depends on data: runs in which loads read chosen numbers.

In each run all loads of bytes that the kernel has not stored read the same number, so that threads
agree. Such runs show mistakes, but never that there are none.

Branches on data whose sides are the same to other threads, such as one that rescales an accumulator
if a maximum has grown.

Runs without data cannot take such a branch, but they may take either side: on none of them is there
synchronisation with other threads, at most one accesses memory, and nothing that decides control,
barriers or addresses depends on the side. A thread that takes the side with the accesses makes all
that it can make, and their order is the same whichever sides other threads take.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation, SSAValue

from ..isa.effects.model import is_strong
from ..isa.practice import ALIGNMENT, ASSUMPTION_RULE, BOUNDS, RACE, STEPS
from ..ptx import instructions as ptx
from ..ptx import tcgen05
from ..ptx.analysis.control_flow import END, ControlFlowGraph, closure, reverse_postorder
from ..ptx.analysis.known_values import constant_bits
from ..ptx.analysis.values import (
    STORING,
    backwards,
    computed_from,
    computed_from_data,
    control_operands,
    deciding,
    is_pure,
    operations,
    passed_values,
    read_operands,
    slice_of,
)
from ..ptx.control_flow import Branch, BraOp, CondBraOp
from ..ptx.effects import global_places, may_be_together
from ..ptx.kernel import KernelOp
from ..ptx.register_types import register_bits
from ..ptx.structure import GuardOp, YieldOp
from ..ptx.text.syntax import values_of, word_of
from ..reporting.diagnostics import OperationError, rule_of, value_name
from ..simulator.machine.errors import LaunchError, line_number, lines_of
from .execution import AT_ANY_SIZE, Outcome, Skeleton
from .knowledge import Undecided, may_choose
from .sizes import Chooser
from .static.inventory import is_global
from .static.loops import Scenario, loops_of

_MOST_PATHS = {"quick": 4, "thorough": 8}
"""Limit on the runs of a kernel."""


@dataclass(frozen=True)
class Path:
    """A run in which loads read the number `chosen`; `loads` are these loads, each with a result
    on which control depends."""

    kernel: KernelOp
    scenario: Scenario
    chosen: int
    loads: Mapping[Operation, SSAValue]
    outcome: Outcome

    @property
    def choice(self) -> str:
        """Text: what the loads read."""
        read = dict.fromkeys(
            f"{value_name(value, 'a value')} = {self.chosen}" for value in self.loads.values()
        )
        return f"{', '.join(read)} loaded at {lines_of(self.loads)}" if self.loads else ""

    @cached_property
    def placed(self) -> set[Operation]:
        """The copies whose places in global memory depend on loaded values."""
        return {
            op
            for value in self.loads.values()
            for op, operand in deciding(value)
            if any(operand in values_of(op, name) for name in global_places(op))
        }


def paths_of(kernel: KernelOp, effort: str) -> list[Path]:
    """The runs of a kernel with chosen data; none if choices have no meaning, as for addresses."""
    try:
        return [*islice(_paths(kernel), _MOST_PATHS[effort])]
    except (Undecided, LaunchError):
        return []


def _paths(kernel: KernelOp) -> Iterator[Path]:
    skeleton = Skeleton(kernel, chooses=True)
    if not all(map(may_choose, skeleton.slice.undecided)):
        return
    sizes, *_ = skeleton.launches()
    scenario, *_ = Chooser(skeleton, sizes).scenarios(thorough=False)
    knowledge = skeleton.knowledge
    numbers = _numbers(kernel, (*skeleton.slice.undecided, *skeleton.slice.loaded))
    knowledge.chosen = numbers[0]
    skeleton.infer_boxes(scenario.values, scenario.sizes)
    for number in numbers:
        knowledge.chosen = number
        outcome = skeleton.run(scenario.values, scenario.sizes)
        # Tensor memory holds the number, too.
        of_tensor_memory = {
            op: each for each in skeleton.slice.undecided if isinstance(op := each.owner, Operation)
        }
        both = knowledge.chosen_for | of_tensor_memory
        loads = dict(sorted(both.items(), key=lambda each: line_number(each[0])))
        yield Path(kernel, scenario, number, loads, outcome)


def _numbers(kernel: KernelOp, sources: Iterable[SSAValue]) -> list[int]:
    """Numbers to choose: two rounds of the largest ring, few iterations, and numbers at the limits
    of comparisons with constants."""
    rounds = 2 * max((loop.stages for loop in loops_of(kernel)), default=1) + 1
    found = [rounds, 1, 0]
    for value in computed_from(sources):
        for use in value.uses:
            if isinstance(use.operation, ptx.SetpOp):
                for operand in use.operation.operands:
                    if (bits := constant_bits(operand)) is not None:
                        fits = range(1 << (register_bits(operand.type) or 0))
                        found += (each for each in (bits, bits + 1, bits - 1) if each in fits)
    return [*dict.fromkeys(found)]


def is_of_choice(error: OperationError, path: Path, paths: Iterable[Path]) -> bool:
    """
    Whether a finding shows only that the chosen number is none for which the kernel is made.

    The places of accesses to global memory may depend on loaded values in any way. If loops depend
    on them, the number may be too small; then a larger number without the finding exists, or one
    that decides nothing, but for findings that count at any size.
    """
    rule, op = rule_of(error), error.operation
    if rule in (STEPS, ASSUMPTION_RULE):
        # The limit is one of the verifier, and the number one that the kernel excludes.
        return True
    if rule in (BOUNDS, ALIGNMENT) or (isinstance(op, ptx.LdOp | ptx.StOp) and is_global(op)):
        return True
    if rule is RACE and op in path.placed:
        return True
    if rule in AT_ANY_SIZE or not _decides_loops(path):
        return False
    larger = (other.outcome for other in paths if other.chosen > path.chosen)
    return any(outcome.passes or outcome.undecided is not None for outcome in larger)


def _decides_loops(path: Path) -> bool:
    """Whether the number of iterations of a loop depends on loaded values."""
    branches = {loop.branch for loop in loops_of(path.kernel)}
    values = [*path.loads.values()]
    if any(
        isinstance(use.operation, STORING) for each in computed_from(values) for use in each.uses
    ):
        # Other loads may read what the kernel has computed from them.
        values += slice_of(path.kernel).loaded
    return any(op in branches for value in values for op, _ in deciding(value))


_UNIFORM = ptx.VoteSyncOp | ptx.VoteSyncBallotOp | ptx.MatchSyncAllOp | ptx.ReduxSyncOp
"""Operations whose result is the same in all threads of a warp."""
_ACCESSES = ptx.LdOp | ptx.StOp | tcgen05.LdOp | tcgen05.LdRedOp | tcgen05.StOp
_OWN = _UNIFORM | _ACCESSES | tcgen05.WaitOp | ptx.BarWarpSyncOp | ptx.ShflSyncOp | Branch | YieldOp
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
    module = kernel.parent_op()
    assert isinstance(module, ModuleOp)
    index = [*module.ops].index(kernel)
    kernels: list[KernelOp] = []
    for is_taken in (True, False):
        copy = [*module.clone().ops][index]
        assert isinstance(copy, KernelOp)
        for op in [op for number, op in enumerate(copy.walk()) if number in places]:
            _take(op, is_taken)
        _leave_out_unreached(copy)
        kernels.append(copy)
    return Sides(branches, kernels)


def _free_branches(kernel: KernelOp) -> list[Operation]:
    """The branches and guards on data that are the same to other threads on each side."""
    graph = ControlFlowGraph(kernel.body)
    ops = [*operations(graph.blocks)]
    of_data = computed_from_data(ops)
    passed = passed_values(graph.blocks)
    free: dict[Operation, set[SSAValue]] = {}
    """Branch -> the values that depend on its side."""
    for op in ops:
        if isinstance(op, CondBraOp | GuardOp) and op.predicate in of_data:
            merged = _merged(op, graph)
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


def _merged(op: CondBraOp | GuardOp, graph: ControlFlowGraph) -> set[SSAValue] | None:
    """The values that depend on the side of a branch; None if its sides may differ to other
    threads."""
    if isinstance(op, GuardOp):
        return {*op.results} if _is_own(op.instructions, op.predicate) else None
    block = op.parent
    assert block is not None
    number = graph.blocks.index(block)
    join = graph.joins[number]
    if join is None or join == END:
        return None
    sides = [_region(graph, graph.successors[number][side], join) for side in (0, 1)]
    inside = {each for side in sides for each in side}
    if number in inside:
        return None
    accesses = 0
    for side in sides:
        found = [each for at in side for each in operations([graph.blocks[at]])]
        if not _is_own(found, op.predicate):
            return None
        accesses += any(isinstance(each, _ACCESSES) for each in found)
    if accesses > 1:
        return None
    return {*graph.blocks[join].args, *(arg for at in inside for arg in graph.blocks[at].args)}


def _region(graph: ControlFlowGraph, first: int, join: int) -> set[int]:
    """The blocks from one up to another."""
    step = graph.successors.__getitem__
    return closure([first], lambda block: () if block == join else step(block)) - {join}


def _is_own(ops: Iterable[Operation], predicate: SSAValue) -> bool:
    """Whether no operation synchronises with other warps, and the threads that execute them
    suffice."""
    return all(
        is_pure(type(op))
        or isinstance(op, GuardOp)
        or (
            isinstance(op, _OWN)
            and not is_strong(word_of(op, "semantics"))
            and (not may_be_together(type(op)) or _is_uniform(predicate))
        )
        for op in ops
    )


def _is_uniform(predicate: SSAValue) -> bool:
    """Whether a predicate is certainly the same in all threads of a warp."""

    def operands(op: Operation) -> Iterable[SSAValue]:
        return () if isinstance(op, _UNIFORM) else read_operands(op)

    found = backwards([predicate], {}, operands)
    owners = [each.owner for each in found]
    return all(
        isinstance(op, Operation) and (is_pure(type(op)) or isinstance(op, _UNIFORM))
        for op in owners
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

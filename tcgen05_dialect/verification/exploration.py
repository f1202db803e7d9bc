"""
Exploration of a kernel whose control depends on data: runs in which loads read chosen numbers.

In each run all loads of bytes that the kernel has not stored read the same number, so that threads
agree. Such runs show mistakes, but never that there are none.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from xdsl.ir import Operation, SSAValue

from ..isa.practice import ALIGNMENT, ASSUMPTION_RULE, BOUNDS, RACE, STEPS
from ..ptx import instructions as ptx
from ..ptx.analysis.known_values import constant_bits
from ..ptx.analysis.values import (
    STORING,
    computed_from,
    deciding,
    slice_of,
)
from ..ptx.effects import global_places
from ..ptx.kernel import KernelOp
from ..ptx.register_types import register_bits
from ..ptx.text.syntax import values_of
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

    skeleton: Skeleton
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
            for op, operand in deciding(self.loads.values())
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
    if not may_choose(skeleton.slice.undecided):
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
        yield Path(skeleton, scenario, number, loads, outcome)


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
    branches = {loop.branch for loop in loops_of(path.skeleton.kernel)}
    values = [*path.loads.values()]
    if any(
        isinstance(use.operation, STORING) for each in computed_from(values) for use in each.uses
    ):
        # Other loads may read what the kernel has computed from them.
        values += slice_of(path.skeleton.kernel).loaded
    return any(op in branches for op, _ in deciding(values))

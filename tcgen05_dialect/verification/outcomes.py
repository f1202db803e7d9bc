"""
Outcomes of values that parameters alone decide: comparisons, and remainders that reach a barrier.
A run shows one outcome of each; further scenarios show the others.

Which findings of runs at invented sizes count: an error may show only that a kernel is not made for
some sizes.

Scenarios of clusters other than the first of a grid.
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cache

import numpy as np
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from ..isa.model.rule import Rule
from ..isa.practice import ALIGNMENT, ASSUMPTION_RULE, BOUNDS, PHASES
from ..ptx import instructions
from ..ptx.analysis.control_flow import reverse_postorder
from ..ptx.analysis.values import (
    backwards,
    control_operands,
    operations,
    passed_values,
    read_operands,
)
from ..ptx.bases import BarrierInstruction, CtaBarrier
from ..ptx.instructions import LdOp, StOp
from ..reporting.diagnostics import OperationError, rule_of
from ..simulator.machine.errors import line_key
from ..simulator.machine.state import LaunchSizes
from .control import barriers_of
from .execution import AT_ANY_SIZE, Outcome, Skeleton
from .iterations import CANDIDATES, Evaluation, Iterations, Numbers, Unknown
from .launches import cluster_at, cta_axes, other_clusters
from .loops import MOST_ITERATIONS, Loop, Scenario, sources_of
from .origins import is_global
from .sizes import Chooser

_MOST_RUNS = 8
"""Limit on the runs for outcomes."""
_MOST_OUTCOMES = 8
"""Limit on the outcomes of a remainder."""


class Outcomes:
    """The outcomes of the values that parameters alone decide, at the sizes of a launch."""

    def __init__(self, skeleton: Skeleton, chooser: Chooser):
        self._chooser = chooser
        blocks = reverse_postorder(skeleton.kernel.body)
        passed = {
            argument: values[0]
            for argument, values in passed_values(blocks).items()
            if len(values) == 1
        }
        numbers = skeleton.numbers
        parameters = (*numbers, *skeleton.pointers)
        step_of = cache(skeleton.program.step)
        self._evaluation = Evaluation(step_of, chooser.sizes, parameters, passed)
        self._numbers: dict[SSAValue, list[BlockArgument]] = {}
        """Each value, with the numbers on which it depends."""
        for value in _interesting(blocks, skeleton.decisive):
            try:
                sources = self._evaluation.sources(value)
            except Unknown:
                continue
            if found := [p for p in numbers if p in sources and isinstance(p.type, IntegerType)]:
                self._numbers[value] = found
        self._possible = self._all_possible()

    def _all_possible(self) -> dict[SSAValue, dict[BlockArgument, Numbers]]:
        """Value -> its outcomes at the candidates of each number on which it depends."""
        found: dict[SSAValue, dict[BlockArgument, Numbers]] = {}
        for p in dict.fromkeys(p for numbers in self._numbers.values() for p in numbers):
            values = [value for value, numbers in self._numbers.items() if p in numbers]
            registers = self._chooser.registers({p: CANDIDATES})
            for value, outcomes in zip(
                values, self._evaluation.values(values, registers), strict=True
            ):
                found.setdefault(value, {})[p] = np.broadcast_to(outcomes, CANDIDATES.shape)
        return found

    def scenarios(self, runs: Sequence[Scenario]) -> Iterator[Scenario]:
        """Scenarios with the outcomes that no run shows."""
        shown = self._shown(runs)
        for _ in range(_MOST_RUNS):
            missing = next(self._missing(shown), None)
            if missing is None:
                return
            value, p, outcome = missing
            # An outcome is tried once.
            shown[value].add(outcome)
            hits = self._chooser.allowed(p) & (self._possible[value][p] == outcome)
            scenario = self._chooser.scenario(p, CANDIDATES[hits])
            if scenario is not None:
                yield scenario
                for each, outcomes in self._shown([scenario]).items():
                    shown[each] |= outcomes

    def unshown(self, runs: Sequence[Scenario]) -> dict[SSAValue, set[BlockArgument]]:
        """The values of which runs do not show each outcome, and the numbers that decide it; a
        kernel need not be made for an empty array."""
        found: dict[SSAValue, set[BlockArgument]] = {}
        for value, p, outcome in self._missing(self._shown(runs)):
            if CANDIDATES[self._chooser.allowed(p) & (self._possible[value][p] == outcome)].any():
                found.setdefault(value, set()).add(p)
        return found

    def _missing(
        self, shown: Mapping[SSAValue, set[int]]
    ) -> Iterator[tuple[SSAValue, BlockArgument, int]]:
        for value, tables in self._possible.items():
            for p, table in tables.items():
                possible = {*table[self._chooser.allowed(p)].tolist()} - shown[value]
                if len(possible) <= _MOST_OUTCOMES:
                    for outcome in sorted(possible):
                        yield value, p, outcome

    def _shown(self, runs: Sequence[Scenario]) -> dict[SSAValue, set[int]]:
        """Value -> the outcomes that runs show."""
        values = [*self._numbers]
        changed = {
            p: np.array([each.values[p.index] for each in runs]) for p in self._chooser.numbers
        }
        found = self._evaluation.values(values, self._chooser.registers(changed))
        return {
            value: {*np.broadcast_to(outcomes, len(runs)).tolist()}
            for value, outcomes in zip(values, found, strict=True)
        }


def _interesting(blocks: Sequence[Block], decisive: set[SSAValue]) -> Iterator[SSAValue]:
    """Comparisons that decide something, and remainders that reach a barrier without one."""
    passed = passed_values(blocks)
    roots: list[SSAValue] = []
    for op in operations(blocks):
        if barriers := barriers_of(op):
            roots += control_operands(op) if isinstance(op, BarrierInstruction) else barriers
        elif isinstance(op, CtaBarrier):
            roots += control_operands(op)

    def operands(op: Operation) -> Iterable[SSAValue]:
        return () if isinstance(op, instructions.SetpOp) else read_operands(op)

    reaching = backwards(roots, passed, operands)
    for op in operations(blocks):
        if isinstance(op, instructions.SetpOp):
            yield from (each for each in op.results if each in decisive)
        elif isinstance(op, instructions.RemOp | instructions.AndOp):
            yield from (each for each in op.results if each in reaching)


def is_of_sizes(
    error: OperationError, scenario: Scenario, runs: Sequence[tuple[Scenario, Outcome]]
) -> bool:
    """
    Whether a finding shows only that the kernel is not made for these sizes.

    An assumption says for which sizes a kernel is made. A kernel of PTX text, which has none, need
    not be made for an empty array. Otherwise:

    - A finding about addresses in global memory, which depend on sizes, counts if all sizes that
      are not smaller throughout have it; for a violation of `AT_ANY_SIZE`, all sizes with at least
      as many iterations.
    - Elsewhere, warnings and violations of `AT_ANY_SIZE` count, and so do violations of the order
      of phases, which more iterations do not undo.
    - Another error counts if the kernel passes with fewer iterations: a limit is a least size. It
      does not count if a run with at least as many iterations has no error or only a violation of
      `AT_ANY_SIZE`, or if one with more iterations has a different error.
    """
    rule = rule_of(error)
    if rule is ASSUMPTION_RULE:
        return True
    if any(is_empty(outcome, scenario) for _, outcome in runs):
        return True
    longer = [
        (other, outcome)
        for other, outcome in runs
        if other is not scenario and other.covers(scenario)
    ]
    if _depends_on_addresses(error):
        if rule not in AT_ANY_SIZE:
            longer = [each for each in runs if not each[0].is_within(scenario)]
        return any(_is_free_of(outcome, error) for _, outcome in longer)
    if rule.severity == "warning" or rule in AT_ANY_SIZE or rule is PHASES:
        return False
    if any(outcome.passes and other.is_below(scenario) for other, outcome in runs):
        return False
    return any(
        outcome.error is None
        or rule_of(outcome.error) in AT_ANY_SIZE
        or (not scenario.covers(other) and _replaces(outcome.error, error))
        for other, outcome in longer
    )


def _is_free_of(outcome: Outcome, error: OperationError) -> bool:
    return outcome.passes and key_of(error) not in map(key_of, outcome.warnings)


def _replaces(other: OperationError, error: OperationError) -> bool:
    """Whether another error, with more iterations, counts instead of one."""
    if key_of(other) == key_of(error) or rule_of(other) is ASSUMPTION_RULE:
        return False
    return not _depends_on_addresses(other)


def bounds_loops(error: OperationError, scenario: Scenario) -> bool:
    """Whether a finding, about sizes that a kernel is not made for, excludes numbers of iterations
    of its loops above the least. An assumption is a contract."""
    busy = {
        p
        for each, count in zip(scenario.loops, scenario.iterations, strict=True)
        for p in each.numbers
        if count > each.least
    }
    is_busy = all(p in busy for each in scenario.loops for p in each.numbers)
    is_contract = rule_of(error) is ASSUMPTION_RULE
    return is_busy and not is_contract and not _depends_on_addresses(error)


def is_empty(outcome: Outcome, scenario: Scenario) -> bool:
    """Whether a size of a kernel of PTX text, on which loops depend, is 0."""
    return outcome.is_read and any(
        scenario.values[p.index] == 0 for loop in scenario.loops for p in loop.numbers
    )


def _depends_on_addresses(error: OperationError) -> bool:
    """Whether a finding depends on addresses in global memory, and so on sizes."""
    op = error.operation
    is_access = isinstance(op, LdOp | StOp) and is_global(op)
    return rule_of(error) in (BOUNDS, ALIGNMENT) or is_access


def breaks_assumption(outcome: Outcome) -> bool:
    return outcome.error is not None and rule_of(outcome.error) is ASSUMPTION_RULE


def key_of(error: OperationError) -> tuple[Rule, Hashable]:
    """Identity of a finding at different sizes."""
    return rule_of(error), line_key(error.operation)


_PLACES = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96)
"""Places of clusters along an axis that are tried."""


def scenarios_of_clusters(skeleton: Skeleton, sizes: LaunchSizes) -> Iterator[Scenario]:
    """
    Scenarios of an inner and of the last cluster of larger grids, if more than addresses in global
    memory depends on the place of a CTA; and of clusters in which loops go through their rings, if
    the place decides how often.
    """
    if sizes.grid != sizes.cluster:
        return
    launches = other_clusters(sizes, cta_axes(skeleton.decisive))
    for loop in skeleton.loops:
        launches += _wrapping(skeleton, loop, sizes)
    for each in dict.fromkeys(launches):
        # With a few iterations of each loop.
        yield Chooser(skeleton, each).scenarios(thorough=False)[-1]


def _wrapping(skeleton: Skeleton, loop: Loop, sizes: LaunchSizes) -> list[LaunchSizes]:
    """The launch of the first cluster in which a loop goes through its ring twice; empty if its
    number of iterations does not depend on the place of a CTA alone."""
    step_of = cache(skeleton.program.step)
    found: list[tuple[int, LaunchSizes]] = []
    for axis in sorted(cta_axes(sources_of(loop))):
        for place in _PLACES:
            launch = cluster_at(sizes, {axis: place})
            try:
                count = int(Iterations(loop, step_of, launch, ()).at({}, MOST_ITERATIONS)[0])
            except Unknown:
                return []
            if count > 2 * loop.stages:
                return [launch]
            found.append((count, launch))
    return [max(found, key=lambda each: each[0])[1]] if found else []

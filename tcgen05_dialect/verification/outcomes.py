"""
Outcomes of values that parameters or the place of a CTA decide: comparisons, and remainders that
reach a barrier; and the findings of runs at invented sizes that count.

A run shows one outcome of each value; further scenarios, and other clusters of the grid, show the
others. An error may show only that a kernel is not made for some sizes.
"""

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import chain, combinations, islice
from typing import TypeVar

import numpy as np
from xdsl.dialects.builtin import IntegerType, i1
from xdsl.ir import BlockArgument, Operation, SSAValue

from ..isa.model.rule import Rule
from ..isa.practice import ALIGNMENT, ASSUMPTION_RULE, BOUNDS, PHASES
from ..ptx import instructions
from ..ptx.analysis.known_values import constant_bits
from ..ptx.analysis.values import (
    control_operands,
    read_operands,
)
from ..ptx.bases import BarrierInstruction, CtaBarrier
from ..ptx.control_flow import BrxOp, CondBraOp
from ..ptx.instructions import LdOp, StOp
from ..ptx.structure import GuardOp
from ..reporting.diagnostics import OperationError, rule_of
from ..simulator.launch.launch import Coverage
from ..simulator.machine.errors import line_key
from ..simulator.machine.state import LaunchSizes
from ..simulator.order.events import distinct
from .execution import AT_ANY_SIZE, Outcome, Skeleton
from .iterations import CANDIDATES, Evaluation, Iterations, Numbers, Unknown, special
from .launches import cluster_at, other_clusters
from .sizes import Chooser
from .static.control import barriers_of, sources_of_values
from .static.inventory import Inventory, cta_axes, is_global
from .static.loops import MOST_ITERATIONS, Loop, Scenario, sources_of

_MOST_RUNS = 8
"""Limit on the runs for outcomes."""
_MOST_CLUSTERS = 4
"""Limit on the clusters that run for outcomes."""
_MOST_PLACES = 1 << 24
"""Limit on the places of clusters with which the place of a CTA is compared."""
_MOST_OUTCOMES = 8
"""Limit on the missing outcomes of a value for which launches are sought."""
_MOST_TOGETHER = 4
"""Limit on the runs for outcomes that two numbers decide together."""
_FEW = 64
"""The candidates of a number up to this one, and those near the constants compared with it, are
tried together with those of another number, or with the places of CTAs."""
_FAR_PLACES = np.array(sorted({*range(129), *range(128, 2049, 8), *range(2048, 32769, 512)}))
"""Places along an axis at which values are evaluated."""
_NEAR_PLACES = 17
"""Limit on the places along an axis that are tried together with candidates of a number."""
_BEHIND = 16
"""Limit on the clusters behind the first two at which values are evaluated."""


class Outcomes:
    """The outcomes of the values that parameters alone decide, at the sizes of a launch."""

    def __init__(self, skeleton: Skeleton, chooser: Chooser):
        self._skeleton, self._chooser = skeleton, chooser
        ops = skeleton.ops
        passed = {
            argument: values[0] for argument, values in ops.passed.items() if len(values) == 1
        }
        numbers = skeleton.numbers
        grid = {
            value: op.register.data
            for op in ops.of(instructions.SpecialRegisterOp)
            if cta_axes(op.results)
            for value in op.results
        }
        parameters = (*numbers, *skeleton.pointers, *grid)
        step_of = cache(skeleton.program.step)
        self._evaluation = Evaluation(step_of, chooser.sizes, parameters, passed)
        self._grid = grid
        self._numbers: dict[SSAValue, list[BlockArgument]] = {}
        """Each value, with the numbers on which it depends."""
        self._placed: dict[SSAValue, set[str]] = {}
        """Each value that depends on the place of a CTA or on the grid, with the axes."""
        for value in _interesting(ops, skeleton.decisive):
            try:
                sources = self._evaluation.sources(value)
            except Unknown:
                continue
            if found := [p for p in numbers if p in sources and isinstance(p.type, IntegerType)]:
                self._numbers[value] = found
            if axes := cta_axes(sources):
                self._placed[value] = axes
        self._near = {
            p: _near(value for value, found in self._numbers.items() if p in found) for p in numbers
        }
        """The numbers near the constants that are compared with each number."""
        self._among = {
            p: distinct(np.concatenate((CANDIDATES, near)))[0] for p, near in self._near.items()
        }
        """The candidates of each number, with those near the constants compared with it."""
        self._possible = self._all_possible()
        self._conditions = [
            value
            for value in {**self._numbers, **self._placed}
            if value.type == i1 and len(self._numbers.get(value, ())) + (value in self._placed) > 1
        ]
        """The conditions that several numbers decide, or numbers and the place of a CTA."""

    def _all_possible(self) -> dict[SSAValue, dict[BlockArgument, Numbers]]:
        """Value -> its outcomes at the candidates of each number on which it depends."""
        found: dict[SSAValue, dict[BlockArgument, Numbers]] = {}
        for p in dict.fromkeys(p for numbers in self._numbers.values() for p in numbers):
            values = [value for value, numbers in self._numbers.items() if p in numbers]
            for value, outcomes in self._outcomes(values, {p: self._among[p]}).items():
                table = np.broadcast_to(outcomes, self._among[p].shape)
                found.setdefault(value, {})[p] = table
        return found

    def scenarios(self, runs: Sequence[Scenario]) -> Iterator[Scenario]:
        """Scenarios with the outcomes that no run shows."""
        shown = self._shown(runs)
        for _ in range(_MOST_RUNS):
            missing = next(_few(self._missing(shown)), None)
            if missing is None:
                return
            (value, p), (outcome, *_) = missing
            # An outcome is tried once.
            shown[value].add(outcome)
            scenario = self._chooser.scenario(p, self._values(value, p, outcome))
            if scenario is not None:
                yield scenario
                for each, outcomes in self._shown([scenario]).items():
                    shown[each] |= outcomes

    def together(self, ran: Sequence[Scenario]) -> Iterator[Scenario]:
        """Scenarios with results of conditions that two numbers decide together, or a number and
        the place of a CTA, and that no run shows."""
        shown = self._shown_at(ran)
        for _ in range(_MOST_TOGETHER):
            found = next(self._missing_together(shown), None)
            if found is None:
                return
            value, outcome, changed, launch = found
            # An outcome is tried once.
            shown[value].add(outcome)
            chooser = self._chooser if launch is None else Chooser(self._skeleton, launch)
            if (scenario := chooser.at(changed)) is not None:
                yield scenario
                for each, outcomes in self._shown_at([scenario]).items():
                    shown[each] |= outcomes

    def _shown_at(self, runs: Sequence[Scenario]) -> dict[SSAValue, set[int]]:
        """Condition -> the results that runs in any clusters show."""
        changed = {
            p: np.array([each.values[p.index] for each in runs]) for p in self._chooser.numbers
        }
        found = self._outcomes(self._conditions, changed, [each.sizes for each in runs])
        return {
            value: {*np.broadcast_to(outcomes, len(runs)).tolist()}
            for value, outcomes in found.items()
        }

    def _missing_together(
        self, shown: Mapping[SSAValue, set[int]]
    ) -> Iterator[tuple[SSAValue, int, Mapping[BlockArgument, int], LaunchSizes | None]]:
        """Results of conditions that no run shows, each with numbers and, if it depends on the
        place of a CTA, a launch at which a condition has it."""
        few: dict[BlockArgument, Numbers] = {}
        for p, near in self._near.items():
            among = distinct(np.concatenate((np.arange(1, _FEW), near)))[0]
            few[p] = among[self._chooser.allowed(p, among) & (among > 0)]
        launches = self._near_places if any(v in self._placed for v in self._conditions) else []
        for value in self._conditions:
            numbers = self._numbers.get(value, ())
            for p, q in combinations(numbers, 2):
                tried = {p: few[p].repeat(few[q].size), q: np.tile(few[q], few[p].size)}
                for outcome, changed, _ in self._nearest(value, tried, (), shown[value]):
                    yield value, outcome, changed, None
            for p in numbers if value in self._placed else ():
                tried = {p: few[p].repeat(len(launches))}
                for outcome, changed, at in self._nearest(value, tried, launches, shown[value]):
                    yield value, outcome, changed, launches[at % len(launches)]

    def _nearest(
        self,
        value: SSAValue,
        tried: Mapping[BlockArgument, Numbers],
        launches: Sequence[LaunchSizes],
        shown: set[int],
    ) -> Iterator[tuple[int, Mapping[BlockArgument, int], int]]:
        """The outcomes of a value that are not in `shown`, each with the nearest numbers that give
        it to those of the usual run, and the index of these numbers in `tried`."""
        (found,) = self._outcomes([value], tried, launches).values()
        usual = self._chooser.usual
        far = sum(abs(numbers - usual.get(p, numbers)) for p, numbers in tried.items())
        for outcome in {*found.ravel().tolist()} - shown:
            at = int(np.where(found == outcome, far, np.inf).argmin())
            yield outcome, {p: int(numbers[at]) for p, numbers in tried.items()}, at

    def odd(self, coverage: Coverage) -> Iterator[Scenario]:
        """Scenarios in which a number is odd, so that rows of arrays are not aligned. Only numbers
        that decide a `brx`, or a branch or guard that is not covered, can lead to operations that
        no run has reached."""
        ops = self._skeleton.ops
        branches = chain(coverage.one_way(ops.of(CondBraOp, GuardOp)), ops.of(BrxOp))
        conditions = (value for op in branches for value in control_operands(op))
        deciding = sources_of_values(self._skeleton.ops, conditions)
        for p, among in self._among.items():
            values = among[self._chooser.allowed(p, among) & (among % 2 == 1) & (among > 1)]
            if values.size and p in deciding:
                scenario = self._chooser.scenario(p, values)
                if scenario is not None:
                    yield scenario

    def unshown(self, runs: Sequence[Scenario]) -> dict[SSAValue, set[BlockArgument]]:
        """The values of which runs do not show each outcome, and the numbers that decide it; a
        kernel need not be made for an empty array."""
        found: dict[SSAValue, set[BlockArgument]] = {}
        here = [each for each in runs if each.sizes.alone is None]
        for (value, p), outcomes in self._missing(self._shown(here)):
            if any(self._values(value, p, outcome).any() for outcome in outcomes):
                found.setdefault(value, set()).add(p)
        for value, _, changed, _ in self._missing_together(self._shown_at(runs)):
            found.setdefault(value, set()).update(changed)
        return found

    def _values(self, value: SSAValue, p: BlockArgument, outcome: int) -> Numbers:
        """The candidates of a number with an outcome."""
        among = self._among[p]
        return among[self._chooser.allowed(p, among) & (self._possible[value][p] == outcome)]

    def _missing(
        self, shown: Mapping[SSAValue, set[int]]
    ) -> Iterator[tuple[tuple[SSAValue, BlockArgument], list[int]]]:
        """The outcomes that no run shows of values at the candidates of a number."""
        for value, tables in self._possible.items():
            for p, table in tables.items():
                allowed = self._chooser.allowed(p, self._among[p])
                if possible := {*table[allowed].tolist()} - shown[value]:
                    yield (value, p), sorted(possible)

    def _shown(self, runs: Sequence[Scenario]) -> dict[SSAValue, set[int]]:
        """Value -> the outcomes that runs show."""
        changed = {
            p: np.array([each.values[p.index] for each in runs]) for p in self._chooser.numbers
        }
        return {
            value: {*np.broadcast_to(outcomes, len(runs)).tolist()}
            for value, outcomes in self._outcomes(self._numbers, changed).items()
        }

    def _outcomes(
        self,
        values: Iterable[SSAValue],
        changed: Mapping[BlockArgument, Numbers],
        launches: Sequence[LaunchSizes] = (),
    ) -> dict[SSAValue, Numbers]:
        """Value -> its outcomes at some numbers, in some launches, which repeat if they are fewer
        than the numbers."""
        registers = self._chooser.registers(changed)
        count = max(len(launches), *(len(numbers) for numbers in changed.values()), 1)
        for value, name in self._grid.items():
            at = [special(name, each) for each in launches or (self._chooser.sizes,)]
            registers[value] = np.resize(np.array(at, np.uint32), count)
        # The outcome of a minimum is which operand it is.
        chosen = [
            (value, op.a if isinstance(op := value.owner, _EXTREMA) else None) for value in values
        ]
        asked = [each for pair in chosen for each in pair if each is not None]
        found = iter(self._evaluation.values(asked, registers))
        return {
            value: np.asarray(next(found) if first is None else next(found) == next(found))
            for value, first in chosen
        }

    def places(self, ran: Sequence[LaunchSizes]) -> Iterator[LaunchSizes]:
        """Launches of clusters with the outcomes that no cluster that ran shows."""
        candidates = self._candidates()
        for _ in range(_MOST_CLUSTERS):
            missing = next(_few(self._missing_places(candidates, ran)), None)
            if missing is None:
                return
            _, (launch, *_) = missing
            ran = [*ran, launch]
            yield launch

    @property
    def twins(self) -> set[tuple[Loop, Loop]]:
        """The pairs of loops that run equally often in the first cluster."""
        return self._chooser.twins

    def differ(self, launch: LaunchSizes) -> bool:
        """Whether outcomes in a launch differ from those in the first cluster."""
        return any(True for _ in self._missing_places([launch], [self._chooser.sizes]))

    def unplaced(self, ran: Sequence[LaunchSizes]) -> list[SSAValue]:
        """The values that have outcomes in clusters other than those that ran."""
        return [value for value, _ in self._missing_places(self._candidates(), ran)]

    def _missing_places(
        self, candidates: Sequence[LaunchSizes], ran: Sequence[LaunchSizes]
    ) -> Iterator[tuple[SSAValue, list[LaunchSizes]]]:
        """The values that have outcomes in candidates which they have in none of the clusters that
        ran, each with the first candidate for each outcome."""
        if not self._placed:
            return
        launches = [*ran, *candidates]
        for value, outcomes in self._outcomes(self._placed, {}, launches).items():
            found = np.broadcast_to(outcomes, len(launches)).tolist()
            shown, missing = {*found[: len(ran)]}, dict[int, LaunchSizes]()
            for launch, outcome in zip(candidates, found[len(ran) :], strict=True):
                if outcome not in shown:
                    missing.setdefault(outcome, launch)
            if missing:
                yield value, [*missing.values()]

    def _candidates(self) -> list[LaunchSizes]:
        """Launches of single clusters, inner ones and the last along each axis and along all."""
        numbers = {*_FAR_PLACES.tolist()}
        for n in (n for value in self._placed for n in _compared(value) if n < _MOST_PLACES):
            numbers.update((max(n - 1, 0), n, n + 1))
        behind = [(n, more) for n in sorted(numbers) for more in (0, 1)]
        return self._launches([*behind, *((n, m) for m in range(2, _BEHIND) for n in (0, 1))])

    @property
    def _near_places(self) -> list[LaunchSizes]:
        """Launches of single clusters near the first one."""
        return self._launches([(n, more) for n in range(_NEAR_PLACES) for more in (0, 1)])

    def _launches(self, places: Iterable[tuple[int, int]]) -> list[LaunchSizes]:
        """Launches of single clusters, along each axis and along all axes together. An element of
        `places` is a place and the number of clusters behind it."""
        axes = set[str]().union(*self._placed.values())
        directions = [*({axis} for axis in sorted(axes)), *([axes] if len(axes) > 1 else [])]
        return [
            cluster_at(self._chooser.sizes, dict.fromkeys(along, n), more)
            for n, more in places
            for along in directions
        ]


_Of = TypeVar("_Of")
_Missing = TypeVar("_Missing")


def _few(
    missing: Iterable[tuple[_Of, Sequence[_Missing]]],
) -> Iterator[tuple[_Of, Sequence[_Missing]]]:
    """What has so few missing outcomes that launches show them."""
    return (each for each in missing if len(each[1]) <= _MOST_OUTCOMES)


def _compared(value: SSAValue) -> Iterator[int]:
    """The constants among the operands from which a value is computed."""
    if isinstance(value.owner, Operation):
        yield from filter(None, map(constant_bits, value.owner.operands))


_LOGIC = instructions.AndOp | instructions.OrOp | instructions.XorOp | instructions.NotOp


def _near(values: Iterable[SSAValue]) -> Numbers:
    """The constants compared with some values, and their neighbours."""
    near = {n + d for value in values for n in _compared(value) for d in (-1, 0, 1)}
    return np.array(sorted(n for n in near if 0 <= n < 1 << 31), np.int64)


_EXTREMA = instructions.MinOp | instructions.MaxOp
_CHOICES = instructions.SetpOp | instructions.SetpCombinedOp | instructions.SetpPairOp | _EXTREMA


def _interesting(ops: Inventory, decisive: set[SSAValue]) -> Iterator[SSAValue]:
    """Comparisons, minima and maxima that decide something, and remainders that reach a barrier
    without a comparison."""
    roots: list[SSAValue] = []
    for op in ops.reached:
        if barriers := barriers_of(op):
            roots += control_operands(op) if isinstance(op, BarrierInstruction) else barriers
        elif isinstance(op, CtaBarrier):
            roots += control_operands(op)

    def operands(op: Operation) -> Iterable[SSAValue]:
        return () if isinstance(op, _CHOICES) else read_operands(op)

    reaching = ops.behind(roots, operands)
    for op in ops.reached:
        if isinstance(op, _CHOICES) or (isinstance(op, _LOGIC) and op.d.type == i1):
            yield from (each for each in op.results if each in decisive)
        elif isinstance(op, instructions.RemOp | instructions.AndOp | instructions.BfeOp):
            yield from (each for each in op.results if each in reaching)


def is_of_sizes(
    error: OperationError, scenario: Scenario, runs: Sequence[tuple[Scenario, Outcome]]
) -> bool:
    """
    Whether a finding shows only that the kernel is not made for these sizes.

    An assumption says for which sizes a kernel is made. A kernel of PTX text, which has none, need
    not be made for an empty array. Otherwise:

    - A finding about addresses in global memory, which depend on sizes, counts if all sizes that
      are not smaller throughout have it. A violation of `AT_ANY_SIZE`, or a finding about addresses
      in other memory, counts if all sizes with at least as many iterations have it.
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
    if depends_on_addresses(error):
        if rule not in AT_ANY_SIZE and is_global(error.operation):
            # The runs in which some value is larger.
            longer = [
                run
                for run in runs
                if any(value > scenario.values[index] for index, value in run[0].values.items())
            ]
        return any(
            outcome.passes and key_of(error) not in map(key_of, outcome.warnings)
            for _, outcome in longer
        )
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


def _replaces(other: OperationError, error: OperationError) -> bool:
    """Whether another error, with more iterations, counts instead of one."""
    if key_of(other) == key_of(error) or rule_of(other) is ASSUMPTION_RULE:
        return False
    return not depends_on_addresses(other)


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
    return is_busy and not is_contract and not depends_on_addresses(error)


def is_empty(outcome: Outcome, scenario: Scenario) -> bool:
    """Whether a size of a kernel of PTX text, on which loops depend, is 0."""
    return outcome.is_read and any(
        scenario.values[p.index] == 0 for loop in scenario.loops for p in loop.numbers
    )


def depends_on_addresses(error: OperationError) -> bool:
    """Whether a finding depends on addresses, and so perhaps on sizes."""
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


def scenarios_of_clusters(
    skeleton: Skeleton, sizes: LaunchSizes, outcomes: Outcomes
) -> Iterator[Scenario]:
    """
    Scenarios of an inner and of the last cluster of larger grids, if more than addresses in global
    memory depends on the place of a CTA; of clusters in which loops go through their rings, if the
    place decides how often; and of those with other outcomes of comparisons.
    """
    if sizes.grid != sizes.cluster:
        return
    launches = other_clusters(sizes, cta_axes(skeleton.decisive))
    last = launches[-1] if launches else None
    for loop in skeleton.loops:
        launches += _wrapping(skeleton, loop, sizes)
    launches += outcomes.places([sizes, *launches])
    for each in dict.fromkeys(launches):
        chooser = Chooser(skeleton, each)
        found = chooser.scenarios(thorough=False)
        # What differs may matter only when a ring is used again.
        scenario = found[0 if outcomes.differ(each) else -1]
        yield scenario.with_waiting(0) if scenario.waiting else scenario
        if each is last:
            yield from islice(chooser.unequal([scenario], outcomes.twins), 1)


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

"""
Sizes that the verifier chooses, so that the loops of a kernel reach all states of their rings.

A loop over a ring of S stages runs 0, 1, 2, S, S + 1, 2 S + 1 and 3 S + 1 times: not at all, one
stage, one stage and its successor, one round, the first stage again, and two or three rounds and
the first stage again.
Other numbers of iterations repeat the same states of the ring.
"""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations
from math import inf
from typing import NamedTuple

import numpy as np
from xdsl.dialects.builtin import AnyFloat
from xdsl.ir import BlockArgument, Operation, SSAValue

from ..ptx.analysis.control_slice import is_pure
from ..ptx.analysis.values import forwards
from ..ptx.contract import Contract
from ..ptx.control_flow import Branch
from ..ptx.instructions import AddOp, CvtOp, MaxOp, MinOp, MovOp, SetpOp, SubOp
from ..ptx.register_types import register_bits
from ..simulator.machine.state import LaunchSizes
from ..simulator.numbers.floats import dtype_of
from ..xdsl_support.attributes import bits_of
from .control import barriers_of
from .execution import Skeleton
from .iterations import Iterations, Numbers, Unknown
from .launches import cta_axes
from .loops import MOST_STAGES, Loop, parameters_of, sources_of
from .origins import lane_masks
from .rings import direct_operations, is_poll
from .scenario import MOST_ITERATIONS, Scenario, SizedLoop

_LARGE = 4096
"""Value of a number on which no loop depends."""
CANDIDATES = np.array(sorted({*range(129), *range(128, 2049, 8), *range(0, 32769, 64)}))
_ALIGNED = np.zeros(1, np.uint64)
_FAR = 1 << 20
"""Value of a number that is a large distance in an array."""
_PART = 40
"""Number that is less than most tiles."""
_ODD = 424
"""Number of which few blocks are partial."""
_MOST_SCENARIOS = 16
_Cost = Callable[[Numbers], Numbers]
"""The cost of iterations that a loop runs."""


class _Choice(NamedTuple):
    """A value of a number, and its cost; infinite if no value is allowed."""

    cost: float
    value: int


@dataclass(eq=False)
class _Group:
    """
    Loops over rings of equally many stages, none inside another, and the numbers on which they
    depend; of several numbers of one loop, the one that changes its iterations most.

    The loops of the producer and of the consumer of a ring may depend on different numbers, which
    each launch keeps consistent.
    """

    stages: int
    loops: list[Loop] = field(default_factory=list[Loop])
    numbers: list[BlockArgument] = field(default_factory=list[BlockArgument])


def _uses_barriers(loop: Loop, loops: Iterable[Loop]) -> bool:
    """Whether the iterations of a loop use barrier objects, and not only to ask again."""
    return not is_poll(loop) and any(map(barriers_of, direct_operations(loop, loops)))


def scenarios_of(skeleton: Skeleton, sizes: LaunchSizes, thorough: bool) -> list[Scenario]:
    """The scenarios of a kernel; see `Chooser.scenarios`."""
    return Chooser(skeleton, sizes).scenarios(thorough)


class Chooser:
    """The choice of the sizes of a kernel."""

    def __init__(self, skeleton: Skeleton, sizes: LaunchSizes):
        pointers, numbers = skeleton.pointers, skeleton.numbers
        self.sizes, self._waiting = sizes, skeleton.waiting
        contracts = skeleton.kernel.contracts()
        self._contracts = {p: contracts[p.index] for p in numbers}
        self._pointers, self._stages = pointers, skeleton.stage_numbers
        self._decisive = skeleton.decisive
        self._all_loops = [loop for loop in skeleton.loops if not is_poll(loop)]
        self._masks = lane_masks(skeleton.ops, numbers)
        self._base = {p: self._default(p) for p in self._contracts}
        step_of = cache(skeleton.program.step)
        self._loops: list[tuple[Loop, list[BlockArgument]]] = []
        self.uncounted: list[SizedLoop] = []
        """Loops whose number of iterations depends on parameters and on more."""
        self._iterations: dict[Loop, Iterations] = {}
        for loop in skeleton.loops:
            found = parameters_of(loop, numbers)
            try:
                iterations = Iterations(loop, step_of, sizes, (*numbers, *pointers))
            except Unknown:
                if found or _uses_barriers(loop, skeleton.loops):
                    self.uncounted.append(SizedLoop(loop, tuple(found), 0, MOST_ITERATIONS))
                continue
            if found:
                self._iterations[loop] = iterations
                self._loops.append((loop, found))
            elif cta_axes(sources_of(loop)):
                self.uncounted.append(SizedLoop(loop, (), 0, MOST_ITERATIONS))
        self._known_tables: dict[Hashable, Numbers] = {}
        self._bounds: dict[Loop, tuple[int, int]] = {}
        self._tables = self._all_tables()
        self._base = min(self._bases(), key=self._cost_of)
        self._tables = self._all_tables()
        self._groups = self._all_groups()
        for group in reversed(self._groups):
            self._choose(self._together(group, _from_two))

    def _bases(self) -> list[dict[BlockArgument, int]]:
        """
        Values with which loops run about twice.

        A loop may depend on several numbers: each choice takes those before it into account. The
        first numbers are large, like rows of a matrix, or small: their product may overflow.
        """
        found: list[dict[BlockArgument, int]] = []
        numbers, base = [*self._tables], self._base
        for start in ({}, {p: self._smallest(p) for p in numbers}) if len(numbers) > 1 else ({},):
            self._base = base | start
            self._tables = self._all_tables()
            for p in numbers:
                self._choose({p: self._best(p, _from_two).value})
            found.append(self._base)
        return found

    def _cost_of(self, base: Mapping[BlockArgument, int]) -> int:
        """How far the loops are from two iterations."""
        changed = {p: np.array([value]) for p, value in base.items()}
        return sum(int(_from_two(self._counts(loop, changed))[0]) for loop, _ in self._loops)

    def _smallest(self, p: BlockArgument) -> int:
        """The smallest value of a number that its contract allows; at 0 a kernel does nothing."""
        allowed = CANDIDATES[(CANDIDATES != 0) & self.allowed(p)]
        return int(allowed[0]) if allowed.size else self._base[p]

    def _choose(self, values: Mapping[BlockArgument, int]) -> None:
        self._base |= values
        self._tables = self._all_tables()

    def _all_tables(self) -> dict[BlockArgument, list[tuple[Loop, Numbers]]]:
        """Number -> the loops that depend on it, and how often each runs for each candidate, less
        its smallest number of iterations."""
        tables: dict[BlockArgument, list[tuple[Loop, Numbers]]] = {}
        for loop, found in self._loops:
            for p in found:
                tables.setdefault(p, []).append((loop, self._table(loop, p)))
        return tables

    def _table(self, loop: Loop, p: BlockArgument) -> Numbers:
        """How often a loop runs for each candidate of a number, less its smallest number of
        iterations. It changes only with the other numbers on which the loop depends."""
        used = {*self._iterations[loop].parameters}
        key = loop, p, *(value for q, value in self._base.items() if q in used and q is not p)
        if key not in self._known_tables:
            table = self._counts(loop, {p: CANDIDATES})
            whole = np.broadcast_to(table, CANDIDATES.shape)
            # A pipelined loop runs some iterations more than there are blocks.
            self._known_tables[key] = whole - whole.min()
            least, most = self._bounds.get(loop, (MOST_ITERATIONS, 0))
            self._bounds[loop] = min(least, int(whole.min())), max(most, int(whole.max()))
        return self._known_tables[key]

    def _all_groups(self) -> list[_Group]:
        groups: list[_Group] = []
        for loop, found in self._loops:
            reach = {
                p: int(table.max())
                for p in found
                for each, table in self._tables.get(p, ())
                if each is loop
            }
            if not reach:
                continue
            for group in groups:
                if group.stages == loop.stages and not any(map(loop.is_nested, group.loops)):
                    break
            else:
                group = _Group(loop.stages)
                groups.append(group)
            group.loops.append(loop)
            if not any(p in group.numbers for p in reach):
                group.numbers.append(max(reach, key=reach.__getitem__))
        return sorted(groups, key=lambda each: -each.stages)

    def _best(self, p: BlockArgument, cost: _Cost, among: Numbers | bool = True) -> _Choice:
        """The value for which the costs of the iterations of all loops have the least sum; among
        equals, the roundest."""
        # At 0 a kernel does nothing.
        legal = (CANDIDATES != 0) & self.allowed(p) & among
        if not legal.any():
            return _Choice(inf, self._base[p])
        costs = np.where(legal, 0.0, np.inf)
        costs += sum(cost(table) for _, table in self._tables[p])
        least = costs.min()
        return _Choice(float(least), _roundest(CANDIDATES[costs == least]))

    def _together(self, group: _Group, cost: _Cost) -> dict[BlockArgument, int]:
        """The best values with which the loops of a group run equally often; without such values,
        the best of each number."""
        best = {p: self._best(p, cost) for p in group.numbers}
        if len(best) > 1:
            counts = {p: self._counts_in(group, p) for p in best}
            equal = [
                {p: self._best(p, cost, counts[p] == count) for p in best}
                for count in range(MOST_ITERATIONS + 1)
            ]
            cheapest = min(equal, key=_sum_of_costs)
            if _sum_of_costs(cheapest) < inf:
                best = cheapest
        return {p: choice.value for p, choice in best.items()}

    def _counts_in(self, group: _Group, p: BlockArgument) -> Numbers:
        """For each candidate, the iterations of the loop of a group that runs most often. If the
        loops of the group depend on several numbers, iterations before a loop count, too."""
        tables = [table for loop, table in self._tables[p] if loop in group.loops]
        if len(group.numbers) > 1:
            tables = [table + _peeled(table) * (table > 0) for table in tables]
        return np.max(tables, axis=0)

    def allowed(self, p: BlockArgument) -> Numbers:
        """Mask of the candidates that the contract of a number allows."""
        if p in self._masks:
            return CANDIDATES == 0
        contract = self._contracts[p]
        least = 0 if contract.at_least is None else contract.at_least
        most = CANDIDATES[-1] if contract.at_most is None else contract.at_most
        is_inside = (least <= CANDIDATES) & (most >= CANDIDATES)
        return is_inside & (CANDIDATES % contract.multiple_of == 0)

    @property
    def linked(self) -> list[set[BlockArgument]]:
        """The numbers that decide how often loops over one ring run, if there are several."""
        return [{*each.numbers} for each in self._groups if each.stages > 1]

    @property
    def stage_numbers(self) -> Sequence[BlockArgument]:
        """The numbers that are numbers of stages."""
        return self._stages

    def scenarios(self, thorough: bool) -> list[Scenario]:
        """
        The scenarios of a kernel: two, or all if `thorough`.

        In the first, the loops over the ring with the most stages go through it twice; in the
        second, as many loops as possible run. If clusters take over the work of others, two do so
        in all of them; other numbers of such clusters come with the sizes of the first.
        """
        found = self._of_values(thorough)
        if not self._waiting:
            return found
        usual, *others = self._waiting if thorough else self._waiting[:2]
        first = found[0]
        return [
            *(each.with_waiting(usual) for each in found),
            *(first.with_waiting(each) for each in others),
        ]

    def _of_values(self, thorough: bool) -> list[Scenario]:
        """The scenarios without clusters that wait."""
        if not self._tables:
            return [Scenario(self._by_index({}), self.sizes)]
        deepest = self._groups[0]
        rounds = 2 * deepest.stages + 1
        repeated: dict[BlockArgument, int] = {}
        for group in reversed(self._groups):
            repeated |= self._together(group, lambda each: each + 1000 * (each < 2))
        changes = [
            self._together(deepest, lambda each: np.abs(each - rounds)),
            repeated,
            *(self._all_changes() if thorough else ()),
        ]
        found = {tuple(values.values()): values for values in map(self._by_index, changes)}
        return self._scenarios(list(found.values())[:_MOST_SCENARIOS])

    def ratios(self) -> Iterator[tuple[str, Scenario]]:
        """Scenarios in which loops of one ring, whose numbers of iterations depend on two numbers,
        run in another ratio than equally often; each with a sentence about the ratio."""
        for group in self._groups:
            for p, q in combinations(group.numbers, 2):
                for one, other in ((2, 1), (1, 2), (4, 1), (1, 4)):
                    count = group.stages + 1
                    found: dict[BlockArgument, int] = {}
                    for number, factor in ((p, one), (q, other)):
                        table = self._counts_in(group, number)
                        hits = CANDIDATES[(table == factor * count) & self.allowed(number)]
                        if hits.size:
                            found[number] = _roundest(hits)
                    if len(found) == 2:
                        names = f"%{p.name_hint or p.index} and %{q.name_hint or q.index}"
                        text = f"{names} give numbers of iterations in the ratio {one} to {other}"
                        (scenario,) = self._scenarios([self._by_index(found)])
                        yield text, self._waited(scenario)

    def tails(self) -> list[Scenario]:
        """
        Scenarios with sizes that are not round: the last of several blocks is partial, for each
        number whose blocks loops count; and a number that only comparisons use is small.
        """
        changes = [found for each in self._groups if (found := self._tail(each)) is not None]
        if parts := {
            p: self._contracts[p].smallest_from(_PART)
            for p in self._base
            if p not in self._tables and self._is_limit(p)
        }:
            changes.append(parts)
        changes += self._other_stages()
        if self.uncounted and (
            parts := {p: self._contracts[p].smallest_from(_ODD) for p in self._base if self._odd(p)}
        ):
            changes.append(parts)
        found = filter(None, map(self._consistent, changes))
        return [*map(self._waited, self._scenarios([*map(self._by_index, found)]))]

    def _odd(self, p: BlockArgument) -> bool:
        """Whether a number may decide how often a loop with an unknown number runs."""
        is_other = p in self._tables or p in self._stages or p in self._masks
        return p in self._decisive and not is_other and not isinstance(p.type, AnyFloat)

    def _other_stages(self) -> Iterator[Mapping[BlockArgument, int]]:
        """Other numbers of stages, if a contract limits them, with loops that go through their
        rings twice."""
        for p in self._stages:
            most = self._contracts[p].at_most
            if most is None or most > MOST_STAGES:
                continue
            for stages in dict.fromkeys(self._contracts[p].smallest_from(n) for n in (1, 3, most)):
                rounds = 2 * stages + 1
                values: dict[BlockArgument, int] = {}
                for group in self._groups[:1]:  # the deepest ring
                    values = self._together(group, lambda each, to=rounds: np.abs(each - to))
                yield {**values, p: stages}

    def _consistent(
        self, changed: Mapping[BlockArgument, int]
    ) -> Mapping[BlockArgument, int] | None:
        """Values with others that let the loops of each ring run equally often; None if there are
        none."""
        found = dict(changed)
        for group in self._groups:
            given = [p for p in group.numbers if p in found]
            if group.stages < 2 or not given or len(given) == len(group.numbers):
                continue
            p, *_ = given
            at = np.searchsorted(CANDIDATES, found[p])
            count = self._counts_in(group, p)[at]
            for q in group.numbers:
                if q in given:
                    continue
                hits = CANDIDATES[(self._counts_in(group, q) == count) & self.allowed(q)]
                if not hits.size:
                    return None
                found[q] = _roundest(self._bounded(q, hits))
        return found

    def _tail(self, group: _Group) -> Mapping[BlockArgument, int] | None:
        """Values with which the loops of a group run often, and the last block is partial; None if
        there are none."""
        tables = {p: self._counts_in(group, p) for p in group.numbers}
        rounds = () if self._is_nested(group) else (2 * group.stages + 1,)
        for target in (*rounds, group.stages + 1, 1):
            for p, table in tables.items():
                size = _block(table, target)
                partial = (table == target) & self.allowed(p) & (CANDIDATES % size != 0)
                if partial.any():
                    others = self._at_targets((target,), tables)
                    for values in others:
                        return {**values, p: _roundest(CANDIDATES[partial])}
        return None

    def _is_limit(self, p: BlockArgument) -> bool:
        """Whether only comparisons use a number: a bound, not the size of a row."""
        if isinstance(p.type, AnyFloat) or p in self._masks:
            return False

        def results(op: Operation, value: SSAValue) -> Iterable[SSAValue]:
            return () if isinstance(op, SetpOp) or not is_pure(type(op)) else op.results

        found = forwards([p], results)
        users = {use.operation for value in found for use in value.uses}
        return any(isinstance(op, SetpOp) for op in users) and all(
            isinstance(op, AddOp | SubOp | CvtOp | MovOp | MinOp | MaxOp | SetpOp | Branch)
            for op in users
        )

    def shortest(self) -> Scenario:
        """A scenario in which loops run once, if they can."""
        once: dict[BlockArgument, int] = {}
        for group in self._groups:
            once |= self._together(group, lambda each: np.abs(each - 1))
        (found,) = self._scenarios([self._by_index(once)])
        return found

    def reaching(self, loop: Loop, iterations: int) -> Scenario | None:
        """A scenario in which a loop runs at least a number of times, if there is one."""
        for group in self._groups:
            if loop in group.loops:
                tables = {p: self._counts_in(group, p) for p in group.numbers}
                peeled = (
                    _peeled(table)
                    for p in tables
                    for each, table in self._tables[p]
                    if each is loop and len(tables) > 1
                )
                before = max(peeled, default=0)
                for values in self._at_targets((iterations + before,), tables):
                    (found,) = self._scenarios([self._by_index(values)])
                    return self._waited(found)
        return None

    def long(self, loop: Loop) -> Scenario | None:
        """A scenario in which a loop goes through any ring twice, if there is one."""
        for p, tables in self._tables.items():
            for each, table in tables:
                hits = CANDIDATES[self.allowed(p) & (table > 2 * MOST_STAGES)]
                if each is loop and hits.size:
                    changed = self._consistent({p: int(hits[0])})
                    if changed is not None:
                        (found,) = self._scenarios([self._by_index(changed)])
                        return self._waited(found)
        return None

    def running(self, each: SizedLoop, iterations: int) -> Scenario | None:
        """A scenario in which a loop runs exactly a number of times, and another one more often, if
        there is one: a loop over what is left after whole rounds of another."""
        for p in each.numbers:
            tables = self._tables.get(p, ())
            own = next((table for loop, table in tables if loop is each.loop), None)
            if own is None:
                continue
            hits = self.allowed(p) & (own + each.least == iterations)
            most = np.max([table for _, table in tables], axis=0)
            more = hits & (most > own) & (most < MOST_ITERATIONS)
            found = CANDIDATES[more if more.any() else hits]
            if found.size:
                changed = self._consistent({p: int(found[0])})
                if changed is None:
                    return None
                (scenario,) = self._scenarios([self._by_index(changed)])
                return self._waited(scenario)
        return None

    def _scenarios(self, chosen: Sequence[dict[int, int]]) -> list[Scenario]:
        changed = {p: np.array([values[p.index] for values in chosen]) for p in self._base}
        counts = [self._counts(loop, changed) for loop, _ in self._loops]
        iterations = np.broadcast_arrays(np.zeros(len(chosen), np.int64), *counts)[1:]
        loops = tuple(
            SizedLoop(loop, tuple(found), *self._bounds.get(loop, (0, MOST_ITERATIONS)))
            for loop, found in self._loops
        )
        return [
            Scenario(values, self.sizes, tuple(int(each[at]) for each in iterations), loops)
            for at, values in enumerate(chosen)
        ]

    def _all_changes(self) -> Iterator[Mapping[BlockArgument, int]]:
        for group in self._groups:
            tables = {p: self._counts_in(group, p) for p in group.numbers}
            targets = _targets(group.stages)
            if group.stages > 1 and not self._is_nested(group):
                targets += (3 * group.stages + 1,)
            yield from self._at_targets(targets, tables)
        rings = [each for each in self._groups if each.stages > 1 and len(each.numbers) > 1]
        for p, tables in self._tables.items():
            # Each launch keeps the numbers of a ring consistent.
            if not any(loop in group.loops for group in rings for loop, _ in tables):
                for loop, table in tables:
                    yield from self._at_targets(_targets(loop.stages), {p: table})

    def _is_nested(self, group: _Group) -> bool:
        """Whether a loop of a group contains, or is in, another one: then long runs take long."""
        return any(loop.is_nested(other) for loop in group.loops for other in self._all_loops)

    def _at_targets(
        self, targets: Iterable[int], tables: Mapping[BlockArgument, Numbers]
    ) -> Iterator[Mapping[BlockArgument, int]]:
        """Values with which the iterations in all tables are the targets."""
        for target in targets:
            hits = {
                p: CANDIDATES[(table == target) & self.allowed(p)] for p, table in tables.items()
            }
            if all(each.size for each in hits.values()):
                yield {p: _roundest(self._bounded(p, each)) for p, each in hits.items()}
                if not target and all(each.any() for each in hits.values()):
                    # A loop with its condition at the end does not go back if it runs once, either.
                    yield {p: int(each[each != 0].min()) for p, each in hits.items()}

    def _bounded(self, p: BlockArgument, values: Numbers) -> Numbers:
        """The values at which no loop reaches the number of iterations that stands for more; all
        values if there are none."""
        at = np.searchsorted(CANDIDATES, values)
        most = np.max([table[at] for _, table in self._tables[p]], axis=0)
        bounded = values[most < MOST_ITERATIONS]
        return bounded if bounded.size else values

    def _by_index(self, changed: Mapping[BlockArgument, int]) -> dict[int, int]:
        values = self._base | dict(changed)
        # The size of a row, for example, is not less than the number of its columns.
        largest = max((values[p] for p in self._tables), default=0)
        return {
            p.index: value if p in self._tables or p in changed else self._default(p, largest)
            for p, value in values.items()
        }

    def _default(self, p: BlockArgument, largest: int = 0) -> int:
        """The value of a number on which no loop depends."""
        if p in self._masks:
            return 0
        contract = self._contracts[p]
        return contract.smallest_from(2) if p in self._stages else _default(p, contract, largest)

    def _counts(self, loop: Loop, changed: Mapping[BlockArgument, Numbers]) -> Numbers:
        """How often a loop runs at values of some numbers; the others have those chosen so far."""
        return self._iterations[loop].at(self.registers(changed), MOST_ITERATIONS)

    def registers(self, changed: Mapping[BlockArgument, Numbers]) -> dict[SSAValue, Numbers]:
        """The parameters as registers, at values of some numbers; the others have those chosen so
        far."""
        # The addresses of arrays are aligned.
        found: dict[SSAValue, Numbers] = dict.fromkeys(self._pointers, _ALIGNED)
        found |= {p: changed.get(p, np.array([value])) for p, value in self._base.items()}
        return {p: value.astype(dtype_of(p.type)) for p, value in found.items()}

    @property
    def numbers(self) -> Iterable[BlockArgument]:
        """The numbers that are chosen."""
        return self._base

    @property
    def distances(self) -> Iterator[tuple[BlockArgument, int]]:
        """The numbers on which no loop depends, such as distances in arrays, each with a large
        value."""
        for p in self._base:
            contract, bits = self._contracts[p], register_bits(p.type) or 0
            large = contract.smallest_from(min(_FAR, (1 << bits - 1) - 1))
            if p not in self._tables and p not in self._masks and contract.at_most is None:
                yield p, large

    def scenario(self, p: BlockArgument, values: Numbers) -> Scenario | None:
        """A scenario with one of some values of a number, at which no loop runs too often."""
        if p in self._tables:
            at = np.searchsorted(CANDIDATES, values)
            values = values[
                np.max([table[at] for _, table in self._tables[p]], axis=0) < MOST_ITERATIONS
            ]
        if not values.size:
            return None
        changed = self._consistent({p: _roundest(values)})
        if changed is None:
            return None
        (found,) = self._scenarios([self._by_index(changed)])
        return self._waited(found)

    def _waited(self, scenario: Scenario) -> Scenario:
        """The scenario with clusters whose work others take over, if there are any."""
        return scenario.with_waiting(self._waiting[0]) if self._waiting else scenario


def _block(table: Numbers, target: int) -> int:
    """How much more of a number makes a loop run once more than a number of times; 1 if the
    candidates do not tell."""
    more, still_more = np.argmax(table >= target), np.argmax(table > target)
    return max(1, int(CANDIDATES[still_more] - CANDIDATES[more]))


def _peeled(table: Numbers) -> int:
    """Number of iterations that come before a loop: by the values of a number where the loop first
    runs once and twice."""
    once, twice = (int(CANDIDATES[np.argmax(table >= count)]) for count in (1, 2))
    before = (once - 1) // (twice - once) if twice > once else 0
    return before if before <= MOST_STAGES else 0


def _targets(stages: int) -> tuple[int, ...]:
    """The numbers of iterations that matter."""
    return 2 * stages + 1, stages + 1, stages, 2, 1, 0


def _from_two(iterations: Numbers) -> Numbers:
    return np.abs(iterations - 2)


def _sum_of_costs(choices: Mapping[BlockArgument, _Choice]) -> float:
    return sum(choice.cost for choice in choices.values())


def _default(p: BlockArgument, contract: Contract, largest: int = 0) -> int:
    """The value of a number on which no loop depends; it keeps its contract, and is not less than
    the largest number on which loops depend."""
    if isinstance(p.type, AnyFloat):
        return bits_of(1.0, p.type)
    large = max(_LARGE, 1 << (largest - 1).bit_length())
    return contract.smallest_from(large if (register_bits(p.type) or 0) >= 32 else 0)


def _roundest(values: Numbers) -> int:
    """The value that the largest power of two divides; the smallest of these."""
    # Of 0, every power of two is a divisor.
    power = np.where(values == 0, 1 << 30, values & -values)
    return int(values[power == power.max()].min())

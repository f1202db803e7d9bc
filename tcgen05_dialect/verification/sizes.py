"""
Sizes that the verifier chooses, so that the loops of a kernel reach all states of their rings.

A loop over a ring of S stages runs 0, 1, 2, S, S + 1, 2 S + 1 and 3 S + 1 times: not at all, one
stage, one stage and its successor, one round, the first stage again, and two or three rounds and
the first stage again.
Other numbers of iterations repeat the same states of the ring.
"""

from collections.abc import Container, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations

import numpy as np
from xdsl.dialects.builtin import AnyFloat
from xdsl.ir import BlockArgument, Operation, SSAValue

from ..isa.model.rule import extents_text, plural
from ..ptx.analysis.values import forwards, is_pure
from ..ptx.control_flow import Branch
from ..ptx.instructions import AddOp, CvtOp, MaxOp, MinOp, MovOp, SetpOp, SpecialRegisterOp, SubOp
from ..ptx.kernel import KernelOp
from ..ptx.register_types import register_bits
from .execution import Skeleton
from .iterations import CANDIDATES, BaseValues, Group, Numbers, peeled, roundest
from .static.loops import MOST_ITERATIONS, MOST_STAGES, Loop, Scenario, SizedLoop
from .static.members import shown_name

_FAR = 1 << 20
"""Value of a number that is a large distance in an array."""
_PART = 40
"""Number that is less than most tiles."""
_ODD = 424
"""Number with few partial blocks."""
_OF_THREADS = {"tid.x", "tid.y", "tid.z", "laneid"}
"""Special registers in which threads differ."""
_MOST_SCENARIOS = 16
_MOST_UNEQUAL = 3
"""Limit on the differences of the numbers of iterations of two loops."""
_MOST_SIZES = 8
"""The sizes that a message names; the command of a replay has all."""


class Chooser(BaseValues):
    """The choice of the sizes of a kernel."""

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
        repeated: dict[BlockArgument, int] = {}
        for group in reversed(self._groups):
            repeated |= self._together(group, lambda each: each + 1000 * (each < 2))
        changes: list[Mapping[BlockArgument, int]] = [self._rounds, repeated]
        if thorough:
            for targets, tables in self._all_targets(changes):
                reached = self._reached(changes, tables)
                missing = [each for each in targets if not each or each not in reached]
                changes += self._at_targets(missing, tables)
        found = {tuple(values.values()): values for values in map(self._by_index, changes)}
        return self._distinct(self._scenarios(list(found.values())))[:_MOST_SCENARIOS]

    def _distinct(self, scenarios: Sequence[Scenario]) -> list[Scenario]:
        """
        The scenarios without those in which all loops run as often as in an earlier one.

        They are chosen for the states of rings, which follow from how often loops run, whichever
        numbers decide that. Comparisons that numbers decide, partial blocks and stores of other
        CTAs have runs of their own; so has 0, where a kernel may do nothing.
        """
        if any(each.numbers for each in self.uncounted):
            return [*scenarios]
        found: dict[Hashable, Scenario] = {}
        for at, each in enumerate(scenarios):
            is_counted = max(each.iterations, default=0) < MOST_ITERATIONS
            zeros = tuple(each.values[p.index] == 0 for p in self._tables)
            found.setdefault((each.iterations, zeros) if is_counted else at, each)
        return [*found.values()]

    @property
    def _rounds(self) -> dict[BlockArgument, int]:
        """Values with which the loops over the ring with the most stages go through it twice."""
        deepest = self._groups[0]
        twice = 2 * deepest.stages + 1
        return self._together(deepest, lambda each: np.abs(each - twice))

    @property
    def usual(self) -> Mapping[BlockArgument, int]:
        """The numbers on which loops depend, with values at which these run about twice through
        their rings."""
        values = self._base | (self._rounds if self._groups else {})
        return {p: value for p, value in values.items() if p in self._tables}

    def ratios(self) -> Iterator[tuple[str, Scenario]]:
        """Scenarios in which loops of one ring, whose numbers of iterations depend on several
        numbers, do not run equally often; each with a sentence about the numbers."""
        for group in self._groups:
            for text, factors in _ratios(group.numbers):
                count = group.stages + 1
                found: dict[BlockArgument, int] = {}
                for number, factor in factors.items():
                    table = self._counts_in(group, number)
                    hits = CANDIDATES[(table == factor * count) & self.allowed(number)]
                    if hits.size:
                        found[number] = roundest(hits)
                if len(found) == len(factors):
                    yield text, self._scenario(found)

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
            changes.append({**(self._rounds if self._groups else {}), **parts})
        changes += self._parts_of_threads()
        changes += self._other_stages()
        if self.uncounted and (
            parts := {p: self._contracts[p].smallest_from(_ODD) for p in self._base if self._odd(p)}
        ):
            changes.append(parts)
        found = filter(None, map(self._consistent, changes))
        return [*map(self._waited, self._scenarios([*map(self._by_index, found)]))]

    @property
    def twins(self) -> set[tuple[Loop, Loop]]:
        """The pairs of loops that run equally often at each candidate of a number."""
        return {
            (one, other)
            for tables in self._tables.values()
            for (one, first), (other, second) in combinations(tables, 2)
            if (first == second).all()
        }

    def unequal(
        self, ran: Sequence[Scenario], twins: Container[tuple[Loop, Loop]] = ()
    ) -> Iterator[Scenario]:
        """Scenarios in which the numbers of iterations of two loops differ as in none of those that
        ran, other than shorter ones. The loops differ in a few ways, or are `twins` in another
        launch."""
        for p, tables in self._tables.items():
            at = np.searchsorted(CANDIDATES, [each.values[p.index] for each in ran])
            at = at[at < CANDIDATES.size]
            for (one, first), (other, second) in combinations(tables, 2):
                most, difference = np.maximum(first, second), second - first
                # Tables leave out the least number of iterations, and end at the largest one.
                least = max(self._bounds[each][0] for each in (one, other))
                possible = self.allowed(p) & (CANDIDATES != 0) & (most + least < MOST_ITERATIONS)
                differences = {*difference[possible].tolist()}
                if one.is_nested(other) or len(differences) < 2:
                    continue
                # Some loops do the work of several iterations of another one.
                if len(differences) > _MOST_UNEQUAL and (one, other) not in twins:
                    continue
                stages = max(one.stages, other.stages)
                off = np.abs(most - (2 * stages + 1))
                nearest = {d: off[possible & (difference == d)].min() for d in sorted(differences)}
                for d in sorted(nearest, key=nearest.__getitem__):
                    hits = possible & (difference == d)
                    enough = min(most[hits].max(), stages + 1)
                    if not (hits[at] & (most[at] >= enough)).any():
                        values = CANDIDATES[hits & (off == nearest[d])]
                        if (found := self._keeping({p: roundest(values)})) is not None:
                            yield found

    def idle(self, ran: Sequence[Scenario]) -> Iterator[Scenario]:
        """Scenarios in which a loop runs in one CTA of the cluster only, or in all but one, as in
        none of those that ran."""
        for loop, peers in self._in_peers.items():
            for p in dict(self._loops)[loop] if peers else ():
                registers = self.registers({p: CANDIDATES})
                counts = [each.at(registers, MOST_ITERATIONS) for each in peers]
                counts.append(self._counts(loop, {p: CANDIDATES}))
                busy = np.count_nonzero(np.broadcast_arrays(CANDIDATES, *counts)[1:], axis=0)
                for number in dict.fromkeys((1, len(peers))):
                    values = CANDIDATES[self.allowed(p) & (CANDIDATES != 0) & (busy == number)]
                    is_shown = any(each.values[p.index] in values for each in ran)
                    if (
                        values.size
                        and not is_shown
                        and (found := self._keeping({p: roundest(values)}))
                    ):
                        yield found

    def _parts_of_threads(self) -> Iterator[Mapping[BlockArgument, int]]:
        """Values at which a number that decides which threads do more than access global memory is
        small, and the loops over tiles run often because of other numbers."""
        for p in dict.fromkeys(self._limits_of_threads() if len(self._tables) > 1 else ()):
            part = {p: self._contracts[p].smallest_from(_PART)}
            for loop, numbers in self._loops:
                for q in numbers if p in numbers else ():
                    counts = self._counts(loop, {p: np.array([part[p]]), q: CANDIDATES})
                    counts = np.where(self.allowed(q), counts, 0)
                    off = np.abs(counts - (2 * loop.stages + 1))
                    if q is not p and counts.max() > loop.stages:
                        yield {**part, q: roundest(CANDIDATES[off == off.min()])}
                        break

    def _limits_of_threads(self) -> Iterator[BlockArgument]:
        """The numbers on which loops depend, and with which threads compare numbers of their own,
        to decide something."""
        for compare in self._ops.of(SetpOp):
            if not self._decisive.isdisjoint(compare.results):
                found = self._ops.behind(compare.operands)
                own = (each.owner for each in found if isinstance(each.owner, SpecialRegisterOp))
                if any(op.register.data in _OF_THREADS for op in own):
                    yield from (p for p in self._tables if p in found)

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
                found[q] = roundest(self._bounded(q, hits))
        return found

    def _tail(self, group: Group) -> Mapping[BlockArgument, int] | None:
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
                        return {**values, p: roundest(CANDIDATES[partial])}
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
        return self._scenario(once).with_waiting(0)

    def reaching(self, loop: Loop, iterations: int) -> Scenario | None:
        """A scenario in which a loop runs at least a number of times, if there is one."""
        for group in self._groups:
            if loop in group.loops:
                tables = {p: self._counts_in(group, p) for p in group.numbers}
                counts = (
                    peeled(table)
                    for p in tables
                    for each, table in self._tables[p]
                    if each is loop and len(tables) > 1
                )
                before = max(counts, default=0)
                for values in self._at_targets((iterations + before,), tables):
                    return self._scenario(values)
        return None

    def long(self, loop: Loop) -> Scenario | None:
        """A scenario in which a loop goes through any ring twice, if there is one."""
        for p, tables in self._tables.items():
            for each, table in tables:
                hits = CANDIDATES[self.allowed(p) & (table > 2 * MOST_STAGES)]
                if each is loop and hits.size and (found := self._keeping({p: int(hits[0])})):
                    return found
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
                return self._keeping({p: int(found[0])})
        return None

    def _scenario(self, changed: Mapping[BlockArgument, int]) -> Scenario:
        """The scenario with new values of some numbers, in which clusters take over the work of
        others if there are any."""
        (found,) = self._scenarios([self._by_index(changed)])
        return self._waited(found)

    def _keeping(self, changed: Mapping[BlockArgument, int]) -> Scenario | None:
        """The same in which the loops of each ring run equally often, if there is one."""
        values = self._consistent(changed)
        return None if values is None else self._scenario(values)

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

    def _all_targets(
        self, chosen: Sequence[Mapping[BlockArgument, int]]
    ) -> Iterator[tuple[Sequence[int], Mapping[BlockArgument, Numbers]]]:
        """The numbers of iterations that matter, of the loops of each ring and of each loop, with
        the tables that give them; `chosen` grows with them. The states of a ring follow from how
        often loops run: what another number has made a loop run is left out."""
        for group in self._groups:
            tables = {p: self._counts_in(group, p) for p in group.numbers}
            targets = _targets(group.stages)
            if group.stages > 1 and not self._is_nested(group):
                targets += (3 * group.stages + 1,)
            yield targets, tables
        rings = [each for each in self._groups if each.stages > 1 and len(each.numbers) > 1]
        for p, tables in self._tables.items():
            # Each launch keeps the numbers of a ring consistent.
            if not any(loop in group.loops for group in rings for loop, _ in tables):
                for loop, table in tables:
                    counts = self._counts_at(chosen, loop, p, table)
                    yield [n for n in _targets(loop.stages) if not n or n not in counts], {p: table}

    def _counts_at(
        self,
        chosen: Sequence[Mapping[BlockArgument, int]],
        loop: Loop,
        p: BlockArgument,
        table: Numbers,
    ) -> set[int]:
        """How often a loop runs at chosen values, counted as in its table for a number. Empty if
        the number also decides an uncounted loop that other numbers of this loop do not decide."""
        numbers = {*dict(self._loops)[loop]}
        if any(p in each.numbers and not numbers <= {*each.numbers} for each in self.uncounted):
            return set()
        values = {q: np.array([each.get(q, n) for each in chosen]) for q, n in self._base.items()}
        least = self._counts(loop, {p: CANDIDATES[:1]}) - table[0]
        return {*np.broadcast_to(self._counts(loop, values) - least, len(chosen)).tolist()}

    @staticmethod
    def _reached(
        chosen: Iterable[Mapping[BlockArgument, int]], tables: Mapping[BlockArgument, Numbers]
    ) -> set[int]:
        """The numbers of iterations in all tables that some chosen values give."""
        found: set[int] = set()
        for values in chosen:
            if tables and values.keys() >= tables.keys():
                counts = [
                    {int(each) for each in table[values[p] == CANDIDATES]}
                    for p, table in tables.items()
                ]
                found |= counts[0].intersection(*counts[1:])
        return found

    def _is_nested(self, group: Group) -> bool:
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
                found = {p: roundest(self._bounded(p, each)) for p, each in hits.items()}
                yield found
                if not target and not all(found.values()) and all(map(np.any, hits.values())):
                    # A loop with its condition at the end does not go back if it runs once, either.
                    # At 0 the kernel may do nothing else.
                    yield {p: int(each[each != 0].min()) for p, each in hits.items()}

    def _bounded(self, p: BlockArgument, values: Numbers) -> Numbers:
        """The values at which no loop reaches the number of iterations that stands for more and, of
        these, 0 and those with at most three rounds of each ring, where its states repeat; of each
        set, all values if there are none."""
        at = np.searchsorted(CANDIDATES, values)
        most = np.max([table[at] for _, table in self._tables[p]], axis=0)
        bounded = most < MOST_ITERATIONS
        rings = [(loop, table) for loop, table in self._tables[p] if loop.stages > 1]
        rounds = [table[at] <= 3 * loop.stages + 1 for loop, table in rings]
        few = bounded & (np.logical_and.reduce(rounds, axis=0) | (values == 0))
        return next((values[each] for each in (few, bounded) if each.any()), values)

    def _by_index(self, changed: Mapping[BlockArgument, int]) -> dict[int, int]:
        values = self._base | dict(changed)
        # The size of a row, for example, is not less than the number of its columns.
        largest = max((values[p] for p in self._tables), default=0)
        return {
            p.index: value if p in self._tables or p in changed else self._default(p, largest)
            for p, value in values.items()
        }

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
        """A scenario with one of some values of a number, at which no loop runs too often. If no
        loop depends on it, the loops over the deepest ring go through it twice."""
        others: Mapping[BlockArgument, int] = {}
        if p in self._tables:
            values = np.array(sorted({*values.tolist()} & {*CANDIDATES.tolist()}), np.int64)
            at = np.searchsorted(CANDIDATES, values)
            values = values[
                np.max([table[at] for _, table in self._tables[p]], axis=0) < MOST_ITERATIONS
            ]
        elif self._groups:
            others = self._rounds
        return self._keeping({**others, p: roundest(values)}) if values.size else None

    def larger(self, scenario: Scenario) -> Iterator[Scenario]:
        """Scenarios with longer rows that are no better aligned: one number is its usual value
        plus its value in `scenario`, the others stay, and no loop runs less often."""
        numbers = {p: scenario.values[p.index] for p in self._tables}
        for p, usual in self.usual.items():
            value = usual + numbers[p]
            if numbers[p] < usual and self.allowed(p, np.array([value])).all():
                found = self._scenario({**numbers, p: value})
                if found.covers(scenario):
                    yield found

    def at(self, changed: Mapping[BlockArgument, int]) -> Scenario | None:
        """A scenario with the values of some numbers, at which no loop runs too often. If no loop
        depends on them, the loops over the deepest ring go through it twice."""
        is_free = self._groups and self._tables.keys().isdisjoint(changed)
        others: Mapping[BlockArgument, int] = self._rounds if is_free else {}
        found = self._keeping({**others, **changed})
        is_long = found is not None and max(found.iterations, default=0) >= MOST_ITERATIONS
        return None if is_long else found

    def _waited(self, scenario: Scenario) -> Scenario:
        """The scenario with clusters whose work others take over, if there are any."""
        return scenario.with_waiting(self._waiting[0]) if self._waiting else scenario


def _block(table: Numbers, target: int) -> int:
    """How much more of a number makes a loop run once more than a number of times; 1 if the
    candidates do not tell."""
    more, still_more = np.argmax(table >= target), np.argmax(table > target)
    return max(1, int(CANDIDATES[still_more] - CANDIDATES[more]))


def _ratios(numbers: Sequence[BlockArgument]) -> Iterator[tuple[str, dict[BlockArgument, int]]]:
    """Unequal numbers of iterations that numbers may give: a sentence, and the factor of each
    number."""
    for p, q in combinations(numbers, 2):
        for one, other in ((2, 1), (1, 2), (4, 1), (1, 4)):
            names = f"{shown_name(p)} and {shown_name(q)}"
            text = f"{names} give numbers of iterations in the ratio {one} to {other}"
            yield text, {p: one, q: other}
    for p in numbers if len(numbers) > 2 else ():
        others = [each for each in numbers if each is not p]
        names = " and ".join(map(shown_name, others))
        text = f"{shown_name(p)} gives as many iterations as {names} together"
        yield text, {p: len(others), **dict.fromkeys(others, 1)}


def _targets(stages: int) -> tuple[int, ...]:
    """The numbers of iterations that matter."""
    return 2 * stages + 1, stages + 1, stages, 2, 1, 0


def parameter_text(kernel: KernelOp, index: int) -> str:
    """The name of a parameter in messages."""
    name = shown_name(kernel.body.blocks[0].args[index])
    return name.removeprefix("%") if index < len(kernel.declarations or ()) else name


def sizes_text(skeleton: Skeleton, scenario: Scenario) -> str:
    """Text: the sizes of a scenario, without numbers of floating point, which decide nothing; of
    PTX text, those that decide control, if any do."""
    kernel = skeleton.kernel
    arguments = kernel.body.blocks[0].args
    is_read = kernel.declarations is not None
    decisive = skeleton.decisive.intersection(arguments)
    sizes = [
        f"{parameter_text(kernel, index)} = {value}"
        for index, value in scenario.values.items()
        if not isinstance(arguments[index].type, AnyFloat)
        if not is_read or (arguments[index] in decisive if decisive else arguments[index].uses)
    ]
    if len(sizes) > _MOST_SIZES:
        sizes[_MOST_SIZES:] = [f"{len(sizes) - _MOST_SIZES} more numbers"]
    if scenario.sizes.alone is not None:
        sizes.append(f"a grid of {extents_text(scenario.sizes.grid)} CTAs")
    if scenario.waiting:
        waiting = f"{scenario.waiting} {plural('cluster', scenario.waiting)} to take over"
        sizes.append(waiting)
    return ", ".join(sizes)

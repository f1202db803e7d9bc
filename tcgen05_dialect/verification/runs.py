"""Runs of a kernel for launches of some sizes: which scenarios are run, and what they show."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import replace
from functools import cached_property, partial
from itertools import chain, combinations
from typing import TYPE_CHECKING, TypeAlias

from xdsl.ir import BlockArgument, SSAValue

from ..isa.practice import PHASES, STEPS
from ..ptx.instructions import ElectSyncOp
from ..reporting.diagnostics import OperationError, rule_of
from ..simulator.launch.launch import Coverage, Point
from ..simulator.machine.errors import place_of
from ..simulator.machine.state import LaunchSizes
from . import MAX_LONG_STEPS, Budget, Effort
from .execution import AT_ANY_SIZE, Outcome, Skeleton
from .knowledge import Undecided, cut
from .launches import clusters_meet
from .outcomes import (
    Outcomes,
    breaks_assumption,
    depends_on_addresses,
    is_empty,
    is_of_sizes,
    key_of,
    scenarios_of_clusters,
)
from .sizes import Chooser, sizes_text
from .static.control import is_flag
from .static.inventory import is_global
from .static.loops import MOST_STAGES, Scenario, SizedLoop

if TYPE_CHECKING:
    from ..dataflow.kernel_facts import Place
    from .ahead import Ahead
    from .static.periodicity import Needs

Run: TypeAlias = tuple[Scenario, Outcome]
_MOST_LONGER = 8
"""Limit on the further runs for a loop."""
_MOST_COUNTED = 8
"""Largest number of iterations up to which every number is run."""


class Runs:
    """
    The runs of a kernel: `first` those of the first cluster, and `elsewhere` those of others.

    Raises Undecided.
    """

    def __init__(self, skeleton: Skeleton, sizes: LaunchSizes, effort: Effort):
        self.skeleton, self.sizes, self.is_thorough = skeleton, sizes, effort == "thorough"
        if self.is_thorough:
            skeleton.max_steps = MAX_LONG_STEPS
        self.chooser = Chooser(skeleton, sizes)
        self.scenarios = self.chooser.scenarios(self.is_thorough)
        skeleton.infer_boxes(self.scenarios[0].values, self.scenarios[0].sizes)
        self._known, is_other = _probe(skeleton, self.chooser)
        if is_other:
            self.chooser = Chooser(skeleton, sizes)
            self.scenarios = self.chooser.scenarios(self.is_thorough)
        self.first: list[Run] = []
        self.elsewhere: list[Run] = []
        self.relied: dict[Hashable, OperationError] = {}
        """Warnings of what many kernels rely on, at further sizes only."""
        self.unrun: list[Scenario] = []
        """The scenarios for which no time was left."""
        self.cut: list[Scenario] = []
        """The scenarios whose runs were cut, because no time was left."""
        self.is_stopped = False
        """Whether no time was left for all runs."""
        self.with_highest: OperationError | None = None
        """The error of a scenario if elect.sync elects the highest lane instead of the lowest
        one."""
        self._outcomes: Outcomes | None = None
        self._dead: tuple[object, Set[Place]] | None = None
        """What is known of memory, and the places of operations that this rules out."""
        self.has_no_overlaps = False
        """Whether stores of CTAs are known not to meet."""
        self._ahead = self._ahead_of_all()
        try:
            self._run_all()
            self.first += self._both_ways(*self.first[0])
            if self.is_thorough:
                self._run_more()
                self._elect_highest()
            self._run_larger()
            self.has_no_overlaps = self._ahead is not None and self._ahead.last_is_clean
        finally:
            if self._ahead is not None:
                self._ahead.close()

    @property
    def everywhere(self) -> list[Run]:
        """All runs."""
        return [*self.first, *self.elsewhere]

    @property
    def passed(self) -> list[Scenario]:
        """The scenarios of the first cluster without an error."""
        return [each for each, outcome in self.first if outcome.passes]

    @cached_property
    def needs(self) -> "Needs":
        """What must be run of the loops, by what the runs up to the first use show of them."""
        from .static.periodicity import needs_of

        return needs_of(self.skeleton, self.scenarios[0].loops) if self.passed else {}

    @cached_property
    def unreached(self) -> list[list[Point]]:
        """Operations that no run has reached, although a launch may execute them."""
        return self._all_unreached()

    def _all_unreached(self) -> list[list[Point]]:
        unreached = self._coverage.unreached
        if not unreached:
            return []
        # Imported here, because the runs reach all operations of most kernels.
        from ..dataflow.kernel_facts import dead_places

        contents = self.skeleton.knowledge.contents
        known = {value: frozenset(numbers) for value, numbers in contents.items() if numbers}
        if self._dead is None or self._dead[0] != known:
            self._dead = known, dead_places(self.skeleton.kernel, known)
        dead = self._dead[1]
        groups = ([p for p in each if (p.file, p.line, p.column) not in dead] for each in unreached)
        return [group for group in groups if group]

    @property
    def _coverage(self) -> Coverage:
        # What a cluster does alone says little if clusters wait for each other.
        runs = self.first if clusters_meet(self.skeleton.ops) else self.everywhere
        return Coverage.of_all(outcome.coverage for _, outcome in runs if outcome.passes)

    @property
    def unshown(self) -> Mapping[SSAValue, set[BlockArgument]]:
        """The values of which the runs do not show each outcome; see `Outcomes.unshown`."""
        if self._outcomes is None:
            return {}
        return self._outcomes.unshown([each for each, _ in self.everywhere])

    @property
    def unplaced(self) -> list[SSAValue]:
        """The values that have other outcomes in clusters that did not run."""
        if self._outcomes is None or self.sizes.grid != self.sizes.cluster:
            return []
        return self._outcomes.unplaced([self.sizes, *(each.sizes for each, _ in self.elsewhere)])

    @property
    def unsteady(self) -> set[SizedLoop]:
        """
        The loops on whose numbers of iterations it depends what is pending at barriers in the end,
        as a larger number may end another phase; or, after a round of the ring, for how many phases
        no thread has waited.
        """
        found: set[SizedLoop] = set()
        passed = [(each, outcome) for each, outcome in self.first if outcome.passes]
        for (one, first), (other, second) in combinations(passed, 2):
            if one.waiting != other.waiting:
                continue
            for each, a, b in zip(one.loops, one.iterations, other.iterations, strict=True):
                common = min(a, b) - each.least
                if a != b and (
                    (common > 0 and first.residue != second.residue)
                    or (common >= each.loop.stages and first.unawaited != second.unawaited)
                ):
                    found.add(each)
        return found

    @cached_property
    def _tails(self) -> Sequence[Scenario]:
        return self.chooser.tails()

    def _ahead_of_all(self) -> "Ahead | None":
        """The processes that run scenarios before their turn, if they may help."""
        if not self.is_thorough:
            return None
        from .ahead import Ahead, may_help
        from .overlap import overlaps

        if not may_help(self.skeleton):
            return None
        unknown = [each for each in self.scenarios if _key(each) not in self._known]
        is_clean = partial(_finds_nothing, partial(overlaps, self.skeleton, self.sizes))
        try:
            # Runs at other sizes may first infer the boxes of other tensor maps.
            tails = self._tails if self.skeleton.knows_boxes else ()
            return Ahead(self.skeleton, unknown, tails, _key, is_clean)
        except OSError:
            # Without memory or a process for it, this process runs all.
            return None

    def _run(self, scenario: Scenario) -> Outcome:
        like = self.first[0][1].warnings if self.first else ()
        found = self._ahead and self._ahead.outcome(_key(scenario), like)
        return found or self.skeleton.run(scenario.values, scenario.sizes)

    def _run_all(self) -> None:
        """Run the scenarios."""
        longest: Undecided | None = None
        for each in self.scenarios:
            # If a run finds nothing, one whose loops run less often is unlikely to find more.
            if self._is_covered(each) and not self.is_thorough:
                continue
            if self._stops():
                self.unrun.append(each)
                continue
            key = _key(each)
            outcome = self._known.get(key) or self._run(each)
            if self._is_cut(outcome, each):
                continue
            if outcome.undecided is None or is_empty(outcome, each):
                self.first.append((each, outcome))
            elif outcome.undecided.is_long:
                longest = outcome.undecided
            else:
                raise outcome.undecided
        if longest is not None:
            # A run may be long because of its sizes, or because it never ends.
            self._run_shortest()
        if not self.first:
            first, *_ = *self.cut, *self.unrun
            sizes = sizes_text(self.skeleton, first)
            raise cut(f"before the run with {sizes} had ended" if sizes else "within the first run")

    def _is_cut(self, outcome: Outcome, scenario: Scenario) -> bool:
        """Whether no time was left to end a run without an error, so that it shows nothing."""
        is_cut = outcome.undecided is not None and outcome.undecided.is_cut
        if is_cut:
            self.cut.append(scenario)
            self.is_stopped = True
        return is_cut

    def _stops(self) -> bool:
        self.is_stopped = self.is_stopped or Budget.is_spent()
        return self.is_stopped

    def _run_shortest(self) -> None:
        shortest = self.chooser.shortest()
        if not self._is_covered(shortest):
            outcome = self.skeleton.run(shortest.values, shortest.sizes)
            if self._is_cut(outcome, shortest):
                return
            if outcome.undecided is not None:
                raise outcome.undecided
            self.first.append((shortest, outcome))

    def _is_covered(self, scenario: Scenario) -> bool:
        return any(ran.covers(scenario) and outcome.passes for ran, outcome in self.first)

    def _run_more(self) -> None:
        """Run further sizes, further clusters, and larger numbers of iterations."""
        self._outcomes = Outcomes(self.skeleton, self.chooser)
        ran = [each for each, _ in self.first]
        others = chain(
            self._tails,
            self._outcomes.scenarios(ran),
            self.chooser.unequal(ran),
            self.chooser.idle(ran),
        )
        self.first += self._unless_known(others, ran)
        clusters = scenarios_of_clusters(self.skeleton, self.sizes, self._outcomes)
        self.elsewhere += self._unless_known(clusters, ())
        ran = [each for each, _ in self.everywhere]
        for run in self._unless_known(self._outcomes.together(ran), ran):
            scenario, outcome = run
            # The numbers may have a relation that the kernel does not state.
            rule = rule_of(outcome.error) if outcome.error else None
            if outcome.passes or rule in (*AT_ANY_SIZE, PHASES):
                (self.elsewhere if scenario.sizes.alone else self.first).append(run)
        if not self._stops() and self._all_unreached():
            # Rows that are not aligned may take paths of their own. A kernel need not have them.
            ran = [each for each, _ in self.first]
            odd = self._unless_known(self._outcomes.odd(self._coverage), ran)
            self.first += [run for run in odd if run[1].passes]
        for each in () if self._stops() else self._longer():
            outcome = self.skeleton.run(each.values, each.sizes)
            if self._is_cut(outcome, each):
                break
            if outcome.undecided is None or not outcome.undecided.is_long:
                self.first.append((each, outcome))

    def _run_larger(self) -> None:
        """Run larger sizes for each error at addresses in global memory that none of the runs at
        larger values contradicts: short rows that are not aligned may overlap only because they are
        short."""
        certain: set[Hashable] = set()
        for scenario, outcome in [*self.first]:
            error = outcome.error
            if error is None or key_of(error) in certain:
                continue
            if not (depends_on_addresses(error) and is_global(error.operation)):
                continue
            if is_of_sizes(error, scenario, self.first):
                continue
            larger = self._unless_known(self.chooser.larger(scenario), ())
            if passing := next((run for run in larger if run[1].passes), None):
                self.first.append(passing)
            else:
                certain.add(key_of(error))

    def _unless_known(
        self, scenarios: Iterable[Scenario], ran: Iterable[Scenario]
    ) -> Iterator[Run]:
        """Runs of further scenarios than those that ran, except those that say nothing: a kernel
        may trap, or assume other sizes."""
        known, skeleton = [*ran], self.skeleton
        for each in scenarios:
            if self._stops():
                return
            if any(one.values == each.values and one.sizes == each.sizes for one in known):
                continue
            known.append(each)
            try:
                # Other sizes may select another tensor map.
                if not skeleton.knows_boxes:
                    skeleton.infer_boxes(each.values, each.sizes)
            except Undecided:
                continue
            outcome = self._run(each)
            if self._is_cut(outcome, each):
                continue
            if outcome.undecided is None and not breaks_assumption(outcome):
                # What many kernels rely on is worth a warning at usual sizes only.
                kept = tuple(error for error in outcome.warnings if not rule_of(error).practice)
                for error in outcome.warnings:
                    if error not in kept and not outcome.is_read:
                        self.relied.setdefault(key_of(error), error)
                yield each, replace(outcome, warnings=kept)

    def _elect_highest(self) -> None:
        """Run the shortest scenario that reaches most operations with another elected lane: the
        manual leaves the choice open."""
        passed = [(each, len(found.coverage.points)) for each, found in self.first if found.passes]
        if passed and self.skeleton.ops.of(ElectSyncOp) and not self._stops():
            most = max(count for _, count in passed)
            reaching = (each for each, count in passed if count == most)
            scenario = min(reaching, key=lambda each: sum(each.iterations))
            highest = self.skeleton.run(scenario.values, scenario.sizes, "highest")
            if not self._is_cut(highest, scenario):
                self.with_highest = highest.error if highest.undecided is None else None

    def _longer(self) -> Iterator[Scenario]:
        """Further scenarios, with which a verdict may hold for every number of iterations."""
        from .static.periodicity import runs_of

        for each, need in self.needs.items():
            counts = runs_of(self.passed).get(each)
            if not counts:
                continue
            found: list[Scenario | None] = []
            if need is None:
                # What follows may depend on the number of iterations in any way.
                if each.most <= _MOST_COUNTED:
                    missing = {*range(each.least, each.most + 1)} - counts
                    found = [self.chooser.running(each, count) for count in sorted(missing)]
            elif len(missing := need.missing(counts)) <= _MOST_LONGER:
                found = [self.chooser.reaching(each.loop, count) for count in missing]
            yield from filter(None, found)

    def _both_ways(self, scenario: Scenario, first: Outcome) -> Iterator[Run]:
        """The runs in which polls that decide more than whether to ask again have one result
        each."""
        choices = self.skeleton.choices
        if not first.passes:
            return
        for op in choices:
            if is_flag(op):
                what = f"control depends on a flag that {op.name}, {place_of(op)}, reads only once"
                yield scenario, replace(first, doubt=Undecided(what))
        for answer in self.skeleton.answers[1:]:
            outcome = self.skeleton.run(scenario.values, scenario.sizes, answer)
            asks_on = outcome.error is not None and rule_of(outcome.error) is STEPS
            outcome = first if asks_on else outcome
            if outcome.passes and (asks_on or outcome.effects != first.effects):
                op = (choices or self.skeleton.flags)[0]
                what = f"the result of {op.name}, {place_of(op)}, decides more than whether to wait"
                outcome = replace(outcome, doubt=Undecided(what))
            yield scenario, outcome


def _finds_nothing(found: Callable[[], Iterator[object]]) -> bool:
    return next(found(), None) is None


def _key(scenario: Scenario) -> Hashable:
    return scenario.sizes, *scenario.values.items()


def _probe(skeleton: Skeleton, chooser: Chooser) -> tuple[dict[Hashable, Outcome], bool]:
    """Find the numbers of stages that the text of loops does not tell by runs. Returns the runs,
    and whether a number differs from that of the text."""
    hidden = [loop for loop in skeleton.rings if loop.may_hide_stages]
    before = [loop.stages for loop in skeleton.rings]
    known: dict[Hashable, Outcome] = {}
    first = chooser.scenarios(thorough=False)[:1] if hidden else []
    for each in chain(first, filter(None, map(chooser.long, hidden))):
        if not hidden:
            break
        known[_key(each)] = skeleton.run(each.values, each.sizes)
        barriers = {loop: skeleton.touched.barriers(ops) for loop, ops in skeleton.rings.items()}
        for loop in list(hidden):
            stages = skeleton.touched.stages(skeleton.rings[loop]) or 0
            # Producer and consumer use the same barrier objects.
            others = (
                o.stages
                for o in barriers
                if o not in hidden and not barriers[o].isdisjoint(barriers[loop])
            )
            stages = max(stages, *others, 0)
            if stages:
                loop.stages = min(stages, MOST_STAGES)
                hidden.remove(loop)
    return known, before != [loop.stages for loop in skeleton.rings]

"""Judgement on the runs of a kernel: which of their findings count, and the word of the verdict."""

from collections.abc import Callable, Hashable, Mapping
from typing import NamedTuple

from xdsl.ir import Operation

from ..isa.model.rule import Rule
from ..isa.practice import BARRIER, DEADLOCK, LIFETIME, PHASES, UNWRITTEN
from ..reporting.diagnostics import HAS_ERRORS, OperationError, Word, rule_of
from ..simulator.machine.state import LaunchSizes
from .execution import Outcome, Skeleton
from .knowledge import Undecided
from .outcomes import bounds_loops, breaks_assumption, is_empty, is_of_sizes, key_of
from .remarks import sentence_of, sizes_text, with_sizes
from .runs import Effort, Runs
from .static.loops import Scenario

_OF_RELATION = {DEADLOCK, LIFETIME, BARRIER, PHASES, UNWRITTEN}
"""Rules that a kernel breaks if two numbers contradict each other."""


class Setting(NamedTuple):
    """The run of a kernel that shows a finding: values of the numbers among the parameters, by
    index, and the sizes of the launch; `is_first` unless it shows an error before."""

    values: Mapping[int, int]
    sizes: LaunchSizes
    is_first: bool


class Judgement(NamedTuple):
    """The word of a verdict, its findings, each with the run that found it, None for several runs,
    the sentence, which `say` finds, and the number of operations that no run has reached."""

    word: Word
    findings: tuple[OperationError, ...]
    settings: tuple[Setting | None, ...]
    say: Callable[[], str]
    unreached: int = 0


def judged(skeleton: Skeleton, sizes: LaunchSizes, effort: Effort) -> Judgement:
    """The judgement on launches of these sizes. Raises Undecided."""
    runs = Runs(skeleton, sizes, effort)
    if all(breaks_assumption(outcome) for _, outcome in runs.first):
        raise Undecided("every size that was tried breaks an assumption of the kernel")
    found = _Findings(runs)
    found.add_all()
    may_overlap = runs.is_thorough and not runs.has_no_overlaps
    if may_overlap and not found.wrong and not runs.is_stopped:
        found.add_overlaps()
    found.check_relations()
    errors = tuple(error for error, _ in found.kept.values())
    settings = tuple(setting for _, setting in found.kept.values())
    if found.wrong:
        return Judgement("not verified", errors, settings, lambda: HAS_ERRORS)
    if doubt := next((each.doubt for _, each in runs.everywhere if each.doubt), None):
        raise doubt
    is_whole = not (runs.unreached or found.excluded or found.overlapping or runs.is_stopped)
    return Judgement(
        "verified" if is_whole else "verified in part",
        errors,
        settings,
        lambda: sentence_of(runs, found.excluded, found.limits, found.overlapping),
        sum(map(len, runs.unreached)),
    )


class _Findings:
    """The findings of runs that count, and the sizes for which the kernel is not made."""

    def __init__(self, runs: Runs):
        self._runs = runs
        self.kept: dict[tuple[Rule, Hashable], tuple[OperationError, Setting | None]] = {}
        """Identity of a finding -> the finding, and the run that found it."""
        self.limits: dict[str, Rule] = {}
        """Sizes for which the kernel is not made -> the rule that it breaks there."""
        self.excluded: list[Scenario] = []
        """Scenarios for which the kernel is not made, and that loops depend on."""
        self.overlapping: list[Operation] = []
        """Stores of CTAs of which some places meet, with different values."""

    @property
    def wrong(self) -> set[Rule]:
        """The rules of the errors."""
        return {rule for rule, _ in self.kept if rule.severity == "error"}

    def add_all(self) -> None:
        """Add the findings of all runs. Raises Undecided."""
        for scenario, outcome in self._runs.everywhere:
            if outcome.undecided is None:
                self._add(scenario, outcome)
            elif not is_empty(outcome, scenario):
                raise outcome.undecided

    def _add(self, scenario: Scenario, outcome: Outcome) -> None:
        mistakes = [error for error in outcome.findings if rule_of(error).severity == "error"]
        alone = scenario.sizes.alone
        comparable = [run for run in self._runs.everywhere if run[0].sizes.alone == alone]
        for error in outcome.findings:
            text = sizes_text(self._runs.skeleton.kernel, scenario)
            if is_of_sizes(error, scenario, comparable):
                self.limits.setdefault(text, rule_of(error))
                if bounds_loops(error, scenario):
                    self.excluded.append(scenario)
            else:
                is_first = not mistakes or error is mistakes[0]
                setting = Setting(scenario.values, scenario.sizes, is_first)
                self.kept.setdefault(key_of(error), (with_sizes(error, text), setting))

    def add_overlaps(self) -> None:
        """Add the stores of CTAs of different clusters that meet."""
        # Imported here, because only thorough runs need it.
        from .overlap import overlaps

        skeleton = self._runs.skeleton
        for meeting, each in overlaps(skeleton, self._runs.sizes):
            found = with_sizes(meeting.error, sizes_text(skeleton.kernel, each))
            if not meeting.is_whole:
                self.overlapping.append(meeting.store.op)
            self.kept.setdefault(key_of(meeting.error), (found, None))

    def check_relations(self) -> None:
        """Raise Undecided if all errors may come from two numbers that contradict each other."""
        wrong, runs = self.wrong, self._runs
        if not wrong or not wrong <= _OF_RELATION:
            return
        for ratio, each in runs.chooser.ratios():
            if runs.skeleton.run(each.values, each.sizes).passes:
                text = f"the kernel seems to assume that {ratio}; their relation is unknown"
                raise Undecided(text)

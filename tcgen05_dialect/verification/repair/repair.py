"""Repair of the findings of a verdict: trials of candidates for the missing step, by its rule."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from ...isa.model.rule import REGISTRY
from ...isa.practice import DEADLOCK, by_habit
from ...language import language_of
from ...reporting.diagnostics import Edit, OperationError, Source, rule_of
from ...reporting.formats import difference, edited, line_before
from .. import Effort
from ..verdict import Verdict
from .candidates import missing_steps, wrong_numbers
from .listing import Change, Listing, Place, PtxListing, Replacement
from .places import after_access, is_of_group
from .problem import Candidate, Problem
from .trial import Observation, Outcome, Result, Trial, key_of


def _has_lost(problem: Problem) -> bool:
    """
    Whether the text or a run shows that a step is missing, not that a number is wrong: nothing
    waits for a copy, for an access to tensor memory or for the phases of a barrier object, or
    nothing arrives at one, or only at its neighbours.
    """
    if problem.rule is DEADLOCK:
        return any(
            not cost or not view.arrivals_at(view.variable) for cost, view in problem.stuck()
        )
    if any(map(is_of_group, problem.accesses)) or problem.unheeded():
        return True
    if any(any(after_access(side)) for _, side in problem.sides()):
        return True
    return any(each.is_ignored for each in problem.observation.plain.objects)


_MOST_TRIALS = 12
"""Number of runs for a finding."""
_MOST_TEXTS = 2 * _MOST_TRIALS
"""Number of candidates that are compiled for a finding."""
_MOST_HIDDEN = 2
"""Number of errors, hidden by the error of a finding, for which steps are sought with it."""
_MORE_TRIALS = 3
"""Number of further trials after one that leaves other findings."""
_CHANGES = {Result.SAME: 0.5, Result.MOVED: -1.0, Result.GONE: -1.0}
"""Result of a trial -> change of the rank of the same step at other places."""
_AT_PLACE = {Result.MOVED: -1.0}
"""Result of a trial -> change of the rank of other steps at the same place."""


class Step(NamedTuple):
    """What to do, and beside which line, which is 0 if another step inserts it."""

    text: str
    line: int

    def __str__(self) -> str:
        return f"{self.text} {f'line {self.line}' if self.line else 'the inserted line'}"


class Fix(NamedTuple):
    """The steps that a finding needs, as text and as edits; `passes` tells whether no finding
    remains."""

    steps: tuple[Step, ...]
    edits: tuple[Edit, ...]
    passes: bool

    @property
    def text(self) -> str:
        result = "the kernel then passes" if self.passes else "this finding is then gone"
        return f"{', and '.join(map(str, self.steps))} (tried: {result})"


class _Found(NamedTuple):
    changes: tuple[Change, ...]
    outcome: Outcome


class Repair:
    """Repair of kernels in a text."""

    def __init__(
        self,
        source: Source,
        effort: Effort,
        target: str | None = None,
        ptx_version: str | None = None,
        hidden: int = _MOST_HIDDEN,
    ):
        self._source = source
        self._effort: Effort = effort
        self._target, self._ptx_version = target, ptx_version
        self._hidden = hidden

    @cached_property
    def _listing(self) -> Listing:
        is_ptx = language_of(*self._source[:2]) == "PTX"
        return (PtxListing if is_ptx else Listing)(self._source)

    def fix(
        self,
        verdict: Verdict,
        error: OperationError,
        progress: Callable[[], None] = lambda: None,
    ) -> Fix | None:
        """The missing steps of a finding of a verdict; None if no candidate removes it. `progress`
        is called before each trial."""
        listing = self._listing
        op = listing.find(error.operation)
        setting = verdict.settings[verdict.findings.index(error)] if verdict.settings else None
        if op is None or setting is None:
            return None
        # The rule that IR breaks where PTX text gets a warning.
        rule = by_habit(REGISTRY[rule_of(error).id], False)
        related = None if error.related is None else listing.find(error.related)
        observation = Observation(listing, verdict.kernel, setting)
        problem = Problem(listing, rule, op, related, observation)
        trial = Trial(
            self._source,
            verdict.kernel.sym_name.data,
            setting,
            key_of(error),
            frozenset(map(key_of, verdict.findings)),
            self._effort,
            self._target,
            self._ptx_version,
            progress,
        )
        found: _Found | None = None
        for generate in self._generators(problem):
            pending = list(_written(listing, generate(problem)))
            best = _search(listing, trial, pending)
            is_moved = best is not None and best.outcome.result is Result.MOVED
            if is_moved and generate is wrong_numbers:
                # A missing step may hide another one, but a number is wrong alone.
                best = None
            if best is not None and (found is None or best.outcome.burden < found.outcome.burden):
                found = best
            if found is not None and found.outcome.is_clear:
                break
        if found is None:
            return None
        steps = tuple(map(self._step, found.changes))
        edits = tuple(listing.edits(found.changes))
        if found.outcome.result is Result.MOVED:
            return self._with_hidden(trial, steps, edits)
        return Fix(steps, edits, not found.outcome.warnings and not found.outcome.others)

    def shown(self, fix: Fix | None) -> Fix | None:
        """The fix as a finding shows it: of a text that was made of a program, with the lines of
        the program and without edits."""
        if fix is None or self._source.made_from is None:
            return fix
        line = self._listing.line_shown
        steps = (step._replace(line=step.line and line(step.line)) for step in fix.steps)
        return fix._replace(steps=tuple(steps), edits=())

    def _generators(self, problem: Problem) -> tuple[Callable[[Problem], list[Candidate]], ...]:
        if self._hidden < _MOST_HIDDEN:
            # A kernel that lacks a step has no wrong number, too.
            return (missing_steps,)
        both = missing_steps, wrong_numbers
        return both if _has_lost(problem) else both[::-1]

    def _step(self, change: Change) -> Step:
        listing = self._listing
        if isinstance(change, Replacement):
            operand = listing.spelled(change.operand.value) or ""
            text = f"change `{operand}` to {change.said or f'`{change.name}`'} in"
            return Step(text, listing.line(Place(change.op)))
        place, lines = change
        operations = " and ".join(f"`{each}`" for each in lines)
        if any(each.endswith("{") for each in lines):
            operations = f"`{' '.join(map(str.strip, lines))}`"
        side = "after" if place.behind or place.inside else "before"
        return Step(f"insert {operations} {side}", listing.line(place))

    def _with_hidden(
        self, trial: Trial, steps: tuple[Step, ...], edits: tuple[Edit, ...]
    ) -> Fix | None:
        """A fix that begins with edits, which show an error that the finding has hidden."""
        if not self._hidden:
            return None
        source = edited(self._source, edits)
        verdict = trial.verdict(source)
        shown = [each for each in verdict.findings if key_of(each, edits) not in trial.known]
        error = next((each for each in shown if rule_of(each).severity == "error"), None)
        if error is None:
            return None
        repair = Repair(source, self._effort, self._target, self._ptx_version, self._hidden - 1)
        fix = repair.fix(verdict, error, trial.progress)
        if fix is None:
            return None
        more = tuple(each._replace(line=line_before(edits, each.line)) for each in fix.steps)
        alone = tuple(_without(edits, each) for each in fix.edits)
        if all(step.line for step in more) and trial.run(alone).result is Result.GONE:
            return Fix(more, alone, fix.passes)
        whole = difference(self._source, edited(source, fix.edits))
        return Fix((*steps, *more), whole, fix.passes)


def _without(edits: Sequence[Edit], edit: Edit) -> Edit:
    """An edit of a text to which edits have led, as an edit of the text before them."""
    line, end_line = line_before(edits, edit.line), line_before(edits, edit.end_line)
    return edit._replace(line=line, end_line=end_line)


def _written(listing: Listing, found: Iterable[Candidate]) -> Iterator[Candidate]:
    """The candidates whose places have a text, in the language of the text."""
    for each in found:
        if all(listing.has_text(change.op) for change in each.changes):
            changes = listing.written(each.changes)
            if changes is not None:
                yield each._replace(changes=changes)


def _search(listing: Listing, trial: Trial, pending: list[Candidate]) -> _Found | None:
    """
    The changes that do away with a finding and leave fewest others; None if none do. If each
    leaves another error, the first that does so.
    """
    changes = defaultdict[object, float](float)
    best: _Found | None = None
    left, texts = _MOST_TRIALS, _MOST_TEXTS
    tried: set[tuple[Edit, ...]] = set()
    while pending and left and texts:
        candidate = min(
            pending, key=lambda each: each.rank + changes[each.steps] + changes[each.places]
        )
        pending.remove(candidate)
        edits = tuple(listing.edits(candidate.changes))
        if edits in tried:
            continue
        tried.add(edits)
        texts -= 1
        outcome = trial.run(edits)
        left -= outcome.result is not Result.NO_TEXT
        changes[candidate.steps] += _CHANGES.get(outcome.result, 0)
        changes[candidate.places] += _AT_PLACE.get(outcome.result, 0)
        if outcome.result in (Result.GONE, Result.MOVED) and (
            best is None or outcome.burden < best.outcome.burden
        ):
            best = _Found(candidate.changes, outcome)
            if outcome.is_clear and not outcome.errors:
                left = min(left, _MORE_TRIALS if outcome.others else 0)
    return best

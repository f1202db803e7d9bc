"""Repair of the findings of a verdict."""

from collections import defaultdict
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from ...reporting.diagnostics import Source
from ...reporting.findings import Edit
from ...reporting.operation_error import OperationError
from ..execution import rule_of
from ..verdict import Effort, Verdict
from .candidates import candidates
from .listing import Insertion, Listing
from .problem import Candidate, Problem
from .scope import Scope
from .trial import Outcome, Result, Trial, key_of

MOST_TRIALS = 12
"""Number of runs for a finding."""
MOST_TEXTS = 2 * MOST_TRIALS
"""Number of candidates that are compiled for a finding."""


_MORE_TRIALS = 3
"""Number of further trials after one that leaves other findings."""
_CHANGES = {Result.SAME: 0.5, Result.MOVED: -1.0, Result.GONE: -1.0}
"""Result of a trial -> change of the rank of the same step at other places."""


class Fix(NamedTuple):
    """Edits that remove a finding, and the text that describes them."""

    text: str
    edits: tuple[Edit, ...]


class Repair:
    """Repair of kernels in a text."""

    def __init__(
        self,
        source: Source,
        effort: Effort,
        target: str | None = None,
        ptx_version: str | None = None,
    ):
        self._source = source
        self._effort: Effort = effort
        self._target, self._ptx_version = target, ptx_version

    @cached_property
    def _listing(self) -> Listing:
        return Listing(self._source)

    def fix(self, verdict: Verdict, error: OperationError) -> Fix | None:
        """The missing step of a finding of a verdict; None if no candidate removes it."""
        name = verdict.kernel.sym_name.data
        listing = self._listing
        op = listing.find(error.operation)
        if op is None or not verdict.settings:
            return None
        related = None if error.related is None else listing.find(error.related)
        problem = Problem(Scope(listing, listing.kernel(name)), rule_of(error), op, related)
        trial = Trial(
            self._source,
            name,
            verdict.settings[verdict.findings.index(error)],
            key_of(error),
            frozenset(map(key_of, verdict.findings)),
            self._effort,
            self._target,
            self._ptx_version,
        )
        found = _search(listing, trial, candidates(problem))
        if found is None:
            return None
        insertions, outcome = found
        edits = tuple(map(listing.edit, insertions))
        passes = not outcome.warnings and not outcome.others
        return Fix(_described(listing, insertions, passes), edits)


def _search(
    listing: Listing, trial: Trial, pending: list[Candidate]
) -> tuple[Sequence[Insertion], Outcome] | None:
    """The insertions that do away with a finding and leave fewest others; None if none do."""
    changes = defaultdict[object, float](float)
    best: tuple[Sequence[Insertion], Outcome] | None = None
    left, texts = MOST_TRIALS, MOST_TEXTS
    while pending and left and texts:
        candidate = min(pending, key=lambda each: each.rank + changes[each.steps])
        pending.remove(candidate)
        texts -= 1
        outcome = trial.run([*map(listing.edit, candidate.insertions)])
        left -= outcome.result is not Result.NO_TEXT
        changes[candidate.steps] += _CHANGES.get(outcome.result, 0)
        if outcome.result is Result.GONE and (best is None or outcome[1:] < best[1][1:]):
            best = candidate.insertions, outcome
            if not outcome.warnings:
                left = min(left, _MORE_TRIALS if outcome.others else 0)
    return best


def _described(listing: Listing, insertions: Sequence[Insertion], passes: bool) -> str:
    """The text that tells how to make insertions, and whether the kernel then passes."""
    steps = (
        f"{' and '.join(f'`{line}`' for line in lines)} "
        f"{'behind' if place.behind or place.inside else 'before'} line {listing.line(place)}"
        for place, lines in insertions
    )
    result = "the kernel then passes" if passes else "this finding is then gone"
    return f"insert {', and '.join(steps)} (tried: {result})"

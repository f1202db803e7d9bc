"""
Repair of the findings of a verdict: candidates for the missing step of a finding, by its rule, and
trials, which compile and run the kernel with an edit.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from functools import cached_property
from itertools import compress
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp

from ...compiler import read_kernels, verify_kernels, without_garbage_collection
from ...isa.mma.products import OVERWRITTEN_A, OVERWRITTEN_SCALE
from ...isa.model.rule import REGISTRY, Rule
from ...isa.practice import (
    AFTER_FENCE,
    BARRIER,
    BEFORE_FENCE,
    COLLECTIVE,
    DEADLOCK,
    INIT_FENCE,
    INITIALISATION,
    LIFETIME,
    OVERWRITE_FENCE,
    PHASES,
    PROXY,
    RACE,
    RECONVERGENCE,
    RULES_IN_IR,
    TENSOR_MEMORY,
    TENSOR_ORDER,
    UNWRITTEN,
    by_habit,
    is_habit_in,
    kept_in_ptx,
)
from ...language import language_of
from ...ptx.kernel import KernelOp
from ...reporting.diagnostics import CompileError, Edit, OperationError, Source, read_place, rule_of
from ...reporting.formats import difference, edited, line_before
from ...simulator.machine.errors import LaunchError
from ...simulator.machine.state import LaunchSizes
from ...uniformity.convergence import parting_barriers
from ..execution import Skeleton
from ..judgement import Setting
from ..knowledge import Undecided
from ..runs import Effort
from ..static.prepared import verifiable
from ..verdict import Verdict, verdict_of
from .arrivals import arrivals, expected_bytes
from .fences import (
    after_fences,
    before_fences,
    both_fences,
    commits,
    group_steps,
    init_fences,
    is_of_group,
    memory_fences,
    proxy_fences,
)
from .listing import Change, Listing, Place, PtxListing, Replacement
from .meetings import (
    cluster_meetings,
    deallocations,
    halves,
    initialisations,
    last_meetings,
    meetings,
    relinquishments,
)
from .numbers import numbers
from .problem import Candidate, Generator, Observation, Problem, ranked
from .scope import Scope
from .waits import access_waits, barrier_waits

_BY_RULE: Mapping[Rule, tuple[tuple[float, Generator], ...]] = {
    RACE: (
        (-2, access_waits),
        (-2, group_steps),
        (0, barrier_waits),
        (1, memory_fences),
        (2, meetings),
        (6, halves),
    ),
    UNWRITTEN: ((0, barrier_waits), (1, halves), (2, meetings), (2, access_waits)),
    PROXY: ((0, proxy_fences), (1, barrier_waits)),
    OVERWRITE_FENCE: ((0, proxy_fences),),
    TENSOR_ORDER: ((0, after_fences), (0.5, before_fences), (2, both_fences)),
    AFTER_FENCE: ((0, after_fences), (3, before_fences)),
    BEFORE_FENCE: ((0, before_fences), (3, after_fences)),
    OVERWRITTEN_A: ((0, after_fences), (1, before_fences), (2, barrier_waits)),
    OVERWRITTEN_SCALE: ((0, after_fences), (1, before_fences), (2, barrier_waits)),
    INITIALISATION: ((0, init_fences), (1, meetings), (1, halves)),
    INIT_FENCE: ((0, init_fences),),
    DEADLOCK: ((-2, expected_bytes), (0, commits), (0.5, arrivals), (1, halves), (3, meetings)),
    BARRIER: ((-1, initialisations), (0, barrier_waits), (1, halves), (3, cluster_meetings)),
    PHASES: ((0, barrier_waits), (1, meetings)),
    LIFETIME: ((-2, group_steps), (-1, halves), (0, barrier_waits), (1, last_meetings)),
    COLLECTIVE: ((-1, relinquishments), (0, halves), (0.5, cluster_meetings)),
    TENSOR_MEMORY: ((0, deallocations),),
    RECONVERGENCE: ((0, meetings),),
}


def candidates(problem: Problem) -> list[Candidate]:
    """The candidates for the missing step of a problem, the most likely first."""
    return ranked(problem, _BY_RULE.get(problem.rule, ()))


def has_lost(problem: Problem) -> bool:
    """
    Whether the text or a run shows that a step is missing, not that a number is wrong: nothing
    waits for a copy or for the phases of a barrier object, or nothing arrives at one, or only at
    its neighbours.
    """
    if problem.rule is DEADLOCK:
        return any(not rank or not problem.arrivals_at(each) for rank, each, _ in problem.stuck())
    if any(map(is_of_group, problem.accesses)):
        return True
    if problem.unheeded():
        return True
    return any(each.is_ignored for each in problem.observation.plain.objects)


Key = tuple[str, int]
"""The rule of a finding, and its line in the text without edits."""


def key_of(error: OperationError, edits: Sequence[Edit] = ()) -> Key:
    place = read_place(error.operation.location)
    line = 0 if place is None else place.line.data
    return rule_of(error).id, line_before(edits, line)


def _is_of_edit(key: Key, rule: Rule) -> bool:
    """Whether a finding is an error of an inserted operation."""
    return key[1] == 0 and rule.severity == "error"


def _parts_warps(kernel: KernelOp, edits: Sequence[Edit]) -> bool:
    """Whether edits put a barrier of a warp where certainly only some of its lanes are."""
    return any(
        place is not None and not line_before(edits, place.line.data)
        for place in (read_place(op.location) for op in parting_barriers(kernel))
    )


def kernel_in(module: ModuleOp, name: str, sizes: LaunchSizes) -> KernelOp:
    """The kernel of a lowered or imported module with a name, as launches of these sizes verify
    it."""
    for op in module.ops:
        if isinstance(op, KernelOp) and op.sym_name.data == name:
            op.assume(sizes.block, sizes.cluster)
    kernels = (each.kernel for each in verifiable(module))
    return next(each for each in kernels if each.sym_name.data == name)


class Result(Enum):
    """What a trial shows of a finding."""

    GONE = auto()
    """It is gone, and there is no other error that is new."""
    MOVED = auto()
    """It is gone, but there is another error."""
    SAME = auto()
    """It is still there, or an earlier error hides it, or there is no verdict."""
    NO_TEXT = auto()
    """The text has an error, or a new barrier of a warp where only some lanes are, so there was no
    run."""


class Outcome(NamedTuple):
    """The result of a trial and, if the finding is gone, the number of operations that the run does
    not reach because of another error, the number of new warnings, which the error may have hidden,
    and of other findings that remain."""

    result: Result
    unreached: int = 0
    warnings: int = 0
    others: int = 0

    @property
    def burden(self) -> tuple[bool, int, int, int]:
        """What remains, for a comparison of outcomes."""
        return self.result is Result.MOVED, self.unreached, self.warnings, self.others


@dataclass(frozen=True)
class Trial:
    """
    A finding of a kernel, to be removed: the run that has it, and all findings of the kernel.
    """

    source: Source
    kernel: str
    setting: Setting
    wrong: Key
    known: frozenset[Key]
    effort: Effort
    target: str | None = None
    ptx_version: str | None = None

    def run(self, edits: Sequence[Edit]) -> Outcome:
        """Compile the kernel with edits, run it and judge it."""
        with without_garbage_collection():
            try:
                source = edited(self.source, edits)
                module = read_kernels(source, self.target, self.ptx_version).module
                kernel = kernel_in(module, self.kernel, self.setting.sizes)
                if _parts_warps(kernel, edits):
                    return Outcome(Result.NO_TEXT)
                outcome = self._of_run(kernel, edits)
                if outcome.result is not Result.SAME:
                    # This takes as long as the run.
                    verify_kernels(module, source)
            except CompileError:
                return Outcome(Result.NO_TEXT)
            if outcome.result is Result.GONE:
                verdict = verdict_of(kernel, self.effort)
                if verdict.word == "not decided":
                    return Outcome(Result.SAME)
                outcome = self._judged(kernel, verdict.findings, edits)
            return outcome

    def _of_run(self, kernel: KernelOp, edits: Sequence[Edit]) -> Outcome:
        """The outcome of only the run that has the finding."""
        values, sizes = self.setting[:2]
        try:
            skeleton = Skeleton(kernel)
            skeleton.check()
            skeleton.infer_boxes(values, sizes)
            outcome = skeleton.run(values, sizes)
        except (Undecided, LaunchError):
            return Outcome(Result.SAME)
        if outcome.undecided is not None:
            return Outcome(Result.SAME)
        judged = self._judged(kernel, outcome.findings, edits)
        if judged.result is Result.SAME or outcome.passes:
            return judged
        unreached = sum(map(len, outcome.coverage.unreached))
        if REGISTRY[self.wrong[0]].severity == "warning":
            # An error hides warnings.
            return Outcome(Result.SAME)
        if unreached > self._unreached:
            # With another error before it, a step only hides it.
            return Outcome(Result.SAME)
        return judged._replace(unreached=unreached)

    @cached_property
    def _unreached(self) -> int:
        """The number of operations that the run that has the finding does not reach."""
        module = read_kernels(self.source, self.target, self.ptx_version).module
        skeleton = Skeleton(kernel_in(module, self.kernel, self.setting.sizes))
        skeleton.infer_boxes(*self.setting[:2])
        return sum(map(len, skeleton.run(*self.setting[:2]).coverage.unreached))

    def _judged(
        self, kernel: KernelOp, findings: Sequence[OperationError], edits: Sequence[Edit]
    ) -> Outcome:
        if kernel.is_read:
            findings = [*compress(findings, kept_in_ptx(map(rule_of, findings)))]
        found = {key_of(each, edits): rule_of(each) for each in findings}
        if self.wrong in found or any(_is_of_edit(*each) for each in found.items()):
            return Outcome(Result.SAME)
        new = [rule for key, rule in found.items() if key not in self.known]
        # After an error, a run finds no warnings.
        hides = REGISTRY[self.wrong[0]].severity == "error"
        if new and not (hides and all(rule.severity == "warning" for rule in new)):
            return Outcome(Result.MOVED)
        if not all(map(self._may_be_hidden, new)):
            return Outcome(Result.SAME)
        return Outcome(Result.GONE, 0, len(new), len(found) - len(new))

    def _may_be_hidden(self, rule: Rule) -> bool:
        """Whether the kernel may have got a warning before, had there been no error. In PTX text,
        one that only other compilers deserve shows that the edits lack a step, or are wrong."""
        told = {id for id, _ in self.known - {self.wrong}}
        is_habit = rule.id in told or is_habit_in(rule, self.source.text)
        return rule not in RULES_IN_IR or is_habit


MOST_TRIALS = 12
"""Number of runs for a finding."""
MOST_TEXTS = 2 * MOST_TRIALS
"""Number of candidates that are compiled for a finding."""
MOST_HIDDEN = 2
"""Number of errors, hidden by the error of a finding, for which steps are sought with it."""
_MORE_TRIALS = 3
"""Number of further trials after one that leaves other findings."""
_CHANGES = {Result.SAME: 0.5, Result.MOVED: -1.0, Result.GONE: -1.0}
"""Result of a trial -> change of the rank of the same step at other places."""


class Renamed(NamedTuple):
    """Another operand in a line: its name before, and what to write instead. The line is 0 if
    another step inserts it."""

    operand: str
    instead: str
    line: int

    def __str__(self) -> str:
        return f"change `{self.operand}` to {self.instead} in {_line(self.line)}"


class Step(NamedTuple):
    """Operations to insert before or, if `behind`, after a line, which is 0 if another step inserts
    it."""

    operations: tuple[str, ...]
    behind: bool
    line: int

    def __str__(self) -> str:
        operations = " and ".join(f"`{each}`" for each in self.operations)
        if any(each.endswith("{") for each in self.operations):
            operations = f"`{' '.join(map(str.strip, self.operations))}`"
        return f"insert {operations} {'after' if self.behind else 'before'} {_line(self.line)}"


def _line(number: int) -> str:
    """Text: a line of the text without edits; 0 is one that an earlier step inserts."""
    return f"line {number}" if number else "the inserted line"


class Fix(NamedTuple):
    """The steps that a finding needs, as text and as edits; `passes` tells whether no finding
    remains."""

    steps: tuple[Step | Renamed, ...]
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
        hidden: int = MOST_HIDDEN,
    ):
        self._source = source
        self._effort: Effort = effort
        self._target, self._ptx_version = target, ptx_version
        self._hidden = hidden

    @cached_property
    def _listing(self) -> Listing:
        is_ptx = language_of(*self._source[:2]) == "PTX"
        return (PtxListing if is_ptx else Listing)(self._source)

    def fix(self, verdict: Verdict, error: OperationError) -> Fix | None:
        """The missing steps of a finding of a verdict; None if no candidate removes it."""
        listing = self._listing
        op = listing.find(error.operation)
        setting = verdict.settings[verdict.findings.index(error)] if verdict.settings else None
        if op is None or setting is None:
            return None
        name = verdict.kernel.sym_name.data
        related = None if error.related is None else listing.find(error.related)
        problem = Problem(
            Scope(listing, listing.kernel(name)),
            _in_ir(rule_of(error)),
            op,
            related,
            Observation(listing, verdict.kernel, setting),
        )
        trial = Trial(
            self._source,
            name,
            setting,
            key_of(error),
            frozenset(map(key_of, verdict.findings)),
            self._effort,
            self._target,
            self._ptx_version,
        )
        found: _Found | None = None
        for generate in self._generators(problem):
            pending = list(_written(listing, generate(problem)))
            best = _search(listing, trial, pending)
            if best is not None and generate is numbers and best.outcome.result is Result.MOVED:
                # A missing step may hide another one, but a number is wrong alone.
                best = None
            if best is not None and (found is None or best.outcome.burden < found.outcome.burden):
                found = best
            if found is not None and not any(found.outcome.burden[:3]):
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
        if self._hidden < MOST_HIDDEN:
            # A kernel that lacks a step has no wrong number, too.
            return (candidates,)
        return (candidates, numbers) if has_lost(problem) else (numbers, candidates)

    def _step(self, change: Change) -> Step | Renamed:
        if isinstance(change, Replacement):
            operand = self._listing.spelled(change.operand.value) or ""
            line = self._listing.line(Place(change.operand.op))
            return Renamed(operand, change.said or f"`{change.name}`", line)
        place = change.place
        behind = place.behind or place.inside
        return Step(change.lines, behind, self._listing.line(place))

    def _with_hidden(
        self, trial: Trial, steps: tuple[Step | Renamed, ...], edits: tuple[Edit, ...]
    ) -> Fix | None:
        """A fix that begins with edits, which show an error that the finding has hidden."""
        if not self._hidden:
            return None
        source = edited(self._source, edits)
        module = read_kernels(source, self._target, self._ptx_version).module
        kernel = kernel_in(module, trial.kernel, trial.setting.sizes)
        verdict = verdict_of(kernel, self._effort)
        shown = [each for each in verdict.findings if key_of(each, edits) not in trial.known]
        error = next((each for each in shown if rule_of(each).severity == "error"), None)
        if error is None:
            return None
        repair = Repair(source, self._effort, self._target, self._ptx_version, self._hidden - 1)
        fix = repair.fix(verdict, error)
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


def _in_ir(rule: Rule) -> Rule:
    """The rule that IR breaks where PTX text gets a warning."""
    declared = REGISTRY[rule.id]
    return by_habit(declared, False)


def _written(listing: Listing, found: Iterable[Candidate]) -> Iterator[Candidate]:
    """The candidates whose places have a text, in the language of the text."""
    for each in found:
        if all(map(listing.has_text, each.ops)):
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
    left, texts = MOST_TRIALS, MOST_TEXTS
    tried: set[tuple[Edit, ...]] = set()
    while pending and left and texts:
        candidate = min(pending, key=lambda each: each.rank + changes[each.steps])
        pending.remove(candidate)
        edits = tuple(listing.edits(candidate.changes))
        if edits in tried:
            continue
        tried.add(edits)
        texts -= 1
        outcome = trial.run(edits)
        left -= outcome.result is not Result.NO_TEXT
        changes[candidate.steps] += _CHANGES.get(outcome.result, 0)
        if outcome.result in (Result.GONE, Result.MOVED) and (
            best is None or outcome.burden < best.outcome.burden
        ):
            best = _Found(candidate.changes, outcome)
            if outcome.result is Result.GONE and not outcome.warnings:
                left = min(left, _MORE_TRIALS if outcome.others else 0)
    return best

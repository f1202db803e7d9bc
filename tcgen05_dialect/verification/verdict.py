"""Verdicts on whole kernels: findings, and how far the absence of findings goes."""

from collections.abc import Callable, Collection, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, combinations, compress
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from xdsl.ir import Operation

from ..compiler import without_garbage_collection
from ..isa.model.rule import Rule, Violation, alternatives, extents_text, plural
from ..isa.practice import BARRIER, DEADLOCK, IN_IR, LIFETIME, LOAD_READ, PHASES, UNWRITTEN
from ..ptx.kernel import KernelOp
from ..ptx.tcgen05 import WaitOp
from ..reporting.diagnostics import OperationError, located
from ..reporting.findings import Word
from ..simulator.launch.launch import Coverage, Point
from ..simulator.machine.errors import LaunchError, lines_of, place_of
from ..simulator.machine.state import LaunchSizes
from .effort import MAX_LONG_STEPS
from .execution import AT_ANY_SIZE, Outcome, Skeleton, rule_of
from .grids import scenarios_of_clusters
from .knowledge import Undecided
from .launches import Cluster, cluster_user, cta_axes
from .loops import MOST_STAGES
from .members import short_name
from .outcomes import Outcomes
from .polling import is_flag
from .scenario import Scenario, SizedLoop
from .size_limits import bounds_loops, breaks_assumption, is_empty, is_of_sizes, key_of
from .sizes import Chooser

if TYPE_CHECKING:
    from .extent import Needs

Effort = Literal["quick", "thorough"]
"""Number of sizes: two, or all that matter."""


_MOST_LONGER = 8
"""Limit on the further runs for a loop."""
_MOST_COUNTED = 8
"""Limit on the iterations of a loop of which each number is run."""
_OF_RELATION = {DEADLOCK, LIFETIME, BARRIER, PHASES, UNWRITTEN}
"""Rules that a kernel breaks if two numbers contradict each other."""
_HAS_ERRORS = "not verified: it has errors"


class Setting(NamedTuple):
    """The run of a kernel that shows a finding: values of the numbers among the parameters, by
    index, and the sizes of the launch; `is_first` unless it shows an error before."""

    values: Mapping[int, int]
    sizes: LaunchSizes
    is_first: bool


_Findings: TypeAlias = dict[tuple[Rule, Hashable], tuple[OperationError, Setting | None]]
"""Identity of a finding -> the finding, and the run that found it; None for several runs."""


@dataclass(eq=False)
class Verdict:
    """Verdict on a kernel: in a word, and the errors and warnings of its runs."""

    kernel: KernelOp
    word: Word
    findings: tuple[OperationError, ...]
    say: Callable[[], str]
    settings: tuple[Setting | None, ...] = ()
    """For each finding, the run that found it, None for several runs; empty for a kernel that is
    not decided."""
    cluster: Cluster = None
    """The cluster of the launches, if the kernel does not give it."""

    def of_read(self) -> "Verdict":
        """
        The verdict on a kernel of PTX text. What is an error in IR is a warning, once for each
        rule; what is a warning in IR is left out, because widely used compilers do not keep the
        rule.
        """
        kept = of_read(self.findings)
        findings = tuple(compress(self.findings, kept))
        settings = tuple(compress(self.settings, kept))
        verdict = replace(self, findings=findings, settings=settings)
        lost = next((each for each in findings if rule_of(each) is LOAD_READ), None)
        waits = any(
            isinstance(op, WaitOp) and op.operation.data == "ld" for op in self.kernel.walk()
        )
        if lost is None or not waits or not self.word.startswith("verified"):
            return verdict
        say, load = self.say, place_of(lost.operation)
        text = f"but nothing waits for the load at {load}, though the kernel waits for others"
        return replace(verdict, word="verified in part", say=lambda: f"{say()}; {text}")

    def with_largest(self, assumed: str) -> "Verdict":
        """The verdict if it holds only for the largest launch that the kernel allows."""
        findings = tuple(_with_sizes(error, assumed) for error in self.findings)
        say = self.say
        how = " with" if self.word == "not verified" else "; assumes"
        return replace(self, findings=findings, say=lambda: f"{say()}{how} {assumed}")

    def assuming(self, assumed: str) -> "Verdict":
        """The verdict if it holds only under an assumption on launches: errors are warnings."""
        found = self.with_largest(assumed)
        found = replace(found, findings=tuple(map(_as_warning, found.findings)))
        if self.word == "not verified":
            sentence = f"not decided: it has errors with {assumed}"
            return replace(found, word="not decided", say=lambda: sentence)
        return found

    @cached_property
    def sentence(self) -> str:
        """What the runs covered. It is found at the first use, because `compile` does not print
        it: how often loops must run takes as long to find as a tenth of a run."""
        return self.say()


def of_read(findings: Iterable[OperationError]) -> list[bool]:
    """Which findings to report about a kernel of PTX text; see `Verdict.of_read`."""
    kept: list[bool] = []
    seen: set[Rule] = set()
    for rule in map(rule_of, findings):
        kept.append(not rule.practice or (rule in IN_IR and rule not in seen))
        seen.add(rule)
    return kept


def verdicts_of(
    kernels: Iterable[KernelOp], effort: Effort, wrong: Collection[Operation]
) -> Iterator[Verdict]:
    """Verify kernels of a lowered module. Kernels with operations in `wrong`, which have errors,
    are not run."""
    for kernel in kernels:
        if wrong and any(each in wrong for each in kernel.walk()):
            yield Verdict(kernel, "not verified", (), lambda: _HAS_ERRORS)
        else:
            with without_garbage_collection():
                yield verdict_of(kernel, effort)


def verdict_of(kernel: KernelOp, effort: Effort) -> Verdict:
    """Verify a kernel of a lowered module."""
    try:
        return _verdict(Skeleton(kernel), effort)
    except (Undecided, LaunchError) as error:
        sentence = f"not decided: {error.message}"
        if isinstance(error, Undecided) and error.by_data:
            return _of_sides(kernel, effort, sentence) or _explored(kernel, effort, sentence)
        return Verdict(kernel, "not decided", (), lambda: sentence)


def _of_sides(kernel: KernelOp, effort: Effort, sentence: str) -> Verdict | None:
    """The verdict on a kernel whose branches on data have sides that are the same to other
    threads; None if it has others."""
    # Imported here, because few kernels need it.
    from .sides import sides_of

    sides = sides_of(kernel)
    if sides is None:
        return None
    places = lines_of(sides.branches)
    found: list[Verdict] = []
    for how, side in zip(("taken", "not taken"), sides.kernels, strict=True):
        try:
            verdict = _verdict(Skeleton(side), effort)
        except (Undecided, LaunchError):
            return None
        text = f"the branch on data at {places} {how}"
        found.append(verdict.assuming(text) if verdict.word == "not verified" else verdict)
    findings = {key_of(error): error for verdict in reversed(found) for error in verdict.findings}
    errors = tuple(findings.values())
    if any(verdict.word == "not decided" for verdict in found):
        return Verdict(kernel, "not decided", errors, lambda: sentence)

    def say() -> str:
        taken, other = (verdict.sentence for verdict in found)
        text = taken if taken == other else f"{taken}; otherwise {other}"
        return f"{text}; run with both results of the branch on data at {places}"

    is_whole = all(verdict.word == "verified" for verdict in found)
    return Verdict(kernel, "verified" if is_whole else "verified in part", errors, say)


def _explored(kernel: KernelOp, effort: Effort, sentence: str) -> Verdict:
    """The verdict on a kernel whose control depends on data: the findings of runs with chosen data
    are warnings."""
    # Imported here, because few kernels need it.
    from .exploration import is_of_choice, paths_of

    paths = paths_of(kernel, effort)
    findings: dict[tuple[Rule, Hashable], OperationError] = {}
    for path in paths:
        for error in path.outcome.findings:
            if kernel.declarations is not None and rule_of(error) not in AT_ANY_SIZE:
                continue  # Chosen data may mean nothing to a kernel that has no contracts.
            if not is_of_choice(error, path, paths):
                found = ", ".join(filter(None, (_at(kernel, path.scenario), path.choice)))
                findings.setdefault(key_of(error), _as_warning(_with_sizes(error, found)))
    passed = sorted(path.chosen for path in paths if path.outcome.passes)
    if passed and not findings:
        sentence += f"; runs with the value {alternatives(tuple(passed))} found no error"
    for path in paths:
        reason = path.outcome.undecided
        if reason is not None and reason.is_long:
            sentence += f"; with the value {path.chosen}, {reason.message}"
            break
    return Verdict(kernel, "not decided", tuple(findings.values()), lambda: sentence)


def _verdict(skeleton: Skeleton, effort: Effort) -> Verdict:
    """Raises Undecided."""
    skeleton.check()
    clusters = skeleton.clusters
    if len(clusters) == 1:
        return _in_clusters(skeleton, clusters[0], effort)
    wrong: dict[str, Verdict] = {}
    reason: Undecided | None = None
    for cluster in clusters:
        try:
            # Another cluster has other boxes of tensor maps.
            verdict = _in_clusters(Skeleton(skeleton.kernel), cluster, effort)
        except Undecided as error:
            reason = reason or error
            continue
        assert cluster is not None
        if verdict.word != "not verified":
            return verdict.assuming(_clusters_text(extents_text(cluster)))
        wrong[extents_text(cluster)] = verdict
    if reason is not None and (reason.by_data or not wrong):
        raise reason
    user = cluster_user(skeleton.ops)
    assert user is not None
    needs = f"{user.name}, {place_of(user)}, needs a cluster"
    text = f"not decided: the kernel has no cluster_dims, but {needs}"
    found = _of_clusters(wrong, len(clusters))
    return Verdict(skeleton.kernel, "not decided", (*found,), lambda: text)


def _of_clusters(verdicts: Mapping[str, Verdict], tried: int) -> Iterator[OperationError]:
    """
    The findings of verdicts by cluster, as warnings with the clusters for which they hold.

    A kernel may wait in vain for CTAs that a smaller cluster lacks. So only unordered accesses
    count, and findings in all the clusters that were `tried`.
    """
    found: dict[tuple[Rule, Hashable], dict[str, OperationError]] = {}
    for cluster, verdict in verdicts.items():
        for error in verdict.findings:
            found.setdefault(key_of(error), {})[cluster] = error
    for (rule, _), errors in found.items():
        if len(errors) == tried or rule in AT_ANY_SIZE:
            first = next(iter(errors.values()))
            yield _as_warning(_with_sizes(first, _clusters_text(alternatives(tuple(errors)))))


def _clusters_text(extents: str) -> str:
    return f"clusters of {extents} {'CTA' if extents == '1' else 'CTAs'}"


def _in_clusters(skeleton: Skeleton, cluster: Cluster, effort: Effort) -> Verdict:
    """The verdict for launches with a cluster. Raises Undecided."""
    partial: Verdict | None = None
    reason: Undecided | None = None
    for sizes in skeleton.launches(cluster):
        try:
            verdict = _judged(skeleton, sizes, effort)
        except Undecided as error:
            reason = error
        else:
            verdict = replace(verdict, cluster=cluster)
            if verdict.word != "verified in part":
                return verdict
            partial = verdict
    if partial is None:
        assert reason is not None
        raise reason
    return partial


def _judged(skeleton: Skeleton, sizes: LaunchSizes, effort: Effort) -> Verdict:
    """The verdict for launches of these sizes. Raises Undecided."""
    chooser, is_thorough = Chooser(skeleton, sizes), effort == "thorough"
    if is_thorough:
        skeleton.max_steps = MAX_LONG_STEPS
    scenarios = chooser.scenarios(is_thorough)
    skeleton.infer_boxes(scenarios[0].values, scenarios[0].sizes)
    known = _probe(skeleton, chooser)
    if known is None:
        chooser, known = Chooser(skeleton, sizes), {}
        scenarios = chooser.scenarios(is_thorough)
    runs: list[tuple[Scenario, Outcome]] = []
    longest: Undecided | None = None
    for each in scenarios:
        # If a run finds nothing, one whose loops run less often is unlikely to find more.
        is_likely = not any(ran.covers(each) and outcome.passes for ran, outcome in runs)
        if is_likely or is_thorough:
            outcome = known.get(_key(each)) or skeleton.run(each.values, each.sizes)
            if outcome.undecided is not None and not is_empty(outcome, each):
                if not outcome.undecided.is_long:
                    raise outcome.undecided
                longest = outcome.undecided
            else:
                runs.append((each, outcome))
    if longest is not None:
        # A run may be long because of its sizes, or because it never ends.
        shortest = chooser.shortest()
        if not any(ran.covers(shortest) and outcome.passes for ran, outcome in runs):
            outcome = skeleton.run(shortest.values, shortest.sizes)
            if outcome.undecided is not None:
                raise outcome.undecided
            runs.append((shortest, outcome))
    runs += _both_ways(skeleton, *runs[0])
    needs: Needs | None = None
    outcomes: Outcomes | None = None
    elsewhere: list[tuple[Scenario, Outcome]] = []
    """The runs of other clusters than the first."""
    if is_thorough:
        outcomes = Outcomes(skeleton, chooser)
        others = chain(chooser.tails(), outcomes.scenarios([each for each, _ in runs]))
        runs += _more_runs(skeleton, others, runs)
        elsewhere += _more_runs(skeleton, scenarios_of_clusters(skeleton, sizes), ())
        needs = _needs(skeleton, scenarios, runs)
        for more in _longer(chooser, needs, runs):
            outcome = skeleton.run(more.values, more.sizes)
            if outcome.undecided is None or not outcome.undecided.is_long:
                runs.append((more, outcome))
    meant = [each for each, outcome in runs if not breaks_assumption(outcome)]
    if not meant:
        raise Undecided("every size that was tried breaks an assumption of the kernel")
    findings: _Findings = {}
    limits: list[str] = []
    excluded: list[Scenario] = []
    for scenario, outcome in chain(runs, elsewhere):
        if outcome.undecided is not None:
            if is_empty(outcome, scenario):
                continue
            raise outcome.undecided
        mistakes = [error for error in outcome.findings if rule_of(error).severity == "error"]
        for error in outcome.findings:
            sizes_text = _at(skeleton.kernel, scenario)
            comparable = [
                run for run in chain(runs, elsewhere) if run[0].sizes.alone == scenario.sizes.alone
            ]
            if is_of_sizes(error, scenario, comparable):
                limits.append(sizes_text)
                if bounds_loops(error, scenario):
                    excluded.append(scenario)
            else:
                is_first = not mistakes or error is mistakes[0]
                setting = Setting(scenario.values, scenario.sizes, is_first)
                findings.setdefault(key_of(error), (_with_sizes(error, sizes_text), setting))
    if is_thorough and not any(rule.severity == "error" for rule, _ in findings):
        _add_overlaps(findings, skeleton, sizes)
    errors = tuple(error for error, _ in findings.values())
    settings = tuple(setting for _, setting in findings.values())
    wrong = {rule for rule, _ in findings if rule.severity == "error"}
    if wrong and wrong <= _OF_RELATION:
        for ratio, each in chooser.ratios():
            if skeleton.run(each.values, each.sizes).passes:
                text = f"the kernel seems to assume that {ratio}; their relation is unknown"
                raise Undecided(text)
    if wrong:
        return Verdict(skeleton.kernel, "not verified", errors, lambda: _HAS_ERRORS, settings)
    if doubt := next((each.doubt for _, each in chain(runs, elsewhere) if each.doubt), None):
        raise doubt
    everywhere = (*runs, *elsewhere)
    unreached = _alive(
        skeleton,
        Coverage.of_all(outcome.coverage for _, outcome in everywhere if outcome.passes).unreached,
    )

    def sentence() -> str:
        from .extent import computed_at, extent, gaps

        needed = _needs(skeleton, scenarios, runs) if needs is None else needs
        uncounted = {each: skeleton.visits[each.loop].most for each in chooser.uncounted}
        unshown = {} if outcomes is None else outcomes.unshown([each for each, _ in runs])
        open_ = {p for numbers in unshown.values() for p in numbers}
        covered = extent(
            _passed(runs),
            excluded,
            needed,
            uncounted,
            unreached,
            open_,
            _unsteady(runs),
            chooser.linked,
        )
        text = f"verified{gaps(unreached)}{covered}"
        if unshown:
            numbers = dict.fromkeys(p.index for all_ in unshown.values() for p in all_)
            names = " and ".join(_name(skeleton.kernel, index) for index in numbers)
            text += f"; {names} decides more than the runs show at {computed_at(unshown)}"
        if is_thorough and cta_axes(skeleton.decisive):
            others = len({each.sizes for each, _ in elsewhere})
            text += f"; run in {others} other {plural('cluster', others)}"
        if most := max((each.waiting for each in _passed(runs)), default=0):
            text += f"; up to {most} {plural('cluster', most)} taken over"
        if guessed := skeleton.guessed:
            boxes = (f"{skeleton.box_of(p).bytes} bytes of %{p.name_hint}" for p in guessed)
            text += f"; assumes boxes of {' and '.join(boxes)}"
        for p in chooser.stage_numbers:
            run = sorted({each.values[p.index] for each in _passed(runs)})
            name = _name(skeleton.kernel, p.index)
            text += f"; run with {name} = {alternatives(tuple(run))}"
        if limits:
            text += f"; the kernel is not made for {' or '.join(dict.fromkeys(limits))}"
        return text

    word = "verified in part" if unreached or excluded else "verified"
    return Verdict(skeleton.kernel, word, errors, sentence, settings)


def _add_overlaps(findings: _Findings, skeleton: Skeleton, sizes: LaunchSizes) -> None:
    """Add the stores of CTAs of different clusters that meet."""
    # Imported here, because only thorough runs need it.
    from .overlap import overlaps

    for meeting, each in overlaps(skeleton, sizes):
        found = _with_sizes(meeting.error, _at(skeleton.kernel, each))
        findings.setdefault(key_of(meeting.error), (found, None))


def _alive(skeleton: Skeleton, unreached: Sequence[Sequence[Point]]) -> list[list[Point]]:
    """Operations that no run has reached, without those that no launch executes."""
    if not unreached:
        return []
    # Imported here, because the runs reach all operations of most kernels.
    from .dead import dead_places

    contents = {value: numbers for value, numbers in skeleton.knowledge.contents.items() if numbers}
    dead = dead_places(skeleton.kernel, contents)
    groups = ([p for p in group if (p.file, p.line, p.column) not in dead] for group in unreached)
    return [group for group in groups if group]


def _key(scenario: Scenario) -> Hashable:
    return scenario.sizes, *scenario.values.items()


def _probe(skeleton: Skeleton, chooser: Chooser) -> dict[Hashable, Outcome] | None:
    """Find the numbers of stages that the text of loops does not tell by runs, which are returned;
    None if a number differs from that of the text."""
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
    return known if before == [loop.stages for loop in skeleton.rings] else None


def _more_runs(
    skeleton: Skeleton, scenarios: Iterable[Scenario], runs: Sequence[tuple[Scenario, Outcome]]
) -> Iterator[tuple[Scenario, Outcome]]:
    """Runs of further scenarios, except those that say nothing: a kernel may trap, or assume other
    sizes."""
    known = [each for each, _ in runs]
    for each in scenarios:
        if any(ran.values == each.values and ran.sizes == each.sizes for ran in known):
            continue
        known.append(each)
        try:
            # Other sizes may select another tensor map.
            if not skeleton.knows_boxes:
                skeleton.infer_boxes(each.values, each.sizes)
        except Undecided:
            continue
        outcome = skeleton.run(each.values, each.sizes)
        if outcome.undecided is None and not breaks_assumption(outcome):
            # What many kernels rely on is worth a warning at usual sizes only.
            kept = tuple(error for error in outcome.warnings if not rule_of(error).practice)
            yield each, replace(outcome, warnings=kept)


def _needs(
    skeleton: Skeleton, scenarios: Sequence[Scenario], runs: Sequence[tuple[Scenario, Outcome]]
) -> "Needs":
    from .extent import needs_of

    return needs_of(skeleton, scenarios[0].loops) if _passed(runs) else {}


def _longer(
    chooser: Chooser, needs: "Needs", runs: Sequence[tuple[Scenario, Outcome]]
) -> Iterator[Scenario]:
    """Further scenarios, with which a verdict may hold for every number of iterations."""
    from .extent import runs_of

    for each, need in needs.items():
        counts = runs_of(_passed(runs)).get(each)
        if not counts:
            continue
        found: list[Scenario | None] = []
        if need is None:
            # What follows may depend on the number of iterations in any way.
            if each.most <= _MOST_COUNTED:
                missing = {*range(each.least, each.most + 1)} - counts
                found = [chooser.running(each, count) for count in sorted(missing)]
        elif len(missing := need.missing(counts)) <= _MOST_LONGER:
            found = [chooser.reaching(each.loop, count) for count in missing]
        yield from filter(None, found)


def _both_ways(
    skeleton: Skeleton, scenario: Scenario, first: Outcome
) -> Iterator[tuple[Scenario, Outcome]]:
    """The runs in which polls that decide more than whether to ask again have one result each."""
    if not skeleton.choices or not first.passes:
        return
    for op in skeleton.choices:
        if is_flag(op):
            what = f"control depends on a flag that {op.name}, {place_of(op)}, reads only once"
            yield scenario, replace(first, doubt=Undecided(what))
    for answer in (True, False):
        outcome = skeleton.run(scenario.values, scenario.sizes, answer)
        if outcome.passes and outcome.effects != first.effects:
            op = skeleton.choices[0]
            what = f"the result of {op.name}, {place_of(op)}, decides more than whether to wait"
            outcome = replace(outcome, doubt=Undecided(what))
        yield scenario, outcome


def _unsteady(runs: Sequence[tuple[Scenario, Outcome]]) -> set[SizedLoop]:
    """
    The loops on whose numbers of iterations it depends what is pending at barriers in the end, as a
    larger number may end another phase; or, after a round of the ring, for how many phases no
    thread has waited.
    """
    found: set[SizedLoop] = set()
    passed = [(each, outcome) for each, outcome in runs if outcome.passes]
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


def _passed(runs: Iterable[tuple[Scenario, Outcome]]) -> list[Scenario]:
    return [each for each, outcome in runs if outcome.passes]


def _as_warning(error: OperationError) -> OperationError:
    violation = error.__cause__
    assert isinstance(violation, Violation)
    rule = violation.rule.of_severity("warning")
    return located(error.operation, violation.replaced(rule=rule))


def _name(kernel: KernelOp, index: int) -> str:
    """The name of a parameter in messages."""
    if kernel.declarations is not None and index < len(kernel.declarations):
        return short_name(kernel, index)
    return f"%{kernel.body.blocks[0].args[index].name_hint or index}"


def _at(kernel: KernelOp, scenario: Scenario) -> str:
    """Text: the sizes of a scenario."""
    arguments = kernel.body.blocks[0].args
    is_read = kernel.declarations is not None
    decisive = {p for loop in scenario.loops for p in loop.numbers}
    sizes = [
        f"{_name(kernel, index)} = {value}"
        for index, value in scenario.values.items()
        if not is_read or (arguments[index] in decisive if decisive else arguments[index].uses)
    ]
    if scenario.sizes.alone is not None:
        sizes.append(f"a grid of {extents_text(scenario.sizes.grid)} CTAs")
    if scenario.waiting:
        waiting = f"{scenario.waiting} {plural('cluster', scenario.waiting)} to take over"
        sizes.append(waiting)
    return ", ".join(sizes)


def _with_sizes(error: OperationError, sizes: str) -> OperationError:
    """The error with the sizes at which it was found."""
    violation = error.__cause__
    assert isinstance(violation, Violation)
    if not sizes:
        return error
    text = violation.sentence or violation.text
    between = "\n" if "\n" in text else "; "
    found = violation.replaced(sentence=f"{text}{between}found with {sizes}", subject="")
    return located(error.operation, found, error.related)

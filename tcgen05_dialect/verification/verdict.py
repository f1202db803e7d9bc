"""Verdicts on whole kernels: the findings of runs that count, and how far their absence goes."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, compress

from xdsl.dialects.builtin import DenseArrayBase, i32
from xdsl.ir import Operation, SSAValue

from ..isa.instructions.barriers import MAX_THREADS
from ..isa.model.rule import Rule, alternatives, extents_text
from ..isa.practice import (
    BARRIER,
    DEADLOCK,
    LIFETIME,
    LOAD_READ,
    PHASES,
    UNWRITTEN,
    kept_in_ptx,
)
from ..isa.tensor_memory.alloc import LANES, WARP_LANES
from ..ptx.analysis.known_values import constant_bits
from ..ptx.analysis.values import forwards
from ..ptx.instructions import MovOp, SetpOp, ShflSyncOp, ShrOp, SpecialRegisterOp
from ..ptx.kernel import KernelOp
from ..ptx.tcgen05 import LdOp, LdRedOp, WaitOp
from ..ptx.tcgen05_mma import Mma
from ..reporting.diagnostics import HAS_ERRORS, OperationError, Word, rule_of
from ..simulator.launch.launch import Point
from ..simulator.machine.errors import LaunchError, lines_of, place_of
from ..simulator.machine.state import LaunchSizes
from . import Budget, Effort
from .execution import AT_ANY_SIZE, Outcome, Skeleton
from .knowledge import Undecided
from .launches import Cluster, cluster_user
from .outcomes import bounds_loops, breaks_assumption, is_empty, is_of_sizes, key_of
from .remarks import (
    Setting,
    as_warning,
    assuming_text,
    clusters_text,
    sentence_of,
    stopped_text,
    with_sizes,
)
from .runs import Runs
from .sizes import sizes_text
from .static.inventory import Inventory, unknown_threads
from .static.loops import Scenario
from .static.members import shown_name


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
    unreached: tuple[Point, ...] = ()
    """The operations that no run has reached, of a verified kernel."""

    def relaxed_for_ptx(self, told: Iterable[Rule] = ()) -> "Verdict":
        """For PTX text: one warning for each known habit of compilers, none for those whose rule is
        among the `told`; what is only a warning in IR is dropped."""
        kept = [*kept_in_ptx(map(rule_of, self.findings), told)]
        findings = tuple(compress(self.findings, kept))
        settings = tuple(compress(self.settings, kept))
        verdict = replace(self, findings=findings, settings=settings)
        lost = next((each for each in findings if rule_of(each) is LOAD_READ), None)
        waits = any(
            isinstance(op, WaitOp) and op.operation.data == "ld" for op in self.kernel.walk()
        )
        if lost is None or not waits or not self.word.startswith("verified"):
            return verdict
        # The other operation, such as the dealloc, may be the later one.
        load = lost.related if isinstance(lost.related, LdOp | LdRedOp) else lost.operation
        say, text = self.say, f"but nothing waits for the load at {place_of(load)}"
        text += ", though the kernel waits for other loads"
        return replace(verdict, word="verified in part", say=lambda: f"{say()}; {text}")

    def with_largest(self, assumed: str) -> "Verdict":
        """The verdict if it holds only for the largest launch that the kernel allows."""
        findings = tuple(with_sizes(error, assumed) for error in self.findings)
        say = self.say
        if self.word == "not verified":
            return replace(self, findings=findings, say=lambda: f"{say()} with {assumed}")
        return replace(self, findings=findings, say=lambda: assuming_text(say(), assumed))

    def assuming(self, assumed: str) -> "Verdict":
        """The verdict if it holds only under an assumption on launches: errors are warnings."""
        found = self.with_largest(assumed)
        found = replace(found, findings=tuple(map(as_warning, found.findings)))
        if self.word == "not verified":
            sentence = f"not decided: it has errors with {assumed}"
            return replace(found, word="not decided", say=lambda: sentence)
        return found

    @cached_property
    def sentence(self) -> str:
        """What the runs covered. It is found at the first use, because `compile` does not print
        it: how often loops must run takes as long to find as a tenth of a run."""
        return self.say()


_BLOCKS = (128, 256, 192, 384, 160, 512, 32, 64, MAX_THREADS)
"""The numbers of threads to try for a kernel of PTX text that does not give its own: those of
warpgroups, of the usual kernels with roles of one warp, of small CTAs, and of the largest."""


def verdict_of(kernel: KernelOp, effort: Effort) -> Verdict:
    """Verify a kernel of a lowered module."""
    with Budget.of_kernel():
        if kernel.extents("reqntid") is None and not unknown_threads(kernel):
            return _of_blocks(kernel, effort)
        return _of_launches(kernel, effort)


def fitting_threads(kernel: KernelOp) -> tuple[int, Verdict]:
    """
    The number of threads of a CTA that fits a kernel of a lowered module best, with its verdict by
    quick runs: the first number with the best verdict, in the order of `_distance_of`. It becomes
    the `reqntid` of the kernel. The number of threads of the warps with roles is tried first.

    With too few threads, a kernel waits in vain for missing roles; with too many, the surplus
    threads may race. The sums of a product lie in lanes of all four warps of a warpgroup
    (9.7.16.10.5), so a kernel with a product and loads from tensor memory has a warpgroup.
    """
    found: dict[int, Verdict] = {}
    ops = Inventory(kernel)
    loads_sums = ops.of(Mma) and ops.of(LdOp, LdRedOp)
    roles = _warps_with_roles(ops) * WARP_LANES
    blocks = [
        threads
        for threads in dict.fromkeys((roles, *_BLOCKS))
        if (LANES if loads_sums else 1) <= threads <= MAX_THREADS
    ]
    for threads in blocks:
        kernel.properties["reqntid"] = DenseArrayBase.from_list(i32, [threads])
        try:
            found[threads] = _verdict(Skeleton(kernel), "quick")
        except (Undecided, LaunchError) as error:
            found[threads] = _undecided(kernel, error)
        verdict, first = found[threads], found[blocks[0]]
        # The same reason with two numbers of threads comes from something else.
        is_other = verdict.word == "not decided" and verdict.sentence == first.sentence
        is_partial = verdict.word == "verified in part" and threads == roles
        if verdict.word == "verified" or is_partial or (is_other and verdict is not first):
            break
    best = min(found, key=lambda threads: _distance_of(found[threads]))
    kernel.properties["reqntid"] = DenseArrayBase.from_list(i32, [best])
    return best, found[best]


def _warps_with_roles(ops: Inventory) -> int:
    """One more than the largest constant with which a kernel compares the number of a warp; 0 if it
    compares none."""
    registers = (op.d for op in ops.of(SpecialRegisterOp) if op.register.data == "tid.x")
    threads = forwards(registers, _copies)
    shift = WARP_LANES.bit_length() - 1
    warps = [op.d for op in ops.of(ShrOp) if op.a in threads and constant_bits(op.amount) == shift]
    numbers = forwards(warps, _copies)
    compared = (constant_bits(op.b) for op in ops.of(SetpOp) if op.a in numbers)
    return max((number + 1 for number in compared if number is not None), default=0)


def _copies(op: Operation, _: SSAValue) -> Iterable[SSAValue]:
    """The copies of an operand; a shuffle copies the operand of one lane to all."""
    return (op.d,) if isinstance(op, ShflSyncOp | MovOp) else ()


def _of_blocks(kernel: KernelOp, effort: Effort) -> Verdict:
    """The verdict on a kernel that does not give its number of threads, for the one that fits."""
    threads, found = fitting_threads(kernel)
    is_final = effort == "quick" and found.word != "not decided"
    verdict = found if is_final else _of_launches(kernel, effort)
    assumed = f"CTAs of {extents_text((threads, 1, 1))} threads"
    assuming = verdict.assuming(assumed)
    if verdict.word == "not decided":
        how = f"tried with {assumed}; the kernel has no reqntid: give another number with --block"
        return replace(assuming, say=lambda: f"{verdict.sentence}; {how}")
    if verdict.word == "not verified":
        reason = "and the kernel has no reqntid; give the number of threads with --block"
    else:
        reason = "because the kernel has no reqntid; give another number with --block"
    return replace(assuming, say=lambda: f"{assuming.say()}, {reason}")


def _distance_of(verdict: Verdict) -> tuple[int, int]:
    """The rank of a verdict, and the number of operations that no run has reached: the lower, the
    more likely a kernel is made for its number of threads. Races alone may come from surplus
    threads."""
    ranks = {"verified": 0, "verified in part": 1, "not decided": 3, "not verified": 4}
    races_only = verdict.word == "not verified" and _only_unordered(verdict)
    return 2 if races_only else ranks[verdict.word], len(verdict.unreached)


def _of_launches(kernel: KernelOp, effort: Effort) -> Verdict:
    """The verdict on a kernel that gives its number of threads."""
    try:
        return _verdict(Skeleton(kernel), effort)
    except (Undecided, LaunchError) as error:
        undecided = _undecided(kernel, error)
        if not (isinstance(error, Undecided) and error.by_data):
            return undecided
        found = _of_sides(kernel, effort, undecided)
        if found.word == "not decided" and not found.findings:
            other = _without_arrays(kernel, effort)
            return other or _explored(kernel, effort, found.sentence)
        return found


def _undecided(kernel: KernelOp, error: Undecided | LaunchError) -> Verdict:
    return Verdict(kernel, "not decided", (), lambda: f"not decided: {error.message}")


def _of_sides(kernel: KernelOp, effort: Effort, undecided: Verdict) -> Verdict:
    """The verdict on a kernel whose branches on data have sides that are the same to other threads;
    if it has others, it is not decided because of these."""
    # Imported here, because few kernels need it.
    from .specialisation import sides_of

    sides = sides_of(kernel)
    if sides is None:
        return undecided
    places = lines_of(sides.branches)
    found: list[Verdict] = []
    for how, side in zip(("taken", "not taken"), sides.kernels, strict=True):
        try:
            verdict = _verdict(Skeleton(side), effort)
        except (Undecided, LaunchError) as error:
            return _undecided(kernel, error)
        text = f"the branch on data at {places} {how}"
        found.append(verdict.assuming(text) if verdict.word == "not verified" else verdict)
    findings = {key_of(error): error for verdict in reversed(found) for error in verdict.findings}
    errors = tuple(findings.values())
    if any(verdict.word == "not decided" for verdict in found):
        return replace(undecided, findings=errors)

    def say() -> str:
        taken, other = (verdict.sentence for verdict in found)
        text = taken if taken == other else f"{taken}; otherwise {other}"
        return f"{text}; run with both results of the branch on data at {places}"

    is_whole = all(verdict.word == "verified" for verdict in found)
    return Verdict(kernel, "verified" if is_whole else "verified in part", errors, say)


def _without_arrays(kernel: KernelOp, effort: Effort) -> Verdict | None:
    """The verdict on a kernel for launches in which optional arrays, on which control depends, are
    null; None if there are none."""
    from .specialisation import without_arrays

    copy = without_arrays(kernel)
    if copy is None:
        return None
    zeros = ", ".join(f"{shown_name(each)} = 0" for each in copy.zeros)
    verdict = replace(_of_launches(copy.kernel, effort), kernel=kernel, settings=())
    if verdict.word == "verified":
        verdict = replace(verdict, word="verified in part")
    # The arrays may be needed at the sizes that were tried.
    return verdict.assuming(zeros)


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
                found = ", ".join(
                    filter(None, (sizes_text(path.skeleton, path.scenario), path.choice))
                )
                findings.setdefault(key_of(error), as_warning(with_sizes(error, found)))
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
            return verdict.assuming(clusters_text([extents_text(cluster)]))
        wrong[extents_text(cluster)] = verdict
    if reason is not None and (reason.by_data or not wrong):
        raise reason
    user = cluster_user(skeleton.ops)
    assert user is not None
    needs = f"{user.name}, {place_of(user)}, needs a cluster"
    text = f"not decided: the kernel has no cluster_dims, but {needs}; give one with --cluster"
    found = _of_clusters(wrong)
    return Verdict(skeleton.kernel, "not decided", (*found,), lambda: text)


def _of_clusters(verdicts: Mapping[str, Verdict]) -> Iterator[OperationError]:
    """
    The findings of verdicts by cluster, as warnings with the clusters for which they hold.

    In a cluster that is too small, a kernel may wait in vain for missing CTAs; in one that is too
    large, it may leave CTAs unordered. So a finding counts if it occurs in every cluster with
    unordered accesses only or, if no cluster has unordered accesses only, in every cluster.
    """
    found: dict[tuple[Rule, Hashable], dict[str, OperationError]] = {}
    for cluster, verdict in verdicts.items():
        for error in verdict.findings:
            found.setdefault(key_of(error), {})[cluster] = error
    fitting = {cluster for cluster, verdict in verdicts.items() if _only_unordered(verdict)}
    for errors in found.values():
        if errors.keys() >= (fitting or verdicts.keys()):
            first = next(iter(errors.values()))
            yield as_warning(with_sizes(first, clusters_text(errors)))


def _only_unordered(verdict: Verdict) -> bool:
    """Whether all errors are unordered accesses."""
    rules = map(rule_of, verdict.findings)
    return all(rule in AT_ANY_SIZE or rule.severity == "warning" for rule in rules)


def _in_clusters(skeleton: Skeleton, cluster: Cluster, effort: Effort) -> Verdict:
    """The verdict for launches with a cluster. Raises Undecided."""
    partial: Verdict | None = None
    reason: Undecided | None = None
    for sizes in skeleton.launches(cluster):
        try:
            verdict = _judged(skeleton, sizes, effort, cluster)
        except Undecided as error:
            reason = error
        else:
            if verdict.word != "verified in part":
                return verdict
            partial = verdict
    if partial is None:
        assert reason is not None
        raise reason
    return partial


def _judged(skeleton: Skeleton, sizes: LaunchSizes, effort: Effort, cluster: Cluster) -> Verdict:
    """The verdict for launches of these sizes. Raises Undecided."""
    runs = Runs(skeleton, sizes, effort)
    if all(breaks_assumption(outcome) for _, outcome in runs.first):
        raise Undecided("every size that was tried breaks an assumption of the kernel")
    found = _Findings(runs)
    found.add_all()
    may_overlap = runs.is_thorough and not runs.has_no_overlaps
    if may_overlap and not found.wrong and not runs.is_stopped:
        found.add_overlaps()
    found.check_relations()
    if runs.is_stopped and found.is_doubtful:
        text = "not decided: the errors may come from sizes that the kernel does not support; "
        text += stopped_text(runs)
        doubtful = tuple(as_warning(error) for error, _ in found.kept.values())
        return Verdict(skeleton.kernel, "not decided", doubtful, lambda: text)
    errors = tuple(error for error, _ in found.kept.values())
    settings = tuple(setting for _, setting in found.kept.values())
    if found.wrong:
        return Verdict(
            skeleton.kernel, "not verified", errors, lambda: HAS_ERRORS, settings, cluster
        )
    if doubt := next((each.doubt for _, each in runs.everywhere if each.doubt), None):
        raise doubt
    is_whole = not (runs.unreached or found.excluded or found.overlapping or runs.is_stopped)
    return Verdict(
        skeleton.kernel,
        "verified" if is_whole else "verified in part",
        errors,
        lambda: sentence_of(runs, found.excluded, found.limits, found.overlapping),
        settings,
        cluster,
        tuple(chain.from_iterable(runs.unreached)),
    )


_OF_RELATION = {DEADLOCK, LIFETIME, BARRIER, PHASES, UNWRITTEN}
"""Rules that a kernel breaks if two numbers contradict each other."""


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
        self._certain: set[Rule] = set()
        """The rules of errors that count whatever happens at other sizes."""
        self.overlapping: list[Operation] = []
        """Stores of CTAs of which some places meet, with different values."""

    @property
    def wrong(self) -> set[Rule]:
        """The rules of the errors."""
        return {rule for rule, _ in self.kept if rule.severity == "error"}

    @property
    def is_doubtful(self) -> bool:
        """Whether the only errors are those that do not count if a larger size has none."""
        return bool(self.wrong) and not self._certain

    def add_all(self) -> None:
        """Add the findings of all runs. Raises Undecided."""
        for scenario, outcome in self._runs.everywhere:
            if outcome.undecided is None:
                self._add(scenario, outcome)
            elif not is_empty(outcome, scenario):
                raise outcome.undecided

    def _add(self, scenario: Scenario, outcome: Outcome) -> None:
        alone = scenario.sizes.alone
        comparable = [run for run in self._runs.everywhere if run[0].sizes.alone == alone]
        findings = outcome.findings
        mistakes = [error for error in findings if rule_of(error).severity == "error"]
        text = sizes_text(self._runs.skeleton, scenario) if findings else ""
        for error in findings:
            if is_of_sizes(error, scenario, comparable):
                # A warning of other sizes, too, is no reason to leave these out.
                warned = (
                    key_of(each)
                    for run, found in comparable
                    for each in found.warnings
                    if run is not scenario
                )
                if key_of(error) in warned:
                    continue
                self.limits.setdefault(text, rule_of(error))
                if bounds_loops(error, scenario):
                    self.excluded.append(scenario)
            else:
                is_first = not mistakes or error is mistakes[0]
                setting = Setting(scenario.values, scenario.sizes, is_first)
                self.kept.setdefault(key_of(error), (with_sizes(error, text), setting))
                larger = {index: value + 1 for index, value in scenario.values.items()}
                right = replace(scenario, values=larger), Outcome()
                if error in mistakes and not is_of_sizes(error, scenario, [*comparable, right]):
                    self._certain.add(rule_of(error))

    def add_overlaps(self) -> None:
        """Add the stores of CTAs of different clusters that meet."""
        # Imported here, because only thorough runs need it.
        from .overlap import overlaps

        skeleton = self._runs.skeleton
        try:
            for meeting, each in overlaps(skeleton, self._runs.sizes):
                found = with_sizes(meeting.error, sizes_text(skeleton, each))
                if not meeting.is_whole:
                    self.overlapping.append(meeting.store.op)
                self.kept.setdefault(key_of(meeting.error), (found, None))
        except Undecided as error:
            if not error.is_cut:
                raise
            self._runs.is_stopped = True

    def check_relations(self) -> None:
        """Raise Undecided if all errors may come from two numbers that contradict each other."""
        wrong, runs = self.wrong, self._runs
        if not wrong or not wrong <= _OF_RELATION:
            return
        for ratio, each in runs.chooser.ratios():
            outcome = runs.skeleton.run(each.values, each.sizes)
            if outcome.undecided is not None and outcome.undecided.is_cut:
                raise outcome.undecided
            if outcome.passes:
                text = f"the kernel seems to assume that {ratio}; their relation is unknown"
                raise Undecided(text)

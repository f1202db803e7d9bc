"""Reports of conflicts: a sentence that names both accesses and the step that is missing."""

from collections.abc import Callable
from itertools import zip_longest
from typing import NamedTuple

import numpy as np
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Operation

from ...isa.effects.model import COMMITTED, CTA_SCOPE, LOADED, STORED, WRITTEN, Completion
from ...isa.mma.products import OVERWRITTEN_A, OVERWRITTEN_SCALE
from ...isa.model.rule import plural
from ...isa.practice import (
    AFTER_FENCE,
    BEFORE_FENCE,
    OVERWRITE_FENCE,
    PROXY,
    SAME_VALUE,
    TENSOR_ORDER,
)
from ...isa.tensor_memory.alloc import WARP_LANES
from ...ptx.effects import completed_by, effects_of, scope_of
from ...ptx.instructions import ExitOp, RetOp
from ...ptx.structure import unguarded
from ..machine.errors import line_number, place_of
from ..machine.tensor_memory import Shadowed
from .clocks import Clock, Known, Passed
from .events import Access, Issue, Source
from .phases import Phases, phase_name
from .shadow import Conflict

_GAP = 3
_MOST = 48
"""Largest number of characters of the first column."""


class Side(NamedTuple):
    """An access: its thread, its operation, the line of the operation (0 if unknown), and its
    effect."""

    who: str
    operation: str
    line: int
    does: str

    def lines(self, renamed: Callable[[str], str]) -> list[str]:
        place = f", line {self.line}" if self.line else ""
        return [renamed(f"{self.operation}{place}"), f"  {self.does}"]


class Missing(NamedTuple):
    """The steps that would order two accesses: a step of the first thread after its access, a step
    of the second thread before its access, and a step of both."""

    first: str = ""
    second: str = ""
    both: str = ""


class TwoAccesses(NamedTuple):
    """Two accesses, and the steps that are missing between them."""

    first: Side
    second: Side
    missing: Missing

    def drawing(self, renamed: Callable[[str], str]) -> str:
        """The text; `renamed` replaces names of operations by the names in the user's text."""
        left, right = (side.lines(renamed) for side in (self.first, self.second))
        first, second, both = (each and f"missing: {each}" for each in self.missing)
        steps = filter(None, [first, f"- - {both} - ->" if both else ""])
        left = [self.first.who, *left, *steps]
        right = [self.second.who, *[""] * max(2, len(left) - 2), second, *right]
        width = min(_MOST, max(map(len, left))) + _GAP
        lines = zip_longest(left, right, fillvalue="")
        return "\n".join(f"{line:<{width}}{other}".rstrip() for line, other in lines)


class Report(NamedTuple):
    """What a message says, and the operation it is about; `help` replaces the fix of the rule.
    `missing` names the steps that would order the two accesses, and `conflict` is their drawing.
    `related` is the operation of the other access."""

    op: Operation
    sentence: str
    help: str = ""
    missing: Missing | None = None
    related: Operation | None = None
    conflict: TwoAccesses | None = None


_NO_WAIT = "the manual orders the two only by a commit and a wait in between"
_CLAUSES = {
    OVERWRITE_FENCE: "the manual asks for fence.proxy.async in between",
    SAME_VALUE: "nothing orders the two, which write the same value",
    OVERWRITTEN_A: _NO_WAIT,
    OVERWRITTEN_SCALE: _NO_WAIT,
}
"""Rule of a warning -> clause that names the missing step."""
_WEAKER = "their synchronisation orders no accesses: it is relaxed, or its scope is too narrow"
_UNORDERED = "at instructions that order no accesses, such as elect.sync"
_STRENGTHEN = "let it release and acquire, with a scope that includes both threads"
_APART = "let each cluster access memory of its own"
_ENDS = RetOp, ExitOp
"""The operations that end threads."""
_FENCES = ("tcgen05.fence::before_thread_sync", "tcgen05.fence::after_thread_sync")


def report_of(access: Access, memory: Shadowed, conflict: Conflict, written: bool) -> Report:
    """The report of a conflict of an access with an earlier one; `written`: the access writes."""
    parties = _Parties(access, memory, conflict)
    report = parties.report()
    accesses = parties.source.op, parties.prior.op
    related, two = accesses[report.op is accesses[0]], parties.drawn(report, written)
    return report._replace(related=related, conflict=two)


class _Parties:
    """The two accesses of a conflict."""

    def __init__(self, access: Access, memory: Shadowed, conflict: Conflict):
        if conflict.thread is not None:
            access = Access(access.events, access.source, np.array([conflict.thread]), access.first)
        self.access = access
        self.source = access.source
        self.prior = access.events.source(conflict.id)
        self.conflict = conflict
        self.place = memory.place(conflict.cell)
        index, lane = divmod(conflict.id, WARP_LANES)
        self.component = int(access.events.components[index, lane])
        self.number = int(access.events.numbers[index, lane])

    def drawn(self, report: Report, written: bool) -> TwoAccesses | None:
        """The two accesses, to be drawn; None unless different warps make them, and a step between
        them is missing. The second access writes, or only reads."""
        if report.missing is None or self.prior.who == self.source.who:
            return None
        place, _, _ = self.place.partition(" in ")
        is_near = self.prior.cta == self.source.cta
        first, second = (
            Side(
                each.who.partition(" of ")[0] if is_near else each.who,
                each.op.name,
                line_number(each.op),
                f"{'writes' if writes else 'reads'} {place}",
            )
            for each, writes in ((self.prior, self.conflict.written), (self.source, written))
        )
        here = f" in shared memory of {self.prior.cta}"
        missing = Missing(*(each.replace(here, "") for each in report.missing))
        return TwoAccesses(first, second, missing)

    def report(self) -> Report:
        """The report of the conflict."""
        source, prior, rule = self.source, self.prior, self.conflict.rule
        does = "writes" if self.conflict.written else "reads"
        if prior.issued is not None and prior.issued is source.issued:
            done = "written" if self.conflict.written else "read"
            help = "use different cells for the operands and the result"
            return Report(source.op, f"{self.place} is {done} by the operation itself, too", help)
        if prior.issue is not None and self._at_once(prior.issue):
            found = f"{prior.issue.lanes} lanes of {prior.who} each execute it"
            help = "let one thread execute it, such as the one that elect.sync chooses"
            return Report(source.op, f"{found}, and each {does} {self.place}", help)
        if rule in (TENSOR_ORDER, BEFORE_FENCE, AFTER_FENCE):
            return self._without_fences()
        if rule is PROXY:
            help = f"execute fence.proxy.async in {prior.who} after the write"
            found = f"{self._before}, and no fence.proxy.async is in between"
            help = f"{help}, before the threads synchronise"
            return Report(source.op, found, help, Missing("fence.proxy.async"))
        if rule in _CLAUSES:
            return Report(source.op, f"{self._before}, and {_CLAUSES[rule]}")
        if prior.issue is None:
            return self._unsynchronised()
        return self._incomplete(prior.issue)

    @property
    def _before(self) -> str:
        """Text: the earlier access."""
        done = "written" if self.conflict.written else "read"
        return f"{self.place} was {done} by {self.prior}"

    def _at_once(self, issue: Issue) -> bool:
        """Whether several lanes of a warp issue the two at once."""
        prior, source = self.prior, self.source
        same = (prior.op, prior.who, prior.clocks) == (source.op, source.who, source.clocks)
        if not same or issue.lanes == 1 or issue.row in self.access.rows:
            return False
        # A lane that has issued the operation only has arrived at most once since.
        return prior.clocks.number(issue.row) <= issue.number + 1

    def _knows(self, *clocks: Clock) -> bool:
        """Whether the clocks tell of the earlier access, or of its issue if it can be pipelined."""
        known, issued = self.access.known(*clocks), self.prior.issued
        if known[self.component] >= self.number:
            return True
        return issued is not None and bool(known[issued.order] >= issued.number)

    def _without_fences(self) -> Report:
        """The report of one or two tcgen05 fences that are missing."""
        before, after = _FENCES
        steps = Missing(before, after)
        if self._knows(Clock.TENSOR):
            missing, help = after, f"execute {after} in {self.source.who} after the wait"
            steps = Missing(second=after)
        elif self._knows(Clock.AFTER_TOLD):
            missing, steps = before, Missing(before)
            help = f"execute {before} in {self.prior.who} before the threads synchronise"
        else:
            missing, help = " and ".join(_FENCES), TENSOR_ORDER.fix
        if self.conflict.rule is TENSOR_ORDER:
            verb = "are" if missing not in _FENCES else "is"
            found = f"{self._before}, and no {missing} {verb} in between"
            if self.prior.rank != self.source.rank:
                found += ", or the synchronisation has the scope of one CTA"
            return Report(self.source.op, found, help, steps)
        found = f"{self._before}, and the manual asks for {missing} in between"
        return Report(self.source.op, found, help)

    def _met(self, row: int, number: int) -> str:
        """Text: how long the threads have not synchronised, empty if they have since the number."""
        if self.prior.clocks is not self.source.clocks:
            return "they belong to different clusters, and nothing orders the two"
        told = int(self.access.known(Clock.SEEN, Clock.TOLD)[row])
        if told >= number:
            return ""
        return f"{self._names} have {'not synchronised since' if told else 'never synchronised'}"

    @property
    def _names(self) -> str:
        """Text: the threads of the two."""
        who = self.prior.who, self.source.who
        return f"lanes of {who[0]}" if who[0] == who[1] else " and ".join(who)

    def _barrier(self) -> str:
        """A barrier for the threads of the two."""
        if self.prior.rank != self.source.rank:
            return "barrier.cluster"
        return "bar.warp.sync" if self.prior.who == self.source.who else "bar.sync"

    @property
    def _help(self) -> str:
        return f"put a barrier between the two, such as {self._barrier()}"

    def _both(self, when: str = "") -> Missing:
        """A missing barrier."""
        return Missing(both=f"{self._barrier()}{when}")

    def _unsynchronised(self) -> Report:
        """The report of an access of a thread that is not ordered before another thread."""
        met = self._met(self.component, self.number)
        if not met or self.access.is_only_told(self.conflict.id):
            return self._weaker(self.component)
        if self.prior.clocks is not self.source.clocks:
            return Report(self.source.op, f"{self._before}, and {met}", _APART)
        return Report(self.source.op, f"{self._before}, and {met}", self._help, self._both())

    def _weaker(self, row: int) -> Report:
        """The report of operations that synchronise the two, but order no accesses; `row` is the
        thread of the earlier access."""
        source, clocks = self.source, self.source.clocks
        far = self.prior.rank != source.rank
        passed = clocks.passed(self.component, self.number)
        if not passed:
            met = f"{self._names} have since met only {_UNORDERED}"
            more = ", or bar.sync if more warps take part" * (self.prior.who == source.who)
            return Report(source.op, f"{self._before}, and {met}", self._help + more, self._both())
        # The release by the thread of the earlier access, and the acquisition by this one.
        between = (each for each in passed if each.far == far and self._is_between(each, row))
        last = {each.acquires: each for each in between}
        if not last:
            return Report(source.op, f"{self._before}, and {_WEAKER}", _STRENGTHEN)
        weak = [(each, each.far and scope_of(each.op) == CTA_SCOPE) for each in last.values()]
        said = " and ".join(
            f"{_named(each.op)} {_weakness(each.op, narrow)}" for each, narrow in weak
        )
        fixes = dict.fromkeys(
            widened(each.op)
            if narrow
            else "let these threads arrive at the barrier before they end"
            if isinstance(each.op, _ENDS)
            else f"let {_named(each.op)} {'acquire' if each.acquires else 'release'}"
            for each, narrow in weak
        )
        found = f"{self._before}, and their synchronisation orders no accesses: {said}"
        return Report(source.op, found, ", and ".join(fixes), Missing(both=", ".join(fixes)))

    def _is_between(self, passed: Passed, row: int) -> bool:
        """Whether the thread `row` of the earlier access released, or a thread of this access
        acquired."""
        return passed.is_by(self.access.rows if passed.acquires else np.array([row]))

    def _incomplete(self, issue: Issue) -> Report:
        """The report of an asynchronous operation that may still run."""
        source, prior = self.source, self.prior
        if self.access.is_only_told(self.conflict.id):
            return self._weaker(issue.row)
        met = self._met(issue.row, issue.number)
        if prior.clocks is not source.clocks:
            return Report(source.op, f"{self._before}, and {met}", _APART)
        if missed := self._missed_phase(issue):
            found = f"{self._before}; {missed} ended before that operation was complete"
            _, component, _ = self._completes_in(issue)
            last = int(self.access.known(Clock.SEEN, Clock.TOLD)[component]) - 1
            if account := self._phases(component).account(last):
                found += f", after {account}"
            help = f"let {missed} expect the bytes of all its copies, and the arrivals of commits"
            return Report(source.op, found, help)
        waited = prior.clocks.most(Clock.SEEN, np.arange(prior.clocks.threads))
        if waited[self.component] >= self.number:
            found = f"{self._before}; the wait for it is not ordered before this"
            help = "put a barrier between the wait and this operation"
            found = f"{found}: {met}" if met else found
            return Report(source.op, found, help, self._both(" after the wait"))
        if waited := self._waited_in_vain(issue):
            return waited
        told = self.access.known(Clock.SEEN, Clock.TOLD)
        if left := left_pending(prior, self.component, self.number, told):
            clause, help = left
            missing = Missing(second=help.replace("write", "wait with"))
            return Report(source.op, f"{self._before}; {clause}", help, missing)
        if met and prior.who != source.who and (wait := wait_behind(prior.op, issue.completion)):
            help = f"put a barrier, such as {self._barrier()}, between {issue.completion.step}, "
            help += f"{place_of(wait)}, and this operation"
            missing = self._both(f" after {place_of(wait)}")
            return Report(source.op, f"{self._before}, and {met}", help, missing)
        step, fix = issue.completion.step, issue.completion.fix
        if issue.completion is COMMITTED and (barrier := _barrier_of(prior)):
            step, fix = f"wait for {barrier}", f"wait for {barrier}, which the commit completes"
        if issue.completion is WRITTEN and source.issue and source.issue.completion is WRITTEN:
            fix = f"let the two copies write different places, or {fix}"
        if issue.completion not in (LOADED, STORED):
            together = f"; {met}" if met else ""
            found = f"{self._before}, and no {step} is in between{together}"
            return Report(source.op, found, fix, Missing(second=step))
        # Both are of whole warps.
        if met and prior.who != source.who:
            help = f"execute {step} in {prior.who}, and put a barrier between the two"
            missing = Missing(step, both=self._barrier())
            return Report(source.op, f"{self._before}, and {met}", help, missing)
        found = f"missing {step} before {source}; both access {self.place}"
        return Report(prior.op, found, fix)

    def _missed_phase(self, issue: Issue) -> str:
        """Text: the phase of a barrier object that ended without an earlier operation, if the
        current access comes after the end of this phase; else empty."""
        barrier, component, phase = self._completes_in(issue)
        told = self.access.known(Clock.SEEN, Clock.TOLD)
        if barrier and phase < told[component] and told[self.component] < self.number:
            return f"phase {told[component] - 1} of {barrier}"
        return ""

    def _completes_in(self, issue: Issue) -> tuple[str, int, int]:
        """The barrier object that an earlier operation completes, the component that counts its
        phases, and the phase; the name is empty if nothing tracks the operation."""
        if self.prior.issued is not None and (commit := self.prior.issued.commit) is not None:
            return commit[1:]
        return issue.completion.barrier, self.component, issue.completion.phase

    def _phases(self, component: int) -> Phases:
        """The phases that a component counts."""
        phases = self.prior.clocks.key(component)
        assert isinstance(phases, Phases)
        return phases

    def _waited_in_vain(self, issue: Issue) -> Report | None:
        """The report of a wait that ended at once, with the phase before that of an earlier
        operation."""
        barrier, component, phase = self._completes_in(issue)
        if not barrier:
            return None
        told = self.source.clocks.told(self.access.rows)
        waiter = self._phases(component).in_vain(phase, told, issue.row, issue.number)
        if waiter is None:
            return None
        asked = "" if waiter.parity is None else f" for parity {waiter.parity}"
        found = (
            f"{self._before}; the wait{asked} at {waiter.place} ended at once with "
            f"{phase_name(phase - 1)} of {barrier}, and that operation completes in phase {phase}"
        )
        help = f"wait for the end of phase {phase}"
        if waiter.parity is not None:
            help = f"at {waiter.place}, wait for parity {phase % 2}, which is that of phase {phase}"
        missing = Missing(second=f"wait for phase {phase} at {waiter.place}")
        return Report(self.source.op, found, help, missing)


def left_pending(copy: Source, component: int, number: int, told: Known) -> tuple[str, str] | None:
    """A clause about the last wait for groups that leaves an earlier copy pending, and help; None
    if there was no wait after the commit of the copy, or the clock `told` does not contain it."""
    assert copy.issue is not None
    for wait in reversed(copy.clocks.group_waits(component)):
        if wait.number > told[copy.issue.row] or (most := wait.behind(number)) is None:
            continue
        name, place = wait.op.name, place_of(wait.op)
        if copy.issue.completion not in completed_by(wait.op):
            found = f"{name}, {place}, only waits until the copy has read its source"
            return found, f"at {place}, wait without .read"
        groups = f"{wait.pending} {plural('group', wait.pending)}"
        found = f"{name}, {place}, leaves {groups} pending, and the copy is among them"
        return found, f"at {place}, write {most} instead of {wait.pending}"
    return None


def wait_behind(copy: Operation, completion: Completion) -> Operation | None:
    """The operation of the same block that waits for a copy; None if another one, or
    none, waits for it."""
    committed = False
    op = unguarded(copy)
    while (following := op.next_op) is not None:
        op = following
        committed |= completion in effects_of(type(op)).tracks
        if completion in completed_by(op):
            pending = op.properties.get("pending")
            if pending is None or (
                committed and isinstance(pending, IntegerAttr) and not pending.value.data
            ):
                return op
    return None


def _barrier_of(source: Source) -> str:
    """Name of the barrier object that a commit of a tensor core operation completes, or empty."""
    commit = None if source.issued is None else source.issued.commit
    return "" if commit is None else commit.barrier


def _named(op: Operation) -> str:
    return f"{op.name}, {place_of(op)},"


def widened(wait: Operation) -> str:
    """Help: the scope that a wait needs."""
    return f"give {_named(wait)} the scope of the cluster"


def _weakness(op: Operation, narrow: bool) -> str:
    """Text: why an operation that passes an event on orders no accesses."""
    if isinstance(op, _ENDS):
        return "ends threads, so the barrier does not wait for them"
    return "has the scope of one CTA" if narrow else "is relaxed"

"""Race detector: checks each memory access, when it is issued, against earlier accesses."""

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, ClassVar, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
from xdsl.ir import Operation

from ...isa.effects.model import Actor, Completion
from ...isa.model.rule import Rule, Violation
from ...isa.practice import (
    COLLECTIVE,
    LIFETIME,
    PEER_USES,
    PROXY,
    RACE,
    SAME_VALUE,
    TENSOR_ORDER,
    by_habit,
    without_compilers,
)
from ...isa.tensor_memory.alloc import WARP_LANES
from ...ptx.effects import effects_of, is_strong_access
from ...ptx.kernel import is_read
from ...reporting.diagnostics import OperationError, located
from ..machine.errors import fault, line_key, place_of
from ..machine.state import Cta, Warp
from ..machine.tensor_core import Issued
from ..machine.tensor_memory import Shadowed
from ..numbers.floats import every
from .clocks import Clock, Clocks, Rows
from .events import PENDING, Access, Events, Issue, Source
from .report import TwoAccesses, left_pending, report_of, widened
from .shadow import Conflict, Shadow, Unchanged, Where


class Touched(NamedTuple):
    """Cells that one operation reads or writes."""

    memory: Shadowed
    where: Where
    written: bool
    role: str = ""
    """Role of the matrix in tensor memory, if an `mma` reads it; see `Operand`."""
    updated: bool = False
    """Whether a written matrix is also read."""
    operand: str = ""
    """Name of the operand, if an `mma` reads it in shared memory; `d` for an accumulator."""
    help: str = ""
    """What to do if nothing has written the cells that are read; empty for the usual help."""

    @property
    def is_read(self) -> bool:
        return self.updated or not self.written


_UNORDERED = RACE, PROXY, TENSOR_ORDER
_MOST_REPEATED = 1000
"""Limit on the errors of a run that are left out."""
_NO_IDS = np.zeros(0, np.int32)
_Latest: TypeAlias = dict[tuple[Operation, Warp], tuple[Access, npt.NDArray[np.int32]]]
"""Last access of each instruction and warp, with the components of its threads."""


@dataclass(eq=False)
class Judge:
    """
    Records accesses, and reports each access that conflicts with an earlier one and is not ordered
    after it. A subclass whose `see` records accesses is a recorder.
    """

    checks: ClassVar[bool] = True
    """Whether to check accesses; a recorder need not."""
    events: Events = field(default_factory=Events)
    goes_on: bool = False
    """Whether to record unordered accesses, so that the run continues: without data, it goes the
    same way."""
    errors: list[OperationError] = field(default_factory=list[OperationError])
    """The recorded errors, at most one for each operation."""
    shared: set[Operation] = field(default_factory=set[Operation])
    """Stores of the same value to one place by several threads."""
    _repeated: int = 0
    """The number of errors about operations that an earlier error names."""
    _latest: dict[Clocks, _Latest] = field(default_factory=dict[Clocks, _Latest])
    """Last accesses of the threads of each running cluster."""
    _warnings: dict[tuple[str, Hashable], OperationError] = field(
        default_factory=dict[tuple[str, Hashable], OperationError]
    )

    def see(
        self, source: Source, memory: Shadowed, where: Where, written: bool, operand: str = ""
    ) -> None:
        """Receive an access before its check; `operand` is the operand that an `mma` reads."""

    @property
    def warnings(self) -> Iterable[OperationError]:
        """The warnings of the run so far, the first of each rule and line."""
        return self._warnings.values()

    def report(
        self,
        op: Operation,
        rule: Rule,
        sentence: str,
        help: str = "",
        related: Operation | None = None,
        conflict: TwoAccesses | None = None,
        **facts: object,
    ) -> None:
        """Raise OperationError for a broken rule, or record it; see `goes_on`. Record a warning, as
        the facts about it may make it; see `by_habit`."""
        if not self.checks:
            return
        rule = by_habit(rule, is_read(op), **facts)
        error = fault(op, rule, sentence, help, related)
        error.conflict = conflict and conflict.drawing
        if rule is SAME_VALUE:
            self.shared |= {op, related or op}
        if rule.severity != "error":
            if not self.follows(error):
                self._record(error)
        elif self.goes_on and rule in _UNORDERED and self._repeated < _MOST_REPEATED:
            self._record_error(error)
        else:
            raise error

    def _record_error(self, error: OperationError) -> None:
        if self.follows(error):
            self._repeated += 1
        else:
            self.errors.append(error)

    def follows(self, error: OperationError) -> bool:
        """Whether an operation of an error or a warning is in an earlier error."""
        wrong = {op for each in self.errors for op in (each.operation, each.related)} - {None}
        return error.operation in wrong or error.related in wrong

    def warn(self, op: Operation, violation: Violation) -> None:
        """Record the warning of a violation."""
        self._record(located(op, violation))

    def _record(self, error: OperationError) -> None:
        op, violation = error.operation, error.__cause__
        assert isinstance(violation, Violation)
        key = violation.rule.id, line_key(op)
        if key not in self._warnings and not is_read(op):
            # What compilers do is no advice for those who write IR.
            error = located(op, without_compilers(violation), error.related)
        self._warnings.setdefault(key, error)

    def threads(
        self,
        op: Operation,
        warp: Warp,
        memory: Shadowed,
        lanes: Any,
        where: Where,
        written: bool,
        unchanged: Unchanged | None = None,
    ) -> None:
        """Check an access of threads; the cells have axes (lane, cell)."""
        self.lanewise(self._of_threads(op, warp), memory, lanes, where, written, unchanged)

    def lanewise(
        self,
        access: Access,
        memory: Shadowed,
        lanes: Any,
        where: Where,
        written: bool,
        unchanged: Unchanged | None = None,
    ) -> None:
        """Check an access with an id for each lane; the cells have axes (lane, cell)."""
        rows, ids = access.rows[lanes][:, None], (access.first + lanes)[:, None]
        if not self._is_checked(access, memory, rows[:, 0], where, written):
            return
        if written:
            conflicts = memory.shadow.write(access, where, ids, rows, unchanged)
        else:
            first = access.source.clocks.index, int(access.rows[0])
            cells: Any = where.index if where.rows is None else where.rows[0][:, None]
            starts = cells[:, 0].tobytes(), cells.shape[1] if where.rows is None else where.rows[1]
            key = access.source.op, first, lanes.tobytes(), starts
            conflicts = memory.shadow.read(access, where, key, ids, rows)
        self._check(access, memory, conflicts, written)

    def stores_at_once(
        self, ops: Sequence[Operation], warp: Warp, memory: Shadowed, by: Any, where: Where
    ) -> bool:
        """
        Record stores of threads by several equal instructions, if these stores are ordered after
        all earlier accesses; else return False, and record nothing. No two stores have a cell in
        common; the axes of the cells are (store, cell). `by` are the position of the instruction
        and the lane of each store.
        """
        rows, threads = warp.rows, memory.threads
        is_here = threads is None or threads[0] <= rows[0] <= threads[-1]
        if self.checks and not is_here:
            return False
        numbers = warp.cta.cluster.clocks.numbers(rows)
        accesses = [self._of_threads(op, warp, numbers) for op in ops]
        at, lanes = by
        ends = at.searchsorted(range(len(ops) + 1)).tolist()
        for access, (first, end) in zip(accesses, pairwise(ends), strict=True):
            self.see(access.source, memory, where.part(first, end), True)
        if not self.checks:
            return True
        ids = np.array([access.first for access in accesses])[at] + lanes
        return memory.shadow.write_ordered(accesses[0], where, ids[:, None], rows[lanes][:, None])

    def copies(
        self, op: Operation, warp: Warp, components: Rows, numbers: Any, completion: Completion
    ) -> Access:
        """Access of copies that the lanes of a warp start, each counted by its own component."""
        cta, row = warp.cta, int(warp.rows[numbers.nonzero()[0][0]])
        clocks, actor = cta.cluster.clocks, effects_of(type(op)).actor
        issue = Issue(row, clocks.number(row), completion, 1)
        source = Source(op, warp.name, actor, clocks, cta.rank, False, issue)
        first = self.events.add(source, components, numbers)
        return Access(self.events, source, warp.rows, first)

    def _of_threads(
        self, op: Operation, warp: Warp, numbers: npt.NDArray[np.int32] | None = None
    ) -> Access:
        """Access of a warp; an earlier identical one is reused until its threads synchronise.
        `numbers` are their own components, if they are known."""
        clocks, rows = warp.cta.cluster.clocks, warp.rows
        numbers = clocks.numbers(rows) if numbers is None else numbers
        latest = self._latest.setdefault(clocks, {})
        known = latest.get((op, warp))
        if known is not None and every(known[1] == numbers):
            return known[0]
        strong = is_strong_access(op)
        source = Source(op, warp.name, Actor.THREAD, clocks, warp.cta.rank, strong)
        access = Access(self.events, source, rows, self.events.add(source, rows, numbers))
        latest[op, warp] = access, numbers
        return access

    def operation(
        self,
        op: Operation,
        warp: Warp,
        rows: Rows,
        component: int,
        number: int = PENDING,
        completion: Completion | None = None,
        lanes: int = 1,
        issued: Issued | None = None,
        role: str = "",
    ) -> Access:
        """
        Access of an operation that threads issue, counted by a component. `completion` is that of
        an asynchronous one, `lanes` the lanes that each issue the same at once.
        """
        cta, row, issue = warp.cta, int(rows[0]), None
        clocks = cta.cluster.clocks
        if completion is not None:
            issue = Issue(row, clocks.number(row), completion, lanes)
        actor, strong = effects_of(type(op)).actor, is_strong_access(op)
        source = Source(op, warp.name, actor, clocks, cta.rank, strong, issue, issued, role)
        return Access(self.events, source, rows, self.events.add(source, component, number))

    def read(
        self, access: Access, memory: Shadowed, where: Where, key: Hashable, operand: str = ""
    ) -> None:
        """Check a read by an operation, of one of its operands in shared memory if given. Reads
        with equal keys have equal cells."""
        if self._is_checked(access, memory, access.rows, where, False, operand):
            self._check(access, memory, self._read(access, memory, where, key), False)

    def use(self, access: Access, memory: Shadowed, where: Where, key: Hashable) -> None:
        """Record a read of a tensor map; a fence of its own orders it after earlier writes."""
        if self.checks:
            self._read(access, memory, where, key)

    def _read(
        self, access: Access, memory: Shadowed, where: Where, key: Hashable
    ) -> Iterable[Conflict]:
        component = int(self.events.components[access.first // WARP_LANES, 0])
        whole_key = access.source.clocks.index, component, key
        return memory.shadow.read(access, where, whole_key, access.first)

    def write(self, access: Access, memory: Shadowed, where: Where, updated: bool = False) -> None:
        """Check a write by an operation; `updated` tells whether it also reads what it writes."""
        if self._is_checked(access, memory, access.rows, where, True):
            conflicts = memory.shadow.write(access, where, access.first)
            self._check(access, memory, conflicts, True)

    def free(self, access: Access, memory: Shadowed, where: Where, before: Shadow) -> None:
        """
        Check that a deallocation in one CTA of a pair follows the accesses in the other CTA, and
        record it in `before`, the accesses of the other CTA. A load or store by its warps causes
        only a warning.
        """
        for conflict in before.write(access, where, access.first) if self.checks else ():
            prior = self.events.source(conflict.id)
            report = report_of(access, memory, conflict, True)
            if conflict.rule.severity == "warning":
                self.report(report.op, conflict.rule, report.sentence, report.help, report.related)
            elif prior.actor is Actor.WARP:
                self.report(report.op, PEER_USES, report.sentence, "", report.related)
            else:
                self.report(report.op, COLLECTIVE, report.sentence, report.help, report.related)

    def end(self, op: Operation, cta: Cta) -> None:
        """Check the end of a CTA. Raises OperationError if its shared memory is in use."""
        if not self.checks:
            return
        clocks, rows, shared = cta.cluster.clocks, cta.rows, cta.shared
        known, events = clocks.reached(rows, Clock.SEEN, Clock.COMPLETE), self.events
        whole = Where.span(0, shared.bytes.size)
        accesses = [*shared.shadow.accesses(whole)]
        ids = np.concatenate([_NO_IDS, *(each for each, _ in accesses)])
        writes = np.concatenate([_NO_IDS, *(each for each, is_write in accesses if is_write)])
        told = clocks.reached(rows, Clock.SEEN, Clock.TOLD)

        def narrow(component: int, number: int) -> Operation | None:
            return clocks.narrow_wait(component, number) if told[component] >= number else None

        for id_ in ids[(ids != 0) & ~events.are_in(known, ids)].tolist():
            source, place = events.source(id_), divmod(id_, WARP_LANES)
            component, number = int(events.components[place]), int(events.numbers[place])
            is_own = source.actor is Actor.THREAD and component in rows
            if not is_own and not (source.issued and source.issued.is_done(known)):
                found = f"{cta.name} ends while {source} may still use its shared memory"
                help = source.issue.completion.fix if source.issue else ""
                if source.issue and (left := left_pending(source, component, number, told)):
                    found, help = f"{found}; {left[0]}", left[1]
                wait = narrow(component, number)
                self.report(
                    op,
                    LIFETIME,
                    found,
                    widened(wait) if wait else help,
                    source.op,
                    bulk_store=source.actor is Actor.TMA and id_ not in writes,
                    awaited_in_cta_scope=wait is not None,
                )
        for barrier in cta.mbarriers.values():
            if pending := barrier.remote_uses(known):
                *_, user = pending[0]
                by = f"{user.name} of another CTA, {place_of(user)},"
                found = f"{cta.name} ends while {by} may still use {barrier.name}"
                waits = [narrow(*each) for *each, _ in pending]
                help, is_narrow = widened(waits[0]) if waits[0] else "", all(waits)
                self.report(op, LIFETIME, found, help, user, awaited_in_cta_scope=is_narrow)

    def forget(self, clocks: Clocks) -> None:
        """
        Free the clocks of a cluster that has ended; conflicts with other clusters do not need them.
        """
        self._latest.pop(clocks, None)
        clocks.forget()

    def _is_checked(
        self,
        access: Access,
        memory: Shadowed,
        rows: Rows,
        where: Where,
        written: bool,
        operand: str = "",
    ) -> bool:
        """Pass an access to `see`, and tell whether to check it. Raises OperationError if it is to
        the shared memory of a CTA, and the threads do not know that this CTA runs."""
        threads, source = memory.threads, access.source
        self.see(source, memory, where, written, operand)
        if not self.checks or threads is None or threads[0] <= rows[0] <= threads[-1]:
            return self.checks
        if not every(source.clocks.know_of(rows, threads)):
            place = memory.place(int(memory.shadow.cells(where).flat[0]))
            found = f"{source.who} may access {place} before that CTA runs"
            raise fault(source.op, LIFETIME, found, _START)
        return True

    def _check(
        self, access: Access, memory: Shadowed, conflicts: Iterable[Conflict], written: bool
    ) -> None:
        for conflict in conflicts:
            rule = conflict.rule
            if rule.severity == "error" or not self._is_known(access.source.op, rule):
                report = report_of(access, memory, conflict, written)
                two = report.conflict if rule.severity == "error" else None
                self.report(report.op, rule, report.sentence, report.help, report.related, two)

    def _is_known(self, op: Operation, rule: Rule) -> bool:
        """Whether a warning has been recorded for the line of an operation."""
        return (rule.id, line_key(op)) in self._warnings


_START = "execute a cluster barrier before the access"

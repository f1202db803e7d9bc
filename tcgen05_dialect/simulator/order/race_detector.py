"""Race detector: checks each memory access, when it is issued, against earlier accesses."""

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt
from xdsl.ir import Operation

from ...isa.mma.pipeline import OVERWRITTEN_A, OVERWRITTEN_SCALE
from ...isa.model.rule import Rule
from ...isa.practice import (
    AFTER_FENCE,
    BEFORE_FENCE,
    OVERWRITE_FENCE,
    SAME_VALUE,
)
from ...isa.simulation import COLLECTIVE, LIFETIME, PROXY, RACE, TENSOR_ORDER
from ...isa.tensor_memory.cells import WARP_LANES
from ...reporting.operation_error import OperationError
from ..machine.errors import fault, line_of
from ..machine.state import Cta, Warp
from ..machine.tensor_core import Issued
from ..numbers.lanes import every
from .clocks import Clock, Clocks, Rows
from .events import PENDING, THREADS, Access, Actor, Events, Source
from .shadow import Conflict, Shadow, Unchanged, Where


class Shadowed(Protocol):
    """Memory with a record of the accesses to it."""

    name: str
    shadow: Shadow

    def place(self, cell: int) -> str:
        """Name of a cell in messages."""
        ...


class Touched(NamedTuple):
    """Cells that one operation reads or writes."""

    memory: Shadowed
    where: Where
    written: bool
    role: str = ""
    """Role of the matrix in tensor memory, if an `mma` reads it; see `Operand`."""


_Latest: TypeAlias = dict[tuple[Operation, Warp], tuple[Access, npt.NDArray[np.int32]]]
"""Last access of each instruction and warp, with the components of its threads."""


_UNORDERED = "the manual does not order the two without a commit and a wait in between"
_MISSING = {
    RACE: "nothing orders the two",
    PROXY: "no fence.proxy.async is in between",
    TENSOR_ORDER: "the pair of tcgen05.fence in between is missing",
    BEFORE_FENCE: "the manual asks for tcgen05.fence::before_thread_sync in between",
    OVERWRITE_FENCE: "the manual asks for fence.proxy.async in between",
    SAME_VALUE: "nothing orders the two, which write the same value",
    OVERWRITTEN_A: _UNORDERED,
    OVERWRITTEN_SCALE: _UNORDERED,
    AFTER_FENCE: "the manual asks for tcgen05.fence::after_thread_sync in between",
}
"""Broken rule -> clause that names the missing synchronisation."""
_WEAKER = "what synchronises the two orders no accesses: it is relaxed, or its scope is too narrow"
_STRENGTHEN = "let it release and acquire, with a scope that includes both threads"


@dataclass(eq=False)
class Judge:
    """
    Records accesses, and reports each access that conflicts with an earlier one and is not ordered
    after it.
    """

    events: Events = field(default_factory=Events)
    _latest: dict[Clocks, _Latest] = field(default_factory=dict[Clocks, _Latest])
    """Last accesses of the threads of each running cluster."""
    _warnings: dict[tuple[str, Hashable], OperationError] = field(
        default_factory=dict[tuple[str, Hashable], OperationError]
    )

    @property
    def warnings(self) -> Iterable[OperationError]:
        """The warnings of the run so far, the first of each rule and line."""
        return self._warnings.values()

    def report(self, op: Operation, rule: Rule, sentence: str, help: str = "") -> None:
        """Raise OperationError for a broken rule; record a warning, so that the run continues."""
        error = fault(op, rule, sentence, help)
        if rule.severity == "error":
            raise error
        self._warnings.setdefault((rule.id, line_of(op)), error)

    def threads(
        self,
        op: Operation,
        warp: Warp,
        memory: Shadowed,
        lanes: Any,
        cells: Any,
        written: bool,
        unchanged: Unchanged | None = None,
    ) -> None:
        """Check an access of threads to lanes x cells."""
        access = self._of_threads(op, warp)
        rows, ids = access.rows[lanes][:, None], (access.first + lanes)[:, None]
        where = Where.at(cells)
        if written:
            conflicts = memory.shadow.write(access, where, ids, rows, unchanged)
        else:
            first = access.source.clocks.index, int(access.rows[0])
            key = op, first, lanes.tobytes(), cells[:, 0].tobytes()
            conflicts = memory.shadow.read(access, where, key, ids, rows)
        self._check(op, access, memory, conflicts)

    def _of_threads(self, op: Operation, warp: Warp) -> Access:
        """Access of a warp; an earlier identical one is reused until its threads synchronise."""
        clocks, rows = warp.cta.cluster.clocks, warp.rows
        numbers = clocks.table[Clock.SEEN, rows, rows]
        latest = self._latest.setdefault(clocks, {})
        known = latest.get((op, warp))
        if known is not None and every(known[1] == numbers):
            return known[0]
        semantics: Any = op.properties.get("semantics")
        is_weak = semantics is None or semantics.data == "weak"
        actor = Actor.GENERIC if is_weak else Actor.STRONG
        source = Source(op, warp.name, actor, clocks, warp.cta.rank)
        access = Access(self.events, source, rows, self.events.add(source, rows, numbers))
        latest[op, warp] = access, numbers
        return access

    def operation(
        self,
        op: Operation,
        warp: Warp,
        rows: Rows,
        actor: Actor,
        component: int,
        number: int = PENDING,
        issued: Issued | None = None,
        role: str = "",
    ) -> Access:
        """Access of an operation that threads issue, counted by a component."""
        cta = warp.cta
        source = Source(op, warp.name, actor, cta.cluster.clocks, cta.rank, issued, role)
        return Access(self.events, source, rows, self.events.add(source, component, number))

    def read(self, access: Access, memory: Shadowed, where: Where, key: Hashable) -> None:
        """Check a read by an operation. Reads with equal keys have equal cells."""
        component = int(self.events.components[access.first // WARP_LANES, 0])
        whole_key = access.source.clocks.index, component, key
        conflicts = memory.shadow.read(access, where, whole_key, access.first)
        self._check(access.source.op, access, memory, conflicts)

    def write(self, access: Access, memory: Shadowed, where: Where) -> None:
        """Check a write by an operation."""
        conflicts = memory.shadow.write(access, where, access.first)
        self._check(access.source.op, access, memory, conflicts)

    def free(self, access: Access, memory: Shadowed, where: Where, before: Shadow) -> None:
        """Check that a deallocation in one CTA of a pair follows the accesses in the other, whose
        record `before` changes."""
        for conflict in before.write(access, where, access.first):
            found = f"{self._done(memory, conflict)}, and {_MISSING[conflict.rule]}"
            raise fault(access.source.op, COLLECTIVE, found)

    def end(self, op: Operation, cta: Cta) -> None:
        """Check the end of a CTA. Raises OperationError if its shared memory is in use."""
        clocks, rows, shared = cta.cluster.clocks, cta.rows, cta.shared
        known = clocks.table[[Clock.SEEN, Clock.AFTER]][:, rows].max(axis=(0, 1))
        events = self.events
        for ids, _ in shared.shadow.accesses(Where.span(0, shared.bytes.size)):
            for id_ in ids[ids != 0].tolist():
                source, (index, lane) = events.source(id_), divmod(id_, WARP_LANES)
                component = int(events.components[index, lane])
                if (source.actor in THREADS and component in rows) or (
                    source.issued and source.issued.is_done(known)
                ):
                    continue
                if known[component] < events.numbers[index, lane]:
                    found = f"{cta.name} ends while {source} may still use its shared memory"
                    raise fault(op, LIFETIME, found)
        for barrier in cta.mbarriers.values():
            if barrier.in_use(known, remote=True):
                found = f"{cta.name} ends while other CTAs may still use {barrier.name}"
                raise fault(op, LIFETIME, found)

    def forget(self, clocks: Clocks) -> None:
        """
        Free the clocks of a cluster that has ended; conflicts with other clusters do not need them.
        """
        self._latest.pop(clocks, None)
        clocks.forget()

    def _check(
        self, op: Operation, access: Access, memory: Shadowed, conflicts: Iterable[Conflict]
    ) -> None:
        for conflict in conflicts:
            prior = self.events.source(conflict.id)
            if prior.issued is not None and prior.issued is access.source.issued:
                done = "written" if conflict.written else "read"
                found = f"{memory.place(conflict.cell)} is {done} by the operation itself"
                raise fault(op, RACE, found, "use different cells for the operands and the result")
            done, help = self._done(memory, conflict), ""
            missing = _MISSING[conflict.rule]
            if conflict.rule is RACE and access.is_only_told(conflict.id):
                missing, help = _WEAKER, _STRENGTHEN
            if conflict.rule is TENSOR_ORDER and prior.rank != access.source.rank:
                missing += ", or the synchronisation has the scope of one CTA"
            self.report(op, conflict.rule, f"{done}, and {missing}", help)

    def _done(self, memory: Shadowed, conflict: Conflict) -> str:
        """Text: the earlier access of a conflict."""
        done = "written" if conflict.written else "read"
        return f"{memory.place(conflict.cell)} was {done} by {self.events.source(conflict.id)}"

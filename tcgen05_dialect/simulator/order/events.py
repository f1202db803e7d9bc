"""Memory accesses, and the order that each requires of earlier accesses."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any, NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
from xdsl.ir import Operation

from ...isa.effects.model import (
    CLUSTER_SCOPES,
    CTA_SCOPE,
    LOADED,
    Actor,
    Completion,
    Proxy,
    StateSpace,
)
from ...isa.mma.products import Relied, relied_rule
from ...isa.model.rule import Rule
from ...isa.practice import PROXY, RACE, TENSOR_ORDER, by_habit
from ...isa.tensor_memory.alloc import WARP_LANES
from ...ptx.effects import effects_of, scope_of
from ...ptx.instructions import BarrierClusterArriveOp
from ...ptx.kernel import is_read
from ...ptx.tcgen05 import AllocOp, DeallocOp
from ..machine.errors import place_of
from ..machine.tensor_core import Issued
from ..numbers.floats import every, some
from .clocks import Clock, Clocks, Known, Rows

Ids: TypeAlias = npt.NDArray[np.int32]
"""Ids of accesses: WARP_LANES ids for each `Source`, one for each lane; 0 means none."""
PENDING = np.iinfo(np.int32).max
"""Event number that no clock reaches."""


_CLOCKS = {
    StateSpace.SHARED: Clock.ASYNC_SHARED,
    StateSpace.GLOBAL: Clock.ASYNC_GLOBAL,
    StateSpace.TENSOR: Clock.AFTER,
}
"""Clock that must contain earlier accesses before one that is not of the generic proxy."""


@cache
def _clock(op_type: type[Operation], space: StateSpace) -> Clock:
    """The clock that must contain earlier accesses before one in a state space."""
    proxy = effects_of(op_type).area(space).proxy
    return Clock.SEEN if proxy is Proxy.GENERIC else _CLOCKS[space]


class Issue(NamedTuple):
    """
    The issue of an asynchronous operation by a thread, whose own component has a number then.

    `lanes` counts the lanes of the warp that each issue the same at once.
    """

    row: int
    number: int
    completion: Completion
    lanes: int


@dataclass(eq=False, slots=True)
class Source:
    """Instruction of a thread or warp; one or several identical executions."""

    op: Operation
    who: str
    actor: Actor
    clocks: Clocks
    rank: int
    """Rank of its CTA in the cluster."""
    is_strong: bool = False
    """Whether it is an access with semantics."""
    issue: Issue | None = None
    """Its issue, if it is asynchronous."""
    issued: Issued | None = None
    """Its tensor core operation, for pipelines."""
    role: str = ""
    """Role of the matrix that it accesses, if it is an `mma`; see `Operand`."""

    def in_scope(self, other: "Source") -> bool:
        """Whether two accesses with semantics have each other's threads in scope."""
        scopes = [scope_of(each.op) for each in (self, other)]
        if self.clocks is not other.clocks:
            return not any(scope in CLUSTER_SCOPES for scope in scopes)
        return self.rank == other.rank or CTA_SCOPE not in scopes

    def clock(self, space: StateSpace) -> Clock:
        """The clock that must contain earlier accesses before this one in a state space."""
        if self.actor is Actor.THREAD:
            return Clock.SEEN
        return _clock(type(self.op), space)

    @property
    def cta(self) -> str:
        """Name of its CTA."""
        return self.who.partition(" of ")[2]

    def __str__(self) -> str:
        return f"{self.op.name} of {self.who}, {place_of(self.op)}"


@dataclass(eq=False)
class Events:
    """All accesses of a run, each with the component that counts it and its number there."""

    sources: list[Source | None] = field(default_factory=lambda: [None])
    clusters: npt.NDArray[np.int32] = field(default_factory=lambda: np.zeros(_FIRST, np.int32))
    components: npt.NDArray[np.int32] = field(
        default_factory=lambda: np.zeros((_FIRST, WARP_LANES), np.int32)
    )
    numbers: npt.NDArray[np.int32] = field(
        default_factory=lambda: np.zeros((_FIRST, WARP_LANES), np.int32)
    )

    def add(self, source: Source, components: npt.ArrayLike, numbers: npt.ArrayLike) -> int:
        """Add a source, counted by one component or one for each lane; return its first id."""
        index = len(self.sources)
        if index == len(self.components):
            for name in ("clusters", "components", "numbers"):
                old = getattr(self, name)
                setattr(self, name, np.concatenate((old, np.zeros_like(old))))
        self.sources.append(source)
        self.clusters[index] = source.clocks.index
        self.components[index] = components
        self.numbers[index] = numbers
        return index * WARP_LANES

    def complete(self, first: int, number: int) -> None:
        """Set the number of accesses that were PENDING."""
        self.numbers[first // WARP_LANES] = number

    def are_in(self, known: Known, ids: Ids) -> npt.NDArray[np.bool_]:
        """Which accesses of a cluster a clock of this cluster contains."""
        index, lane = np.divmod(ids, WARP_LANES)
        return known[self.components[index, lane]] >= self.numbers[index, lane]

    def source(self, id_: int) -> Source:
        """The source of an access."""
        source = self.sources[id_ // WARP_LANES]
        assert source is not None
        return source


_FIRST = 64


def distinct(ids: npt.NDArray[Any]) -> tuple[npt.NDArray[Any], npt.NDArray[np.intp]]:
    """The different ids of some cells in ascending order, and the first position of each."""
    # Neighbours usually have the same.
    runs = np.concatenate(([0], (ids[1:] != ids[:-1]).nonzero()[0] + 1))
    starts = ids[runs]
    order = starts.argsort(kind="stable")
    found = starts[order]
    # numpy.unique takes twice as long for so few, and imports masked arrays.
    is_new = np.concatenate((_TRUE, found[1:] != found[:-1]))
    return found[is_new], runs[order[is_new]]


_TRUE = np.ones(1, np.bool_)


@dataclass(eq=False)
class Access:
    """
    The current access, by the threads `rows`. `first` is its id, or the id of lane 0 if each lane
    has one.
    """

    events: Events
    source: Source
    rows: Rows
    first: int
    _known: dict[tuple[Clock, ...], Known] = field(default_factory=dict[tuple[Clock, ...], Known])

    def known(self, *clocks: Clock) -> Known:
        """Events that all threads of the access have in at least one of the clocks."""
        found = self._known.get(clocks)
        if found is None or found.size < self.source.clocks.width:
            found = self._known[clocks] = self.source.clocks.known(self.rows, *clocks)
        return found

    def is_only_told(self, id_: int) -> bool:
        """Whether threads of the access were told of an earlier one, but nothing orders it before
        any of them."""
        if self.source.clocks is not self.events.source(id_).clocks:
            return False
        component = self.events.components[id_ // WARP_LANES, id_ % WARP_LANES]
        number = self.events.numbers[id_ // WARP_LANES, id_ % WARP_LANES]
        of, clocks = np.full(len(self.rows), component), self.source.clocks
        seen, told = (clocks.at(clock, self.rows, of) for clock in (Clock.SEEN, Clock.TOLD))
        return some(told >= number) and every(seen < number)

    def unordered(
        self, prior: Ids, rows: Rows | None, space: StateSpace, written: bool
    ) -> Iterator[tuple[int, Rule]]:
        """
        Indices of accesses in `prior` that are not ordered before this one, with the rules that
        they break. For an operation, each prior access comes once.

        `rows` is the conflicting thread of this access for each prior one, or None for all threads.
        The accesses are in memory of `space`. `written`: the prior accesses are writes.
        """
        if rows is not None:
            yield from self._unordered_threads(prior, rows, space)
            return
        if prior.size == 1:
            if prior[0] and (rule := self.broken(int(prior[0]), space, written)):
                yield 0, rule
            return
        ids, first = distinct(prior)
        # Events in every clock need no further check.
        known = np.minimum(self.known(Clock.SEEN), self.known(self.source.clock(space)))
        index, lane = np.divmod(ids, WARP_LANES)
        mine = self.events.clusters[index] == self.source.clocks.index
        late = known[self.events.components[index, lane] * mine] < self.events.numbers[index, lane]
        for at in first[(ids != 0) & (late | ~mine)].tolist():
            rule = self.broken(int(prior[at]), space, written)
            if rule is not None:
                yield at, rule

    def _unordered_threads(
        self, prior: Ids, rows: Rows, space: StateSpace
    ) -> Iterator[tuple[int, Rule]]:
        events, clocks = self.events, self.source.clocks
        index, lane = prior // WARP_LANES, prior % WARP_LANES
        # `broken` looks at threads of different clusters.
        mine = events.clusters[index] == clocks.index
        components, numbers = events.components[index, lane] * mine, events.numbers[index, lane]
        # What all threads of the access know needs no further check.
        ordered = mine & (self.known(Clock.SEEN)[components] >= numbers)
        late = ((prior != 0) & ~ordered).nonzero()[0]
        if late.size:
            seen = clocks.at(Clock.SEEN, rows[late], components[late]) >= numbers[late]
            late = late[~(mine[late] & seen)]
        if not late.size:
            return
        # The lanes of a warp mostly know the same of the lanes of another one.
        known = [clocks.at(each, rows[late], components[late]) >= numbers[late] for each in Clock]
        alike = np.array([index[late], mine[late], *known], np.int64).T
        rules: dict[bytes, Rule | None] = {}
        for at, what in zip(late.tolist(), alike, strict=True):
            key = what.tobytes()
            if key not in rules or not mine[at]:
                alone = Access(events, self.source, rows[[at]], self.first)
                rules[key] = alone.broken(int(prior[at]), space, True)
            if (rule := rules[key]) is not None:
                yield at, rule

    def follows(self, id_: int) -> bool:
        """Whether an access of the same cluster is certainly ordered before all accesses of the
        threads themselves."""
        index, lane = divmod(id_, WARP_LANES)
        events = self.events
        return bool(
            events.clusters[index] == self.source.clocks.index
            and self.known(Clock.SEEN)[events.components[index, lane]]
            >= events.numbers[index, lane]
        )

    def is_of_threads(self, id_: int) -> bool:
        """Whether threads make this access and the access with the id."""
        actors = self.source.actor, self.events.source(id_).actor
        return all(actor is Actor.THREAD for actor in actors)

    def broken(self, id_: int, space: StateSpace, written: bool) -> Rule | None:
        """The rule that this access breaks because of a prior access; None if it is ordered."""
        pair = Pair(self, id_, space, written)
        return None if pair.is_ordered() else pair.rule()


def is_by_cluster_barrier(clocks: Clocks, component: int, number: int) -> bool:
    """Whether a relaxed arrival at the cluster barrier passed an event on without ordering it."""
    passed = clocks.passed(component, number)
    return any(isinstance(each.op, BarrierClusterArriveOp) for each in passed)


class Pair:
    """A prior access, and the access that conflicts with it unless the two are ordered."""

    def __init__(self, access: Access, id_: int, space: StateSpace, written: bool):
        self.access, self.source, self.prior = access, access.source, access.events.source(id_)
        self.index, lane = divmod(id_, WARP_LANES)
        self.written = written
        self.component = int(access.events.components[self.index, lane])
        self.number = int(access.events.numbers[self.index, lane])
        self.space = space
        self.clock = self.source.clock(space)

    @cached_property
    def _order(self) -> tuple[tuple[Clock, ...], Rule]:
        if self.clock is Clock.SEEN:
            return (Clock.SEEN,), RACE
        if Actor.ALLOCATOR in (self.source.actor, self.prior.actor):
            return (Clock.SEEN, Clock.COMPLETE), RACE
        if self.clock is Clock.AFTER:
            return (self.clock,), TENSOR_ORDER
        if self.written and self.prior.clock(self.space) is Clock.SEEN:
            return (self.clock,), PROXY
        return (Clock.SEEN, Clock.COMPLETE), RACE

    @property
    def clocks(self) -> tuple[Clock, ...]:
        """The clocks; one of them must contain the prior access."""
        return self._order[0]

    @property
    def kind(self) -> Rule:
        """The rule that the two break if the current threads know of the prior access."""
        return self._order[1]

    def is_in(self, *clocks: Clock) -> bool:
        """Whether one of the clocks of the current access contains the prior access."""
        return bool(self.access.known(*clocks)[self.component] >= self.number)

    @property
    def is_of_other_cluster(self) -> bool:
        return self.prior.clocks is not self.source.clocks

    @property
    def issued(self) -> tuple[Issued, Issued] | None:
        """The two operations, if the tensor core executes both."""
        first, second = self.prior.issued, self.source.issued
        return None if first is None or second is None else (first, second)

    def is_ordered(self) -> bool:
        """Whether the prior access is ordered before the current one."""
        if self.prior.is_strong and self.source.is_strong and self.prior.in_scope(self.source):
            return True
        if self.is_of_other_cluster:
            return self.source.clocks.knows(self.prior.clocks, self.component, self.number)
        # Events in every clock need no further check.
        if (self.is_in(Clock.SEEN) and self.is_in(self.clock)) or self.is_in(*self.clocks):
            return True
        if self.issued is not None and self.issued[0].precedes(self.issued[1]):
            return True
        first = self.prior.issued
        return first is not None and first.is_done(self.access.known(*self.clocks))

    def rule(self) -> Rule:
        """The rule that the two break: that of a habit of compilers, or of their conflict."""
        if self.is_of_other_cluster:
            return RACE
        if self.is_passed_on() and self.kind is not TENSOR_ORDER:
            return self.kind  # Only a fence is missing.
        return self.relied() or by_habit(self.conflict(), is_read(self.source.op), pair=self)

    def conflict(self) -> Rule:
        """The rule that the two break if no habit explains it."""
        if self.kind is not TENSOR_ORDER or self.is_of_itself():
            return RACE
        told = self.access.known(Clock.SEEN, Clock.TOLD)
        pipelined = self.issued is not None and self.issued[0].would_precede(self.issued[1], told)
        return TENSOR_ORDER if pipelined or self.is_in(Clock.SEEN, Clock.TOLD) else RACE

    def is_passed_on(self) -> bool:
        """Whether the threads of the current access know of the prior one."""
        return self.is_in(Clock.SEEN)

    def is_of_itself(self) -> bool:
        """Whether both accesses are of one operation of the tensor core."""
        return self.issued is not None and self.issued[0] is self.issued[1]

    def relied(self) -> Rule | None:
        """The rule of a pipeline that the manual does not promise, if it orders the two."""
        if self.is_passed_on() or self.issued is None:
            return None
        first, second = self.issued
        if not first.precedes(second, promised=False):
            return None
        return relied_rule(Relied(first.kind, self.prior.role), second.kind)

    def lacks_before_fence(self) -> bool:
        """Whether only the fence before the synchronisation of the threads is missing."""
        return self.lacks_fence() and self.is_in(Clock.AFTER_TOLD)

    def lacks_fence(self) -> bool:
        """Whether the threads synchronise, but without a fence for the tensor core."""
        return self.kind is TENSOR_ORDER and self.is_passed_on()

    def reads_registers(self) -> bool:
        """Whether the current access comes after reads of the registers of an earlier load."""
        issue = self.prior.issue
        if issue is None or issue.completion is not LOADED:
            return False
        reads = self.prior.clocks.reads_of(self.component)
        if self.access.known(Clock.SEEN)[reads] >= self.number:
            return True
        return self._is_awaited(reads) or self._is_by_relaxed_arrival(reads)

    def knows_lane(self) -> bool:
        """Whether the current access comes after the same earlier read of another lane."""
        if self.written or self.prior.actor is not Actor.THREAD:
            return False
        events, known = self.access.events, self.access.known(Clock.SEEN)
        return some(known[events.components[self.index]] >= events.numbers[self.index])

    def knows_own_half(self) -> bool:
        """Whether an earlier alloc of a CTA pair is that of the peer, and the current access comes
        after that of its own CTA. A dealloc comes after all operations of both CTAs anyway."""
        if not isinstance(self.prior.op, AllocOp) or self.prior.rank == self.source.rank:
            return False
        if isinstance(self.source.op, DeallocOp):
            return False
        events, known = self.access.events, self.access.known(Clock.SEEN)
        return any(
            source.clocks is self.prior.clocks
            and source.rank == self.source.rank
            and isinstance(source.op, AllocOp)
            and known[events.components[index, 0]] >= events.numbers[index, 0]
            for index, source in enumerate(events.sources)
            if source is not None
        )

    def waits_narrowly(self) -> bool:
        """Whether threads waited for threads of another CTA, but at the scope of their own CTA."""
        return self._is_awaited(self.component)

    def arrived_relaxed(self) -> bool:
        """Whether threads announced the end of an earlier access to tensor memory, but by a relaxed
        arrival."""
        return self.space is StateSpace.TENSOR and self._is_by_relaxed_arrival(self.component)

    def _is_by_relaxed_arrival(self, component: int) -> bool:
        """Whether a relaxed arrival told of a component's event of the same number."""
        is_told = self.access.known(Clock.TOLD)[component] >= self.number
        return bool(is_told) and self.source.clocks.is_by_relaxed_arrival(
            component, self.number, self.access.rows
        )

    def _is_awaited(self, component: int) -> bool:
        """Whether only the scope of a wait leaves out a component's event of the same number."""
        is_told = self.access.known(Clock.TOLD)[component] >= self.number
        if not is_told:
            return False
        return self.source.clocks.narrow_wait(component, self.number) is not None

    def ended_before(self) -> bool:
        """Whether a barrier separates the two accesses only because the threads of the earlier one
        have ended, so that the barrier does not wait for them."""
        if self.kind is TENSOR_ORDER and not self.is_of_itself():
            return False
        clocks, known = self.source.clocks, self.access.known(Clock.SEEN, Clock.TOLD)
        return self.is_in(Clock.TOLD) and clocks.is_by_ends(self.component, self.number, known)

    def met_at_barrier(self) -> bool:
        """Whether a relaxed arrival at the cluster barrier separates the current access from an
        earlier one in the same CTA, or one of a CTA pair from a dealloc."""
        if self.kind is TENSOR_ORDER and not self.is_of_itself():
            return False
        frees = Actor.ALLOCATOR in (self.source.actor, self.prior.actor)
        if (self.prior.rank != self.source.rank and not frees) or not self.is_in(Clock.TOLD):
            return False
        return is_by_cluster_barrier(self.source.clocks, self.component, self.number)

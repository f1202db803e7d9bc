"""Memory accesses, and the order that each requires of earlier accesses."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple, TypeAlias

import numpy as np
import numpy.typing as npt
from xdsl.ir import Operation

from ...isa.completion import LOADED, Completion
from ...isa.effects.model import Actor, Proxy, StateSpace
from ...isa.mma.products import Relied, relied_rule
from ...isa.model.rule import Rule
from ...isa.practice import (
    AFTER_FENCE,
    BEFORE_FENCE,
    LANE_READS,
    LOAD_READ,
    PEER_ALLOC,
    PROXY,
    RACE,
    RELAXED_BARRIER,
    TENSOR_ORDER,
)
from ...isa.ptx.memory import CLUSTER_SCOPES, CTA_SCOPE
from ...isa.tensor_memory.alloc import WARP_LANES
from ...ptx.effects import effects_of, scope_of
from ...ptx.synchronization import BarrierClusterArriveOp
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


def distinct(ids: Ids) -> tuple[Ids, npt.NDArray[np.intp]]:
    """The different ids of some cells, and the first position of each."""
    # Neighbours usually have the same.
    runs = np.concatenate(([0], np.flatnonzero(ids[1:] != ids[:-1]) + 1))
    found, first = np.unique(ids[runs], return_index=True)
    return found, runs[first]


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
        if found is None:
            found = self._known[clocks] = self.source.clocks.known(self.rows, *clocks)
        return found

    def is_only_told(self, id_: int) -> bool:
        """Whether threads of the access were told of an earlier one, but nothing orders it before
        any of them."""
        if self.source.clocks is not self.events.source(id_).clocks:
            return False
        component = self.events.components[id_ // WARP_LANES, id_ % WARP_LANES]
        number = self.events.numbers[id_ // WARP_LANES, id_ % WARP_LANES]
        table = self.source.clocks.table
        seen, told = (table[clock, self.rows, component] for clock in (Clock.SEEN, Clock.TOLD))
        return bool(some(told >= number) and every(seen < number))

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
        index, lane = np.divmod(prior, WARP_LANES)
        # `broken` looks at threads of different clusters.
        mine = events.clusters[index] == clocks.index
        known = clocks.table[Clock.SEEN, rows, events.components[index, lane] * mine]
        ordered = mine & (known >= events.numbers[index, lane])
        for at in np.flatnonzero((prior != 0) & ~ordered).tolist():
            alone = Access(events, self.source, rows[[at]], self.first)
            rule = alone.broken(int(prior[at]), space, True)
            if rule is not None:
                yield at, rule

    def is_of_threads(self, id_: int) -> bool:
        """Whether threads make this access and the access with the id."""
        actors = self.source.actor, self.events.source(id_).actor
        return all(actor is Actor.THREAD for actor in actors)

    def broken(self, id_: int, space: StateSpace, written: bool) -> Rule | None:
        """The rule that this access breaks because of a prior access; None if it is ordered."""
        events, prior, source = self.events, self.events.source(id_), self.source
        if prior.is_strong and source.is_strong and prior.in_scope(source):
            return None
        component = int(events.components[id_ // WARP_LANES, id_ % WARP_LANES])
        number = int(events.numbers[id_ // WARP_LANES, id_ % WARP_LANES])
        if prior.clocks is not source.clocks:
            return None if source.clocks.knows(prior.clocks, component, number) else RACE
        # Events in every clock need no further check.
        clock = source.clock(space)
        if min(self.known(Clock.SEEN)[component], self.known(clock)[component]) >= number:
            return None
        first, second = prior.issued, source.issued
        if first and second and first.is_next(second, promised=True):
            return None
        clocks, rule = self._clocks(prior, space, written)
        if self.known(*clocks)[component] >= number:
            return None
        if first and second and first.precedes(second):
            return None
        if first and first.is_done(self.known(*clocks)):
            return None
        # If only a fence is missing, the prior access was passed on, but to another clock.
        if self.known(Clock.SEEN)[component] >= number:
            if rule is not TENSOR_ORDER:
                return rule
            later = self.known(Clock.AFTER_TOLD)[component] >= number
            return BEFORE_FENCE if later else AFTER_FENCE
        if first and second and first.precedes(second, promised=False):
            relied = relied_rule(Relied(first.kind, prior.role), second.kind)
            if relied is not None:
                return relied
        if self._is_read(prior, component, number):
            return LOAD_READ
        if not written and prior.actor is Actor.THREAD and self._knows_lane(id_):
            return LANE_READS
        if self._knows_own_half(prior):
            return PEER_ALLOC
        by_itself = first is not None and first is second
        if rule is not TENSOR_ORDER or by_itself:
            return RELAXED_BARRIER if self._met_at_barrier(prior, component, number) else RACE
        told = self.known(Clock.SEEN, Clock.TOLD)
        pipelined = first and second and first.would_precede(second, told)
        return TENSOR_ORDER if pipelined or told[component] >= number else RACE

    def _is_read(self, prior: Source, component: int, number: int) -> bool:
        """Whether this access comes after reads of the registers of an earlier load."""
        if prior.issue is None or prior.issue.completion is not LOADED:
            return False
        return bool(self.known(Clock.SEEN)[prior.clocks.reads_of(component)] >= number)

    def _knows_lane(self, id_: int) -> bool:
        """Whether this access comes after the same earlier one of another lane of the warp."""
        components, numbers = self.events.components, self.events.numbers
        index = id_ // WARP_LANES
        return bool(some(self.known(Clock.SEEN)[components[index]] >= numbers[index]))

    def _knows_own_half(self, prior: Source) -> bool:
        """Whether an earlier alloc of a CTA pair is that of the peer, and this access comes after
        that of its own CTA. A dealloc comes after all operations of both CTAs anyway."""
        if not isinstance(prior.op, AllocOp) or prior.rank == self.source.rank:
            return False
        if isinstance(self.source.op, DeallocOp):
            return False
        known = self.known(Clock.SEEN)
        return any(
            source.clocks is prior.clocks
            and source.rank == self.source.rank
            and isinstance(source.op, AllocOp)
            and known[self.events.components[index, 0]] >= self.events.numbers[index, 0]
            for index, source in enumerate(self.events.sources)
            if source is not None
        )

    def _met_at_barrier(self, prior: Source, component: int, number: int) -> bool:
        """Whether a relaxed arrival at the cluster barrier separates this access from an earlier
        one in the same CTA, or one of a CTA pair from a dealloc."""
        frees = Actor.ALLOCATOR in (self.source.actor, prior.actor)
        if (prior.rank != self.source.rank and not frees) or self.known(Clock.TOLD)[
            component
        ] < number:
            return False
        passed = self.source.clocks.passed(component, number)
        return any(isinstance(each.op, BarrierClusterArriveOp) for each in passed)

    def _clocks(
        self, prior: Source, space: StateSpace, written: bool
    ) -> tuple[tuple[Clock, ...], Rule]:
        """Clocks that must contain a prior access, and the rule broken if only SEEN contains it."""
        clock = self.source.clock(space)
        if clock is Clock.SEEN:
            return (Clock.SEEN,), RACE
        if Actor.ALLOCATOR in (self.source.actor, prior.actor):
            return (Clock.SEEN, Clock.COMPLETE), RACE
        if clock is Clock.AFTER:
            return (clock,), TENSOR_ORDER
        if written and prior.clock(space) is Clock.SEEN:
            return (clock,), PROXY
        return (Clock.SEEN, Clock.COMPLETE), RACE

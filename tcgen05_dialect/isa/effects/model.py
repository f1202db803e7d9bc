"""The parts of a row of effects: areas, actors, proxies, completions, orders and participants."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Generic, NamedTuple, TypeVar

from tcgen05_dialect.isa.model.table import Place

T = TypeVar("T")


class Completion(NamedTuple):
    """
    The step by which threads learn that an asynchronous access is complete (9.7.16.6.2.1, and
    9.7.9.25 for copies). The rows of `isa/instructions` say which access has which completion, and
    which instructions track it and wait for it.

    `step`, a noun phrase, is what must come after the operation; `fix` is an imperative. A copy
    completes in the `phase` of a `barrier` object, or in a later one.
    """

    step: str
    fix: str
    barrier: str = ""
    phase: int = 0

    def at(self, barrier: str, phase: int) -> Completion:
        """The completion of a copy on a barrier object with a name, issued in one of its phases."""
        fix = f"wait for {barrier}, which the copy completes"
        return Completion(f"wait for {barrier}", fix, barrier, phase)


LOADED = Completion("tcgen05.wait::ld", "execute tcgen05.wait::ld after the load")
REGISTER = Completion("use of the register", "use the register; the use waits for the load")
STORED = Completion("tcgen05.wait::st", "execute tcgen05.wait::st after the store")
COMMITTED = Completion(
    "commit and wait for its barrier object",
    "execute tcgen05.commit after the operation, and wait for the phase that it ends",
)
COPIED = Completion(
    "wait for its barrier object", "wait for the barrier object on which the copy completes bytes"
)
SOURCE_READ = Completion(
    "cp.async.bulk.wait_group or wait_group.read",
    "execute cp.async.bulk.commit_group after the copy, and cp.async.bulk.wait_group.read",
)
WRITTEN = Completion(
    "cp.async.bulk.wait_group",
    "execute cp.async.bulk.commit_group after the copy, and cp.async.bulk.wait_group",
)
COPIED_BY_THREAD = Completion(
    "cp.async.wait_group",
    "execute cp.async.commit_group after the copy, and cp.async.wait_group in the same thread",
)


class StateSpace(Enum):
    """What an area is a part of."""

    REGISTERS = "registers"
    SHARED = "shared memory"
    GLOBAL = "global memory"
    TENSOR = "tensor memory"
    MEMORY = "memory"
    """The state space of the qualifier `space`; without it the address is generic."""
    BARRIER = "barrier object"
    TENSOR_MAP = "tensor map"
    COUNTER = "counter of the hardware"


class Proxy(Enum):
    """Proxy of an access (8.3). Accesses to tensor memory and registers have none."""

    GENERIC = "generic"
    ASYNC = "async"
    TENSORMAP = "tensormap"


class Actor(Enum):
    """Who makes the accesses of an instruction. All but THREAD and ALLOCATOR are asynchronous."""

    THREAD = "the thread"
    WARP = "the warp, asynchronously"
    COPY = "the thread, asynchronously"
    TENSOR_CORE = "the tensor core"
    TMA = "the tensor memory accelerator"
    SCHEDULER = "the scheduler of clusters"
    ALLOCATOR = "the allocator of tensor memory"


class Participants(Enum):
    """Which threads execute an instruction (9.7.9.6, 9.7.13, 9.7.16.2, 9.7.19.5)."""

    EACH = "each thread by itself"
    ONE = "one thread"
    """Several threads with equal operands would repeat its effects."""
    NAMED = "the threads in the mask, together"
    RUNNING = "the running threads of the warp, together"
    WHOLE = "all threads of the warp, together"
    """None may have ended."""

    @property
    def together(self) -> bool:
        """Whether threads of a warp execute the instruction together."""
        return self not in (Participants.EACH, Participants.ONE)


class Ordering(Enum):
    """What an instruction orders."""

    RELEASE = "earlier accesses of the thread before accesses of the threads that acquire them"
    ACQUIRE = "accesses that other threads released before later accesses of the thread"
    BEFORE_THREAD_SYNC = "earlier tcgen05 operations before a synchronisation of threads"
    AFTER_THREAD_SYNC = "later tcgen05 operations after a synchronisation of threads"
    PROXY_SHARED = "accesses to shared memory by the generic proxy before those by the async proxy"
    PROXY_GLOBAL = "accesses to global memory by the generic proxy before those by the async proxy"
    INITIALISATION = "initialisation of barrier objects before asynchronous and remote uses"


Orderings = tuple[Ordering, ...]


class Choice(NamedTuple, Generic[T]):
    """A fact that depends on a qualifier: `cases` maps its spelling in IR, None if it is absent."""

    qualifier: str
    cases: Mapping[str | None, T]


class Elements(NamedTuple):
    """Size of an area: one element of the type in the qualifier `type` for each value of an operand
    or result."""

    type: str
    values: str


class Area(NamedTuple):
    """
    What an instruction reads or writes.

    `operands` say where it is: registers, an address, a matrix descriptor, or a tensor map with
    coordinates. `extent` is the size, or a noun phrase where several operands decide it. Without a
    `completion` the access is complete before the next instruction of the thread.
    """

    space: StateSpace
    operands: tuple[str, ...] = ()
    extent: Place | Elements | str = ""
    proxy: Proxy | None = Proxy.GENERIC
    completion: Completion | None = None


class Effects(NamedTuple):
    """
    The effects of an instruction, with the section of the manual.

    `tracks` are completions that the instruction prepares: its group, or its barrier object, will
    contain the earlier operations of the thread. `completes` are completions for which it waits.
    `arrives_at` and `completes_at` are the operands with the address of a barrier object at which
    the instruction, or its completion, arrives and on which it completes bytes. `data` are operands
    that decide neither control nor which memory is accessed. `scope` holds where no qualifier gives
    the scope of an order. `is_atomic`: the reads and writes of memory are one strong operation.
    """

    section: str = ""
    reads: tuple[Area, ...] = ()
    writes: tuple[Area, ...] = ()
    actor: Actor = Actor.THREAD
    executed_by: Participants | Choice[Participants] = Participants.EACH
    orders: Orderings | Choice[Orderings] = ()
    scope: str = ""
    tracks: tuple[Completion, ...] = ()
    completes: tuple[Completion, ...] | Choice[tuple[Completion, ...]] = ()
    arrives_at: str = ""
    completes_at: str = ""
    data: tuple[str, ...] = ()
    is_atomic: bool = False

    @property
    def areas(self) -> tuple[Area, ...]:
        """What the instruction reads, then what it writes."""
        return *self.reads, *self.writes

    def area(self, space: StateSpace) -> Area:
        """The first area in a state space. Raises StopIteration if there is none."""
        return next(each for each in self.areas if each.space is space)


CTA_SCOPE = "cta"
CLUSTER_SCOPES = (CTA_SCOPE, "cluster")
"""Scopes within a cluster; operations on barrier objects have only these."""
SCOPES = (*CLUSTER_SCOPES, "gpu", "sys")


class Semantics(NamedTuple):
    """The meaning of a semantics qualifier: whether the operation is strong, releases and acquires.
    A strong access does not race with strong accesses that have it in scope."""

    is_strong: bool = True
    releases: bool = False
    acquires: bool = False


_WEAK = "weak"
SEMANTICS = {
    _WEAK: Semantics(is_strong=False),
    "relaxed": Semantics(),
    "volatile": Semantics(),
    "release": Semantics(releases=True),
    "acquire": Semantics(acquires=True),
    "acq_rel": Semantics(releases=True, acquires=True),
    "sc": Semantics(releases=True, acquires=True),
}
"""Semantics of loads, stores, fences and operations on barriers (8.4, 8.8)."""


def is_strong(semantics: str | None) -> bool:
    """Whether a load or a store is strong; without a qualifier it is weak."""
    return SEMANTICS[semantics or _WEAK].is_strong


def _ordered(semantics: Semantics) -> Orderings:
    releases = (Ordering.RELEASE,) if semantics.releases else ()
    return (*releases, Ordering.ACQUIRE) if semantics.acquires else releases


def by_semantics(*default: Ordering) -> Choice[Orderings]:
    """What an instruction orders by its semantics, `default` without the qualifier."""
    cases = {name: _ordered(semantics) for name, semantics in SEMANTICS.items()}
    return Choice("semantics", {**cases, None: default})

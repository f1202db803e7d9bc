"""Execution state: clusters, CTAs and warps, with their memories and barriers."""

from collections import defaultdict
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from xdsl.ir import Operation

from ...isa.completion import Completion
from ...isa.cta_group import peer_of
from ...isa.model.rule import describe, plural
from ...isa.ptx.kernel import check_cta_mask
from ...isa.ptx.mbarrier import BARRIER_OBJECT
from ...isa.simulation import BARRIER
from ...isa.tensor_memory.alloc import WARP_LANES
from ...ptx.synchronization import SetmaxnregOp
from ..numbers.lanes import Lanes, some
from ..order.clocks import Clocks, Rows
from ..order.shadow import Shadow
from ..product.collector import Collected
from .barrier import Barrier, Came, Mbarrier, Meeting
from .bulk_groups import BulkGroups
from .errors import fault
from .memory import Memory, Space
from .parts import Parts
from .register_pool import RegisterPool
from .tasks import Moves, Task
from .tensor_core import TensorCore
from .tensor_memory import TensorMemory
from .thread_copies import ThreadCopies

Extents = tuple[int, int, int]


@dataclass(frozen=True)
class LaunchSizes:
    """
    Sizes of a launch: CTAs of the grid, threads of a CTA (`block`), CTAs of a cluster, and bytes
    of dynamic shared memory. `alone` is the position of the only cluster that runs; without it, all
    run.
    """

    grid: Extents = (1, 1, 1)
    block: Extents = (1, 1, 1)
    cluster: Extents = (1, 1, 1)
    dynamic_shared_memory: int = 0
    alone: Extents | None = None


@dataclass(frozen=True, eq=False)
class Half:
    """What one CTA of a pair executes of a collective operation (9.7.16.7.1)."""

    op: Operation
    columns: int | None = None
    place: int | None = None
    """First column that is freed."""
    before: Shadow | None = None
    """Accesses to the tensor memory of the CTA before it is freed."""


@dataclass(eq=False)
class Cta:
    """Cooperative thread array with its shared memory, tensor memory and barriers."""

    cluster: "Cluster"
    position: Extents
    rank: int
    multiprocessor: int
    shared: Memory
    tensor: TensorMemory
    barriers: dict[int, Barrier] = field(default_factory=dict[int, Barrier])
    mbarriers: dict[int, Mbarrier] = field(default_factory=dict[int, Mbarrier])
    warps: list["Warp"] = field(default_factory=list["Warp"])
    collectors: dict[str, Collected] = field(default_factory=dict[str, Collected])
    """Collector buffer of the tensor core -> the matrix that it holds."""
    halves: list[Half] = field(default_factory=list[Half])
    """Its halves of collective operations of its pair that the peer has yet to execute."""
    failed: list[int] = field(default_factory=list[int])
    """Places in its shared memory of the responses that say that no launch was cancelled."""

    @cached_property
    def pool(self) -> RegisterPool:
        """The registers that its warps have given up."""
        return RegisterPool(f"the register pool of {self.name}")

    @cached_property
    def name(self) -> str:
        return f"CTA {self.position}"

    @property
    def rows(self) -> Rows:
        """Row numbers of its threads in the cluster."""
        return np.concatenate([warp.rows for warp in self.warps])

    @property
    def peer(self) -> "Cta":
        """The other CTA of its pair."""
        return self.cluster.ctas[peer_of(self.rank)]

    def mbarrier(self, op: Operation, address: int) -> Mbarrier:
        """The barrier object at an address. Raises OperationError if there is none, or if the CTA
        has ended."""
        self.shared.check_runs(op, address - self.shared.base)
        found = self.mbarriers.get(address - self.shared.base)
        if found is None:
            place = self.shared.place(address - self.shared.base, BARRIER_OBJECT.bytes)
            raise fault(op, BARRIER, f"no mbarrier is initialised at {place}")
        return found


@dataclass(eq=False)
class Cluster:
    """CTAs that can access each other's shared memory; `space` contains all of it."""

    position: Extents
    extents: Extents
    clocks: Clocks
    ctas: list[Cta] = field(default_factory=list[Cta])
    space: Space = field(default_factory=lambda: Space("shared"))
    barrier: Barrier = field(init=False)
    tensor_core: TensorCore = field(init=False)

    def __post_init__(self) -> None:
        self.barrier = Barrier("the barrier of the cluster")
        self.tensor_core = TensorCore(self.clocks)

    def forget(self) -> None:
        """Release the memories, and break the reference cycles that would keep them alive."""
        self.tensor_core.forget()
        for cta in self.ctas:
            cta.warps.clear()
        self.ctas.clear()
        self.space = Space("shared")

    def named_by(self, mask: int) -> list[Cta]:
        """The CTAs in a CTA mask. Raises Violation if it contains others."""
        check_cta_mask(mask, len(self.ctas))
        return [cta for cta in self.ctas if mask >> cta.rank & 1]

    def cta_of(self, op: Operation, address: int, size: int = BARRIER_OBJECT.bytes) -> Cta:
        """The CTA whose shared memory contains `size` bytes at an address; without a size, it is
        the address of a barrier object. Raises OperationError."""
        memory, _ = self.space.find(op, address, size)
        return next(cta for cta in self.ctas if cta.shared is memory)


@dataclass(eq=False)
class Warp:
    """Warp of 32 lanes. `lanes` marks running threads; `registers` holds the kernel's values."""

    cta: Cta
    index: int
    lanes: Lanes
    registers: list[Lanes]
    rows: Rows
    """Row numbers of its threads in the cluster."""
    maxnreg: int | None = None
    """The registers of each thread, if setmaxnreg changes them."""
    cluster_meetings: dict[int, Meeting] = field(default_factory=dict[int, Meeting])
    """Thread -> its meeting at the cluster barrier, between its arrival and its wait."""
    pending: dict[int, Task] = field(default_factory=dict[int, Task])
    """Register -> the pending asynchronous load that will write it."""
    loads: dict[int, tuple[Moves, int]] = field(default_factory=dict[int, tuple[Moves, int]])
    """First register of a load of tensor memory -> the moves that count it, and its number."""
    moves: dict[Completion, Moves] = field(default_factory=lambda: defaultdict(Moves))
    """Its loads and stores of tensor memory, by the completion for which a wait waits."""
    bulk_groups: BulkGroups = field(default_factory=BulkGroups)
    thread_copies: ThreadCopies = field(default_factory=ThreadCopies)
    local: Space | None = field(default=None, init=False)
    """The local memory of its threads, once one accesses it."""
    initial: Lanes = field(init=False)
    """Lanes that have a thread at the beginning."""
    parts: Parts = field(default_factory=Parts, init=False)
    register_changes: list[SetmaxnregOp] = field(default_factory=list[SetmaxnregOp], init=False)

    def __post_init__(self) -> None:
        self.initial = self.lanes

    @cached_property
    def name(self) -> str:
        return f"warp {self.index} of {self.cta.name}"

    def leave(self, lanes: Lanes) -> None:
        """End the threads in some lanes. Barriers without a number of threads stop waiting for
        them."""
        self.lanes = self.lanes & ~lanes
        if not some(self.lanes):
            for barrier in self.cta.barriers.values():
                barrier.leave(WARP_LANES)
        meetings = [self.cluster_meetings.get(row) for row in self.rows[lanes].tolist()]
        self.cta.cluster.barrier.leave(sum(each is None or each.over for each in meetings))

    def lanes_of(self, rows: Rows) -> Lanes:
        """The lanes of some of its threads."""
        lanes = np.zeros(WARP_LANES, np.bool_)
        lanes[rows - self.rows[0]] = True
        return lanes

    def name_of(self, lanes: Lanes) -> str:
        """Name of some lanes in messages."""
        numbers = np.flatnonzero(lanes).tolist()
        return f"{plural('lane', len(numbers))} {describe(numbers)} of {self.name}"

    def brings(
        self, op: Operation, arrivals: int = 0, expected: int = 0, completed: int = 0
    ) -> Came:
        """What an operation of the warp brings to a barrier."""
        return Came(op, self.cta.name, self.index, arrivals, expected, completed)

"""
State of a run: clusters, CTAs, warps and the parts in which their lanes are converged, with
registers, memories and barriers.

The manual leaves the response of cluster launch control opaque (9.7.13.16). Here it has the
coordinates of the first CTA of the cancelled cluster, and a last word that is one if there is such
a cluster.

PTX does not guarantee that lanes reconverge where their branches join. The lanes of one part are
converged: no branch has separated them since an instruction made them converge.
"""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
import numpy.typing as npt
from xdsl.ir import Operation

from ...isa.effects.model import Completion
from ...isa.instructions.barriers import RESPONSE, registers_of
from ...isa.instructions.mbarrier import BARRIER_OBJECT
from ...isa.model.rule import describe, plural
from ...isa.practice import BARRIER, COLLECTIVE
from ...isa.ptx.kernel import check_cta_mask
from ...isa.targets import peer_of
from ...isa.tensor_memory.alloc import WARP_LANES
from ...ptx.analysis.places import pointees
from ...ptx.instructions import MbarrierInitOp, SetmaxnregOp
from ...ptx.kernel import kernel_around
from ..numbers.floats import Lanes, every, some
from ..order.clocks import Clocks, Order, Rows
from ..order.shadow import Shadow
from .barrier import Barrier, Came, Ended, Mbarrier, Meeting
from .errors import fault, lines_of, place_of
from .operands import Collected
from .tensor_core import BulkGroups, Moves, Task, TensorCore, ThreadCopies
from .tensor_memory import Bytes, Memory, Space, TensorMemory


class Parts:
    """The parts of one warp; initially a single part."""

    def __init__(self) -> None:
        self._lowest: npt.NDArray[np.intp] = np.zeros(WARP_LANES, np.intp)
        """Lane -> the lowest lane of its part."""
        self._branches: dict[int, Operation] = {}
        """Lowest lane of a part -> the last branch that separated it from others."""
        self._is_one = True
        """Whether there is a single part, which is the usual case."""

    def bring_together(self, lanes: Lanes) -> None:
        """Merge the parts of some lanes into one."""
        if self._is_one:
            return
        lowest = self._lowest[lanes]
        if some(lowest != lowest[0]):
            together = set(lowest.tolist())
            whole = [number in together for number in self._lowest.tolist()]
            self._lowest[whole] = whole.index(True)
            self._is_one = every(self._lowest == self._lowest[0])

    def separate(self, lanes: Lanes, taken: Lanes, branch: Operation) -> None:
        """Split the parts of some lanes at a branch that only the lanes in `taken` take."""
        lowest = self._lowest.copy()
        for number in set(lowest[lanes].tolist()):
            for way in (lanes & taken, lanes & ~taken):
                part = way & (lowest == number)
                if some(part):
                    first = int(part.argmax())
                    self._lowest[part] = first
                    self._branches[first] = branch
        self._is_one = False

    def branch(self, lanes: Lanes) -> Operation | None:
        """The branch that separated some lanes, or None if they are together."""
        if self._is_one:
            return None
        lowest = self._lowest[lanes]
        return None if every(lowest == lowest[0]) else self._branches[int(lowest.max())]

    def of(self, lanes: Lanes) -> list[Lanes]:
        """The given lanes, split by part."""
        if self._is_one:
            return [lanes]
        lowest = self._lowest[lanes]
        if every(lowest == lowest[0]):
            return [lanes]
        return [lanes & (self._lowest == number) for number in {*lowest.tolist()}]


@dataclass(eq=False)
class RegisterPool:
    """
    The registers that setmaxnreg.dec has given up and that setmaxnreg.inc may take. The manual
    adds no registers at the start of the CTA and none at the end of a warp.
    """

    name: str
    free: int = 0

    def required(self, before: int, after: int) -> int:
        """The registers that a warp takes if each thread has `after` instead of `before`; negative
        if it gives them up."""
        return WARP_LANES * (registers_of(after) - registers_of(before))


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


VECTORS: Mapping[str, Callable[[Sequence[int], LaunchSizes], Sequence[int]]] = {
    "ntid": lambda _, sizes: sizes.block,
    "ctaid": lambda cta, _: cta,
    "nctaid": lambda _, sizes: sizes.grid,
    "clusterid": lambda cta, sizes: [p // c for p, c in zip(cta, sizes.cluster, strict=True)],
    "nclusterid": lambda _, sizes: [g // c for g, c in zip(sizes.grid, sizes.cluster, strict=True)],
    "cluster_ctaid": lambda cta, sizes: [p % c for p, c in zip(cta, sizes.cluster, strict=True)],
    "cluster_nctaid": lambda _, sizes: sizes.cluster,
}
"""Special register with a number for each axis, but for that of the thread -> its value in the CTA
at a position (10)."""


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
    inits: set[Operation] = field(default_factory=set[Operation])
    """The mbarrier.init operations that its threads have executed."""
    warps: list["Warp"] = field(default_factory=list["Warp"])
    collectors: dict[str, Collected] = field(default_factory=dict[str, Collected])
    """Collector buffer of the tensor core -> the matrix that it holds."""
    halves: list[Half] = field(default_factory=list[Half])
    """Its halves of collective operations of its pair that the peer has yet to execute."""
    failed: list[int] = field(default_factory=list[int])
    """Places in its shared memory of the responses that say that no launch was cancelled."""

    @cached_property
    def ended(self) -> Ended:
        """Its threads that have ended."""
        return Ended(self.cluster.clocks)

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
            text = f"no mbarrier is initialised at {place}"
            if later := self._later_inits(op, address - self.shared.base):
                text += f" yet: the CTA has not executed {later[0].name}, {lines_of(later)}"
            raise fault(op, BARRIER, text, related=next(iter(later), None))
        return found

    def _later_inits(self, op: Operation, at: int) -> list[Operation]:
        """The mbarrier.init operations on the variable at an offset that the CTA has not
        executed."""
        variable, kernel = self.shared.variable(at), kernel_around(op)
        if variable is None or kernel is None:
            return []
        return [
            each
            for each in kernel.walk()
            if isinstance(each, MbarrierInitOp)
            and each not in self.inits
            and variable.name.removeprefix("@") in pointees(each.address).names
        ]


@dataclass(eq=False)
class Cluster:
    """CTAs that can access each other's shared memory; `space` contains all of it."""

    clocks: Clocks
    ctas: list[Cta] = field(default_factory=list[Cta])
    space: Space = field(default_factory=lambda: Space("shared"))
    ended: Ended = field(init=False)
    barrier: Barrier = field(init=False)
    tensor_core: TensorCore = field(init=False)

    def __post_init__(self) -> None:
        self.ended = Ended(self.clocks)
        self.barrier = Barrier("the barrier of the cluster", self.ended)
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
    is_running: bool = field(init=False)
    """Whether a lane is running."""
    parts: Parts = field(default_factory=Parts, init=False)
    register_changes: list[SetmaxnregOp] = field(default_factory=list[SetmaxnregOp], init=False)

    def __post_init__(self) -> None:
        self.initial, self.is_running = self.lanes, some(self.lanes)

    @cached_property
    def name(self) -> str:
        return f"warp {self.index} of {self.cta.name}"

    def leave(self, op: Operation, lanes: Lanes) -> None:
        """End the threads in some lanes by an operation. Barriers without a number of threads stop
        waiting for them."""
        rows, cluster = self.rows[lanes], self.cta.cluster
        message = cluster.clocks.release(rows, Order.NONE)
        for ended in (self.cta.ended, cluster.ended):
            ended.add(op, rows, message)
        self.lanes = self.lanes & ~lanes
        self.is_running = some(self.lanes)
        if not self.is_running:
            for barrier in self.cta.barriers.values():
                barrier.leave(WARP_LANES)
        meetings = [self.cluster_meetings.get(row) for row in rows.tolist()]
        cluster.barrier.leave(sum(each is None or each.over for each in meetings))

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


_WORDS = RESPONSE.bytes // 4


def response_to(cancelled: Extents | None) -> Bytes:
    """The response to a request that has cancelled the cluster with this first CTA, or none."""
    words = (0, 0, 0, 0) if cancelled is None else (*cancelled, 1)
    return np.array(words, np.uint32).view(np.uint8)


def coordinate(index: int, response: Lanes) -> Lanes:
    """A coordinate of the first CTA in the responses of lanes."""
    return _words(response)[:, index].copy()


def is_canceled(response: Lanes) -> Lanes:
    """Whether the responses of lanes say that a launch was cancelled."""
    return _words(response)[:, -1] != 0


def _words(response: Lanes) -> Lanes:
    """Responses as lanes x words."""
    return np.ascontiguousarray(response).view(np.uint32).reshape(-1, _WORDS)


def may_precede_peer(op: Operation, cta: Cta, rows: Rows) -> str:
    """
    Clause that the threads may execute an operation before the peer CTA runs; empty if one of them
    knows that it runs. Raises OperationError if it has ended.
    """
    peer, clocks = cta.peer, cta.cluster.clocks
    if peer.shared.over:
        raise fault(op, COLLECTIVE, f"{peer.name} has ended")
    if some(clocks.told(rows)[peer.rows]):
        return ""
    return f"{cta.name} may execute the operation before {peer.name} runs"


def meet_peer(half: Half, cta: Cta) -> Half | None:
    """
    Record the half that a CTA executes. Returns the half of its peer, or None if that comes later.

    Raises OperationError if the two differ, or if the peer has ended.
    """
    op, peer = half.op, cta.peer
    for other in peer.halves:
        if type(other.op) is type(op) and other.place == half.place:
            peer.halves.remove(other)
            if other.columns != half.columns:
                found = f"{cta.name} gives {half.columns} columns, and {peer.name} {other.columns}"
                raise fault(op, COLLECTIVE, f"{found}, {place_of(other.op)}")
            return other
    if peer.shared.over:
        raise _missing(op, peer, half, cta)
    cta.halves.append(half)
    return None


def end_cta(op: Operation, cta: Cta) -> None:
    """Check the end of a CTA. Raises OperationError unless it has executed its halves."""
    has_peer = peer_of(cta.rank) < len(cta.cluster.ctas)
    if has_peer and cta.peer.halves:
        raise _missing(op, cta, cta.peer.halves[0], cta.peer)


def _missing(op: Operation, ended: Cta, half: Half, cta: Cta) -> Exception:
    found = f"{ended.name} ends without the {half.op.name} that {cta.name} executes"
    return fault(op, COLLECTIVE, f"{found}, {place_of(half.op)}")


@dataclass(eq=False)
class Ways:
    """Whether a condition held in any lane, and whether it failed in any lane; or the entries of a
    table of blocks that lanes chose."""

    held: bool = False
    failed: bool = False
    entries: set[int] = field(default_factory=set[int])


@dataclass(eq=False)
class Waits:
    """Barrier objects of the CTAs that have ended."""

    is_awaited: dict[tuple[Operation, str], bool] = field(
        default_factory=dict[tuple[Operation, str], bool]
    )
    """The operation that ended the last phase, and the variable -> whether somebody waited for this
    phase, in all CTAs."""

    def record(self, cta: Cta) -> None:
        """Record the barrier objects of a CTA that ends."""
        for offset, barrier in cta.mbarriers.items():
            if barrier.before:
                variable = cta.shared.variable(offset)
                key = barrier.before[-1].op, barrier.name if variable is None else variable.name
                awaited = barrier.phases.last_is_awaited
                self.is_awaited[key] = self.is_awaited.get(key, True) and awaited

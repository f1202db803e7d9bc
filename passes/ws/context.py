"""What the lowering of a role knows: where it inserts, and the barrier objects, tiles, matrices and
carried values of the kernel."""

from collections.abc import Callable, Generator, Mapping
from contextlib import contextmanager
from functools import cached_property, partial
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp, StringAttr, SymbolRefAttr, UnitAttr, f32
from xdsl.ir import Attribute, Block, Operation, SSAValue

from tcgen05_dialect.isa.instructions.mbarrier import BARRIER_OBJECT
from tcgen05_dialect.isa.tensor_memory.alloc import LANES, SLOT, WARP_LANES
from tcgen05_dialect.ptx.analysis.control_flow import operations_of
from tcgen05_dialect.ptx.analysis.symbols import definitions
from tcgen05_dialect.ptx.instructions import AddOp, BarSyncOp, BarWarpSyncOp, ElectSyncOp, MapaOp
from tcgen05_dialect.ptx.kernel import KernelOp, SharedMemoryOp
from tcgen05_dialect.ptx.structure import AddressOfOp
from tcgen05_dialect.tcgen05.types import TensorMemoryType
from tcgen05_dialect.ws.base import enclosing
from tcgen05_dialect.ws.copies import TmemCopyOp
from tcgen05_dialect.ws.kernel import (
    MATRIX,
    TILES,
    Kernel,
    Memory,
    Place,
    memory_of,
    warp_specialized,
)
from tcgen05_dialect.ws.rings import MMA, AllocOp, HoldingOp, RingOp
from tcgen05_dialect.ws.roles import RoleOp, WarpSpecializeOp
from tcgen05_dialect.xdsl_support.attributes import integer

from ..support.conversion import out_of_order
from .emitter import Constants, Emitter, Value, is_of_one_lane, known
from .memory_access import slice_of
from .tiles import ClusterPlace
from .vectors import length_of


class KernelMemory:
    """The variables of a kernel and their addresses; each address is a value for all roles."""

    def __init__(self, kernel: Kernel, function: KernelOp, emit: Emitter) -> None:
        self.sizes: Memory = memory_of(kernel)
        self._function = function
        module = function.parent_op()
        assert module is not None
        self._taken = {name for name, _ in definitions(module)}
        self.barriers: dict[RingOp, Mapping[str, SSAValue]] = {}
        self.tiles: SSAValue | None = None
        self.slot: SSAValue | None = None
        self.matrix: SSAValue | None = None
        if self.sizes.shared_bytes:
            needs = {"needs": self.sizes.shared_bytes}
            self.tiles = self._variable(emit, TILES, needs, self.sizes.alignment)
        for ring, use in kernel.rings.items():
            if use.is_stored:
                continue
            size = {"size": ring.stages * BARRIER_OBJECT.bytes}
            emit.location = ring.location
            self.barriers[ring] = {
                side: self._variable(emit, f"{use.name}_{side}", size, BARRIER_OBJECT.alignment)
                for side in ("full", "empty")
            }
        if self.sizes.columns:
            self.slot = self._variable(emit, MATRIX, {"size": SLOT.bytes}, SLOT.alignment)

    @property
    def matrix_type(self) -> TensorMemoryType:
        """The type of the whole allocation of tensor memory."""
        return TensorMemoryType.get(LANES, self.sizes.allocated_columns, f32)

    def _variable(
        self, emit: Emitter, name: str, size: Mapping[str, int], alignment: int
    ) -> SSAValue:
        """The address of a new shared variable; `size` is its size or what it needs of the dynamic
        shared memory."""
        name = self._free_name(name)
        properties = {
            "sym_name": StringAttr(name),
            "alignment": integer(alignment, 64),
            **{key: integer(number, 64) for key, number in size.items()},
        }
        variable = SharedMemoryOp.create(properties=properties)
        variable.location = emit.location
        block = self._function.parent
        assert block is not None
        block.insert_op_before(variable, self._function)
        op = emit.add(AddressOfOp.of(SymbolRefAttr(name), 0))
        # An instruction with an address in the cluster would compute it from the name each time.
        op.properties["in_register"] = UnitAttr()
        address = op.result
        address.name_hint = name
        return address

    def _free_name(self, name: str) -> str:
        """The name or, if something else has it, the name after that of the kernel."""
        found, number = name, 0
        while found in self._taken:
            found = f"{self._function.sym_name.data}_{name}{f'_{number}' if number else ''}"
            number += 1
        self._taken.add(found)
        return found

    def barrier(self, emit: Emitter, ring: RingOp, side: str, stage: Value) -> SSAValue:
        """The address of a barrier object of a stage."""
        first, offset = self.barriers[ring][side], emit.times(stage, BARRIER_OBJECT.bytes)
        if known(offset) == 0:
            return first
        # The addition of arith would become another name.
        return emit.ptx(AddOp, {"a": (first,), "b": (offset,)}, {"type": "s32"}).d

    def address(self, emit: Emitter, place: Place, stage: Value) -> SSAValue:
        """The address of a tile in a stage."""
        assert self.tiles is not None
        first = emit.plus(self.tiles, place.start)
        return emit.plus(first, emit.times(stage, place.step))

    def buffer(self, emit: Emitter, place: Place, stage: Value) -> SSAValue:
        """A matrix in tensor memory in a stage."""
        assert self.matrix is not None and isinstance(place.type, TensorMemoryType)
        column = emit.plus(emit.times(stage, place.step), place.start)
        return slice_of(emit, self.matrix, 0, column, place.type)


def erase(op: Operation) -> None:
    """Remove an operation whose results have no uses."""
    op.detach()
    op.erase()


Key = tuple[str, SSAValue]
"""What is carried: the stage or the phase of a ring, or whether D has been written."""


class Held(NamedTuple):
    """A buffer in the stage that a region holds; without a ring, the buffer of a ws.alloc."""

    ring: RingOp | None
    place: Place
    stage: SSAValue


class Pair(NamedTuple):
    """The place of this CTA in its pair: its number, 0 or 1, the rank of the leader in the cluster,
    whether this CTA is the leader, and the mask of both CTAs."""

    number: SSAValue
    leader: SSAValue
    is_leader: SSAValue
    mask: SSAValue


class RolePlace(NamedTuple):
    """A role in its kernel: the number of the warp in the role, as a value, the named barrier of
    the role, if any, and the place of this CTA in its pair, None without pairs."""

    role: RoleOp
    kernel: Kernel
    memory: KernelMemory
    constants: Constants
    warp: SSAValue
    barrier: int | None
    pair: Pair | None


class RoleContext:
    """The state of the lowering of a role. `head` appends to its beginning. With `on_one_lane` only
    the elected lane executes the role."""

    def __init__(self, place: RolePlace) -> None:
        self.place, self.role, self.kernel, self.memory = place, *place[:3]
        self.pair, self.ctas = place.pair, 1 if place.pair is None else 2
        self.holdings = [op for op in self.kernel.inside[self.role] if isinstance(op, HoldingOp)]
        self.on_one_lane = is_of_one_lane(self.role, self.holdings, self.kernel)
        self.head = Emitter(Block(), place.constants)
        self.emit = Emitter(Block(), place.constants)
        self.head.location = self.emit.location = self.role.location
        self.cluster = ClusterPlace(self.kernel.op, self.head)
        self.state: dict[Key, SSAValue] = {}
        self.held: dict[SSAValue, Held] = {}
        self.descriptors: dict[tuple[Place, Attribute], SSAValue] = {}
        self.zero = self.head.constant(0)
        self.all_lanes = self.head.constant(-1)
        self.elected = self.head.ptx(ElectSyncOp, {"mask": (self.all_lanes,)}).elected
        self.elected.name_hint = "elected"

    @contextmanager
    def one_thread(self) -> Generator[None]:
        """Append what one thread of the role executes, which is in its first warp."""
        if self.on_one_lane:
            yield
        else:
            with self.emit.when(self._issues):
                yield

    @cached_property
    def _issues(self) -> SSAValue:
        """Whether this is the thread that issues for the role."""
        if self.role.warps_count == 1:
            return self.elected
        issues = self.head.both(self.head.compare("eq", self.place.warp, 0), self.elected)
        issues.name_hint = "issues"
        return issues

    def sync_warp(self) -> None:
        """Append the synchronisation of a warp."""
        if not self.on_one_lane:
            self.emit.ptx(BarWarpSyncOp, {"mask": (self.all_lanes,)})

    def sync_role(self) -> None:
        """Append a barrier of all threads of the role."""
        if self.role.warps_count == 1:
            self.sync_warp()
            return
        assert self.place.barrier is not None
        threads = self.emit.constant(self.role.warps_count * WARP_LANES)
        number = self.emit.constant(self.place.barrier)
        self.emit.ptx(BarSyncOp, {"barrier": (number,), "threads": (threads,)})

    def shared_barrier(self, ring: RingOp, side: str, stage: Value) -> tuple[SSAValue, bool]:
        """The barrier object at which this CTA arrives, and whether it is that of another CTA, the
        leader of the pair or the one that asks for tiles, whose address is in the cluster."""
        address = self.memory.barrier(self.emit, ring, side, stage)
        use = self.kernel.rings[ring]
        if side == "empty" and use.is_requested and use.sharings:
            rank = self.zero
        elif self.pair is not None and use.is_in_leader(side):
            rank = self.pair.leader
        else:
            return address, False
        return self.emit.ptx(MapaOp, {"address": (address,), "rank": (rank,)}).d, True

    def others_barriers(self, ring: RingOp, side: str, stage: Value) -> list[SSAValue]:
        """The barrier objects of other CTAs of the cluster at which this CTA arrives, because they
        fill the stage, too."""
        use = self.kernel.rings[ring]
        sharings = use.sharings
        if side != "empty" or not sharings or use.is_requested:
            return []
        address = self.memory.barrier(self.emit, ring, side, stage)
        return [
            self.emit.ptx(MapaOp, {"address": (address,), "rank": (rank,)}).d
            for rank in self.cluster.others(sharings)
        ]

    def place_of(self, buffer: SSAValue) -> Held:
        """The place of a buffer of a region or of a ws.alloc."""
        held = self.held.get(buffer)
        if held is None:
            (place,) = self.memory.sizes.places[buffer]
            held = Held(None, place, self.zero)
        return held


def with_roles(module: ModuleOp, own: str) -> list[WarpSpecializeOp]:
    """The `ws.warp_specialize` of each kernel that has one. Raises OperationError for the
    sequential form, which `ws-partition` replaces."""
    found = warp_specialized(module)
    for each in found:
        if each.is_sequential:
            legal = "one with roles that hold stages of rings"
            raise out_of_order(each, legal, "ws-partition", own)
    return found


def check_unrolled(op: WarpSpecializeOp, own: str) -> None:
    """Raise OperationError for tiles and vectors, which earlier passes replace."""
    if op.sizes and op.clc is None:
        raise out_of_order(op, "one without tiles", "ws-sink-tiles", own)
    for role in op.roles:
        for each in operations_of(role):
            if any(length_of(value) is not None for value in (*each.operands, *each.results)):
                raise out_of_order(each, "one without vectors", "ws-unroll-vectors", own)


def place_copies(role: RoleContext, op: HoldingOp, stage: SSAValue) -> None:
    """Place the matrices of a stage that its copies fill."""
    for each in [] if op.home is None or op.kind != MMA else [*op.home.ops]:
        if (
            isinstance(each, TmemCopyOp)
            and each.tile in op.buffers
            and isinstance(alloc := each.matrix.owner, AllocOp)
        ):
            place_matrix(role, alloc, stage, partial(_uses_copy, each))


def place_matrix(
    role: RoleContext, alloc: AllocOp, stage: SSAValue, is_user: Callable[[Operation], bool]
) -> None:
    """Replace a matrix, in some operations, by its part of tensor memory."""
    (place,) = role.memory.sizes.places[alloc.buffer]
    matrix = role.memory.buffer(role.emit, place, stage)
    matrix.name_hint = alloc.buffer.name_hint
    alloc.buffer.replace_uses_with_if(matrix, lambda use: is_user(use.operation))


def _uses_copy(copy: TmemCopyOp, op: Operation) -> bool:
    """Whether a copy is the last one to its matrix before an operation, or the operation itself."""
    for each in (op, *enclosing(op)):
        before: Operation | None = each
        while before is not None:
            if isinstance(before, TmemCopyOp) and before.matrix is copy.matrix:
                return before is copy
            before = before.prev_op
    return False

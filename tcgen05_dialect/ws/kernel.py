"""Uses of the rings of a kernel by its roles, and the memory of rings and buffers."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, Operation, SSAValue

from ..isa.instructions.barriers import BARRIER
from ..isa.instructions.copies import TILE
from ..isa.mma.products import SCALE
from ..isa.mma.scale import ATOM_COLUMNS
from ..isa.tensor_memory.alloc import ALLOCATIONS
from ..ptx.analysis.control_flow import operations_of
from ..ptx.analysis.known_values import constant_value
from ..ptx.bases import CtaBarrier
from ..ptx.kernel import KernelOp
from ..tcgen05.types import TensorMemoryType
from .base import SharedTileType, TokenType
from .boxes import (
    RESPONSE_STAGES,
    RESPONSE_TILE,
    Sharing,
    TryCancelOp,
    sharing_of,
    widest,
)
from .copies import copies_to
from .regions import AcquireOp, MbarrierOp, holding_of
from .rings import MMA, AllocOp, HoldingOp, RingOp
from .roles import RoleBarrierOp, RoleOp, WarpSpecializeOp, role_of
from .tma import TmaLoadOp, TmaStoreOp

_OF_THE_ROLE = (RoleBarrierOp, TmaStoreOp)
"""Operations for which the warps of a role wait for each other."""


@dataclass
class RingUse:
    """A ring, and the operations that take its stages and, by tokens, pass them on and end them, in
    the order of the program."""

    op: RingOp
    holdings: list[tuple[RoleOp, HoldingOp]] = field(default_factory=list)
    token_ops: list[tuple[RoleOp, Operation]] = field(default_factory=list)

    @property
    def producers(self) -> dict[RoleOp, str]:
        """The roles that produce, each with its kind."""
        return {role: op.kind for role, op in self.holdings if op.SIDE == "produce"}

    @property
    def consumers(self) -> dict[RoleOp, str]:
        """The roles that consume, each with its kind."""
        return {role: op.kind for role, op in self.holdings if op.SIDE == "consume"}

    @cached_property
    def is_stored(self) -> bool:
        """Whether TMA stores each stage, so that the ring needs no consumer. Kept, because the
        lowering of a role removes its operations."""
        productions = [op for _, op in self.holdings if op.SIDE == "produce"]
        return bool(productions) and all(
            any(isinstance(use.operation, TmaStoreOp) for use in buffer.uses)
            for op in productions
            for buffer in op.buffers
        )

    @cached_property
    def sharings(self) -> tuple[Sharing, ...]:
        """The CTAs of a cluster that load tiles of this ring together. Kept, because the lowering
        of a role removes its operations."""
        found = (each.sharing for each in self._users if isinstance(each, TmaLoadOp))
        cluster = self.holdings[0][0].specialized.cluster if self.is_requested else None
        every = None if cluster is None else sharing_of(cluster)
        return widest(each for each in (*found, every) if each is not None)

    @cached_property
    def is_requested(self) -> bool:
        """Whether the stages are responses to requests for tiles."""
        return any(isinstance(each, TryCancelOp) for each in self._users)

    @property
    def _users(self) -> Iterator[Operation]:
        """The operations that use the buffers of the ring."""
        for _, op in self.holdings:
            for buffer in op.buffers:
                yield from (use.operation for use in buffer.uses)

    def is_in_leader(self, side: str) -> bool:
        """Whether, in a pair, both CTAs use the barrier object of the leader: the one that the MMAs
        of the pair wait for."""
        consumed, produced = ({*kinds.values()} for kinds in (self.consumers, self.producers))
        if side == "full":
            return consumed == {MMA} and produced != {MMA}
        return produced == {MMA} and consumed != {MMA}

    @property
    def name(self) -> str:
        """The name of the ring, without `%`."""
        return self.op.ring.name_hint or "ring"


class NamedBarriers(NamedTuple):
    """The roles whose warps wait for each other, and the barriers of the CTA that no raw operation
    uses. Barrier 0 is that of all roles."""

    roles: Sequence[RoleOp]
    free: Sequence[int]


class Kernel:
    """The roles, rings, buffers and loads of a kernel."""

    def __init__(self, op: WarpSpecializeOp) -> None:
        self.op = op
        self.roles = op.roles
        kernel = op.parent_op()
        inside = [] if kernel is None else operations_of(kernel)
        # Most operations belong to other dialects; a comparison of names is the fastest test.
        own = [each for each in inside if each.name.startswith("ws.")]
        self.rings = {each: RingUse(each) for each in own if isinstance(each, RingOp)}
        self.allocs = [each for each in own if isinstance(each, AllocOp)]
        self.loads = [each for each in own if isinstance(each, TmaLoadOp)]
        self.inside: dict[RoleOp, list[Operation]] = {role: [] for role in self.roles}
        """The operations of `ws` in each role, in the order of the program."""
        for each in own:
            if (role := role_of(each)) is not None:
                self.inside[role].append(each)
                if isinstance(each, HoldingOp):
                    self.rings[each.ring_op].holdings.append((role, each))
        if any(isinstance(each, AcquireOp) for each in own):
            self._add_token_ops(inside)
        used = {constant_value(each.number) for each in inside if isinstance(each, CtaBarrier)}
        self.barriers = NamedBarriers(
            [role for role in self.roles if self._has_barrier(role)],
            [each for each in BARRIER.values if each and each not in used],
        )

    def _has_barrier(self, role: RoleOp) -> bool:
        inside = self.inside[role]
        return role.warps_count > 1 and any(isinstance(op, _OF_THE_ROLE) for op in inside)

    def _add_token_ops(self, inside: Sequence[Operation]) -> None:
        for each in inside:
            if isinstance(each, MbarrierOp) or (role := role_of(each)) is None:
                continue
            for token in (value for value in each.operands if isinstance(value.type, TokenType)):
                if (holding := holding_of(token)) is not None:
                    self.rings[holding.ring_op].token_ops.append((role, each))


def specialized(kernel: KernelOp) -> WarpSpecializeOp | None:
    """The `ws.warp_specialize` of a kernel; None if it has none."""
    own = (op for block in kernel.body.blocks for op in block.ops)
    return next((op for op in own if isinstance(op, WarpSpecializeOp)), None)


def warp_specialized(module: ModuleOp) -> list[WarpSpecializeOp]:
    """The `ws.warp_specialize` of each kernel that has one."""
    kernels = (op for op in module.ops if isinstance(op, KernelOp))
    return [op for op in map(specialized, kernels) if op is not None]


def with_roles(kernel: KernelOp) -> KernelOp:
    """The kernel or, if it has the sequential form, a copy with roles and rings. Raises Refusal."""
    op = specialized(kernel)
    if op is None or not op.is_sequential:
        return kernel
    # Imported here, because few kernels have this form.
    from .partition import partition

    copy = kernel.clone()
    op = specialized(copy)
    assert op is not None
    partition(op)
    return copy


TILES, MATRIX = "tiles", "tensor_memory"
"""Names of the variable of all tiles in shared memory, and of the allocation of tensor memory."""
TMA_ALIGNMENT = TILE.alignment
"""Alignment in bytes of a tile that TMA copies."""


class Place(NamedTuple):
    """The memory of a buffer: its beginning in stage 0 and the distance to the next stage, in bytes
    of dynamic shared memory or in columns of tensor memory."""

    type: SharedTileType | TensorMemoryType
    start: int
    step: int
    stages: int

    @property
    def is_shared(self) -> bool:
        return isinstance(self.type, SharedTileType)


class Memory(NamedTuple):
    """The memory of a kernel: places by owner and index of the buffer; bytes of dynamic shared
    memory, their alignment, and the columns that are used."""

    places: Mapping[SSAValue, Sequence[Place]]
    shared_bytes: int
    alignment: int
    columns: int

    @property
    def allocated_columns(self) -> int:
        """The columns to allocate, 0 for none. More than exist if the kernel needs more."""
        if not self.columns:
            return 0
        sizes = sorted(ALLOCATIONS.values("columns"))
        return next((size for size in sizes if size >= self.columns), self.columns)


class Wanted(NamedTuple):
    """The buffers of a ring, or of a ws.alloc, and for how many stages there is memory."""

    owner: SSAValue
    stages: int
    buffers: Sequence[Attribute]


def memory_of(kernel: Kernel) -> Memory:
    """The memory of a kernel."""
    wanted = [Wanted(ring.ring, ring.stages, ring.ring.type.buffers.data) for ring in kernel.rings]
    wanted.extend(Wanted(each.buffer, _copies(each), [each.buffer.type]) for each in kernel.allocs)
    return arranged(wanted, kernel.op)


def arranged(wanted: Sequence[Wanted], op: WarpSpecializeOp) -> Memory:
    """The memory of some rings and buffers, those of the largest alignment first, and of the
    responses to requests for tiles."""
    places: dict[SSAValue, list[Place]] = {owner: [] for owner, _, _ in wanted}
    shared = columns = 0
    alignment = TMA_ALIGNMENT
    for owner, stages, buffers in sorted(wanted, key=lambda each: -_alignment(each[2])):
        for buffer in buffers:
            if isinstance(buffer, SharedTileType):
                own = _alignment([buffer])
                alignment = max(alignment, own)
                size = _rounded(buffer.size_bytes, own)
                shared = _rounded(shared, own)
                places[owner].append(Place(buffer, shared, size, stages))
                shared += size * stages
            elif isinstance(buffer, TensorMemoryType):
                size = buffer.footprint[1]
                columns = _rounded(columns, ATOM_COLUMNS if buffer.role.data == SCALE else 1)
                places[owner].append(Place(buffer, columns, size, stages))
                columns += size * stages
    if op.clc is not None:
        shared = _rounded(shared, TMA_ALIGNMENT) + RESPONSE_STAGES * RESPONSE_TILE.size_bytes
    return Memory(places, shared, alignment, columns)


def _copies(alloc: AllocOp) -> int:
    """The copies of a buffer of one role: one for each stage from which it is filled."""
    holdings = [op.holding for op in copies_to(alloc)]
    return max((each.ring_op.stages for each in holdings if each is not None), default=1)


def _alignment(buffers: Sequence[Attribute]) -> int:
    found = [each.alignment for each in buffers if isinstance(each, SharedTileType)]
    return max((*found, TMA_ALIGNMENT)) if found else 1


def _rounded(number: int, step: int) -> int:
    return -(-number // step) * step

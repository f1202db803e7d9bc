"""The passes `ws-sink-tiles` (tiles become loops in the roles), `ws-lower` (roles and rings become
`ptx`, `tcgen05`, `scf` and `arith`) and `tcgen05-lower-ws` (all lowerings of `ws`, in order)."""

from collections.abc import Sequence

from xdsl.context import Context
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import DenseArrayBase, IntegerAttr, ModuleOp, i16, i32
from xdsl.ir import Block, Region, SSAValue
from xdsl.passes import ModulePass

from tcgen05_dialect.isa.tensor_memory.alloc import WARP_LANES
from tcgen05_dialect.ptx import instructions as ptx
from tcgen05_dialect.ptx.kernel import KernelOp
from tcgen05_dialect.tcgen05.alloc import (
    AllocOp,
    DeallocOp,
    LoadAddressOp,
    RelinquishAllocPermitOp,
)
from tcgen05_dialect.ws.kernel import MATRIX, Kernel, warp_specialized
from tcgen05_dialect.ws.rings import MMA, HoldingOp
from tcgen05_dialect.ws.roles import (
    RoleOp,
    WarpSpecializeOp,
    first_warps,
    is_whole,
    registers_at_start,
)

from .support.conversion import without_functions
from .ws.context import KernelMemory, Pair, RolePlace, check_unrolled, erase, with_roles
from .ws.edges import barriers_of, fence
from .ws.emitter import Constants, Emitter, converge_lanes, move_before, prepend
from .ws.role import RoleLowering
from .ws.tiles import Tiles, fill, finish, request_tiles
from .ws_unroll_vectors import WsUnrollVectors


class _Frame:
    """The begin and the end of a kernel, and the choice of the role."""

    def __init__(self, op: WarpSpecializeOp) -> None:
        function = op.parent_op()
        assert isinstance(function, KernelOp)
        self.op, self.function = op, function
        if op.clc is not None:
            request_tiles(op)
        self.kernel = Kernel(op)
        self.constants = Constants()
        self.emit = Emitter(Block(), self.constants)
        self.emit.location = op.location
        self.memory = KernelMemory(self.kernel, function, self.emit)
        self.emit.location = op.location
        self.zero, self.all_lanes = self.emit.constant(0), self.emit.constant(-1)
        self.thread = self.emit.ptx(ptx.SpecialRegisterOp, properties={"register": "tid.x"}).d
        self.warp = self.emit.warp_of(self.thread)
        self.warp.name_hint = "warp"
        self.first_warps = first_warps(self.kernel.roles)
        self.barriers = dict(zip(*self.kernel.barriers, strict=False))
        self.threads, self.registers = op.threads, registers_at_start(self.kernel.roles)
        self.group = {"cta_group": IntegerAttr(op.ctas, i32)}
        self.pair = None if op.pair is None else self._pair()
        shares = any(use.sharings for use in self.kernel.rings.values())
        self.is_of_cluster = op.pair is not None or shares

    def _pair(self) -> Pair:
        """The place of this CTA in its pair."""
        emit = self.emit
        rank = emit.ptx(ptx.SpecialRegisterOp, properties={"register": "cluster_ctarank"}).d
        number = emit.binary(arith.AndIOp, rank, 1)
        leader = emit.minus(rank, number)
        mask = emit.binary(arith.ShLIOp, 3, leader)
        is_leader = emit.compare("eq", number, 0)
        is_leader.name_hint = "is_leader"
        narrow = emit.compute(arith.TruncIOp, [mask], i16)
        return Pair(number, leader, is_leader, narrow)

    def lower(self) -> None:
        """Replace the operation, and the rings of the kernel."""
        allocates = self._begin()
        self._roles([*self.first_warps])
        self._end(allocates)
        own = self.op.body.block.ops
        move_before((each for each in own if not isinstance(each, RoleOp)), self.op)
        for role in [*own]:
            role.detach()
        self.constants.prepend(self.emit.block)
        move_before(self.emit.block.ops, self.op)
        erase(self.op)
        for ring in [*self.kernel.rings, *self.kernel.allocs]:
            erase(ring)
        properties = self.function.properties
        properties["reqntid"] = DenseArrayBase.from_list(i32, [self.threads])
        if any(role.registers_count is not None for role in self.kernel.roles):
            # ptxas ignores setmaxnreg unless it knows the number at the start.
            properties["maxnreg"] = IntegerAttr(self.registers, i32)

    def _begin(self) -> SSAValue | None:
        """Append the first operations; return whether this warp allocates tensor memory."""
        emit = self.emit
        with emit.when(emit.compare("eq", self.warp, 0)):
            elected = emit.ptx(ptx.ElectSyncOp, {"mask": (self.all_lanes,)}).elected
            with emit.when(elected):
                self._initialise()
            emit.ptx(ptx.BarWarpSyncOp, {"mask": (self.all_lanes,)})
        if self.is_of_cluster:
            self._sync()
        allocates = None
        memory = self.memory
        if memory.slot is not None:
            allocates = emit.compare("eq", self.warp, self._allocating_warp())
            columns = emit.constant(memory.sizes.allocated_columns)
            with emit.when(allocates):
                emit.make(AllocOp, [memory.slot, columns], (), self.group)
                emit.make(RelinquishAllocPermitOp, properties=self.group)
            fence(self.emit, "before_thread_sync")
        emit.ptx(ptx.BarSyncOp, {"barrier": (self.zero,)})
        if memory.slot is not None:
            fence(self.emit, "after_thread_sync")
            load = emit.make(LoadAddressOp, [memory.slot], [memory.matrix_type])
            memory.matrix = load.address
            memory.matrix.name_hint = MATRIX
        return allocates

    def _initialise(self) -> None:
        """Append what one thread initialises."""
        emit = self.emit
        for ring, use in self.kernel.rings.items():
            if use.is_stored:
                continue
            emit.location = ring.location
            counts = barriers_of(use, self.op)
            for stage in range(ring.stages):
                for side, count in zip(("full", "empty"), counts, strict=True):
                    barrier = self.memory.barrier(emit, ring, side, stage)
                    operands = {"address": (barrier,), "count": (emit.constant(count),)}
                    emit.ptx(ptx.MbarrierInitOp, operands)
        emit.location = self.op.location
        emit.ptx(ptx.FenceMbarrierInitOp)
        emit.ptx(ptx.FenceProxyAsyncOp, properties={"space": "shared::cta"})
        for tensor_map in dict.fromkeys(each.tensor_map for each in self.kernel.loads):
            emit.ptx(ptx.PrefetchTensormapOp, {"tensor_map": (tensor_map,)})

    def _allocating_warp(self) -> int:
        """The first warp of the first role that issues MMAs, or else of the first role."""
        roles = self.kernel.roles
        issuing = [role for role in roles if self._issues(role)]
        return self.first_warps[(issuing or roles)[0]]

    def _issues(self, role: RoleOp) -> bool:
        inside = self.kernel.inside[role]
        return any(isinstance(each, HoldingOp) and each.kind == MMA for each in inside)

    def _roles(self, roles: Sequence[RoleOp]) -> None:
        """Append the choice among the roles, roles of whole warpgroups first."""
        emit = self.emit
        if not roles:
            return
        role, others = roles[0], roles[1:]
        emit.location = role.location
        sharing = [each for each in self.first_warps if not is_whole(each)]
        if sharing and role is sharing[0]:
            self._set_registers(role)
        first, warps = self.first_warps[role], role.warps_count
        if warps == 1:
            is_role = emit.compare("eq", self.warp, first)
        else:
            is_role = emit.compare("ult", emit.plus(self.warp, -first), warps)
        if role.leader is not None and self.pair is not None:
            is_role = emit.both(is_role, self.pair.is_leader)
        is_role.name_hint = f"is_{role.sym_name.data}"
        otherwise = Block()
        with emit.inside(otherwise):
            self._roles(others)
            emit.make(scf.YieldOp)
        emit.location = role.location
        thread = emit.plus(self.thread, -WARP_LANES * first)
        if role.thread is not None:
            role.thread.replace_all_uses_with(thread)
        warp, barrier = emit.plus(self.warp, -first), self.barriers.get(role)
        whole = (role, self.kernel, self.memory, self.constants)
        body = RoleLowering(RolePlace(*whole, warp, barrier, self.pair)).lower()
        head = Block()
        with emit.inside(head):
            if is_whole(role):
                self._set_registers(role)
        prepend(head, body)
        with emit.inside(body):
            emit.make(scf.YieldOp)
        regions = [Region(body), Region(otherwise) if others else Region()]
        emit.make(scf.IfOp, [is_role], regions=regions)

    def _set_registers(self, role: RoleOp) -> None:
        """Append the number of registers of a role, for all warps of its warpgroup."""
        if (number := role.registers_count) is not None:
            action = "inc" if number > self.registers else "dec"
            self.emit.ptx(ptx.SetmaxnregOp, properties={"action": action, "registers": number})

    def _end(self, allocates: SSAValue | None) -> None:
        """Append the end."""
        emit = self.emit
        emit.location = self.op.location
        if allocates is not None:
            fence(self.emit, "before_thread_sync")
        self._sync()
        if allocates is not None:
            assert self.memory.matrix is not None
            with emit.when(allocates):
                fence(self.emit, "after_thread_sync")
                columns = emit.constant(self.memory.sizes.allocated_columns)
                emit.make(DeallocOp, [self.memory.matrix, columns], (), self.group)

    def _sync(self) -> None:
        """Append a barrier of the CTA or, if its CTAs exchange data, of the cluster."""
        if not self.is_of_cluster:
            self.emit.ptx(ptx.BarSyncOp, {"barrier": (self.zero,)})
        else:
            self.emit.ptx(ptx.BarrierClusterArriveOp, properties={"aligned": "aligned"})
            self.emit.ptx(ptx.BarrierClusterWaitOp, properties={"aligned": "aligned"})


class WsLower(ModulePass):
    """Lowers roles to branches on the number of the warp, and regions of rings to waits, arrivals
    and the instructions between. Runs after `ws-sink-tiles` and `ws-unroll-vectors`."""

    name = "ws-lower"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        without_functions(op)
        found = with_roles(op, self.name)
        for each in found:
            check_unrolled(each, self.name)
        for each in found:
            for role in each.roles:
                converge_lanes(role)
            _Frame(each).lower()


def _sink(op: WarpSpecializeOp) -> None:
    head = Block()
    emit = Emitter(head, Constants())
    emit.location = op.location
    tiles = Tiles(op, emit)
    if op.persistent is None:
        _replace(op, tiles.of_position())
    else:
        total = tiles.total
        bounds = (*tiles.own_block(), total)
        for role in op.roles:
            _sink_into(role, op, bounds, tiles, emit.constants)
    finish(op, head, emit.constants)


def _replace(op: WarpSpecializeOp, indices: list[SSAValue]) -> None:
    for argument, index in zip([*op.indices], indices, strict=True):
        index.name_hint = argument.name_hint
        argument.replace_all_uses_with(index)
        op.body.block.erase_arg(argument)


def _sink_into(
    role: RoleOp,
    op: WarpSpecializeOp,
    bounds: tuple[SSAValue, SSAValue, SSAValue],
    tiles: Tiles,
    constants: Constants,
) -> None:
    """Put a loop over the tiles of this CTA into a role, with the values that depend on them."""
    body = Block(arg_types=[i32])
    emit = Emitter(body, constants)
    emit.location = op.location
    number = body.args[0]
    number.name_hint = "tile"
    fill(emit, op, [*role.body.block.ops], tiles.numbered(emit, number))
    emit.location = op.location
    emit.make(scf.YieldOp)
    first, step, end = bounds
    with emit.inside(role.body.block):
        emit.make(scf.ForOp, [first, end, step], regions=[Region(body)])


class WsSinkTiles(ModulePass):
    """
    Replaces the tiles of `ws.warp_specialize` by the position of the CTA in the grid or, if the
    kernel is persistent, by a loop over tiles in each role. With `clc`, `ws-lower` makes this loop,
    because the requests for tiles need barrier objects.
    """

    name = "ws-sink-tiles"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        without_functions(op)
        for each in with_roles(op, self.name):
            if each.sizes and each.clc is None:
                _sink(each)


class LowerWs(ModulePass):
    """Lowers warp-specialised kernels to `ptx`, `tcgen05`, `scf` and `arith`."""

    name = "tcgen05-lower-ws"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        without_functions(op)
        if any(each.is_sequential for each in warp_specialized(op)):
            # Imported here, because few kernels have this form.
            from .ws_partition import WsPartition

            WsPartition().apply(ctx, op)
        for each in (WsSinkTiles(), WsUnrollVectors(), WsLower()):
            each.apply(ctx, op)

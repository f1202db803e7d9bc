"""The lowering of one role: it waits for stages, issues and arrives."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from xdsl.dialects import arith, scf
from xdsl.ir import Block, Operation, SSAValue

from tcgen05_dialect.ptx.analysis.control_flow import operations_in
from tcgen05_dialect.ptx.instructions import BarWarpSyncOp
from tcgen05_dialect.tcgen05.types import TensorMemoryType
from tcgen05_dialect.ws.base import AddressOp
from tcgen05_dialect.ws.copies import TmemCopyOp, copies_to
from tcgen05_dialect.ws.kernel import Kernel, inside_of
from tcgen05_dialect.ws.products import MmaOp
from tcgen05_dialect.ws.regions import (
    AcquireOp,
    ConsumeOp,
    ConsumerReleaseOp,
    ConsumerWaitOp,
    EndOp,
    HoldOp,
    MbarrierOp,
    ProduceOp,
    ProducerAcquireOp,
    ProducerCommitOp,
    YieldOp,
)
from tcgen05_dialect.ws.rings import THREADS, HoldingOp, RingOp
from tcgen05_dialect.ws.roles import ElectedOp, RoleBarrierOp, RoleOp
from tcgen05_dialect.ws.tiles import TryCancelOp
from tcgen05_dialect.ws.tma import TmaLoadOp, TmaStoreOp

from . import edges, issue
from .context import KernelMemory, Pair, RolePlace, erase, place_copies, place_matrix
from .control_flow import ControlFlow, replace_all
from .emitter import Constants, is_of_one_lane, prepend


class RoleLowering(ControlFlow):
    """Lowers a role into a new block."""

    def __init__(
        self,
        role: RoleOp,
        kernel: Kernel,
        memory: KernelMemory,
        constants: Constants,
        place: RolePlace,
        pair: Pair | None,
    ) -> None:
        self.holdings = [op for op in kernel.inside[role] if isinstance(op, HoldingOp)]
        one_lane = is_of_one_lane(role, self.holdings, kernel)
        super().__init__(role, kernel, memory, constants, place, pair, one_lane)
        uses_tokens = any(isinstance(op, AcquireOp) for op in self.holdings)
        self._work = edges.Work.of(role) if uses_tokens else edges.NO_WORK

    def lower(self) -> Block:
        """The operations of the role."""
        for holding in self.holdings:
            self._begin(holding)
        block = self.role.body.block
        with self.emit.inside(self.head.block):
            for alloc in self.kernel.allocs:
                if isinstance(alloc.buffer.type, TensorMemoryType) and not copies_to(alloc):
                    place_matrix(self, alloc, self.zero, partial(inside_of, outer=self.role))
        if self.on_one_lane:
            with self.emit.when(self.elected):
                self.operations(block)
                self._tail()
            self.emit.ptx(BarWarpSyncOp, {"mask": (self.all_lanes,)})
        else:
            self.operations(block)
            self.emit.location = self.role.location
            if any(self.kernel.rings[op.ring_op].is_stored for op in self.holdings):
                edges.wait_for_stores(self)
            self._tail()
        body = self.emit.block
        prepend(self.head.block, body)
        return body

    def _begin(self, holding: HoldingOp) -> None:
        """The state of a ring before its first stage is taken."""
        ring = holding.ring
        produces = holding.SIDE == "produce"
        if ("phase", ring) not in self.state:
            # The phase before the first one counts as complete, so a producer begins at once.
            self.state["phase", ring] = self.head.constant(int(produces))
            if holding.ring_op.stages > 1:
                self.state["stage", ring] = self.zero

    def _tail(self) -> None:
        """Append the wait for the last stages that the role has produced: no arrival of another CTA
        may meet a CTA that has ended."""
        produced = {op.ring_op: None for op in self.holdings if op.SIDE == "produce"}
        self.emit.location = self.role.location
        for ring in produced:
            use = self.kernel.rings[ring]
            if not use.is_stored and (self.pair is not None or use.sharings):
                for _ in range(ring.stages):
                    stage = self.state.get(("stage", ring.ring), self.zero)
                    edges.wait(self, ring, "empty", stage, self.state["phase", ring.ring])
                    self._advance(ring)

    def operations(self, block: Block) -> None:
        """Lower the operations of a block, without its terminator."""
        for op in operations_in(block):
            if type(op) not in _ENDS:
                self.operation(op)

    def operation(self, op: Operation) -> None:
        """Append the lowering of an operation."""
        self.emit.location = op.location
        lower = _LOWERINGS.get(type(op))
        if lower is None or (type(op) in _CONTROL_FLOW and self.keeps(op)):
            self._keep(op)
        else:
            lower(self, op)

    def _keep(self, op: Operation) -> None:
        """Append an operation that takes no stage; operations in its regions may use buffers."""
        self.emit.move(op)
        for region in op.regions:
            for block in region.blocks:
                inner = operations_in(block)
                with self.emit.inside(block):
                    for each in inner:
                        self.operation(each)

    # Regions.

    def hold(self, op: HoldOp) -> None:
        """Lower a region: wait, work, hand over."""
        work = edges.Work.of(op) if op.kind == THREADS else edges.NO_WORK
        end = op.end
        stage = self._wait(op, work)
        buffers = self.stages.hold(op, stage)
        place_copies(self, op, stage)
        self.operations(op.body.block)
        self.emit.location = op.location
        replace_all(op.results, end.operands)
        edges.Release(op, work).emit(self, stage)
        self._advance(op.ring_op)
        for buffer in buffers:
            self.state.pop(("written", buffer), None)
        op.detach()
        op.drop_all_references()

    def acquire(self, op: AcquireOp) -> None:
        """Lower the start of a stage that a token holds."""
        stage = self._wait(op, self._work)
        self.stages.take(op, self._work, stage)
        place_copies(self, op, stage)
        self._advance(op.ring_op)
        op.detach()
        op.drop_all_references()

    def _wait(self, op: HoldingOp, work: edges.Work) -> SSAValue:
        """Append the wait for the next stage of a ring, and return the number of the stage."""
        stage = self.state.get(("stage", op.ring), self.zero)
        edges.acquire(self, op, work, stage, self.state["phase", op.ring])
        return stage

    def end(self, op: EndOp) -> None:
        """Lower the end of a stage that is held by a token."""
        self.stages.end(op.token)
        erase(op)

    def barrier_address(self, op: MbarrierOp) -> None:
        """Lower the address of a barrier object of a stage."""
        holding, stage = self.stages.stage(op.token)
        address, _ = self.shared_barrier(holding.ring_op, op.barrier.data, stage)
        op.address.replace_all_uses_with(address)
        erase(op)

    def _advance(self, ring: RingOp) -> None:
        """The next stage of a ring, and its phase."""
        if ring in self.constant_rings:
            return
        emit, value = self.emit, ring.ring
        phase = self.state["phase", value]
        if ring.stages == 1:
            self.carry(("phase", value), emit.binary(arith.XOrIOp, phase, 1))
            return
        following = emit.plus(self.state["stage", value], 1)
        wraps = emit.compare("eq", following, ring.stages)
        self.carry(("stage", value), emit.select(wraps, 0, following))
        flipped = emit.binary(arith.XOrIOp, phase, 1)
        self.carry(("phase", value), emit.select(wraps, flipped, phase))

    # Operations on buffers.

    def address(self, op: AddressOp) -> None:
        """Lower the address of a tile."""
        held = self.place_of(op.tile)
        address = self.memory.address(self.emit, held.place, held.stage)
        op.result.replace_all_uses_with(address)
        erase(op)

    def elected_region(self, op: ElectedOp) -> None:
        """Lower what one thread executes."""
        with self.one_thread():
            self.operations(op.body.block)
        self.emit.location = op.location
        self.sync_warp()
        erase(op)

    def barrier(self, op: RoleBarrierOp) -> None:
        """Lower a barrier of the threads of the role."""
        self.sync_role()
        erase(op)


_ENDS = frozenset({scf.YieldOp, scf.ConditionOp, YieldOp})
_CONTROL_FLOW = frozenset({scf.ForOp, scf.IfOp, scf.WhileOp})
_LOWERINGS: Mapping[type[Operation], Callable[[RoleLowering, Any], None]] = {
    ProduceOp: RoleLowering.hold,
    ConsumeOp: RoleLowering.hold,
    ProducerAcquireOp: RoleLowering.acquire,
    ConsumerWaitOp: RoleLowering.acquire,
    ProducerCommitOp: RoleLowering.end,
    ConsumerReleaseOp: RoleLowering.end,
    MbarrierOp: RoleLowering.barrier_address,
    scf.ForOp: RoleLowering.loop,
    scf.IfOp: RoleLowering.conditional,
    scf.WhileOp: RoleLowering.repeated,
    AddressOp: RoleLowering.address,
    ElectedOp: RoleLowering.elected_region,
    RoleBarrierOp: RoleLowering.barrier,
    TmaLoadOp: issue.load,
    TmaStoreOp: issue.store,
    MmaOp: issue.multiply,
    TmemCopyOp: issue.copy,
    TryCancelOp: issue.request,
}

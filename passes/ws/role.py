"""The lowering of one role: it waits for stages, issues copies and matrix products, and arrives."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import i1, i32, i128
from xdsl.ir import Attribute, Block, Operation, SSAValue

from tcgen05_dialect.isa.instructions.barriers import EVERY_CTA
from tcgen05_dialect.isa.instructions.copies import COPIED_ROWS
from tcgen05_dialect.isa.tensor_memory.alloc import LANES
from tcgen05_dialect.ptx import instructions as ptx
from tcgen05_dialect.ptx.analysis.control_flow import operations_in
from tcgen05_dialect.ptx.instruction import segment_sizes
from tcgen05_dialect.ptx.instructions import BarWarpSyncOp
from tcgen05_dialect.tcgen05.copies import CpOp
from tcgen05_dialect.tcgen05.descriptor import AdvanceOp, DescriptorOp, TileOp
from tcgen05_dialect.tcgen05.dialect import TCGEN05
from tcgen05_dialect.tcgen05.mma_base import MatrixProduct
from tcgen05_dialect.tcgen05.types import (
    InstructionDescriptorAttr,
    SharedMemoryDescriptorType,
    TensorMemoryType,
)
from tcgen05_dialect.ws.base import AddressOp, SharedTileType
from tcgen05_dialect.ws.boxes import TryCancelOp
from tcgen05_dialect.ws.copies import TmemCopyOp, copies_to
from tcgen05_dialect.ws.kernel import Place
from tcgen05_dialect.ws.products import Instructions, MmaOp, Step
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
from tcgen05_dialect.ws.roles import ElectedOp, RoleBarrierOp
from tcgen05_dialect.ws.tma import TmaLoadOp, TmaStoreOp
from tcgen05_dialect.xdsl_support.attributes import integer, text

from . import edges
from .context import RoleContext, RolePlace, erase, place_copies, place_matrix
from .control_flow import ControlFlow, replace_all
from .emitter import Emitter, Value, known, prepend
from .memory_access import slice_of

Operands = Mapping[str, Sequence[SSAValue]]


def _copies(role: RoleContext, op: TmaLoadOp | TmaStoreOp, shared: str) -> Iterator[Operands]:
    """The operands of the copy of each box; `shared` is the operand in shared memory."""
    emit, held = role.emit, role.place_of(op.tile)
    tile = role.memory.address(emit, held.place, held.stage)
    places = op.mixed_indices
    if role.pair is not None:
        places = [
            emit.plus(emit.times(index, 2), role.pair.number) if is_half else index
            for index, is_half in zip(op.mixed_indices, op.is_half, strict=True)
        ]
    *outer, row, column = [0, *places] if op.rows else places
    if op.elements is None:
        rows, columns = op.tile.type.extents
        row, column = emit.times(row, rows), emit.times(column, columns)
    inner = [emit.constant(0)] * (len(op.box.extents) - len(outer) - 2)
    boxes = op.boxes
    if isinstance(op, TmaLoadOp) and (sharing := op.sharing) is not None:
        boxes, distance = op.part
        head, position = role.head, role.cluster.position(sharing)
        row, column, tile = (
            emit.plus(each, head.times(position, step)) if step else emit.value(each)
            for each, step in zip((row, column, tile), distance, strict=True)
        )
    for box in boxes:
        rows = op.rows[box.row :][:COPIED_ROWS] or [emit.plus(row, box.row)]
        place = emit.plus(column, box.column), *rows
        yield {
            shared: (emit.plus(tile, box.byte),),
            "tensor_map": (op.tensor_map,),
            "coordinates": (*inner, *place, *(emit.value(each) for each in reversed(outer))),
        }


def _load(role: RoleContext, op: TmaLoadOp) -> None:
    """Lower the load of a tile: one copy for each of its boxes."""
    held = role.place_of(op.tile)
    assert held.ring is not None
    load_type = ptx.CpAsyncBulkTensorGather4Op if op.rows else ptx.CpAsyncBulkTensorLoadOp
    with role.one_thread():
        full, is_remote = role.shared_barrier(held.ring, "full", held.stage)
        group = {"cta_group": "cta_group::2"} if is_remote else {}
        given: dict[str, Sequence[SSAValue]] = {"mbarrier": (full,)}
        if (sharing := op.sharing) is not None:
            given["multicast_mask"] = (role.cluster.mask((sharing,), of_pair=False),)
        for operands in _copies(role, op, "destination"):
            role.emit.ptx(load_type, {**operands, **given}, group)
    erase(op)


def _request(role: RoleContext, op: TryCancelOp) -> None:
    """Lower the request for a tile, which one CTA of the cluster makes for all, and the wait for
    the response. The role runs on one lane."""
    emit, held = role.emit, role.place_of(op.tile)
    assert held.ring is not None and role.on_one_lane
    sharings = role.kernel.rings[held.ring].sharings
    address = role.memory.address(emit, held.place, held.stage)
    full, _ = role.shared_barrier(held.ring, "full", held.stage)
    operands = {"address": (address,), "mbarrier": (full,)}
    if sharings:
        with emit.when(role.cluster.is_first):
            emit.ptx(ptx.ClusterlaunchcontrolTryCancelOp, operands, {"multicast": EVERY_CTA})
    else:
        emit.ptx(ptx.ClusterlaunchcontrolTryCancelOp, operands)
    phase = emit.binary(arith.XOrIOp, role.state["phase", held.ring.ring], 1)
    edges.wait(role, held.ring, "full", held.stage, phase)
    load = emit.ptx(
        ptx.LdOp, {"address": (address,)}, {"space": "shared::cta", "type": "b128"}, [i128]
    )
    more = emit.ptx(ptx.ClusterlaunchcontrolIsCanceledOp, {"response": (load.results[0],)}).d
    op.more.replace_all_uses_with(more)
    emit.ptx(ptx.FenceProxyAsyncOp, properties={"space": "shared::cta"})
    edges.arrive(role, held.ring, "empty", held.stage)
    erase(op)


def _store(role: RoleContext, op: TmaStoreOp) -> None:
    """Lower the store of a tile, after all threads of the role have written it."""
    emit = role.emit
    emit.ptx(ptx.FenceProxyAsyncOp, properties={"space": "shared::cta"})
    role.sync_role()
    with role.one_thread():
        for operands in _copies(role, op, "source"):
            if op.rows:
                emit.ptx(ptx.CpAsyncBulkTensorScatter4Op, operands)
            elif op.reduction is None:
                emit.ptx(ptx.CpAsyncBulkTensorStoreOp, operands)
            else:
                properties = {"operation": op.reduction}
                emit.ptx(ptx.CpReduceAsyncBulkTensorOp, operands, properties)
        emit.ptx(ptx.CpAsyncBulkCommitGroupOp)
    role.sync_warp()
    erase(op)


def _copy(role: RoleContext, op: TmemCopyOp) -> None:
    """Lower the copy of a tile to tensor memory: one instruction for each of its blocks."""
    emit, blocks = role.emit, op.tile.type.blocks
    source, shape = blocks.source, blocks.shape
    part_type = TensorMemoryType.get(LANES, shape.columns, i32)
    properties: dict[str, Attribute] = {
        "cta_group": integer(role.ctas),
        "shape": text(shape.name),
    }
    if blocks.multicast is not None:
        properties["multicast"] = text(blocks.multicast)
    held = role.place_of(op.tile)
    with role.one_thread():
        stage = emit.times(held.stage, held.place.step // blocks.block_bytes)
        for block in blocks.all():
            index = emit.plus(stage, block.byte // blocks.block_bytes)
            tile = _descriptor(role, held.place, source, index)
            part = slice_of(emit, op.matrix, 0, block.column, part_type)
            emit.make(CpOp, [part, tile], (), properties)
    erase(op)


def _multiply(role: RoleContext, op: MmaOp) -> None:
    """Lower a product of tiles: one instruction for each step along K."""
    emit, product = role.emit, op.instructions(role.ctas)
    key = ("written", op.d)
    read = op.read
    with role.one_thread():
        tiles = {
            name: _descriptor(role, held.place, type_.descriptor, held.stage)
            for name, each in read.items()
            if isinstance(type_ := each.type, SharedTileType) and (held := role.place_of(each))
        }
        accumulate = op.accumulate or role.state[key]
        true = role.head.constant(1, i1)
        for at, step in enumerate(product.steps):
            operands = {"d": op.d, "enable_input_d": true if at else accumulate}
            for name, matrix in read.items():
                if name in tiles:
                    operands[name] = _advanced(emit, tiles[name], *step.tiles[name])
                else:
                    operands[name] = slice_of(emit, matrix, 0, *step.slices[name])
            _issue(emit, product, step, role.ctas, operands)
    if key in role.state:
        role.state[key] = role.head.constant(1, i1)
    erase(op)


def _descriptor(
    role: RoleContext, place: Place, type_: SharedMemoryDescriptorType, index: Value
) -> SSAValue:
    """The descriptor of a tile by its number in the memory of a buffer; that of the first one is
    made at the beginning of the role."""
    key = place, type_
    first = role.descriptors.get(key)
    if first is None:
        head = role.head
        address = role.memory.address(head, place, 0)
        first = role.descriptors[key] = head.make(DescriptorOp, [address], [type_]).result
    if known(index) == 0:
        return first
    return role.emit.compute(TileOp, [first, role.emit.value(index)], type_)


def _advanced(emit: Emitter, tile: SSAValue, k: int, type_: SharedMemoryDescriptorType) -> SSAValue:
    return tile if k == 0 else emit.compute(AdvanceOp, [tile], type_, {"k": integer(k)})


def _issue(
    emit: Emitter,
    product: Instructions,
    step: Step,
    ctas: int,
    operands: Mapping[str, SSAValue],
) -> None:
    """Append an instruction; `operands` has the matrices and the condition by name."""
    op_type = _PRODUCTS[product.product.name]
    names = [name for name, _ in op_type.get_irdl_definition().operands]
    properties: dict[str, Attribute] = {
        "idesc": InstructionDescriptorAttr(step.idesc),
        "cta_group": integer(ctas),
    }
    if product.scale_vectorsize is not None:
        properties["scale_vectorsize"] = text(product.scale_vectorsize)
    if not product.product.scaled:
        # Other optional operands are those of products without scale factors.
        properties["operandSegmentSizes"] = segment_sizes(tuple(int(n in operands) for n in names))
    given = [operands[name] for name in names if name in operands]
    emit.make(op_type, given, (), properties)


_PRODUCTS: Mapping[str, type[MatrixProduct]] = {
    each.name: each for each in TCGEN05.operations if issubclass(each, MatrixProduct)
}


class RoleLowering(ControlFlow):
    """Lowers a role into a new block."""

    def __init__(self, place: RolePlace) -> None:
        super().__init__(place)
        uses_tokens = any(isinstance(op, AcquireOp) for op in self.holdings)
        self._work = edges.Work.of(self.role) if uses_tokens else edges.NO_WORK

    def lower(self) -> Block:
        """The operations of the role."""
        for holding in self.holdings:
            self._begin(holding)
        block = self.role.body.block
        with self.emit.inside(self.head.block):
            for alloc in self.kernel.allocs:
                if isinstance(alloc.buffer.type, TensorMemoryType) and not copies_to(alloc):
                    place_matrix(self, alloc, self.zero, self.role.is_ancestor)
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
    TmaLoadOp: _load,
    TmaStoreOp: _store,
    MmaOp: _multiply,
    TmemCopyOp: _copy,
    TryCancelOp: _request,
}

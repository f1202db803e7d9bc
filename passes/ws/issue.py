"""The instructions that one thread issues: copies by TMA, and matrix products."""

from collections.abc import Iterator, Mapping, Sequence

from xdsl.dialects import arith
from xdsl.dialects.builtin import i1, i32, i128
from xdsl.ir import Attribute, SSAValue

from tcgen05_dialect.isa.instructions.barriers import EVERY_CTA
from tcgen05_dialect.isa.instructions.copies import COPIED_ROWS
from tcgen05_dialect.isa.tensor_memory.alloc import LANES
from tcgen05_dialect.ptx import instructions as ptx
from tcgen05_dialect.ptx.instruction import segment_sizes
from tcgen05_dialect.tcgen05.copies import CpOp
from tcgen05_dialect.tcgen05.descriptor import AdvanceOp, DescriptorOp, TileOp
from tcgen05_dialect.tcgen05.dialect import TCGEN05
from tcgen05_dialect.tcgen05.mma_base import MatrixProduct
from tcgen05_dialect.tcgen05.types import (
    InstructionDescriptorAttr,
    SharedMemoryDescriptorType,
    TensorMemoryType,
)
from tcgen05_dialect.ws.base import SharedTileType
from tcgen05_dialect.ws.copies import TmemCopyOp
from tcgen05_dialect.ws.kernel import Place
from tcgen05_dialect.ws.products import Instructions, MmaOp, Step
from tcgen05_dialect.ws.tiles import TryCancelOp
from tcgen05_dialect.ws.tma import TmaLoadOp, TmaStoreOp
from tcgen05_dialect.xdsl_support.attributes import integer, text

from .context import RoleContext, erase
from .edges import arrive, wait
from .emitter import Emitter, Value, known
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


def load(role: RoleContext, op: TmaLoadOp) -> None:
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


def request(role: RoleContext, op: TryCancelOp) -> None:
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
    wait(role, held.ring, "full", held.stage, phase)
    load = emit.ptx(
        ptx.LdOp, {"address": (address,)}, {"space": "shared::cta", "type": "b128"}, [i128]
    )
    more = emit.ptx(ptx.ClusterlaunchcontrolIsCanceledOp, {"response": (load.results[0],)}).d
    op.more.replace_all_uses_with(more)
    emit.ptx(ptx.FenceProxyAsyncOp, properties={"space": "shared::cta"})
    arrive(role, held.ring, "empty", held.stage)
    erase(op)


def store(role: RoleContext, op: TmaStoreOp) -> None:
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


def copy(role: RoleContext, op: TmemCopyOp) -> None:
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


def multiply(role: RoleContext, op: MmaOp) -> None:
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

"""The instructions that one thread issues: copies by TMA, and matrix products."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from xdsl.dialects.builtin import IntegerAttr, i1, i32
from xdsl.ir import SSAValue

from tcgen05_dialect.ptx.bulk_copy import (
    CpAsyncBulkCommitGroupOp,
    CpAsyncBulkTensorLoadOp,
    CpAsyncBulkTensorStoreOp,
)
from tcgen05_dialect.ptx.instruction import segment_sizes
from tcgen05_dialect.ptx.synchronization import FenceProxyAsyncOp
from tcgen05_dialect.tcgen05 import mma as tcgen05
from tcgen05_dialect.tcgen05.attributes import InstructionDescriptorAttr
from tcgen05_dialect.tcgen05.descriptor import AdvanceOp, DescriptorOp, TileOp
from tcgen05_dialect.tcgen05.types import SharedMemoryDescriptorType, TensorMemoryType
from tcgen05_dialect.ws.mma import Instructions, MmaOp
from tcgen05_dialect.ws.tma import TmaLoadOp, TmaStoreOp
from tcgen05_dialect.ws.types import SharedTileType

from .context import Held, RoleContext
from .emitter import Emitter, known
from .memory import erase
from .memory_access import slice_of

Operands = Mapping[str, Sequence[SSAValue]]


def _copies(role: RoleContext, op: TmaLoadOp | TmaStoreOp, shared: str) -> Iterator[Operands]:
    """The operands of the copy of each box; `shared` is the operand in shared memory."""
    emit, held = role.emit, role.place_of(op.tile)
    tile = role.memory.address(emit, held.place, held.stage)
    *outer, row, column = op.mixed_indices
    if role.pair is not None:
        *outer, row, column = (
            emit.plus(emit.times(index, 2), role.pair.number) if is_half else index
            for index, is_half in zip(op.mixed_indices, op.is_half, strict=True)
        )
    if op.elements is None:
        rows, columns = op.tile.type.extents
        row, column = emit.times(row, rows), emit.times(column, columns)
    for box in op.boxes:
        place = emit.plus(column, box.column), emit.plus(row, box.row)
        yield {
            shared: (emit.plus(tile, box.byte),),
            "tensor_map": (op.tensor_map,),
            "coordinates": (*place, *(emit.value(each) for each in reversed(outer))),
        }


def load(role: RoleContext, op: TmaLoadOp) -> None:
    """Lower the load of a tile: one copy for each of its boxes."""
    held = role.place_of(op.tile)
    assert held.ring is not None
    with role.one_thread():
        full, is_remote = role.shared_barrier(held.ring, "full", held.stage)
        group = {"cta_group": "cta_group::2"} if is_remote else {}
        for operands in _copies(role, op, "destination"):
            role.emit.ptx(CpAsyncBulkTensorLoadOp, {**operands, "mbarrier": (full,)}, group)
    erase(op)


def store(role: RoleContext, op: TmaStoreOp) -> None:
    """Lower the store of a tile, after all threads of the role have written it."""
    emit = role.emit
    emit.ptx(FenceProxyAsyncOp, properties={"space": "shared::cta"})
    role.sync_role()
    with role.one_thread():
        for operands in _copies(role, op, "source"):
            emit.ptx(CpAsyncBulkTensorStoreOp, operands)
        emit.ptx(CpAsyncBulkCommitGroupOp)
    role.sync_warp()
    erase(op)


def multiply(role: RoleContext, op: MmaOp) -> None:
    """Lower a product of tiles: one instruction for each step along K."""
    emit, product = role.emit, op.instructions(role.ctas)
    key = ("written", op.d)
    with role.one_thread():
        a = None if isinstance(op.a.type, TensorMemoryType) else _descriptor(role, op.a)
        b = _descriptor(role, op.b)
        accumulate = op.accumulate or role.state[key]
        true = role.head.constant(1, i1)
        for step in range(product.count):
            k = step * product.k
            a_step = _matrix_step(emit, op.a, product, k) if a is None else _advanced(emit, a, k)
            b_step = _advanced(emit, b, k)
            matrices = op.d, a_step, b_step
            _issue(emit, product, role.ctas, matrices, true if step else accumulate)
    if op.accumulate is None:
        role.state[key] = role.head.constant(1, i1)
    erase(op)


def _descriptor(role: RoleContext, tile: SSAValue) -> SSAValue:
    """The descriptor of a tile; that of the first stage is made at the beginning of the role."""
    type_ = tile.type
    assert isinstance(type_, SharedTileType)
    held: Held = role.place_of(tile)
    key = held.place, type_
    first = role.descriptors.get(key)
    if first is None:
        head = role.head
        address = role.memory.address(head, held.place, 0)
        op = DescriptorOp.create(operands=[address], result_types=[type_.descriptor])
        first = role.descriptors[key] = head.add(op).result
    if known(held.stage) == 0:
        return first
    op = TileOp.create(operands=[first, held.stage], result_types=[type_.descriptor])
    return role.emit.add(op).result


def _advanced(emit: Emitter, tile: SSAValue, k: int) -> SSAValue:
    if k == 0:
        return tile
    type_ = tile.type
    assert isinstance(type_, SharedMemoryDescriptorType)
    op = AdvanceOp.create(
        operands=[tile], properties={"k": IntegerAttr(k, i32)}, result_types=[type_.at(k)]
    )
    return emit.add(op).result


def _matrix_step(emit: Emitter, a: SSAValue, product: Instructions, k: int) -> SSAValue:
    """The part of an A in tensor memory that one instruction reads."""
    type_ = a.type
    assert isinstance(type_, TensorMemoryType)
    step = product.a_step(type_)
    assert isinstance(step, TensorMemoryType)
    return slice_of(emit, a, 0, k // product.k * step.footprint[1], step)


def _issue(
    emit: Emitter,
    product: Instructions,
    ctas: int,
    matrices: tuple[SSAValue, ...],
    accumulate: SSAValue,
) -> None:
    properties: dict[str, Any] = {
        "idesc": InstructionDescriptorAttr(product.idesc),
        "cta_group": IntegerAttr(ctas, i32),
        "operandSegmentSizes": segment_sizes((1, 1, 1, 1, 0, 0)),
    }
    emit.add(tcgen05.MmaOp.create(operands=[*matrices, accumulate], properties=properties))

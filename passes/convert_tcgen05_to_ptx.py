"""The pass `convert-tcgen05-to-ptx`: converts typed operations to raw instructions of `ptx`."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp, i32, i64
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.passes import ModulePass

from tcgen05_dialect.isa.mma.instruction_descriptor import InstructionDescriptor
from tcgen05_dialect.isa.mma.operation import Form
from tcgen05_dialect.isa.mma.shapes import SCALE_VECTOR_SIZES
from tcgen05_dialect.isa.model.table import Mnemonic
from tcgen05_dialect.isa.shared_memory.descriptor import DESCRIPTOR_LAYOUT
from tcgen05_dialect.isa.tensor_memory.alloc import (
    ADDRESS,
    ALLOC,
    COMMIT,
    DEALLOC,
    RELINQUISH_ALLOC_PERMIT,
    pack,
)
from tcgen05_dialect.isa.tensor_memory.copies import CP, SHIFT
from tcgen05_dialect.isa.tensor_memory.ld_st import LD, LD_RED, ST
from tcgen05_dialect.ptx import instructions, tcgen05
from tcgen05_dialect.ptx.analysis.control_flow import operations_of
from tcgen05_dialect.ptx.analysis.known_values import constant_value
from tcgen05_dialect.ptx.instructions import AndOp, OrOp, ShlOp, ShrOp
from tcgen05_dialect.ptx.tcgen05 import spelled
from tcgen05_dialect.ptx.tcgen05_mma import OPERATIONS
from tcgen05_dialect.ptx.types import known_target_of
from tcgen05_dialect.tcgen05 import alloc, copies, descriptor, ld_st
from tcgen05_dialect.tcgen05.alloc import SliceOp
from tcgen05_dialect.tcgen05.base import CtaGroupOperation
from tcgen05_dialect.tcgen05.descriptor import AdvanceOp, k_of
from tcgen05_dialect.tcgen05.dialect import TCGEN05
from tcgen05_dialect.tcgen05.mma_base import MatrixProduct
from tcgen05_dialect.tcgen05.types import (
    SharedMemoryDescriptorType,
    TensorMemoryType,
    ZeroColumnMaskAttr,
)

from .support.conversion import Conversion, Lowering, PtxBuilder


@lru_cache(maxsize=1024)
def _encoded(idesc: InstructionDescriptor) -> int:
    """The 32-bit value of a descriptor; cached, because a kernel has few different descriptors."""
    return idesc.encode()


def _scale_vectorsize(op: MatrixProduct) -> str | None:
    """The first spelling that the target supports; without a target, one that all support."""
    spellings = op.scale_vectorsizes()
    if not op.product.scaled or (known_target_of(op) is None and None in spellings):
        return None
    for spelling in spellings:
        point = {"kind": op.kind_name, "scale_vectorsize": spelling}
        if op.has_feature(SCALE_VECTOR_SIZES.value("feature", **point)):
            return spelling
    return spellings[-1]


def _qualifiers(op: MatrixProduct) -> dict[str, Attribute | str | int]:
    form = Form.of(op)
    qualifiers = {
        "collector_buffer": form.collector_buffer,
        "collector_op": form.collector_op,
        "scale_vectorsize": _scale_vectorsize(op),
    }
    instruction = op.product.mnemonic
    properties: dict[str, Attribute | str | int] = {
        "cta_group": spelled(instruction, "cta_group", op.ctas),
        "kind": op.kind_name,
        **{name: word for name, word in qualifiers.items() if word is not None},
    }
    if form.ashift:
        properties["ashift"] = spelled(instruction, "ashift", True)
    return properties


def lower(build: PtxBuilder, op: MatrixProduct) -> Sequence[SSAValue]:
    """Build the instruction for a matrix product."""
    # Checked again, because the target may have been chosen after verification.
    op.check_target()
    idesc, mask = op.descriptor, op.values("mask")
    if idesc is None:
        assert op.idesc is not None
        idesc = build.constant(_encoded(op.idesc.data))
    described = op.properties.get("zero_column_mask")
    if isinstance(described, ZeroColumnMaskAttr):
        mask = (build.constant(described.data.encode(), i64),)
    properties = _qualifiers(op)
    if (scale_input_d := op.properties.get("scale_input_d")) is not None:
        properties["scale_input_d"] = scale_input_d
    computed = {"idesc": (idesc,), "zero_column_mask": mask}
    operands = {
        each.name: computed[each.name] if each.name in computed else op.values(each.name)
        for each in op.product.operands
        if each.holder != "immediate"
    }
    build.build(OPERATIONS[op.product.name], operands, properties)
    return ()


_PRODUCTS: Mapping[type[MatrixProduct], Lowering] = {
    op_type: lower for op_type in TCGEN05.operations if issubclass(op_type, MatrixProduct)
}


def expand_offsets(module: ModuleOp) -> None:
    """Replace each offset of an operand by a `tcgen05.advance`."""
    for op in operations_of(module):
        if isinstance(op, CtaGroupOperation) and op.OFFSETS:
            _expand(op)


def _expand(op: CtaGroupOperation) -> None:
    names = [name for name, _ in op.get_irdl_definition().operands]
    for operand, name in op.OFFSETS.items():
        if k := k_of(op.properties.pop(name, None)):
            # Only optional operands come after those with an offset.
            index = names.index(operand)
            advance = AdvanceOp.by(op.operands[index], k)
            advance.location = op.location
            assert op.parent is not None
            op.parent.insert_op_before(advance, op)
            op.operands[index] = advance.result


_START = DESCRIPTOR_LAYOUT.field("start_address")
_LANE = ADDRESS.field("lane")
_WORD_BITS = i32.width.data
_WORD_MASK = (1 << _WORD_BITS) - 1


def _cta_group(form: Mnemonic, op: CtaGroupOperation) -> str:
    return spelled(form, "cta_group", op.ctas)


def _allocation(form: Mnemonic, op: alloc.AllocOp | alloc.DeallocOp) -> dict[str, str]:
    """The qualifiers of an instruction on an allocation. Raises Violation."""
    op.check_target()
    group = {"cta_group": _cta_group(form, op)}
    is_exclusive = op.exclusive is not None
    return group | ({"exclusive": spelled(form, "exclusive", True)} if is_exclusive else {})


def _alloc(build: PtxBuilder, op: alloc.AllocOp) -> Sequence[SSAValue]:
    build.build(
        tcgen05.AllocOp,
        {"address": (op.slot,), "columns": (op.columns,)},
        {**_allocation(ALLOC, op), "space": spelled(ALLOC, "space", "shared_cta")},
    )
    return ()


def _load_address(build: PtxBuilder, op: alloc.LoadAddressOp) -> Sequence[SSAValue]:
    properties = {"space": "shared::cta", "type": "b32"}
    return build.build(instructions.LdOp, {"address": (op.slot,)}, properties, (i32,)).results


def _dealloc(build: PtxBuilder, op: alloc.DeallocOp) -> Sequence[SSAValue]:
    build.build(
        tcgen05.DeallocOp,
        {"taddr": (op.address,), "columns": (op.columns,)},
        _allocation(DEALLOC, op),
    )
    return ()


def _relinquish(build: PtxBuilder, op: alloc.RelinquishAllocPermitOp) -> Sequence[SSAValue]:
    group = _cta_group(RELINQUISH_ALLOC_PERMIT, op)
    build.build(tcgen05.RelinquishAllocPermitOp, {}, {"cta_group": group})
    return ()


def _slice(build: PtxBuilder, op: SliceOp) -> Sequence[SSAValue]:
    """Add offsets to an address; a constant comes last, so that an address operand can hold it."""
    address: SSAValue = op.source
    lane, column = map(_known, op.mixed_offsets())
    if not isinstance(lane, int):
        shifted = build.compute(ShlOp, "b32", lane, build.constant(_LANE.lo))
        address, lane = build.add(address, shifted), 0
    if not isinstance(column, int):
        address, column = build.add(address, column), 0
    return (build.add(address, build.constant(pack(lane, column))),)


def _known(offset: SSAValue | int) -> SSAValue | int:
    known = offset if isinstance(offset, int) else constant_value(offset)
    return offset if known is None else known


def _descriptor(build: PtxBuilder, op: descriptor.DescriptorOp) -> Sequence[SSAValue]:
    """Build a descriptor: the low word holds the start address, the high word is constant."""
    address = constant_value(op.address)
    if address is not None:
        return (build.constant(op.at_address(address).encode(), i64),)
    constant = op.at_address(0).encode()
    units = build.compute(ShrOp, "u32", op.address, build.constant(_START.shift))
    low = build.compute(AndOp, "b32", units, build.constant(_START.raw(-1)))
    if constant & _WORD_MASK:
        low = build.compute(OrOp, "b32", low, build.constant(constant & _WORD_MASK))
    return (build.pack(low, build.constant(constant >> _WORD_BITS)),)


def _tile(build: PtxBuilder, op: descriptor.TileOp) -> Sequence[SSAValue]:
    step = op.stride_bytes >> _START.shift
    return (build.add(op.descriptor, build.mul_wide(op.index, step), i64),)


def _advance(build: PtxBuilder, op: descriptor.AdvanceOp) -> Sequence[SSAValue]:
    step = build.constant(op.step_bytes() >> _START.shift, i64)
    return (build.add(op.descriptor, step, i64),)


def _access(op: ld_st.LdOp | ld_st.LdRedOp | ld_st.StOp) -> dict[str, Attribute | str | int]:
    properties: dict[str, Attribute | str | int] = {"shape": op.shape, "num": op.num}
    if op.split_offset is not None:
        properties["split_offset"] = op.split_offset
    return properties


def _ld(build: PtxBuilder, op: ld_st.LdOp) -> Sequence[SSAValue]:
    properties = _access(op)
    if op.pack is not None:
        properties["pack"] = spelled(LD, "pack", True)
    types = [value.type for value in op.values]
    return build.build(tcgen05.LdOp, {"address": (op.address,)}, properties, types).results


def _ld_red(build: PtxBuilder, op: ld_st.LdRedOp) -> Sequence[SSAValue]:
    op.check_target()
    properties = {**_access(op), "op": op.op, "type": op.type_name}
    for name in ("abs", "nan"):
        if name in op.properties:
            properties[name] = spelled(LD_RED, name, True)
    types = [result.type for result in op.results]
    return build.build(tcgen05.LdRedOp, {"address": (op.address,)}, properties, types).results


def _st(build: PtxBuilder, op: ld_st.StOp) -> Sequence[SSAValue]:
    properties = _access(op)
    if op.unpack is not None:
        properties["unpack"] = spelled(ST, "unpack", True)
    build.build(tcgen05.StOp, {"address": (op.address,), "values": op.values}, properties)
    return ()


def _wait(build: PtxBuilder, op: alloc.WaitOp) -> Sequence[SSAValue]:
    build.build(tcgen05.WaitOp, {}, {"operation": op.operation})
    return ()


def _fence(build: PtxBuilder, op: alloc.FenceOp) -> Sequence[SSAValue]:
    build.build(tcgen05.FenceOp, {}, {"order": op.order})
    return ()


def _cp(build: PtxBuilder, op: copies.CpOp) -> Sequence[SSAValue]:
    properties: dict[str, Attribute | str | int] = {
        "cta_group": _cta_group(CP, op),
        "shape": op.shape,
    }
    if op.multicast is not None:
        properties["multicast"] = op.multicast
    if op.format is not None:
        properties["format"] = op.format
    operands = {"address": (op.address,), "descriptor": (op.descriptor,)}
    build.build(tcgen05.CpOp, operands, properties)
    return ()


def _shift(build: PtxBuilder, op: copies.ShiftOp) -> Sequence[SSAValue]:
    op.check_target()
    build.build(tcgen05.ShiftOp, {"address": (op.address,)}, {"cta_group": _cta_group(SHIFT, op)})
    return ()


def _commit(build: PtxBuilder, op: alloc.CommitOp) -> Sequence[SSAValue]:
    mask = () if op.multicast_mask is None else (op.multicast_mask,)
    build.build(
        tcgen05.CommitOp,
        {"mbarrier": (op.mbarrier,), "multicast_mask": mask},
        {
            "cta_group": _cta_group(COMMIT, op),
            "space": spelled(COMMIT, "space", "shared_cluster"),
        },
    )
    return ()


_LOWERINGS: Mapping[type[Operation], Lowering] = {
    alloc.AllocOp: _alloc,
    alloc.LoadAddressOp: _load_address,
    alloc.DeallocOp: _dealloc,
    alloc.RelinquishAllocPermitOp: _relinquish,
    SliceOp: _slice,
    descriptor.DescriptorOp: _descriptor,
    descriptor.TileOp: _tile,
    descriptor.AdvanceOp: _advance,
    **_PRODUCTS,
    ld_st.LdOp: _ld,
    ld_st.LdRedOp: _ld_red,
    ld_st.StOp: _st,
    alloc.WaitOp: _wait,
    alloc.FenceOp: _fence,
    copies.CpOp: _cp,
    copies.ShiftOp: _shift,
    alloc.CommitOp: _commit,
}


CONVERSION = Conversion(
    _LOWERINGS, {TensorMemoryType: i32, SharedMemoryDescriptorType: i64}, frozenset({"tcgen05"})
)


class ConvertTcgen05ToPtx(ModulePass):
    """Lowers the operations of `tcgen05` to `ptx`, and replaces their types by register types."""

    name = "convert-tcgen05-to-ptx"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        expand_offsets(op)
        CONVERSION.apply(op)

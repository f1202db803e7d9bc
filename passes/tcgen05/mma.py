"""
Lowering of the matrix products.

Offsets along K, `%a[k = 16]`, as operations that advance descriptors.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from xdsl.dialects.builtin import ModuleOp, i64
from xdsl.ir import Attribute, SSAValue

from tcgen05_dialect.isa.mma.instruction_descriptor import InstructionDescriptor
from tcgen05_dialect.isa.mma.operation import Form
from tcgen05_dialect.isa.mma.shapes import SCALE_VECTOR_SIZES
from tcgen05_dialect.ptx.analysis.control_flow import operations_of
from tcgen05_dialect.ptx.tcgen05 import spelled
from tcgen05_dialect.ptx.tcgen05_mma import OPERATIONS
from tcgen05_dialect.tcgen05.base import CtaGroupOperation
from tcgen05_dialect.tcgen05.descriptor import AdvanceOp, k_of
from tcgen05_dialect.tcgen05.dialect import TCGEN05
from tcgen05_dialect.tcgen05.mma_base import MatrixProduct
from tcgen05_dialect.tcgen05.types import ZeroColumnMaskAttr

from ..support.builder import PtxBuilder
from ..support.conversion import Lowering


@lru_cache(maxsize=1024)
def _encoded(idesc: InstructionDescriptor) -> int:
    """The 32-bit value of a descriptor; cached, because a kernel has few different descriptors."""
    return idesc.encode()


def _scale_vectorsize(op: MatrixProduct) -> str | None:
    """The first spelling that the target supports; without a target, one that all support."""
    spellings = op.scale_vectorsizes()
    if not op.product.scaled or (op.known_target() is None and None in spellings):
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


LOWERINGS: Mapping[type[MatrixProduct], Lowering] = {
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

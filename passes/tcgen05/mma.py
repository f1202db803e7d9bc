"""Lower the matrix products."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from xdsl.dialects.builtin import i64
from xdsl.ir import Attribute, SSAValue

from tcgen05_dialect.isa.mma.instruction_descriptor import InstructionDescriptor
from tcgen05_dialect.isa.mma.kinds import INSTRUCTIONS, SCALE_VECTOR_SIZES
from tcgen05_dialect.ptx import tcgen05_mma
from tcgen05_dialect.ptx.tcgen05_form import spelled
from tcgen05_dialect.tcgen05 import mma
from tcgen05_dialect.tcgen05.attributes import ZeroColumnMaskAttr
from tcgen05_dialect.tcgen05.mma_base import MatrixProduct

from ..support.builder import PtxBuilder
from ..support.conversion import Lowering

_RAW: Mapping[type[MatrixProduct], type[tcgen05_mma.Mma]] = {
    mma.MmaOp: tcgen05_mma.MmaOp,
    mma.MmaBlockScaleOp: tcgen05_mma.MmaBlockScaleOp,
    mma.MmaSpOp: tcgen05_mma.MmaSpOp,
    mma.MmaSpBlockScaleOp: tcgen05_mma.MmaSpBlockScaleOp,
    mma.MmaWsOp: tcgen05_mma.MmaWsOp,
    mma.MmaWsSpOp: tcgen05_mma.MmaWsSpOp,
}
_OPERANDS = (
    "d",
    "a",
    "b",
    "metadata",
    "disable_output_lane",
    "scale_a",
    "scale_b",
    "enable_input_d",
)


@lru_cache(maxsize=1024)
def _encoded(idesc: InstructionDescriptor) -> int:
    """The value of a descriptor; kept, since a kernel has many operations with few descriptors."""
    return idesc.encode()


def _scale_vectorsize(op: MatrixProduct) -> str | None:
    """The first spelling that the target takes; where it is not known, what all targets take."""
    spellings = op.scale_vectorsizes()
    if not op.SCALED or (op.known_target() is None and None in spellings):
        return None
    for spelling in spellings:
        point = {"kind": op.kind_name, "scale_vectorsize": spelling}
        if op.has_feature(SCALE_VECTOR_SIZES.value("feature", **point)):
            return spelling
    return spellings[-1]


def _qualifiers(op: MatrixProduct) -> dict[str, Attribute | str | int]:
    buffer, collector = op.collector_usage()
    qualifiers = {
        "collector_buffer": buffer,
        "collector_op": collector,
        "scale_vectorsize": _scale_vectorsize(op),
    }
    instruction = INSTRUCTIONS[op.WS, op.SPARSE]
    properties: dict[str, Attribute | str | int] = {
        "cta_group": spelled(instruction, "cta_group", op.ctas),
        "kind": op.kind_name,
        **{name: word for name, word in qualifiers.items() if word is not None},
    }
    if "ashift" in op.properties:
        properties["ashift"] = spelled(instruction, "ashift", True)
    return properties


def lower(build: PtxBuilder, op: MatrixProduct) -> Sequence[SSAValue]:
    """Build the instruction."""
    # Again, since the target may have been chosen after the module was verified.
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
    operands = {name: op.values(name) for name in _OPERANDS}
    build.build(
        _RAW[type(op)], {**operands, "idesc": (idesc,), "zero_column_mask": mask}, properties
    )
    return ()


LOWERINGS: Mapping[type[MatrixProduct], Lowering] = dict.fromkeys(_RAW, lower)

"""Asynchronous bulk copies of tensors in im2col mode (9.7.9.25.5)."""

from xdsl.irdl import AttrSizedOperandSegments, operand_def, opt_operand_def, var_operand_def

from ..isa.ptx.bulk_copy import CTA_GROUPS, REDUCTION
from ..isa.ptx.im2col import COORDINATES, IM2COL
from .bulk_copy import LOAD, LOAD_TO_CTA, PREFETCH, REDUCE, STORE
from .instruction import EffectInstruction, instruction, opt_offset, opt_qualifier, qualifier
from .register_types import B16, B32, B64, SHARED_ADDRESS, TENSOR_MAP
from .shared_accesses import PlaceInstruction


def _with_offsets(line: str) -> str:
    """The syntax line of a load in im2col mode."""
    return line.replace(".tile", ".$mode").replace("[%mbarrier]", "[%mbarrier], {%offsets}")


def _without_offsets(line: str) -> str:
    """The syntax line of a store in im2col mode."""
    return line.replace(".tile", ".im2col_no_offs")


@instruction(_with_offsets(LOAD), IM2COL, also={"shared::cta": _with_offsets(LOAD_TO_CTA)})
class CpAsyncBulkTensorIm2colOp(PlaceInstruction):
    """
    Copy pixels of a tensor to shared memory as columns; `mbarrier` tracks its completion. The
    offsets are those of the pixel in the filter or, in the modes `im2col::w`, the halo and the
    offset along w.
    """

    name = "ptx.cp.async.bulk.tensor.im2col"
    mode = qualifier(*IM2COL.values("mode"))
    cta_group = opt_qualifier(*CTA_GROUPS)
    destination = operand_def(SHARED_ADDRESS)
    destination_offset = opt_offset()
    tensor_map = operand_def(TENSOR_MAP)
    coordinates = var_operand_def(B32)
    mbarrier = operand_def(SHARED_ADDRESS)
    mbarrier_offset = opt_offset()
    offsets = var_operand_def(B16)
    multicast_mask = opt_operand_def(B16)
    cache_policy = opt_operand_def(B64)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)


@instruction(_without_offsets(STORE), limits={"coordinates": COORDINATES})
class CpAsyncBulkTensorIm2colNoOffsOp(PlaceInstruction):
    """Copy columns from shared memory to pixels of a tensor, as part of the current bulk group."""

    name = "ptx.cp.async.bulk.tensor.im2col_no_offs"
    tensor_map = operand_def(TENSOR_MAP)
    coordinates = var_operand_def(B32)
    source = operand_def(SHARED_ADDRESS)
    source_offset = opt_offset()
    cache_policy = opt_operand_def(B64)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)


@instruction(_without_offsets(REDUCE), limits={"coordinates": COORDINATES})
class CpReduceAsyncBulkTensorIm2colNoOffsOp(PlaceInstruction):
    """Combine pixels of a tensor with columns in shared memory, as part of the current bulk
    group."""

    name = "ptx.cp.reduce.async.bulk.tensor.im2col_no_offs"
    operation = qualifier(*REDUCTION.values("operation"))
    tensor_map = operand_def(TENSOR_MAP)
    coordinates = var_operand_def(B32)
    source = operand_def(SHARED_ADDRESS)
    source_offset = opt_offset()
    cache_policy = opt_operand_def(B64)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)


@instruction(PREFETCH.replace(".tile", ".$mode").replace("}]", "}], {%offsets}"), IM2COL)
class CpAsyncBulkPrefetchTensorIm2colOp(EffectInstruction):
    """Prefetch pixels of a tensor into the L2 cache; the offsets are those of a load."""

    name = "ptx.cp.async.bulk.prefetch.tensor.im2col"
    mode = qualifier(*IM2COL.values("mode"))
    tensor_map = operand_def(TENSOR_MAP)
    coordinates = var_operand_def(B32)
    offsets = var_operand_def(B16)
    cache_policy = opt_operand_def(B64)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

"""The matrix products: tcgen05.mma, .mma.sp, .mma.ws and .mma.ws.sp (PTX ISA 9.7.16.10.9)."""

from abc import ABC
from typing import ClassVar

from xdsl.dialects.builtin import UnitAttr
from xdsl.irdl import (
    AttrSizedOperandSegments,
    irdl_op_definition,
    opt_operand_def,
    opt_prop_def,
    var_operand_def,
)

from ..isa.mma import shapes
from ..isa.mma.products import METADATA, SCALE
from ..ptx.register_types import B32, B64, INTEGER_32
from ..xdsl_support.attributes import one_of
from .base import Tcgen05Operation, typed_operand
from .mma_base import MatrixProduct
from .mma_syntax import matrices
from .types import TensorMemoryType, ZeroColumnMaskAttr


class _Sparse(Tcgen05Operation, ABC):
    """
    A product with a sparse A, of which half of the elements are stored.

    - `metadata`: the indices of the stored elements in each chunk of a row of A, of role `metadata`
    """

    metadata = typed_operand(TensorMemoryType, what="type of the metadata", role=METADATA)


class _Unscaled(Tcgen05Operation, ABC):
    """
    A product without scale factors.

    - `ashift`: shift the rows of an A in tensor memory down by one
    - `scale_input_d`: divide `d` by 2 to the power of this number before the product is added
    - `disable_output_lane`: four words for each CTA; a set bit leaves a lane of `d` unchanged
    """

    ashift = opt_prop_def(UnitAttr)
    scale_input_d = opt_prop_def(INTEGER_32)
    disable_output_lane = var_operand_def(B32)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)


class _Scaled(Tcgen05Operation, ABC):
    """
    A product with scale factors for A and B in tensor memory.

    - `scale_a`: the scale factors of this CTA's rows of A, of role `scale`
    - `scale_b`: the scale factors of all N columns of B, of role `scale`
    - `scale_vectorsize`: the number of elements that share a scale factor; optional if the kind and
      the scale type determine it, in which case the lowering chooses a spelling that the target
      supports
    """

    scale_vectorsize = opt_prop_def(one_of(shapes.VECTOR_SIZES))
    scale_a = typed_operand(TensorMemoryType, what="type of scale_a", role=SCALE)
    scale_b = typed_operand(TensorMemoryType, what="type of scale_b", role=SCALE)


class _WeightStationary(Tcgen05Operation, ABC):
    """
    A weight-stationary product: B stays in a collector buffer.

    - `collector_buffer`: the buffer; needs `collector`
    - `zero_column_mask`: the columns of B that count as zero
    - `mask`: a computed zero-column mask, instead of `zero_column_mask`
    """

    collector_buffer = opt_prop_def(one_of(shapes.COLLECTOR.values("collector_buffer", ws=True)))
    zero_column_mask = opt_prop_def(ZeroColumnMaskAttr)
    mask = opt_operand_def(B64)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)


@irdl_op_definition
class MmaOp(MatrixProduct, _Unscaled):
    """
    Multiply a dense A by B.

        tcgen05.mma (<cta_group>)? (ashift)? (collector <collector>)?
            %d, %a ([k = <a_k>])?, %b ([k = <b_k>])?
            accumulate %enable_input_d
            (descriptor %descriptor kind <kind>)?
            (disable_output_lane(%disable_output_lane))?
            (scale_input_d(<scale_input_d>))? attr-dict
            : type(%d), type(%a), type(%b)
    """

    name = "tcgen05.mma"
    TYPED: ClassVar[tuple[str, ...]] = matrices(name)


@irdl_op_definition
class MmaBlockScaleOp(MatrixProduct, _Scaled):
    """
    Multiply a dense A by B, with scale factors.

        tcgen05.mma.block_scale (<cta_group>)? (<scale_vectorsize>)? (collector <collector>)?
            %d, %a ([k = <a_k>])?, %b ([k = <b_k>])?
            scales %scale_a ([id = <sfa_id>])?, %scale_b ([id = <sfb_id>])?
            accumulate %enable_input_d
            (descriptor %descriptor kind <kind>)? attr-dict
            : type(%d), type(%a), type(%b), type(%scale_a), type(%scale_b)

    The numbers `sfa_id` and `sfb_id` select the first scale factor of each row among the four in a
    cell; the descriptor holds them. For factors in other columns, pass a slice.
    """

    name = "tcgen05.mma.block_scale"
    TYPED: ClassVar[tuple[str, ...]] = matrices(name)


@irdl_op_definition
class MmaSpOp(MatrixProduct, _Sparse, _Unscaled):
    """
    Multiply a sparse A by B; see `tcgen05.mma`.

        tcgen05.mma.sp (<cta_group>)? (ashift)? (collector <collector>)?
            %d, %a ([k = <a_k>])?, %b ([k = <b_k>])? metadata %metadata
            accumulate %enable_input_d
            (descriptor %descriptor kind <kind>)?
            (disable_output_lane(%disable_output_lane))?
            (scale_input_d(<scale_input_d>))? attr-dict
            : type(%d), type(%a), type(%b), type(%metadata)

    Half of the K elements of each row of A are stored, so the type of A has half of K. The
    descriptor has the option `sparse`; its sparsity selector is relative to the first index of the
    metadata.
    """

    name = "tcgen05.mma.sp"
    TYPED: ClassVar[tuple[str, ...]] = matrices(name)


@irdl_op_definition
class MmaSpBlockScaleOp(MatrixProduct, _Sparse, _Scaled):
    """
    Multiply a sparse A by B, with scale factors.

        tcgen05.mma.sp.block_scale (<cta_group>)? (<scale_vectorsize>)? (collector <collector>)?
            %d, %a ([k = <a_k>])?, %b ([k = <b_k>])? metadata %metadata
            scales %scale_a ([id = <sfa_id>])?, %scale_b ([id = <sfb_id>])?
            accumulate %enable_input_d
            (descriptor %descriptor kind <kind>)? attr-dict
            : type(%d), type(%a), type(%b), type(%metadata), type(%scale_a), type(%scale_b)

    See `tcgen05.mma.sp` and `tcgen05.mma.block_scale`.
    """

    name = "tcgen05.mma.sp.block_scale"
    TYPED: ClassVar[tuple[str, ...]] = matrices(name)


@irdl_op_definition
class MmaWsOp(MatrixProduct, _WeightStationary):
    """
    Multiply a dense A by B, weight-stationary.

        tcgen05.mma.ws (collector (<collector_buffer>)? <collector>)?
            %d, %a ([k = <a_k>])?, %b ([k = <b_k>])?
            accumulate %enable_input_d
            (descriptor %descriptor kind <kind>)?
            (zero_column_mask %mask)? (zero_column_mask <zero_column_mask>)? attr-dict
            : type(%d), type(%a), type(%b)

    B may stay in one of four collector buffers. N is 64, 128 or 256. If M is less than 128, the
    columns of D are folded; see layouts E and G.
    """

    name = "tcgen05.mma.ws"
    TYPED: ClassVar[tuple[str, ...]] = matrices(name)


@irdl_op_definition
class MmaWsSpOp(MatrixProduct, _Sparse, _WeightStationary):
    """
    Multiply a sparse A by B, weight-stationary.

        tcgen05.mma.ws.sp (collector (<collector_buffer>)? <collector>)?
            %d, %a ([k = <a_k>])?, %b ([k = <b_k>])? metadata %metadata
            accumulate %enable_input_d
            (descriptor %descriptor kind <kind>)?
            (zero_column_mask %mask)? (zero_column_mask <zero_column_mask>)? attr-dict
            : type(%d), type(%a), type(%b), type(%metadata)

    See `tcgen05.mma.sp` and `tcgen05.mma.ws`.
    """

    name = "tcgen05.mma.ws.sp"
    TYPED: ClassVar[tuple[str, ...]] = matrices(name)

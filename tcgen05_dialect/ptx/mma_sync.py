"""Products of small matrices in the registers of a warp (9.7.14.5.14)."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from xdsl.irdl import AttrSizedOperandSegments, var_operand_def, var_result_def

from ..isa.ptx.mma_sync import MMA, MMA_OF_F64, is_later_fp8
from .instruction import EffectInstruction, instruction, opt_qualifier, qualifier
from .register_types import REGISTER, WORD

_OPERATIONS = {"bit_operation": {"and": ".and.popc", "xor": ".xor.popc"}}


_LINE = (
    "mma.sync.aligned.$shape.$a_layout.$b_layout.$saturate.$d_type.$a_type.$b_type.$c_type"
    ".$bit_operation {%d}, {!a}, {!b}, {!c}"
)


@instruction(_LINE, MMA, spellings=_OPERATIONS)
class MmaSyncOp(EffectInstruction):
    """
    `a * b + c`. All threads of the warp hold fragments of the matrices.

    If a register has `p` elements, lane `4 * i + j` holds these fragments. Of A: columns `j * p` to
    `j * p + p - 1` of row `i`, then of row `i + 8`; then the same `4 * p` columns further on. Of B:
    rows `j * p` to `j * p + p - 1` of column `i`, then the same `4 * p` rows further on. Of C and
    D: columns `2 * j` and `2 * j + 1` of row `i`, then of row `i + 8`.
    """

    name = "ptx.mma.sync"
    shape = qualifier(*MMA.values("shape"))
    a_layout = qualifier(*MMA.values("a_layout"))
    b_layout = qualifier(*MMA.values("b_layout"))
    saturate = opt_qualifier(*MMA.values("saturate"))
    d_type = qualifier(*MMA.values("d_type"))
    a_type = qualifier(*MMA.values("a_type"))
    b_type = qualifier(*MMA.values("b_type"))
    c_type = qualifier(*MMA.values("c_type"))
    bit_operation = opt_qualifier(*MMA.values("bit_operation"))
    a = var_operand_def(WORD)
    b = var_operand_def(WORD)
    c = var_operand_def(WORD)
    d = var_result_def(WORD)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def features(self) -> Sequence[str]:
        is_later = is_later_fp8(self.shape.data, self.a_type.data, self.d_type.data)
        return ("mma_of_fp8",) if is_later else ()


_LINE_OF_F64 = (
    "mma.sync.aligned.$shape.row.col.$d_type.$a_type.$b_type.$c_type {%d}, {!a}, {!b}, {!c}"
)


@instruction(_LINE_OF_F64, MMA_OF_F64)
class MmaSyncF64Op(EffectInstruction):
    """`a * b + c` of f64 numbers, which are distributed as by `ptx.mma.sync`."""

    name = "ptx.mma.sync.f64"
    shape = qualifier(*MMA_OF_F64.values("shape"))
    d_type = qualifier(*MMA_OF_F64.values("d_type"))
    a_type = qualifier(*MMA_OF_F64.values("a_type"))
    b_type = qualifier(*MMA_OF_F64.values("b_type"))
    c_type = qualifier(*MMA_OF_F64.values("c_type"))
    a = var_operand_def(REGISTER)
    b = var_operand_def(REGISTER)
    c = var_operand_def(REGISTER)
    d = var_result_def(REGISTER)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)
    TYPED: ClassVar[Mapping[str, str]] = {
        "a": "a_type",
        "b": "b_type",
        "c": "c_type",
        "d": "d_type",
    }

"""Matrices that are distributed over the threads of a warp (9.7.14.5.15 to 9.7.14.5.17)."""

from abc import ABC

from xdsl.irdl import operand_def, result_def, var_operand_def, var_result_def

from ..isa.ptx.ldmatrix import LDMATRIX_OF_BYTES, MATRICES, SHAPES
from .instruction import EffectInstruction, instruction, opt_offset, opt_qualifier, qualifier
from .register_types import B32, B32_OR_B64
from .shared_accesses import PlaceInstruction

_LDMATRIX = (
    "ldmatrix.sync.aligned.$shape.x#(values).$transposed.shared::cta.b16 {%values}, [%address]"
)
_STMATRIX = (
    "stmatrix.sync.aligned.$shape.x#(values).$transposed.shared::cta.b16 [%address], {!values}"
)


class _Transfer(PlaceInstruction, ABC):
    """
    A transfer of matrices with 8 x 8 elements. Lane `8 * i + j` gives the address of row `j` of
    matrix `i`; lane `4 * j + k` holds the elements `2 * k` and `2 * k + 1` of row `j`, or of
    column `j` if transposed.
    """


@instruction(
    _LDMATRIX,
    limits={"values": MATRICES},
    also={"shared": _LDMATRIX.replace("shared::cta", "shared")},
)
class LdmatrixOp(_Transfer):
    """Load matrices from shared memory, one into each register."""

    name = "ptx.ldmatrix"
    shape = qualifier(*SHAPES)
    transposed = opt_qualifier("trans")
    address = operand_def(B32_OR_B64)
    address_offset = opt_offset()
    values = var_result_def(B32)


@instruction(
    _STMATRIX,
    limits={"values": MATRICES},
    also={"shared": _STMATRIX.replace("shared::cta", "shared")},
)
class StmatrixOp(_Transfer):
    """Store matrices to shared memory, one from each register."""

    name = "ptx.stmatrix"
    shape = qualifier(*SHAPES)
    transposed = opt_qualifier("trans")
    address = operand_def(B32_OR_B64)
    address_offset = opt_offset()
    values = var_operand_def(B32)


_BYTES = (
    "ldmatrix.sync.aligned.$shape.$count.$transposed.shared::cta.$type.$source"
    " {%values}, [%address]"
)


@instruction(_BYTES, LDMATRIX_OF_BYTES, also={"shared": _BYTES.replace("shared::cta", "shared")})
class LdmatrixB8Op(PlaceInstruction):
    """
    Load matrices of bytes, or of packed elements that become bytes, from shared memory. Each lane
    gives the address of a row of 16 bytes, the rows of the first matrix first. The register of lane
    `4 * i + k` holds bytes `4 * k` to `4 * k + 3` of row `i` of a matrix m8n16. For a transposed
    matrix m16n16, register `r` of this lane holds byte `i` of rows `4 * k + 2 * r` and
    `4 * k + 2 * r + 1`, then byte `i + 8` of the same rows.
    """

    name = "ptx.ldmatrix.b8"
    shape = qualifier(*LDMATRIX_OF_BYTES.values("shape"))
    count = qualifier(*LDMATRIX_OF_BYTES.values("count"))
    transposed = opt_qualifier(*LDMATRIX_OF_BYTES.values("transposed"))
    type = qualifier(*LDMATRIX_OF_BYTES.values("type"))
    source = opt_qualifier(*LDMATRIX_OF_BYTES.values("source"))
    address = operand_def(B32_OR_B64)
    address_offset = opt_offset()
    values = var_result_def(B32)


_STORE_BYTES = "stmatrix.sync.aligned.m16n8.x#(values).trans.shared::cta.b8 [%address], {!values}"


@instruction(
    _STORE_BYTES,
    limits={"values": MATRICES},
    also={"shared": _STORE_BYTES.replace("shared::cta", "shared")},
)
class StmatrixB8Op(PlaceInstruction):
    """
    Store matrices of 16 x 8 bytes to shared memory, one from each register. Lane `8 * i + j` gives
    the address of column `j` of matrix `i`; lane `4 * j + k` holds the elements `2 * k` and
    `2 * k + 1` of row `j`, and then those of row `j + 8`.
    """

    name = "ptx.stmatrix.b8"
    address = operand_def(B32_OR_B64)
    address_offset = opt_offset()
    values = var_operand_def(B32)


@instruction("movmatrix.sync.aligned.$shape.trans.b16 %d, !a")
class MovmatrixOp(EffectInstruction):
    """
    Transpose a matrix of 8 x 8 elements in the registers of a warp: lane `4 * j + k` holds the
    elements `2 * k` and `2 * k + 1` of row `j`.
    """

    name = "ptx.movmatrix"
    shape = qualifier(*SHAPES)
    a = operand_def(B32)
    d = result_def(B32)

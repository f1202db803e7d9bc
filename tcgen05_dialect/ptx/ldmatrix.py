"""Matrices in shared memory, distributed over the threads of a warp (9.7.14.5.15, 9.7.14.5.16)."""

from abc import ABC

from xdsl.irdl import operand_def, var_operand_def, var_result_def

from ..isa.ptx.ldmatrix import MATRICES, SHAPES
from .instruction import instruction, opt_offset, opt_qualifier, qualifier
from .register_types import B32
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
    address = operand_def(B32)
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
    address = operand_def(B32)
    address_offset = opt_offset()
    values = var_operand_def(B32)

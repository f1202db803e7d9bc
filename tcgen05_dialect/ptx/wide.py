"""32-bit products of 16-bit integers (9.7.1.3, 9.7.1.4)."""

from xdsl.irdl import operand_def, result_def

from ..isa.ptx.arithmetic import NARROW_WIDE_TYPES
from .instruction import PureInstruction, instruction, qualifier
from .register_types import B16, B32


@instruction("mul.wide.$type %d, %a, %b")
class MulWide16Op(PureInstruction):
    """The 32-bit product of two 16-bit integers."""

    name = "ptx.mul.wide16"
    type = qualifier(*NARROW_WIDE_TYPES)
    a = operand_def(B16)
    b = operand_def(B16)
    d = result_def(B32)


@instruction("mad.wide.$type %d, %a, %b, %c")
class MadWide16Op(PureInstruction):
    """The 32-bit product of two 16-bit integers, plus `c`."""

    name = "ptx.mad.wide16"
    type = qualifier(*NARROW_WIDE_TYPES)
    a = operand_def(B16)
    b = operand_def(B16)
    c = operand_def(B32)
    d = result_def(B32)

"""The state space of a generic address (9.7.9.19)."""

from xdsl.irdl import operand_def, result_def

from ..isa.ptx.isspacep import SPACES
from .instruction import PureInstruction, instruction, qualifier
from .register_types import B64, PRED


@instruction("isspacep.$space %d, %a")
class IsspacepOp(PureInstruction):
    """Whether a generic address is in a state space."""

    name = "ptx.isspacep"
    space = qualifier(*SPACES)
    a = operand_def(B64)
    d = result_def(PRED)

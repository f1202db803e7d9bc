"""Cache policies: operands that hint how long data stays in the L2 cache (9.7.9.18)."""

from xdsl.dialects.builtin import f32
from xdsl.irdl import operand_def, opt_operand_def, result_def
from xdsl.utils.exceptions import VerifyException

from ..isa.ptx.createpolicy import PRIMARY, SECONDARY
from ..isa.ptx.registers import TYPE_RULE
from .instruction import PureInstruction, instruction, opt_offset, opt_qualifier, qualifier
from .register_types import B32, B64, F32
from .structure import ConstantOp


@instruction("createpolicy.fractional.$primary.$secondary.b64 %d?fraction(, %fraction)")
class CreatepolicyFractionalOp(PureInstruction):
    """A policy that gives a fraction of the accesses one priority, and the others another."""

    name = "ptx.createpolicy.fractional"
    primary = qualifier(*PRIMARY)
    secondary = opt_qualifier(*SECONDARY)
    fraction = opt_operand_def(F32)
    d = result_def(B64)

    def verify_(self) -> None:
        super().verify_()
        fraction = self.fraction
        if fraction is None or fraction.type == f32 or not isinstance(fraction.owner, ConstantOp):
            return
        # ptxas takes a register of bits, but no integer.
        what = "fraction: type of a constant"
        violation = TYPE_RULE.violation(fraction.type, str(f32), what, culprit="fraction")
        raise VerifyException(str(violation)) from violation


@instruction(
    "createpolicy.range.global.$primary.$secondary.b64 %d, [%address], %primary_size, %total_size",
    also={
        "generic": "createpolicy.range.$primary.$secondary.b64 %d, [%address], %primary_size, "
        "%total_size"
    },
)
class CreatepolicyRangeOp(PureInstruction):
    """A policy that gives accesses to a range of addresses one priority, and others another."""

    name = "ptx.createpolicy.range"
    primary = qualifier(*PRIMARY)
    secondary = opt_qualifier(*SECONDARY)
    address = operand_def(B64)
    address_offset = opt_offset()
    primary_size = operand_def(B32)
    total_size = operand_def(B32)
    d = result_def(B64)


@instruction("createpolicy.cvt.L2.b64 %d, %access_property")
class CreatepolicyCvtOp(PureInstruction):
    """A policy from an access property of CUDA."""

    name = "ptx.createpolicy.cvt"
    access_property = operand_def(B64)
    d = result_def(B64)

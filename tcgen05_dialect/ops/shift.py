"""Shifting the rows of a matrix in tensor memory (PTX ISA 9.7.16.9.3)."""

from xdsl.irdl import irdl_op_definition, operand_def

from ..isa import operands, shift
from ..types import TensorMemoryType
from .base import CtaGroupOperation, check_target, violations_reported


@irdl_op_definition
class ShiftOp(CtaGroupOperation):
    """Shift 32 bytes of each row of a matrix down by one row."""

    name = "tcgen05.shift"
    address = operand_def(TensorMemoryType)
    assembly_format = "$address attr-dict `:` type($address)"

    def verify_(self) -> None:
        super().verify_()
        _, columns = self.address.type.footprint
        with violations_reported():
            if columns < shift.COLUMNS:
                found, legal = f"{columns} columns", f"at least {shift.COLUMNS}"
                raise operands.ACCESS_REGION.violation(found, legal)
            check_target(self, shift.SHIFT.feature)

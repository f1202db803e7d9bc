"""Shifts of the rows of a matrix in tensor memory (PTX ISA 9.7.16.9.3)."""

from typing import ClassVar

from xdsl.irdl import irdl_op_definition

from ..isa.tensor_memory import shift
from ..isa.tensor_memory.cells import ACCESS_REGION
from .base import CtaGroupOperation, typed_operand, violations_reported
from .tensor_memory import known_cell
from .types import TensorMemoryType


@irdl_op_definition
class ShiftOp(CtaGroupOperation):
    """
    Shift 32 bytes of each row of a matrix down by one row.

        tcgen05.shift (<cta_group>)? %address attr-dict : type(%address)

    Each lane gets the bytes of the next lane; the last of the 32 lanes of a warp keeps its bytes.

    - `address`: a region of 8 columns or more that begins at a lane divisible by 32
    """

    name = "tcgen05.shift"
    address = typed_operand(TensorMemoryType)
    TYPED: ClassVar[tuple[str, ...]] = ("address",)

    def required_features(self) -> tuple[str, ...]:
        return (shift.SHIFT.feature,)

    def verify_(self) -> None:
        super().verify_()
        _, columns = self.address.type.footprint
        with violations_reported():
            if columns < shift.COLUMNS:
                found, legal = f"{columns} columns", f"at least {shift.COLUMNS} columns"
                raise ACCESS_REGION.violation(found, legal, culprit="address")
            lane = known_cell(self.address)[0]
            if lane is not None and shift.ADDRESS_LANES.row(lane=lane) is None:
                raise shift.ADDRESS_LANES.violation(lane=lane).blaming("address")
            self.check_target()

"""Allocation of tensor memory (PTX ISA 9.7.16.7.1)."""

from xdsl.ir import SSAValue
from xdsl.irdl import operand_def, result_def

from ..isa import alloc, operands
from ..isa.rule import raise_any
from ..isa.tensor_memory import LANES
from ..ptx.constants import constant_value
from ..ptx.operation_format import formatted_op_definition
from ..ptx.places import place_violations
from ..ptx.registers import B32
from ..types import TensorMemoryType
from .base import CtaGroupOperation, Tcgen05Operation, typed_operand, violations_reported
from .tensor_memory import origin


@formatted_op_definition
class AllocOp(CtaGroupOperation):
    """
    Allocate `columns` columns of tensor memory, and write their address to shared memory.

    The whole warp executes the operation, and waits until the columns are free. Others read the
    address by `tcgen05.load_address`, behind a barrier.

    - `slot`: the address of 4 bytes in shared memory
    - `columns`: how many columns, each with all 128 lanes
    """

    name = "tcgen05.alloc"
    slot = operand_def(B32)
    columns = operand_def(B32)
    assembly_format = "$slot `,` $columns attr-dict"

    def verify_(self) -> None:
        super().verify_()
        _verify_columns(constant_value(self.columns))
        _verify_slot(self, self.slot)


@formatted_op_definition
class DeallocOp(CtaGroupOperation):
    """
    Free the columns of tensor memory that were allocated at an address.

    The whole warp executes the operation; a kernel frees all that it has allocated before it ends.

    - `address`: the result of `tcgen05.load_address`, and no slice of it
    - `columns`: as many as were allocated
    """

    name = "tcgen05.dealloc"
    address = typed_operand(TensorMemoryType)
    columns = operand_def(B32)
    assembly_format = "$address `,` $columns attr-dict `:` type($address)"

    def verify_(self) -> None:
        super().verify_()
        columns = constant_value(self.columns)
        _verify_columns(columns)
        allocation, lane, column = origin(self.address)
        if isinstance(allocation.owner, LoadAddressOp):
            allocated = allocation.owner.address.type.footprint
            with violations_reported():
                if (lane, column) != (0, 0) and None not in (lane, column):
                    found = f"lane {lane}, column {column} of the allocation"
                    raise operands.ALLOCATION_ADDRESS.violation(found, "lane 0, column 0")
                if (freed := self.address.type.footprint) != allocated:
                    found, legal = (f"{x} lanes x {y} columns" for x, y in (freed, allocated))
                    raise operands.ALLOCATION_ADDRESS.violation(found, legal)
                if columns not in (None, allocated[1]):
                    found = f"{columns} columns"
                    legal = f"the {allocated[1]} columns of the address"
                    raise operands.ALLOCATION_ADDRESS.violation(found, legal)


def _verify_columns(columns: int | None) -> None:
    if columns is not None:
        with violations_reported():
            alloc.check_columns(columns)


def _verify_slot(op: Tcgen05Operation, slot: SSAValue) -> None:
    with violations_reported():
        raise_any(place_violations(op, slot, 0, alloc.SLOT))


@formatted_op_definition
class RelinquishAllocPermitOp(CtaGroupOperation):
    """
    Give up the right of this CTA to allocate tensor memory.

    Other CTAs of the multiprocessor need not wait for it any more; the whole warp executes the
    operation.
    """

    name = "tcgen05.relinquish_alloc_permit"
    assembly_format = "attr-dict"


@formatted_op_definition
class LoadAddressOp(Tcgen05Operation):
    """
    Read the address that `tcgen05.alloc` wrote to `slot`.

    It becomes an ordinary load from shared memory.

    - `slot`: the address in shared memory that `tcgen05.alloc` was given
    - `address`: the allocation, all 128 lanes of its columns; parts for other purposes, as scale
      factors, are slices of it
    """

    name = "tcgen05.load_address"
    slot = operand_def(B32)
    address = result_def(TensorMemoryType)
    assembly_format = "$slot attr-dict `:` type($address)"

    def verify_(self) -> None:
        lanes, columns = self.address.type.footprint
        with violations_reported():
            if lanes != LANES:
                raise operands.ALLOCATION_LANES.violation(f"{lanes} lanes", f"{LANES} lanes")
            alloc.check_columns(columns)
        _verify_slot(self, self.slot)


def known_address(matrix: SSAValue) -> tuple[int | None, int | None]:
    """
    The lane in which a matrix begins, and its first column in the allocation.

    They are known where it is sliced from an allocation by numbers.
    """
    allocation, lane, column = origin(matrix)
    return (lane, column) if isinstance(allocation.owner, LoadAddressOp) else (None, None)

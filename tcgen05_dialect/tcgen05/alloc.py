"""Allocation of tensor memory (PTX ISA 9.7.16.7.1)."""

from abc import ABC
from collections.abc import Iterator, Mapping
from typing import ClassVar

from xdsl.dialects.builtin import UnitAttr
from xdsl.ir import SSAValue
from xdsl.irdl import irdl_op_definition, operand_def, opt_prop_def

from ..isa.model.rule import Violation
from ..isa.tensor_memory import alloc
from ..isa.tensor_memory.alloc import ALLOCATION_ADDRESS
from ..ptx.analysis.permit import permit_violations
from ..ptx.known_values import constant_value
from ..ptx.register_types import B32
from ..ptx.shared_accesses import check_not_swapped
from ..reporting.operation_error import OperationWithWarnings
from .base import CtaGroupOperation, typed_operand, violations_reported
from .syntax import Words, flag
from .tensor_memory import LoadAddressOp, origin, verify_slot
from .types import TensorMemoryType


class _Allocation(CtaGroupOperation, ABC):
    """
    An operation on the columns of an allocation.

    - `exclusive`: the number of columns is any multiple of 32, not a power of two
    """

    exclusive = opt_prop_def(UnitAttr)

    QUALIFIERS: ClassVar[Mapping[str, Words]] = {
        "exclusive": flag("exclusive"),
        **CtaGroupOperation.QUALIFIERS,
    }

    def required_features(self) -> tuple[str, ...]:
        return () if self.exclusive is None else ("exclusive_alloc",)

    def _check_columns(self, columns: SSAValue) -> None:
        """Check the number of columns, if it is constant, and the target."""
        number = constant_value(columns)
        with violations_reported():
            if number is not None:
                alloc.check_columns(number, self.exclusive is not None)
            self.check_target()


@irdl_op_definition
class AllocOp(_Allocation, OperationWithWarnings):
    """
    Allocate `columns` columns of tensor memory, and write their address to shared memory.

        tcgen05.alloc (exclusive)? (<cta_group>)? %slot, %columns attr-dict

    The whole warp executes the operation, and waits until enough columns are free. Other warps read
    the address with `tcgen05.load_address` after a barrier.

    - `slot`: the address of 4 bytes in shared memory
    - `columns`: the number of columns, each with all 128 lanes
    """

    name = "tcgen05.alloc"
    slot = operand_def(B32)
    columns = operand_def(B32)

    def verify_(self) -> None:
        super().verify_()
        is_slot = any(isinstance(use.operation, LoadAddressOp) for use in self.columns.uses)
        columns_are = f"the slot of {LoadAddressOp.name}" if is_slot else ""
        with violations_reported():
            check_not_swapped(self.slot, self.columns, columns_are)
        self._check_columns(self.columns)
        verify_slot(self, self.slot)

    def warnings(self) -> Iterator[Violation]:
        return permit_violations(self, self.ctas)


@irdl_op_definition
class DeallocOp(_Allocation):
    """
    Free the columns of tensor memory that were allocated at an address.

        tcgen05.dealloc (exclusive)? (<cta_group>)? %address, %columns attr-dict : type(%address)

    The whole warp executes the operation. A kernel must free all its columns before it ends.

    - `address`: the result of `tcgen05.load_address`, not a slice of it
    - `columns`: the number of columns that were allocated
    """

    name = "tcgen05.dealloc"
    address = typed_operand(TensorMemoryType)
    columns = operand_def(B32)
    TYPED: ClassVar[tuple[str, ...]] = ("address",)

    def verify_(self) -> None:
        super().verify_()
        columns = constant_value(self.columns)
        self._check_columns(self.columns)
        allocation, lane, column = origin(self.address)
        if isinstance(allocation.owner, LoadAddressOp):
            allocated = allocation.owner.address.type.footprint
            with violations_reported():
                if (lane, column) != (0, 0) and None not in (lane, column):
                    found = f"lane {lane}, column {column}"
                    legal = "lane 0, column 0 of an allocation"
                    raise ALLOCATION_ADDRESS.violation(found, legal, culprit="address")
                if (freed := self.address.type.footprint) != allocated:
                    found, legal = (f"{x} lanes x {y} columns" for x, y in (freed, allocated))
                    raise ALLOCATION_ADDRESS.violation(found, legal, culprit="address")
                if columns not in (None, allocated[1]):
                    legal = f"{allocated[1]}, as in the allocation"
                    what = "number of columns of dealloc"
                    raise ALLOCATION_ADDRESS.violation(columns, legal, what, culprit="columns")


@irdl_op_definition
class RelinquishAllocPermitOp(CtaGroupOperation):
    """
    Give up this CTA's permit to allocate tensor memory.

        tcgen05.relinquish_alloc_permit (<cta_group>)? attr-dict

    Other CTAs of the multiprocessor no longer wait for it. The whole warp executes the operation.
    """

    name = "tcgen05.relinquish_alloc_permit"

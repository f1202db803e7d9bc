"""Tensor memory (PTX ISA 9.7.16.1.1): allocation (9.7.16.7.1), typed addresses, commits
(9.7.16.12.1), fences (9.7.16.11.1) and waits (9.7.16.8.5)."""

from abc import ABC
from collections.abc import Iterator, Mapping
from math import prod
from typing import ClassVar, Self

from xdsl.dialects.builtin import DYNAMIC_INDEX, I64, DenseArrayBase, UnitAttr, i16, i32
from xdsl.dialects.utils import DynamicIndexList
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    ParsePropInAttrDict,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    opt_prop_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure

from ..isa.instructions.mbarrier import BARRIER_OBJECT
from ..isa.mma import shapes
from ..isa.mma.products import SCALE
from ..isa.model.rule import Violation, raise_any
from ..isa.model.table import Mnemonic
from ..isa.ptx.kernel import check_cta_mask, extents_violations
from ..isa.tensor_memory import alloc
from ..isa.tensor_memory.alloc import (
    ALLOCATION_ADDRESS,
    ALLOCATION_LANES,
    EXCLUSIVE_COLUMNS,
    LANES,
    SLICE,
    SLOT,
    check_columns,
)
from ..ptx.analysis.known_values import constant_bits, constant_value
from ..ptx.analysis.operand_checks import check_not_swapped, place_violations
from ..ptx.analysis.registers import permit_violations
from ..ptx.kernel import KernelOp
from ..ptx.register_types import B16, B32
from ..reporting.diagnostics import OperationWithWarnings
from ..xdsl_support.attributes import one_of
from ..xdsl_support.construction import ConstructedOperation
from ..xdsl_support.operation_format import formatted_op_definition
from .base import (
    CtaGroupOperation,
    KeywordOperation,
    Tcgen05Operation,
    Words,
    flag,
    parse_attributes,
    parse_first_operand,
    parse_words,
    print_words,
    typed_operand,
    violations_reported,
)
from .types import TensorMemoryType


def verify_slot(op: Tcgen05Operation, slot: SSAValue) -> None:
    """Raise VerifyException if `tcgen05.alloc` cannot write an address to `slot`."""
    with violations_reported():
        raise_any(place_violations(op, slot, 0, SLOT))


@formatted_op_definition
class LoadAddressOp(Tcgen05Operation):
    """
    Read the address that `tcgen05.alloc` wrote to `slot`.

    It is lowered to an ordinary load from shared memory.

    - `slot`: the `slot` of the `tcgen05.alloc`
    - `address`: the allocation, which has all 128 lanes; slice it for other uses, such as scale
      factors
    """

    name = "tcgen05.load_address"
    slot = operand_def(B32)
    address = result_def(TensorMemoryType)
    assembly_format = "$slot attr-dict `:` type($address)"

    def verify_(self) -> None:
        lanes, columns = self.address.type.footprint
        with violations_reported():
            if lanes != LANES:
                raise ALLOCATION_LANES.violation(lanes, LANES)
            if not (columns in EXCLUSIVE_COLUMNS.values and self._may_be_exclusive()):
                check_columns(columns)
        verify_slot(self, self.slot)

    def _may_be_exclusive(self) -> bool:
        """Whether the alloc of the slot is exclusive, or not known."""
        users = (use.operation for use in self.slot.uses)
        allocations = [each for each in users if each.name == "tcgen05.alloc"]
        return not allocations or any("exclusive" in each.properties for each in allocations)


@formatted_op_definition
class SliceOp(ConstructedOperation):
    """
    The part of a matrix in tensor memory that begins at `[lane, column]`.

        %result = tcgen05.slice %source[<lane>, <column>] attr-dict : type(%source) to type(%result)

    It is lowered to additions; constant offsets become part of the address operands.

    - `source`: any matrix
    - `offsets`: lane and column in 32-bit cells, each a constant or a value
    - `static_offsets`: the offsets given as constants
    - `result`: a matrix of any role, layout and element type
    """

    name = "tcgen05.slice"
    source = typed_operand(TensorMemoryType)
    offsets = var_operand_def(B32)
    static_offsets = prop_def(DenseArrayBase[I64])
    result = result_def(TensorMemoryType)
    traits = traits_def(Pure())
    irdl_options = (ParsePropInAttrDict(),)
    custom_directives = (DynamicIndexList,)
    assembly_format = (
        "$source `` custom<DynamicIndexList>($offsets, $static_offsets) attr-dict "
        "`:` type($source) `to` type($result)"
    )

    def mixed_offsets(self) -> list[SSAValue | int]:
        """Lane and column, each a constant or a value."""
        values = iter(self.offsets)
        return [
            next(values) if offset == DYNAMIC_INDEX else offset
            for offset in self.static_offsets.get_values()
        ]

    def known_offsets(self) -> list[int | None]:
        """Lane and column, each None if unknown, also for a wrong number of offsets."""
        if len(self.static_offsets.get_values()) != 2:
            return [None, None]
        return [
            offset if isinstance(offset, int) else constant_value(offset)
            for offset in self.mixed_offsets()
        ]

    def verify_(self) -> None:
        static = self.static_offsets.get_values()
        if len(static) != 2 or static.count(DYNAMIC_INDEX) != len(self.offsets):
            with violations_reported():
                raise SLICE.violation(
                    len(static), "2, [lane, column]", "number of offsets of a slice"
                )
        inner, outer = self.result.type.footprint, self.source.type.footprint
        for name, first, extent, limit in zip(
            ("lane", "column"), self.known_offsets(), inner, outer, strict=True
        ):
            with violations_reported():
                hint = _half_lanes(self.source.type) if name == "lane" else ""
                if extent > limit:
                    what = f"number of {name}s of the slice"
                    raise SLICE.violation(extent, f"at most {limit}{hint}", what)
                if first is not None and first not in range(limit - extent + 1):
                    found, legal = (
                        f"{first} to {first + extent - 1}",
                        f"within 0 to {limit - 1}{hint}",
                    )
                    raise SLICE.violation(found, legal, f"{name}s of the slice")
        if self.result.type.role.data == SCALE:
            self._verify_scale()

    def _verify_scale(self) -> None:
        column = known_cell(self.result)[1]
        if column is not None:
            with violations_reported():
                raise_any(self.result.type.scale_factors.column_violations(column))


def _half_lanes(matrix: TensorMemoryType) -> str:
    """The help for a matrix whose data path layout leaves lanes unused."""
    name = matrix.layout_name
    if name is None or not shapes.LAYOUTS[name].is_half:
        return ""
    from ..isa.tensor_memory.ld_st import SHAPES

    used = shapes.LAYOUTS[name].alignments[-1]
    names = " or ".join(shape.name for shape in SHAPES.values() if shape.lanes == used)
    return f" (layout_{name} uses {used} lanes of each warp: slice those, for {names})"


def origin(matrix: SSAValue) -> tuple[SSAValue, int | None, int | None]:
    """The allocation that contains a matrix, and the lane and column of the matrix, if known."""
    lane: int | None = 0
    column: int | None = 0
    while isinstance(slice_ := matrix.owner, SliceOp):
        lane, column = (
            None if before is None or offset is None else before + offset
            for before, offset in zip((lane, column), slice_.known_offsets(), strict=True)
        )
        matrix = slice_.source
    return matrix, lane, column


def known_cell(matrix: SSAValue) -> tuple[int | None, int | None]:
    """
    The first lane of a matrix, and its first column in the allocation.

    Each is None unless the matrix is sliced from an allocation with constant offsets.
    """
    allocation, lane, column = origin(matrix)
    return (lane, column) if isinstance(allocation.owner, LoadAddressOp) else (None, None)


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


@irdl_op_definition
class CommitOp(CtaGroupOperation):
    """
    Make a barrier object track all mma, cp and shift operations that this thread has issued.

    The barrier receives one arrival when they are complete.

        tcgen05.commit (<cta_group>)? %mbarrier (multicast %multicast_mask)? attr-dict

    - `mbarrier`: the address of the barrier object in shared memory
    - `multicast_mask`: one bit for each CTA of the cluster; the barrier object at the same offset
      in the shared memory of each of these CTAs receives the arrival (default: this CTA only)
    """

    name = "tcgen05.commit"
    mbarrier = operand_def(B32)
    multicast_mask = opt_operand_def(B16)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        properties: dict[str, Attribute] = {}
        parse_words(parser, cls.QUALIFIERS, properties)
        first = parse_first_operand(parser, cls.QUALIFIERS, properties)
        operands: list[SSAValue] = [parser.resolve_operand(first, i32)]
        if parser.parse_optional_keyword("multicast") is not None:
            operands.append(parser.parse_operand(i16))
        attributes = parse_attributes(parser, cls, properties)
        return cls.create(operands=operands, properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        print_words(printer, self.QUALIFIERS, self.properties)
        printer.print_string(" ")
        printer.print_ssa_value(self.mbarrier)
        if self.multicast_mask is not None:
            printer.print_string(" multicast ")
            printer.print_ssa_value(self.multicast_mask)
        printer.print_op_attributes(self.attributes)

    def verify_(self) -> None:
        super().verify_()
        with violations_reported():
            raise_any(place_violations(self, self.mbarrier, 0, BARRIER_OBJECT))
        mask = None if self.multicast_mask is None else constant_bits(self.multicast_mask)
        ctas = None if mask is None else self._cluster_ctas()
        if mask is not None and ctas is not None:
            with violations_reported():
                check_cta_mask(mask, ctas)

    def _cluster_ctas(self) -> int | None:
        """The number of CTAs in the cluster; None if the kernel does not give it."""
        op = self.parent_op()
        while op is not None and not isinstance(op, KernelOp):
            op = op.parent_op()
        extents = None if op is None else op.extents("cluster_dims")
        # The verifier of the kernel reports wrong extents later, after the body.
        if extents is None or extents_violations("cluster_dims", extents):
            return None
        return prod(extents)


@irdl_op_definition
class FenceOp(KeywordOperation):
    """
    Order this thread's tcgen05 operations with those of other threads.

        tcgen05.fence <order> attr-dict

    Place one fence before the synchronisation of the threads, such as a barrier, and one after it.

    - `order`: whether the fence is before or after the synchronisation
    """

    name = "tcgen05.fence"
    KEYWORD: ClassVar[tuple[Mnemonic, str]] = alloc.FENCE, "order"
    order = prop_def(one_of(alloc.ORDER.spellings))


@irdl_op_definition
class WaitOp(KeywordOperation):
    """
    Wait until this thread's loads from tensor memory, or its stores to it, are complete.

        tcgen05.wait <operation> attr-dict

    Wait for loads before their tensor memory is overwritten or freed, and for stores before other
    operations use the stored data. The whole warp executes the operation.

    - `operation`: the operations to wait for
    """

    name = "tcgen05.wait"
    KEYWORD: ClassVar[tuple[Mnemonic, str]] = alloc.WAIT, "operation"
    operation = prop_def(one_of(alloc.OPERATION.spellings))

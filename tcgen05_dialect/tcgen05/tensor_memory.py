"""Typed addresses in tensor memory (PTX ISA 9.7.16.1.1)."""

from xdsl.dialects.builtin import DYNAMIC_INDEX, I64, DenseArrayBase
from xdsl.dialects.utils import DynamicIndexList
from xdsl.ir import SSAValue
from xdsl.irdl import (
    ParsePropInAttrDict,
    operand_def,
    prop_def,
    result_def,
    traits_def,
    var_operand_def,
)
from xdsl.traits import Pure

from ..isa.mma import accumulator
from ..isa.mma.products import SCALE
from ..isa.model.rule import raise_any
from ..isa.tensor_memory.alloc import (
    ALLOCATION_LANES,
    EXCLUSIVE_COLUMNS,
    LANES,
    SLICE,
    SLOT,
    check_columns,
)
from ..ptx.known_values import constant_value
from ..ptx.register_types import B32
from ..ptx.shared_accesses import place_violations
from ..xdsl_support.construction import ConstructedOperation
from ..xdsl_support.operation_format import formatted_op_definition
from .base import Tcgen05Operation, typed_operand, violations_reported
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
    if name is None or not accumulator.LAYOUTS[name].is_half:
        return ""
    from ..isa.tensor_memory.ld_st import SHAPES

    used = accumulator.LAYOUTS[name].alignments[-1]
    shapes = " or ".join(shape.name for shape in SHAPES.values() if shape.lanes == used)
    return f" (layout_{name} uses {used} lanes of each warp: slice those, for {shapes})"


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

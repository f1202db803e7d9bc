"""Copies between the registers of threads and memory: a vector holds elements of one thread."""

from abc import ABC
from collections.abc import Iterator
from typing import ClassVar

from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer

from ..isa.model.rule import Violation
from ..isa.tensor_memory.cells import CELL_BITS, LANES, WARP_LANES
from ..isa.warp_specialization import OPERAND_RULE, ROWS_RULE
from ..ptx.instruction import segment_sizes
from ..ptx.known_values import constant_value
from ..ptx.register_types import B32, B64
from ..tcgen05.base import typed_operand
from ..tcgen05.types import ELEMENT_TYPES, TensorMemoryType
from .ranges import Range, sum_of
from .roles import role_of
from .text import parse_value, parse_values
from .types import SharedTileType
from .vector_access import Access, Load, Store, vector_shape

CHUNK_BYTES = 16
"""Bytes of the largest access of one thread to shared memory."""


def _outside(range_: Range, count: int) -> int | None:
    """The number of a range that is farthest outside of the first `count`; None if all are in."""
    if range_.highest >= count:
        return range_.highest
    return range_.lowest if range_.lowest < 0 else None


class _TensorMemoryAccess(Access, ABC):
    INDICES: ClassVar[tuple[str, ...]] = ("column",)
    address = typed_operand(TensorMemoryType, what="buffer")

    @property
    def memory(self) -> SSAValue:
        return self.address

    def violations(self, length: int, element: Attribute) -> Iterator[Violation]:
        matrix = self.address.type
        if element != matrix.element:
            what = "the element type of the vector"
            yield OPERAND_RULE.violation(element, f"{matrix.element}, as the buffer has", what)
        if (matrix.rows.data, matrix.layout_name) != (LANES, None):
            what = "the buffer"
            help_ = f"use tiles of {LANES} rows, or tcgen05.ld and tcgen05.st for other layouts"
            legal = f"{LANES} rows, each in a lane of its own"
            yield ROWS_RULE.violation(matrix, legal, what, help=help_)
        role = role_of(self)
        warps = LANES // WARP_LANES
        if role is not None and role.warps_count != warps:
            found = f"{role.warps_count} in @{role.sym_name.data}"
            yield ROWS_RULE.violation(found, warps, "the number of warps of the role")
        yield from self._cell_violations(length, CELL_BITS // matrix.element_bits)
        last = matrix.columns.data - length
        first = _outside(self.index_ranges()[0] or Range(0, 0), last + 1)
        if first is not None:
            found, legal = f"{first} to {first + length - 1}", f"within 0 to {last + length - 1}"
            help_ = "begin at an earlier column, or use a shorter vector"
            yield ROWS_RULE.violation(found, legal, "the columns of the vector", help=help_)

    def _cell_violations(self, length: int, elements: int) -> Iterator[Violation]:
        """The violations by a vector that has parts of cells with several elements."""
        legal = f"a multiple of {elements}, the elements of a cell"
        if length % elements:
            what = "the number of elements of the vector"
            yield OPERAND_RULE.violation(length, legal, what)
        column = sum_of(self.mixed_indices[0]) or {}
        rest = column.get(None, 0) % elements
        if rest and not any(factor % elements for each, factor in column.items() if each):
            found = f"{rest} more" if len(column) > 1 else column[None]
            yield OPERAND_RULE.violation(found, legal, "the first column")


@irdl_op_definition
class TmemLoadOp(Load, _TensorMemoryAccess):
    """
    Load consecutive columns of the row of each thread from tensor memory.

        %vector = ws.tmem_load %buffer[<column>] -> <type>

    - `buffer`: a matrix with 128 rows
    - `column`: the first column, a value or a number; it is even where a cell of 32 bits holds two
      elements
    - `vector`: elements of the type of the buffer
    """

    name = "ws.tmem_load"


@irdl_op_definition
class TmemStoreOp(Store, _TensorMemoryAccess):
    """
    Store the vector of each thread to consecutive columns of its row in tensor memory.

        ws.tmem_store %vector to %buffer[<column>]

    The region that writes the buffer hands it over after the store is complete.
    """

    name = "ws.tmem_store"


class _SharedMemoryAccess(Access, ABC):
    INDICES: ClassVar[tuple[str, ...]] = ("row", "column")
    tile = typed_operand(SharedTileType, what="buffer")

    @property
    def memory(self) -> SSAValue:
        return self.tile

    def violations(self, length: int, element: Attribute) -> Iterator[Violation]:
        tile = self.tile.type
        if tile.copied is not None:
            legal = "a tile with a layout, such as !ws.smem<128x64xbf16, k_major, swizzle_128b>"
            yield OPERAND_RULE.violation(tile, legal, "the buffer")
            return
        own = tile.descriptor.element
        # The integers of a vector may be signless.
        if element != own and not (
            isinstance(own, IntegerType) and element == IntegerType(own.bitwidth)
        ):
            legal = f"{tile.descriptor.element}, as the buffer has"
            yield OPERAND_RULE.violation(element, legal, "the element type of the vector")
            return
        if tile.layout.container_bits < 8:
            yield OPERAND_RULE.violation(element, "8 bits or more", "the elements of the buffer")
            return
        chunk = CHUNK_BYTES * 8 // tile.layout.container_bits
        if length % chunk:
            what = "the number of elements of the vector"
            yield OPERAND_RULE.violation(length, f"a multiple of {chunk}", what)
        rows, columns = tile.extents
        rows_used, column = self.index_ranges()[0], self.known_indices()[1]
        row = None if rows_used is None else _outside(rows_used, rows)
        if row is not None:
            legal, help_ = f"within 0 to {rows - 1}", "use a row of the buffer"
            yield ROWS_RULE.violation(row, legal, "the row", help=help_)
        if column is None:
            yield OPERAND_RULE.violation("a value", "a number", "the column of a tile")
        elif column % chunk:
            yield OPERAND_RULE.violation(column, f"a multiple of {chunk}", "the first column")
        elif column not in range(columns - length + 1):
            found, legal = f"{column} to {column + length - 1}", f"within 0 to {columns - 1}"
            help_ = "begin at an earlier column, or use a shorter vector"
            yield ROWS_RULE.violation(found, legal, "the columns of the vector", help=help_)


@irdl_op_definition
class LocalLoadOp(Load, _SharedMemoryAccess):
    """
    Load consecutive elements of a row of a tile in shared memory.

        %vector = ws.local_load %tile[<row>, <column>] -> <type>

    - `tile`: a tile; its row is contiguous: along K, or along M or N if it is MN-major
    - `row`: a value or a number
    - `column`: the first column, a number that is a multiple of 16 bytes
    """

    name = "ws.local_load"


@irdl_op_definition
class LocalStoreOp(Store, _SharedMemoryAccess):
    """
    Store the vector of each thread to a row of a tile in shared memory.

        ws.local_store %vector to %tile[<row>, <column>]

    See `ws.local_load`.
    """

    name = "ws.local_store"


class _GlobalAccess(Access, ABC):
    INDICES: ClassVar[tuple[str, ...]] = ("row", "column")
    pointer = operand_def(B64)
    rows = operand_def(B32)
    columns = operand_def(B32)
    stride = opt_operand_def(B32)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    @property
    def memory(self) -> SSAValue:
        return self.pointer

    @property
    def pitch(self) -> SSAValue:
        """The number of elements from the beginning of a row to that of the next one."""
        return self.columns if self.stride is None else self.stride

    @property
    def element(self) -> str:
        """The name of the element type of the matrix."""
        shape = vector_shape(self.vector.type)
        assert shape is not None
        known = ELEMENT_TYPES.get(shape[1])
        return str(shape[1]) if known is None else known.name

    @classmethod
    def parse_memory(cls, parser: Parser) -> tuple[list[SSAValue], dict[str, Attribute]]:
        (pointer, *values), properties = super().parse_memory(parser)
        parser.parse_keyword("of")
        position = parser.pos
        extents = parse_values(parser)
        if len(extents) != 2:
            parser.raise_error(f"expected (%rows, %columns); found {len(extents)}", position)
        is_strided = parser.parse_optional_keyword("stride") is not None
        strides = [parse_value(parser)] if is_strided else []
        before = [1] if issubclass(cls, Store) else []
        sizes = segment_sizes((*before, 1, 1, 1, len(strides), len(values)))
        operands = [pointer, *extents, *strides, *values]
        return operands, properties | {AttrSizedOperandSegments.attribute_name: sizes}

    def print_memory(self, printer: Printer) -> None:
        super().print_memory(printer)
        printer.print_string(" of ")
        with printer.in_parens():
            printer.print_list((self.rows, self.columns), printer.print_ssa_value)
        if self.stride is not None:
            printer.print_string(" stride ")
            printer.print_ssa_value(self.stride)

    def violations(self, length: int, element: Attribute) -> Iterator[Violation]:
        if getattr(element, "bitwidth", 0) > CELL_BITS:
            what, legal = "the element type of the vector", f"a type of at most {CELL_BITS} bits"
            yield OPERAND_RULE.violation(element, legal, what)
        pitch, columns = constant_value(self.pitch), constant_value(self.columns)
        if pitch is not None and columns is not None and pitch < columns:
            legal = f"at least {columns}, the columns of the matrix"
            yield OPERAND_RULE.violation(pitch, legal, "the stride of the rows")


@irdl_op_definition
class GlobalLoadOp(Load, _GlobalAccess):
    """
    Load consecutive elements of a row of a row-major matrix in global memory.

        %vector = ws.global_load %pointer[<row>, <column>] of (%rows, %columns) -> <type>
        %vector = ws.global_load %pointer[<row>, <column>] of (%rows, %columns) stride %stride
            -> <type>

    Elements outside of the matrix are zero. The load takes 16 bytes at a time if the pointer, the
    stride of the rows and the column are multiples of 16 bytes.

    - `pointer`: the first element
    - `rows`, `columns`: the extents of the matrix
    - `stride`: the leading dimension, the number of elements from the beginning of a row to that of
      the next one; by default `columns`
    """

    name = "ws.global_load"


@irdl_op_definition
class GlobalStoreOp(Store, _GlobalAccess):
    """
    Store the vector of each thread to a row of a row-major matrix in global memory.

        ws.global_store %vector to %pointer[<row>, <column>] of (%rows, %columns)
        ws.global_store %vector to %pointer[<row>, <column>] of (%rows, %columns) stride %stride

    Nothing is stored outside of the matrix. See `ws.global_load`.
    """

    name = "ws.global_store"

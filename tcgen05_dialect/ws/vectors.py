"""Copies between the registers of threads and memory: a vector is what one thread holds."""

from abc import ABC
from collections.abc import Iterator
from typing import Any, ClassVar, Self, TypeVar, cast

from xdsl.dialects.builtin import I64, DenseArrayBase, VectorType
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    irdl_op_definition,
    operand_def,
    prop_def,
    result_def,
    var_operand_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer

from ..isa.model.rule import Violation, raise_any
from ..isa.tensor_memory.cells import LANES, WARP_LANES
from ..isa.warp_specialization import OPERAND_RULE, ROWS_RULE
from ..ptx.known_values import constant_value
from ..ptx.register_types import B32, B64
from ..tcgen05.base import typed_operand, violations_reported
from ..tcgen05.types import TensorMemoryType
from .base import WsOperation
from .roles import role_of
from .text import (
    mixed,
    parse_indices,
    parse_value,
    parse_values,
    print_attributes,
    print_indices,
)
from .types import SharedTileType

CHUNK_BYTES = 16
"""Bytes of the largest access of one thread to shared memory."""


def vector_shape(type_: Attribute) -> tuple[int, Attribute] | None:
    """The number of elements of a vector and their type; None for other types."""
    if not isinstance(type_, VectorType):
        return None
    vector = cast("VectorType[Any]", type_)
    shape = vector.get_shape()
    return (shape[0], vector.get_element_type()) if len(shape) == 1 else None


class _Access(WsOperation, ABC):
    """A copy of the vector of each thread; `INDICES` are the names of the indices."""

    INDICES: ClassVar[tuple[str, ...]]
    indices = var_operand_def(B32)
    static_indices = prop_def(DenseArrayBase[I64])

    @property
    def mixed_indices(self) -> list[SSAValue | int]:
        """The indices, each a value or a number."""
        return mixed(self.indices, self.static_indices)

    def known_indices(self) -> list[int | None]:
        """The indices, each None if it is not constant."""
        return [
            each if isinstance(each, int) else constant_value(each) for each in self.mixed_indices
        ]

    @property
    def memory(self) -> SSAValue:
        """The buffer or the pointer that is accessed."""
        raise NotImplementedError

    @property
    def vector(self) -> SSAValue:
        """The vector of each thread."""
        raise NotImplementedError

    def verify_(self) -> None:
        with violations_reported():
            found, legal = len(self.static_indices.get_values()), len(self.INDICES)
            if found != legal:
                shown = f"{legal}: [{', '.join(self.INDICES)}]"
                raise OPERAND_RULE.violation(found, shown, "the number of indices")
            shape = vector_shape(self.vector.type)
            if shape is None:
                example = "a vector with one dimension, such as vector<32xf32>"
                raise OPERAND_RULE.violation(self.vector.type, example, "what a thread holds")
            if role_of(self) is None:
                what = "the operation around it"
                raise OPERAND_RULE.violation("no ws.role", "a ws.role", what)
            raise_any(self.violations(*shape))

    def violations(self, length: int, element: Attribute) -> Iterator[Violation]:
        """The violations by a vector of this length and element type."""
        raise NotImplementedError


class _Load(_Access, ABC):
    result = result_def(VectorType)

    @property
    def vector(self) -> SSAValue:
        return self.result


class _Store(_Access, ABC):
    value = operand_def(VectorType)

    @property
    def vector(self) -> SSAValue:
        return self.value


_LoadT = TypeVar("_LoadT", bound=_Load)
_StoreT = TypeVar("_StoreT", bound=_Store)


class _TensorMemoryAccess(_Access, ABC):
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
            help_ = "use tcgen05.ld and tcgen05.st for other layouts"
            legal = f"{LANES} rows, each in a lane of its own"
            yield ROWS_RULE.violation(matrix, legal, what, help=help_)
        role = role_of(self)
        warps = LANES // WARP_LANES
        if role is not None and role.warps_count != warps:
            found = f"{role.warps_count} in @{role.sym_name.data}"
            yield ROWS_RULE.violation(found, warps, "the number of warps of the role")
        column = self.known_indices()[0]
        last = matrix.columns.data - length
        if last < 0 or (column is not None and column not in range(last + 1)):
            first = 0 if column is None else column
            found, legal = f"{first} to {first + length - 1}", f"within 0 to {last + length - 1}"
            help_ = "begin at an earlier column, or use a shorter vector"
            yield ROWS_RULE.violation(found, legal, "the columns of the vector", help=help_)


@irdl_op_definition
class TmemLoadOp(_TensorMemoryAccess, _Load):
    """
    Load consecutive columns of the row of each thread from tensor memory.

        %vector = ws.tmem_load %buffer[<column>] -> <type>

    - `buffer`: a matrix with 128 rows
    - `column`: the first column, a value or a number
    - `vector`: elements of the type of the buffer
    """

    name = "ws.tmem_load"
    address = typed_operand(TensorMemoryType, what="buffer")
    indices = var_operand_def(B32)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        return _parse_load(cls, parser)

    def print(self, printer: Printer) -> None:
        _print_load(self, printer)


@irdl_op_definition
class TmemStoreOp(_TensorMemoryAccess, _Store):
    """
    Store the vector of each thread to consecutive columns of its row in tensor memory.

        ws.tmem_store %vector to %buffer[<column>]

    The region that writes the buffer hands it over after the store is complete.
    """

    name = "ws.tmem_store"
    value = operand_def(VectorType)
    address = typed_operand(TensorMemoryType, what="buffer")
    indices = var_operand_def(B32)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        return _parse_store(cls, parser)

    def print(self, printer: Printer) -> None:
        _print_store(self, printer)


class _SharedMemoryAccess(_Access, ABC):
    INDICES: ClassVar[tuple[str, ...]] = ("row", "column")
    tile = typed_operand(SharedTileType, what="buffer")

    @property
    def memory(self) -> SSAValue:
        return self.tile

    def violations(self, length: int, element: Attribute) -> Iterator[Violation]:
        tile = self.tile.type
        if element != tile.descriptor.element:
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
        row, column = self.known_indices()
        if row is not None and row not in range(rows):
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
class LocalLoadOp(_SharedMemoryAccess, _Load):
    """
    Load consecutive elements of a row of a tile in shared memory.

        %vector = ws.local_load %tile[<row>, <column>] -> <type>

    - `tile`: a tile; its row is contiguous: along K, or along M or N if it is MN-major
    - `row`: a value or a number
    - `column`: the first column, a number that is a multiple of 16 bytes
    """

    name = "ws.local_load"
    tile = typed_operand(SharedTileType, what="buffer")
    indices = var_operand_def(B32)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        return _parse_load(cls, parser)

    def print(self, printer: Printer) -> None:
        _print_load(self, printer)


@irdl_op_definition
class LocalStoreOp(_SharedMemoryAccess, _Store):
    """
    Store the vector of each thread to a row of a tile in shared memory.

        ws.local_store %vector to %tile[<row>, <column>]

    See `ws.local_load`.
    """

    name = "ws.local_store"
    value = operand_def(VectorType)
    tile = typed_operand(SharedTileType, what="buffer")
    indices = var_operand_def(B32)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        return _parse_store(cls, parser)

    def print(self, printer: Printer) -> None:
        _print_store(self, printer)


class _GlobalAccess(_Access, ABC):
    INDICES: ClassVar[tuple[str, ...]] = ("row", "column")
    pointer = operand_def(B64)
    rows = operand_def(B32)
    columns = operand_def(B32)

    @property
    def memory(self) -> SSAValue:
        return self.pointer

    def violations(self, length: int, element: Attribute) -> Iterator[Violation]:
        bits = getattr(element, "bitwidth", 0)
        if bits not in (16, 32):
            what = "the element type of the vector"
            yield OPERAND_RULE.violation(element, "a type of 16 or 32 bits", what)


@irdl_op_definition
class GlobalLoadOp(_GlobalAccess, _Load):
    """
    Load consecutive elements of a row of a row-major matrix in global memory.

        %vector = ws.global_load %pointer[<row>, <column>] of (%rows, %columns) -> <type>

    Elements outside of the matrix are zero. The load takes 16 bytes at a time if the pointer, the
    rows of the matrix and the column are multiples of 16 bytes.

    - `pointer`: the first element
    - `rows`, `columns`: the extents of the matrix
    """

    name = "ws.global_load"
    pointer = operand_def(B64)
    rows = operand_def(B32)
    columns = operand_def(B32)
    indices = var_operand_def(B32)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        return _parse_load(cls, parser)

    def print(self, printer: Printer) -> None:
        _print_load(self, printer)


@irdl_op_definition
class GlobalStoreOp(_GlobalAccess, _Store):
    """
    Store the vector of each thread to a row of a row-major matrix in global memory.

        ws.global_store %vector to %pointer[<row>, <column>] of (%rows, %columns)

    Nothing is stored outside of the matrix. See `ws.global_load`.
    """

    name = "ws.global_store"
    value = operand_def(VectorType)
    pointer = operand_def(B64)
    rows = operand_def(B32)
    columns = operand_def(B32)
    indices = var_operand_def(B32)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        return _parse_store(cls, parser)

    def print(self, printer: Printer) -> None:
        _print_store(self, printer)


def _parse_memory(
    cls: type[_Access], parser: Parser
) -> tuple[list[SSAValue], dict[str, Attribute]]:
    """Parse a memory with indices and, in global memory, its extents."""
    memory = parse_value(parser)
    values, numbers = parse_indices(parser)
    extents: list[SSAValue] = []
    if issubclass(cls, _GlobalAccess):
        parser.parse_keyword("of")
        position = parser.pos
        extents = parse_values(parser)
        if len(extents) != 2:
            parser.raise_error(f"expected (%rows, %columns); found {len(extents)}", position)
    return [memory, *extents, *values], {"static_indices": numbers}


def _parse_load(cls: type[_LoadT], parser: Parser) -> _LoadT:
    operands, properties = _parse_memory(cls, parser)
    attributes = parser.parse_optional_attr_dict()
    parser.parse_punctuation("->")
    return cls.create(
        operands=operands,
        properties=properties,
        attributes=attributes,
        result_types=[parser.parse_type()],
    )


def _parse_store(cls: type[_StoreT], parser: Parser) -> _StoreT:
    value = parse_value(parser)
    parser.parse_keyword("to")
    operands, properties = _parse_memory(cls, parser)
    return cls.create(
        operands=[value, *operands],
        properties=properties,
        attributes=parser.parse_optional_attr_dict(),
    )


def _print_memory(op: _Access, printer: Printer) -> None:
    printer.print_ssa_value(op.memory)
    print_indices(printer, op.mixed_indices)
    if isinstance(op, _GlobalAccess):
        printer.print_string(" of ")
        with printer.in_parens():
            printer.print_list((op.rows, op.columns), printer.print_ssa_value)


def _print_load(op: _Load, printer: Printer) -> None:
    printer.print_string(" ")
    _print_memory(op, printer)
    print_attributes(printer, op)
    printer.print_string(" -> ")
    printer.print_attribute(op.result.type)


def _print_store(op: _Store, printer: Printer) -> None:
    printer.print_string(" ")
    printer.print_ssa_value(op.value)
    printer.print_string(" to ")
    _print_memory(op, printer)
    print_attributes(printer, op)

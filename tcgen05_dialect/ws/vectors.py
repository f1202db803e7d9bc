"""Copies between memory and the registers of threads, and the ranges of their indices. A vector
holds elements of one thread."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, NamedTuple, cast

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import I64, DenseArrayBase, IntegerType, VectorType, f8E4M3FN, f8E5M2
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.irdl import (
    AttrSizedOperandSegments,
    irdl_op_definition,
    operand_def,
    opt_operand_def,
    prop_def,
    result_def,
    var_operand_def,
)

from ..isa.model.rule import Violation, alternatives, raise_any
from ..isa.practice import OPERAND_RULE, ROWS_RULE
from ..isa.tensor_memory.alloc import CELL_BITS, LANES, WARP_LANES
from ..ptx.analysis.known_values import constant_value
from ..ptx.register_types import B32, B64
from ..tcgen05.base import typed_operand, violations_reported
from ..tcgen05.types import ELEMENT_TYPES, TensorMemoryType
from .base import (
    Parts,
    SharedTileType,
    SpelledOperation,
    check_mixed,
    enclosing,
    mixed,
)
from .roles import RoleOp, outside_violations, role_of

LEAST_BITS = 16
"""The bits of the smallest register."""
NARROW = (f8E4M3FN, f8E5M2)
"""Floating-point types of 8 bits, to and from which instructions convert two numbers at a time."""


def is_packed(element: Attribute) -> bool:
    """Whether registers hold several elements of a type, which are converted for arithmetic."""
    return element in NARROW or (isinstance(element, IntegerType) and element.bitwidth in (4, 8))


def vector_shape(type_: Attribute) -> tuple[int, Attribute] | None:
    """The number of elements of a vector and their type; None for other types."""
    if not isinstance(type_, VectorType):
        return None
    vector = cast("VectorType[Any]", type_)
    shape = vector.get_shape()
    return (shape[0], vector.get_element_type()) if len(shape) == 1 else None


def _element_violations(length: int, element: Attribute) -> Iterator[Violation]:
    """The violations by elements of vectors that are loaded or stored."""
    bits = getattr(element, "bitwidth", 0)
    if bits < LEAST_BITS and not (is_packed(element) and bits == 8):
        types = (f"a type of {LEAST_BITS} bits or more", "an integer of 8 bits", *map(str, NARROW))
        legal = alternatives(types)
        yield OPERAND_RULE.violation(element, legal, "the element type of the vector")
    elif bits < LEAST_BITS and length * bits % CELL_BITS:
        legal = f"a multiple of {CELL_BITS // bits}, the elements of a register"
        yield OPERAND_RULE.violation(length, legal, "the number of elements of the vector")


Sum = Mapping[SSAValue | None, int]
"""A linear expression: the factor of each counter or thread number; at None, the constant part."""


class Range(NamedTuple):
    """The lowest and the highest number that an index takes."""

    lowest: int
    highest: int


def range_of(value: SSAValue | int, user: Operation) -> Range | None:
    """
    The range of an index where `user` uses it. None if it is not known: if it depends on anything
    but constants, counters of loops with constant bounds and the number of the thread, or if a
    condition decides whether the operation is executed.
    """
    if isinstance(value, int):
        return Range(value, value)
    if (number := constant_value(value)) is not None:
        return Range(number, number)
    for around in enclosing(user):
        if isinstance(around, RoleOp):
            break
        if around.name not in _AROUND:
            return None
    found = sum_of(value)
    if found is None:
        return None
    lowest = highest = 0
    for source, factor in found.items():
        if source is None:
            ends = factor, factor
        elif (range_ := _range_of_source(source)) is None:
            return None
        else:
            ends = factor * range_.lowest, factor * range_.highest
        lowest += min(ends)
        highest += max(ends)
    return Range(lowest, highest)


_AROUND = frozenset({scf.ForOp.name, "ws.produce", "ws.consume"})
"""Operations that execute what is in them on each path."""


def sum_of(value: SSAValue | int) -> Sum | None:
    """A value as a sum; None if it is none."""
    number = value if isinstance(value, int) else constant_value(value)
    if number is not None:
        return {None: number}
    assert isinstance(value, SSAValue)
    op = value.owner
    if isinstance(op, Block):
        return {value: 1}
    if not isinstance(op, arith.AddiOp | arith.SubiOp | arith.MuliOp):
        return None
    a, b = map(sum_of, op.operands)
    if a is None or b is None:
        return None
    if isinstance(op, arith.MuliOp):
        if {*b} != {None}:
            a, b = b, a
        return _scaled(a, b[None]) if {*b} == {None} else None
    return _plus(a, b if isinstance(op, arith.AddiOp) else _scaled(b, -1))


def difference(a: Sum | None, b: Sum | None) -> int | None:
    """The difference of two sums; None if it is not constant."""
    if a is None or b is None:
        return None
    found = _plus(a, _scaled(b, -1))
    return None if any(found[each] for each in found if each is not None) else found.get(None, 0)


def _plus(a: Sum, b: Sum) -> Sum:
    return {each: a.get(each, 0) + b.get(each, 0) for each in {**a, **b}}


def _scaled(sum_: Sum, factor: int) -> Sum:
    return {each: factor * number for each, number in sum_.items()}


def _range_of_source(value: SSAValue) -> Range | None:
    """The range of the counter of a loop with constant bounds, or of the number of a thread."""
    assert isinstance(value.owner, Block)
    around = value.owner.parent_op()
    if isinstance(around, RoleOp):
        return Range(0, WARP_LANES * around.warps_count - 1)
    if not isinstance(around, scf.ForOp) or value is not around.body.block.args[0]:
        return None
    first, end, step = (constant_value(each) for each in (around.lb, around.ub, around.step))
    if first is None or end is None or step is None or step < 1 or first >= end:
        return None
    return Range(first, range(first, end, step)[-1])


class Access(SpelledOperation, ABC):
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

    def index_ranges(self) -> list[Range | None]:
        """The range of each index, None if it is not known."""
        return [range_of(each, self) for each in self.mixed_indices]

    @property
    @abstractmethod
    def memory(self) -> SSAValue:
        """The buffer or the pointer that is accessed."""

    @property
    @abstractmethod
    def vector(self) -> SSAValue:
        """The vector of each thread."""

    def verify_(self) -> None:
        with violations_reported():
            check_mixed(self.indices, self.static_indices)
            found, legal = len(self.static_indices.get_values()), len(self.INDICES)
            if found != legal:
                shown = f"{legal}: [{', '.join(self.INDICES)}]"
                raise OPERAND_RULE.violation(found, shown, "the number of indices")
            shape = vector_shape(self.vector.type)
            if shape is None:
                example = "a vector with one dimension, such as vector<32xf32>"
                raise OPERAND_RULE.violation(self.vector.type, example, "what a thread holds")
            raise_any(outside_violations(self))
            raise_any(_element_violations(*shape))
            raise_any(self.violations(*shape))

    @abstractmethod
    def violations(self, length: int, element: Attribute) -> Iterator[Violation]:
        """The violations by a vector of this length and element type."""


class Load(Access, ABC):
    """A load, which gives the vector of each thread."""

    result = result_def(VectorType)

    @property
    def vector(self) -> SSAValue:
        return self.result


class Store(Access, ABC):
    """A store of the vector of each thread."""

    value = operand_def(VectorType)

    @property
    def vector(self) -> SSAValue:
        return self.value


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
    FORM: ClassVar[Parts] = ("%address", "[]", "->")


@irdl_op_definition
class TmemStoreOp(Store, _TensorMemoryAccess):
    """
    Store the vector of each thread to consecutive columns of its row in tensor memory.

        ws.tmem_store %vector to %buffer[<column>]

    The region that writes the buffer hands it over after the store is complete.
    """

    name = "ws.tmem_store"
    FORM: ClassVar[Parts] = ("%value", "to", "%address", "[]")


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
            what, help_ = "the column of a tile", "write a number; unroll a loop over the columns"
            yield OPERAND_RULE.violation("a value", "a number", what, help=help_)
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
    FORM: ClassVar[Parts] = ("%tile", "[]", "->")


@irdl_op_definition
class LocalStoreOp(Store, _SharedMemoryAccess):
    """
    Store the vector of each thread to a row of a tile in shared memory.

        ws.local_store %vector to %tile[<row>, <column>]

    See `ws.local_load`.
    """

    name = "ws.local_store"
    FORM: ClassVar[Parts] = ("%value", "to", "%tile", "[]")


_EXTENTS: Parts = (*("of", " (", "%rows", ",", "%columns", ")"), ("stride", "%stride"))


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
        """The number of elements from the start of a row to the start of the next."""
        return self.columns if self.stride is None else self.stride

    @property
    def element(self) -> str:
        """The name of the element type of the matrix."""
        shape = vector_shape(self.vector.type)
        assert shape is not None
        known = ELEMENT_TYPES.get(shape[1])
        return str(shape[1]) if known is None else known.name

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
    FORM: ClassVar[Parts] = ("%pointer", "[]", *_EXTENTS, "->")


@irdl_op_definition
class GlobalStoreOp(Store, _GlobalAccess):
    """
    Store the vector of each thread to a row of a row-major matrix in global memory.

        ws.global_store %vector to %pointer[<row>, <column>] of (%rows, %columns)
        ws.global_store %vector to %pointer[<row>, <column>] of (%rows, %columns) stride %stride

    Nothing is stored outside of the matrix. See `ws.global_load`.
    """

    name = "ws.global_store"
    FORM: ClassVar[Parts] = ("%value", "to", "%pointer", "[]", *_EXTENTS)

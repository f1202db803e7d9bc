"""Accesses of one thread to tensor memory, shared memory and global memory, element by element."""

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from typing import cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    DYNAMIC_INDEX,
    I64,
    AnyFloat,
    DenseArrayBase,
    FixedBitwidthType,
    FloatAttr,
    IntegerType,
    f32,
    i16,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue

from tcgen05_dialect.isa.element import container_bits
from tcgen05_dialect.isa.mma.products import ACCUMULATOR
from tcgen05_dialect.isa.shared_memory.layout import SharedMemoryLayout
from tcgen05_dialect.isa.shared_memory.swizzle import ROW_BYTES, SWIZZLES
from tcgen05_dialect.isa.tensor_memory.cells import CELL_BITS, WARP_LANES
from tcgen05_dialect.isa.tensor_memory.ld_st import NUMS
from tcgen05_dialect.ptx.arithmetic import CvtPackOp, MulWideOp, PackOp, UnpackOp
from tcgen05_dialect.ptx.memory import CvtaToOp, LdOp, StOp
from tcgen05_dialect.ptx.packed_conversion import CvtPackNarrowOp
from tcgen05_dialect.reporting.operation_error import no_lowering
from tcgen05_dialect.tcgen05 import ld_st
from tcgen05_dialect.tcgen05.tensor_memory import SliceOp
from tcgen05_dialect.tcgen05.types import ELEMENT_TYPES, TensorMemoryType
from tcgen05_dialect.tcgen05.wait import WaitOp
from tcgen05_dialect.ws.address import AddressOp
from tcgen05_dialect.ws.types import SharedTileType
from tcgen05_dialect.ws.vector_access import NARROW
from tcgen05_dialect.ws.vectors import CHUNK_BYTES, GlobalLoadOp, GlobalStoreOp
from tcgen05_dialect.xdsl_support.shared_attributes import text

from .emitter import Emitter, Value, known

_WORD_BYTES = 4
_COUNTS = sorted((int(name[1:]) for name in NUMS), reverse=True)
"""Numbers of columns that one load or store can access, the largest first."""


def slice_of(
    emit: Emitter, matrix: SSAValue, lane: Value, column: Value, type_: TensorMemoryType
) -> SSAValue:
    """A part of a matrix in tensor memory."""
    offsets = known(lane), known(column)
    values = zip((lane, column), offsets, strict=True)
    operands = [matrix, *(emit.value(each) for each, number in values if number is None)]
    properties = {"static_offsets": _static_offsets(*offsets)}
    return emit.make(SliceOp, operands, [type_], properties).results[0]


@lru_cache(maxsize=1024)
def _static_offsets(*offsets: int | None) -> DenseArrayBase[I64]:
    """The offsets of a slice that are numbers; cached, because few occur."""
    return DenseArrayBase.from_list(i64, [DYNAMIC_INDEX if at is None else at for at in offsets])


def _element_bits(matrix: TensorMemoryType) -> int:
    """The bits of tensor memory that an element occupies."""
    if matrix.role.data == ACCUMULATOR:
        return CELL_BITS
    return container_bits(matrix.element_type.bits, pads=True)


def _matrix_type(matrix: SSAValue) -> TensorMemoryType:
    type_ = matrix.type
    assert isinstance(type_, TensorMemoryType)
    return type_


def _parts(
    emit: Emitter, matrix: SSAValue, lane: Value, column: Value, cells: int
) -> Iterator[tuple[SSAValue, int]]:
    """The slices, each with a legal number of columns, of consecutive cells of a row."""
    type_ = _matrix_type(matrix)
    per_cell = CELL_BITS // _element_bits(type_)
    first = column
    if per_cell > 1:
        number = known(column)
        first = (
            number // per_cell
            if number is not None
            else emit.binary(arith.DivUIOp, column, per_cell)
        )
    element = type_.element if type_.element == f32 else i32
    done = 0
    while done < cells:
        count = next(each for each in _COUNTS if each <= cells - done)
        part = TensorMemoryType.get(WARP_LANES, count, element)
        yield slice_of(emit, matrix, lane, emit.plus(first, done), part), count
        done += count


def _access(count: int) -> dict[str, Attribute]:
    return {"shape": text("shape_32x32b"), "num": text(f"x{count}")}


def load_tensor_memory(
    emit: Emitter, matrix: SSAValue, lane: Value, column: Value, length: int
) -> list[SSAValue]:
    """Load consecutive columns of the row of each thread."""
    type_ = _matrix_type(matrix)
    per_cell = CELL_BITS // _element_bits(type_)
    words: list[SSAValue] = []
    for part, count in [*_parts(emit, matrix, lane, column, length // per_cell)]:
        register = f32 if type_.element == f32 else i32
        load = emit.make(ld_st.LdOp, [part], [register] * count, _access(count))
        words.extend(load.values)
    emit.make(WaitOp, properties={"operation": text("ld")})
    return _from_words(emit, words, type_.element, per_cell)


def store_tensor_memory(
    emit: Emitter, matrix: SSAValue, lane: Value, column: Value, values: Sequence[SSAValue]
) -> None:
    """Store consecutive columns of the row of each thread."""
    type_ = _matrix_type(matrix)
    per_cell = CELL_BITS // _element_bits(type_)
    packs = per_cell > 1
    words = to_words(emit, values) if packs else [_widened(emit, each) for each in values]
    done = 0
    for part, count in [*_parts(emit, matrix, lane, column, len(words))]:
        operands = [part, *words[done : done + count]]
        emit.make(ld_st.StOp, operands, (), _access(count))
        done += count


def _width(type_: Attribute) -> int:
    assert isinstance(type_, FixedBitwidthType)
    return type_.bitwidth


def _widened(emit: Emitter, value: SSAValue) -> SSAValue:
    """A value of 16 bits in the low half of a register; another value as it is."""
    if _width(value.type) == CELL_BITS:
        return value
    bits = value
    if value.type != i16:
        bits = emit.make(arith.BitcastOp, [value], [i16]).result
    return emit.make(arith.ExtUIOp, [bits], [i32]).result


def to_words(emit: Emitter, values: Sequence[SSAValue]) -> list[SSAValue]:
    """Pack values into registers of 32 bits, the first value lowest."""
    bits = _width(values[0].type)
    count = CELL_BITS // bits
    if count == 1:
        return [*values]
    return [_word(emit, values[at : at + count]) for at in range(0, len(values), count)]


def _word(emit: Emitter, values: Sequence[SSAValue]) -> SSAValue:
    if values[0].type in NARROW:
        halves = tuple(_narrow(emit, *values[at : at + 2]) for at in range(0, len(values), 2))
        return emit.ptx(PackOp, {"parts": halves}, {"type": "b32"}, [i32]).d
    sources = [_rounded_from(value) for value in values]
    low, high = sources[0], sources[-1]
    if len(values) == 2 and low is not None and high is not None:
        properties = {"rounding": "rn", "type": f"{values[0].type.name}x2", "source": "f32"}
        return emit.ptx(CvtPackOp, {"high": (high,), "low": (low,)}, properties).d
    return emit.ptx(PackOp, {"parts": tuple(values)}, {"type": "b32"}, [i32]).d


def _rounded_from(value: SSAValue) -> SSAValue | None:
    """The value of type f32 that a value is rounded from, if any."""
    owner = value.owner
    if type(owner) is not arith.TruncFOp:
        return None
    source = owner.input
    return source if source.type == f32 else None


def _narrow(emit: Emitter, low: SSAValue, high: SSAValue | None = None) -> SSAValue:
    """One or two numbers of 8 bits in a register of 16 bits."""
    type_ = f"{ELEMENT_TYPES[low.type].name}x2"
    sources = [None if each is None else _rounded_from(each) for each in (low, high)]
    if sources[0] is None or (high is not None and sources[1] is None):
        assert isinstance(low.owner, Operation)
        raise no_lowering(low.owner, "elements of 8 bits that arith.truncf rounds from f32")
    operands = {
        "high": (_zero(emit, f32) if sources[1] is None else sources[1],),
        "low": (sources[0],),
    }
    properties = {"rounding": "rn", "saturate": "satfinite", "type": type_, "source": "f32"}
    return emit.ptx(CvtPackNarrowOp, operands, properties, [i16]).d


def _from_words(
    emit: Emitter, words: Sequence[SSAValue], element: Attribute, per_word: int
) -> list[SSAValue]:
    """The elements in registers of 32 bits."""
    bits = _width(element)
    if bits == CELL_BITS:
        return [*words]
    found: list[SSAValue] = []
    for word in words:
        types = [element] * (CELL_BITS // bits)
        parts = emit.ptx(UnpackOp, {"a": (word,)}, {"type": "b32"}, types).results
        found.extend(parts[:per_word])
    return found


def _addresses(
    emit: Emitter, tile: SSAValue, row: Value, column: int, length: int
) -> list[SSAValue]:
    """The addresses of the chunks of 16 bytes of a part of a row, after swizzling."""
    type_ = tile.type
    assert isinstance(type_, SharedTileType)
    layout = type_.layout
    mode = SWIZZLES[layout.swizzle]
    chunk = CHUNK_BYTES * 8 // layout.container_bits
    base = emit.make(AddressOp, [tile], [i32]).result
    offset = _row_offset(emit, layout, row)
    period = mode.width // mode.chunk
    shift = None
    if period > 1:
        lines = emit.binary(arith.DivUIOp, offset, ROW_BYTES)
        line = emit.binary(arith.AndIOp, lines, period - 1)
        shift = emit.times(line, mode.chunk)
    found: list[SSAValue] = []
    for at in range(column, column + length, chunk):
        inside = _linear(layout, 0, at)
        in_row = inside % mode.width
        place = emit.value(in_row) if shift is None else emit.binary(arith.XOrIOp, shift, in_row)
        byte = emit.plus(emit.plus(offset, place), inside - in_row)
        found.append(emit.plus(base, byte))
    return found


def _linear(layout: SharedMemoryLayout, row: int, column: int) -> int:
    mn, k = (column, row) if layout.transposed else (row, column)
    return layout.linear_byte_offset(mn, k)


def _row_offset(emit: Emitter, layout: SharedMemoryLayout, row: Value) -> SSAValue:
    """The first byte of a row before swizzling: rows in atoms, and atoms one after the other."""
    number = known(row)
    if number is not None:
        return emit.constant(_linear(layout, number, 0))
    atom_rows = SWIZZLES[layout.swizzle].atom_rows
    width, stride = _linear(layout, 1, 0), _linear(layout, atom_rows, 0)
    if stride == atom_rows * width:
        return emit.times(row, width)
    atom = emit.times(emit.binary(arith.DivUIOp, row, atom_rows), stride)
    inside = emit.times(emit.binary(arith.AndIOp, row, atom_rows - 1), width)
    return emit.plus(atom, inside)


def load_shared_memory(
    emit: Emitter, tile: SSAValue, row: Value, column: int, length: int, element: Attribute
) -> list[SSAValue]:
    """Load a part of a row of a tile."""
    words: list[SSAValue] = []
    for address in _addresses(emit, tile, row, column, length):
        types = [element if _width(element) == CELL_BITS else i32] * (CHUNK_BYTES // _WORD_BYTES)
        properties = {"space": "shared::cta", "type": "b32"}
        words.extend(emit.ptx(LdOp, {"address": (address,)}, properties, types).values)
    return _from_words(emit, words, element, CELL_BITS // _width(element))


def store_shared_memory(
    emit: Emitter, tile: SSAValue, row: Value, column: int, values: Sequence[SSAValue]
) -> None:
    """Store to a part of a row of a tile."""
    words = to_words(emit, values)
    step = CHUNK_BYTES // _WORD_BYTES
    for at, address in enumerate(_addresses(emit, tile, row, column, len(values))):
        operands = {"address": (address,), "values": tuple(words[at * step : (at + 1) * step])}
        emit.ptx(StOp, operands, {"space": "shared::cta", "type": "b32"})


class _GlobalRow:
    """A part of a row of a matrix in global memory."""

    def __init__(self, emit: Emitter, op: GlobalLoadOp | GlobalStoreOp, length: int, bytes_: int):
        self.emit, self.op, self.length, self.bytes = emit, op, length, bytes_
        self.row, self.column = map(emit.value, op.mixed_indices)
        self.inside = emit.compare("slt", self.row, op.rows)
        start = emit.ptx(MulWideOp, {"a": (self.row,), "b": (op.columns,)}, {"type": "u32"}).d
        column = emit.make(arith.ExtUIOp, [self.column], [i64]).result
        element = emit.add_wide(start, column)
        shift = emit.constant(bytes_.bit_length() - 1, i64)
        offset = emit.make(arith.ShLIOp, [element, shift], [i64])
        pointer = emit.ptx(CvtaToOp, {"a": (op.pointer,)}, {"space": "global"}).d
        self.address = emit.add_wide(pointer, offset.result)

    def accessed(
        self,
        whole: Callable[[], Sequence[SSAValue]],
        single: Callable[[int, SSAValue], Sequence[SSAValue]],
    ) -> Sequence[SSAValue]:
        """
        Access whole chunks of 16 bytes if they are aligned and inside of the matrix; else single
        elements, each with the condition that it is inside.
        """
        if self.length * self.bytes % CHUNK_BYTES:
            return self._single(single)
        emit, op = self.emit, self.op
        low = emit.make(arith.TruncIOp, [op.pointer], [i32]).result
        pitch = emit.times(op.columns, self.bytes)
        first = emit.times(self.column, self.bytes)
        bits = emit.binary(arith.OrIOp, emit.binary(arith.OrIOp, low, pitch), first)
        rest = emit.binary(arith.AndIOp, bits, CHUNK_BYTES - 1)
        end = emit.plus(self.column, self.length)
        fits = emit.both(emit.compare("eq", rest, 0), emit.compare("sle", end, op.columns))
        return emit.choose(fits, whole, lambda: self._single(single))

    def _single(self, single: Callable[[int, SSAValue], Sequence[SSAValue]]) -> Sequence[SSAValue]:
        found: list[SSAValue] = []
        for at in range(self.length):
            column = self.emit.plus(self.column, at)
            is_left = self.emit.compare("slt", column, self.op.columns)
            found.extend(single(at, self.emit.both(self.inside, is_left)))
        return found


def load_global_memory(
    emit: Emitter, op: GlobalLoadOp, length: int, element: Attribute
) -> Sequence[SSAValue]:
    """Load a part of a row of a matrix; elements outside of it are zero."""
    bits = _width(element)
    row = _GlobalRow(emit, op, length, bits // 8)
    zero = _zero(emit, element)

    def whole() -> Sequence[SSAValue]:
        register = element if bits == CELL_BITS else i32
        count = CHUNK_BYTES // _WORD_BYTES
        kept = [_zero(emit, register)] * count
        words: list[SSAValue] = []
        for at in range(0, length * row.bytes, CHUNK_BYTES):
            operands, properties = {"address": (row.address,)}, _global("b32", at)
            load = LdOp.assemble(operands, [register] * count, properties)
            # A branch would let the lanes of the warp diverge.
            words.extend(emit.guarded(row.inside, load, kept))
        return _from_words(emit, words, element, CELL_BITS // bits)

    def single(at: int, condition: SSAValue) -> Sequence[SSAValue]:
        properties = _global(f"b{bits}", at * row.bytes)
        load = LdOp.assemble({"address": (row.address,)}, [element], properties)
        return emit.guarded(condition, load, [zero])

    return row.accessed(whole, single)


def _zero(emit: Emitter, element: Attribute) -> SSAValue:
    if not isinstance(element, AnyFloat):
        return emit.constant(0, cast("IntegerType", element))
    return emit.make(arith.ConstantOp, (), [element], {"value": FloatAttr(0.0, element)}).result


def store_global_memory(emit: Emitter, op: GlobalStoreOp, values: Sequence[SSAValue]) -> None:
    """Store to a part of a row of a matrix, and nothing outside of the matrix."""
    row = _GlobalRow(emit, op, len(values), _width(values[0].type) // 8)

    def whole() -> Sequence[SSAValue]:
        words = to_words(emit, values)
        step = CHUNK_BYTES // _WORD_BYTES
        with emit.guard(row.inside):
            for at in range(0, len(words), step):
                store("b32", at * _WORD_BYTES, words[at : at + step])
        return ()

    def single(at: int, condition: SSAValue) -> Sequence[SSAValue]:
        value = values[at]
        stored = _narrow(emit, value) if value.type in NARROW else value
        with emit.guard(condition):
            store(f"b{_width(value.type)}", at * row.bytes, [stored])
        return ()

    def store(type_: str, offset: int, stored: Sequence[SSAValue]) -> None:
        operands = {"address": (row.address,), "values": tuple(stored)}
        emit.ptx(StOp, operands, _global(type_, offset))

    row.accessed(whole, single)


def _global(type_: str, offset: int) -> dict[str, Attribute | str | int]:
    """The properties of an access to global memory."""
    properties: dict[str, Attribute | str | int] = {"space": "global", "type": type_}
    return properties | ({"address_offset": offset} if offset else {})

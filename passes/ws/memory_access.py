"""Accesses of one thread to tensor memory, shared memory and global memory, element by element, and
the waits between stores to tensor memory and later accesses."""

from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache, partial
from typing import NamedTuple, Self

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import DYNAMIC_INDEX, I64, DenseArrayBase, f32, i32, i64
from xdsl.ir import Attribute, Operation, SSAValue

from tcgen05_dialect.isa.shared_memory.descriptor import ROW_BYTES, SWIZZLES
from tcgen05_dialect.isa.shared_memory.layout import SharedMemoryLayout
from tcgen05_dialect.isa.tensor_memory.alloc import CELL_BITS, WARP_LANES
from tcgen05_dialect.isa.tensor_memory.ld_st import NUMS
from tcgen05_dialect.ptx.instructions import CvtaToOp, LdOp, MulWideOp, StOp
from tcgen05_dialect.tcgen05 import ld_st
from tcgen05_dialect.tcgen05.alloc import SliceOp, WaitOp
from tcgen05_dialect.tcgen05.types import TensorMemoryType
from tcgen05_dialect.ws.base import AddressOp, SharedTileType
from tcgen05_dialect.ws.regions import HoldOp
from tcgen05_dialect.ws.roles import RoleOp
from tcgen05_dialect.ws.vectors import (
    CHUNK_BYTES,
    GlobalLoadOp,
    GlobalStoreOp,
    Sum,
    difference,
    is_packed,
    sum_of,
)
from tcgen05_dialect.xdsl_support.attributes import text

from .emitter import Emitter, Value, known
from .vectors import Elements, alone, from_words, packed, to_words, widened, width, zero

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
    return emit.compute(SliceOp, operands, type_, properties)


@lru_cache(maxsize=1024)
def _static_offsets(*offsets: int | None) -> DenseArrayBase[I64]:
    """The offsets of a slice that are numbers; cached, because few occur."""
    return DenseArrayBase.from_list(i64, [DYNAMIC_INDEX if at is None else at for at in offsets])


def _matrix_type(matrix: SSAValue) -> TensorMemoryType:
    type_ = matrix.type
    assert isinstance(type_, TensorMemoryType)
    return type_


def _parts(
    emit: Emitter, matrix: SSAValue, lane: Value, column: Value, cells: int
) -> Iterator[tuple[SSAValue, int]]:
    """The slices, each with a legal number of columns, of consecutive cells of a row."""
    type_ = _matrix_type(matrix)
    per_cell = CELL_BITS // type_.element_bits
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
    per_cell = CELL_BITS // type_.element_bits
    words: list[SSAValue] = []
    for part, count in [*_parts(emit, matrix, lane, column, length // per_cell)]:
        register = f32 if type_.element == f32 else i32
        load = emit.make(ld_st.LdOp, [part], [register] * count, _access(count))
        words.extend(load.values)
    emit.make(WaitOp, properties={"operation": text("ld")})
    return from_words(emit, words, type_.element, per_cell)


def store_tensor_memory(
    emit: Emitter, matrix: SSAValue, lane: Value, column: Value, elements: Elements
) -> None:
    """Store consecutive columns of the row of each thread."""
    type_ = _matrix_type(matrix)
    words = to_words(emit, elements) if type_.element_bits < CELL_BITS else widened(emit, elements)
    done = 0
    for part, count in [*_parts(emit, matrix, lane, column, len(words))]:
        operands = [part, *words[done : done + count]]
        emit.make(ld_st.StOp, operands, (), _access(count))
        done += count


def _addresses(
    emit: Emitter, tile: SSAValue, row: Value, column: int, length: int
) -> list[SSAValue]:
    """The addresses of the chunks of 16 bytes of a part of a row, after swizzling."""
    type_ = tile.type
    assert isinstance(type_, SharedTileType)
    layout = type_.layout
    mode = SWIZZLES[layout.swizzle]
    chunk = CHUNK_BYTES * 8 // layout.container_bits
    base = emit.compute(AddressOp, [tile], i32)
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
        types = [element if width(element) == CELL_BITS else i32] * (CHUNK_BYTES // _WORD_BYTES)
        properties = {"space": "shared::cta", "type": "b32"}
        words.extend(emit.ptx(LdOp, {"address": (address,)}, properties, types).values)
    return from_words(emit, words, element, CELL_BITS // width(element))


def store_shared_memory(
    emit: Emitter, tile: SSAValue, row: Value, column: int, elements: Elements
) -> None:
    """Store to a part of a row of a tile."""
    words = to_words(emit, elements)
    step = CHUNK_BYTES // _WORD_BYTES
    for at, address in enumerate(_addresses(emit, tile, row, column, elements.length)):
        operands = {"address": (address,), "values": tuple(words[at * step : (at + 1) * step])}
        emit.ptx(StOp, operands, {"space": "shared::cta", "type": "b32"})


class _GlobalRow:
    """A part of a row of a matrix in global memory."""

    def __init__(self, emit: Emitter, op: GlobalLoadOp | GlobalStoreOp, length: int, bytes_: int):
        self.emit, self.op, self.length, self.bytes = emit, op, length, bytes_
        self.row, self.column = map(emit.value, op.mixed_indices)
        self.inside = emit.compare("slt", self.row, op.rows)
        start = emit.ptx(MulWideOp, {"a": (self.row,), "b": (op.pitch,)}, {"type": "u32"}).d
        column = emit.compute(arith.ExtUIOp, [self.column], i64)
        element = emit.binary(arith.AddiOp, start, column)
        shift = emit.constant(bytes_.bit_length() - 1, i64)
        offset = emit.make(arith.ShLIOp, [element, shift], [i64])
        pointer = emit.ptx(CvtaToOp, {"a": (op.pointer,)}, {"space": "global"}).d
        self.address = emit.binary(arith.AddiOp, pointer, offset.result)

    def accessed(
        self,
        whole: Callable[[], Sequence[SSAValue]],
        single: Callable[[int, SSAValue], Sequence[SSAValue]],
        finish: Callable[[Sequence[SSAValue]], Sequence[SSAValue]] | None = None,
    ) -> Sequence[SSAValue]:
        """Access whole chunks of 16 bytes if they are aligned and inside of the matrix; else single
        elements, each with the condition that it is inside; `finish` packs them."""

        def apart() -> Sequence[SSAValue]:
            elements = self._single(single)
            return elements if finish is None else finish(elements)

        if self.length * self.bytes % CHUNK_BYTES:
            return apart()
        emit, op = self.emit, self.op
        low = emit.compute(arith.TruncIOp, [op.pointer], i32)
        pitch = emit.times(op.pitch, self.bytes)
        first = emit.times(self.column, self.bytes)
        bits = emit.binary(arith.OrIOp, emit.binary(arith.OrIOp, low, pitch), first)
        rest = emit.binary(arith.AndIOp, bits, CHUNK_BYTES - 1)
        end = emit.plus(self.column, self.length)
        fits = emit.both(emit.compare("eq", rest, 0), emit.compare("sle", end, op.columns))
        return emit.choose(fits, whole, apart)

    def _single(self, single: Callable[[int, SSAValue], Sequence[SSAValue]]) -> Sequence[SSAValue]:
        emit = self.emit
        in_row = emit.minus(self.op.columns, self.column)
        count = emit.select(self.inside, in_row, 0)
        found: list[SSAValue] = []
        for at in range(self.length):
            found.extend(single(at, emit.compare("slt", at, count)))
        return found


def load_global_memory(
    emit: Emitter, op: GlobalLoadOp, length: int, element: Attribute
) -> Sequence[SSAValue]:
    """Load a part of a row of a matrix; elements outside of it are zero."""
    bits = width(element)
    row = _GlobalRow(emit, op, length, bits // 8)
    register = i32 if is_packed(element) else element
    outside = zero(emit, register)

    def whole() -> Sequence[SSAValue]:
        type_ = element if bits == CELL_BITS else i32
        count = CHUNK_BYTES // _WORD_BYTES
        kept = [zero(emit, type_)] * count
        words: list[SSAValue] = []
        for at in range(0, length * row.bytes, CHUNK_BYTES):
            operands, properties = {"address": (row.address,)}, _global("b32", at)
            load = LdOp.assemble(operands, [type_] * count, properties)
            # A branch would let the lanes of the warp diverge.
            words.extend(emit.guarded(row.inside, load, kept))
        return from_words(emit, words, element, CELL_BITS // bits)

    def single(at: int, condition: SSAValue) -> Sequence[SSAValue]:
        properties = _global(f"b{bits}", at * row.bytes)
        load = LdOp.assemble({"address": (row.address,)}, [register], properties)
        return emit.guarded(condition, load, [outside])

    finish = partial(packed, emit, type_=element) if is_packed(element) else None
    return row.accessed(whole, single, finish)


def store_global_memory(emit: Emitter, op: GlobalStoreOp, elements: Elements) -> None:
    """Store to a part of a row of a matrix, and nothing outside of the matrix."""
    bits = width(elements.type)
    row = _GlobalRow(emit, op, elements.length, bits // 8)

    def whole() -> Sequence[SSAValue]:
        words = to_words(emit, elements)
        step = CHUNK_BYTES // _WORD_BYTES
        with emit.guard(row.inside):
            for at in range(0, len(words), step):
                store("b32", at * _WORD_BYTES, words[at : at + step])
        return ()

    def single(at: int, condition: SSAValue) -> Sequence[SSAValue]:
        stored = alone(emit, elements, at)
        with emit.guard(condition):
            store(f"b{bits}", at * row.bytes, [stored])
        return ()

    def store(type_: str, offset: int, stored: Sequence[SSAValue]) -> None:
        operands = {"address": (row.address,), "values": tuple(stored)}
        emit.ptx(StOp, operands, _global(type_, offset))

    row.accessed(whole, single)


def _global(type_: str, offset: int) -> dict[str, Attribute | str | int]:
    """The properties of an access to global memory."""
    properties: dict[str, Attribute | str | int] = {"space": "global", "type": type_}
    return properties | ({"address_offset": offset} if offset else {})


_REPEATED = (scf.ForOp, scf.WhileOp, RoleOp)


class _Access(NamedTuple):
    """The matrix, its first column, None if it is not known, and the number of columns."""

    matrix: SSAValue
    column: Sum | None
    length: int

    @classmethod
    def of(cls, matrix: SSAValue, column: Value, length: int) -> Self:
        whole = _whole(matrix)
        # A slice may count its columns in other elements.
        return cls(whole, sum_of(column) if whole is matrix else None, length)

    def may_meet(self, other: "_Access", stride: int | None = 0) -> bool:
        """Whether both may have a column in common. `stride` is how far their columns move from one
        iteration of a loop to the next, None if that is not known; they are of different ones."""
        if self.matrix is not other.matrix:
            return False
        distance = difference(other.column, self.column)
        if distance is None or stride is None:
            return True
        if stride == 0:
            return -other.length < distance < self.length
        return max(self.length, distance + other.length) - min(0, distance) > abs(stride)

    def stride(self, loop: Operation) -> int | None:
        """How far the columns move from one iteration to the next; None if it is not known."""
        stride: int | None = 0
        for source, factor in (self.column or {}).items():
            if source is None or not loop.is_ancestor(source.owner):
                continue
            if not isinstance(loop, scf.ForOp) or source is not loop.body.block.args[0]:
                return None
            step = known(loop.step)
            stride = None if step is None else factor * step
        return stride


def _whole(matrix: SSAValue) -> SSAValue:
    """The whole matrix of a part."""
    while isinstance(owner := matrix.owner, SliceOp):
        matrix = owner.source
    return matrix


class _Frame(NamedTuple):
    """An operation around what is appended: the stores that were pending before it, the number of
    accesses before it, and the stores that are pending at the ends of its regions."""

    op: Operation
    before: Sequence[_Access]
    accesses: int
    ends: list[Sequence[_Access]]


class PendingStores:
    """Appends waits for stores. The end of a stage waits for its stores; before that, a later
    access to the same columns needs a wait."""

    def __init__(self, emit: Emitter) -> None:
        self.emit = emit
        self._pending: list[_Access] = []
        self._accesses: list[_Access] = []
        self._frames: list[_Frame] = []

    @contextmanager
    def inside(self, op: Operation) -> Generator[None]:
        """Continue in the regions of an operation, and after it."""
        frame = _Frame(op, [*self._pending], len(self._accesses), [])
        self._frames.append(frame)
        yield
        self._frames.pop()
        if not frame.ends:
            return
        may_be_skipped = isinstance(op, _REPEATED) or not all(each.blocks for each in op.regions)
        ends = [*frame.ends, *([frame.before] if may_be_skipped else [])]
        self._pending = [each for at, end in enumerate(ends) for each in _new(end, ends[:at])]
        if isinstance(op, HoldOp):
            self._pending = [each for each in self._pending if each.matrix not in op.buffers]

    def end(self) -> None:
        """End a region; the next iteration of a loop must not access what is still pending."""
        frame = self._frames[-1]
        if isinstance(frame.op, _REPEATED):
            later = self._accesses[frame.accesses :]
            strides = [(store, store.stride(frame.op)) for store in self._pending]
            if any(store.may_meet(each, at) for store, at in strides for each in later):
                self._wait()
        frame.ends.append(self._pending)
        if isinstance(frame.op, scf.IfOp):
            self._pending = [*frame.before]

    def access(self, matrix: SSAValue, column: Value, length: int) -> None:
        """Wait before an access, if a store to the same columns may be pending."""
        access = _Access.of(matrix, column, length)
        if any(store.may_meet(access) for store in self._pending):
            self._wait()
        self._accesses.append(access)

    def store(self, matrix: SSAValue, column: Value, length: int) -> None:
        """Record a store, for which `access` has waited."""
        self._pending.append(_Access.of(matrix, column, length))

    def settle(self, values: Iterable[SSAValue]) -> None:
        """Wait for pending stores to the matrices among some values."""
        matrices = {*map(_whole, values)}
        if any(each.matrix in matrices for each in self._pending):
            self._wait()

    def _wait(self) -> None:
        self.emit.make(WaitOp, properties={"operation": text("st")})
        self._pending = []


def _new(end: Sequence[_Access], others: Sequence[Sequence[_Access]]) -> Sequence[_Access]:
    return [each for each in end if not any(each in other for other in others)]

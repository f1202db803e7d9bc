"""
ldmatrix, stmatrix and movmatrix (9.7.14.5.15 to 9.7.14.5.17).

Products of small matrices in the registers of a warp (9.7.14.5.14).

The sum over K and C is computed in float64 and rounded once to the type of D, to nearest even; the
manual does not define the order of the additions. A sum of f64 numbers is rounded after each
product, in the order of K. Integer sums are exact, and wrap unless they are saturated.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from typing import Any

import numpy as np
import numpy.typing as npt
from xdsl.ir import Operation

from ...isa.instructions.matrices import (
    ELEMENT_BITS,
    MATRIX_ROWS,
    PACKED_BITS,
    ROW_BYTES,
    Shape,
    positions,
    shape_of,
)
from ...isa.tensor_memory.alloc import WARP_LANES
from ...ptx import instructions as ptx
from ...ptx.text.syntax import offset_of, word_of
from ..machine.machine import Group, Step
from ..machine.program import Handler, Program
from ..machine.tensor_memory import Bytes
from ..numbers import floats
from ..numbers.conversions import decode_elements
from ..numbers.float_arithmetic import arithmetic
from ..numbers.floats import FORMATS, Lanes, unsigned
from ..numbers.integers import range_of
from .memory import spaces, touching

_SPACE = "shared::cta"


def _rows(registers: Sequence[Any]) -> Lanes:
    """The lanes that give the addresses of rows: eight rows fill a register of the warp."""
    return np.arange(WARP_LANES) < MATRIX_ROWS * len(registers)


def _loading(op: Any, program: Program, gathered: Callable[[Bytes], Bytes]) -> Step:
    """Loads matrices; `gathered` gives the registers of the lanes, in order, from the rows."""
    address, offset = program.index(op.address), offset_of(op, "address")
    results, touch = program.operands(op, "values"), touching(op)
    rows = _rows(results)

    def step(group: Group) -> None:
        memory, addresses = spaces(op, group, _SPACE, group.read(address))
        data = memory.load(op, addresses + offset, rows, ROW_BYTES, touch(group))
        whole = gathered(np.ascontiguousarray(data[rows])).reshape(-1).view(np.uint32)
        for result, value in zip(results, whole.reshape(-1, WARP_LANES), strict=True):
            group.write(result, value)

    return step


def _storing(op: Any, program: Program, scattered: Callable[[Bytes], Bytes]) -> Step:
    """Stores matrices; `scattered` gives the rows from the registers of the lanes, in order."""
    address, offset = program.index(op.address), offset_of(op, "address")
    values, touch = program.operands(op, "values"), touching(op)
    rows = _rows(values)

    def step(group: Group) -> None:
        memory, addresses = spaces(op, group, _SPACE, group.read(address))
        given = np.ascontiguousarray([group.read(value) for value in values]).view(np.uint8)
        data = np.zeros((WARP_LANES, ROW_BYTES), np.uint8)
        data[rows] = scattered(given).reshape(-1, ROW_BYTES)
        memory.store(op, addresses + offset, rows, data, touch(group))

    return step


def _exchanged(data: Bytes, transposed: bool) -> Bytes:
    """Rows of matrices of two-byte elements as columns, if transposed."""
    matrices = data.view(np.uint16).reshape(-1, MATRIX_ROWS, ROW_BYTES // 2)
    chosen = matrices.transpose(0, 2, 1) if transposed else matrices
    return np.ascontiguousarray(chosen).view(np.uint8)


def _ldmatrix(op: ptx.LdmatrixOp, program: Program) -> Step:
    return _loading(op, program, partial(_exchanged, transposed=op.transposed is not None))


def _stmatrix(op: ptx.StmatrixOp, program: Program) -> Step:
    return _storing(op, program, partial(_exchanged, transposed=op.transposed is not None))


def _unpacked(rows: Bytes, source: str | None) -> Bytes:
    """The elements of rows as bytes."""
    if source is None:
        return rows
    size = PACKED_BITS[source]
    bits = np.unpackbits(rows, axis=1, bitorder="little")[:, : size * ROW_BYTES]
    return np.packbits(bits.reshape(-1, size), axis=1, bitorder="little").reshape(rows.shape)


def _ldmatrix_b8(op: ptx.LdmatrixB8Op, program: Program) -> Step:
    def gathered(rows: Bytes) -> Bytes:
        data = _unpacked(rows, word_of(op, "source"))
        if op.shape.data == "m16n16":
            # Matrix, row (lane, register, byte), byte (half, lane).
            parts = data.reshape(-1, 4, 2, 2, 2, 8).transpose(0, 2, 5, 1, 4, 3)
            data = np.ascontiguousarray(parts)
        return data

    return _loading(op, program, gathered)


def _stmatrix_b8(op: ptx.StmatrixB8Op, program: Program) -> Step:
    def scattered(given: Bytes) -> Bytes:
        # Matrix, row in its half, column (lane, byte), half -> column, row.
        return given.reshape(-1, 8, 4, 2, 2).transpose(0, 2, 4, 3, 1)

    return _storing(op, program, scattered)


def _transposed(a: Lanes) -> Lanes:
    """movmatrix: the transposed matrix of a warp."""
    return _exchanged(np.ascontiguousarray(a).view(np.uint8), transposed=True).view(np.uint32)


def _movmatrix(op: ptx.MovmatrixOp, program: Program) -> Step:
    a, result = program.index(op.a), program.index(op.d)

    def step(group: Group) -> None:
        group.write(result, _transposed(group.read(a)).reshape(WARP_LANES))

    return step


Matrix = npt.NDArray[Any]


@dataclass(frozen=True)
class _Fragment:
    """The registers that hold one of the matrices, which has elements of `type`."""

    shape: Shape
    matrix: str
    type: str
    layout: str

    @cached_property
    def _index(self) -> tuple[Matrix, Matrix, Matrix]:
        """The product, row and column of each part: register x lane x part."""
        found = positions(self.shape, self.matrix, self.type, self.layout)
        places = np.array(found).transpose(1, 0, 2, 3)
        return places[..., 0], places[..., 1], places[..., 2]

    @cached_property
    def _shifts(self) -> Matrix:
        """The lowest bit of each part of a register."""
        return np.arange(self._index[0].shape[2], dtype=np.uint64) * np.uint64(
            ELEMENT_BITS[self.type]
        )

    @property
    def register(self) -> Any:
        """The type of a register."""
        return unsigned(max(ELEMENT_BITS[self.type], 32))

    def gathered(self, registers: Sequence[Lanes]) -> Matrix:
        """The elements of the matrices of all products, as their bits."""
        wide = np.ascontiguousarray(registers).astype(np.uint64)[..., None] >> self._shifts
        whole = np.zeros((self.shape.products, *self.shape.extents(self.matrix)), np.uint64)
        whole[self._index] = wide & np.uint64((1 << ELEMENT_BITS[self.type]) - 1)
        return whole

    def scattered(self, elements: Matrix) -> Sequence[Lanes]:
        """The registers of the fragment, from the bits of the elements."""
        parts = elements[self._index].astype(np.uint64) << self._shifts
        return np.bitwise_or.reduce(parts, axis=2).astype(self.register)


def _integers(bits: Matrix, type_: str) -> Matrix:
    """The numbers of an integer type."""
    numbers, size = bits.astype(np.int64), ELEMENT_BITS[type_]
    return numbers - (numbers >> size - 1 << size) if type_[0] == "s" else numbers


def _of_integers(op: Any, a: Matrix, b: Matrix, c: Matrix) -> Matrix:
    factors = [_integers(a, op.a_type.data), _integers(b, op.b_type.data)]
    total = factors[0] @ factors[1] + _integers(c, op.c_type.data)
    if op.saturate is not None:
        total = np.clip(total, *range_of(op.d_type.data))
    return total & 0xFFFFFFFF


def _of_bits(op: Any, a: Matrix, b: Matrix, c: Matrix) -> Matrix:
    combine = np.bitwise_and if word_of(op, "bit_operation") == "and" else np.bitwise_xor
    pairs = combine(a[:, :, None, :], b.transpose(0, 2, 1)[:, None, :, :])
    return pairs.sum(axis=3, dtype=np.int64) + _integers(c, op.c_type.data) & 0xFFFFFFFF


def _of_f64(op: Any, a: Matrix, b: Matrix, c: Matrix) -> Matrix:
    fma = arithmetic("fma", "rn", FORMATS["f64"], False)
    total = c
    for k in range(a.shape[2]):
        shape = total.shape
        x, y = (
            np.broadcast_to(each, shape).reshape(-1) for each in (a[:, :, k, None], b[:, None, k])
        )
        total = fma(x, y, total.reshape(-1)).reshape(shape)
    return total


def _of_floats(op: Any, a: Matrix, b: Matrix, c: Matrix) -> Matrix:
    sums = FORMATS[op.c_type.data]
    numbers = decode_elements(op.a_type.data, a) @ decode_elements(op.b_type.data, b)
    total = numbers + floats.decode(c.astype(sums.unsigned), sums)
    return floats.encode(total, FORMATS[op.d_type.data])


def _function(op: Any) -> Callable[[Any, Matrix, Matrix, Matrix], Matrix]:
    match op.a_type.data:
        case "b1":
            return _of_bits
        case "f64":
            return _of_f64
        case "u8" | "s8" | "u4" | "s4":
            return _of_integers
        case _:
            return _of_floats


_fragment = lru_cache(maxsize=256)(_Fragment)


def _mma(op: Any, program: Program) -> Step:
    shape, compute = shape_of(op.shape.data, op.a_type.data), _function(op)
    layouts = {"a": word_of(op, "a_layout") or "row", "b": word_of(op, "b_layout") or "col"}
    a, b, c, d = (
        _fragment(shape, name, getattr(op, f"{name}_type").data, layouts.get(name, ""))
        for name in "abcd"
    )
    sources = [(a, program.operands(op, "a")), (b, program.operands(op, "b"))]
    sources.append((c, program.operands(op, "c")))
    results = [program.index(value) for value in op.d]

    def step(group: Group) -> None:
        if group.machine.computes:
            given = [each.gathered([group.read(at) for at in places]) for each, places in sources]
            with np.errstate(all="ignore"):
                found = d.scattered(compute(op, *given))
        else:
            found = [np.zeros(WARP_LANES, d.register)] * len(results)
        for target, value in zip(results, found, strict=True):
            group.write(target, value)

    return step


HANDLERS: dict[type[Operation], Handler] = {
    ptx.LdmatrixOp: _ldmatrix,
    ptx.StmatrixOp: _stmatrix,
    ptx.LdmatrixB8Op: _ldmatrix_b8,
    ptx.StmatrixB8Op: _stmatrix_b8,
    ptx.MovmatrixOp: _movmatrix,
    ptx.MmaSyncOp: _mma,
    ptx.MmaSyncF64Op: _mma,
}

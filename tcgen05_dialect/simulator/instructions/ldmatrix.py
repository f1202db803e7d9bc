"""ldmatrix, stmatrix and movmatrix (9.7.14.5.15 to 9.7.14.5.17)."""

import numpy as np
from xdsl.ir import Operation

from ...isa.instructions.matrices import BYTE_SHAPES, MATRIX_ROWS, PACKED_BITS, ROW_BYTES
from ...isa.tensor_memory.alloc import WARP_LANES
from ...ptx import instructions as ptx
from ...ptx.syntax import offset_of, word_of
from ..machine.machine import Group, Step, Wait
from ..machine.memory import Bytes
from ..machine.program import Handler, Program
from ..numbers.floats import Lanes
from .memory import spaces, touching

_SPACE = "shared::cta"


def _rows(matrices: int) -> Lanes:
    """The lanes that give the addresses of rows."""
    return np.arange(WARP_LANES) < MATRIX_ROWS * matrices


def _exchanged(data: Bytes, transposed: bool) -> Bytes:
    """Rows of matrices of two-byte elements as columns, if transposed."""
    matrices = data.view(np.uint16).reshape(-1, MATRIX_ROWS, ROW_BYTES // 2)
    chosen = matrices.transpose(0, 2, 1) if transposed else matrices
    return np.ascontiguousarray(chosen).view(np.uint8)


def _ldmatrix(op: ptx.LdmatrixOp, program: Program) -> Step:
    address, offset = program.index(op.address), offset_of(op, "address")
    results, transposed = program.operands(op, "values"), op.transposed is not None
    rows, touch = _rows(len(results)), touching(op)

    def step(group: Group) -> Wait | None:
        memory, addresses = spaces(op, group, _SPACE, group.read(address))
        data = memory.load(op, addresses + offset, rows, ROW_BYTES, touch(group))
        whole = _exchanged(np.ascontiguousarray(data[rows]), transposed).view(np.uint32)
        for result, value in zip(results, whole.reshape(-1, WARP_LANES), strict=True):
            group.write(result, value)
        return None

    return step


def _stmatrix(op: ptx.StmatrixOp, program: Program) -> Step:
    address, offset = program.index(op.address), offset_of(op, "address")
    values, transposed = program.operands(op, "values"), op.transposed is not None
    rows, touch = _rows(len(values)), touching(op)

    def step(group: Group) -> Wait | None:
        memory, addresses = spaces(op, group, _SPACE, group.read(address))
        given = np.ascontiguousarray([group.read(value) for value in values]).view(np.uint8)
        data = np.zeros((WARP_LANES, ROW_BYTES), np.uint8)
        data[rows] = _exchanged(given, transposed).reshape(-1, ROW_BYTES)
        memory.store(op, addresses + offset, rows, data, touch(group))
        return None

    return step


def _unpacked(rows: Bytes, source: str | None) -> Bytes:
    """The elements of rows as bytes."""
    if source is None:
        return rows
    size = PACKED_BITS[source]
    bits = np.unpackbits(rows, axis=1, bitorder="little")[:, : size * ROW_BYTES]
    return np.packbits(bits.reshape(-1, size), axis=1, bitorder="little").reshape(rows.shape)


def _fragments(data: Bytes, shape: str) -> Lanes:
    """The registers of all lanes, from the rows of matrices: registers x lanes."""
    if shape == "m16n16":
        # Matrix, row (lane, register, byte), byte (half, lane).
        parts = data.reshape(-1, 4, 2, 2, 2, 8).transpose(0, 2, 5, 1, 4, 3)
        data = np.ascontiguousarray(parts)
    return data.reshape(-1).view(np.uint32).reshape(-1, WARP_LANES)


def _ldmatrix_b8(op: ptx.LdmatrixB8Op, program: Program) -> Step:
    address, offset = program.index(op.address), offset_of(op, "address")
    results, touch = program.operands(op, "values"), touching(op)
    shape, source = op.shape.data, word_of(op, "source")
    count = len(results) // BYTE_SHAPES[shape].registers
    rows = np.arange(WARP_LANES) < BYTE_SHAPES[shape].rows * count

    def step(group: Group) -> Wait | None:
        memory, addresses = spaces(op, group, _SPACE, group.read(address))
        data = memory.load(op, addresses + offset, rows, ROW_BYTES, touch(group))
        whole = _fragments(_unpacked(np.ascontiguousarray(data[rows]), source), shape)
        for result, value in zip(results, whole, strict=True):
            group.write(result, value)
        return None

    return step


def _stmatrix_b8(op: ptx.StmatrixB8Op, program: Program) -> Step:
    address, offset = program.index(op.address), offset_of(op, "address")
    values, touch = program.operands(op, "values"), touching(op)
    rows = _rows(len(values))

    def step(group: Group) -> Wait | None:
        memory, addresses = spaces(op, group, _SPACE, group.read(address))
        given = np.ascontiguousarray([group.read(value) for value in values]).view(np.uint8)
        # Matrix, row in its half, column (lane, byte), half -> column, row.
        columns = given.reshape(-1, 8, 4, 2, 2).transpose(0, 2, 4, 3, 1)
        data = np.zeros((WARP_LANES, ROW_BYTES), np.uint8)
        data[rows] = columns.reshape(-1, ROW_BYTES)
        memory.store(op, addresses + offset, rows, data, touch(group))
        return None

    return step


def _transposed(a: Lanes) -> Lanes:
    """movmatrix: the transposed matrix of a warp."""
    return _exchanged(np.ascontiguousarray(a).view(np.uint8), transposed=True).view(np.uint32)


def _movmatrix(op: ptx.MovmatrixOp, program: Program) -> Step:
    a, result = program.index(op.a), program.index(op.d)

    def step(group: Group) -> Wait | None:
        group.write(result, _transposed(group.read(a)).reshape(WARP_LANES))
        return None

    return step


HANDLERS: dict[type[Operation], Handler] = {
    ptx.LdmatrixOp: _ldmatrix,
    ptx.StmatrixOp: _stmatrix,
    ptx.LdmatrixB8Op: _ldmatrix_b8,
    ptx.StmatrixB8Op: _stmatrix_b8,
    ptx.MovmatrixOp: _movmatrix,
}

"""ldmatrix and stmatrix (9.7.14.5.15, 9.7.14.5.16)."""

import numpy as np
from xdsl.ir import Operation

from ...isa.ptx.ldmatrix import ROW_BYTES, ROWS
from ...isa.tensor_memory.cells import WARP_LANES
from ...ptx import ldmatrix as ptx
from ...ptx.syntax import offset_of
from ..machine.machine import Group, Step, Wait
from ..machine.memory import Bytes
from ..machine.program import Handler, Program
from ..numbers.lanes import Lanes
from .memory import spaces, touching

_SPACE = "shared::cta"


def _rows(matrices: int) -> Lanes:
    """The lanes that give the addresses of rows."""
    return np.arange(WARP_LANES) < ROWS * matrices


def _exchanged(data: Bytes, transposed: bool) -> Bytes:
    """Rows of matrices of two-byte elements as columns, if transposed."""
    matrices = data.view(np.uint16).reshape(-1, ROWS, ROW_BYTES // 2)
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


HANDLERS: dict[type[Operation], Handler] = {ptx.LdmatrixOp: _ldmatrix, ptx.StmatrixOp: _stmatrix}

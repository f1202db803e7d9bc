"""
Matrix products: D = A * B + D on what lies in shared and in tensor memory (9.7.16.10).

Products are exact. The sum over K of one instruction is made in float64, D is added to it, and
the result is rounded once to the type of D; sums of integers wrap, or saturate if the descriptor
says so. Hardware leaves the order of its sums, and so the last bits, open.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from ..isa.accumulator import DataPathLayout, data_path_layout
from ..isa.element import element
from ..isa.instruction_descriptor import InstructionDescriptor
from ..isa.mma import KINDS
from ..isa.mma_form import Form
from ..isa.rule import raise_any
from ..isa.shared_memory_descriptor import SharedMemoryDescriptor
from ..isa.tensor_memory import CELL_BITS, unpack
from .elements import decode
from .machine import Cta
from .operands import shared_matrix
from .tensor_memory import TensorMemory

Matrix = npt.NDArray[Any]


@dataclass(frozen=True)
class Product:
    """
    One matrix product as the hardware is given it: the CTAs, one or the pair, whose memories it
    uses, and its operands as the bits of registers.
    """

    form: Form
    ctas: tuple[Cta, ...]
    idesc: InstructionDescriptor
    d: int
    a: int
    b: int
    accumulate: bool
    scale_input_d: int = 0
    disabled: tuple[int, ...] = ()

    @property
    def layout(self) -> DataPathLayout:
        return data_path_layout(self.idesc.m, self.form.cta_group, self.idesc.sparse, self.form.ws)

    def compute(self) -> Matrix:
        """The matrix that D becomes, as M x N bits. Raises Violation."""
        idesc = self.idesc
        raise_any(idesc.violations(self.form.ws, self.form.cta_group, self.form.a_memory))
        a, b = self._a(), self._b()
        if idesc.negate_a:
            a = -a
        if idesc.negate_b:
            b = -b
        total = a @ b.T
        if self.accumulate:
            total = (
                total + self._d() * 2.0**-self.scale_input_d
                if self.scale_input_d
                else (total + self._d())
            )
        return encode_d(idesc, total)

    def _a(self) -> Matrix:
        idesc = self.idesc
        if self.form.a_memory == "tensor":
            return decode(idesc.a, self._a_in_tensor_memory())
        rows = idesc.m // len(self.ctas)
        parts = [self._shared(cta, self.a, idesc.a, idesc.transpose_a, rows) for cta in self.ctas]
        return decode(idesc.a, np.concatenate(parts))

    def _b(self) -> Matrix:
        idesc = self.idesc
        columns = idesc.n // len(self.ctas)
        parts = [
            self._shared(cta, self.b, idesc.b, idesc.transpose_b, columns) for cta in self.ctas
        ]
        return decode(idesc.b, np.concatenate(parts))

    def _shared(self, cta: Cta, bits: int, type_: str, transposed: bool, rows: int) -> Matrix:
        descriptor = SharedMemoryDescriptor.decode(bits)
        pads = KINDS[self.form.kind].pads
        return shared_matrix(
            cta.shared, descriptor, transposed, rows, self.idesc.k, element(type_).bits, pads
        )

    def _a_in_tensor_memory(self) -> Matrix:
        idesc, cell = self.idesc, unpack(self.a)
        bits = element(idesc.a).bits
        room = 8 if KINDS[self.form.kind].pads else bits
        rows = np.arange(idesc.m)
        k = np.arange(idesc.k)
        result = np.zeros((idesc.m, idesc.k), np.uint32)
        for rank, cta in enumerate(self.ctas):
            mine = rows[rows // self.layout.rows == rank]
            places = [self.layout.a_positions(int(row), 0, room, cell.lane)[0] for row in mine]
            lanes = np.array([place.lane for place in places])
            words = cta.tensor.read(lanes[:, None], (cell.column + k * room // CELL_BITS)[None])
            shifts = (k * room % CELL_BITS).astype(np.uint32)
            result[mine] = words >> shifts[None] & np.uint32((1 << bits) - 1)
        return result

    def _cells(self) -> list[tuple[TensorMemory, Matrix, Matrix, Matrix, Matrix]]:
        """For each CTA the rows and columns of D that lie in it, and the lanes and columns of
        tensor memory where."""
        idesc, layout, cell = self.idesc, self.layout, unpack(self.d)
        width = layout.columns(idesc.n)
        found: list[tuple[TensorMemory, Matrix, Matrix, Matrix, Matrix]] = []
        for rank, cta in enumerate(self.ctas):
            rows = np.arange(rank * layout.rows, min(idesc.m, (rank + 1) * layout.rows))
            for fold in range(layout.folds):
                first = fold * width
                lanes = np.array(
                    [layout.position(int(row), first, idesc.n, cell.lane).lane for row in rows]
                )
                columns = np.arange(width)
                found.append((cta.tensor, rows, columns + first, lanes, columns + cell.column))
        return found

    def _d(self) -> Matrix:
        idesc = self.idesc
        bits = np.zeros((idesc.m, idesc.n), np.uint32)
        for memory, rows, columns, lanes, places in self._cells():
            bits[rows[:, None], columns[None]] = memory.read(lanes[:, None], places[None])
        return decode_d(idesc, bits)

    def store(self, result: Matrix) -> None:
        """Write D, but for the lanes that are disabled. Raises Violation."""
        for memory, rows, columns, lanes, places in self._cells():
            enabled = np.array([not self._is_disabled(int(lane)) for lane in lanes])
            values = result[rows[enabled][:, None], columns[None]]
            memory.write(lanes[enabled][:, None], places[None], values)

    def _is_disabled(self, lane: int) -> bool:
        if not self.disabled:
            return False
        return bool(self.disabled[lane // CELL_BITS] >> lane % CELL_BITS & 1)


def decode_d(idesc: InstructionDescriptor, bits: Matrix) -> Matrix:
    """The numbers of D: float64, or int64."""
    match idesc.d:
        case "s32":
            return bits.view(np.int32).astype(np.int64)
        case "f16":
            return bits.astype(np.uint16).view(np.float16).astype(np.float64)
        case _:
            return bits.view(np.float32).astype(np.float64)


def encode_d(idesc: InstructionDescriptor, total: Matrix) -> Matrix:
    """The cells that hold the numbers of D."""
    match idesc.d:
        case "s32":
            if idesc.saturate:
                limits = np.iinfo(np.int32)
                total = np.clip(total, limits.min, limits.max)
            return total.astype(np.uint64).astype(np.uint32)
        case "f16":
            return total.astype(np.float16).view(np.uint16).astype(np.uint32)
        case _:
            return total.astype(np.float32).view(np.uint32)

"""
Matrix products D = A * B + D on shared and tensor memory (9.7.16.10).

Products of elements, also with scale factors, are exact. One instruction sums over K in float64,
adds D, and rounds once to the type of D, to nearest even. Integer sums are exact and wrap, or
saturate if the descriptor says so. The manual does not define the summation order of the hardware,
so the last bits of a result may differ. NaN is the canonical NaN of the type.

Matrices have axes (CTA, fold, row, column or k), like D in tensor memory: the CTA of the pair, and
the fold of N (`DataPathLayout`). An axis has extent 1 if all CTAs or folds read the same elements.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt
from xdsl.ir import Operation

from ...isa.element import container_bits, element
from ...isa.mma import operation
from ...isa.mma.instruction_descriptor import InstructionDescriptor
from ...isa.mma.operation import Form
from ...isa.mma.products import MATRIX_A, METADATA, SCALE, A
from ...isa.mma.scale import ScaleFactors
from ...isa.mma.shapes import KINDS, DataPathLayout, stored_elements
from ...isa.mma.sparse import GRANULARITIES, ZeroColumnMask
from ...isa.model.rule import raise_any
from ...isa.practice import UNWRITTEN
from ...isa.shared_memory.descriptor import SharedMemoryDescriptor
from ...isa.shared_memory.layout import ATOM_DISTANCE
from ...isa.tensor_memory import copies
from ...isa.tensor_memory.alloc import CELL_BITS, LANES, Cell, unpack, unpack_scale
from ..numbers import floats
from ..numbers.conversions import decode_elements
from ..numbers.floats import some
from ..numbers.integers import range_of
from ..order.race_detector import Touched
from ..order.shadow import Where
from ..provenance.record import NanScales, Provenance
from .errors import helped
from .operands import (
    Collected,
    SharedMatrix,
    a_cells,
    a_in_tensor_memory,
    buffer_of,
    collect,
    expanded,
    index_cells,
    scale_cells,
    scale_factors,
    stacked,
)
from .state import Cta
from .tensor_memory import LaneIndex, block, lane_index

Matrix = npt.NDArray[Any]


_FIRST = (
    "let the first MMA of an accumulator not accumulate: its predicate enable-input-d, which is "
    "`accumulate` in the tcgen05 dialect, must be false"
)
"""Help for an accumulator that nothing has written."""


@lru_cache(maxsize=64)
def accumulator_lanes(layout: DataPathLayout, lane: int) -> npt.NDArray[np.intp]:
    """Lanes of D in each CTA, with axes (fold, row)."""
    folds = range(layout.folds)
    return np.array(
        [
            [layout.position(row, fold, layout.folds, lane).lane for row in range(layout.rows)]
            for fold in folds
        ]
    )


@lru_cache(maxsize=64)
def accumulator_index(layout: DataPathLayout, lane: int) -> LaneIndex:
    """Index of the lanes of D in each CTA, in the order (fold, row)."""
    return lane_index(accumulator_lanes(layout, lane))


def row_cells(lanes: Matrix, cell: Cell, columns: int) -> Where:
    """Cells of rows in some lanes."""
    return block(lanes, cell.column, columns)


@lru_cache(maxsize=64)
def accumulator_cells(layout: DataPathLayout, cell: Cell, columns: int) -> Where:
    """Cells of D."""
    return row_cells(accumulator_lanes(layout, cell.lane), cell, columns)


def decode_accumulator(idesc: InstructionDescriptor, bits: Matrix) -> Matrix:
    """Decode D exactly."""
    if idesc.d == "s32":
        return bits.view(np.int32).astype(np.float64)
    format_ = floats.FORMATS[idesc.d]
    return floats.decode(bits.astype(format_.unsigned, copy=False), format_)


def encode_accumulator(idesc: InstructionDescriptor, total: Matrix) -> Matrix:
    """Round the numbers of D to its type and encode them as cells."""
    if idesc.d == "s32":
        whole = total.astype(np.int64)
        if idesc.saturate:
            whole = np.clip(whole, *range_of(idesc.d))
        return whole.astype(np.uint32)
    return floats.encode(total, floats.FORMATS[idesc.d]).astype(np.uint32, copy=False)


instruction_descriptor = lru_cache(maxsize=256)(InstructionDescriptor.decode)
_shared_memory_descriptor = lru_cache(maxsize=1024)(SharedMemoryDescriptor.decode)
_cell = lru_cache(maxsize=1024)(unpack)
_scale_cell = lru_cache(maxsize=1024)(unpack_scale)
_layout_of = lru_cache(maxsize=256)(Form.layout)


@lru_cache(maxsize=256)
def _extent_k(idesc: InstructionDescriptor) -> int:
    return idesc.k


@lru_cache(maxsize=1024)
def _check(form: Form, idesc: InstructionDescriptor, values: tuple[tuple[str, int], ...]) -> None:
    """Raise Violation for illegal operands; the products of a loop repeat a few."""
    bits = dict(values)
    addresses = {each.name: bits[each.name] for each in form.matrices_in("tensor")}
    descriptors = {each.name: bits[each.name] for each in form.matrices_in("shared")}
    mask = bits.get("zero_column_mask")
    found = operation.violations(
        form, idesc, addresses=addresses, descriptors=descriptors, mask=mask
    )
    # The verifier reports such distances; the product is that of the bytes at the addresses.
    raise_any(each for each in found if each.rule is not ATOM_DISTANCE)


@dataclass(kw_only=True)
class ProductExecution:
    """
    One matrix product with the values of its operands.

    It uses the memories of `ctas`: one CTA, or a pair with the even CTA first. `values` holds the
    bits of the register operands by name, `disabled` those of disable-output-lane.
    """

    form: Form
    ctas: tuple[Cta, ...]
    idesc: InstructionDescriptor
    values: Mapping[str, int]
    scale_input_d: int = 0
    disabled: tuple[int, ...] = ()
    _collected: Collected | None = field(default=None, init=False)
    _result: Matrix | None = field(default=None, init=False)
    _recorded: tuple[Operation, Provenance] | None = field(default=None, init=False)

    @property
    def multiply_adds(self) -> int:
        """Number of multiply-adds, including the products with the zeros of a sparse A."""
        return self.idesc.m * self.idesc.n * self._k

    def issue(self) -> tuple[Callable[[], None], Callable[[], None]]:
        """
        Check the operands and return the two asynchronous steps of the product: read and multiply,
        then write. Each step may raise Violation.

        Raises Violation for illegal operands and for illegal use of the collector.
        """
        _check(self.form, self.idesc, tuple(self.values.items()))
        self._collected = collect(self.form, [cta.collectors for cta in self.ctas], self._operand())
        return self._compute, self._store

    def _operand(self) -> tuple[object, ...]:
        """Identity of the operand that a collector buffer may hold."""
        idesc = self.idesc
        if self.form.product.ws:
            return self.values["b"], idesc.kind, idesc.b, idesc.n, self._k, idesc.transpose_b
        memory = self.form.a_memory
        return memory, self.values["a"], idesc.kind, idesc.a, idesc.m, self._k, idesc.transpose_a

    @cached_property
    def _layout(self) -> DataPathLayout:
        return _layout_of(self.form, self.idesc)

    @cached_property
    def _k(self) -> int:
        return _extent_k(self.idesc)

    def _collect(self, elements: Matrix) -> None:
        if self._collected is not None:
            self._collected.check(elements, buffer_of(self.form))

    def _compute(self) -> None:
        idesc = self.idesc
        a, b = self._a(), self._b()
        if idesc.negate_a != idesc.negate_b:
            a = -a
        total = _multiply(a, b)
        if self.values["enable_input_d"]:
            d = self._d()
            total += d * 2.0**-self.scale_input_d if self.scale_input_d else d
        self._result = encode_accumulator(idesc, total)

    def _shared(
        self, bits: int, type_: str, transposed: bool, rows: int, k: int
    ) -> list[SharedMatrix]:
        descriptor, pads = _shared_memory_descriptor(bits), KINDS[self.form.kind].pads
        size = element(type_).bits
        return [
            SharedMatrix(cta.shared, descriptor, transposed, rows, k, size, pads)
            for cta in self.ctas
        ]

    @cached_property
    def _shared_a(self) -> list[SharedMatrix]:
        """A in the shared memory of each CTA."""
        idesc, k = self.idesc, self._stored_k
        return self._shared(self.values["a"], idesc.a, idesc.transpose_a, self._layout.rows, k)

    @cached_property
    def _shared_b(self) -> list[SharedMatrix]:
        """B of each CTA, including the columns that the zero-column mask shifts out."""
        idesc, mask = self.idesc, self._mask
        columns = idesc.n // len(self.ctas) + (0 if mask is None else mask.column_shift)
        return self._shared(self.values["b"], idesc.b, idesc.transpose_b, columns, self._k)

    @property
    def _mask(self) -> ZeroColumnMask | None:
        given = self.values.get("zero_column_mask")
        return None if given is None else ZeroColumnMask.decode(given)

    @property
    def _stored_k(self) -> int:
        """Number of stored elements in a row of A."""
        return stored_elements(self._k, self.idesc.sparse)

    @property
    def _a_columns(self) -> int:
        """Number of tensor memory columns of A."""
        bits = container_bits(element(self.idesc.a).bits, KINDS[self.idesc.kind].pads)
        return self._stored_k * bits // CELL_BITS

    def _cell(self, name: str) -> Cell:
        """Cell at the address of a matrix."""
        return _cell(self.values[name])

    def _scale_cell(self, name: str) -> Cell:
        """The first cell of scale factors."""
        return _scale_cell(self.values[name])

    @property
    def _metadata_cell(self) -> Cell:
        lane, column = self._cell("metadata")
        return Cell(lane, column + self.idesc.sparsity_selector)

    def record(self, op: Operation, provenance: Provenance) -> None:
        """Record the operands and the accumulator of the product, which `op` issues."""
        self._recorded = op, provenance
        idesc, form, ctas = self.idesc, self.form, self.ctas
        cell, adds = self._cell("d"), bool(self.values["enable_input_d"])
        for cta in ctas:
            if form.a_memory == "tensor":
                first = self._cell("a").column
                provenance.read(cta.tensor, range(first, first + self._a_columns))
            for each in form.product.matrices:
                if each.role == SCALE:
                    begin = self._scale_cell(each.name)
                    where = scale_cells(*self._scale_factors(each.name), begin)
                    provenance.scaled(op, each.name, cta.tensor, where.bounds[1])
            provenance.accumulated(op, cta.tensor, cell, self._columns, adds)
        a = [] if form.a_memory == "tensor" else self._shared_a
        is_dense = not form.product.sparse
        types = idesc.a, idesc.b
        provenance.multiplied(op, ctas, a, self._shared_b, types, cell, is_dense)

    def touched(self) -> Iterator[Touched]:
        """Cells that the product reads and writes. Raises Violation if they are out of bounds."""
        idesc, layout = self.idesc, self._layout
        for each in self.form.matrices_in("shared"):
            for matrix in self._shared_a if each is A else self._shared_b:
                yield Touched(matrix.memory, matrix.cells(), False, operand=each.title)
        read: list[tuple[Where, bool, str]] = []
        if self.form.a_memory == "tensor":
            # .ashift writes A; checking a write includes the checks of a read.
            where = a_cells(layout, self._a_columns, self._cell("a"))
            read.append((where, self.form.ashift, MATRIX_A))
        if self.form.product.sparse:
            chunks = self._stored_k // GRANULARITIES[idesc.kind].stored
            where = index_cells(idesc.kind, layout, chunks, self._metadata_cell)
            read.append((where, False, METADATA))
        for each in self.form.product.matrices:
            if each.role == SCALE:
                factors = self._scale_factors(each.name)
                read.append((scale_cells(*factors, self._scale_cell(each.name)), False, SCALE))
        cell, updates = self._cell("d"), bool(self.values["enable_input_d"])
        for rank, cta in enumerate(self.ctas):
            for where, shifted, role in read:
                yield Touched(cta.tensor, where, shifted, role, updated=shifted)
            cta.tensor.check(cell.column, self._columns)
            if self.disabled:
                lanes = accumulator_lanes(layout, cell.lane)
                lanes = lanes[self._enabled(rank)[lanes]]
                if not lanes.size:
                    continue
                where = row_cells(lanes, cell, self._columns)
            else:
                where = accumulator_cells(layout, cell, self._columns)
            yield Touched(cta.tensor, where, True, updated=updates, operand="d", help=_FIRST)

    def _a(self) -> Matrix:
        idesc, layout = self.idesc, self._layout
        memories = [cta.tensor for cta in self.ctas]
        if self.form.a_memory == "tensor":
            bits, pads, k = element(idesc.a).bits, KINDS[self.form.kind].pads, self._stored_k
            found = a_in_tensor_memory(memories, layout, k, bits, pads, self._cell("a"))
        else:
            found = stacked([matrix.read() for matrix in self._shared_a])[:, None]
        if not self.form.product.ws:
            self._collect(found)
        numbers = decode_elements(idesc.a, found)
        if self.form.product.sparse:
            numbers = expanded(memories, idesc.kind, layout, numbers, self._metadata_cell)
        if self.form.product.scaled:
            numbers = numbers * np.stack(list(self._scales("scale_a")))[:, None]
        return numbers

    def _b(self) -> Matrix:
        """B with axes (CTA, fold, k, column)."""
        idesc, layout, mask = self.idesc, self._layout, self._mask
        first = 0 if mask is None else mask.column_shift
        found = np.concatenate([matrix.read() for matrix in self._shared_b])
        if self.form.product.ws:
            self._collect(found[: idesc.n])
        # numpy multiplies faster with contiguous columns for each k.
        numbers = decode_elements(idesc.b, np.ascontiguousarray(found[first:].T))
        if mask is not None:
            zeroed = mask.mask(idesc.m, idesc.n)
            numbers[:, [column for column in range(idesc.n) if zeroed >> column & 1]] = 0
        numbers = numbers[None]
        if self.form.product.scaled:
            scales = np.stack(list(self._scales("scale_b")))
            numbers = numbers * scales.swapaxes(-1, -2)
        folded = numbers.reshape(-1, self._k, layout.folds, layout.columns(idesc.n))
        return folded.swapaxes(1, 2)

    def _scale_factors(self, name: str) -> tuple[ScaleFactors, int, int]:
        """Scale factors of a CTA, the first used factor, and the number of used factors."""
        return operation.scale_factors(self.form, self.idesc, name)

    def _scales(self, name: str) -> Iterator[Matrix]:
        """Scale factors of each CTA, with axes (row or column, k)."""
        factors, first, count = self._scale_factors(name)
        assert self.idesc.scale_type is not None
        for cta in self.ctas:
            bits = scale_factors(cta.tensor, name, factors, first, count, self._scale_cell(name))
            numbers = decode_elements(self.idesc.scale_type, bits)
            if self._recorded is not None and some(np.isnan(numbers)):
                self._record_nan(*self._recorded, name, cta, bits, np.isnan(numbers))
            yield np.repeat(numbers, self._k // count, axis=1)

    def _record_nan(
        self, op: Operation, record: Provenance, name: str, cta: Cta, bits: Matrix, marked: Matrix
    ) -> None:
        """Record the NaN among scale factors, with axes (row, factor)."""
        factors, first, count = self._scale_factors(name)
        row, factor = (int(at) for at in np.argwhere(marked)[0])
        at, cell = factors.position(row, first + factor), self._scale_cell(name)
        place = f"byte {at.byte} of column {cell.column + at.column} in lane {at.lanes[0]}"
        k = self._k // count
        found = NanScales(
            int(np.count_nonzero(marked)),
            marked.size,
            int(bits[row, factor]),
            row,
            range(factor * k, (factor + 1) * k),
            f"{place} of the tensor memory of {cta.name}",
        )
        record.nan_scales.setdefault((op, name), found)

    @property
    def _columns(self) -> int:
        return self._layout.columns(self.idesc.n)

    def _d(self) -> Matrix:
        cell, layout, columns = self._cell("d"), self._layout, self._columns
        lanes = accumulator_index(layout, cell.lane)
        with helped(UNWRITTEN, _FIRST, "d"):
            blocks = [cta.tensor.read_block(lanes, cell.column, columns) for cta in self.ctas]
        bits = stacked(blocks)
        folded = bits.reshape(-1, layout.folds, layout.rows, columns)
        return decode_accumulator(self.idesc, folded)

    def _store(self) -> None:
        assert self._result is not None
        cell = self._cell("d")
        for rank, cta in enumerate(self.ctas):
            values = self._result[rank].reshape(-1, self._columns)
            if self.disabled:
                lanes = accumulator_lanes(self._layout, cell.lane).ravel()
                enabled = self._enabled(rank)[lanes]
                cta.tensor.write_block(lanes[enabled], cell.column, values[enabled])
            else:
                lanes = accumulator_index(self._layout, cell.lane)
                cta.tensor.write_block(lanes, cell.column, values)
        if self.form.ashift:
            self._shift_a()

    def _enabled(self, rank: int) -> npt.NDArray[np.bool_]:
        """The lanes of a CTA that are not disabled."""
        words = len(self.disabled) // len(self.ctas)
        mine = self.disabled[rank * words : (rank + 1) * words]
        return np.array(
            [not mine[lane // CELL_BITS] >> lane % CELL_BITS & 1 for lane in range(LANES)]
        )

    def _shift_a(self) -> None:
        """Shift the rows of A in tensor memory, as `shift` does, after the read."""
        first = self._cell("a").column
        end = first + self._a_columns
        sources = [copies.source_lane(lane) for lane in range(LANES)]
        for cta in self.ctas:
            for array in (cta.tensor.cells, cta.tensor.written):
                array[:, first:end] = array[sources, first:end]


_MULTIPLICATIONS = 1 << 17
"""Largest matmul handed to numpy at once; beyond it BLAS threads spend more time synchronising than
working."""


def _multiply(a: Matrix, b: Matrix) -> Matrix:
    """Multiply stacks of matrices (row, k) and (k, column)."""
    *_, rows, k = a.shape
    columns = b.shape[-1]
    # A power of two, because the number of rows is one.
    together = min(rows, 1 << max(0, (_MULTIPLICATIONS // (k * columns)).bit_length() - 1))
    parts = a.reshape(*a.shape[:2], -1, together, k) @ b[:, :, None]
    return parts.reshape(*parts.shape[:2], rows, columns)

"""Test case of one matrix product in the emulator, against `mma_reference`."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from tcgen05_dialect.isa.mma.instruction_descriptor import InstructionDescriptor
from tcgen05_dialect.isa.mma.operation import Form
from tcgen05_dialect.isa.mma.products import MatrixMemory, product_of
from tcgen05_dialect.isa.mma.scale import IDS, SCALE_SHAPES, SCALE_TYPES
from tcgen05_dialect.simulator.machine.product import ProductExecution
from tcgen05_dialect.simulator.machine.state import Cluster, Cta
from tcgen05_dialect.simulator.machine.tensor_memory import RANK_SHIFT, Memory, TensorMemory
from tcgen05_dialect.simulator.order.clocks import Clocks

from .mma_reference import (
    BITS,
    Array,
    Tile,
    draw,
    expand,
    lanes_of,
    metadata_places,
    scale_places,
    sparse_indices,
)

Point = dict[str, Any]
D_COLUMN, A_COLUMN, META_COLUMN, SFA_COLUMN, SFB_COLUMN = 3, 300, 400, 420, 448
PADS = ("f8f6f4", "mxf8f6f4")
PAYLOAD = {4: 2, 6: 1, 8: 0}
"""Lowest bit of an element in its container of 8 bits in tensor memory."""
SHARED_BYTES = 220 * 1024


def cluster_of(ctas: int) -> list[Cta]:
    """CTAs of a cluster, whose tensor memory is allocated and not written."""
    cluster = Cluster(Clocks(1, 1))
    for rank in range(ctas):
        shared = Memory.shared(f"shared memory {rank}", (rank << RANK_SHIFT) + 1024, SHARED_BYTES)
        cta = Cta(cluster, (rank, 0, 0), rank, rank, shared, TensorMemory(f"CTA {rank}"))
        cta.tensor.allocate(512)
        cluster.ctas.append(cta)
    return cluster.ctas


def put(tensor: TensorMemory, lanes: Any, columns: Any, values: Any) -> None:
    """Set cells."""
    tensor.cells[lanes, columns] = values
    tensor.written[lanes, columns] = True


def put_bits(tensor: TensorMemory, lanes: Any, columns: Any, bits: Any, values: Array) -> None:
    """Set bits of cells of which each element has some."""
    lanes, columns, bits, values = np.broadcast_arrays(lanes, columns, bits, values)
    shifted = (values.astype(np.uint64) << bits.astype(np.uint64)).astype(np.uint32)
    np.bitwise_or.at(tensor.cells, (lanes, columns), shifted)
    tensor.written[lanes, columns] = True


@dataclass
class Case:
    """A product; what is not given is as simple as can be."""

    kind: str
    m: int
    n: int
    k: int
    a: str
    b: str
    d: str = "f32"
    ws: bool = False
    sparse: bool = False
    cta_group: int = 1
    a_memory: MatrixMemory = "shared"
    transpose_a: bool = False
    transpose_b: bool = False
    swizzle_a: str = "swizzle_128b"
    swizzle_b: str = "swizzle_128b"
    advance: int = 0
    phase: int = 0
    half: int = 0
    selector: int = 0
    scale_type: str | None = None
    scale_vectorsize: str | None = None
    factors: int = 0
    sfa_id: int = 0
    sfb_id: int = 0
    accumulate: bool = True
    scale_input_d: int = 0
    disabled: tuple[int, ...] = ()
    zero_column_mask: int | None = None
    zeroed: tuple[int, ...] = ()
    column_shift: int = 0
    max_shift: int = 0
    collector: str | None = None
    ashift: bool = False
    negate_a: bool = False
    negate_b: bool = False
    saturate: bool = False
    seed: int = 0
    ctas: list[Cta] = field(init=False)

    def __post_init__(self) -> None:
        self.rng = np.random.default_rng((self.seed, self.m, self.n, self.k))
        self.ctas = cluster_of(self.cta_group)
        self.a_bits, self.a_numbers = draw(self.rng, self.a, self.m, self.stored_k)
        self.b_bits, self.b_numbers = draw(self.rng, self.b, self.n + self.column_shift, self.k)
        if self.d == "s32":
            self.d_numbers = self.rng.integers(-(2**31), 2**31, (self.m, self.n)).astype(np.float64)
        else:
            self.d_numbers = self.rng.integers(-2000, 2001, (self.m, self.n)).astype(np.float64)
        self.indices = sparse_indices(self.rng, self.kind, self.m, self.k)
        self.sfa = draw(self.rng, self.scale_type or "ue8m0", self.m, self.factors)
        self.sfb = draw(self.rng, self.scale_type or "ue8m0", self.n, self.factors)

    @property
    def stored_k(self) -> int:
        return self.k // 2 if self.sparse else self.k

    @cached_property
    def rows(self) -> int:
        return self.m // self.cta_group

    @cached_property
    def lanes(self) -> Array:
        return lanes_of(self.m, self.cta_group, self.sparse, self.ws, self.half)

    @cached_property
    def descriptor(self) -> InstructionDescriptor:
        return InstructionDescriptor(
            self.kind,
            self.m,
            self.n,
            self.a,
            self.b,
            self.d,
            self.transpose_a,
            self.transpose_b,
            self.negate_a,
            self.negate_b,
            self.saturate,
            self.sparse,
            self.selector,
            self.max_shift,
            self.scale_type,
            self.sfa_id,
            self.sfb_id,
            self.k == 96,
        )

    @cached_property
    def form(self) -> Form:
        return Form(
            product_of(self.ws, self.sparse, scaled=self.scale_type is not None),
            self.kind,
            self.cta_group,
            self.a_memory,
            scale_vectorsize=self.scale_vectorsize,
            collector_buffer=None if self.collector is None else "b1" if self.ws else "a",
            collector_op=self.collector,
            ashift=self.ashift,
            disable_output_lane=len(self.disabled),
            scale_input_d=self.scale_input_d > 0,
            zero_column_mask=self.zero_column_mask is not None,
        )

    @cached_property
    def tile_a(self) -> Tile:
        return Tile(
            self.a,
            self.rows,
            self.stored_k,
            self.transpose_a,
            self.swizzle_a,
            self.kind in PADS,
            2048,
            0 if self.transpose_a else self.advance,
            self.phase,
        )

    @cached_property
    def tile_b(self) -> Tile:
        start = 2048 if self.a_memory == "tensor" else (self.tile_a.end + 1023) // 1024 * 1024
        return Tile(
            self.b,
            self.n // self.cta_group + self.column_shift,
            self.k,
            self.transpose_b,
            self.swizzle_b,
            self.kind in PADS,
            start,
            0 if self.transpose_b else self.advance,
            self.phase,
        )

    def mine(self, rank: int) -> slice:
        """The rows of A and D of a CTA."""
        return slice(rank * self.rows, (rank + 1) * self.rows)

    def place(self) -> None:
        """Put the operands into the memories."""
        for rank, cta in enumerate(self.ctas):
            self.place_a(rank, cta)
            columns = self.n // self.cta_group
            last = (rank + 1) * columns + self.column_shift
            self.tile_b.write(cta.shared, self.b_bits[rank * columns : last])
            if self.accumulate:
                put(
                    cta.tensor,
                    self.lanes[..., None],
                    self.d_columns,
                    self.folded(self.d_cells(self.d_numbers), rank),
                )
            if self.sparse:
                self.place_metadata(rank, cta)
            if self.scale_type is not None:
                self.place_scales(rank, cta)

    def place_a(self, rank: int, cta: Cta) -> None:
        bits = self.a_bits[self.mine(rank)]
        if self.a_memory == "shared":
            self.tile_a.write(cta.shared, bits)
            return
        room = max(8, BITS[self.a]) if self.kind in PADS else BITS[self.a]
        at = np.arange(self.stored_k) * room
        shift = at % 32 + (PAYLOAD[BITS[self.a]] if self.kind in PADS else 0)
        for lanes in self.lanes:
            put_bits(cta.tensor, lanes[:, None], A_COLUMN + at // 32, shift, bits)

    def place_metadata(self, rank: int, cta: Cta) -> None:
        indices = self.indices[self.mine(rank)]
        row, at = np.meshgrid(*map(np.arange, indices.shape), indexing="ij")
        path, columns, bits = metadata_places(self.kind, row, at)
        for lanes in self.lanes:
            column = META_COLUMN + self.selector + columns
            put_bits(cta.tensor, lanes[path], column, bits, indices)

    def place_scales(self, rank: int, cta: Cta) -> None:
        halves = 2 if self.m == 128 and self.cta_group == 2 else 1
        operands = (
            (SFA_COLUMN, self.sfa[0][self.mine(rank)], self.sfa_id, 1),
            (SFB_COLUMN, self.sfb[0], self.sfb_id, halves),
        )
        for first, values, id_, parts in operands:
            for factor in range(self.factors):
                lanes, byte, columns = scale_places(len(values), id_ + factor, parts)
                put_bits(cta.tensor, lanes, first + columns, 8 * byte, values[:, factor])

    @property
    def d_columns(self) -> Array:
        return D_COLUMN + np.arange(self.n // len(self.lanes))

    def folded(self, cells: Array, rank: int) -> Array:
        """D of a CTA as (fold, row, column)."""
        mine = cells[self.mine(rank)]
        return mine.reshape(self.rows, len(self.lanes), -1).swapaxes(0, 1)

    def d_cells(self, numbers: Array) -> Array:
        if self.d == "s32":
            whole = numbers.astype(np.int64)
            if self.saturate:
                whole = np.clip(whole, -(2**31), 2**31 - 1)
            return whole.astype(np.uint32)
        if self.d == "f16":
            return numbers.astype(np.float16).view(np.uint16).astype(np.uint32)
        return numbers.astype(np.float32).view(np.uint32)

    def expected(self) -> Array:
        """The cells of D."""
        a = self.a_numbers
        if self.sparse:
            a = expand(self.kind, a, self.indices)
        b = self.b_numbers[self.column_shift :].copy()
        if self.factors:
            block = self.k // self.factors
            a = a * np.repeat(self.sfa[1], block, axis=1)
            b = b * np.repeat(self.sfb[1], block, axis=1)
        b[list(self.zeroed)] = 0
        sign = -1 if self.negate_a != self.negate_b else 1
        total = sign * (a @ b.T)
        if self.accumulate:
            total = total + self.d_numbers / 2**self.scale_input_d
        return self.d_cells(total)

    def product(self) -> ProductExecution:
        shared_a = self.a_memory == "shared"
        lane = self.half << 16
        values = {
            "d": D_COLUMN | lane,
            "a": self.tile_a.descriptor() if shared_a else A_COLUMN | lane,
            "b": self.tile_b.descriptor(),
            "enable_input_d": int(self.accumulate),
        }
        if self.sparse:
            values["metadata"] = META_COLUMN | lane
        if self.scale_type is not None:
            values |= {"scale_a": SFA_COLUMN, "scale_b": SFB_COLUMN}
        if self.zero_column_mask is not None:
            values["zero_column_mask"] = self.zero_column_mask
        return ProductExecution(
            form=self.form,
            ctas=tuple(self.ctas),
            idesc=self.descriptor,
            values=values,
            scale_input_d=self.scale_input_d,
            disabled=self.disabled,
        )

    def multiply(self) -> None:
        with np.errstate(all="ignore"):
            for step in self.product().issue():
                step()

    def check(self) -> None:
        """Multiply, and compare all of tensor memory with what it must hold."""
        self.place()
        expected = [cta.tensor.cells.copy() for cta in self.ctas]
        written = [cta.tensor.written.copy() for cta in self.ctas]
        cells = self.expected()
        for rank, (after, defined) in enumerate(zip(expected, written, strict=True)):
            enabled = np.array([not self.is_disabled(rank, lane) for lane in range(128)])
            for lanes, values in zip(self.lanes, self.folded(cells, rank), strict=True):
                chosen = enabled[lanes]
                after[lanes[chosen][:, None], self.d_columns] = values[chosen]
                defined[lanes[chosen][:, None], self.d_columns] = True
        self.multiply()
        for cta, after, defined in zip(self.ctas, expected, written, strict=True):
            assert np.array_equal(cta.tensor.cells, after)
            assert np.array_equal(cta.tensor.written, defined)

    def is_disabled(self, rank: int, lane: int) -> bool:
        """Elements 0 to 3 of the vector are for the first CTA, 4 to 7 for the second."""
        return bool(self.disabled and self.disabled[4 * rank + lane // 32] >> lane % 32 & 1)


def f16(m: int = 128, n: int = 64, **more: Any) -> Case:
    """A product of kind f16."""
    return Case("f16", m, n, 32 if more.get("sparse") else 16, "bf16", "f16", **more)


def scaling(kind: str, k: int, scale: str | None) -> Iterator[Point]:
    """The rows of Tables 54 and 55 for a kind, with each data ID."""
    if scale is None:
        yield {}
        return
    spellings = SCALE_TYPES.values("scale_vectorsize", kind=kind, scale=scale)
    for spelling in sorted(spellings, key=repr):
        factors = SCALE_SHAPES.value("factors", kind=kind, scale_vectorsize=spelling, k=k)
        ids = sorted(IDS.values("id", factors=factors))
        for sfa, sfb in zip(ids, ids[::-1], strict=True):
            yield {
                "scale_type": scale,
                "scale_vectorsize": spelling,
                "factors": factors,
                "sfa_id": sfa,
                "sfb_id": sfb,
            }

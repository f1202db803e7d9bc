"""Tests of matrix products whose operands lie where the golden tables say."""

from dataclasses import dataclass, field

import numpy as np
import pytest

from tcgen05_dialect.isa.shared_memory.layout import SharedMemoryLayout
from tcgen05_dialect.simulator.machine.state import Cta

from ..support.golden_rows import shared_memory_layout
from ..support.golden_tables import Json, golden
from ..support.mma_case import (
    A_COLUMN,
    D_COLUMN,
    META_COLUMN,
    SFA_COLUMN,
    SFB_COLUMN,
    Case,
    put_bits,
)
from ..support.mma_reference import Array

K = {"f16": 16, "tf32": 8, "i8": 32}


def compare(case: Case, lanes: Array, columns: Array) -> None:
    """Multiply; D of the first CTA must lie in these cells."""
    case.multiply()
    cells = case.ctas[0].tensor.cells[lanes, columns]
    assert np.array_equal(cells, case.expected()[: case.rows])


def test_data_path_layouts() -> None:
    for row in golden("datapath"):
        if "lane_col_bit" not in row or not row["layout"].isalpha():
            continue
        places = np.array(row["lane_col_bit"])
        if row["operand"] == "D":
            d = f"f{row['elem_bits']}"
            element = "f16" if d == "f16" else "bf16"
            case = Case(
                "f16",
                row["M"],
                row["N"],
                16,
                element,
                element,
                d,
                row["ws"],
                cta_group=row["cta_group"],
            )
            case.place()
            compare(case, places[..., 0], D_COLUMN + places[..., 1])
            continue
        kind, element = {32: ("tf32", "tf32"), 16: ("f16", "f16"), 8: ("i8", "s8")}[
            row["elem_bits"]
        ]
        d = "s32" if kind == "i8" else "f32"
        ctas = row["cta_group"]
        case = Golden(kind, row["M"], 32, K[kind], element, element, d, cta_group=ctas)
        case.a_memory, case.places = "tensor", places
        case.copies = (0, 64) if row["layout"] == "B" else (0,)
        case.check()


@dataclass
class Golden(Case):
    """A product whose A, metadata or scale factors lie as a table says."""

    places: Array = field(default_factory=lambda: np.zeros(0, int))
    copies: tuple[int, ...] = (0,)
    columns: int = 0

    def place_a(self, rank: int, cta: Cta) -> None:
        if self.a_memory == "shared" or self.sparse:
            super().place_a(rank, cta)
            return
        bits = self.a_bits[self.mine(rank)]
        lanes, columns, shifts = np.moveaxis(self.places[: self.rows], -1, 0)
        for copy in self.copies:
            put_bits(cta.tensor, lanes + copy, A_COLUMN + columns, shifts, bits)

    def place_metadata(self, rank: int, cta: Cta) -> None:
        lanes, columns, shifts = np.moveaxis(self.places, -1, 0)
        indices = self.indices[self.mine(rank)]
        put_bits(cta.tensor, lanes, META_COLUMN + columns, shifts, indices)


SPARSE = {
    "f16": ("f16", "f32"),
    "tf32": ("tf32", "f32"),
    "i8": ("s8", "s32"),
    "f8f6f4": ("e4m3", "f32"),
    "mxf8f6f4": ("e5m2", "f32"),
    "mxf4": ("e2m1", "f32"),
    "mxf4nvf4": ("e2m1", "f32"),
}


def test_sparse_metadata() -> None:
    seen: set[str] = set()
    for row in golden("sparse"):
        if row["table"] != "sparse_e_tmem":
            continue
        for kind in row["kind"].split("/"):
            element, d = SPARSE[kind]
            scaled: Json = {}
            if kind.startswith("mx"):
                vectors = {"mxf8f6f4": ("block32", 1)}.get(kind, ("block32", 2))
                scaled = {"scale_type": "ue8m0", "scale_vectorsize": vectors[0]}
                scaled["factors"] = vectors[1]
            case = Golden(kind, row["M"], 32, row["K"], element, element, d, sparse=True, **scaled)
            case.places = np.array(row["map"])
            case.check()
            seen.add(kind)
    assert len(seen) >= 5


@dataclass
class Scaled(Case):
    """A product with scale factors of one operand in the places of a table: (column, byte) of
    each factor and row, and lanes."""

    operand: str = "SFA"
    lanes_of_rows: Array = field(default_factory=lambda: np.zeros(0, int))
    columns_of_rows: Array = field(default_factory=lambda: np.zeros(0, int))
    bytes_of_rows: Array = field(default_factory=lambda: np.zeros(0, int))
    copies: tuple[int, ...] = (0, 32, 64, 96)

    def place_scales(self, rank: int, cta: Cta) -> None:
        super().place_scales(rank, cta)
        is_a = self.operand == "SFA"
        first = SFA_COLUMN if is_a else SFB_COLUMN
        part = slice(first, first + 24)
        cta.tensor.cells[:, part], cta.tensor.written[:, part] = 0, False
        values = self.sfa[0][self.mine(rank)] if is_a else self.sfb[0]
        for copy in self.copies:
            put_bits(
                cta.tensor,
                self.lanes_of_rows + copy,
                first + self.columns_of_rows,
                8 * self.bytes_of_rows,
                values.T,
            )


def scaled(operand: str, rows: int, vec: int, factors: int, ctas: int, id_: int, k: int) -> Scaled:
    """A product with so many scale factors, which has the ID for the operand."""
    kind, element = ("mxf8f6f4", "e4m3") if factors == 1 else ("mxf4nvf4", "e2m1")
    m, n = (rows * ctas, 64) if operand == "SFA" else (128, rows)
    if k == 96:
        m, ctas = 256, 2
        n = 64 if operand == "SFA" else rows
    elif ctas == 2:
        m = 128
    case = Scaled(kind, m, n, k, element, element, cta_group=ctas)
    case.scale_type, case.scale_vectorsize, case.factors = "ue8m0", f"block{vec}", factors
    case.operand = operand
    if operand == "SFA":
        case.sfa_id = id_
    else:
        case.sfb_id = id_
    case.__post_init__()
    return case


@pytest.mark.slow
def test_scale_factors() -> None:
    for row in golden("scale_factors"):
        if row["table"] != "sf_tmem":
            continue
        factors, k = row["nsf_per_mma"], {1: 32, 2: 64, 4: 64}[row["nsf_per_mma"]]
        blocks = np.array(row["map"])
        for block in blocks:
            # (factor, row) of the first copy, the only one in the table.
            places = block[:, 0]
            ctas = row["cta_group"]
            mn = row["MN"]
            if ctas == 2 and row["operand"] == "SFA":
                places, mn = places[:, :64], 64
            case = scaled(row["operand"], mn, row["vec"], factors, ctas, int(places[0, 0, 2]), k)
            base = int(places[0, 0, 1]) // 4 * 4
            case.lanes_of_rows, case.bytes_of_rows = places[..., 0], places[..., 2]
            case.columns_of_rows = places[..., 1] - base
            if row["replicas"] == 2:
                case.copies = (0, 32)
            case.check()


@pytest.mark.slow
def test_scale_factors_of_96_elements() -> None:
    for row in golden("scale_factors"):
        if row["table"] != "sf_k96":
            continue
        operands = ("SFA", "SFB") if row["MN"] == 128 else ("SFB",)
        at = np.arange(row["MN"])
        for product in row["mma"]:
            places, base, id_ = np.array(product["bytes"]), product["word_col"], product["sf_id"]
            for operand in operands:
                case = scaled(operand, row["MN"], row["vec"], row["sf_per_mma"], 2, id_, 96)
                columns = places[:, :1] - base + at // 32
                case.lanes_of_rows = np.broadcast_to(at % 32, columns.shape)
                case.columns_of_rows = columns
                case.bytes_of_rows = np.broadcast_to(places[:, 1:], columns.shape)
                case.check()


@pytest.mark.slow
@pytest.mark.parametrize("bits", [4, 8, 16, 32])
def test_swizzled_layouts(bits: int) -> None:
    """Matrices B that lie as the table says, at the descriptor of the layout."""
    kind, element, d, k = {
        4: ("mxf4", "e2m1", "f32", 64),
        8: ("i8", "s8", "s32", 32),
        16: ("f16", "bf16", "f32", 16),
        32: ("tf32", "tf32", "f32", 8),
    }[bits]
    seen = 0
    for row in golden("swizzle"):
        tile = shared_memory_layout(row)
        if row["bits"] != bits or tile.violations():
            continue
        for first in range(0, tile.k - k + 1, k):
            check_swizzled(tile, np.array(row["off"]), first, Case(
                kind, 128, tile.mn, k, element, element, d, a_memory="tensor",
                transpose_b=tile.transposed, **scaling(kind),
            ))  # fmt: skip
            seen += 1
    assert seen


def scaling(kind: str) -> Json:
    if kind != "mxf4":
        return {}
    return {"scale_type": "ue8m0", "scale_vectorsize": "block32", "factors": 2}


def check_swizzled(tile: SharedMemoryLayout, offsets: Array, first: int, case: Case) -> None:
    case.place()
    memory = case.ctas[0].shared
    memory.bytes[:], memory.written[:] = 0, False
    chosen = offsets[:, first : first + case.k] * tile.bits
    size = max(1, tile.bits // 8)
    for byte in range(size):
        at = chosen // 8 + byte
        value = case.b_bits << (chosen % 8).astype(np.uint64) >> np.uint64(8 * byte)
        np.bitwise_or.at(memory.bytes, at, (value & np.uint64(255)).astype(np.uint8))
        memory.written[at] = True
    product = case.product()
    address = 1024 + tile.advance(0, first)
    descriptor = tile.descriptor(address, tile.mn, case.k)
    product.values = {**product.values, "b": descriptor.encode()}
    expected = case.expected()
    for step in product.issue():
        step()
    assert np.array_equal(case.ctas[0].tensor.cells[:, case.d_columns], expected)

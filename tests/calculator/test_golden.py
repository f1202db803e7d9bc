"""Tests of the calculator's layouts against the golden tables."""

from itertools import product
from typing import Any

import pytest

from tcgen05_dialect.calculator import Placement
from tcgen05_dialect.calculator.access import (
    Matrix,
    RegisterPlace,
    SharedPlace,
    TensorPlace,
    held_in_register,
    parse_access,
)
from tcgen05_dialect.calculator.locate import locate
from tcgen05_dialect.calculator.multiplication import multiplication
from tcgen05_dialect.calculator.operands import operand_matrix
from tcgen05_dialect.isa.mma.shapes import LAYOUTS, instruction_k
from tcgen05_dialect.isa.mma.sparse import GRANULARITIES
from tcgen05_dialect.isa.model.rule import Violation
from tcgen05_dialect.isa.tensor_memory.alloc import CELL_BITS

from ..support.effort import sampled
from ..support.golden_rows import (
    MAJORS,
    SWIZZLES,
    cute_offsets,
    shared_memory_layout,
    sparse_kinds,
)
from ..support.golden_tables import Json, golden

KINDS = {4: ("mxf4", "e2m1"), 8: ("f8f6f4", "e4m3"), 16: ("f16", "bf16"), 32: ("tf32", "tf32")}
"""A kind and an element type with so many bits of room in shared memory."""


def tensor_places(found: Matrix, row: int, column: int) -> list[TensorPlace]:
    places = [place for _, place in locate(found, row, column)]
    return [place for place in places if isinstance(place, TensorPlace)]


@pytest.mark.slow
def test_fragments() -> None:
    """`map[thread][register]` is [lane, column] of each cell; D has the first 256 columns."""
    rows = (row for row in golden("tmem_ldst") if "map" in row)
    for row in sampled(rows, 2, of=lambda row: (row["shape"], row["pack16"])):
        pack = bool(row["pack16"])
        name = f"{row['shape']}.x{row['num']}{'.pack::16b' * pack}"
        d = operand_matrix(multiplication("f16", n=256, d="f16" if pack else "f32"), "D")
        cover = parse_access(name, row["half_split_off"])
        assert cover.registers == row["regs"]
        for thread in sampled(range(len(row["map"])), 32):
            for register, cells in enumerate(row["map"][thread]):
                found = list(held_in_register(d, cover, 0, 0, thread, register))
                assert [x for each in found for x in each.element[1:3]] == cells, row
                for each in found:
                    back = locate(d, each.element.row, each.element.column, cover)
                    assert back == (each,)


def test_data_path_layouts() -> None:
    for row in golden("datapath"):
        if row["layout"] not in LAYOUTS or "lane_col_bit" not in row:
            continue
        is_a = row["operand"] == "A"
        point: dict[str, Any] = {"m": row["M"], "cta_group": row["cta_group"], "ws": row["ws"]}
        if is_a:
            kind, type_ = KINDS[row["elem_bits"]]
            mma = multiplication(kind, a=type_, k=row["N"], **point)
            found = operand_matrix(mma, "A", Placement("tensor"))
        else:
            d = f"f{row['elem_bits']}"
            found = operand_matrix(multiplication("f16", n=row["N"], d=d, **point), "D")
        for m, n in product(range(row["m_per_cta"]), range(row["N"])):
            place = tensor_places(found, m, n)[0]
            assert place == (0, *row["lane_col_bit"][m][n], row["elem_bits"])


@pytest.mark.slow
def test_swizzled_layouts() -> None:
    """The matrix is B, with K of one instruction or more; its atoms are consecutive along N."""
    for row in golden("swizzle"):
        kind, type_ = KINDS[row["bits"]]
        k = max(row["tile_k"], instruction_k(kind, sparse=False))
        mma = multiplication(kind, n=row["tile_mn"], b=type_, k=k)
        placement = Placement(
            major=MAJORS[row["major"]], swizzle=SWIZZLES[row["swizzle"]], atom_order="mn_first"
        )
        if shared_memory_layout(row).violations():
            with pytest.raises(Violation):
                operand_matrix(mma, "B", placement)
            continue
        b = operand_matrix(mma, "B", placement)
        for n, at in product(range(row["tile_mn"]), range(row["tile_k"])):
            ((_, place),) = locate(b, at, n)
            assert isinstance(place, SharedPlace)
            assert place.byte * 8 + place.bit == row["off"][n][at] * row["bits"]


SCALED = {
    1: ("mxf8f6f4", "scale_vec_1x"),
    2: ("mxf4", "scale_vec_2x"),
    4: ("mxf4nvf4", "scale_vec_4x"),
}


def scales(row: Json, k: int, kind: str, size: str, memory: str, operand: str) -> Matrix:
    pair = row.get("cta_group", 1)
    m, n = (row["MN"] * pair, 256) if operand == "SFA" else (128, row["MN"])
    if row.get("mode") == "2by2":
        m = 128
    mma = multiplication(kind, m=m, n=n, k=k, cta_group=pair, scale_vectorsize=size)
    return operand_matrix(mma, operand, Placement(memory))


def test_scale_factors_in_tensor_memory() -> None:
    """`map[k block][scale factor][replica 0][row]` is [lane, column, byte]."""
    for row in golden("scale_factors"):
        if row["table"] != "sf_tmem":
            continue
        count = row["nsf_per_mma"]
        kind, size = SCALED[count]
        k = instruction_k(kind, sparse=False) * row["k_blocks"]
        found = scales(row, k, kind, size, "tensor", row["operand"])
        # M = 128 of a pair: each CTA has the scale factors of its own 64 rows of A.
        rows = row["MN"]
        if row["operand"] == "SFA" and row["mode"] == "2by2":
            rows //= 2
        for block, factor, mn in product(range(row["k_blocks"]), range(count), range(rows)):
            lane, column, byte = row["map"][block][factor][0][mn]
            pair = found.indices((mn, block * count + factor))
            places = [place for place in tensor_places(found, *pair) if place.cta == 0]
            assert places == [
                (0, lane + 32 * copy, column, byte * 8, 8) for copy in range(row["replicas"])
            ]


def test_scale_factors_in_shared_memory() -> None:
    for row in golden("scale_factors"):
        if row["table"] != "sf_gmem_smem":
            continue
        kind, size = {16: ("mxf4nvf4", "block16"), 32: ("mxf8f6f4", "block32")}[row["vec"]]
        found = scales(row, row["K"], kind, size, "shared", "SFB")
        for n, factor in product(range(row["MN"]), range(row["K"] // row["vec"])):
            ((_, place),) = locate(found, factor, n)
            assert place == (0, row["byte_off"][n][factor], row["byte_off"][n][factor], 0, 8)


def test_metadata() -> None:
    """
    `map[m][chunk]` is [lane, column, lowest bit]. The rows of .ws are CuTe layouts of (m, k, copy),
    in elements of the metadata.
    """
    for row in golden("sparse"):
        if row["table"] not in ("sparse_e_tmem", "sparse_e_tmem_ws"):
            continue
        ws = row["table"] == "sparse_e_tmem_ws"
        for kind in sparse_kinds(row):
            mma = multiplication(kind, m=row["M"], ws=ws, sparse=True)
            found, chunk = operand_matrix(mma, "metadata"), GRANULARITIES[kind].chunk
            assert found.extents == (row["M"], row["K"] // chunk)
            flat: list[int] = list(cute_offsets(row["cute"])) if ws else []
            for m, at in product(range(row["M"]), range(row["K"] // chunk)):
                places = [place[1:4] for place in tensor_places(found, m, at)]
                if not ws:
                    assert places == [tuple(row["map"][m][at])]
                    continue
                ratio: str = row["meta_bits_per_logical_elem"]
                bits, elements = map(int, ratio.split("/"))
                expected: list[tuple[int, int, int]] = []
                for copy in range(len(flat) // row["M"] // row["K"]):
                    index: int = (copy * row["K"] + at * chunk) * row["M"] + m
                    cell, bit = divmod(flat[index] * bits // elements, CELL_BITS)
                    expected.append((cell >> 16, cell & 0xFFFF, bit))
                assert places == expected


def test_an_element_in_registers() -> None:
    """The place of D[3][17] after tcgen05.ld.32x32b.x8, computed by hand."""
    found = locate(operand_matrix(multiplication("f16"), "D"), 3, 17, parse_access("32x32b.x8"))
    assert [place for _, place in found] == [RegisterPlace(0, 0, 3, 1, 0, 32, 0, 16, 3, 17)]

"""
Tests of the remarks about layouts, on kernels that load tiles in several boxes and other layouts
than the examples.
"""

import re
from typing import NamedTuple

import ml_dtypes
import numpy as np
import pytest

from tcgen05_dialect.simulator import Report, TensorMap, simulate

from ..support.effort import sampled

ROWS, K = 128, 64
TILE = ROWS * K * 2
KERNEL = """
!tile = !tcgen05.smem_descriptor<128x64xbf16, {tile}>
!tile_16 = !tcgen05.smem_descriptor<128x64xbf16, {tile}, k = 16>
!tile_32 = !tcgen05.smem_descriptor<128x64xbf16, {tile}, k = 32>
!tile_48 = !tcgen05.smem_descriptor<128x64xbf16, {tile}, k = 48>
!accumulator = !tcgen05.tmem<128x128xf32>
!chunk = !tcgen05.tmem<32x32xf32>
#multiply = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x128{transposed}>
ptx.shared_memory @a_tile size 16384 alignment 1024
ptx.shared_memory @b_tile size 16384 alignment 1024
ptx.shared_memory @loaded size 8 alignment 8
ptx.shared_memory @multiplied size 8 alignment 8
ptx.shared_memory @slot size 4 alignment 4
ptx.kernel @k(%a_map : !ptx.tensor_map, %b_map : !ptx.tensor_map, %c : i64)
    attributes {{reqntid = array<i32: 128>}} {{
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %half = arith.constant 8192 : i32
  %row_bytes = arith.constant 512 : i32
  %bytes = arith.constant {bytes} : i32
  %all_lanes = arith.constant -1 : i32
  %last_lane = arith.constant 31 : i32
  %true = arith.constant true
  %false = arith.constant false
  %a_tile = ptx.address_of @a_tile
  %b_tile = ptx.address_of @b_tile
  %a_half = arith.addi %a_tile, %half : i32
  %b_half = arith.addi %b_tile, %half : i32
  %loaded = ptx.address_of @loaded
  %multiplied = ptx.address_of @multiplied
  %slot = ptx.address_of @slot
  %thread = ptx.special_register tid.x
  %warp_of_thread = arith.divui %thread, %c32 : i32
  %warp, %in_range = ptx.shfl.sync idx %warp_of_thread, %c0, %last_lane, %all_lanes
  %is_first_warp = arith.cmpi eq, %warp, %c0 : i32
  %leader, %is_leader = ptx.elect.sync %all_lanes
  %is_first = arith.andi %is_first_warp, %is_leader : i1
  scf.if %is_first_warp {{
    tcgen05.alloc %slot, %c128
  }}
  scf.if %is_first {{
    ptx.mbarrier.init [%loaded], %c1
    ptx.mbarrier.init [%multiplied], %c1
    ptx.fence.mbarrier_init
    ptx.fence.proxy.async "shared::cta"
  }}
  ptx.bar.warp.sync %all_lanes
  tcgen05.fence before_thread_sync
  ptx.bar.sync %c0
  tcgen05.fence after_thread_sync
  %acc = tcgen05.load_address %slot : !accumulator
  scf.if %is_first {{
    ptx.mbarrier.arrive.expect_tx [%loaded], %bytes
    {copies}
    ptx.mbarrier.wait [%loaded], %c0
    %a = tcgen05.descriptor %a_tile : !tile
    %b = tcgen05.descriptor %b_tile : !tile
    tcgen05.mma %acc, %a, %b accumulate %false {{idesc = #multiply}}
        : !accumulator, !tile, !tile
    %a_16 = tcgen05.advance %a, k = 16 : !tile
    %b_16 = tcgen05.advance %b, k = 16 : !tile
    tcgen05.mma %acc, %a_16, %b_16 accumulate %true {{idesc = #multiply}}
        : !accumulator, !tile_16, !tile_16
    %a_32 = tcgen05.advance %a, k = 32 : !tile
    %b_32 = tcgen05.advance %b, k = 32 : !tile
    tcgen05.mma %acc, %a_32, %b_32 accumulate %true {{idesc = #multiply}}
        : !accumulator, !tile_32, !tile_32
    %a_48 = tcgen05.advance %a, k = 48 : !tile
    %b_48 = tcgen05.advance %b, k = 48 : !tile
    tcgen05.mma %acc, %a_48, %b_48 accumulate %true {{idesc = #multiply}}
        : !accumulator, !tile_48, !tile_48
    tcgen05.commit %multiplied
  }}
  ptx.bar.warp.sync %all_lanes
  ptx.mbarrier.wait [%multiplied], %c0
  tcgen05.fence after_thread_sync
  %first_lane = arith.muli %warp, %c32 : i32
  %c_row = ptx.mad.wide u32 %thread, %row_bytes, %c
  scf.for %column = %c0 to %c128 step %c32 : i32 {{
    %chunk = tcgen05.slice %acc[%first_lane, %column] : !accumulator to !chunk
    %v:32 = tcgen05.ld shape_32x32b x32 %chunk : !chunk
    tcgen05.wait ld
    %four = arith.constant 4 : i32
    %at = ptx.mad.wide u32 %column, %four, %c_row
    {stores}
  }}
  tcgen05.fence before_thread_sync
  ptx.bar.sync %c0
  scf.if %is_first_warp {{
    tcgen05.fence after_thread_sync
    tcgen05.dealloc %acc, %c128 : !accumulator
  }}
  ptx.ret
}}
"""
STORES = "\n    ".join(
    f"ptx.st global b32 [%at + {4 * at}], {{%v#{at}, %v#{at + 1}, %v#{at + 2}, %v#{at + 3}}}"
    for at in range(0, 32, 4)
)


class Layout(NamedTuple):
    """How tiles are loaded and read. `copies` are the coordinates of the boxes of each matrix."""

    tile: str
    copies: tuple[str, ...]
    transposed: str = ""


def _maps(layout: str, a: np.ndarray, b: np.ndarray) -> list[TensorMap]:
    """The tensor maps of two matrices of ROWS x K elements."""
    if layout == "columns":
        return [
            TensorMap.of(np.ascontiguousarray(each.T), (64, 64), swizzle="swizzle_128b")
            for each in (a, b)
        ]
    if layout == "rows":
        return [TensorMap.of(each, (64, 64), swizzle="swizzle_128b") for each in (a, b)]
    # Dimensions: 8 elements of K, rows, groups of 8 elements.
    extents, strides, box = (8, ROWS, K // 8), (K * 2, 16), (8, ROWS, K // 8)
    return [TensorMap(each, "bf16", extents, strides, box, (1, 1, 1)) for each in (a, b)]


ROW_HALVES = ("{%c0, %c0}", "{%c0, %c64}")
COLUMN_HALVES = ("{%c0, %c0}", "{%c64, %c0}")
BOTH_TRANSPOSED = ", transpose_a, transpose_b"
RIGHT = {
    "rows": Layout("k_major, swizzle_128b", ROW_HALVES),
    "columns": Layout("mn_major, swizzle_128b", COLUMN_HALVES, BOTH_TRANSPOSED),
    "units": Layout("k_major, no_swizzle, mn_first", ("{%c0, %c0, %c0}",)),
}
_TILE = r"the tile at @a_tile in shared memory of CTA \(0, 0, 0\), written at line \d+ with "
WRONG = {
    ("rows", "k_major, swizzle_64b"): _TILE
    + "swizzle_128b as bf16, is read with swizzle_64b as bf16",
    ("columns", "mn_major, swizzle_128b, mn_first"): _TILE
    + r"swizzle_128b as bf16, is read as A with leading and stride .*",
    ("units", "k_major, no_swizzle"): _TILE
    + r"no_swizzle as bf16, is read as A with .* offsets? .*",
}


def run(kind: str, layout: Layout, expected_bytes: int = 2 * TILE) -> Report:
    rng = np.random.default_rng(0)
    a, b = (rng.integers(-4, 5, (ROWS, K)).astype(ml_dtypes.bfloat16) for _ in range(2))
    c = np.zeros((ROWS, ROWS), np.float32)
    expected = a.astype(np.float32) @ b.astype(np.float32).T
    copies = [
        f"ptx.cp.async.bulk.tensor.load [%{name}_{place}], %{name}_map, {at}, [%loaded]"
        for name in "ab"
        for place, at in zip(("tile", "half"), layout.copies, strict=False)
    ]
    text = KERNEL.format(
        tile=layout.tile,
        copies="\n    ".join(copies),
        stores=STORES,
        transposed=layout.transposed,
        bytes=expected_bytes,
    )
    return simulate(text, [*_maps(kind, a, b), c], expected={2: expected})


@pytest.mark.slow
@pytest.mark.parametrize("kind", sampled(RIGHT, 2))
def test_right_layouts(kind: str) -> None:
    report = run(kind, RIGHT[kind])
    assert not report.errors
    assert not report.remarks


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "tile"), sampled(WRONG, 1))
def test_wrong_layouts(kind: str, tile: str) -> None:
    report = run(kind, RIGHT[kind]._replace(tile=tile))
    assert not report.errors
    message = report.remarks[0].message
    assert re.fullmatch("tcgen05.mma: " + WRONG[kind, tile], message), message


@pytest.mark.parametrize("copies", [("{%c0, %c64}", "{%c0, %c0}"), ("{%c0, %c0}", "{%c0, %c0}")])
def test_boxes_at_other_coordinates(copies: tuple[str, ...]) -> None:
    """The remark blames the copies, not the descriptor, which is right."""
    report = run("rows", RIGHT["rows"]._replace(copies=copies))
    assert not report.errors
    first = report.remarks[0]
    assert " is read as A with other tiles, so that element (0, 0) of A is %a_map[" in first.message
    assert first.help == "check the coordinates of the copies at lines 57 and 58"


@pytest.mark.slow
def test_a_tile_that_is_loaded_in_part() -> None:
    report = run("rows", RIGHT["rows"]._replace(copies=("{%c0, %c0}",)), expected_bytes=16384)
    assert [each.rule for each in report.errors] == ["T5-SIM-013"]
    assert "element (64, 0) of A is in no tile that a copy has loaded" in report.remarks[0].message


def test_rows_that_are_loaded_as_columns() -> None:
    """Both layouts are wrong for the boxes; the remark shows where elements come from."""
    layout = RIGHT["columns"]._replace(transposed="", tile="k_major, swizzle_128b")
    report = run("columns", layout)
    assert not report.errors
    assert "is read as A with " in report.remarks[0].message

"""Tests of tiles that the CTAs of a cluster load together."""

from pathlib import Path
from shutil import copy

import ml_dtypes
import numpy as np
import pytest

from tcgen05_dialect.check import check_source
from tcgen05_dialect.reporting.diagnostics import Source
from tcgen05_dialect.simulator import Launch, Run, TensorMap, simulate
from tcgen05_dialect.tools.main import main

from ..support.effort import sampled
from ..support.repository import EXAMPLES
from . import test_gemm, test_pair

pytestmark = pytest.mark.slow

Cluster = tuple[int, int]


def multicast(text: str, columns: int, cluster: Cluster, unit: int) -> str:
    """
    A matrix product in clusters: the CTAs along y share A, and those along x B, of which a CTA has
    `columns` rows; `unit` neighbours along x have different rows.
    """
    x, y = cluster
    boxes = (("a", 128, 128 // y), ("b", columns, columns * unit // x))
    for name, rows, part in boxes:
        old = f"%{name}_map : !ptx.tensor_map<{rows}x"
        assert old in text
        text = text.replace(old, f"%{name}_map : !ptx.tensor_map<{part}x")
    text = text.replace("%block] to %sa", "%block] to %sa multicast(y)")
    text = text.replace("%block] to %sb", "%block] to %sb multicast(x)")
    dims = f"attributes {{cluster_dims = array<i32: {x}, {y}>}}"
    text = text.replace("attributes {cluster_dims = array<i32: 2>}", dims)
    return text.replace("ptx.multiple_of = 8}) {", f"ptx.multiple_of = 8}}) {dims} {{")


def single(cluster: Cluster, stages: int, persistent: bool) -> str:
    """The kernel whose CTAs multiply by themselves."""
    text = multicast(test_gemm.narrow(stages), test_gemm.NARROW, cluster, 1)
    return text.replace("by 32) {", "by 32) persistent {") if persistent else text


def operands(m: int, n: int, k: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(m * n + k)
    a, b = (rng.integers(-4, 5, (rows, k)).astype(np.float32) for rows in (m, n))
    return a, b


def grid_of(cluster: Cluster, counts: tuple[int, int], persistent: bool) -> tuple[int, ...]:
    """A grid of one cluster, or of as many clusters as cover the tiles."""
    if persistent:
        return cluster
    return tuple(-(-n // c) * c for n, c in zip(counts, cluster, strict=True))


@pytest.mark.parametrize(
    ("cluster", "stages", "persistent", "schedule"),
    sampled(
        [
            ((2, 1), 1, False, "lazy"),
            ((1, 2), 2, True, "random"),
            ((2, 2), 3, True, "lazy"),
            ((2, 2), 2, False, "eager"),
            ((4, 1), 2, False, "random"),
            ((1, 1), 2, True, "eager"),
        ],
        2,
    ),
)
def test_equals_numpy(cluster: Cluster, stages: int, persistent: bool, schedule: str) -> None:
    m, n, k, columns = 300, 72, 200, test_gemm.NARROW
    (a, b), (x, y), bf16 = operands(m, n, k), cluster, ml_dtypes.bfloat16
    c = np.zeros((m, n), bf16)
    maps = [
        TensorMap.of(array.astype(bf16), (64, rows), swizzle="swizzle_128b")
        for array, rows in ((a, 128 // y), (b, columns // x))
    ]
    grid = grid_of(cluster, (-(-m // 128), -(-n // columns)), persistent)
    launch = Launch(grid, dynamic_shared_memory=stages * (128 + columns) * 128)
    text = single(cluster, stages, persistent)
    report = simulate(text, [*maps, c.view(np.uint16), m, n, k], launch, Run(schedule, stages))
    assert report.findings == ()
    assert np.array_equal(c, (a @ b.T).astype(bf16))


@pytest.mark.parametrize(
    ("cluster", "persistent", "schedule"),
    sampled([((4, 1), True, "lazy"), ((2, 2), False, "random"), ((4, 2), True, "eager")], 1),
)
def test_pairs_equal_numpy(cluster: Cluster, persistent: bool, schedule: str) -> None:
    m, n, k, bf16 = 600, 72, 136, ml_dtypes.bfloat16
    (a, b), (x, y) = operands(m, n, k), cluster
    c = np.zeros((m, n), bf16)
    boxes = ((a.astype(bf16), 128 // y), (b.astype(bf16), 64 // x), (c, 32))
    maps = [TensorMap.of(array, (64, rows), swizzle="swizzle_128b") for array, rows in boxes]
    grid = grid_of(cluster, (2 * -(-m // 256), -(-n // 64)), persistent)
    launch = Launch(grid, dynamic_shared_memory=2 * (128 + 32) * 128 + 2 * 16384)
    text = multicast(test_pair.narrow(2, 2, persistent), 32, cluster, 2)
    report = simulate(text, [*maps, m, n, k], launch, Run(schedule, 1))
    assert report.findings == ()
    assert np.array_equal(c, (a @ b.T).astype(bf16))


COPIES = """
!tile = !ws.smem<64x128xbf16, k_major, swizzle_128b, mn_first>
!row = !ws.smem<64x64xbf16, k_major, swizzle_128b>
ptx.kernel @copies(
    %map : !ptx.tensor_map<64x64xbf16, swizzle_128b>,
    %row_map : !ptx.tensor_map<16x64xbf16, swizzle_128b>, %c : i64, %d : i64, %n : i32)
    attributes {cluster_dims = array<i32: 2, 4>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %c256 = arith.constant 256 : i32
  %c512 = arith.constant 512 : i32
  %ring = ws.ring 2 : !tile, !row
  ws.warp_specialize tiles(%i, %j) of (%c128 by 64, %c256 by 64) {
    ws.role @load warps(1) {
      scf.for %at = %c0 to %n step %c1 : i32 {
        ws.produce %ring by tma (%tile, %row) {
          ws.tma_load %map[%j, %at] to %tile multicast(x)
          ws.tma_load %row_map[%i, %at] to %row multicast(y)
        }
      }
    }
    ws.role @use warps(2) threads(%t) {
      %first_c = arith.muli %i, %c256 : i32
      %column = arith.muli %j, %c64 : i32
      %c_column = arith.addi %first_c, %column : i32
      %c_row = arith.addi %c_column, %t : i32
      %first_d = arith.muli %j, %c128 : i32
      %row_i = arith.muli %i, %c64 : i32
      %d_column = arith.addi %first_d, %row_i : i32
      %d_row = arith.addi %d_column, %t : i32
      scf.for %at = %c0 to %n step %c1 : i32 {
        %first = arith.muli %at, %c128 : i32
        %half = arith.muli %at, %c64 : i32
        ws.consume %ring by threads (%tile, %row) {
          %v = ws.local_load %tile[%t, 0] -> vector<128xbf16>
          %w = ws.local_load %row[%t, 0] -> vector<64xbf16>
          ws.global_store %v to %c[%c_row, %first] of (%c512, %c512)
          ws.global_store %w to %d[%d_row, %half] of (%c512, %c256)
        }
      }
    }
  }
  ptx.ret
}
"""
"""Threads of the CTAs that share tiles copy them; the boxes of one tile are beside each other."""


@pytest.mark.parametrize("schedule", sampled(["lazy", "random"], 1))
def test_threads_consume(schedule: str) -> None:
    rng, bf16 = np.random.default_rng(0), ml_dtypes.bfloat16
    a, b = (rng.integers(-9, 9, shape).astype(bf16) for shape in ((256, 512), (128, 256)))
    c, d = np.zeros((2, 256, 512), bf16), np.zeros((4, 128, 256), bf16)
    maps = [
        TensorMap.of(array, (64, rows), swizzle="swizzle_128b")
        for array, rows in ((a, 64), (b, 16))
    ]
    launch = Launch((2, 4), dynamic_shared_memory=2 * (16384 + 8192))
    arguments = [*maps, c.view(np.uint16), d.view(np.uint16), 4]
    report = simulate(COPIES, arguments, launch, Run(schedule, 1))
    assert report.findings == ()
    assert all(np.array_equal(each, a) for each in c)
    assert all(np.array_equal(each, b) for each in d)


@pytest.mark.slow
@pytest.mark.sweep
def test_both_ctas_of_a_pair_share_a_tile(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """Both need all scale factors of B; each loads half of them."""
    name = "gemm_nvfp4_pair"
    for file in (f"{name}.toml", "references.py"):
        copy(EXAMPLES / "ws" / file, tmp_path)
    text = (EXAMPLES / "ws" / f"{name}.mlir").read_text()
    text = text.replace("%sb_map : !ptx.tensor_map<1x4x", "%sb_map : !ptx.tensor_map<1x2x")
    text = text.replace("to %fb\n", "to %fb multicast(x)\n")
    kernel = tmp_path / f"{name}.mlir"
    kernel.write_text(text)
    assert main(["sim", str(kernel), "--schedule", "lazy"]) == 0
    assert capfd.readouterr().out.startswith("as expected: ")
    (remark,) = check_source(Source(name, text), verify="quick")
    assert remark.verdict == "verified"


_VERIFIED = {
    "single": single((2, 2), 2, persistent=True),
    "pair": multicast(test_pair.narrow(2, 2, persistent=False), 32, (4, 2), 2),
    "threads": COPIES,
}


@pytest.mark.slow
@pytest.mark.parametrize("name", sampled(_VERIFIED, 1))
def test_is_verified(name: str) -> None:
    (remark,) = check_source(Source("kernel.mlir", _VERIFIED[name]), verify="quick")
    assert remark.verdict == "verified"


def test_the_example_has_the_kernel_of_these_tests() -> None:
    example = (EXAMPLES / "ws" / "gemm_multicast.mlir").read_text()
    text = multicast(test_gemm.TEXT, 256, (2, 2), 1).replace("by 256) {", "by 256) group(8) {")
    assert text.partition("%c0 =")[2] == example.partition("%c0 =")[2]

"""Tests of tiles with rows from a list, against numpy."""

import ml_dtypes
import numpy as np
import pytest

from tcgen05_dialect.check import check_source
from tcgen05_dialect.reporting.diagnostics import Source
from tcgen05_dialect.simulator import Launch, TensorMap, simulate

from ..support.repository import EXAMPLES

GATHER = (EXAMPLES / "ws" / "gemm_gather.mlir").read_text()
M, N, K, TOKENS = 150, 72, 136, 60


@pytest.mark.slow
def test_any_rows() -> None:
    """Rows may repeat, in any order; numbers outside of the matrix give zeros."""
    rng = np.random.default_rng(3)
    a, b = (rng.integers(-4, 5, (each, K)).astype(ml_dtypes.bfloat16) for each in (TOKENS, N))
    numbers, c = (
        rng.integers(-2, TOKENS + 2, M).astype(np.int32),
        np.zeros((M, N), ml_dtypes.bfloat16),
    )
    maps = [
        TensorMap.of(each, (64, box), swizzle="swizzle_128b") for each, box in ((a, 1), (b, 128))
    ]
    launch = Launch(grid=(2,), dynamic_shared_memory=131072)
    result = simulate(GATHER, [*maps, numbers, c, M, N, K], launch)
    assert result.findings == ()
    exact = np.zeros((M, K))
    is_row = (numbers >= 0) & (numbers < TOKENS)
    exact[is_row] = a[numbers[is_row]]
    assert (c == (exact @ b.T.astype(float)).astype(ml_dtypes.bfloat16)).all()


RAW = """
!t = !ws.smem<8x64xf16, k_major, swizzle_128b>
ptx.kernel @raw(%map : !ptx.tensor_map<1x64xf16, swizzle_128b>, %to : i64) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %c8 = arith.constant 8 : i32
  %c64 = arith.constant 64 : i32
  %row_bytes = arith.constant 128 : i32
  %ring = ws.ring 1 : !t
  ws.warp_specialize {
    ws.role @load warps(1) {
      %token, %tile = ws.producer_acquire %ring by tma
      %address = ws.address %tile
      %bar = ws.mbarrier %token full
      ws.elected {
        scf.for %r = %c0 to %END step %c4 : i32 {
          %offset = arith.muli %r, %row_bytes : i32
          %at = arith.addi %address, %offset : i32
          ptx.cp.async.bulk.tensor.gather4 [%at], %map, {%c0, %r, %c0, %r, %c1}, [%bar]
        }
      }
      ws.producer_commit %token
    }
    ws.role @use warps(1) threads(%t) {
      ws.consume %ring by threads (%tile) {
        %row = arith.remui %t, %c8 : i32
        %v = ws.local_load %tile[%row, 0] -> vector<64xf16>
        ws.global_store %v to %to[%row, 0] of (%c8, %c64)
      }
    }
  }
  ptx.ret
}
"""


def test_raw_copies() -> None:
    """Raw copies by one thread may fill a buffer; the barrier object expects all of its bytes."""
    source = np.arange(9 * 64, dtype=np.float16).reshape(9, 64)
    target = np.zeros((8, 64), np.float16)
    tensor = TensorMap.of(source, (64, 1), swizzle="swizzle_128b")
    launch = Launch(dynamic_shared_memory=1024)
    assert simulate(RAW.replace("END", "c8"), [tensor, target], launch).findings == ()
    assert (target == source[[0, 0, 0, 1, 4, 0, 4, 1]]).all()


@pytest.mark.parametrize(("end", "rule"), [("c8", ""), ("c4", "T5-SIM-005")])
def test_raw_copies_are_verified(end: str, rule: str) -> None:
    *_, last = check_source(Source("raw", RAW.replace("END", end)), verify="quick")
    assert last.rule == rule, last
    assert rule or last.verdict == "verified", last


SCATTER = """
!t = !ws.smem<32x64xf16, k_major, swizzle_128b>
ptx.kernel @scatter(%map : !ptx.tensor_map<1x64xf16, swizzle_128b>, %list : i64, %from : i64) {
  %rows = arith.constant 32 : i32
  %columns = arith.constant 64 : i32
  %one = arith.constant 1 : i32
  %out = ws.ring 1 : !t
  ws.warp_specialize {
    ws.role @move warps(1) threads(%t) {
      %to = ws.global_load %list[0, 0] of (%one, %rows) -> vector<32xi32>
      %v = ws.global_load %from[%t, 0] of (%rows, %columns) -> vector<64xf16>
      ws.produce %out by threads (%tile) {
        ws.local_store %v to %tile[%t, 0]
        ws.tma_store %tile to %map[rows %to, 0]
      }
    }
  }
  ptx.ret
}
"""


def test_rows_are_scattered() -> None:
    rng = np.random.default_rng(5)
    to = rng.permutation(50)[:32].astype(np.int32)
    source = rng.integers(-9, 9, (32, 64)).astype(np.float16)
    target = np.zeros((50, 64), np.float16)
    tensor = TensorMap.of(target, (64, 1), swizzle="swizzle_128b")
    result = simulate(SCATTER, [tensor, to, source], Launch(dynamic_shared_memory=4096))
    assert result.findings == ()
    expected = np.zeros_like(target)
    expected[to] = source
    assert (target == expected).all()

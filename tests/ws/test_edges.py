"""Tests of rings between other kinds of roles than those of a matrix product, against numpy."""

from collections.abc import Sequence

import ml_dtypes
import numpy as np
import numpy.typing as npt
import pytest

from tcgen05_dialect.simulator import Launch, Run, TensorMap, simulate

from ..support.effort import sampled

BF16 = ml_dtypes.bfloat16
SCHEDULES = pytest.mark.parametrize("schedule", sampled(["lazy", "random", "eager"], 1))
_A_IN_TENSOR_MEMORY = """
!p = !tcgen05.tmem<128x64xbf16, a>
!b = !ws.smem<32x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x32xf32>
ptx.kernel @k(%b_map : !ptx.tensor_map<32x64xbf16, swizzle_128b>, %a : i64, %out : i64,
              %blocks : i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %k = arith.muli %blocks, %c64 : i32
  %p_ring = ws.ring 2 : !p
  %b_ring = ws.ring 3 : !b
  %acc = ws.ring 1 : !d
  ws.warp_specialize {
    ws.role @load warps(1) {
      scf.for %i = %c0 to %blocks step %c1 : i32 {
        ws.produce %b_ring by tma (%b) { ws.tma_load %b_map[0, %i] to %b }
      }
    }
    ws.role @convert warps(4) threads(%t) {
      scf.for %i = %c0 to %blocks step %c1 : i32 {
        %column = arith.muli %i, %c64 : i32
        %v = ws.global_load %a[%t, %column] of (%c128, %k) -> vector<64xbf16>
        ws.produce %p_ring by threads (%p) { ws.tmem_store %v to %p[0] }
      }
    }
    ws.role @mma warps(1) {
      ws.produce %acc by mma (%d) {
        scf.for %i = %c0 to %blocks step %c1 : i32 {
          ws.consume %p_ring by mma (%p) {
            ws.consume %b_ring by mma (%b) { ws.mma %d, %p, %b }
          }
        }
      }
    }
    ws.role @store warps(4) threads(%t) {
      ws.consume %acc by threads (%d) {
        %v = ws.tmem_load %d[0] -> vector<32xf32>
        ws.global_store %v to %out[%t, 0] of (%c128, %c32)
      }
    }
  }
  ptx.ret
}
"""
_IN_PLACE = """
!a = !ws.smem<128x64xbf16, k_major, swizzle_128b>
!b = !ws.smem<32x64xbf16, k_major, swizzle_128b>
!d = !tcgen05.tmem<128x32xf32>
ptx.kernel @k(%b_map : !ptx.tensor_map<32x64xbf16, swizzle_128b>, %a : i64, %out : i64,
              %blocks : i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c32 = arith.constant 32 : i32
  %c64 = arith.constant 64 : i32
  %c128 = arith.constant 128 : i32
  %half = arith.constant dense<0.5> : vector<32xf32>
  %k = arith.muli %blocks, %c64 : i32
  %a_ring = ws.ring 2 : !a
  %b_ring = ws.ring 2 : !b
  %turn = ws.ring 1 in_place : !d
  ws.warp_specialize {
    ws.role @load warps(1) {
      scf.for %i = %c0 to %blocks step %c1 : i32 {
        ws.produce %b_ring by tma (%b) { ws.tma_load %b_map[0, %i] to %b }
      }
    }
    ws.role @copy warps(4) threads(%t) {
      scf.for %i = %c0 to %blocks step %c1 : i32 {
        %column = arith.muli %i, %c64 : i32
        %v = ws.global_load %a[%t, %column] of (%c128, %k) -> vector<64xbf16>
        ws.produce %a_ring by threads (%s) { ws.local_store %v to %s[%t, 0] }
      }
    }
    ws.role @mma warps(1) {
      scf.for %i = %c0 to %blocks step %c1 : i32 {
        %later = arith.cmpi ne, %i, %c0 : i32
        ws.produce %turn by mma (%d) {
          ws.consume %a_ring by mma (%s) {
            ws.consume %b_ring by mma (%b) { ws.mma %d, %s, %b accumulate %later }
          }
        }
      }
    }
    ws.role @halve warps(4) threads(%t) {
      scf.for %i = %c0 to %blocks step %c1 : i32 {
        ws.consume %turn by threads (%d) {
          %v = ws.tmem_load %d[0] -> vector<32xf32>
          %halved = arith.mulf %v, %half : vector<32xf32>
          ws.tmem_store %halved to %d[0]
          ws.global_store %halved to %out[%t, 0] of (%c128, %c32)
        }
      }
    }
  }
  ptx.ret
}
"""


def run(text: str, schedule: str, blocks: int) -> tuple[Sequence[npt.NDArray[np.float32]], ...]:
    """The operands in blocks of K, and the result."""
    rng = np.random.default_rng(blocks)
    a, b = (rng.integers(-4, 5, (rows, 64 * blocks)).astype(np.float32) for rows in (128, 32))
    out = np.zeros((128, 32), np.float32)
    b_map = TensorMap.of(b.astype(BF16), (64, 32), swizzle="swizzle_128b")
    arguments = [b_map, a.astype(BF16).view(np.uint16), out, blocks]
    launch = Launch((1,), dynamic_shared_memory=65536)
    report = simulate(text, arguments, launch, Run(schedule, blocks))
    assert report.findings == ()
    return np.split(a, blocks, 1), np.split(b, blocks, 1), [out]


@pytest.mark.slow
@SCHEDULES
@pytest.mark.parametrize("blocks", [1, 2, 5])
def test_threads_give_a_in_tensor_memory(schedule: str, blocks: int) -> None:
    a, b, (out,) = run(_A_IN_TENSOR_MEMORY, schedule, blocks)
    expected = sum(x @ y.T for x, y in zip(a, b, strict=True))
    assert np.array_equal(out, expected)


@pytest.mark.slow
@SCHEDULES
@pytest.mark.parametrize("blocks", [1, 2, 4])
def test_a_consumer_writes_in_place(schedule: str, blocks: int) -> None:
    a, b, (out,) = run(_IN_PLACE, schedule, blocks)
    expected = np.zeros((128, 32), np.float32)
    for x, y in zip(a, b, strict=True):
        expected = (expected + x @ y.T) / 2
    assert np.array_equal(out, expected)

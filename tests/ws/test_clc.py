"""Tests of tiles that CTAs take from CTAs that have not started."""

import ml_dtypes
import numpy as np
import pytest

from tcgen05_dialect.check import check_source
from tcgen05_dialect.reporting.diagnostics import Source
from tcgen05_dialect.simulator import Launch, Run, TensorMap, simulate
from tcgen05_dialect.simulator.launch import clusters

from ..support.effort import sampled
from . import test_gemm, test_pair
from .test_multicast import Cluster, grid_of, multicast, operands, single

RESPONSES = 256
"""Bytes of the responses to requests for tiles."""


def of_pairs(cluster: Cluster) -> str:
    return multicast(test_pair.narrow(2, 2, persistent=True), 32, cluster, 2)


def requesting(text: str) -> str:
    """A persistent kernel, by cluster launch control."""
    assert " persistent" in text
    return text.replace(" persistent", " clc group(4)")


@pytest.fixture(autouse=True)
def few_multiprocessors(monkeypatch: pytest.MonkeyPatch) -> None:
    """Most clusters do not start before others have taken over their work."""
    monkeypatch.setattr(clusters, "MULTIPROCESSORS", 4)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("cluster", "schedule"), sampled([((1, 1), "lazy"), ((2, 1), "random"), ((2, 2), "eager")], 1)
)
def test_equals_numpy(cluster: Cluster, schedule: str) -> None:
    m, n, k, columns, stages = 600, 72, 72, test_gemm.NARROW, 2
    (a, b), (x, y), bf16 = operands(m, n, k), cluster, ml_dtypes.bfloat16
    c = np.zeros((m, n), bf16)
    maps = [
        TensorMap.of(array.astype(bf16), (64, rows), swizzle="swizzle_128b")
        for array, rows in ((a, 128 // y), (b, columns // x))
    ]
    shared = stages * (128 + columns) * 128 + RESPONSES
    launch = Launch(grid_of(cluster, (5, 3), persistent=False), dynamic_shared_memory=shared)
    text = requesting(single(cluster, stages, persistent=True))
    report = simulate(text, [*maps, c.view(np.uint16), m, n, k], launch, Run(schedule, 1))
    assert report.findings == ()
    assert np.array_equal(c, (a @ b.T).astype(bf16))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("cluster", "schedule"), sampled([((2, 1), "lazy"), ((2, 2), "random")], 1)
)
def test_pairs_equal_numpy(cluster: Cluster, schedule: str) -> None:
    m, n, k, bf16 = 600, 72, 72, ml_dtypes.bfloat16
    (a, b), (x, y) = operands(m, n, k), cluster
    c = np.zeros((m, n), bf16)
    boxes = ((a.astype(bf16), 128 // y), (b.astype(bf16), 64 // x), (c, 32))
    maps = [TensorMap.of(array, (64, rows), swizzle="swizzle_128b") for array, rows in boxes]
    shared = 2 * (128 + 32) * 128 + 2 * 16384 + RESPONSES
    launch = Launch(grid_of(cluster, (6, 2), persistent=False), dynamic_shared_memory=shared)
    text = requesting(of_pairs(cluster))
    report = simulate(text, [*maps, m, n, k], launch, Run(schedule, 1))
    assert report.findings == ()
    assert np.array_equal(c, (a @ b.T).astype(bf16))


STORES = """
!t = !tcgen05.tmem<128x32xf32>
ptx.kernel @stores(%out : i64, %m : i32) {
  %t = ws.alloc : !t
  %c4 = arith.constant 4 : i32
  %c128 = arith.constant 128 : i32
  %two = arith.constant dense<2.0> : vector<4xf32>
  ws.warp_specialize tiles(%i) of (%m by 1) clc {
    ws.role @only warps(4) threads(%thread) registers(232) {
      ws.tmem_store %two to %t[0]
      %v = ws.tmem_load %t[0] -> vector<4xf32>
      %first = arith.muli %i, %c128 : i32
      %row = arith.addi %first, %thread : i32
      %rows = arith.muli %m, %c128 : i32
      ws.global_store %v to %out[%row, 0] of (%rows, %c4)
    }
  }
  ptx.ret
}
"""


def test_one_role() -> None:
    """Without rings, and with registers; the request is a role of another warpgroup."""
    out = np.zeros((7 * 128, 4), np.float32)
    launch = Launch((7,), dynamic_shared_memory=RESPONSES)
    report = simulate(STORES, [out, 7], launch, Run("lazy", 0))
    assert report.findings == ()
    assert np.all(out == 2.0)


_VERIFIED = {"cluster": single((2, 1), 2, persistent=True), "pair": of_pairs((2, 1))}


@pytest.mark.slow
@pytest.mark.parametrize("name", sampled(_VERIFIED, 1))
def test_is_verified(name: str) -> None:
    (remark,) = check_source(Source("kernel.mlir", requesting(_VERIFIED[name])), verify="quick")
    assert remark.verdict == "verified"

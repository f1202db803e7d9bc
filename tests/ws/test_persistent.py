"""Tests of a persistent matrix product whose results TMA stores."""

import ml_dtypes
import numpy as np
import pytest

from tcgen05_dialect.check import check_source
from tcgen05_dialect.reporting.diagnostics import Source
from tcgen05_dialect.simulator import Launch, Run, TensorMap, simulate

from ..support.effort import sampled
from .test_gemm import narrow

_EPILOGUE = """
    ws.role @epilogue warps(4) threads(%t) {
      ws.consume %acc by threads (%d) {
        ws.produce %out by threads (%s) {
          %v = ws.tmem_load %d[0] -> vector<32xf32>
          %h = arith.truncf %v : vector<32xf32> to vector<32xbf16>
          ws.local_store %h to %s[%t, 0]
          ws.tma_store %s to %c_map[%i, %j]
        }
      }
    }
  }
  ptx.ret
}
"""


def kernel(stages: int, accumulators: int, outputs: int, box_rows: int) -> str:
    text = narrow(stages)
    text = text[: text.index("    ws.role @epilogue")] + _EPILOGUE.lstrip("\n")
    text = text.replace("%c : i64", f"%c_map : !ptx.tensor_map<{box_rows}x32xbf16, swizzle_64b>")
    rings = f"%acc = ws.ring {accumulators} : !d\n  %out = ws.ring {outputs} : !t"
    text = text.replace("%acc = ws.ring 1 : !d", rings).replace(
        ") {\n    ws", ") persistent {\n    ws"
    )
    return "!t = !ws.smem<128x32xbf16, k_major, swizzle_64b>\n" + text


@pytest.mark.slow
@pytest.mark.parametrize(
    ("stages", "accumulators", "outputs", "box_rows", "schedule"),
    sampled(
        [
            (1, 1, 1, 128, "lazy"),
            (2, 2, 2, 32, "random"),
            (3, 2, 1, 64, "eager"),
            (4, 3, 3, 8, "lazy"),
        ],
        2,
    ),
)
def test_equals_numpy(
    stages: int, accumulators: int, outputs: int, box_rows: int, schedule: str
) -> None:
    m, n, k, ctas = 300, 72, 136, 2
    rng = np.random.default_rng(stages)
    a, b = (rng.integers(-4, 5, (rows, k)).astype(np.float32) for rows in (m, n))
    bf16 = ml_dtypes.bfloat16
    c = np.zeros((m, n), bf16)
    maps = [
        TensorMap.of(matrix.astype(bf16), (64, rows), swizzle="swizzle_128b")
        for matrix, rows in ((a, 128), (b, 32))
    ]
    c_map = TensorMap.of(c, (32, box_rows), swizzle="swizzle_64b")
    text = kernel(stages, accumulators, outputs, box_rows)
    shared = stages * (128 + 32) * 128 + outputs * 8192
    launch = Launch((ctas,), dynamic_shared_memory=shared)
    report = simulate(text, [*maps, c_map, m, n, k], launch, Run(schedule, stages))
    assert report.findings == ()
    assert np.array_equal(c, (a @ b.T).astype(bf16))


def test_is_verified() -> None:
    assert check_source(Source("kernel.mlir", kernel(2, 2, 2, 128))) == []

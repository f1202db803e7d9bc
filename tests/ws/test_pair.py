"""Tests of matrix products by pairs of CTAs, against numpy."""

import ml_dtypes
import numpy as np
import pytest

from tcgen05_dialect.check import check_source
from tcgen05_dialect.reporting.diagnostics import Source
from tcgen05_dialect.simulator import Launch, Run, TensorMap, simulate

from ..support.repository import EXAMPLES

TEXT = (EXAMPLES / "ws" / "gemm_pair.mlir").read_text()


def narrow(stages: int, accumulators: int, persistent: bool) -> str:
    """The kernel with a tile of 256 x 64, stored as one tile of 64 columns."""
    text = TEXT.replace("!b = !ws.smem<128x64", "!b = !ws.smem<32x64")
    text = text.replace("%b_map : !ptx.tensor_map<128x64", "%b_map : !ptx.tensor_map<32x64")
    text = text.replace("%n by 256", "%n by 64").replace("tmem<128x256", "tmem<128x64")
    text = text.replace("constant 4 :", "constant 1 :").replace("ring 4", f"ring {stages}")
    text = text.replace("%acc = ws.ring 2", f"%acc = ws.ring {accumulators}")
    return text if persistent else text.replace(" persistent", "")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("stages", "accumulators", "persistent", "schedule"),
    [(1, 1, True, "lazy"), (2, 2, True, "random"), (3, 1, False, "eager"), (2, 1, False, "lazy")],
)
def test_equals_numpy(stages: int, accumulators: int, persistent: bool, schedule: str) -> None:
    m, n, k = 300, 72, 136
    rng = np.random.default_rng(stages)
    a, b = (rng.integers(-4, 5, (rows, k)).astype(np.float32) for rows in (m, n))
    bf16 = ml_dtypes.bfloat16
    c = np.zeros((m, n), bf16)
    boxes = ((a.astype(bf16), 128), (b.astype(bf16), 32), (c, 32))
    maps = [TensorMap.of(array, (64, rows), swizzle="swizzle_128b") for array, rows in boxes]
    shared = stages * (128 + 32) * 128 + 2 * 16384
    launch = Launch((2,) if persistent else (4, 2), dynamic_shared_memory=shared)
    text = narrow(stages, accumulators, persistent)
    report = simulate(text, [*maps, m, n, k], launch, Run(schedule, stages))
    assert report.findings == ()
    assert np.array_equal(c, (a @ b.T).astype(bf16))


@pytest.mark.slow
def test_is_verified() -> None:
    assert check_source(Source("kernel.mlir", narrow(2, 2, persistent=True))) == []

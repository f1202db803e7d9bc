"""Tests of attention in `ws`, in the emulator against numpy."""

import ml_dtypes
import numpy as np
import pytest

from tcgen05_dialect import assemble, compile_to_ptx
from tcgen05_dialect.check import check_source
from tcgen05_dialect.isa.targets import TARGETS
from tcgen05_dialect.reporting.diagnostics import Source
from tcgen05_dialect.simulator import Launch, Run, TensorMap, simulate

from ..support.repository import EXAMPLES
from ..support.ws_attention import attention, shared_bytes

PLAIN = (EXAMPLES / "ws" / "attention.mlir").read_text()
BF16 = ml_dtypes.bfloat16
SCHEDULES = ("eager", "lazy", "random")


def check(text: str, shape: tuple[int, int, int, int], run: Run, block: int) -> None:
    """Run a kernel on heads, queries, keys and elements of a head."""
    heads, queries, keys, d = shape
    rng = np.random.default_rng(queries + keys)
    q, k, v = (rng.standard_normal((heads, n, d)).astype(BF16) for n in (queries, keys, keys))
    o = np.zeros((heads, queries, d), BF16)
    scale = np.log2(np.e) / np.sqrt(d)
    maps = [
        TensorMap.of(array, (64, rows, 1), swizzle="swizzle_128b")
        for array, rows in ((q, 128), (k, block), (v, block), (o, 128))
    ]
    launch = Launch((-(-queries // 128), heads), dynamic_shared_memory=shared_bytes(text))
    report = simulate(text, [*maps, queries, keys, heads, scale], launch, run)
    assert report.findings == ()
    wide = [each.astype(np.float64) for each in (q, k, v)]
    scores = scale * wide[0] @ wide[1].transpose(0, 2, 1)
    weights = np.exp2(scores - scores.max(2, keepdims=True))
    expected = weights @ wide[2] / weights.sum(2, keepdims=True)
    # P and O are rounded to bf16.
    np.testing.assert_allclose(o.astype(np.float64), expected, rtol=2**-7, atol=2**-7)


@pytest.mark.slow
@pytest.mark.parametrize("schedule", SCHEDULES)
def test_several_blocks_and_tiles(schedule: str) -> None:
    check(attention(PLAIN, 64, 32), (2, 130, 150, 64), Run(schedule, 1), 32)


@pytest.mark.parametrize("keys", [1, 32, 64])
def test_few_blocks(keys: int) -> None:
    check(attention(PLAIN, 64, 32), (1, 1, keys, 64), Run("lazy", 1), 32)


@pytest.mark.slow
def test_heads_of_128_elements() -> None:
    check(attention(PLAIN, 128, 128), (1, 100, 200, 128), Run("random", 1), 128)


def test_is_verified() -> None:
    assert check_source(Source("kernel.mlir", attention(PLAIN, 64, 32))) == []


@pytest.mark.slow
@pytest.mark.parametrize("d", [64, 128])
def test_ptxas_takes_it_without_spills(d: int) -> None:
    ptx = compile_to_ptx(attention(PLAIN, d, 128), ptx_version=str(TARGETS["sm_100a"].first))
    messages = assemble(ptx, "sm_100a", ["-Werror", "-v"]).messages
    assert "0 bytes spill stores, 0 bytes spill loads" in messages

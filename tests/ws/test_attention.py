"""Tests of attention in `ws`, in the emulator against numpy."""

from itertools import product

import ml_dtypes
import numpy as np
import pytest

from tcgen05_dialect import assemble, compile_to_ptx
from tcgen05_dialect.check import check_source
from tcgen05_dialect.isa.targets import TARGETS
from tcgen05_dialect.reporting.diagnostics import Source
from tcgen05_dialect.simulator import Launch, Run, TensorMap, simulate

from ..support.effort import sampled
from ..support.repository import EXAMPLES
from ..support.ws_attention import attention, shared_bytes

PLAIN = (EXAMPLES / "ws" / "attention.mlir").read_text()
CAUSAL = (EXAMPLES / "ws" / "attention_causal.mlir").read_text()
TEXTS = {"plain": PLAIN, "causal": CAUSAL}
BF16 = ml_dtypes.bfloat16
schedules = pytest.mark.parametrize("schedule", sampled(["lazy", "random", "eager"], 1))


def check(text: str, shape: tuple[int, int, int, int], run: Run, block: int = 128) -> None:
    """Run a kernel on heads, queries, keys and elements of a head."""
    heads, queries, keys, d = shape
    causal = "causal" in text
    rng = np.random.default_rng(queries + keys)
    q, k, v = (rng.standard_normal((heads, n, d)).astype(BF16) for n in (queries, keys, keys))
    o = np.zeros((heads, queries, d), BF16)
    scale = np.log2(np.e) / np.sqrt(d)
    maps = [
        TensorMap.of(array, (64, rows, 1), swizzle="swizzle_128b")
        for array, rows in ((q, 128), (k, block), (v, block), (o, 128))
    ]
    sizes = [queries, heads] if causal else [queries, keys, heads]
    grid = (2,) if causal else (-(-queries // 128), heads)
    launch = Launch(grid, dynamic_shared_memory=shared_bytes(text))
    assert simulate(text, [*maps, *sizes, scale], launch, run).findings == ()
    wide = [each.astype(np.float64) for each in (q, k, v)]
    scores = scale * wide[0] @ wide[1].transpose(0, 2, 1)
    if causal:
        scores = np.where(np.tri(queries, dtype=bool), scores, -np.inf)
    weights = np.exp2(scores - scores.max(2, keepdims=True))
    expected = weights @ wide[2] / weights.sum(2, keepdims=True)
    # P and O are rounded to bf16.
    np.testing.assert_allclose(o.astype(np.float64), expected, rtol=2**-7, atol=2**-7)


@pytest.mark.slow
@schedules
def test_several_blocks_and_tiles(schedule: str) -> None:
    check(attention(PLAIN, 64, 32), (2, 130, 150, 64), Run(schedule, 1), 32)


@pytest.mark.slow
@pytest.mark.parametrize("keys", sampled([1, 32, 64], 2))
def test_few_blocks(keys: int) -> None:
    check(attention(PLAIN, 64, 32), (1, 1, keys, 64), Run("lazy", 1), 32)


@pytest.mark.slow
def test_causal() -> None:
    """Three tiles of one to three blocks, for two CTAs."""
    check(CAUSAL, (1, 260, 260, 64), Run("random", 1))


@pytest.mark.slow
@pytest.mark.parametrize("name", sampled(TEXTS, 1))
def test_heads_of_128_elements(name: str) -> None:
    check(attention(TEXTS[name], 128), (1, 130, 130, 128), Run("random", 1))


def test_is_verified() -> None:
    assert check_source(Source("kernel.mlir", attention(PLAIN, 64, 32))) == []


@pytest.mark.slow
@pytest.mark.parametrize(("name", "d"), sampled(product(TEXTS, [64, 128]), 1))
def test_ptxas_takes_it_without_spills(name: str, d: int) -> None:
    ptx = compile_to_ptx(attention(TEXTS[name], d), ptx_version=str(TARGETS["sm_100a"].first))
    messages = assemble(ptx, "sm_100a", ["-Werror", "-v"]).messages
    assert "0 bytes spill stores, 0 bytes spill loads" in messages

"""Tests of the warp-specialised GEMM with one step of its synchronisation removed."""

import re
from collections import Counter
from collections.abc import Iterator

import ml_dtypes
import numpy as np
import pytest

from tcgen05_dialect.simulator import Launch, Report, Run, TensorMap, simulate

from ..support.effort import sampled
from ..support.headed_kernels import shown_by_run
from ..support.repository import EXAMPLES

EXAMPLE = EXAMPLES / "gemm_warp_specialized.mlir"
SYNCHRONIZING = re.compile(
    r"\s*(ptx\.(mbarrier|fence|bar)|tcgen05\.(fence|wait|commit|dealloc|relinquish))"
)
SIZES = ((130, 40, 392), (128, 64, 392))
"""M, N and K; the last columns are stored one by one in the first, all in vectors in the second."""
_ALLOCATION = "alloc and dealloc are synchronous, and what came before them is complete"
_LANES = "the lanes meet again at bar.sync, which all threads wait for"
_ONE_FENCE = "one of the two fences makes the barrier objects known"
REDUNDANT = {
    ("ptx.fence.mbarrier_init", 0): _ONE_FENCE,
    ('ptx.fence.proxy.async "shared::cta"', 0): _ONE_FENCE,
    ("ptx.bar.warp.sync %all_lanes", 0): _LANES,
    ("tcgen05.relinquish_alloc_permit", 0): "no one else allocates",
    ("tcgen05.fence before_thread_sync", 0): _ALLOCATION,
    ("tcgen05.fence after_thread_sync", 0): _ALLOCATION,
    ("ptx.bar.warp.sync %all_lanes", 1): _LANES,
    ("tcgen05.fence after_thread_sync", 1): "the barrier hands on shared memory only",
    ("ptx.bar.warp.sync %all_lanes", 3): _LANES,
    ("tcgen05.fence before_thread_sync", 1): _ALLOCATION,
    ("tcgen05.fence after_thread_sync", 3): _ALLOCATION,
}
"""What may be left out, the first time that the kernel says it, the second ..., and why."""
PARTIAL = ("ptx.bar.warp.sync %all_lanes", 4)
"""What only partial tiles with whole vectors need. Without it there is a warning of practice, which
verification gives at usual sizes only."""


def mutants() -> Iterator[tuple[int, str, int]]:
    """The number of each line that can be left out, what it says, and how often before."""
    seen = Counter[str]()
    for number, line in enumerate(EXAMPLE.read_text().splitlines()):
        if SYNCHRONIZING.match(line):
            text = line.split("{")[0].strip()
            yield number, text, seen[text]
            seen[text] += 1


MUTANTS = tuple(mutants())
SAMPLE = sampled(MUTANTS, 2, of=lambda mutant: mutant[1:] in REDUNDANT)
"""Mutants with and without a mistake."""


def run(text: str, m: int, n: int, k: int) -> tuple[Report, bool]:
    """What the emulator finds, and whether the result is right."""
    rng = np.random.default_rng(0)
    a, b = (rng.integers(-3, 4, (rows, k)).astype(ml_dtypes.bfloat16) for rows in (m, n))
    c = np.zeros((m, n), ml_dtypes.bfloat16)
    maps = [TensorMap.of(x, (64, rows), swizzle="swizzle_128b") for x, rows in ((a, 128), (b, 256))]
    report = simulate(
        text,
        [*maps, c.view(np.uint16), m, n, k],
        Launch((-(-m // 128), -(-n // 256)), dynamic_shared_memory=4 * (128 + 256) * 64 * 2),
        Run("lazy", max_steps=100_000),
    )
    expected = (a.astype(np.float32) @ b.astype(np.float32).T).astype(ml_dtypes.bfloat16)
    return report, bool((c == expected).all())


def is_found(text: str) -> bool:
    outcomes = (run(text, *size) for size in SIZES)
    return any(shown_by_run(report.findings) or not right for report, right in outcomes)


def without(*numbers: int) -> str:
    lines = EXAMPLE.read_text().splitlines()
    return "\n".join("" if number in numbers else line for number, line in enumerate(lines))


@pytest.mark.slow
def test_right() -> None:
    assert not is_found(without())


@pytest.mark.slow
@pytest.mark.parametrize(("number", "line", "nth"), SAMPLE)
def test_without(number: int, line: str, nth: int) -> None:
    assert is_found(without(number)) == ((line, nth) not in REDUNDANT)


def test_reasons_are_of_lines_that_exist() -> None:
    assert set(REDUNDANT) <= {(line, nth) for _, line, nth in MUTANTS}


def test_without_any_fence_of_the_barrier_objects() -> None:
    fences = [number for number, line, _ in MUTANTS if line.startswith("ptx.fence")]
    assert len(fences) == 2 and is_found(without(*fences))

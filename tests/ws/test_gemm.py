"""Tests of a matrix product in `ws`, in the emulator against numpy."""

from itertools import chain, product

import ml_dtypes
import numpy as np
import pytest

from tcgen05_dialect.check import check_source
from tcgen05_dialect.compiler import lower_source
from tcgen05_dialect.reporting.diagnostics import Source
from tcgen05_dialect.simulator import Launch, Run, TensorMap, simulate

from ..support.effort import sampled
from ..support.repository import EXAMPLES

pytestmark = pytest.mark.slow

TEXT = (EXAMPLES / "ws" / "gemm.mlir").read_text()
NARROW = 32
"""Columns of the tile in most tests, for their time."""


def narrow(stages: int) -> str:
    """The kernel with a tile of fewer columns, and a ring of so many stages."""
    text = TEXT.replace("256x64", f"{NARROW}x64").replace("128x256", f"128x{NARROW}")
    text = text.replace("by 256", f"by {NARROW}").replace("constant 256", f"constant {NARROW}")
    return text.replace("ring 4", f"ring {stages}")


def check(text: str, columns: int, size: tuple[int, int, int], run: Run) -> None:
    m, n, k = size
    rng = np.random.default_rng(m * n + k)
    a, b = (rng.integers(-4, 5, (rows, k)).astype(np.float32) for rows in (m, n))
    bf16 = ml_dtypes.bfloat16
    c = np.zeros((m, n), bf16)
    maps = [
        TensorMap.of(matrix.astype(bf16), (64, rows), swizzle="swizzle_128b")
        for matrix, rows in ((a, 128), (b, columns))
    ]
    stages = int(text.split("ws.ring ")[1].split()[0])
    grid = -(-m // 128), -(-n // columns)
    launch = Launch(grid, dynamic_shared_memory=stages * (128 + columns) * 128)
    report = simulate(text, [*maps, c.view(np.uint16), m, n, k], launch, run)
    assert report.findings == ()
    assert np.array_equal(c, (a @ b.T).astype(bf16))


@pytest.mark.parametrize(
    ("stages", "schedule"), sampled(product(range(1, 5), ("lazy", "random", "eager")), 2)
)
def test_each_depth_and_schedule(stages: int, schedule: str) -> None:
    check(narrow(stages), NARROW, (130, 20, 72 + 64 * stages), Run(schedule, stages))


@pytest.mark.parametrize("size", [(1, 1, 8), (128, 32, 64), (129, 33, 72), (100, 40, 200)])
def test_each_tail(size: tuple[int, int, int]) -> None:
    check(narrow(2), NARROW, size, Run("random", 1))


@pytest.mark.slow
def test_the_example() -> None:
    check(TEXT, 256, (200, 300, 264), Run("lazy", 0))


def test_only_operations_of_the_module_use_its_values() -> None:
    """Analyses follow uses: an operation that was replaced must have none."""
    module = lower_source(Source("kernel.mlir", narrow(3))).module
    operations = [*module.walk()]
    arguments = (a for op in operations for r in op.regions for b in r.blocks for a in b.args)
    values = chain(arguments, *(op.results for op in operations))
    assert {use.operation for value in values for use in value.uses} <= {*operations}


@pytest.mark.parametrize("stages", range(1, 5))
def test_is_verified(stages: int) -> None:
    assert check_source(Source("kernel.mlir", narrow(stages))) == []

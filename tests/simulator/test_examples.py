"""Tests of the example kernels in the emulator, against numpy."""

import itertools

import ml_dtypes
import numpy as np
import numpy.typing as npt
import pytest

from tcgen05_dialect.simulator import Launch, Run, TensorMap, simulate

from ..support.effort import sampled
from ..support.repository import EXAMPLES

TILES = {"gemm_single_tile": 128, "gemm_pipelined": 128, "gemm_warp_specialized": 256}
"""Kernel -> columns of its tile."""
SHARED = {"gemm_single_tile": 0, "gemm_pipelined": 131072, "gemm_warp_specialized": 196608}
SIZES = (
    (128, 256, 64),
    (256, 512, 128),
    (1, 1, 8),
    (65, 257, 72),
    (200, 40, 520),
    (33, 7, 136),
    (97, 130, 24),
    (257, 17, 200),
    (130, 72, 200),
)
"""M, N, K: two of whole tiles (K: of 64), and others with a rest in each of the three."""
Matrix = npt.NDArray[np.float32]


def integers(rng: np.random.Generator, rows: int, columns: int) -> Matrix:
    """Numbers that are the same in no two rows or columns, and small enough for exact sums."""
    return rng.integers(-4, 5, (rows, columns)).astype(np.float32)


def product(kernel: str, a: Matrix, b: Matrix, schedule: str = "eager", seed: int = 0) -> Matrix:
    """What the kernel makes of A and B in bf16."""
    bf16 = ml_dtypes.bfloat16
    (m, k), (n, _) = a.shape, b.shape
    c = np.zeros((m, n), bf16)
    columns = TILES[kernel]
    maps = (
        TensorMap.of(matrix.astype(bf16), (64, rows), swizzle="swizzle_128b")
        for matrix, rows in ((a, 128), (b, columns))
    )
    report = simulate(
        (EXAMPLES / f"{kernel}.mlir").read_text(),
        [*maps, c.view(np.uint16), m, n, k],
        Launch((-(-m // 128), -(-n // columns)), dynamic_shared_memory=SHARED[kernel]),
        Run(schedule, seed),
    )
    assert report.findings == ()
    return c.astype(np.float32)


def check(kernel: str, size: tuple[int, int, int], schedule: str, seed: int = 0) -> None:
    m, n, k = size
    rng = np.random.default_rng(m * n + k)
    a, b = integers(rng, m, k), integers(rng, n, k)
    expected = (a @ b.T).astype(ml_dtypes.bfloat16).astype(np.float32)
    assert np.array_equal(product(kernel, a, b, schedule, seed), expected)


@pytest.mark.slow
@pytest.mark.parametrize("kernel", TILES)
@pytest.mark.parametrize("kind", ["eager", "lazy"])
def test_example_multiplies(kernel: str, kind: str) -> None:
    check(kernel, (130, 40, 200), kind)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kernel", "size", "schedule"),
    sampled(itertools.product(TILES, SIZES, ("eager", "lazy")), 1, of=lambda case: case[0]),
    ids=str,
)
def test_example_multiplies_every_size(
    kernel: str, size: tuple[int, int, int], schedule: str
) -> None:
    check(kernel, size, schedule)


@pytest.mark.slow
@pytest.mark.parametrize("kernel", TILES)
@pytest.mark.parametrize("seed", sampled(range(10), 1))
def test_example_multiplies_in_any_order(kernel: str, seed: int) -> None:
    check(kernel, SIZES[-1 - seed % (len(SIZES) - 2)], "random", seed)


def error_bound(a: npt.NDArray[np.float64], b: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """
    How far an example may be from A times B transposed.

    Each instruction adds 16 products along K and rounds once to f32, which has 24 bits; the sums
    are at most those of the absolute values, but for what was rounded. Last comes one rounding to
    bf16, which has 8.
    """
    roundings = -(-a.shape[1] // 16)
    of_sums = np.abs(a) @ np.abs(b).T * ((1 + 2.0**-24) ** roundings - 1)
    return of_sums + (np.abs(a @ b.T) + of_sums) * 2.0**-8


@pytest.mark.slow
@pytest.mark.parametrize("kernel", TILES)
@pytest.mark.parametrize("size", sampled([(130, 72, 264), (40, 150, 1032)], 1), ids=str)
def test_example_is_close_on_any_numbers(kernel: str, size: tuple[int, int, int]) -> None:
    """Numbers of many magnitudes, whose sums are rounded and cancel."""
    m, n, k = size
    rng = np.random.default_rng(m)
    numbers = rng.standard_normal((m + n, k)) * np.exp2(rng.integers(-12, 13, (m + n, k)))
    a, b = np.split(numbers.astype(ml_dtypes.bfloat16).astype(np.float32), [m])
    wide = a.astype(np.float64), b.astype(np.float64)
    found = product(kernel, a, b)
    error = np.abs(found - wide[0] @ wide[1].T)
    # What sums of float64 in another order leave is much less than 1 of the bound.
    bound = error_bound(*wide) * (1 + 2.0**-20)
    assert (error <= bound).all()
    assert (error > bound / 8).any()

"""Tests of block-scaled products in `ws`, in the emulator against numpy."""

from typing import Any, NamedTuple

import ml_dtypes
import numpy as np
import pytest

from tcgen05_dialect.check import check_source
from tcgen05_dialect.reporting.diagnostics import Source
from tcgen05_dialect.simulator import Launch, Run, simulate

from ..support.effort import sampled
from ..support.repository import EXAMPLES

MXF8 = (EXAMPLES / "ws" / "gemm_mxf8.mlir").read_text()
NVFP4_PAIR = (EXAMPLES / "ws" / "gemm_nvfp4_pair.mlir").read_text()
Array = np.ndarray[Any, Any]
MLIR = {"e4m3": "f8E4M3FN", "e5m2": "f8E5M2", "ue8m0": "f8E8M0FNU", "ue4m3": "f8E4M3FN"}
NUMPY = {
    "e4m3": ml_dtypes.float8_e4m3fn,
    "e5m2": ml_dtypes.float8_e5m2,
    "ue8m0": ml_dtypes.float8_e8m0fnu,
    "ue4m3": ml_dtypes.float8_e4m3fn,
}


class Matrix(NamedTuple):
    """A matrix and its scale factors as they are in memory, and its scaled numbers."""

    elements: Array
    factors: Array
    numbers: Array


def matrix(
    rng: np.random.Generator, rows: int, k: int, types: tuple[str, str, int], tile: tuple[int, int]
) -> Matrix:
    """
    A random matrix. `types` has the types of elements and factors, and the elements for which there
    is a factor; `tile` the rows of a block of factors, at most 128, and the elements of a stage.
    """
    element, scale, block = types
    if element == "e2m1":
        codes = rng.integers(0, 16, (rows, k)).astype(np.uint8)
        elements = codes[:, ::2] | codes[:, 1::2] << 4
        numbers = codes.view(ml_dtypes.float4_e2m1fn).astype(np.float32)
    else:
        numbers = rng.integers(-4, 5, (rows, k)).astype(np.float32)
        elements = numbers.astype(NUMPY[element]).view(np.uint8)
    groups = -(-k // tile[1]) * tile[1] // (4 * block)
    shape = -(-rows // tile[0]), groups, 32, 4, 4
    given = (2.0 ** rng.integers(-2, 3, shape)).astype(NUMPY[scale])
    blocks = given.astype(np.float32).transpose(0, 3, 2, 1, 4).reshape(shape[0], 128, 4 * groups)
    factors = blocks[:, : tile[0]].reshape(-1, 4 * groups)[:rows]
    numbers = numbers * np.repeat(factors, block, axis=1)[:, :k]
    return Matrix(elements, given.view(np.uint8).reshape(*shape[:2], 32, 16), numbers)


def narrow(stages: int, a: str = "e4m3", b: str = "e4m3") -> str:
    """The kernel of one CTA with a tile of 64 columns, for other types."""
    text = MXF8.replace("!b = !ws.smem<256x", "!b = !ws.smem<64x").replace("<256x4", "<64x4")
    text = text.replace("<256x128xu8", "<64x128xu8").replace("<2x1x32", "<1x1x32")
    text = text.replace("128x256xf32", "128x64xf32").replace("by 256", "by 64")
    text = text.replace("constant 256", "constant 64").replace("ring 4", f"ring {stages}")
    text = text.replace("128x128xf8E4M3FN", f"128x128x{MLIR[a]}")
    return text.replace("64x128xf8E4M3FN", f"64x128x{MLIR[b]}")


def pair(stages: int, scale: str, block: int) -> str:
    """The kernel of pairs with factors of another type, and for so many elements."""
    text = NVFP4_PAIR.replace("ring 4", f"ring {stages}").replace('"8.7"', '"8.8"')
    text = text.replace("<128x16xf8E4M3FN", f"<128x{256 // block}x{MLIR[scale]}")
    return text.replace("<1x4x32x16xu8>", f"<1x{64 // block}x32x16xu8>")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("stages", "types", "size", "schedule"),
    [
        (1, ("e4m3", "e4m3"), (130, 70, 272), "lazy"),
        (2, ("e5m2", "e4m3"), (1, 1, 16), "eager"),
        (3, ("e4m3", "e5m2"), (128, 65, 640), "random"),
        (2, ("e4m3", "e4m3"), (129, 64, 384), "lazy"),
    ],
)
def test_one_cta(
    stages: int, types: tuple[str, str], size: tuple[int, int, int], schedule: str
) -> None:
    m, n, k = size
    rng = np.random.default_rng(k)
    a = matrix(rng, m, k, (types[0], "ue8m0", 32), (128, 128))
    b = matrix(rng, n, k, (types[1], "ue8m0", 32), (64, 128))
    c = np.zeros((m, n), ml_dtypes.bfloat16)
    maps = a.elements, b.elements, a.factors, b.factors
    shared = stages * (128 * 128 + 64 * 128 + 2 * 512)
    launch = Launch((-(-m // 128), -(-n // 64)), dynamic_shared_memory=shared)
    arguments = [*maps, c.view(np.uint16), m, n, k]
    report = simulate(narrow(stages, *types), arguments, launch, Run(schedule, stages))
    assert report.findings == ()
    assert np.array_equal(c, (a.numbers @ b.numbers.T).astype(c.dtype))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("stages", "scale", "block", "schedule"),
    sampled(
        [
            (2, "ue4m3", 16, "lazy"),
            (3, "ue8m0", 16, "random"),
            (1, "ue8m0", 32, "eager"),
        ],
        1,
    ),
)
def test_pair(stages: int, scale: str, block: int, schedule: str) -> None:
    m, n, k = 270, 136, 544
    rng = np.random.default_rng(stages)
    a, b = (matrix(rng, rows, k, ("e2m1", scale, block), (128, 256)) for rows in (m, n))
    c = np.zeros((m, n), ml_dtypes.bfloat16)
    shared = stages * (192 * 128 + 2 * 512 * 64 // block) + 2 * 16384
    arguments = [a.elements, b.elements, a.factors, b.factors, c, m, n, k]
    launch = Launch((2,), dynamic_shared_memory=shared)
    report = simulate(pair(stages, scale, block), arguments, launch, Run(schedule, stages))
    assert report.findings == ()
    assert np.array_equal(c, (a.numbers @ b.numbers.T).astype(c.dtype))


@pytest.mark.slow
def test_is_verified() -> None:
    for text in (narrow(2), pair(2, "ue8m0", 32)):
        assert check_source(Source("kernel.mlir", text)) == []

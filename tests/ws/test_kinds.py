"""Tests of products of other kinds in `ws`, in the emulator against numpy."""

from typing import Any

import ml_dtypes
import numpy as np
import pytest

from tcgen05_dialect.isa.mma.shapes import data_path_layout
from tcgen05_dialect.isa.mma.sparse import GRANULARITIES, INDICES, metadata_positions
from tcgen05_dialect.simulator import Launch, Run, simulate

from ..support.effort import sampled
from ..support.repository import EXAMPLES

pytestmark = pytest.mark.slow

BF16, E4M3 = ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn
E4M3_MAX = 448.0
Array = np.ndarray[Any, Any]
MLIR = {"e4m3": "f8E4M3FN", "e5m2": "f8E5M2", "e3m2": "f6E3M2FN", "e2m1": "f4E2M1FN"}
BYTES = {"e4m3": E4M3, "e5m2": ml_dtypes.float8_e5m2}
PACKED = {"e3m2": (ml_dtypes.float6_e3m2fn, 6), "e2m1": (ml_dtypes.float4_e2m1fn, 4)}
MAPS = {8: "u8", 6: "b6x16_p32", 4: "b4x16_p64"}


def text_of(name: str, stages: int) -> str:
    return (EXAMPLES / "ws" / f"{name}.mlir").read_text().replace("ring 4", f"ring {stages}")


def narrow(name: str, stages: int) -> str:
    """An example whose tile has 64 columns in place of 256."""
    text = text_of(name, stages).replace("128x256", "128x64").replace("by 256", "by 64")
    text = text.replace("<256x", "<64x").replace("constant 256", "constant 64")
    return text.replace("constant 4 :", "constant 1 :")


def run(text: str, arguments: list[Any], grid: tuple[int, int], shared: int, schedule: str) -> None:
    report = simulate(text, arguments, Launch(grid, dynamic_shared_memory=shared), Run(schedule, 1))
    assert report.findings == ()


@pytest.mark.parametrize("size", [(130, 70, 100), (1, 1, 4)])
def test_tf32(size: tuple[int, int, int]) -> None:
    m, n, k = size
    rng = np.random.default_rng(k)
    a, b = (rng.integers(-500, 500, (rows, k)).astype(np.float32) for rows in (m, n))
    c = np.zeros((m, n), np.float32)
    grid, shared = (-(-m // 128), -(-n // 64)), 3 * 192 * 128
    run(narrow("gemm_tf32", 3), [a, b, c, m, n, k], grid, shared, "random")
    assert np.array_equal(c, a @ b.T)


@pytest.mark.parametrize("unsigned", [False, True])
def test_int8(unsigned: bool) -> None:
    m, n, k = 129, 72, 272
    rng = np.random.default_rng(0)
    type_ = np.uint8 if unsigned else np.int8
    limits = np.iinfo(type_)
    a = rng.integers(limits.min, limits.max + 1, (m, k)).astype(type_)
    b = rng.integers(-128, 128, (n, k)).astype(np.int8)
    sa, sb = (rng.standard_normal(rows).astype(np.float32) for rows in (m, n))
    c = np.zeros((m, n), BF16)
    text = narrow("gemm_int8", 2)
    text = (
        text.replace("!a = !ws.smem<128x128xsi8", "!a = !ws.smem<128x128xui8") if unsigned else text
    )
    arguments = [a.view(np.uint8), b.view(np.uint8), sa, sb, c.view(np.uint16), m, n, k]
    run(text, arguments, (2, 2), 2 * 192 * 128, "lazy")
    sums = (a.astype(np.int64) @ b.astype(np.int64).T).astype(np.float32)
    assert np.array_equal(c, (sums * sa[:, None] * sb).astype(BF16))


def numbers_of(rng: np.random.Generator, rows: int, k: int, name: str) -> tuple[Array, Array]:
    """A random matrix as it is in memory, and its numbers."""
    if name in BYTES:
        given = (rng.integers(-4, 5, (rows, k)) / 16).astype(BYTES[name])
        return given.view(np.uint8), given.astype(np.float64)
    type_, bits = PACKED[name]
    codes = rng.integers(0, 1 << bits, (rows, k)).astype(np.uint8)
    unpacked = np.unpackbits(codes[:, :, None], axis=2, count=bits, bitorder="little")
    packed = np.packbits(unpacked.reshape(rows, -1), axis=1, bitorder="little")
    return packed, codes.view(type_).astype(np.float64)


@pytest.mark.parametrize(
    ("a_type", "b_type", "schedule"),
    sampled([("e4m3", "e5m2", "lazy"), ("e5m2", "e3m2", "random"), ("e2m1", "e4m3", "eager")], 2),
)
def test_mixed_types_with_an_epilogue_in_fp8(a_type: str, b_type: str, schedule: str) -> None:
    m, n, k = 140, 80, 256
    rng = np.random.default_rng(2)
    (a, a_numbers), (b, b_numbers) = (
        numbers_of(rng, rows, k, name) for rows, name in ((m, a_type), (n, b_type))
    )
    bias = rng.standard_normal(n).astype(np.float32)
    c = np.zeros((m, n), E4M3)
    text = narrow("gemm_fp8_silu", 3)
    a_map, b_map = (MAPS[8 if each in BYTES else PACKED[each][1]] for each in (a_type, b_type))
    text = text.replace("128x128xf8E4M3FN", f"128x128x{MLIR[a_type]}")
    text = text.replace("64x128xf6E3M2FN", f"64x128x{MLIR[b_type]}")
    text = text.replace("128x128xu8", f"128x128x{a_map}").replace("xb6x16_p32", f"x{b_map}")
    shared = 3 * 192 * 128 + 2 * 128 * 64
    run(text, [a, b, c.view(np.uint8), bias, m, n, k], (2, 2), shared, schedule)
    x = a_numbers @ b_numbers.T + bias
    expected = np.minimum(x / (1 + np.exp(-x)), E4M3_MAX)
    # One unit in the last place, of numbers and of subnormal numbers.
    np.testing.assert_allclose(c.astype(np.float64), expected, rtol=2**-3, atol=2**-9)
    assert len(np.unique(c.view(np.uint8))) > 50


def sparse(rng: np.random.Generator, rows: int, k: int) -> tuple[Array, Array, Array]:
    """A random matrix of which half is stored: what is stored, the metadata, and the whole."""
    granularity = GRANULARITIES["f16"]
    indices = sorted(INDICES.values("index", granularity=granularity.name))
    chosen = rng.choice(indices, (rows, k // granularity.chunk))
    stored = rng.integers(-4, 5, (rows, k // 2)).astype(np.float32)
    whole = np.zeros((rows, k // granularity.chunk, granularity.chunk), np.float32)
    positions = np.array([granularity.positions(index) for index in range(16)])
    halves = stored.reshape(rows, -1, granularity.stored)
    np.put_along_axis(whole, positions[chosen], halves, axis=2)
    layout = data_path_layout(128, 1, sparse=True, ws=False)
    blocks = np.full((-(-rows // 128), -(-k // 128), 128, 4), 0x44444444, np.uint32)
    for (row, chunk), index in np.ndenumerate(chosen):
        step, inside = divmod(chunk % 32, 8)
        for place in metadata_positions("f16", layout, row % 128, inside):
            cell = row // 128, chunk // 32, place.lane, place.column + step
            kept = int(blocks[cell]) & ~(0xF << place.bit)
            blocks[cell] = kept | int(index) << place.bit
    metadata = blocks.view(np.uint8).reshape(*blocks.shape[:2], 128, 16)
    return stored, metadata, whole.reshape(rows, k)


@pytest.mark.parametrize(("stages", "schedule"), [(1, "lazy"), (3, "random")])
def test_sparse(stages: int, schedule: str) -> None:
    m, n, k = 150, 20, 272
    rng = np.random.default_rng(stages)
    stored, metadata, a = sparse(rng, m, k)
    b = rng.integers(-4, 5, (n, k)).astype(np.float32)
    c = np.zeros((m, n), BF16)
    shared = stages * (128 * 128 + 2 * 128 * 128 + 2048)
    arguments = [stored.astype(BF16), b.astype(BF16), metadata, c.view(np.uint16), m, n, k]
    run(text_of("gemm_sparse", stages), arguments, (2, 1), shared, schedule)
    assert np.array_equal(c, (a @ b.T).astype(BF16))


@pytest.mark.parametrize("columns", [64, 70])
def test_stores_of_bytes(columns: int) -> None:
    """Whole chunks of 16 bytes where rows are aligned, and single bytes elsewhere."""
    m, k = 130, 64
    rng = np.random.default_rng(columns)
    a, b = (rng.integers(-4, 5, (rows, k)).astype(np.float32) for rows in (m, columns))
    c = np.zeros((m, columns), E4M3)
    text = narrow("gemm", 2).replace("vector<32xbf16>", "vector<32xf8E4M3FN>")
    arguments = [a.astype(BF16), b.astype(BF16), c.view(np.uint8), m, columns, k]
    run(text, arguments, (2, -(-columns // 64)), 2 * 192 * 128, "random")
    limit = E4M3_MAX
    assert np.array_equal(c, np.clip(a @ b.T, -limit, limit).astype(E4M3))

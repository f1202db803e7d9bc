"""Kernels of cuTile, with their launches and what numpy computes for the same arrays."""

from collections.abc import Mapping
from importlib import import_module
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np

ct: Any = import_module("cuda.tile")  # Many of its types are unknown.
BF16, F16, F32, E4M3 = ml_dtypes.bfloat16, np.float16, np.float32, ml_dtypes.float8_e4m3fn
ZERO, NEG_INF = ct.PaddingMode.ZERO, ct.PaddingMode.NEG_INF


class Case(NamedTuple):
    """
    A kernel, its grid, and its arguments: arrays by their shapes and types, and numbers.

    `expected` computes, from the arrays by their names, those that the kernel stores.
    """

    kernel: Any
    grid: tuple[int, ...]
    arguments: tuple[Any, ...]
    expected: str
    kernels: int = 1


def tile_of_product(a: Any, b: Any, i: Any, j: Any, m: Any, n: Any, k: Any) -> Any:
    """The tile of a product, in f32."""
    acc = ct.zeros((m, n), dtype=ct.float32)
    for at in range(ct.num_tiles(a, axis=1, shape=(m, k))):
        x = ct.load(a, index=(i, at), shape=(m, k), padding_mode=ZERO)
        y = ct.load(b, index=(at, j), shape=(k, n), padding_mode=ZERO)
        acc = ct.mma(x, y, acc)
    return acc


@ct.kernel
def matmul(a: Any, b: Any, c: Any, m: Any, n: Any, k: Any) -> None:
    i, j = ct.bid(0), ct.bid(1)
    acc = tile_of_product(a, b, i, j, m, n, k)
    ct.store(c, index=(i, j), tile=ct.astype(acc, c.dtype))


@ct.kernel
def bias_and_silu(a: Any, b: Any, bias: Any, c: Any, m: Any, n: Any, k: Any) -> None:
    i, j = ct.bid(0), ct.bid(1)
    acc = tile_of_product(a, b, i, j, m, n, k)
    x = acc + ct.load(bias, index=(j,), shape=(n,))
    ct.store(c, index=(i, j), tile=ct.astype(x / (1.0 + ct.exp(-x)), c.dtype))


@ct.kernel
def persistent(a: Any, b: Any, c: Any, m: Any, n: Any, k: Any, group: Any) -> None:
    """Blocks of several tiles, in groups of rows."""
    rows, columns = ct.cdiv(c.shape[0], m), ct.cdiv(c.shape[1], n)
    for number in range(ct.bid(0), rows * columns, ct.num_blocks(0)):
        first = number // (group * columns) * group
        height = min(rows - first, group)
        i = first + number % (group * columns) % height
        j = number % (group * columns) // height
        acc = tile_of_product(a, b, i, j, m, n, k)
        ct.store(c, index=(i, j), tile=ct.astype(acc, c.dtype))


@ct.kernel
def batched(a: Any, b: Any, c: Any, m: Any, n: Any, k: Any) -> None:
    """A batch of products by a transposed matrix."""
    at, i, j = ct.bid(2), ct.bid(0), ct.bid(1)
    acc = ct.zeros((m, n), dtype=ct.float32)
    for step in range(ct.cdiv(a.shape[2], k)):
        x = ct.load(a, (at, i, step), (1, m, k), padding_mode=ZERO).reshape((m, k))
        y = ct.load(b, (at, j, step), (1, n, k), padding_mode=ZERO).reshape((n, k))
        acc = ct.mma(x, ct.transpose(y), acc)
    ct.store(c, (at, i, j), ct.astype(acc, c.dtype).reshape((1, m, n)))


@ct.kernel
def swiglu(x: Any, w: Any, v: Any, y: Any, m: Any, n: Any, k: Any) -> None:
    i, j = ct.bid(0), ct.bid(1)
    gate, up = ct.zeros((m, n), ct.float32), ct.zeros((m, n), ct.float32)
    for at in range(ct.num_tiles(x, 1, (m, k))):
        tile = ct.load(x, (i, at), (m, k), padding_mode=ZERO)
        gate = ct.mma(tile, ct.load(w, (at, j), (k, n), padding_mode=ZERO), gate)
        up = ct.mma(tile, ct.load(v, (at, j), (k, n), padding_mode=ZERO), up)
    ct.store(y, (i, j), ct.astype(gate / (1.0 + ct.exp(-gate)) * up, y.dtype))


@ct.kernel
def tf32(a: Any, b: Any, c: Any, m: Any, n: Any, k: Any) -> None:
    i, j = ct.bid(0), ct.bid(1)
    acc = ct.zeros((m, n), dtype=ct.float32)
    for at in range(ct.num_tiles(a, axis=1, shape=(m, k))):
        x = ct.load(a, (i, at), (m, k), padding_mode=ZERO).astype(ct.tfloat32)
        y = ct.load(b, (j, at), (n, k), padding_mode=ZERO).astype(ct.tfloat32)
        acc = ct.mma(x, ct.transpose(y), acc)
    ct.store(c, (i, j), acc)


@ct.kernel
def integers(a: Any, b: Any, scale: Any, c: Any, m: Any, n: Any, k: Any) -> None:
    i, j = ct.bid(0), ct.bid(1)
    acc = ct.zeros((m, n), dtype=ct.int32)
    for at in range(ct.num_tiles(a, axis=1, shape=(m, k))):
        x = ct.load(a, (i, at), (m, k), padding_mode=ZERO)
        acc = ct.mma(x, ct.load(b, (at, j), (k, n), padding_mode=ZERO), acc)
    scaled = ct.astype(acc, ct.float32) * ct.load(scale, (j,), (n,))
    ct.store(c, (i, j), ct.maximum(scaled, 0.0))


@ct.kernel
def dequantized(a: Any, b: Any, scale: Any, c: Any, m: Any, n: Any, k: Any) -> None:
    """A product by numbers of 8 bits with a factor for each column."""
    i, j = ct.bid(0), ct.bid(1)
    factor = ct.load(scale, (0, j), (1, n))
    acc = ct.zeros((m, n), dtype=ct.float32)
    for at in range(ct.num_tiles(a, axis=1, shape=(m, k))):
        y = ct.load(b, (at, j), (k, n), padding_mode=ZERO).astype(ct.bfloat16)
        acc = ct.mma(ct.load(a, (i, at), (m, k), padding_mode=ZERO), y * factor, acc)
    ct.store(c, (i, j), ct.astype(acc, c.dtype))


@ct.kernel
def softmax(x: Any, y: Any, n: Any) -> None:
    i = ct.bid(0)
    row = ct.load(x, (i, 0), (1, n), padding_mode=NEG_INF).astype(ct.float32)
    power = ct.exp(row - ct.max(row, axis=1, keepdims=True))
    ct.store(y, (i, 0), ct.astype(power / ct.sum(power, axis=1, keepdims=True), y.dtype))


@ct.kernel
def layer_norm(x: Any, weight: Any, y: Any, mean: Any, m: Any, n: Any) -> None:
    """Rows in several tiles; the kernel has two results."""
    i = ct.bid(0)
    total, squares = ct.zeros((m, 1), ct.float32), ct.zeros((m, n), ct.float32)
    for j in range(ct.num_tiles(x, 1, (m, n))):
        tile = ct.load(x, (i, j), (m, n), padding_mode=ZERO).astype(ct.float32)
        total += ct.sum(tile, axis=1, keepdims=True)
        squares += tile * tile
    average = total / x.shape[1]
    variance = ct.sum(squares, axis=1, keepdims=True) / x.shape[1] - average * average
    ct.store(mean, (i, 0), average)
    for j in range(ct.num_tiles(x, 1, (m, n))):
        tile = ct.load(x, (i, j), (m, n), padding_mode=ZERO).astype(ct.float32)
        scaled = (tile - average) * ct.rsqrt(variance + 1e-5)
        scaled *= ct.load(weight, (0, j), (1, n)).astype(ct.float32)
        ct.store(y, (i, j), scaled.astype(y.dtype))


@ct.kernel
def add_in_place(x: Any, y: Any, n: Any) -> None:
    i = ct.bid(0)
    a, b = ct.load(x, (i,), (n,)), ct.load(y, (i,), (n,))
    ct.store(y, (i,), ct.where(a > b, a * 2.0, b - a))


@ct.kernel
def block_scales(x: Any, scale: Any, y: Any, n: Any) -> None:
    """A factor for each tile; a loop without iterations adds nothing."""
    i, j = ct.bid(0), ct.bid(1)
    none = ct.zeros((n, n), ct.float32)
    for _ in range(0):
        none += ct.load(x, (i, j), (n, n))
    ct.store(y, (i, j), ct.load(x, (i, j), (n, n)) * ct.load(scale, (i, j), (1, 1)) + none)


@ct.kernel
def attention(q: Any, k: Any, v: Any, o: Any, m: Any, n: Any, d: Any) -> None:
    """A head of attention whose keys are one tile."""
    i = ct.bid(0)
    rows = ct.load(q, (i, 0), (m, d))
    scores = ct.mma(rows, ct.transpose(ct.load(k, (0, 0), (n, d))), ct.zeros((m, n), ct.float32))
    scores = scores * 0.125
    power = ct.exp(scores - ct.max(scores, axis=1, keepdims=True))
    parts = (power / ct.sum(power, axis=1, keepdims=True)).astype(ct.bfloat16)
    result = ct.mma(parts, ct.load(v, (0, 0), (n, d)), ct.zeros((m, d), ct.float32))
    ct.store(o, (i, 0), result.astype(o.dtype))


@ct.kernel
def halves(a: Any, b: Any, c: Any, m: Any, n: Any, k: Any) -> None:
    """The sum of two products, each with half of K, in two nested loops."""
    i, j = ct.bid(1), ct.bid(0)
    acc = ct.full((m, n), 1.0, dtype=ct.float32)
    for half in range(2):
        for at in range(2):
            x = ct.load(a, (i, half * 2 + at), (m, k))
            acc = ct.mma(x, ct.load(b, (half * 2 + at, j), (k, n)), acc)
    ct.store(c, (i, j), acc)


def dot(a: Any, b: Any) -> Any:
    return np.matmul(a, b, dtype=np.float64)


def silu(x: Any) -> Any:
    return x / (1 + np.exp(-x))


def exponentials(x: Any) -> Any:
    power = np.exp(x - x.max(axis=-1, keepdims=True))
    return power / power.sum(axis=-1, keepdims=True)


def normal(x: Any, weight: Any) -> Any:
    average = x.mean(axis=1, keepdims=True)
    return average, (x - average) / np.sqrt(x.var(axis=1, keepdims=True) + 1e-5) * weight


A, B, C = ((200, 264), BF16), ((264, 320), BF16), ((200, 320), BF16)
TILE = 128, 64, 64
CASES: Mapping[str, Case] = {
    "matmul": Case(matmul, (2, 5), (A, B, C, *TILE), "dot(a, b)"),
    "matmul_f16": Case(
        matmul,
        (4, 3),
        (((130, 136), F16), ((136, 72), F16), ((130, 72), F32), 64, 32, 32),
        "dot(a, b)",
    ),
    "matmul_e4m3": Case(
        matmul,
        (1, 1),
        (((100, 128), E4M3), ((128, 64), E4M3), ((100, 64), BF16), *TILE),
        "dot(a, b)",
    ),
    "bias_and_silu": Case(
        bias_and_silu,
        (2, 5),
        (A, B, ((320,), F32), C, *TILE),
        "silu(dot(a, b) + bias)",
    ),
    "persistent": Case(persistent, (7,), (A, B, C, 64, 32, 64, 3), "dot(a, b)"),
    "batched": Case(
        batched,
        (1, 2, 3),
        (((3, 72, 136), BF16), ((3, 80, 136), BF16), ((3, 72, 80), BF16), *TILE),
        "dot(a, b.transpose(0, 2, 1))",
    ),
    "swiglu": Case(
        swiglu,
        (1, 2),
        (((100, 136), BF16), ((136, 80), BF16), ((136, 80), BF16), ((100, 80), BF16), *TILE),
        "silu(dot(x, w)) * dot(x, v)",
        kernels=2,
    ),
    "tf32": Case(
        tf32,
        (1, 2),
        (((100, 68), F32), ((80, 68), F32), ((100, 80), F32), 128, 64, 32),
        "dot(a, b.T)",
    ),
    "integers": Case(
        integers,
        (1, 2),
        (((100, 144), np.int8), ((144, 80), np.int8), ((80,), F32), ((100, 80), F32), *TILE),
        "np.maximum(dot(a, b) * scale, 0)",
    ),
    "dequantized": Case(
        dequantized,
        (1, 2),
        (((100, 144), BF16), ((144, 80), np.int8), ((1, 80), BF16), ((100, 80), BF16), *TILE),
        "dot(a, b * scale)",
        kernels=2,
    ),
    "softmax": Case(softmax, (70,), (((70, 100), BF16), ((70, 100), BF16), 128), "exponentials(x)"),
    "layer_norm": Case(
        layer_norm,
        (5,),
        (((70, 100), BF16), ((1, 100), BF16), ((70, 100), BF16), ((70, 1), F32), 16, 32),
        "normal(x, weight)",
        kernels=2,
    ),
    "add_in_place": Case(
        add_in_place,
        (4,),
        (((1000,), F32), ((1000,), F32), 256),
        "np.where(x > y, x * 2, y - x)",
    ),
    "block_scales": Case(
        block_scales,
        (4, 3),
        (((64, 48), F32), ((4, 3), F32), ((64, 48), F32), 16),
        "x * np.kron(scale, np.ones((16, 16)))",
    ),
    "attention": Case(
        attention,
        (2,),
        (((192, 64), BF16), ((128, 64), BF16), ((128, 64), BF16), ((192, 64), BF16), 128, 128, 64),
        "dot(exponentials(dot(q, k.T) / 8), v)",
        kernels=2,
    ),
    "halves": Case(
        halves,
        (2, 1),
        (((64, 128), BF16), ((128, 64), BF16), ((64, 64), F32), 64, 32, 32),
        "dot(a, b) + 1",
    ),
}


# Kernels that are refused.


@ct.kernel
def undetermined(a: Any, b: Any, c: Any, n: Any) -> None:
    acc = ct.zeros((n, n), dtype=ct.float32)
    for at in range(ct.num_tiles(a, axis=1, shape=(n, n))):
        acc = ct.mma(ct.load(a, (0, at), (n, n)), ct.load(b, (at, 0), (n, n)), acc)
    ct.store(c, (0, 0), acc)


@ct.kernel
def sum_of_padding(x: Any, y: Any, n: Any) -> None:
    row = ct.load(x, (ct.bid(0), 0), (1, n), padding_mode=ZERO)
    ct.store(y, (ct.bid(0), 0), ct.sum(ct.exp(row), axis=1, keepdims=True))


@ct.kernel
def triangle(x: Any, y: Any, n: Any) -> None:
    i, total = ct.bid(0), ct.zeros((n, n), ct.float32)
    for j in range(i + 1):
        total += ct.load(x, (i, j), (n, n))
    ct.store(y, (i, 0), total)


@ct.kernel
def running(x: Any, y: Any, n: Any) -> None:
    i, value = ct.bid(0), ct.zeros((n, n), ct.float32)
    for j in range(4):
        value = value * 0.5 + ct.load(x, (i, j), (n, n))
    ct.store(y, (i, 0), value)


@ct.kernel
def doubled(x: Any, y: Any, n: Any) -> None:
    i, value = ct.bid(0), ct.zeros((n, n), ct.float32)
    for j in range(4):
        value = (value + ct.load(x, (i, j), (n, n))) + value
    ct.store(y, (i, 0), value)


@ct.kernel
def same_tile(x: Any, y: Any, n: Any) -> None:
    ct.store(y, (0,), ct.load(x, (ct.bid(0),), (n,)))


@ct.kernel
def copy(x: Any, y: Any, n: Any) -> None:
    i = ct.bid(0)
    ct.store(y, (i,), ct.load(x, (i,), (n,)))


@ct.kernel
def shifted(x: Any, n: Any) -> None:
    i = ct.bid(0)
    ct.store(x, (i,), ct.load(x, (i + 1,), (n,)))


@ct.kernel
def numbered(y: Any, n: Any) -> None:
    ct.store(y, (ct.bid(0),), ct.arange(n, dtype=ct.int32))


@ct.kernel
def of_blocks(y: Any, n: Any) -> None:
    ct.store(y, (ct.bid(0),), ct.full((n,), ct.bid(0), ct.int32))


@ct.kernel
def square(x: Any, y: Any, n: Any) -> None:
    i = ct.bid(0)
    ct.store(y, (i,), ct.load(x, (i * i,), (n,)))


@ct.kernel
def atomic(x: Any, y: Any, n: Any) -> None:
    ct.atomic_add(y, (ct.arange(n, dtype=ct.int32),), ct.load(x, (ct.bid(0),), (n,)))


@ct.kernel
def unknown_name(x: Any, y: Any, n: Any) -> None:
    ct.store(y, (ct.bid(0),), missing)  # noqa: F821 # pyright: ignore


@ct.kernel
def of_f32(a: Any, b: Any, c: Any, n: Any) -> None:
    x, y = ct.load(a, (0, 0), (n, n)), ct.load(b, (0, 0), (n, n))
    ct.store(c, (0, 0), ct.mma(x, y, ct.zeros((n, n), ct.float32)))


class Refused(NamedTuple):
    """A kernel that is refused, its launch, and parts of the line and of the message."""

    kernel: Any
    grid: tuple[int, ...]
    arguments: tuple[Any, ...]
    line: str
    message: str


V, M, WIDE, INTS = ((64,), F32), ((64, 64), F32), ((32, 100), BF16), ((64,), np.int32)
REFUSED = [
    Refused(
        undetermined,
        (1,),
        (WIDE, ((100, 32), BF16), ((32, 32), F32), 32),
        "acc = ct.mma",
        "elements behind the end of an array are factors",
    ),
    Refused(
        sum_of_padding, (32,), (WIDE, ((32, 1), BF16), 128), "ct.sum", "change the result of add"
    ),
    Refused(triangle, (4,), (M, ((64, 16), F32), 16), "for j", "as many iterations"),
    Refused(running, (4,), (M, ((64, 16), F32), 16), "value = value", "may carry only sums"),
    Refused(doubled, (4,), (M, ((64, 16), F32), 16), "value = (value", "carried value once"),
    Refused(same_tile, (4,), (V, ((16,), F32), 16), "ct.store", "several blocks store"),
    Refused(copy, (3,), (V, V, 16), "ct.store", "they store 3 of 4 tiles of y"),
    Refused(copy, (4,), (((60,), F32), V, 16), "ct.load", "x has 60 elements in dimension 0"),
    Refused(shifted, (4,), (V, 16), "ct.load", "other blocks store the tile of x"),
    Refused(numbered, (4,), (INTS, 16), "ct.arange", "no kernel can be made of this operation"),
    Refused(of_blocks, (4,), (INTS, 16), "ct.bid", "must be that of all blocks"),
    Refused(square, (4,), (V, V, 16), "ct.load", "must be a sum of the tile's indices"),
    Refused(atomic, (4,), (V, ((16,), F32), 16), "ct.atomic_add", "no kernel can be made"),
    Refused(unknown_name, (4,), (V, V, 16), "missing", "missing"),
    Refused(of_f32, (1,), (M, M, M, 64), "ct.mma", "do not multiply float32"),
    Refused(copy, (4,), (((64,), np.float64), V, 16), "", "kernels have no arrays of float64"),
]

"""Vectors of elements of 8 and 4 bits: loads, conversions and stores, against numpy."""

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from xdsl.dialects.builtin import (
    IntegerType,
    ModuleOp,
    Signedness,
    bf16,
    f8E4M3FN,
    f8E5M2,
    f32,
    i64,
)
from xdsl.ir import Attribute

from tcgen05_dialect.builder import Kernel, accumulator, tile
from tcgen05_dialect.check import check_source
from tcgen05_dialect.reporting.diagnostics import CompileError
from tcgen05_dialect.simulator import Launch, TensorMap, simulate

ROWS, COLUMNS = 24, 16
KERNEL = """
ptx.kernel @convert(%from : i64, %to : i64, %columns : i32) {
  %rows = arith.constant 24 : i32
  ws.warp_specialize {
    ws.role @convert warps(1) threads(%t) {
      %v = ws.global_load %from[%t, 0] of (%rows, %columns) -> vector<16xIN>
      BODY
      ws.global_store %r to %to[%t, 0] of (%rows, %columns)
    }
  }
  ptx.ret
}
"""
S8, U8 = np.dtype(np.int8), np.dtype(np.uint8)
E4M3, E5M2 = (np.dtype(each) for each in (ml_dtypes.float8_e4m3fn, ml_dtypes.float8_e5m2))
BF16, F16, F32 = (np.dtype(each) for each in (ml_dtypes.bfloat16, np.float16, np.float32))
I32 = np.dtype(np.int32)
CONVERSIONS: list[tuple[str, np.dtype[Any], str, np.dtype[Any]]] = [
    ("si8", S8, "ws.sitofp %v -> vector<16xf32>", F32),
    ("si8", S8, "ws.sitofp %v -> vector<16xbf16>", BF16),
    ("i8", S8, "ws.sitofp %v -> vector<16xf16>", F16),
    ("ui8", U8, "ws.uitofp %v -> vector<16xbf16>", BF16),
    ("i8", U8, "ws.uitofp %v -> vector<16xf16>", F16),
    ("i8", S8, "arith.extsi %v : vector<16xi8> to vector<16xi32>", I32),
    ("i8", U8, "arith.extui %v : vector<16xi8> to vector<16xi32>", I32),
    ("i32", I32, "arith.trunci %v : vector<16xi32> to vector<16xi8>", S8),
    ("f8E4M3FN", E4M3, "arith.extf %v : vector<16xf8E4M3FN> to vector<16xf16>", F16),
    ("f8E4M3FN", E4M3, "arith.extf %v : vector<16xf8E4M3FN> to vector<16xf32>", F32),
    ("f8E5M2", E5M2, "arith.extf %v : vector<16xf8E5M2> to vector<16xbf16>", BF16),
    ("f16", F16, "arith.truncf %v : vector<16xf16> to vector<16xf8E4M3FN>", E4M3),
]


def _numbers(type_: np.dtype[Any], columns: int) -> np.ndarray[Any, Any]:
    rng = np.random.default_rng(2)
    if type_.kind in "iu":
        low = -120 if type_.kind == "i" else 0
        return rng.integers(low, 128 + 120 * (type_ == U8), (ROWS, columns)).astype(type_)
    return rng.integers(-30, 31, (ROWS, columns)).astype(np.float32).astype(type_)


def _bits(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    return array.view(f"u{array.itemsize}")


@pytest.mark.slow
@pytest.mark.parametrize("columns", [13, 16])
@pytest.mark.parametrize("case", CONVERSIONS, ids=lambda case: f"{case[0]}-{case[3]}")
def test_conversions(case: tuple[str, np.dtype[Any], str, np.dtype[Any]], columns: int) -> None:
    """Rows of 13 elements are loaded and stored one by one, rows of 16 in whole chunks."""
    name, source, operation, target = case
    given, made = _numbers(source, columns), np.zeros((ROWS, columns), target)
    text = KERNEL.replace("IN", name).replace("BODY", f"%r = {operation}")
    assert simulate(text, [_bits(given), _bits(made), columns]).findings == ()
    assert (_bits(made) == _bits(given.astype(np.float32).astype(target))).all()


def test_elements_of_4_bits() -> None:
    """A word has eight integers of 4 bits, the first one lowest."""
    given = np.random.default_rng(4).integers(0, 1 << 32, (ROWS, COLUMNS), np.uint32)
    made = np.zeros((ROWS, COLUMNS), np.float32)
    body = """%w = vector.bitcast %v : vector<16xi32> to vector<128xi4>
      %f = ws.sitofp %w -> vector<128xf16>
      %p = vector.bitcast %f : vector<128xf16> to vector<64xf32>
      %s = vector.bitcast %p : vector<64xf32> to vector<128xf16>
      %g = arith.extf %s : vector<128xf16> to vector<128xf32>
      %r = vector.broadcast %x : f32 to vector<16xf32>"""
    picked = "\n".join(f"%e{n} = vector.extract %g[{n}] : f32 from vector<128xf32>" for n in (0, 9))
    body = body.replace("%r =", f"{picked}\n%x = arith.addf %e0, %e9 : f32\n%r =")
    text = KERNEL.replace("IN", "i32").replace("BODY", body)
    assert simulate(text, [given, made, COLUMNS]).findings == ()
    first, tenth = given[:, 0] & 15, given[:, 1] >> 4 & 15
    signed = [np.where(each > 7, each.astype(int) - 16, each) for each in (first, tenth)]
    assert (made == (signed[0] + signed[1])[:, None]).all()


def test_packed_vectors_are_carried() -> None:
    body = """%r = scf.for %i = %c0 to %c1 step %c1 iter_args(%a = %v) -> (vector<16xi8>) : i32 {
        %w = arith.extsi %a : vector<16xi8> to vector<16xi32>
        %d = arith.addi %w, %w : vector<16xi32>
        %n = arith.trunci %d : vector<16xi32> to vector<16xi8>
        scf.yield %n : vector<16xi8>
      }"""
    text = KERNEL.replace("IN", "i8").replace("BODY", body)
    constants = "%c0 = arith.constant 0 : i32\n %c1 = arith.constant 1 : i32\n %rows ="
    given, made = _numbers(S8, COLUMNS), np.zeros((ROWS, COLUMNS), np.int8)
    assert simulate(text.replace("%rows =", constants), [given, made, COLUMNS]).findings == ()
    assert (made == (2 * given).astype(np.int8)).all()


def test_arithmetic_needs_a_conversion() -> None:
    text = KERNEL.replace("IN", "i8").replace("BODY", "%r = arith.addi %v, %v : vector<16xi8>")
    with pytest.raises(CompileError, match="convert elements of 8 or 4 bits"):
        simulate(text, [np.zeros((ROWS, 16), np.int8)] * 2 + [16])


def w8a16(element: Attribute) -> ModuleOp:
    """A product whose B has elements of 8 bits, which threads convert and scale."""
    kernel = Kernel("w8a16")
    a_map = kernel.tensor_map("a_map", 128, 64, element=bf16)
    w_map = kernel.tensor_map("w_map", 128, 64, element=element)
    scales, out = kernel.parameter("scales", i64), kernel.parameter("out", i64)
    m, n = (kernel.parameter(name, at_least=1) for name in "mn")
    k = kernel.parameter("k", at_least=1, multiple_of=16)
    blocks = k.ceildiv(64)
    a_ring, w_ring = kernel.ring("a", 4, a_map.tile), kernel.ring("w", 4, w_map.tile)
    b_ring = kernel.ring("b", 2, tile(128, 64, bf16))
    acc = kernel.ring("acc", 1, accumulator(128, 128))
    with kernel.warp_specialize(tiles=[(m, 128), (n, 128)]) as (i, j):
        with kernel.role("load", warps=1) as load:
            for block in load.range(blocks):
                with load.produce(a_ring, by="tma") as a:
                    a_map.load(a, i, block)
                with load.produce(w_ring, by="tma") as w:
                    w_map.load(w, j, block)
        with kernel.role("convert", warps=4) as convert:
            row = convert.thread
            scale = convert.load(scales, 0, j * 128 + row, 1, shape=(1, n))[0]
            for _ in convert.range(blocks):
                with convert.consume(w_ring, by="threads") as w:
                    weights = w.load(row, 0, 64).to(f32) * scale
                with convert.produce(b_ring, by="threads") as b:
                    b.store(weights.to(bf16), row, 0)
        with kernel.role("mma", warps=1) as mma, mma.produce(acc, by="mma") as d:
            for _ in mma.range(blocks):
                with mma.consume(a_ring, by="mma") as a, mma.consume(b_ring, by="mma") as b:
                    d.mma(a, b)
        with kernel.role("store", warps=4) as store, store.consume(acc, by="threads") as d:
            row = i * 128 + store.thread
            for at in store.range(0, 128, 32):
                store.store(d.load(at, 32), out, row, j * 128 + at, shape=(m, n))
    return kernel.module()


_S8, _U8 = (IntegerType(8, each) for each in (Signedness.SIGNED, Signedness.UNSIGNED))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("element", "type_"), [(_S8, S8), (_U8, U8), (f8E4M3FN, E4M3), (f8E5M2, E5M2)], ids=str
)
def test_weights_of_8_bits(element: Attribute, type_: np.dtype[Any]) -> None:
    m, n, k = 70, 40, 96
    rng = np.random.default_rng(1)
    a = rng.integers(-4, 5, (m, k)).astype(ml_dtypes.bfloat16)
    low = 0 if type_ == U8 else -100
    weights = rng.integers(low, 100, (n, k)).astype(np.float32).astype(type_)
    scales, c = (2.0 ** rng.integers(-3, 3, n)).astype(np.float32), np.zeros((m, n), np.float32)
    maps = [
        TensorMap.of(a, (64, 128), swizzle="swizzle_128b"),
        TensorMap.of(weights.view(np.uint8), (64, 128), swizzle="swizzle_64b"),
    ]
    launch = Launch(grid=(1,), dynamic_shared_memory=196608)
    assert simulate(w8a16(element), [*maps, scales, c, m, n, k], launch).findings == ()
    assert (c == a.astype(np.float32) @ (weights.astype(np.float32) * scales[:, None]).T).all()


@pytest.mark.slow
def test_weights_of_8_bits_are_verified() -> None:
    (remark,) = check_source(w8a16(_S8), verify="quick")
    assert remark.verdict == "verified", remark

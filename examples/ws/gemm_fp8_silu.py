"""
The kernel of gemm_fp8_silu.mlir in Python: a layer of a neural network, with A of e4m3 and B of
packed e3m2. The epilogue adds a bias, applies SiLU and rounds to e4m3.

    python examples/ws/gemm_fp8_silu.py > gemm_fp8_silu.mlir
"""

from xdsl.dialects.builtin import ModuleOp, f6E3M2FN, f8E4M3FN, i64

from tcgen05_dialect.builder import Kernel, Value, accumulator, tile

DEPTH = 128
"""The elements along K of a box of packed e3m2."""


def silu(x: Value) -> Value:
    """The number x / (1 + exp(-x)), which is h + h * tanh(h) with h = x / 2."""
    h = x * 0.5
    return h.fma(h.tanh(), h)


def gemm_fp8_silu(
    stages: int = 4, rows: int = 128, columns: int = 256, width: int = 64
) -> ModuleOp:
    kernel = Kernel("gemm_fp8_silu")
    a_map = kernel.tensor_map("a_map", rows, DEPTH, element=f8E4M3FN)
    b_map = kernel.tensor_map("b_map", columns, DEPTH, element=f6E3M2FN)
    c_map = kernel.tensor_map("c_map", 32, width, element=f8E4M3FN)
    bias = kernel.parameter("bias", i64)
    m, n = (kernel.parameter(name, at_least=1) for name in "mn")
    k = kernel.parameter("k", at_least=1, multiple_of=DEPTH)
    blocks, boxes = k.ceildiv(DEPTH), columns // width
    ab = kernel.ring("ab", stages, a_map.tile, b_map.tile)
    acc = kernel.ring("acc", 1, accumulator(rows, columns))
    out = kernel.ring("out", 2, tile(rows, width, f8E4M3FN))
    with kernel.warp_specialize(tiles=[(m, rows), (n, columns)]) as (i, j):
        with kernel.role("load", warps=1) as load:
            for block in load.range(blocks):
                with load.produce(ab, by="tma") as (a, b):
                    a_map.load(a, i, block)
                    b_map.load(b, j, block)
        with kernel.role("mma", warps=1) as mma, mma.produce(acc, by="mma") as d:
            for _ in mma.range(blocks):
                with mma.consume(ab, by="mma") as (a, b):
                    d.mma(a, b)
        with kernel.role("epilogue", warps=4) as epilogue:
            first_box = j * boxes
            with epilogue.consume(acc, by="threads") as d:
                for box in epilogue.range(boxes):
                    with epilogue.produce(out, by="threads") as s:
                        at, column_box = box * width, first_box + box
                        b = kernel.load(bias, 0, column_box * width, count=width, shape=(1, n))
                        values = silu(d.load(at, width) + b).to(f8E4M3FN)
                        s.store(values, epilogue.thread, 0)
                        c_map.store(s, i, column_box)
    return kernel.module()


if __name__ == "__main__":
    print(gemm_fp8_silu())

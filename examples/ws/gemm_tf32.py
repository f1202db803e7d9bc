"""
The kernel of gemm_tf32.mlir in Python: a matrix product of f32 matrices, which TMA rounds to tf32.

    python examples/ws/gemm_tf32.py > gemm_tf32.mlir
"""

from xdsl.dialects.builtin import ModuleOp, i64, tf32

from tcgen05_dialect.builder import Kernel, accumulator


def gemm_tf32(stages: int = 4, rows: int = 128, columns: int = 256, depth: int = 32) -> ModuleOp:
    kernel = Kernel("gemm_tf32")
    a_map = kernel.tensor_map("a_map", rows, depth, element=tf32)
    b_map = kernel.tensor_map("b_map", columns, depth, element=tf32)
    c = kernel.parameter("c", i64)
    m, n = (kernel.parameter(name, at_least=1) for name in "mn")
    k = kernel.parameter("k", at_least=1, multiple_of=4)
    blocks = k.ceildiv(depth)
    ab = kernel.ring("ab", stages, a_map.tile, b_map.tile)
    acc = kernel.ring("acc", 1, accumulator(rows, columns))
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
            row, first_column = i * rows + epilogue.thread, j * columns
            with epilogue.consume(acc, by="threads") as d:
                for at in epilogue.range(0, columns, 32):
                    kernel.store(d.load(at, 32), c, row, first_column + at, shape=(m, n))
    return kernel.module()


if __name__ == "__main__":
    print(gemm_tf32())

"""
The kernel of gemm_gather.mlir in Python: the rows of A come from a list, as in a mixture of
experts. C = A[list] * B^T, with A: T x K, a list of M row numbers, B: N x K and C: M x N; A, B and
C are bf16 and row-major, and sums are f32.

    python examples/ws/gemm_gather.py > gemm_gather.mlir
"""

from xdsl.dialects.builtin import ModuleOp, bf16, i32, i64

from tcgen05_dialect.builder import Kernel, accumulator, tile


def gemm_gather(stages: int = 4, rows: int = 128, columns: int = 128, depth: int = 64) -> ModuleOp:
    kernel = Kernel("gemm_gather")
    a_map = kernel.tensor_map("a_map", 1, depth, element=bf16)
    b_map = kernel.tensor_map("b_map", columns, depth, element=bf16)
    tokens, c = kernel.parameter("list", i64), kernel.parameter("c", i64)
    m, n = (kernel.parameter(name, at_least=1) for name in "mn")
    k = kernel.parameter("k", at_least=1, multiple_of=8)
    blocks = k.ceildiv(depth)
    ab = kernel.ring("ab", stages, tile(rows, depth, bf16), b_map.tile)
    acc = kernel.ring("acc", 1, accumulator(rows, columns))
    with kernel.warp_specialize(tiles=[(m, rows), (n, columns)]) as (i, j):
        with kernel.role("load", warps=1) as load:
            numbers = load.load(tokens, 0, i * rows, rows, shape=(1, m), element=i32)
            for block in load.range(blocks):
                with load.produce(ab, by="tma") as (a, b):
                    a_map.load(a, block, rows=numbers)
                    b_map.load(b, j, block)
        with kernel.role("mma", warps=1) as mma, mma.produce(acc, by="mma") as d:
            for _ in mma.range(blocks):
                with mma.consume(ab, by="mma") as (a, b):
                    d.mma(a, b)
        with kernel.role("epilogue", warps=4) as epilogue:
            row, first_column = i * rows + epilogue.thread, j * columns
            with epilogue.consume(acc, by="threads") as d:
                for at in epilogue.range(0, columns, 32):
                    kernel.store(d.load(at, 32).to(bf16), c, row, first_column + at, shape=(m, n))
    return kernel.module()


if __name__ == "__main__":
    print(gemm_gather())

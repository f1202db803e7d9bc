"""
The kernel of gemm_tokens.mlir in Python: a matrix product in which stages are held by tokens.

    python examples/ws/gemm_tokens.py > gemm_tokens.mlir
"""

from xdsl.dialects.builtin import ModuleOp, bf16, i64

from tcgen05_dialect.builder import Kernel, accumulator


def gemm_tokens(stages: int = 4, rows: int = 128, columns: int = 256, depth: int = 64) -> ModuleOp:
    kernel = Kernel("gemm_tokens")
    a_map = kernel.tensor_map("a_map", rows, depth, element=bf16)
    b_map = kernel.tensor_map("b_map", columns, depth, element=bf16)
    c = kernel.parameter("c", i64)
    m, n = (kernel.parameter(name, at_least=1) for name in "mn")
    k = kernel.parameter("k", at_least=1, multiple_of=8)
    blocks = k.ceildiv(depth)
    ab = kernel.ring("ab", stages, a_map.tile, b_map.tile)
    acc = kernel.ring("acc", 1, accumulator(rows, columns))
    with kernel.warp_specialize(tiles=[(m, rows), (n, columns)]) as (i, j):
        with kernel.role("load", warps=1) as load:
            for block in load.range(blocks):
                with load.produce(ab, by="tma") as (a, b):
                    a_map.load(a, i, block)
                    b_map.load(b, j, block)
        with kernel.role("mma", warps=1) as mma:
            sums, d = mma.acquire(acc, by="mma")
            first, (a, b) = mma.wait(ab, by="mma")
            d.mma(a, b)
            loop = mma.carry(1, blocks, values=[first])
            with loop as (_, held):
                following, (a, b) = mma.wait(ab, by="mma")
                d.mma(a, b)
                held.end()
                loop.give(following)
            (last,) = loop.results
            last.end()
            sums.end()
        with kernel.role("epilogue", warps=4) as epilogue:
            row, first_column = i * rows + epilogue.thread, j * columns
            sums, d = epilogue.wait(acc, by="threads")
            loop = epilogue.carry(32, columns, 32, values=[first_column, d.load(0, 32)])
            with loop as (at, column, values):
                following = d.load(at, 32)
                kernel.store(values.to(bf16), c, row, column, shape=(m, n))
                loop.give(column + 32, following)
            sums.end()
            column, values = loop.results
            kernel.store(values.to(bf16), c, row, column, shape=(m, n))
    return kernel.module()


if __name__ == "__main__":
    print(gemm_tokens())

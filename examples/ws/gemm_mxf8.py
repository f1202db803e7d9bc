"""
The kernel of gemm_mxf8.mlir in Python: a matrix product with scale factors.

    python examples/ws/gemm_mxf8.py > gemm_mxf8.mlir
"""

from xdsl.dialects.builtin import ModuleOp, bf16, f8E4M3FN, i64

from tcgen05_dialect.builder import Kernel, accumulator, scale_factors


def gemm_mxf8(stages: int = 4, rows: int = 128, columns: int = 256, depth: int = 128) -> ModuleOp:
    kernel = Kernel("gemm_mxf8")
    a_map = kernel.tensor_map("a_map", rows, depth, element=f8E4M3FN)
    b_map = kernel.tensor_map("b_map", columns, depth, element=f8E4M3FN)
    sa, sb = (scale_factors(extent, depth // 32) for extent in (rows, columns))
    sa_map, sb_map = kernel.block_map("sa_map", sa), kernel.block_map("sb_map", sb)
    c = kernel.parameter("c", i64)
    m, n = (kernel.parameter(name, at_least=1) for name in "mn")
    k = kernel.parameter("k", at_least=1, multiple_of=16)
    blocks = k.ceildiv(depth)
    ring = kernel.ring("in", stages, a_map.tile, b_map.tile, sa_map.tile, sb_map.tile)
    acc = kernel.ring("acc", 1, accumulator(rows, columns))
    ta, tb = kernel.alloc("ta", sa), kernel.alloc("tb", sb)
    with kernel.warp_specialize(tiles=[(m, rows), (n, columns)]) as (i, j):
        with kernel.role("load", warps=1) as load:
            for block in load.range(blocks):
                with load.produce(ring, by="tma") as (a, b, fa, fb):
                    a_map.load(a, i, block)
                    b_map.load(b, j, block)
                    sa_map.load(fa, i, block)
                    sb_map.load(fb, j, block)
        with kernel.role("mma", warps=1) as mma, mma.produce(acc, by="mma") as d:
            for _ in mma.range(blocks):
                with mma.consume(ring, by="mma") as (a, b, fa, fb):
                    ta.copy(fa)
                    tb.copy(fb)
                    d.mma(a, b, scale_a=ta, scale_b=tb)
        with kernel.role("epilogue", warps=4) as epilogue:
            row, first_column = i * rows + epilogue.thread, j * columns
            with epilogue.consume(acc, by="threads") as d:
                for at in epilogue.range(0, columns, 32):
                    kernel.store(d.load(at, 32).to(bf16), c, row, first_column + at, shape=(m, n))
    return kernel.module()


if __name__ == "__main__":
    print(gemm_mxf8())

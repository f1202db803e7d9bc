"""
The kernel of gemm_sparse.mlir in Python: a matrix product with a sparse A.

    python examples/ws/gemm_sparse.py > gemm_sparse.mlir
"""

from xdsl.dialects.builtin import ModuleOp, bf16, i64

from tcgen05_dialect.builder import Kernel, accumulator, metadata, tile

DEPTH = 128
"""The elements along K of a block of metadata."""


def gemm_sparse(stages: int = 4, rows: int = 128, columns: int = 128) -> ModuleOp:
    kernel = Kernel("gemm_sparse")
    # Of each four elements of A along K, two are stored, and an index of four bits says which.
    indices = metadata(rows, DEPTH // 4)
    a_map = kernel.tensor_map("a_map", rows, DEPTH // 2, element=bf16)
    b_map = kernel.tensor_map("b_map", columns, 64, element=bf16)
    e_map = kernel.block_map("e_map", indices)
    c = kernel.parameter("c", i64)
    m, n = (kernel.parameter(name, at_least=1) for name in "mn")
    k = kernel.parameter("k", at_least=1, multiple_of=16)
    blocks = k.ceildiv(DEPTH)
    b_tile = tile(columns, DEPTH, bf16, atom_order="mn_first")
    ring = kernel.ring("in", stages, a_map.tile, b_tile, e_map.tile)
    acc = kernel.ring("acc", 1, accumulator(rows, columns))
    te = kernel.alloc("te", indices)
    with kernel.warp_specialize(tiles=[(m, rows), (n, columns)]) as (i, j):
        with kernel.role("load", warps=1) as load:
            for block in load.range(blocks):
                with load.produce(ring, by="tma") as (a, b, e):
                    a_map.load(a, i, block)
                    b_map.load(b, j, block)
                    e_map.load(e, i, block)
        with kernel.role("mma", warps=1) as mma, mma.produce(acc, by="mma") as d:
            for _ in mma.range(blocks):
                with mma.consume(ring, by="mma") as (a, b, e):
                    te.copy(e)
                    d.mma(a, b, metadata=te)
        with kernel.role("epilogue", warps=4) as epilogue:
            row, first_column = i * rows + epilogue.thread, j * columns
            with epilogue.consume(acc, by="threads") as d:
                for at in epilogue.range(0, columns, 32):
                    kernel.store(d.load(at, 32).to(bf16), c, row, first_column + at, shape=(m, n))
    return kernel.module()


if __name__ == "__main__":
    print(gemm_sparse())

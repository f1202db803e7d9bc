"""
The kernel of gemm_sequential.mlir in Python: C = A * B^T, written as one operation after the other.

    python examples/ws/gemm_sequential.py > gemm_sequential.mlir
"""

from xdsl.dialects.builtin import ModuleOp, bf16, i64

from tcgen05_dialect.builder import Kernel, accumulator


def gemm_sequential(rows: int = 128, columns: int = 256, depth: int = 64) -> ModuleOp:
    kernel = Kernel("gemm")
    a_map = kernel.tensor_map("a_map", rows, depth, element=bf16)
    b_map = kernel.tensor_map("b_map", columns, depth, element=bf16)
    c = kernel.parameter("c", i64)
    m, n = (kernel.parameter(name, at_least=1) for name in "mn")
    k = kernel.parameter("k", at_least=1, multiple_of=8)
    blocks = k.ceildiv(depth)
    a, b = kernel.alloc("a", a_map.tile), kernel.alloc("b", b_map.tile)
    d = kernel.alloc("d", accumulator(rows, columns))
    with (
        kernel.warp_specialize(tiles=[(m, rows), (n, columns)]) as (i, j),
        kernel.role("block", warps=4) as role,
    ):
        for block in role.range(blocks):
            a_map.load(a, i, block)
            b_map.load(b, j, block)
            d.mma(a, b, accumulate=block.ne(0))
        row, first_column = i * rows + role.thread, j * columns
        for at in role.range(0, columns, 32):
            kernel.store(d.load(at, 32).to(bf16), c, row, first_column + at, shape=(m, n))
    return kernel.module()


if __name__ == "__main__":
    print(gemm_sequential())

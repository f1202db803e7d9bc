"""
The kernel of gemm_int8.mlir in Python: a product of s8 matrices with a factor for each row.

    python examples/ws/gemm_int8.py > gemm_int8.mlir
"""

from xdsl.dialects.builtin import IntegerType, ModuleOp, Signedness, bf16, f32, i32, i64

from tcgen05_dialect.builder import Kernel, accumulator

S8 = IntegerType(8, Signedness.SIGNED)


def gemm_int8(stages: int = 4, rows: int = 128, columns: int = 256, depth: int = 128) -> ModuleOp:
    kernel = Kernel("gemm_int8")
    a_map = kernel.tensor_map("a_map", rows, depth, element=S8)
    b_map = kernel.tensor_map("b_map", columns, depth, element=S8)
    sa, sb, c = (kernel.parameter(name, i64) for name in ("sa", "sb", "c"))
    m, n = (kernel.parameter(name, at_least=1) for name in "mn")
    k = kernel.parameter("k", at_least=1, multiple_of=16)
    blocks = k.ceildiv(depth)
    ab = kernel.ring("ab", stages, a_map.tile, b_map.tile)
    acc = kernel.ring("acc", 1, accumulator(rows, columns, i32))
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
            of_row = kernel.load(sa, row, 0, count=1, shape=(m, 1))[0].splat(32)
            with epilogue.consume(acc, by="threads") as d:
                for at in epilogue.range(0, columns, 32):
                    column = first_column + at
                    of_columns = kernel.load(sb, 0, column, count=32, shape=(1, n))
                    values = d.load(at, 32).to(f32) * of_row * of_columns
                    kernel.store(values.to(bf16), c, row, column, shape=(m, n))
    return kernel.module()


if __name__ == "__main__":
    print(gemm_int8())

"""
The kernel of gemm_pair.mlir in Python: a persistent matrix product by pairs of CTAs, whose result
TMA stores.

    python examples/ws/gemm_pair.py > gemm_pair.mlir
"""

from xdsl.dialects.builtin import ModuleOp, bf16

from tcgen05_dialect.builder import Kernel, accumulator, half, tile


def gemm_pair(stages: int = 4, rows: int = 128, columns: int = 256, depth: int = 64) -> ModuleOp:
    kernel = Kernel("gemm_pair", cluster=[2])
    a_map = kernel.tensor_map("a_map", rows, depth, element=bf16)
    b_map = kernel.tensor_map("b_map", columns // 2, depth, element=bf16)
    c_map = kernel.tensor_map("c_map", 32, depth, element=bf16)
    m, n = (kernel.parameter(name, at_least=1) for name in "mn")
    k = kernel.parameter("k", at_least=1, multiple_of=8)
    blocks, boxes = k.ceildiv(depth), columns // depth
    ab = kernel.ring("ab", stages, a_map.tile, b_map.tile)
    acc = kernel.ring("acc", 2, accumulator(rows, columns))
    out = kernel.ring("out", 2, tile(rows, depth, bf16))
    tiles = [(m, 2 * rows), (n, columns)]
    with kernel.warp_specialize(tiles, persistent=True, pair=True) as (i, j):
        with kernel.role("load", warps=1) as load:
            for block in load.range(blocks):
                with load.produce(ab, by="tma") as (a, b):
                    a_map.load(a, half(i), block)
                    b_map.load(b, half(j), block)
        with kernel.role("mma", warps=1, leader=True) as mma, mma.produce(acc, by="mma") as d:
            for _ in mma.range(blocks):
                with mma.consume(ab, by="mma") as (a, b):
                    d.mma(a, b)
        with kernel.role("epilogue", warps=4) as epilogue:
            first_box = j * boxes
            with epilogue.consume(acc, by="threads") as d:
                for box in epilogue.range(boxes):
                    with epilogue.produce(out, by="threads") as s:
                        values = d.load(box * depth, depth).to(bf16)
                        s.store(values, epilogue.thread, 0)
                        c_map.store(s, half(i), first_box + box)
    return kernel.module()


if __name__ == "__main__":
    print(gemm_pair())

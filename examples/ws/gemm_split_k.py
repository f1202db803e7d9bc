"""
The kernel of gemm_split_k.mlir in Python: a matrix product with K split among CTAs. TMA adds the
sums of each CTA to C.

    python examples/ws/gemm_split_k.py > gemm_split_k.mlir
"""

from xdsl.dialects.builtin import ModuleOp, bf16, f32

from tcgen05_dialect.builder import Kernel, accumulator


def gemm_split_k(
    stages: int = 4,
    rows: int = 128,
    columns: int = 128,
    depth: int = 64,
    blocks_of_part: int = 16,
    width: int = 32,
) -> ModuleOp:
    kernel = Kernel("gemm_split_k")
    a_map = kernel.tensor_map("a_map", rows, depth, element=bf16)
    b_map = kernel.tensor_map("b_map", columns, depth, element=bf16)
    c_map = kernel.tensor_map("c_map", rows, width, element=f32)
    m, n = (kernel.parameter(name, at_least=1) for name in "mn")
    k = kernel.parameter("k", at_least=1, multiple_of=8)
    all_blocks, boxes = k.ceildiv(depth), columns // width
    ab = kernel.ring("ab", stages, a_map.tile, b_map.tile)
    acc = kernel.ring("acc", 1, accumulator(rows, columns))
    out = kernel.ring("out", 2, c_map.tile)
    tiles = [(m, rows), (n, columns), (k, depth * blocks_of_part)]
    with kernel.warp_specialize(tiles) as (i, j, part):
        first = part * blocks_of_part
        blocks = (all_blocks - first).min(blocks_of_part)
        with kernel.role("load", warps=1) as load:
            for at in load.range(blocks):
                block = first + at
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
                        s.store(d.load(box * width, width), epilogue.thread, 0)
                        c_map.store(s, i, first_box + box, reduction="add")
    return kernel.module()


if __name__ == "__main__":
    print(gemm_split_k())

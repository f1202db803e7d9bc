"""
The kernel of gemm_nvfp4_pair.mlir in Python: a persistent nvfp4 matrix product by pairs of CTAs.

    python examples/ws/gemm_nvfp4_pair.py > gemm_nvfp4_pair.mlir
"""

from xdsl.dialects.builtin import ModuleOp, bf16, f4E2M1FN, f8E4M3FN

from tcgen05_dialect.builder import Kernel, accumulator, half, scale_factors, tile


def gemm_nvfp4_pair(
    stages: int = 4, rows: int = 128, columns: int = 128, depth: int = 256, width: int = 64
) -> ModuleOp:
    kernel = Kernel("gemm_nvfp4_pair", cluster=[2])
    a_map, b_map = (
        kernel.tensor_map(name, extent, depth, element=f4E2M1FN, packing="packed")
        for name, extent in (("a_map", rows), ("b_map", columns // 2))
    )
    # Each CTA has the scale factors of all rows of B.
    sa, sb = (scale_factors(extent, depth // 16, f8E4M3FN) for extent in (rows, columns))
    sa_map, sb_map = kernel.block_map("sa_map", sa), kernel.block_map("sb_map", sb)
    c_map = kernel.tensor_map("c_map", 32, width, element=bf16)
    m = kernel.parameter("m", at_least=1)
    n = kernel.parameter("n", at_least=1, multiple_of=8)
    k = kernel.parameter("k", at_least=1, multiple_of=32)
    blocks, boxes = k.ceildiv(depth), columns // width
    ring = kernel.ring("in", stages, a_map.tile, b_map.tile, sa_map.tile, sb_map.tile)
    acc = kernel.ring("acc", 2, accumulator(rows, columns))
    out = kernel.ring("out", 2, tile(rows, width, bf16))
    ta, tb = kernel.alloc("ta", sa), kernel.alloc("tb", sb)
    tiles = [(m, 2 * rows), (n, columns)]
    with kernel.warp_specialize(tiles, persistent=True, pair=True) as (i, j):
        with kernel.role("load", warps=1) as load:
            for block in load.range(blocks):
                with load.produce(ring, by="tma") as (a, b, fa, fb):
                    a_map.load(a, half(i), block)
                    b_map.load(b, half(j), block)
                    sa_map.load(fa, half(i), block)
                    sb_map.load(fb, j, block)
        with kernel.role("mma", warps=1, leader=True) as mma, mma.produce(acc, by="mma") as d:
            for _ in mma.range(blocks):
                with mma.consume(ring, by="mma") as (a, b, fa, fb):
                    ta.copy(fa)
                    tb.copy(fb)
                    d.mma(a, b, scale_a=ta, scale_b=tb)
        with kernel.role("epilogue", warps=4) as epilogue:
            first_box = j * boxes
            with epilogue.consume(acc, by="threads") as d:
                for box in epilogue.range(boxes):
                    with epilogue.produce(out, by="threads") as s:
                        values = d.load(box * width, width).to(bf16)
                        s.store(values, epilogue.thread, 0)
                        c_map.store(s, half(i), first_box + box)
    return kernel.module(target="sm_100a", ptx_version="8.7")


if __name__ == "__main__":
    print(gemm_nvfp4_pair())

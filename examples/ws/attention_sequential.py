"""
The kernel of attention_sequential.mlir in Python: attention, written as one operation after the
other.

    python examples/ws/attention_sequential.py > attention_sequential.mlir
"""

from xdsl.dialects.builtin import ModuleOp, bf16, f32

from tcgen05_dialect.builder import Kernel, accumulator, matrix_a, tile
from tcgen05_dialect.operations import ptx

BLOCK, WIDTH = 128, 64
LOWEST = -1.0e38


def attention_sequential() -> ModuleOp:
    kernel = Kernel("attention")
    q_map, k_map, v_map, o_map = (
        kernel.tensor_map(f"{name}_map", 1, BLOCK, WIDTH, element=bf16) for name in "qkvo"
    )
    queries, keys, heads = (
        kernel.parameter(name, at_least=1) for name in ("queries", "keys", "heads")
    )
    scale = kernel.parameter("scale", f32)
    blocks = keys.ceildiv(BLOCK)
    q, k = kernel.alloc("q", q_map.tile), kernel.alloc("k", k_map.tile)
    v = kernel.alloc("v", tile(BLOCK, WIDTH, bf16, major="mn_major"))
    s = kernel.alloc("s", accumulator(BLOCK, BLOCK))
    p = kernel.alloc("p", matrix_a(BLOCK, BLOCK, bf16))
    o = kernel.alloc("o", accumulator(BLOCK, WIDTH))
    out = kernel.alloc("out", q_map.tile)
    with (
        kernel.warp_specialize(tiles=[(queries, BLOCK), (heads, 1)]) as (i, head),
        kernel.role("block", warps=4) as role,
    ):
        scales = scale.splat(BLOCK)
        q_map.load(q, head, i, 0)
        loop = role.carry(blocks, values=[LOWEST, 0.0])
        with loop as (j, max_0, sum_0):
            k_map.load(k, head, j, 0)
            v_map.load(v, head, j, 0)
            s.mma(q, k)
            scores = s.load(0, BLOCK)
            seen = keys - j * BLOCK
            with role.if_(seen < BLOCK) as last:
                last.give(scores.keep_first(seen, LOWEST))
            with last.otherwise() as otherwise:
                otherwise.give(scores)
            (x,) = last.results
            max_1 = x.reduce("maxnumf", max_0)
            factor = ((max_0 - max_1) * scale).exp2(approximate=True)
            y = x.fma(scales, -(max_1 * scale)).exp2(approximate=True)
            p.store(y.to(bf16), 0)
            later = j.ne(0)
            with role.if_(later):
                factors = factor.splat(32)
                for at in role.range(0, WIDTH, 32):
                    o.store(o.load(at, 32) * factors, at)
            o.mma(p, v, accumulate=later)
            row_sum = y.reduce("add", reorder=True)
            loop.give(max_1, sum_0 * factor + row_sum)
        _, total = loop.results
        inverse = ptx.RcpOp(total, rounding="approx", flush="ftz", type="f32")
        inverses = role.value(inverse).splat(WIDTH)
        rows = (o.load(0, WIDTH) * inverses).to(bf16)
        out.store(rows, role.thread, 0)
        o_map.store(out, head, i, 0)
    return kernel.module()


if __name__ == "__main__":
    print(attention_sequential())

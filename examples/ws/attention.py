"""
The kernel of attention.mlir in Python: softmax(Q K^T) V for each head of 64 elements, by blocks of
128 queries and 128 keys.

    python examples/ws/attention.py > attention.mlir
"""

from xdsl.dialects.builtin import ModuleOp, bf16, f32

from tcgen05_dialect.builder import Kernel, Role, Tile, accumulator, matrix_a, tile
from tcgen05_dialect.operations import ptx

BLOCK, WIDTH = 128, 64
LOWEST = -1.0e38


def attention() -> ModuleOp:
    kernel = Kernel("attention")
    q_map, k_map, v_map, o_map = (
        kernel.tensor_map(f"{name}_map", 1, BLOCK, WIDTH, element=bf16) for name in "qkvo"
    )
    queries, keys, heads = (
        kernel.parameter(name, at_least=1) for name in ("queries", "keys", "heads")
    )
    scale = kernel.parameter("scale", f32)
    blocks = keys.ceildiv(BLOCK)
    q_ring = kernel.ring("q_ring", 1, q_map.tile)
    k_ring = kernel.ring("k_ring", 2, k_map.tile)
    v_ring = kernel.ring("v_ring", 2, tile(BLOCK, WIDTH, bf16, major="mn_major"))
    s_ring = kernel.ring("s_ring", 2, accumulator(BLOCK, BLOCK))
    p_ring = kernel.ring("p_ring", 1, matrix_a(BLOCK, BLOCK, bf16))
    o_ring = kernel.ring("o_ring", 1, accumulator(BLOCK, WIDTH), in_place=True)
    out_ring = kernel.ring("out_ring", 1, q_map.tile)

    def multiply(role: Role, q: Tile) -> None:
        """The scores of the next block of keys."""
        with role.consume(k_ring, by="mma") as k, role.produce(s_ring, by="mma") as s:
            s.mma(q, k)

    with kernel.warp_specialize(tiles=[(queries, BLOCK), (heads, 1)]) as (i, head):
        with kernel.role("load", warps=1) as role:
            with role.produce(q_ring, by="tma") as q:
                q_map.load(q, head, i, 0)
            for j in role.range(blocks):
                with role.produce(k_ring, by="tma") as k:
                    k_map.load(k, head, j, 0)
                with role.produce(v_ring, by="tma") as v:
                    v_map.load(v, head, j, 0)
        with kernel.role("mma", warps=1) as role, role.consume(q_ring, by="mma") as q:
            multiply(role, q)
            for j in role.range(blocks):
                with role.if_((j + 1).below(blocks)):
                    multiply(role, q)
                later = j.ne(0)
                with (
                    role.consume(p_ring, by="mma") as p,
                    role.consume(v_ring, by="mma") as v,
                    role.produce(o_ring, by="mma") as o,
                ):
                    o.mma(p, v, accumulate=later)
        with kernel.role("softmax", warps=4) as role:
            scales = scale.splat(BLOCK)
            loop = role.carry(blocks, values=[LOWEST, 0.0])
            with loop as (j, max_0, sum_0):
                with role.consume(s_ring, by="threads") as s:
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
                weights = y.to(bf16)
                with role.produce(p_ring, by="threads") as p:
                    p.store(weights, 0)
                with role.if_(j.ne(0)):
                    factors = factor.splat(32)
                    with role.consume(o_ring, by="threads") as o:
                        for at in role.range(0, WIDTH, 32):
                            o.store(o.load(at, 32) * factors, at)
                row_sum = y.reduce("add", reorder=True)
                loop.give(max_1, sum_0 * factor + row_sum)
            _, total = loop.results
            inverse = ptx.RcpOp(total, rounding="approx", flush="ftz", type="f32")
            inverses = role.value(inverse).splat(WIDTH)
            with role.consume(o_ring, by="threads") as o:
                rows = o.load(0, WIDTH)
            result = (rows * inverses).to(bf16)
            with role.produce(out_ring, by="threads") as out:
                out.store(result, role.thread, 0)
                o_map.store(out, head, i, 0)
    return kernel.module()


if __name__ == "__main__":
    print(attention())

"""
The kernel of attention.mlir in Python: softmax(Q K^T) V for each head of 64 elements, by blocks of
128 queries and 128 keys.

    python examples/ws/attention.py > attention.mlir
"""

from xdsl.dialects.builtin import ModuleOp, bf16, f32

from tcgen05_dialect.builder import Kernel, Role, Value, accumulator, tile
from tcgen05_dialect.operations import ptx, tcgen05, ws

BLOCK, WIDTH = 128, 64


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
    p_ring = kernel.ring("p_ring", 1, tcgen05.TensorMemoryType.get(BLOCK, BLOCK, bf16, "a"))
    o_ring = kernel.ring("o_ring", 1, accumulator(BLOCK, WIDTH), in_place=True)
    out_ring = kernel.ring("out_ring", 1, q_map.tile)

    def load(role: Role, i: Value, head: Value) -> None:
        with role.produce(q_ring, by="tma") as q:
            q_map.load(q, head, i, 0)
        for j in role.range(blocks):
            with role.produce(k_ring, by="tma") as k:
                k_map.load(k, head, j, 0)
            with role.produce(v_ring, by="tma") as v:
                v_map.load(v, head, j, 0)

    def multiply(role: Role) -> None:
        with role.consume(q_ring, by="mma") as q:
            with role.consume(k_ring, by="mma") as k, role.produce(s_ring, by="mma") as s:
                s.mma(q, k)
            for j in role.range(blocks):
                with (
                    role.if_((j + 1).below(blocks)),
                    role.consume(k_ring, by="mma") as k,
                    role.produce(s_ring, by="mma") as s,
                ):
                    s.mma(q, k)
                later = j.ne(0)
                with (
                    role.consume(p_ring, by="mma") as p,
                    role.consume(v_ring, by="mma") as v,
                    role.produce(o_ring, by="mma") as o,
                ):
                    o.mma(p, v, accumulate=later)

    def softmax(role: Role, i: Value, head: Value) -> None:
        lowest = role.constant(-1.0e38, f32)
        scales = scale.splat(BLOCK)
        loop = role.carry(blocks, values=[lowest, role.constant(0.0, f32)])
        with loop as (j, max_0, sum_0):
            x = masked(role, j, lowest)
            max_1 = x.reduce("maxnumf", max_0)
            alpha = ((max_0 - max_1) * scale).exp2(approximate=True)
            shifts = (-(max_1 * scale)).splat(BLOCK)
            y = x.fma(scales, shifts).exp2(approximate=True)
            h = y.to(bf16)
            with role.produce(p_ring, by="threads") as p:
                p.store(h, 0)
            with role.if_(j.ne(0)):
                alphas = alpha.splat(32)
                with role.consume(o_ring, by="threads") as o:
                    for at in role.range(0, WIDTH, 32):
                        o.store(o.load(at, 32) * alphas, at)
            row_sum = y.reduce("add", reorder=True)
            loop.give(max_1, sum_0 * alpha + row_sum)
        total = loop.results[1]
        inverse = ptx.RcpOp(total, rounding="approx", flush="ftz", type="f32")
        inverses = role.value(inverse).splat(WIDTH)
        region = role.consume(o_ring, by="threads")
        with region as o:
            region.give(o.load(0, WIDTH))
        h = (region.results[0] * inverses).to(bf16)
        with role.produce(out_ring, by="threads") as out:
            out.store(h, role.thread, 0)
            o_map.store(out, head, i, 0)

    def masked(role: Role, j: Value, lowest: Value) -> Value:
        """The scores of block j; the lowest number in place of keys behind the last one."""
        region = role.consume(s_ring, by="threads")
        with region as s:
            region.give(s.load(0, BLOCK))
        (scores,) = region.results
        seen = keys - j * BLOCK
        branch = role.if_(seen < BLOCK)
        with branch:
            branch.give(role.value(ws.KeepFirstOp(seen, scores, lowest)))
        otherwise = branch.otherwise()
        with otherwise:
            otherwise.give(scores)
        return branch.results[0]

    with kernel.warp_specialize(tiles=[(queries, BLOCK), (heads, 1)]) as (i, head):
        with kernel.role("load", warps=1) as role:
            load(role, i, head)
        with kernel.role("mma", warps=1) as role:
            multiply(role)
        with kernel.role("softmax", warps=4) as role:
            softmax(role, i, head)
    return kernel.module()


if __name__ == "__main__":
    print(attention())

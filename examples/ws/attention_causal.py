"""
The kernel of attention_causal.mlir in Python: causal attention, persistent, with a role that
rescales the accumulator.

    python examples/ws/attention_causal.py > attention_causal.mlir
"""

from xdsl.dialects.builtin import ModuleOp, bf16, f32

from tcgen05_dialect.builder import Kernel, Role, Tile, Value, accumulator, matrix_a, tile
from tcgen05_dialect.operations import ptx

BLOCK, WIDTH = 128, 64
LOWEST = -1.0e38


def attention_causal() -> ModuleOp:
    kernel = Kernel("attention_causal")
    q_map, k_map, v_map, o_map = (
        kernel.tensor_map(f"{name}_map", 1, BLOCK, WIDTH, element=bf16) for name in "qkvo"
    )
    n, heads = (kernel.parameter(name, at_least=1) for name in ("n", "heads"))
    scale = kernel.parameter("scale", f32)
    q_ring = kernel.ring("q_ring", 1, q_map.tile)
    k_ring = kernel.ring("k_ring", 2, k_map.tile)
    v_ring = kernel.ring("v_ring", 2, tile(BLOCK, WIDTH, bf16, major="mn_major"))
    s_ring = kernel.ring("s_ring", 2, accumulator(BLOCK, BLOCK))
    p_ring = kernel.ring("p_ring", 1, matrix_a(BLOCK, BLOCK, bf16))
    factor_ring = kernel.ring("factor_ring", 2, accumulator(BLOCK, 1))
    o_ring = kernel.ring("o_ring", 1, accumulator(BLOCK, WIDTH), in_place=True)
    out_ring = kernel.ring("out_ring", 1, q_map.tile)

    def multiply(role: Role, q: Tile) -> None:
        """The scores of the next block of keys."""
        with role.consume(k_ring, by="mma") as k, role.produce(s_ring, by="mma") as s:
            s.mma(q, k)

    def hand_over(role: Role, factor: Value) -> None:
        """The factor of the row of each thread, for the role that scales the rows."""
        vector = factor.splat(1)
        with role.produce(factor_ring, by="threads") as d:
            d.store(vector, 0)

    with kernel.warp_specialize([(n, BLOCK), (heads, 1)], persistent=True) as (i, head):
        blocks = i + 1
        with kernel.role("load", warps=1, registers=64) as role:
            with role.produce(q_ring, by="tma") as q:
                q_map.load(q, head, i, 0)
            for j in role.range(blocks):
                with role.produce(k_ring, by="tma") as k:
                    k_map.load(k, head, j, 0)
                with role.produce(v_ring, by="tma") as v:
                    v_map.load(v, head, j, 0)
        with (
            kernel.role("mma", warps=1, registers=64) as role,
            role.consume(q_ring, by="mma") as q,
        ):
            multiply(role, q)
            for j in role.range(blocks):
                with role.if_(j.below(i)):
                    multiply(role, q)
                later = j.ne(0)
                with (
                    role.consume(p_ring, by="mma") as p,
                    role.consume(v_ring, by="mma") as v,
                    role.produce(o_ring, by="mma") as o,
                ):
                    o.mma(p, v, accumulate=later)
        with kernel.role("softmax", warps=4, registers=232) as role:
            seen, scales = role.thread + 1, scale.splat(BLOCK)
            loop = role.carry(blocks, values=[LOWEST, 0.0])
            with loop as (j, max_0, sum_0):
                with role.consume(s_ring, by="threads") as s:
                    scores = s.load(0, BLOCK)
                with role.if_(j.eq(i)) as diagonal:
                    diagonal.give(scores.keep_first(seen, LOWEST))
                with diagonal.otherwise() as otherwise:
                    otherwise.give(scores)
                (x,) = diagonal.results
                max_1 = x.reduce("maxnumf", max_0)
                factor = ((max_0 - max_1) * scale).exp2(approximate=True)
                hand_over(role, factor)
                y = x.fma(scales, -(max_1 * scale)).exp2(approximate=True)
                weights = y.to(bf16)
                with role.produce(p_ring, by="threads") as p:
                    p.store(weights, 0)
                loop.give(max_1, sum_0.fma(factor, y.reduce("add", reorder=True)))
            _, total = loop.results
            inverse = ptx.RcpOp(total, rounding="approx", flush="ftz", type="f32")
            hand_over(role, role.value(inverse))
        with kernel.role("correct", warps=4, registers=192) as role:
            for j in role.range(blocks):
                later = j.ne(0)
                with role.consume(factor_ring, by="threads") as d:
                    factor = d.load(0, 1)
                    with role.if_(later):
                        factors = factor.splat(WIDTH)
                        with role.consume(o_ring, by="threads") as o:
                            o.store(o.load(0, WIDTH) * factors, 0)
            with role.consume(factor_ring, by="threads") as d:
                factors = d.load(0, 1).splat(WIDTH)
                with role.consume(o_ring, by="threads") as o:
                    rows = (o.load(0, WIDTH) * factors).to(bf16)
                    with role.produce(out_ring, by="threads") as out:
                        out.store(rows, role.thread, 0)
                        o_map.store(out, head, i, 0)
    return kernel.module()


if __name__ == "__main__":
    print(attention_causal())

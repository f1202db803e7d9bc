"""
Right attention-like kernels: S = Q K^T, P = bf16(S), and O = 2 O + P V for each block of 16 keys.

Warps 0 to 3 turn S into P and scale O, warp 4 copies, and warp 5 multiplies.
"""

from .kernel_text import kernel
from .ring_kernels import INIT_FENCES, ROLES

_HEADER = """// argument q: bf16 128x16, box 16x128 swizzle_32b
// argument k: bf16 {keys}x16, box 16x16 swizzle_32b
// argument v: bf16 8x{keys}, box 16x8 swizzle_32b
// argument out: f32 128x8
// argument blocks: {blocks}
// result out: (bf16(q @ k.T) * 2.0 ** ({blocks} - 1 - np.arange({keys}) // 16)) @ v.T

!q = !tcgen05.smem_descriptor<128x16xbf16, k_major, swizzle_32b>
!k = !tcgen05.smem_descriptor<16x16xbf16, k_major, swizzle_32b>
!v = !tcgen05.smem_descriptor<8x16xbf16, k_major, swizzle_32b>
!all = !tcgen05.tmem<128x64xf32>
!s = !tcgen05.tmem<128x16xf32>
!p = !tcgen05.tmem<128x16xbf16, a>
!o = !tcgen05.tmem<128x8xf32>
!s_rows = !tcgen05.tmem<32x16xf32>
!p_rows = !tcgen05.tmem<32x8xi32>
!o_rows = !tcgen05.tmem<32x8xf32>
"""
_PARAMETERS = {
    "q_map": "!ptx.tensor_map<128x16xbf16, swizzle_32b>",
    "k_map": "!ptx.tensor_map<16x16xbf16, swizzle_32b>",
    "v_map": "!ptx.tensor_map<8x16xbf16, swizzle_32b>",
    "out": "i64",
    "blocks": "i32",
}
_SHARED = {
    "q_tile": 4096,
    "k_tiles": 1024,
    "v_tiles": 512,
    "q_loaded": 8,
    "loaded": 16,
    "free": 16,
    "s_ready": 16,
    "p_ready": 16,
    "o_done": 8,
    "slot": 4,
}
_INIT = "\n".join(
    f"ptx.mbarrier.init [%{name} + {8 * n}], {count}"
    for name, number, count in (
        ("q_loaded", 1, "%c1"),
        ("loaded", 2, "%c1"),
        ("free", 2, "%c1"),
        ("s_ready", 2, "%c1"),
        ("p_ready", 2, "%c128"),
        ("o_done", 1, "%c1"),
    )
    for n in range(number)
)


def _stage(block: str, tag: str = "") -> str:
    """The stage of a block, its parity, barrier objects and places."""
    return f"""
%stage{tag} = arith.andi {block}, %c1 : i32
%round{tag} = ptx.shr u32 {block}, %c1
%parity{tag} = arith.andi %round{tag}, %c1 : i32
%at{tag} = arith.muli %stage{tag}, %c8 : i32
%l{tag} = arith.addi %loaded, %at{tag} : i32
%f{tag} = arith.addi %free, %at{tag} : i32
%sr{tag} = arith.addi %s_ready, %at{tag} : i32
%pr{tag} = arith.addi %p_ready, %at{tag} : i32
%k_tile{tag} = ptx.mad u32 %stage{tag}, %c512, %k_tiles
%v_tile{tag} = ptx.mad u32 %stage{tag}, %c256, %v_tiles
%s_column{tag} = arith.muli %stage{tag}, %c16 : i32
%p_column{tag} = ptx.mad u32 %stage{tag}, %c8, %c32
%s{tag} = tcgen05.slice %all[0, %s_column{tag}] : !all to !s
%p{tag} = tcgen05.slice %all[0, %p_column{tag}] : !all to !p
"""


_O = "%o = tcgen05.slice %all[0, 48] : !all to !o\n"


def _idesc(n: int) -> str:
    return f"{{idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x{n}>}}"


def _scores(tag: str) -> str:
    return f"""
ptx.mbarrier.wait [%l{tag}], %parity{tag}
tcgen05.fence after_thread_sync
%k{tag} = tcgen05.descriptor %k_tile{tag} : !k
tcgen05.mma %s{tag}, %q, %k{tag} accumulate %false {_idesc(16)} : !s, !q, !k
tcgen05.commit %sr{tag}
"""


_VALUES = f"""
ptx.mbarrier.wait [%pr], %parity
tcgen05.fence after_thread_sync
%v = tcgen05.descriptor %v_tile : !v
%is_later = arith.cmpi ne, %i, %c0 : i32
tcgen05.mma %o, %p, %v accumulate %is_later {_idesc(8)} : !o, !p, !v
tcgen05.commit %f
tcgen05.commit %o_done
"""
_PRODUCER = f"""
ptx.mbarrier.arrive.expect_tx [%q_loaded], %c4096
ptx.cp.async.bulk.tensor.load [%q_tile], %q_map, {{%c0, %c0}}, [%q_loaded]
scf.for %i = %c0 to %blocks step %c1 : i32 {{
  {_stage("%i")}
  %parity_before = arith.xori %parity, %c1 : i32
  %row = arith.muli %i, %c16 : i32
  ptx.mbarrier.wait [%f], %parity_before
  ptx.mbarrier.arrive.expect_tx [%l], %c768
  ptx.cp.async.bulk.tensor.load [%k_tile], %k_map, {{%c0, %row}}, [%l]
  ptx.cp.async.bulk.tensor.load [%v_tile], %v_map, {{%row, %c0}}, [%l]
}}
"""
_Q = """
ptx.mbarrier.wait [%q_loaded], %c0
%q = tcgen05.descriptor %q_tile : !q
"""
_IN_TURN = f"""
{_O}{_Q}
scf.for %i = %c0 to %blocks step %c1 : i32 {{
  {_stage("%i")}
  {_scores("")}
  {_VALUES}
}}
"""
# The scores of the next block are computed while the warps work on those of this block.
_AHEAD = f"""
{_O}{_Q}
{_stage("%c0", "_0")}
{_scores("_0")}
scf.for %i = %c0 to %blocks step %c1 : i32 {{
  {_stage("%i")}
  %next = arith.addi %i, %c1 : i32
  %more = arith.cmpi ult, %next, %blocks : i32
  scf.if %more {{
    {_stage("%next", "_1")}
    {_scores("_1")}
  }}
  {_VALUES}
}}
"""
_PACKED = "".join(
    f"%w{n} = ptx.cvt.pack rn bf16x2 f32 %x#{2 * n + 1}, %x#{2 * n}\n" for n in range(8)
)
_SCALED = "".join(f"%y{n} = arith.addf %z#{n}, %z#{n} : f32\n" for n in range(8))
_SOFTMAX = f"""
{_O}
%o_part = tcgen05.slice %o[%first_lane, 0] : !o to !o_rows
scf.for %i = %c0 to %blocks step %c1 : i32 {{
  {_stage("%i")}
  ptx.mbarrier.wait [%sr], %parity
  tcgen05.fence after_thread_sync
  %s_part = tcgen05.slice %all[%first_lane, %s_column] : !all to !s_rows
  %x:16 = tcgen05.ld shape_32x32b x16 %s_part : !s_rows
  tcgen05.wait ld
  {_PACKED}
  %is_later = arith.cmpi ne, %i, %c0 : i32
  scf.if %is_later {{
    %before = arith.subi %i, %c1 : i32
    %o_parity = arith.andi %before, %c1 : i32
    ptx.mbarrier.wait [%o_done], %o_parity
    tcgen05.fence after_thread_sync
    %z:8 = tcgen05.ld shape_32x32b x8 %o_part : !o_rows
    tcgen05.wait ld
    {_SCALED}
    tcgen05.st shape_32x32b x8 %o_part, (%y0, %y1, %y2, %y3, %y4, %y5, %y6, %y7) : !o_rows
  }}
  %p_part = tcgen05.slice %all[%first_lane, %p_column] : !all to !p_rows
  tcgen05.st shape_32x32b x8 %p_part, (%w0, %w1, %w2, %w3, %w4, %w5, %w6, %w7) : !p_rows
  tcgen05.wait st
  tcgen05.fence before_thread_sync
  ptx.mbarrier.arrive [%pr]
}}
%last = arith.subi %blocks, %c1 : i32
%last_parity = arith.andi %last, %c1 : i32
ptx.mbarrier.wait [%o_done], %last_parity
tcgen05.fence after_thread_sync
%u:8 = tcgen05.ld shape_32x32b x8 %o_part : !o_rows
tcgen05.wait ld
%to = ptx.mad.wide u32 %thread, %c32, %out
ptx.st global b32 [%to], {{%u#0, %u#1, %u#2, %u#3}}
ptx.st global b32 [%to + 16], {{%u#4, %u#5, %u#6, %u#7}}
"""


def _attention(name: str, products: str, blocks: int = 5) -> str:
    body = f"""
{ROLES}
scf.if %is_producer {{
{_INIT}
{INIT_FENCES}
}}
scf.if %multiplies {{
  tcgen05.alloc %slot, %c64
}}
tcgen05.fence before_thread_sync
ptx.bar.sync %c0
tcgen05.fence after_thread_sync
%all = tcgen05.load_address %slot : !all
scf.if %is_producer {{
{_PRODUCER}
}}
scf.if %is_consumer {{
{products}
}}
ptx.bar.warp.sync %all_lanes
scf.if %stores {{
{_SOFTMAX}
}}
tcgen05.fence before_thread_sync
ptx.bar.sync %c0
scf.if %multiplies {{
  tcgen05.fence after_thread_sync
  tcgen05.dealloc %all, %c64 : !all
}}
"""
    head = _HEADER.format(keys=16 * blocks, blocks=blocks)
    return kernel(name, body, _PARAMETERS, _SHARED, 192, head)


KERNELS = {
    "attention": _attention("attention", _IN_TURN),
    "attention_ahead": _attention("attention_ahead", _AHEAD),
}

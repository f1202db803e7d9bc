"""Right kernels of two CTAs: pairs, multicast, and sums in distributed shared memory."""

from .kernel_text import kernel
from .ring_kernels import (
    COMMIT,
    IS_LATER,
    PARAMETERS,
    ROLES,
    addresses,
    consumer,
    counted,
    header,
    init,
    producer,
    shared,
)

_BARRIER = "ptx.barrier.cluster.arrive aligned\nptx.barrier.cluster.wait aligned\n"
_TYPES = """
!a = !tcgen05.smem_descriptor<128x16xbf16, k_major, swizzle_32b>
!b = !tcgen05.smem_descriptor<{b_rows}x16xbf16, k_major, swizzle_32b>
!all = !tcgen05.tmem<128x32xf32>
!d = !tcgen05.tmem<128x16xf32>
!rows = !tcgen05.tmem<32x16xf32>
"""
_HEADER = """// argument a: bf16 256x{k}, box 16x128 swizzle_32b
// argument b: bf16 16x{k}, box 16x8 swizzle_32b
// argument out: f32 256x16
// argument blocks: {blocks}
// result out: a @ b.T
"""
_STORE = """
%index = ptx.mad u32 %rank, %c128, %thread
%to = ptx.mad.wide u32 %index, %c64, %out
%part = tcgen05.slice %d[%first_lane, 0] : !d to !rows
%v:16 = tcgen05.ld shape_32x32b x16 %part : !rows
tcgen05.wait ld
ptx.st global b32 [%to], {%v#0, %v#1, %v#2, %v#3}
ptx.st global b32 [%to + 16], {%v#4, %v#5, %v#6, %v#7}
ptx.st global b32 [%to + 32], {%v#8, %v#9, %v#10, %v#11}
ptx.st global b32 [%to + 48], {%v#12, %v#13, %v#14, %v#15}
"""
_IDESC = "idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, {m}x16>"


def _text(name: str, body: str, b_rows: int, blocks: int = 7) -> str:
    head = _HEADER.format(k=16 * blocks, blocks=blocks) + _TYPES.format(b_rows=b_rows)
    parameters = {**PARAMETERS, "b_map": "!ptx.tensor_map<8x16xbf16, swizzle_32b>"}
    variables = {**shared(3), "b_tiles": 3 * 32 * b_rows}
    return kernel(name, body, parameters, variables, 192, head, ctas=2)


_MAPA = "%leaders = ptx.mapa %l, %c0"
_EVEN = "%even = arith.constant -16777224 : i32\n%leaders = ptx.and b32 %l, %even"


def _pair(leaders: str, expects: str) -> str:
    """Both CTAs copy; the leader counts the bytes of both, multiplies and frees the stages."""
    at = """
%at = arith.muli %stage, %c8 : i32
%l = arith.addi %loaded, %at : i32
%f = arith.addi %free, %at : i32
%a_tile = ptx.mad u32 %stage, %c4096, %a_tiles
%b_tile = ptx.mad u32 %stage, %c256, %b_tiles
"""
    load = f"""
ptx.mbarrier.wait [%f], %parity_before
{leaders}
{expects}
%column = arith.muli %i, %c16 : i32
%row = arith.muli %rank, %c128 : i32
%b_row = arith.muli %rank, %c8 : i32
ptx.cp.async.bulk.tensor.load "cta_group::2" [%a_tile], %a_map, {{%column, %row}}, [%leaders]
ptx.cp.async.bulk.tensor.load "cta_group::2" [%b_tile], %b_map, {{%column, %b_row}}, [%leaders]
"""
    multiply = f"""
ptx.mbarrier.wait [%l], %parity
tcgen05.fence after_thread_sync
{IS_LATER}
%a = tcgen05.descriptor %a_tile : !a
%b = tcgen05.descriptor %b_tile : !b
tcgen05.mma %d, %a, %b accumulate %is_later {{cta_group = 2 : i32, {_IDESC.format(m=256)}}}
    : !d, !a, !b
tcgen05.commit %f multicast %h3 {{cta_group = 2 : i32}}
"""
    body = f"""
{ROLES}
%is_leader = arith.cmpi eq, %rank, %c0 : i32
%issues = arith.andi %is_consumer, %is_leader : i1
scf.if %is_producer {{
  {init(3, loaded="COUNT")}
}}
ptx.bar.warp.sync %all_lanes
{_BARRIER}
scf.if %multiplies {{
  tcgen05.alloc %slot, %c32 {{cta_group = 2 : i32}}
  tcgen05.relinquish_alloc_permit {{cta_group = 2 : i32}}
}}
tcgen05.fence before_thread_sync
ptx.bar.sync %c0
tcgen05.fence after_thread_sync
%all = tcgen05.load_address %slot : !all
%d = tcgen05.slice %all[0, 0] : !all to !d
scf.if %is_producer {{
  {counted(3, load)}
}}
scf.if %issues {{
  {counted(3, multiply)}
  tcgen05.commit %multiplied multicast %h3 {{cta_group = 2 : i32}}
}}
ptx.bar.warp.sync %all_lanes
scf.if %stores {{
  ptx.mbarrier.wait [%multiplied], %c0
  tcgen05.fence after_thread_sync
  {_STORE}
}}
tcgen05.fence before_thread_sync
{_BARRIER}
tcgen05.fence after_thread_sync
scf.if %multiplies {{
  tcgen05.dealloc %all, %c32 {{cta_group = 2 : i32}} : !all
}}
"""

    return body.replace(addresses(), at)


_BY_LEADER = "scf.if %is_leader {\n  ptx.mbarrier.arrive.expect_tx [%l], %c8704\n}"
_BY_EACH = """
scf.if %is_leader {
  ptx.mbarrier.arrive.expect_tx [%l], %c8704
} else {
  ptx.mbarrier.arrive.remote [%leaders]
}
"""


def _multicast() -> str:
    """Each CTA multiplies its rows of A; it copies half of B to both."""
    load = """
ptx.mbarrier.wait [%f], %parity_before
ptx.mbarrier.arrive.expect_tx [%l], %c4608
%column = arith.muli %i, %c16 : i32
%row = arith.muli %rank, %c128 : i32
%b_row = arith.muli %rank, %c8 : i32
%b_half = ptx.mad u32 %rank, %c256, %b_tile
ptx.cp.async.bulk.tensor.load [%a_tile], %a_map, {%column, %row}, [%l]
ptx.cp.async.bulk.tensor.load multicast_mask(%h3) [%b_half], %b_map, {%column, %b_row}, [%l]
"""
    multiply = f"""
ptx.mbarrier.wait [%l], %parity
tcgen05.fence after_thread_sync
{IS_LATER}
%a = tcgen05.descriptor %a_tile : !a
%b = tcgen05.descriptor %b_tile : !b
tcgen05.mma %d, %a, %b accumulate %is_later {{{_IDESC.format(m=128)}}} : !d, !a, !b
tcgen05.commit %f multicast %h3
"""
    body = f"""
{ROLES}
scf.if %is_producer {{
  {init(3, free="%c2")}
}}
ptx.bar.warp.sync %all_lanes
scf.if %multiplies {{
  tcgen05.alloc %slot, %c32
  tcgen05.relinquish_alloc_permit
}}
tcgen05.fence before_thread_sync
{_BARRIER}
tcgen05.fence after_thread_sync
%all = tcgen05.load_address %slot : !all
%d = tcgen05.slice %all[0, 0] : !all to !d
scf.if %is_producer {{
  {counted(3, load)}
}}
scf.if %is_consumer {{
  {counted(3, multiply)}
  {COMMIT}
}}
ptx.bar.warp.sync %all_lanes
scf.if %stores {{
  ptx.mbarrier.wait [%multiplied], %c0
  tcgen05.fence after_thread_sync
  {_STORE}
}}
tcgen05.fence before_thread_sync
{_BARRIER}
tcgen05.fence after_thread_sync
scf.if %multiplies {{
  tcgen05.dealloc %all, %c32 : !all
}}
"""
    return body.replace("%stage, %c256, %b_tiles", "%stage, %c512, %b_tiles")


_OF_TWO = {**PARAMETERS, "blocks": "i32 {ptx.at_least = 2}"}
"""The parameters of a kernel in which each of two CTAs needs a block."""


def _split() -> str:
    """Each CTA multiplies every other block; the second sends its sums to the first."""
    send = """
%sum_place = ptx.mad u32 %thread, %c32, %sums
%theirs = ptx.mapa %sum_place, %c0
%their_sent = ptx.mapa %sent, %c0
ptx.st "shared::cluster" b32 [%theirs], {%v#0, %v#1, %v#2, %v#3}
ptx.st "shared::cluster" b32 [%theirs + 16], {%v#4, %v#5, %v#6, %v#7}
ptx.mbarrier.arrive.remote release cluster [%their_sent]
"""
    receive = (
        """
%sum_place = ptx.mad u32 %thread, %c32, %sums
ptx.mbarrier.wait acquire cluster [%sent], %c0
%w:4 = ptx.ld "shared::cta" b32 [%sum_place] -> 4 x f32
%x:4 = ptx.ld "shared::cta" b32 [%sum_place + 16] -> 4 x f32
%to = ptx.mad.wide u32 %thread, %c32, %out
"""
        + "".join(f"%s{n} = arith.addf %v#{n}, %w#{n} : f32\n" for n in range(4))
        + "".join(f"%s{n + 4} = arith.addf %v#{n + 4}, %x#{n} : f32\n" for n in range(4))
        + """
ptx.st global b32 [%to], {%s0, %s1, %s2, %s3}
ptx.st global b32 [%to + 16], {%s4, %s5, %s6, %s7}
"""
    )
    half = "%rest = arith.subi %blocks, %rank : i32\n%more = arith.addi %rest, %c1 : i32\n"
    half += "%mine = ptx.shr u32 %more, %c1\n"
    column = "%block = ptx.mad u32 %i, %c2, %rank\n%column = arith.muli %block, %c16 : i32"
    produced = producer(3).replace("%column = arith.muli %i, %c16 : i32", column)
    return f"""
{ROLES}
{half}
scf.if %is_producer {{
  ptx.mbarrier.init [%sent], %c128
  {init(3)}
}}
ptx.bar.warp.sync %all_lanes
scf.if %multiplies {{
  tcgen05.alloc %slot, %c32
  tcgen05.relinquish_alloc_permit
}}
tcgen05.fence before_thread_sync
{_BARRIER}
tcgen05.fence after_thread_sync
%all = tcgen05.load_address %slot : !all
%d = tcgen05.slice %all[0, 0] : !all to !d
scf.if %is_producer {{
  {produced.replace("%blocks", "%mine")}
}}
scf.if %is_consumer {{
  {consumer(3).replace("%blocks", "%mine")}
}}
ptx.bar.warp.sync %all_lanes
scf.if %stores {{
  ptx.mbarrier.wait [%multiplied], %c0
  tcgen05.fence after_thread_sync
  %part = tcgen05.slice %d[%first_lane, 0] : !d to !rows
  %v:8 = tcgen05.ld shape_32x32b x8 %part : !rows
  tcgen05.wait ld
  %receives = arith.cmpi eq, %rank, %c0 : i32
  scf.if %receives {{
    {receive}
  }} else {{
    {send}
  }}
}}
tcgen05.fence before_thread_sync
{_BARRIER}
tcgen05.fence after_thread_sync
scf.if %multiplies {{
  tcgen05.dealloc %all, %c32 : !all
}}
"""


def _pair_text(name: str, leaders: str, expects: str, count: str) -> str:
    return _text(name, _pair(leaders, expects).replace("COUNT", count), 8)


KERNELS = {
    "pair_mapa": _pair_text("pair_mapa", _MAPA, _BY_LEADER, "%c1"),
    "pair_mask": _pair_text("pair_mask", _EVEN, _BY_LEADER, "%c1"),
    "pair_both_arrive": _pair_text("pair_both_arrive", _MAPA, _BY_EACH, "%c2"),
    "multicast_halves": _text("multicast_halves", _multicast(), 16),
    "split_k": kernel(
        "split_k", _split(), _OF_TWO, {**shared(3), "sums": 4096, "sent": 8}, 192, header(14), 2
    ),
}

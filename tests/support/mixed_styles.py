"""Right kernels of other kinds: flags in global memory, dispatchers, scale factors, ended warps."""

from .kernel_text import kernel
from .ring_kernels import (
    COMMIT,
    EPILOGUE,
    IS_LATER,
    PARAMETERS,
    ROLES,
    addresses,
    consumer,
    counted,
    header,
    init,
    load,
    multiply,
    producer,
    product,
    shared,
    specialised,
)

_PART = """
%part = tcgen05.slice %d[%first_lane, 0] : !d to !rows
%v:8 = tcgen05.ld shape_32x32b x8 %part : !rows
tcgen05.wait ld
"""
_ADDED = "".join(f"%s{n} = arith.addf %v#{n}, %w#{n} : f32\n" for n in range(4)) + "".join(
    f"%s{n + 4} = arith.addf %v#{n + 4}, %x#{n} : f32\n" for n in range(4)
)
_FLAGS_EPILOGUE = f"""
ptx.mbarrier.wait [%multiplied], %c0
tcgen05.fence after_thread_sync
{_PART}
%receives = arith.cmpi eq, %cta, %c0 : i32
%work_place = ptx.mad.wide u32 %thread, %c32, %work
scf.if %receives {{
  scf.if %is_first {{
    scf.while () : () -> () {{
      %is_set = ptx.ld acquire gpu global b32 [%flag] -> i32
      %again = arith.cmpi eq, %is_set, %c0 : i32
      scf.condition(%again)
    }} do {{
      scf.yield
    }}
  }}
  ptx.bar.sync %c1 threads(%c128)
  %w:4 = ptx.ld global b32 [%work_place] -> 4 x f32
  %x:4 = ptx.ld global b32 [%work_place + 16] -> 4 x f32
  {_ADDED}
  %to = ptx.mad.wide u32 %thread, %c32, %out
  ptx.st global b32 [%to], {{%s0, %s1, %s2, %s3}}
  ptx.st global b32 [%to + 16], {{%s4, %s5, %s6, %s7}}
}} else {{
  ptx.st global b32 [%work_place], {{%v#0, %v#1, %v#2, %v#3}}
  ptx.st global b32 [%work_place + 16], {{%v#4, %v#5, %v#6, %v#7}}
  ptx.bar.sync %c1 threads(%c128)
  scf.if %is_first {{
    ptx.fence acq_rel gpu
    ptx.st release gpu global b32 [%flag], {{%c1}}
  }}
}}
"""


def _stream_k() -> str:
    """Two CTAs multiply every other block each; the second hands its sums on through a flag."""
    half = "%rest = arith.subi %blocks, %cta : i32\n%more = arith.addi %rest, %c1 : i32\n"
    half += "%mine = ptx.shr u32 %more, %c1\n"
    column = "%block = ptx.mad u32 %i, %c2, %cta\n%column = arith.muli %block, %c16 : i32"
    copied = producer(3).replace("%column = arith.muli %i, %c16 : i32", column)
    body = specialised(
        3,
        init(3),
        copied.replace("%blocks", "%mine"),
        consumer(3).replace("%blocks", "%mine"),
        _FLAGS_EPILOGUE,
    )
    head = header(14).replace(
        "// argument blocks",
        "// argument work: f32 128x8\n// argument flag: u32 1\n"
        "// result flag: np.array([1])\n// grid 2\n// argument blocks",
    )
    parameters = {**PARAMETERS, "work": "i64", "flag": "i64"}
    parameters["blocks"] = parameters.pop("blocks")
    return kernel("stream_k", half + body, parameters, shared(3), 192, head)


_DISPATCHED = f"""
scf.while () : () -> () {{
  ptx.bar.sync %c1
  %state = ptx.ld "shared::cta" b8 [%state_place] -> i32
  %is_copy = arith.cmpi eq, %state, %c1 : i32
  %is_multiply = arith.cmpi eq, %state, %c2 : i32
  %copies_now = arith.andi %is_copy, %is_producer : i1
  %multiplies_now = arith.andi %is_multiply, %is_consumer : i1
  scf.if %copies_now {{
    {producer(3)}
  }}
  scf.if %multiplies_now {{
    {consumer(3)}
  }}
  ptx.bar.warp.sync %all_lanes
  ptx.bar.sync %c1
  %goes_on = arith.cmpi ne, %state, %c3 : i32
  scf.condition(%goes_on)
}} do {{
  scf.yield
}}
"""


def _dispatcher() -> str:
    """Triton's warps: workers wait for what a byte for each of them tells them to do."""
    tell = """
scf.if %is_first {
  ptx.st "shared::cta" b8 [%states], {%COPY}
  ptx.st "shared::cta" b8 [%states + 1], {%MULTIPLY}
}
ptx.bar.sync %c1
ptx.bar.sync %c1
"""
    begin = tell.replace("%COPY", "%c1").replace("%MULTIPLY", "%c2")
    end = (
        tell.replace("%COPY", "%c3")
        .replace("%MULTIPLY", "%c3")
        .replace("[%states + 1]", "[%states + 1]")
    )
    body = f"""
{ROLES}
scf.if %is_producer {{
{init(3)}
}}
scf.if %multiplies {{
  tcgen05.alloc %slot, %c32
}}
tcgen05.fence before_thread_sync
ptx.bar.sync %c0
tcgen05.fence after_thread_sync
%all = tcgen05.load_address %slot : !all
%d = tcgen05.slice %all[0, 0] : !all to !d
%worker = arith.subi %warp, %c4 : i32
%state_place = arith.addi %states, %worker : i32
scf.if %stores {{
{begin}
{EPILOGUE}
tcgen05.fence before_thread_sync
{end}
}} else {{
{_DISPATCHED}
}}
ptx.bar.sync %c0
tcgen05.fence after_thread_sync
scf.if %multiplies {{
  tcgen05.dealloc %all, %c32 : !all
}}
"""
    return kernel("dispatcher", body, PARAMETERS, {**shared(3), "states": 4}, 192, header(7))


_SCALED_HEADER = """// argument a: e4m3 128x{k}, box 32x128 swizzle_32b
// argument b: e4m3 8x{k}, box 32x8 swizzle_32b
// argument scales_a: ue8m0 32x{scales}, box 16x32 no_swizzle
// argument scales_b: ue8m0 32x{scales}, box 16x32 no_swizzle
// argument out: f32 32x8
// argument blocks: {blocks}
// warning T5-SIM-027
// result out: SUMS

!a = !tcgen05.smem_descriptor<128x32xf8E4M3FN, k_major, swizzle_32b>
!b = !tcgen05.smem_descriptor<8x32xf8E4M3FN, k_major, swizzle_32b>
!source = !tcgen05.smem_descriptor<32x16xui8, k_major, no_swizzle>
!all = !tcgen05.tmem<128x32xf32>
!d = !tcgen05.tmem<128x8xf32>
!scales_a = !tcgen05.tmem<128x4xf8E8M0FNU, scale>
!scales_b = !tcgen05.tmem<8x4xf8E8M0FNU, scale>
!rows = !tcgen05.tmem<32x8xf32>
"""
_SUMS = (
    "(a[:32].reshape(32, {blocks}, 32) * scales_a[:, ::16, None]).reshape(32, {k})"
    " @ (b.reshape(8, {blocks}, 32) * scales_b[:8, ::16, None]).reshape(8, {k}).T"
)
_IDESC = "{idesc = #tcgen05.idesc<mxf8f6f4, e4m3 x e4m3 -> f32, 128x8, scale_type ue8m0>}"
_CP = '{shape = "shape_32x128b", multicast = "warpx4"}'


def _block_scaled(blocks: int = 7) -> str:
    """Scale factors go through the ring, too, and from there to tensor memory."""
    places = """
%sa_tile = ptx.mad u32 %stage, %c512, %sa_tiles
%sb_tile = ptx.mad u32 %stage, %c512, %sb_tiles
"""
    copy = f"""
{places}
ptx.mbarrier.wait [%f], %parity_before
ptx.mbarrier.arrive.expect_tx [%l], %c5376
%column = arith.muli %i, %c32 : i32
%scale = arith.muli %i, %c16 : i32
ptx.cp.async.bulk.tensor.load [%a_tile], %a_map, {{%column, %c0}}, [%l]
ptx.cp.async.bulk.tensor.load [%b_tile], %b_map, {{%column, %c0}}, [%l]
ptx.cp.async.bulk.tensor.load [%sa_tile], %sa_map, {{%scale, %c0}}, [%l]
ptx.cp.async.bulk.tensor.load [%sb_tile], %sb_map, {{%scale, %c0}}, [%l]
"""
    scaled = f"""
{places}
ptx.mbarrier.wait [%l], %parity
tcgen05.fence after_thread_sync
{IS_LATER}
%a = tcgen05.descriptor %a_tile : !a
%b = tcgen05.descriptor %b_tile : !b
%source_a = tcgen05.descriptor %sa_tile : !source
%source_b = tcgen05.descriptor %sb_tile : !source
tcgen05.cp %scales_a, %source_a {_CP} : !scales_a, !source
tcgen05.cp %scales_b, %source_b {_CP} : !scales_b, !source
tcgen05.mma.block_scale %d, %a, %b scales %scales_a, %scales_b accumulate %is_later {_IDESC}
    : !d, !a, !b, !scales_a, !scales_b
tcgen05.commit %f
"""
    slices = """
%scales_a = tcgen05.slice %all[0, 8] : !all to !scales_a
%scales_b = tcgen05.slice %all[0, 12] : !all to !scales_b
"""
    body = specialised(
        3,
        init(3),
        counted(3, copy),
        slices + counted(3, scaled) + COMMIT,
        EPILOGUE,
        ROLES.replace(
            "%stores = arith.cmpi ult, %warp, %c4", "%stores = arith.cmpi eq, %warp, %c0"
        ),
    )
    head = _SCALED_HEADER.replace("SUMS", _SUMS)
    head = head.format(k=32 * blocks, scales=16 * blocks, blocks=blocks)
    parameters = {
        "a_map": "!ptx.tensor_map<128x32xu8, swizzle_32b>",
        "b_map": "!ptx.tensor_map<8x32xu8, swizzle_32b>",
        "sa_map": "!ptx.tensor_map<32x16xu8>",
        "sb_map": "!ptx.tensor_map<32x16xu8>",
        "out": "i64",
        "blocks": "i32",
    }
    variables = {**shared(3), "sa_tiles": 1536, "sb_tiles": 1536}
    return kernel("block_scaled", body, parameters, variables, 192, head)


def _ended_warps() -> str:
    """Warps 4 and 5 end when their work is done; the others free the memory."""
    body = f"""
{ROLES}
%is_warp_0 = arith.cmpi eq, %warp, %c0 : i32
scf.if %is_producer {{
{init(3)}
}}
ptx.bar.warp.sync %all_lanes
scf.if %is_warp_0 {{
  tcgen05.alloc %slot, %c32
}}
tcgen05.fence before_thread_sync
ptx.bar.sync %c0
tcgen05.fence after_thread_sync
%all = tcgen05.load_address %slot : !all
%d = tcgen05.slice %all[0, 0] : !all to !d
ptx.cond_bra %stores, ^store, ^work
^work:
ptx.cond_bra %is_producer, ^copy, ^other
^copy:
ptx.bra ^copy_loop(%c0 : i32)
^copy_loop(%i : i32):
%more = ptx.setp lt u32 %i, %blocks
ptx.cond_bra %more, ^copy_block, ^end
^copy_block:
%stage = ptx.rem u32 %i, %c3
%round = ptx.div u32 %i, %c3
%parity = ptx.and b32 %round, %c1
%parity_before = ptx.xor b32 %parity, %c1
{addresses()}
ptx.bra ^wait_free
^wait_free:
%is_free = ptx.mbarrier.try_wait.parity [%f], %parity_before
ptx.cond_bra %is_free, ^go, ^wait_free
^go:
{load()}
%i_next = ptx.add s32 %i, %c1
ptx.bra ^copy_loop(%i_next : i32)
^other:
ptx.cond_bra %is_consumer, ^product, ^end
^product:
ptx.bra ^product_loop(%c0 : i32)
^product_loop(%j : i32):
%left = ptx.setp lt u32 %j, %blocks
ptx.cond_bra %left, ^product_block, ^commit
^product_block:
%stage_2 = ptx.rem u32 %j, %c3
%round_2 = ptx.div u32 %j, %c3
%parity_2 = ptx.and b32 %round_2, %c1
{addresses("%stage_2", "_2")}
ptx.bra ^wait_loaded
^wait_loaded:
%is_loaded = ptx.mbarrier.try_wait.parity [%l_2], %parity_2
ptx.cond_bra %is_loaded, ^issue, ^wait_loaded
^issue:
%is_later = ptx.setp ne u32 %j, %c0
{multiply(tag="_2")}
%j_next = ptx.add s32 %j, %c1
ptx.bra ^product_loop(%j_next : i32)
^commit:
{COMMIT}
ptx.bra ^end
^end:
ptx.exit
^store:
{EPILOGUE}
tcgen05.fence before_thread_sync
ptx.bar.sync %c1 threads(%c128)
tcgen05.fence after_thread_sync
scf.if %is_warp_0 {{
  tcgen05.dealloc %all, %c32 : !all
}}
"""
    return product("ended_warps", body)


KERNELS = {
    "stream_k": _stream_k(),
    "dispatcher": _dispatcher(),
    "block_scaled": _block_scaled(),
    "ended_warps": _ended_warps(),
}

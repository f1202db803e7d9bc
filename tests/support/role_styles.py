"""Right kernels with other divisions of work: more producers, more epilogue warps, four CTAs."""

from .kernel_text import kernel
from .ring_kernels import (
    COMMIT,
    IS_LATER,
    PARAMETERS,
    ROLES,
    consumer,
    counted,
    header,
    init,
    producer,
    product,
    shared,
    specialised,
)


def _two_producers() -> str:
    """Warp 4 copies A and warp 6 copies B; each expects the bytes of its copy."""
    roles = f"""
{ROLES}
%copies_b = arith.cmpi eq, %warp, %c6 : i32
%is_second = arith.andi %copies_b, %elected : i1
"""

    def copy(bytes_: int, tile: str) -> str:
        return counted(
            3,
            f"""
ptx.mbarrier.wait [%f], %parity_before
ptx.mbarrier.arrive.expect_tx [%l], %c{bytes_}
%column = arith.muli %i, %c16 : i32
ptx.cp.async.bulk.tensor.load [%{tile}_tile], %{tile}_map, {{%column, %c0}}, [%l]
""",
        )

    second = f"}}\nscf.if %is_second {{\n{copy(256, 'b')}"
    body = specialised(3, init(3, loaded="%c2"), copy(4096, "a") + second, consumer(3), roles=roles)
    return kernel("two_producers", body, PARAMETERS, shared(3), 224, header(8))


def _two_epilogues() -> str:
    """Two warpgroups store four columns each; warps 8 and 9 copy and multiply."""
    roles = ROLES.replace("%warp, %c4", "%warp, %c8").replace("%warp, %c5", "%warp, %c9")
    epilogue = """
ptx.mbarrier.wait [%multiplied], %c0
tcgen05.fence after_thread_sync
%group = ptx.shr u32 %warp, %c2
%first_column = arith.muli %group, %c4 : i32
%row = arith.andi %thread, %c127 : i32
%index = ptx.mad u32 %row, %c8, %first_column
%to = ptx.mad.wide u32 %index, %c4, %out
%part = tcgen05.slice %d[%first_lane, %first_column] : !d to !half
%v:4 = tcgen05.ld shape_32x32b x4 %part : !half
tcgen05.wait ld
ptx.st global b32 [%to], {%v#0, %v#1, %v#2, %v#3}
"""
    body = specialised(3, init(3), producer(3), consumer(3), epilogue, roles)
    head = header(8) + "!half = !tcgen05.tmem<32x4xf32>\n"
    return kernel("two_epilogues", body, PARAMETERS, shared(3), 320, head)


def _registers() -> str:
    """Warpgroups give registers to each other; the second has two warps that do nothing."""
    body = specialised(3, init(3), producer(3), consumer(3))
    first, second, third = body.split("scf.if %is_producer {")
    changed = """
scf.if %stores {
  ptx.setmaxnreg inc 160
} else {
  ptx.setmaxnreg dec 80
}
scf.if %is_producer {"""
    text = f"{first}scf.if %is_producer {{{second}{changed}{third}"
    return kernel("registers", text, PARAMETERS, shared(3), 256, header(8))


def _seven_stages() -> str:
    return product("seven_stages", specialised(7, init(7), producer(7), consumer(7)), 7, 16)


def _no_tile() -> str:
    """CTAs beyond the tiles end at once."""
    body = specialised(3, init(3), producer(3), consumer(3))
    early = """
%is_outside = arith.cmpi uge, %cta, %c1 : i32
ptx.cond_bra %is_outside, ^end, ^work
^end:
ptx.ret
^work:
"""
    head = header(8).replace("// argument blocks", "// grid 3\n// argument blocks")
    return kernel("no_tile", early + body, PARAMETERS, shared(3), 192, head)


def _four_ctas() -> str:
    """
    A cluster of 2 x 2 CTAs: CTAs of a row share the rows of A, CTAs of a column the rows of B. Each
    copies half of what it shares.
    """
    setup = """
%x = arith.andi %rank, %c1 : i32
%y = ptx.shr u32 %rank, %c1
%row_mask = ptx.shl b32 %c3, %first_of_row
%column_mask = ptx.shl b32 %c5, %x
%a_mask = ptx.cvt u16 u32 %row_mask
%b_mask = ptx.cvt u16 u32 %column_mask
%both = ptx.or b32 %row_mask, %column_mask
%free_mask = ptx.cvt u16 u32 %both
""".replace("%row_mask =", "%first_of_row = arith.muli %y, %c2 : i32\n%row_mask =", 1)
    copy = """
ptx.mbarrier.wait [%f], %parity_before
ptx.mbarrier.arrive.expect_tx [%l], %c4608
%column = arith.muli %i, %c16 : i32
%a_part = ptx.mad u32 %x, %c64, %c0
%a_row = ptx.mad u32 %y, %c128, %a_part
%a_half = ptx.mad u32 %x, %c2048, %a_tile
%b_part = ptx.mad u32 %y, %c8, %c0
%b_row = ptx.mad u32 %x, %c16, %b_part
%b_half = ptx.mad u32 %y, %c256, %b_tile
ptx.cp.async.bulk.tensor.load multicast_mask(%a_mask) [%a_half], %a_map, {%column, %a_row}, [%l]
ptx.cp.async.bulk.tensor.load multicast_mask(%b_mask) [%b_half], %b_map, {%column, %b_row}, [%l]
"""
    multiply = f"""
ptx.mbarrier.wait [%l], %parity
tcgen05.fence after_thread_sync
{IS_LATER}
%a = tcgen05.descriptor %a_tile : !a
%b = tcgen05.descriptor %b_tile : !b
tcgen05.mma %d, %a, %b accumulate %is_later
    {{idesc = #tcgen05.idesc<f16, bf16 x bf16 -> f32, 128x16>}} : !d, !a, !b
tcgen05.commit %f multicast %free_mask
"""
    barrier = "ptx.barrier.cluster.arrive aligned\nptx.barrier.cluster.wait aligned\n"
    epilogue = """
ptx.mbarrier.wait [%multiplied], %c0
tcgen05.fence after_thread_sync
%row = ptx.mad u32 %y, %c128, %thread
%index = ptx.mad u32 %row, %c2, %x
%to = ptx.mad.wide u32 %index, %c64, %out
%part = tcgen05.slice %d[%first_lane, 0] : !d to !rows
%v:16 = tcgen05.ld shape_32x32b x16 %part : !rows
tcgen05.wait ld
ptx.st global b32 [%to], {%v#0, %v#1, %v#2, %v#3}
ptx.st global b32 [%to + 16], {%v#4, %v#5, %v#6, %v#7}
ptx.st global b32 [%to + 32], {%v#8, %v#9, %v#10, %v#11}
ptx.st global b32 [%to + 48], {%v#12, %v#13, %v#14, %v#15}
"""
    body = specialised(
        3,
        init(3, free="%c3"),
        counted(3, copy),
        counted(3, multiply) + COMMIT,
        epilogue,
        ROLES + setup,
    )
    body = body.replace("%stage, %c256, %b_tiles", "%stage, %c512, %b_tiles")
    body = body.replace("ptx.bar.sync %c0\n", f"ptx.bar.warp.sync %all_lanes\n{barrier}")
    head = """// argument a: bf16 256x112, box 16x64 swizzle_32b
// argument b: bf16 32x112, box 16x8 swizzle_32b
// argument out: f32 256x32
// argument blocks: 7
// result out: a @ b.T

!a = !tcgen05.smem_descriptor<128x16xbf16, k_major, swizzle_32b>
!b = !tcgen05.smem_descriptor<16x16xbf16, k_major, swizzle_32b>
!all = !tcgen05.tmem<128x32xf32>
!d = !tcgen05.tmem<128x16xf32>
!rows = !tcgen05.tmem<32x16xf32>
"""
    parameters = {**PARAMETERS, "a_map": "!ptx.tensor_map<64x16xbf16, swizzle_32b>"}
    return kernel("four_ctas", body, parameters, {**shared(3), "b_tiles": 1536}, 192, head, 4)


KERNELS = {
    "two_producers": _two_producers(),
    "two_epilogues": _two_epilogues(),
    "registers": _registers(),
    "seven_stages": _seven_stages(),
    "no_tile": _no_tile(),
    "four_ctas": _four_ctas(),
}

"""Right kernels of other kinds than a ring, as different compilers and programmers write them."""

from .kernel_text import kernel
from .ring_kernels import (
    COMMIT,
    EPILOGUE,
    IDESC,
    INIT_FENCES,
    IS_LATER,
    PARAMETERS,
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
    store,
)

_ALLOC = """
ptx.bar.warp.sync %all_lanes
scf.if %is_warp_0 {
  tcgen05.alloc %slot, %c32
}
tcgen05.fence before_thread_sync
ptx.bar.sync %c0
tcgen05.fence after_thread_sync
%all = tcgen05.load_address %slot : !all
%d = tcgen05.slice %all[0, 0] : !all to !d
"""
_DEALLOC = """
tcgen05.fence before_thread_sync
ptx.bar.sync %c0
tcgen05.fence after_thread_sync
scf.if %is_warp_0 {
  tcgen05.dealloc %all, %c32 : !all
}
"""
_BAR_SYNC_ONLY = f"""
%is_warp_0 = arith.cmpi eq, %warp, %c0 : i32
scf.if %is_first {{
  ptx.mbarrier.init [%loaded], %c1
  ptx.mbarrier.init [%free], %c1
  {INIT_FENCES}
}}
{_ALLOC}
%to = ptx.mad.wide u32 %thread, %c32, %out
scf.for %i = %c0 to %blocks step %c1 : i32 {{
  %parity = arith.andi %i, %c1 : i32
  {addresses("%c0")}
  scf.if %is_first {{
    {load()}
    ptx.mbarrier.wait [%l], %parity
    {IS_LATER}
    {multiply()}
    ptx.mbarrier.wait [%f], %parity
    tcgen05.fence after_thread_sync
  }}
  ptx.bar.warp.sync %all_lanes
  tcgen05.fence before_thread_sync
  ptx.bar.sync %c0
  tcgen05.fence after_thread_sync
}}
{store()}
{_DEALLOC}
"""
# Every thread waits, so no CTA barrier follows the product.
_ALL_WAIT = f"""
%is_warp_0 = arith.cmpi eq, %warp, %c0 : i32
scf.if %is_first {{
  ptx.mbarrier.init [%loaded], %c1
  ptx.mbarrier.init [%free], %c1
  {INIT_FENCES}
}}
{_ALLOC}
%to = ptx.mad.wide u32 %thread, %c32, %out
scf.for %i = %c0 to %blocks step %c1 : i32 {{
  %parity = arith.andi %i, %c1 : i32
  {addresses("%c0")}
  scf.if %is_first {{
    {load()}
  }}
  ptx.mbarrier.wait [%l], %parity
  scf.if %is_first {{
    {IS_LATER}
    {multiply()}
  }}
  ptx.mbarrier.wait [%f], %parity
  ptx.bar.sync %c0
}}
tcgen05.fence after_thread_sync
{store()}
{_DEALLOC}
"""

# A thread copies its row of A: two vectors of 16 bytes, swizzled by 32 bytes.
_WRITTEN_A = """
%row_bytes = ptx.mad u32 %blocks, %c32, %c0
%row_start = ptx.mad.wide u32 %thread, %row_bytes, %a_rows
%column_bytes = ptx.mul.wide u32 %i, %c32
%from = arith.addi %row_start, %column_bytes : i64
%x:4 = ptx.ld global b32 [%from] -> 4 x i32
%y:4 = ptx.ld global b32 [%from + 16] -> 4 x i32
%row_to = ptx.mad u32 %thread, %c32, %a_tile
%quad = ptx.shr u32 %thread, %c2
%odd = arith.andi %quad, %c1 : i32
%swap = arith.muli %odd, %c16 : i32
%low = arith.addi %row_to, %swap : i32
%other = arith.xori %swap, %c16 : i32
%high = arith.addi %row_to, %other : i32
ptx.st "shared::cta" b32 [%low], {%x#0, %x#1, %x#2, %x#3}
ptx.st "shared::cta" b32 [%high], {%y#0, %y#1, %y#2, %y#3}
"""
_A_BY_THREADS = f"""
%is_producer = arith.cmpi ult, %warp, %c4 : i32
%multiplies = arith.cmpi eq, %warp, %c4 : i32
%is_consumer = arith.andi %multiplies, %elected : i1
scf.if %is_consumer {{
  {init(2, loaded="%c129")}
}}
ptx.bar.warp.sync %all_lanes
scf.if %multiplies {{
  tcgen05.alloc %slot, %c32
}}
tcgen05.fence before_thread_sync
ptx.bar.sync %c0
tcgen05.fence after_thread_sync
%all = tcgen05.load_address %slot : !all
%d = tcgen05.slice %all[0, 0] : !all to !d
%to = ptx.mad.wide u32 %thread, %c32, %out
scf.if %is_producer {{
  {
    counted(
        2,
        f'''ptx.mbarrier.wait [%f], %parity_before
scf.if %is_first {{
  ptx.mbarrier.arrive.expect_tx [%l], %c256
  %column = arith.muli %i, %c16 : i32
  ptx.cp.async.bulk.tensor.load [%b_tile], %b_map, {{%column, %c0}}, [%l]
}}
{_WRITTEN_A}
ptx.fence.proxy.async "shared::cta"
ptx.mbarrier.arrive [%l]''',
    )
}
  ptx.bar.warp.sync %all_lanes
  ptx.mbarrier.wait [%multiplied], %c0
  tcgen05.fence after_thread_sync
  {store()}
}} else {{
  scf.if %elected {{
    {consumer(2)}
  }}
}}
tcgen05.fence before_thread_sync
ptx.bar.sync %c0
tcgen05.fence after_thread_sync
scf.if %multiplies {{
  tcgen05.dealloc %all, %c32 : !all
}}
"""


def _a_by_threads() -> str:
    head = header(8).replace(", box 16x128 swizzle_32b", "")
    parameters = {"a_rows": "i64", **{k: v for k, v in PARAMETERS.items() if k != "a_map"}}
    return kernel("a_by_threads", _A_BY_THREADS, parameters, shared(2), 160, head)


_STORE_BY_TMA = """
%to = ptx.mad u32 %thread, %c32, %stage_out
%part = tcgen05.slice %d[%first_lane, 0] : !d to !rows
%v:8 = tcgen05.ld shape_32x32b x8 %part : !rows
tcgen05.wait ld
ptx.st "shared::cta" b32 [%to], {%v#0, %v#1, %v#2, %v#3}
ptx.st "shared::cta" b32 [%to + 16], {%v#4, %v#5, %v#6, %v#7}
ptx.fence.proxy.async "shared::cta"
ptx.bar.sync %c1 threads(%c128)
scf.if %is_first {
  ptx.cp.async.bulk.tensor.store %out_map, {%c0, %c0}, [%stage_out]
  ptx.cp.async.bulk.commit_group
  ptx.cp.async.bulk.wait_group read 0
}
"""


def _named_barriers() -> str:
    epilogue = "ptx.mbarrier.wait [%multiplied], %c0\ntcgen05.fence after_thread_sync\n"
    body = specialised(3, init(3), producer(3), consumer(3), epilogue + _STORE_BY_TMA)
    head = header(8).replace("out: f32 128x8", "out: f32 128x8, box 8x128 no_swizzle")
    parameters = {
        "a_map": PARAMETERS["a_map"],
        "b_map": PARAMETERS["b_map"],
        "out_map": "!ptx.tensor_map<128x8xf32>",
        "blocks": "i32",
    }
    return kernel("named", body, parameters, {**shared(3), "stage_out": 4096}, 192, head)


_TWO_EACH = """
%all_ROLE = tcgen05.load_address %slot_ROLE : !all
%d_ROLE = tcgen05.slice %all_ROLE[0, 0] : !all to !d
"""


def _two_allocations() -> str:
    """Even blocks go to one allocation, odd blocks to the other."""
    body = specialised(
        3,
        init(3),
        producer(3),
        counted(
            3,
            f"""ptx.mbarrier.wait [%l], %parity
%is_later = arith.cmpi uge, %i, %c2 : i32
%half = arith.andi %i, %c1 : i32
%is_odd = arith.cmpi ne, %half, %c0 : i32
tcgen05.fence after_thread_sync
%a = tcgen05.descriptor %a_tile : !a
%b = tcgen05.descriptor %b_tile : !b
scf.if %is_odd {{
  tcgen05.mma %d_2, %a, %b accumulate %is_later {IDESC} : !d, !a, !b
}} else {{
  tcgen05.mma %d, %a, %b accumulate %is_later {IDESC} : !d, !a, !b
}}
tcgen05.commit %f
""",
        )
        + COMMIT,
        EPILOGUE.replace(
            store(),
            """
%part = tcgen05.slice %d[%first_lane, 0] : !d to !rows
%v:8 = tcgen05.ld shape_32x32b x8 %part : !rows
%part_2 = tcgen05.slice %d_2[%first_lane, 0] : !d to !rows
%w:8 = tcgen05.ld shape_32x32b x8 %part_2 : !rows
tcgen05.wait ld
"""
            + "".join(f"%s{n} = arith.addf %v#{n}, %w#{n} : f32\n" for n in range(8))
            + """
ptx.st global b32 [%to], {%s0, %s1, %s2, %s3}
ptx.st global b32 [%to + 16], {%s4, %s5, %s6, %s7}
""",
        ),
    )
    body = body.replace(
        "tcgen05.alloc %slot, %c32",
        "tcgen05.alloc %slot_2, %c64\ntcgen05.alloc %slot, %c32",
    )
    body = body.replace(
        "%d = tcgen05.slice %all[0, 0] : !all to !d",
        "%d = tcgen05.slice %all[0, 0] : !all to !d\n"
        "%all_2 = tcgen05.load_address %slot_2 : !wide\n"
        "%d_2 = tcgen05.slice %all_2[0, 32] : !wide to !d",
    )
    body = body.replace(
        "tcgen05.dealloc %all, %c32 : !all",
        "tcgen05.dealloc %all_2, %c64 : !wide\ntcgen05.dealloc %all, %c32 : !all",
    )
    head = header(8) + "!wide = !tcgen05.tmem<128x64xf32>\n"
    return kernel("two", body, PARAMETERS, {**shared(3), "slot_2": 4}, 192, head)


def _nine_lanes() -> str:
    """Lanes 0 to 8 of warp 4 initialise a barrier object each."""
    setup = f"""
%nine = arith.cmpi ult, %lane, %c9 : i32
%initialises = arith.andi %copies, %nine : i1
scf.if %initialises {{
  %own = ptx.mad u32 %lane, %c8, %barriers
  ptx.mbarrier.init [%own], %c1
  {INIT_FENCES}
}}
"""
    body = specialised(4, "SETUP", producer(4), consumer(4))
    body = body.replace("scf.if %is_producer {\nSETUP\n}", setup, 1)
    names = "%loaded = ptx.address_of @barriers\n%free = ptx.address_of @barriers + 32\n"
    names += "%multiplied = ptx.address_of @barriers + 64\n"
    own = {k: v for k, v in shared(4).items() if k not in ("loaded", "free", "multiplied")}
    return kernel("nine", names + body, PARAMETERS, {**own, "barriers": 72}, 192, header(7))


def _two_loops() -> str:
    """The count of blocks, and with it the parities, goes on from the first loop to the second."""

    def halves(wait: str, body: str) -> str:
        def loop(first: str, end: str) -> str:
            return f"""
scf.for %i = {first} to {end} step %c1 : i32 {{
  %stage = arith.remui %i, %c3 : i32
  %round = arith.divui %i, %c3 : i32
  %parity = arith.andi %round, %c1 : i32
  %parity_before = arith.xori %parity, %c1 : i32
  {addresses()}
  {wait}
  {body}
}}
"""

        return "%half = ptx.shr u32 %blocks, %c1" + loop("%c0", "%half") + loop("%half", "%blocks")

    body = specialised(
        3,
        init(3),
        halves("ptx.mbarrier.wait [%f], %parity_before", load()),
        halves("ptx.mbarrier.wait [%l], %parity", f"{IS_LATER}\n{multiply()}") + COMMIT,
    )
    return product("two_loops", body)


def _flags() -> str:
    """Roles by the warp number that all lanes get from lane 0; elect as 0 or 1 in a register."""
    roles = """
%one_or_zero = arith.extui %elected : i1 to i32
%elected_again = arith.cmpi ne, %one_or_zero, %c0 : i32
%copies = arith.cmpi eq, %warp, %c4 : i32
%multiplies = arith.cmpi eq, %warp, %c5 : i32
%stores = arith.cmpi ult, %warp, %c4 : i32
%is_producer = arith.andi %copies, %elected_again : i1
%is_consumer = arith.andi %multiplies, %elected_again : i1
"""
    return product("flags", specialised(3, init(3), producer(3), consumer(3), roles=roles))


def _no_blocks(blocks: int) -> str:
    """Without blocks, the sums are zero: nothing is multiplied and nothing is loaded."""
    epilogue = f"""
%any = arith.cmpi ne, %blocks, %c0 : i32
%to = ptx.mad.wide u32 %thread, %c32, %out
scf.if %any {{
  ptx.bar.warp.sync %all_lanes
  ptx.mbarrier.wait [%multiplied], %c0
  tcgen05.fence after_thread_sync
  {store()}
}} else {{
  ptx.st global b32 [%to], {{%c0, %c0, %c0, %c0}}
  ptx.st global b32 [%to + 16], {{%c0, %c0, %c0, %c0}}
}}
"""
    body = specialised(3, init(3), producer(3), consumer(3), epilogue)
    text = kernel("no_blocks", body, PARAMETERS, shared(3), 192, header(blocks))
    return text.replace("(a @ b.T)[:128]", "0 * (a @ b.T)") if blocks == 0 else text


def _transitive() -> str:
    """The epilogue does not wait for the product: it waits for warp 4, which has waited."""
    told = "ptx.mbarrier.wait [%multiplied], %c0\nptx.mbarrier.arrive [%told]\n"
    epilogue = EPILOGUE.replace("[%multiplied]", "[%told]")
    setup = init(3).replace(
        "ptx.mbarrier.init [%multiplied], %c1",
        "ptx.mbarrier.init [%multiplied], %c1\nptx.mbarrier.init [%told], %c1",
    )
    told = told.replace(
        "ptx.mbarrier.arrive", "tcgen05.fence before_thread_sync\nptx.mbarrier.arrive"
    )
    told = told.replace(
        "tcgen05.fence before", "tcgen05.fence after_thread_sync\ntcgen05.fence before"
    )
    body = specialised(3, setup, producer(3) + told, consumer(3), epilogue)
    return kernel("transitive", body, PARAMETERS, {**shared(3), "told": 8}, 192, header(7))


KERNELS = {
    "bar_sync_only": product("bar_sync_only", _BAR_SYNC_ONLY, 1, 5, 128),
    "all_wait": product("all_wait", _ALL_WAIT, 1, 5, 128),
    "a_by_threads": _a_by_threads(),
    "named_barriers": _named_barriers(),
    "two_allocations": _two_allocations(),
    "nine_lanes": _nine_lanes(),
    "two_loops": _two_loops(),
    "flags": _flags(),
    "no_blocks": _no_blocks(0),
    "some_blocks": _no_blocks(8),
    "transitive": _transitive(),
}

"""
Right kernels that compute several tiles: `tiles` products of 128x16 of A with 8x16 of B for each of
`blocks` blocks of K, with two accumulators. The grid is one CTA.
"""

from collections.abc import Callable

from .kernel_text import kernel
from .ring_kernels import (
    INIT_FENCES,
    PARAMETERS,
    ROLES,
    addresses,
    load,
    multiply,
    shared,
    store,
)

_TYPES = """
!a = !tcgen05.smem_descriptor<128x16xbf16, k_major, swizzle_32b>
!b = !tcgen05.smem_descriptor<8x16xbf16, k_major, swizzle_32b>
!all = !tcgen05.tmem<128x32xf32>
!d = !tcgen05.tmem<128x8xf32>
!rows = !tcgen05.tmem<32x8xf32>
"""


def _header(tiles: int, blocks: int, warnings: str = "", box: str = "") -> str:
    return f"""// argument a: bf16 {128 * tiles}x{16 * blocks}, box 16x128 swizzle_32b
// argument b: bf16 8x{16 * blocks}, box 16x8 swizzle_32b
// argument out: f32 {128 * tiles}x8{box}
// argument tiles: {tiles}
// argument blocks: {blocks}
// result out: a @ b.T
{warnings}{_TYPES}"""


_PARAMETERS = {
    **{k: v for k, v in PARAMETERS.items() if k != "blocks"},
    "tiles": "i32",
    "blocks": "i32",
}
_SHARED = {**shared(3), "multiplied": 16, "acc_free": 16, "fetched": 8, "taken": 8, "next": 4}


def _init(acc_free: str = "%c128", fetch: str = "") -> str:
    barriers = [
        ("loaded", 3, "%c1"),
        ("free", 3, "%c1"),
        ("multiplied", 2, "%c1"),
        ("acc_free", 2, acc_free),
    ]
    lines = [
        f"ptx.mbarrier.init [%{name} + {8 * n}], {count}"
        for name, stages, count in barriers
        for n in range(stages)
    ]
    return "\n".join([*lines, fetch, INIT_FENCES])


_STAGE = """
%stage = arith.remui %n, %c3 : i32
%round = arith.divui %n, %c3 : i32
%parity = arith.andi %round, %c1 : i32
%parity_before = arith.xori %parity, %c1 : i32
"""
_ACC = """
%half = arith.andi %t, %c1 : i32
%turn = ptx.shr u32 %t, %c1
%acc_parity = arith.andi %turn, %c1 : i32
%acc_before = arith.xori %acc_parity, %c1 : i32
%acc_at = arith.muli %half, %c8 : i32
%full = arith.addi %multiplied, %acc_at : i32
%empty = arith.addi %acc_free, %acc_at : i32
%acc_column = arith.muli %half, %c8 : i32
%acc = tcgen05.slice %all[0, %acc_column] : !all to !d
"""


def _blocks_loop(body: str, first: str = "%n_0") -> str:
    return f"""
%n_1 = scf.for %i = %c0 to %blocks step %c1 iter_args(%n = {first}) -> (i32) : i32 {{
  {_STAGE}
  {addresses()}
  {body}
  %n_2 = arith.addi %n, %c1 : i32
  scf.yield %n_2 : i32
}}
"""


_LOAD = load().replace("%a_map, {%column, %c0}", "%a_map, {%column, %row}")
_COPY = _blocks_loop(f"ptx.mbarrier.wait [%f], %parity_before\n{_LOAD}")
_PRODUCE = f"%row = arith.muli %tile, %c128 : i32\n{_COPY}"
_MULTIPLY = _blocks_loop(
    f"""ptx.mbarrier.wait [%l], %parity
%is_later = arith.cmpi ne, %i, %c0 : i32
{multiply(d="%acc")}"""
)
_CONSUME = f"""
{_ACC}
ptx.mbarrier.wait [%empty], %acc_before
tcgen05.fence after_thread_sync
{_MULTIPLY}
tcgen05.commit %full
"""


def _store(arrive: str) -> str:
    return f"""
{_ACC}
ptx.mbarrier.wait [%full], %acc_parity
tcgen05.fence after_thread_sync
%index = ptx.mad u32 %tile, %c128, %thread
%to = ptx.mad.wide u32 %index, %c32, %out
{arrive}
"""


_WAIT_LD = "tcgen05.wait ld\n"
_ARRIVE = f"{_WAIT_LD}ptx.mbarrier.arrive [%empty]\n"
_FENCED = _store(
    store("%acc").replace(
        _WAIT_LD, f"{_WAIT_LD}tcgen05.fence before_thread_sync\nptx.mbarrier.arrive [%empty]\n"
    )
)
_CUTLASS = _store(store("%acc").replace(_WAIT_LD, _ARRIVE))
_BY_ONE = _store(
    store("%acc").replace(
        _WAIT_LD,
        f"""{_WAIT_LD}tcgen05.fence before_thread_sync
ptx.bar.warp.sync %all_lanes
%is_lane_0 = arith.cmpi eq, %lane, %c0 : i32
scf.if %is_lane_0 {{
  ptx.mbarrier.arrive [%empty]
}}
ptx.bar.warp.sync %all_lanes
""",
    )
)


def _static(body: str, carries: bool) -> str:
    """A loop over the tiles of the CTA."""
    return f"""
%last:2 = scf.for %tile = %cta to %tiles step %ctas
    iter_args(%n_0 = %c0, %t = %c0) -> (i32, i32) : i32 {{
  {body}
  %t_next = arith.addi %t, %c1 : i32
  scf.yield {"%n_1" if carries else "%n_0"}, %t_next : i32, i32
}}
"""


def _breaking(body: str, carries: bool) -> str:
    """A loop without end that is left when there is no tile; the work stands before the test."""
    carried = "(%tile = %cta, %n_0 = %c0, %t = %c0) : (i32, i32, i32) -> (i32, i32, i32)"
    n = "%n_1" if carries else "%n_0"
    return f"""
%any = arith.cmpi ult, %cta, %tiles : i32
scf.if %any {{
%last:3 = scf.while {carried} {{
  {body}
  %tile_next = arith.addi %tile, %ctas : i32
  %t_next = arith.addi %t, %c1 : i32
  %more = arith.cmpi ult, %tile_next, %tiles : i32
  scf.condition(%more) %tile_next, {n}, %t_next : i32, i32, i32
}} do {{
^bb0(%x : i32, %y : i32, %z : i32):
  scf.yield %x, %y, %z : i32, i32, i32
}}
}}
"""


def _fetched(body: str, carries: bool) -> str:
    """Tiles that a fourth role hands out through shared memory, as with clusterlaunchcontrol."""
    n = "%n_1" if carries else "%n_0"
    carried = "(%tile = %cta, %n_0 = %c0, %t = %c0) : (i32, i32, i32) -> (i32, i32, i32)"
    return f"""
%last:3 = scf.while {carried} {{
  %more = arith.cmpi ult, %tile, %tiles : i32
  scf.condition(%more) %tile, %n_0, %t : i32, i32, i32
}} do {{
^bb0(%tile : i32, %n_0 : i32, %t : i32):
  {body}
  %fetch_parity = arith.andi %t, %c1 : i32
  ptx.mbarrier.wait [%fetched], %fetch_parity
  %tile_next = ptx.ld "shared::cta" b32 [%next] -> i32
  ptx.mbarrier.arrive [%taken]
  %t_next = arith.addi %t, %c1 : i32
  scf.yield %tile_next, {n}, %t_next : i32, i32, i32
}}
"""


_FETCH = """
%last:2 = scf.while (%tile = %cta, %t = %c0) : (i32, i32) -> (i32, i32) {
  %more = arith.cmpi ult, %tile, %tiles : i32
  scf.condition(%more) %tile, %t : i32, i32
} do {
^bb0(%tile : i32, %t : i32):
  %fetch_parity = arith.andi %t, %c1 : i32
  %fetch_before = arith.xori %fetch_parity, %c1 : i32
  ptx.mbarrier.wait [%taken], %fetch_before
  %tile_next = arith.addi %tile, %ctas : i32
  ptx.st "shared::cta" b32 [%next], {%tile_next}
  ptx.mbarrier.arrive [%fetched]
  %t_next = arith.addi %t, %c1 : i32
  scf.yield %tile_next, %t_next : i32, i32
}
"""


def _body(
    loop: Callable[[str, bool], str],
    epilogue: str,
    init: str,
    fetch: str = "",
    dealloc: str = "%multiplies",
) -> str:
    return f"""
{ROLES}
scf.if %is_producer {{
{init}
}}
scf.if %multiplies {{
  tcgen05.alloc %slot, %c32
  tcgen05.relinquish_alloc_permit
}}
tcgen05.fence before_thread_sync
ptx.bar.sync %c0
tcgen05.fence after_thread_sync
%all = tcgen05.load_address %slot : !all
scf.if %is_producer {{
{loop(_PRODUCE, True)}
}}
scf.if %is_consumer {{
{loop(_CONSUME, True)}
}}
{fetch}
ptx.bar.warp.sync %all_lanes
scf.if %stores {{
{loop(epilogue, False)}
}}
tcgen05.fence before_thread_sync
ptx.bar.sync %c0
scf.if {dealloc} {{
  tcgen05.fence after_thread_sync
  tcgen05.dealloc %all, %c32 : !all
}}
"""


def _persistent(name: str, body: str, threads: int = 192, warnings: str = "") -> str:
    return kernel(name, body, _PARAMETERS, _SHARED, threads, _header(5, 2, warnings))


_HANDED_OUT = (
    """
%is_fetcher_warp = arith.cmpi eq, %warp, %c6 : i32
%is_fetcher = arith.andi %is_fetcher_warp, %elected : i1
scf.if %is_fetcher {
"""
    + _FETCH
    + "}\n"
)
_FETCH_INIT = "ptx.mbarrier.init [%fetched], %c1\nptx.mbarrier.init [%taken], %c130"

KERNELS = {
    "persistent": _persistent("persistent", _body(_static, _FENCED, _init())),
    "cutlass_epilogue": _persistent(
        "cutlass_epilogue", _body(_static, _CUTLASS, _init()), warnings="// warning T5-SIM-028\n"
    ),
    "one_arrival_per_warp": _persistent(
        "one_arrival_per_warp", _body(_static, _BY_ONE, _init("%c4"))
    ),
    "early_exit": _persistent("early_exit", _body(_breaking, _FENCED, _init())),
    "work_fetched": _persistent(
        "work_fetched", _body(_fetched, _FENCED, _init(fetch=_FETCH_INIT), _HANDED_OUT), 224
    ),
    "dealloc_by_another_warp": _persistent(
        "dealloc_by_another_warp", _body(_static, _FENCED, _init(), dealloc="%copies")
    ),
}

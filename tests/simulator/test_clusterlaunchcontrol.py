"""Tests of clusters that take over the work of clusters that have not started."""

import numpy as np
import pytest

from tcgen05_dialect.isa.targets import MULTIPROCESSORS
from tcgen05_dialect.simulator import SCHEDULES, Launch, Run, simulate

KERNEL = """
ptx.shared_memory @response size 16 alignment 16
ptx.shared_memory @answered size 8 alignment 8

ptx.kernel @kernel(%out : i64) attributes {reqntid = array<i32: 32, 1, 1>} {
  %c0 = ptx.constant 0 : i32
  %c1 = ptx.constant 1 : i32
  %c4 = ptx.constant 4 : i32
  %bytes = ptx.constant 16 : i32
  %all = ptx.constant -1 : i32
  %response = ptx.address_of @response
  %answered = ptx.address_of @answered
  %lane = ptx.special_register laneid
  %is_first = ptx.setp eq u32 %lane, %c0
  %tile = ptx.special_register ctaid.x
  ptx.guard %is_first {
    ptx.mbarrier.init [%answered], %c1
    ptx.fence.mbarrier_init
  }
  ptx.bar.warp.sync %all
  ptx.bra ^loop(%tile, %c0 : i32, i32)
^loop(%now : i32, %parity : i32):
  ptx.guard %is_first {
    ptx.mbarrier.arrive.expect_tx [%answered], %bytes
    ptx.clusterlaunchcontrol.try_cancel [%response], [%answered]
  }
  %to = ptx.mad.wide u32 %now, %c4, %out
  %done = ptx.add s32 %now, %c1
  ptx.guard %is_first {
    ptx.st global b32 [%to], {%done}
  }
  ptx.mbarrier.wait [%answered], %parity
  %opaque = ptx.ld "shared::cta" b128 [%response] -> i128
  %copy:2 = ptx.unpack b128 %opaque -> 2 x i64
  %same = ptx.pack b128 {%copy#0, %copy#1}
  ptx.fence.proxy.async "shared::cta"
  ptx.bar.warp.sync %all
  %more = ptx.clusterlaunchcontrol.is_canceled %same
  %next = ptx.clusterlaunchcontrol.first_cta x %same
  %vector:4 = ptx.clusterlaunchcontrol.first_cta_vector %opaque {sinks = array<i32: 3>} -> 4 x i32
  %agrees = ptx.setp eq u32 %vector#0, %next
  %goes_on = ptx.and pred %more, %agrees
  %other = ptx.xor b32 %parity, %c1
  ptx.cond_bra %goes_on, ^loop(%next, %other : i32, i32), ^end
^end:
  ptx.ret
}
"""
TILES = MULTIPROCESSORS + 20


@pytest.mark.slow
@pytest.mark.parametrize("schedule", SCHEDULES)
def test_each_cluster_is_done_once(schedule: str) -> None:
    out = np.zeros(TILES, np.uint32)
    report = simulate(KERNEL, [out], Launch((TILES,)), Run(schedule))
    assert report.findings == ()
    assert out.tolist() == [tile + 1 for tile in range(TILES)]


def test_response_is_written_through_the_async_proxy() -> None:
    """Without the wait nothing orders the read after the response."""
    text = KERNEL.replace("  ptx.mbarrier.wait [%answered], %parity\n", "")
    report = simulate(text, [np.zeros(4, np.uint32)], Launch((4,)), Run("lazy"))
    assert {finding.rule for finding in report.findings} <= {"T5-SIM-013", "T5-SIM-014"}
    assert report.findings


_USES = {
    "ptx.and pred %more, %agrees": "",
    "ptx.selp b32 %next, %c0, %more\n  %goes_on = ptx.setp ne s32 %chosen, %c0": "",
    "ptx.selp b32 %c1, %next, %more\n  %goes_on = ptx.setp ne s32 %chosen, %c1": "T5-SIM-054",
    "ptx.mul lo s32 %next, %c4\n  %goes_on = ptx.setp ne s32 %chosen, %c0": "T5-SIM-054",
    "ptx.or pred %more, %agrees": "T5-SIM-054",
}


@pytest.mark.parametrize("use", _USES)
def test_coordinates_of_a_failed_request(use: str) -> None:
    """A condition may contain them if is_canceled decides it alone."""
    name = "%goes_on" if "pred" in use else "%chosen"
    text = KERNEL.replace("%goes_on = ptx.and pred %more, %agrees", f"{name} = {use}")
    report = simulate(text, [np.zeros(2, np.uint32)], Launch((1,)), Run("lazy"))
    assert [finding.rule for finding in report.findings] == list(filter(None, [_USES[use]]))


def test_address_of_a_failed_request() -> None:
    store = "  %t2 = ptx.mad.wide u32 %next, %c4, %out\n  ptx.st global b32 [%t2], {%c1}\n"
    text = KERNEL.replace("  %goes_on", f"{store}  %goes_on", 1)
    report = simulate(text, [np.zeros(2, np.uint32)], Launch((1,)), Run("lazy"))
    assert [finding.rule for finding in report.findings] == ["T5-SIM-054"]


@pytest.mark.parametrize("effect", [False, True])
def test_a_branch_that_only_selects_may_use_them(effect: bool) -> None:
    """Compilers branch instead of a selection; the result counts only if is_canceled holds."""
    branch = """
  %odd = ptx.and b32 %next, %c1
  %is_odd = ptx.setp ne s32 %odd, %c0
  ptx.cond_bra %is_odd, ^odd, ^join(%next : i32)
^odd:
  EFFECT
  %twice = ptx.add s32 %next, %c0
  ptx.bra ^join(%twice : i32)
^join(%chosen : i32):
"""
    branch = branch.replace("EFFECT", "ptx.st global b32 [%out], {%c1}" if effect else "")
    text = KERNEL.replace("  %other = ", f"{branch}  %other = ").replace(
        "^loop(%next", "^loop(%chosen"
    )
    report = simulate(text, [np.zeros(2, np.uint32)], Launch((1,)), Run("lazy"))
    assert [finding.rule for finding in report.findings] == ["T5-SIM-054"] * effect

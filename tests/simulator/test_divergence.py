"""Tests of warps whose lanes go different ways and meet again at an instruction."""

import numpy as np
import pytest

from tcgen05_dialect.simulator import Launch, Report, Run, simulate

SCHEDULES = [("lazy", 0), ("eager", 0), *(("random", seed) for seed in range(3))]

KERNEL = """
ptx.shared_memory @slot size 4 alignment 4
ptx.shared_memory @barrier size 8 alignment 8
ptx.kernel @example(%out : i64) attributes {{reqntid = array<i32: 64>}} {{
  %c0 = ptx.constant 0 : i32
  %c1 = ptx.constant 1 : i32
  %c4 = ptx.constant 4 : i32
  %c8 = ptx.constant 8 : i32
  %c16 = ptx.constant 16 : i32
  %c32 = ptx.constant 32 : i32
  %c48 = ptx.constant 48 : i32
  %c64 = ptx.constant 64 : i32
  %c99 = ptx.constant 99 : i32
  %all_lanes = ptx.constant -1 : i32
  %slot = ptx.address_of @slot
  %thread = ptx.special_register tid.x
  %lane = ptx.special_register laneid
  %to = ptx.mad.wide u32 %thread, %c4, %out
  %is_low = arith.cmpi ult, %lane, %c16 : i32
  %is_first_warp = arith.cmpi ult, %thread, %c32 : i32
  %is_first = arith.cmpi eq, %thread, %c0 : i32
  %is_teller = arith.cmpi eq, %thread, %c48 : i32
  %full = ptx.address_of @barrier
  %is_bad = arith.cmpi ugt, %thread, %c99 : i32
{body}
^failed:
  {end}
}}
"""
CHECKED = """
  ptx.cond_bra %is_low, ^low, ^common
^low:
  ptx.cond_bra %is_bad, ^failed, ^common
^common:
"""
ALLOCATES = """
  ptx.cond_bra %is_first_warp, ^first, ^last
^first:
  ptx.tcgen05.alloc cta_group_1 shared_cta [%slot], %c32
  %t = ptx.ld "shared::cta" b32 [%slot] -> i32
  ptx.tcgen05.st shape_32x32b x1 [%t], {%c1}
  ptx.tcgen05.wait st
  ptx.tcgen05.dealloc cta_group_1 %t, %c32
  ptx.bra ^last
^last:
  ptx.st global b32 [%to], {%thread}
  ptx.ret
"""


def run(body: str, end: str, schedule: str = "lazy", seed: int = 0) -> tuple[Report, list[int]]:
    out = np.full(64, 1000, np.uint32)
    text = KERNEL.format(body=body, end=end)
    report = simulate(text, [out], Launch(), Run(schedule, seed, max_steps=10_000))
    return report, out.tolist()


def rules(report: Report) -> list[str]:
    return [finding.rule for finding in report.findings]


@pytest.mark.slow
@pytest.mark.parametrize("end", ["ptx.trap", "ptx.exit", "ptx.ret", "ptx.nanosleep %c0\nptx.trap"])
@pytest.mark.parametrize(
    "meeting",
    [
        "ptx.bar.warp.sync %all_lanes",
        "ptx.bar.sync %c0",
        "ptx.bar.sync %c0 threads(%c64)",
        "ptx.barrier.cluster.arrive aligned ptx.barrier.cluster.wait aligned",
        "%leader, %elected = ptx.elect.sync %all_lanes",
    ],
)
@pytest.mark.parametrize("schedule", SCHEDULES)
def test_lanes_meet_behind_a_branch_to_an_end(
    end: str, meeting: str, schedule: tuple[str, int]
) -> None:
    report, out = run(CHECKED + meeting + ALLOCATES, end, *schedule)
    assert [str(finding) for finding in report.findings] == []
    assert out == list(range(64))


@pytest.mark.parametrize("meeting", ["ptx.bar.sync %c0", "ptx.bar.warp.sync %all_lanes"])
def test_lanes_that_never_meet(meeting: str) -> None:
    """Both sides of a branch synchronise; only bar.warp.sync allows it."""
    body = f"""
      ptx.cond_bra %is_low, ^low, ^high
    ^low:
      {meeting}
      ptx.bra ^last
    ^high:
      {meeting}
      ptx.bra ^last
    ^last:
      ptx.st global b32 [%to], {{%thread}}
      ptx.ret
    """
    for schedule in SCHEDULES:
        report, out = run(body, "ptx.ret", *schedule)
        if meeting == "ptx.bar.sync %c0":
            assert rules(report) == ["T5-SIM-004"]
        else:
            assert rules(report) == [] and out == list(range(64))


def test_lanes_meet_after_waits_for_each_other() -> None:
    """The upper lanes reach the barrier only after another warp, the lower ones at once."""
    body = """
      ptx.guard %is_first { ptx.mbarrier.init [%full], %c1 }
      ptx.bar.sync %c0
      ptx.cond_bra %is_low, ^low, ^high
    ^low:
      ptx.cond_bra %is_bad, ^failed, ^common
    ^high:
      ptx.cond_bra %is_first_warp, ^wait, ^tell
    ^wait:
      ptx.mbarrier.wait [%full], %c0
      ptx.bra ^common
    ^tell:
      ptx.guard %is_teller { ptx.mbarrier.arrive [%full] }
      ptx.bra ^common
    ^common:
      ptx.bar.sync %c0
      ptx.st global b32 [%to], {%thread}
      ptx.ret
    """
    for schedule in SCHEDULES:
        report, out = run(body, "ptx.exit", *schedule)
        assert [str(finding) for finding in report.findings] == []
        assert out == list(range(64))


def test_lanes_that_wait_for_lanes_behind_the_barrier() -> None:
    body = """
      ptx.guard %is_first { ptx.mbarrier.init [%full], %c1 }
      ptx.bar.sync %c0
      ptx.cond_bra %is_low, ^low, ^high
    ^low:
      ptx.bar.sync %c0
      ptx.mbarrier.arrive [%full]
      ptx.ret
    ^high:
      ptx.mbarrier.wait [%full], %c0
      ptx.ret
    """
    report, _ = run(body, "ptx.exit")
    assert rules(report) == ["T5-SIM-005"]


def test_exit_of_all_lanes_of_an_inner_branch() -> None:
    """The lanes that stay reach the join of the outer branch."""
    body = """
      %is_lowest = arith.cmpi ult, %lane, %c8 : i32
      ptx.cond_bra %is_low, ^low, ^common
    ^low:
      ptx.cond_bra %is_lowest, ^lowest, ^inner
    ^lowest:
      ptx.guard %is_lowest { ptx.exit }
      ptx.bra ^inner
    ^inner:
      ptx.bra ^common
    ^common:
      ptx.st global b32 [%to], {%thread}
      ptx.ret
    """
    for schedule in SCHEDULES:
        report, out = run(body, "ptx.exit", *schedule)
        assert rules(report) == []
        assert out == [thread if thread % 32 >= 8 else 1000 for thread in range(64)]


def test_lanes_rejoin_although_some_may_trap() -> None:
    """A branch to a trap does not make the lanes run the rest one after the other."""
    steps: dict[str, int] = {}
    for end in ("ptx.trap", "ptx.exit"):
        body = CHECKED + "ptx.nanosleep %c0\n" * 100 + "ptx.ret"
        report, _ = run(body, end)
        steps[end] = sum(report.statistics.instructions.values())
    assert steps["ptx.exit"] - steps["ptx.trap"] == 2 * 101


@pytest.mark.parametrize(("semantics", "rule"), [("", "T5-SIM-014"), ("relaxed gpu ", None)])
def test_lanes_that_store_different_values_to_one_place_race(
    semantics: str, rule: str | None
) -> None:
    report = simulate(
        f"""
        ptx.kernel @k(%a : i64) attributes {{reqntid = array<i32: 32>}} {{
          %c15 = arith.constant 15 : i32
          %thread = ptx.special_register tid.x
          %place = arith.andi %thread, %c15 : i32
          %c4 = arith.constant 4 : i32
          %to = ptx.mad.wide u32 %place, %c4, %a
          ptx.st {semantics}global b32 [%to], {{%thread}}
          ptx.ret
        }}
        """,
        [np.zeros(32, np.uint32)],
    )
    assert [finding.rule for finding in report.findings] == ([] if rule is None else [rule])
    for finding in report.findings:
        assert "another lane of the warp write different values to byte 0" in finding.message

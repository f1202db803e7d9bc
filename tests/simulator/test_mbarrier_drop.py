"""Tests of arrivals of threads that leave, of pending counts and of completed transactions."""

from typing import Any

import numpy as np
import pytest

from tcgen05_dialect.simulator import SCHEDULES, Launch, Run, simulate

KERNEL = """
ptx.shared_memory @full size 8 alignment 8
ptx.kernel @kernel(%out : i64) attributes {reqntid = array<i32: THREADS>} {
  %c0 = ptx.constant 0 : i32
  %c1 = ptx.constant 1 : i32
  %c2 = ptx.constant 2 : i32
  %c3 = ptx.constant 3 : i32
  %c32 = ptx.constant 32 : i32
  %count = ptx.constant COUNT : i32
  %full = ptx.address_of @full
  %thread = ptx.special_register tid.x
  %first = ptx.setp eq u32 %thread, %c0
  %low = ptx.setp lt u32 %thread, %c32
  ptx.guard %first {
    ptx.mbarrier.init [%full], %count
  }
  ptx.bar.sync %c0
  BODY
  ptx.ret
}
"""


def kernel(body: str, count: int, threads: int = 1) -> str:
    text = KERNEL.replace("BODY", body).replace("COUNT", str(count))
    return text.replace("THREADS", str(threads))


def rules(text: str, *arguments: Any, **options: Any) -> list[str]:
    given = arguments or (np.zeros(4, np.uint32),)
    return [str(each.rule) for each in simulate(text, [*given], **options).findings]


LEAVING = """ptx.cond_bra %low, ^stay, ^leave
^leave:
  ptx.mbarrier.arrive_drop [%full]
  ptx.ret
^stay:
  ptx.mbarrier.arrive [%full]
  ptx.mbarrier.wait [%full], %c0
  ptx.mbarrier.arrive [%full]
  ptx.mbarrier.wait [%full], %c1"""


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_later_phases_do_not_expect_threads_that_left(schedule: str) -> None:
    assert rules(kernel(LEAVING, 64, 64), run=Run(schedule)) == []
    stays = LEAVING.replace("arrive_drop", "arrive")
    assert rules(kernel(stays, 64, 64), run=Run(schedule)) == ["T5-SIM-005"]


def test_counts_of_arrivals_that_leave() -> None:
    body = """%s = ptx.mbarrier.arrive_drop.state [%full] count(%c2)
  ptx.mbarrier.arrive [%full]
  %d = ptx.mbarrier.try_wait [%full], %s
  ptx.mbarrier.arrive [%full]
  ptx.mbarrier.wait [%full], %c1"""
    assert rules(kernel(body, 3)) == []
    again = body.replace(", %s\n  ptx.mbarrier.arrive", ", %s\n  ptx.mbarrier.arrive_drop", 1)
    again = again.replace("arrive_drop [%full]\n", "arrive_drop [%full] count(%c2)\n")
    assert rules(kernel(again, 3)) == ["T5-SIM-008"]


def test_a_leaving_arrival_may_expect_bytes() -> None:
    body = """ptx.mbarrier.arrive_drop.expect_tx [%full], %c32
  ptx.mbarrier.arrive [%full]
  WAIT
  ptx.mbarrier.arrive [%full]
  ptx.mbarrier.wait [%full], %c1"""
    wait = "ptx.mbarrier.wait [%full], %c0"
    complete = f"ptx.mbarrier.complete_tx relaxed cta [%full], %c32\n  {wait}"
    assert rules(kernel(body.replace("WAIT", complete), 2)) == []
    assert rules(kernel(body.replace("WAIT", wait), 2)) == ["T5-SIM-005"]


def test_pending_counts() -> None:
    body = """%a = ptx.mbarrier.arrive.no_complete [%full], %c2
  %b = ptx.mbarrier.arrive_drop.no_complete release cta [%full], %c1
  %m = ptx.mbarrier.pending_count %a
  %n = ptx.mbarrier.pending_count %b
  ptx.st global b32 [%out], {%m}
  ptx.st global b32 [%out + 4], {%n}
  ptx.mbarrier.arrive [%full] count(%c3)
  %d = ptx.mbarrier.test_wait [%full], %b
  %word = ptx.selp b32 %c1, %c0, %d
  ptx.st global b32 [%out + 8], {%word}"""
    out = np.zeros(4, np.uint32)
    assert rules(kernel(body, 6), out) == []
    assert out.tolist() == [6, 4, 1, 0]


def test_lanes_arrive_one_after_the_other() -> None:
    body = """%s = ptx.mbarrier.arrive.no_complete [%full], %c2
  %n = ptx.mbarrier.pending_count %s
  %c4 = ptx.constant 4 : i32
  %to = ptx.mad.wide u32 %thread, %c4, %out
  ptx.st global b32 [%to], {%n}"""
    out = np.zeros(32, np.uint32)
    assert rules(kernel(body, 65, 32), out) == []
    assert sorted(out.tolist()) == list(range(3, 66, 2))


def test_an_arrival_without_completion_must_not_complete_the_phase() -> None:
    assert rules(kernel("%s = ptx.mbarrier.arrive.no_complete [%full], %c3", 3)) == ["T5-SIM-008"]


REMOTE = """
ptx.shared_memory @full size 8 alignment 8
ptx.kernel @kernel() attributes {reqntid = array<i32: 1>, cluster_dims = array<i32: 2>} {
  %c0 = ptx.constant 0 : i32
  %c1 = ptx.constant 1 : i32
  %c2 = ptx.constant 2 : i32
  %c16 = ptx.constant 16 : i32
  %full = ptx.address_of @full
  %rank = ptx.special_register cluster_ctarank
  %peer = ptx.xor b32 %rank, %c1
  %remote = ptx.mapa %full, %peer
  ptx.mbarrier.init [%full], %c2
  ptx.fence.mbarrier_init
  ptx.barrier.cluster.arrive
  ptx.barrier.cluster.wait
  ptx.mbarrier.arrive.expect_tx [%full], %c16
  ptx.mbarrier.complete_tx.remote relaxed cluster [%remote], %c16
  ptx.mbarrier.arrive_drop.remote release cluster [%remote]
  ptx.mbarrier.wait [%full], %c0
  ptx.mbarrier.arrive [%full]
  ptx.mbarrier.wait [%full], %c1
  ptx.barrier.cluster.arrive
  ptx.barrier.cluster.wait
  ptx.ret
}
"""


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_other_ctas(schedule: str) -> None:
    report = simulate(REMOTE, [], Launch(grid=(2,)), run=Run(schedule))
    assert report.findings == ()
    lost = REMOTE.replace("ptx.mbarrier.complete_tx.remote relaxed cluster [%remote], %c16", "")
    (finding,) = simulate(lost, [], Launch(grid=(2,)), run=Run(schedule)).findings
    assert finding.rule == "T5-SIM-005"

"""Tests of the race detector between clusters and CTAs that nothing orders."""

import numpy as np
import pytest

from tcgen05_dialect.simulator import SCHEDULES, Launch, Run, TensorMap, simulate
from tcgen05_dialect.simulator.launch import clusters
from tcgen05_dialect.simulator.order.clocks import Clocks

KERNEL = """
ptx.shared_memory @tile size 256 alignment 128
ptx.shared_memory @loaded size 8 alignment 8

ptx.kernel @kernel(%map : !ptx.tensor_map, %a : i64, %writer : i32)
    attributes {reqntid = array<i32: 1, 1, 1>} {
  %c0 = ptx.constant 0 : i32
  %c1 = ptx.constant 1 : i32
  %bytes = ptx.constant 256 : i32
  %tile = ptx.address_of @tile
  %loaded = ptx.address_of @loaded
  ptx.mbarrier.init [%loaded], %c1
  ptx.fence.mbarrier_init
  ptx.mbarrier.arrive.expect_tx [%loaded], %bytes
  ptx.cp.async.bulk.tensor.load [%tile], %map, {%c0, %c0}, [%loaded]
  ptx.mbarrier.wait [%loaded], %c0
  %cta = ptx.special_register ctaid.x
  %writes = ptx.setp eq u32 %cta, %writer
  ptx.guard %writes {
    ptx.st global b32 [%a], {%c1}
  }
  ptx.ret
}
"""
CTAS = 3


@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize("writer", range(CTAS + 1))
def test_copies_of_every_cluster_are_known(schedule: str, writer: int) -> None:
    a = np.zeros((1, 64), np.uint32)
    arguments = [TensorMap.of(a, (64, 1)), a, writer]
    report = simulate(KERNEL, arguments, Launch(grid=(CTAS,)), Run(schedule))
    rules = {finding.rule for finding in report.findings}
    assert rules == ({"T5-SIM-014"} if writer < CTAS else set())


PAIR = """
ptx.shared_memory @slot size 4 alignment 4
ptx.kernel @kernel() attributes {reqntid = array<i32: 32>, cluster_dims = array<i32: 2, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %columns = arith.constant 32 : i32
  %all_lanes = arith.constant -1 : i32
  %slot = ptx.address_of @slot
  %rank = ptx.special_register cluster_ctarank
  %is_leader = arith.cmpi eq, %rank, %c0 : i32
  %leader, %elected = ptx.elect.sync %all_lanes
  %issues = arith.andi %elected, %is_leader : i1
  ptx.tcgen05.alloc cta_group_2 shared_cta [%slot], %columns
  %d = ptx.ld "shared::cta" b32 [%slot] -> i32
  // The peer allocates in the meantime.
  DELAY
  ptx.guard %issues {
    ptx.tcgen05.shift cta_group_2 [%d]
  }
  ptx.ret
}
""".replace("DELAY", "ptx.nanosleep %c0\n" * 100)


def test_operation_of_a_pair_before_the_peer_is_known_to_run() -> None:
    report = simulate(PAIR, [], Launch((2,)), Run("eager"))
    (error,) = report.errors
    assert error.rule == "T5-SIM-023" and "before CTA (1, 0, 0) runs" in error.message


ALLOCATION = """
ptx.shared_memory @slot size 4 alignment 4
ptx.shared_memory @ready size 8 alignment 8
ptx.kernel @kernel() attributes {reqntid = array<i32: 32>, cluster_dims = array<i32: 2, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %columns = arith.constant 32 : i32
  %all_lanes = arith.constant -1 : i32
  %slot = ptx.address_of @slot
  %ready = ptx.address_of @ready
  %rank = ptx.special_register cluster_ctarank
  %is_leader = arith.cmpi eq, %rank, %c0 : i32
  %is_peer = arith.cmpi eq, %rank, %c1 : i32
  %peers_ready = ptx.mapa %ready, %c1
  %leader, %elected = ptx.elect.sync %all_lanes
  %tells = arith.andi %elected, %is_leader : i1
  ptx.guard %elected { ptx.mbarrier.init [%ready], %c1 ptx.fence.mbarrier_init }
  ptx.barrier.cluster.arrive aligned ptx.barrier.cluster.wait aligned
  EARLY
  scf.if %is_peer { ptx.mbarrier.wait [%ready], %c0 }
  ptx.tcgen05.alloc cta_group_2 shared_cta [%slot], %columns
  LATE
  %d = ptx.ld "shared::cta" b32 [%slot] -> i32
  ptx.barrier.cluster.arrive aligned ptx.barrier.cluster.wait aligned
  ptx.tcgen05.dealloc cta_group_2 %d, %columns
  ptx.ret
}
"""


def test_alloc_may_wait_for_the_peer() -> None:
    """The peer allocates only when it hears that the first CTA has allocated."""
    tell = "ptx.guard %tells { ptx.mbarrier.arrive.remote [%peers_ready] }"
    early = ALLOCATION.replace("EARLY", tell).replace("LATE", "")
    late = ALLOCATION.replace("LATE", tell).replace("EARLY", "")
    for schedule in SCHEDULES:
        assert not simulate(early, [], Launch((2,)), Run(schedule)).findings
    (error,) = simulate(late, [], Launch((2,)), Run("lazy")).errors
    assert error.rule == "T5-SIM-005"
    assert "ptx.tcgen05.alloc of CTA (1, 0, 0) in CTA (0, 0, 0)" in error.message


CHAIN = """
// Each CTA but the first waits for the flag of the one before it, reads what the first one wrote,
// and sets its own flag.
ptx.kernel @chain(%a : i64, %flags : i64, %out : i64) attributes {reqntid = array<i32: 1>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %cta = ptx.special_register ctaid.x
  %is_first = arith.cmpi eq, %cta, %c0 : i32
  %flag = ptx.mad.wide u32 %cta, %c4, %flags
  %to = ptx.mad.wide u32 %cta, %c4, %out
  scf.if %is_first {
    ptx.st global b32 [%a], {%c1}
  } else {
    scf.while () : () -> () {
      %f = ptx.ld acquire gpu global b32 [%flag + -4] -> i32
      %again = arith.cmpi eq, %f, %c0 : i32
      scf.condition(%again)
    } do {
      scf.yield
    }
    %v = ptx.ld global b32 [%a] -> i32
    ptx.st global b32 [%to], {%v}
  }
  ptx.st release gpu global b32 [%flag], {%c1}
  ptx.ret
}
"""


@pytest.mark.parametrize("schedule", SCHEDULES)
@pytest.mark.parametrize("scope", ["gpu", "cluster"])
def test_order_passes_from_cluster_to_cluster(schedule: str, scope: str) -> None:
    a, flags, out = np.zeros(1, np.uint32), np.zeros(3, np.uint32), np.zeros(3, np.uint32)
    text = CHAIN.replace("st release gpu", f"st release {scope}")
    report = simulate(text, [a, flags, out], Launch((3,)), Run(schedule))
    assert [each.rule for each in report.errors] == ([] if scope == "gpu" else ["T5-SIM-014"])
    if scope == "gpu":
        assert out.tolist() == [0, 1, 1]


MEETING = """
ptx.kernel @kernel(%came : i64) attributes {reqntid = array<i32: 64, 1, 1>} {
  %c0 = ptx.constant 0 : i32
  %c1 = ptx.constant 1 : i32
  %all = ptx.special_register nctaid.x
  %thread = ptx.special_register tid.x
  %is_first = ptx.setp eq u32 %thread, %c0
  cf.cond_br %is_first, ^arrive, ^end
^arrive:
  %old = ptx.atom relaxed gpu global add u32 [%came], %c1
  cf.br ^poll
^poll:
  %now = ptx.ld acquire gpu global b32 [%came] -> i32
  %have_come = ptx.setp ge u32 %now, %all
  cf.cond_br %have_come, ^end, ^poll
^end:
  ptx.bar.sync %c0
  ptx.ret
}
"""


def test_ctas_of_a_grid_may_wait_for_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "_CLOCK_BYTES", 0)
    assert not simulate(MEETING, [np.zeros(1, np.uint32)], Launch((10,))).findings


def test_a_wait_for_ctas_without_room_decides_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "_POLLING_CLOCK_BYTES", 11 * Clocks.bytes_for(64))
    run = Run(max_steps=2000)
    (error,) = simulate(MEETING, [np.zeros(1, np.uint32)], Launch((13,)), run).errors
    assert error.rule == "T5-SIM-006"
    assert "2 clusters had no room to start: if the kernel waits for their work" in error.message
    # The loop of the only CTA waits for no other.
    endless = MEETING.replace("%now, %all", "%old, %all")
    (error,) = simulate(endless, [np.zeros(1, np.uint32)], Launch((1,)), run).errors
    assert error.rule == "T5-SIM-006"
    assert "room" not in error.message

"""Tests of steps around barrier objects that compilers leave out."""

import re

import numpy as np
import pytest

from tcgen05_dialect.reporting.diagnostics import Source
from tcgen05_dialect.simulator import Launch, simulate

from ..support.practice_kernels import ALLOC, FREE, kernel_of, ptx_of, rules_of

_LANES = """
ptx.shared_memory @tile size 128 alignment 128
ptx.shared_memory @full size 8 alignment 8
ptx.shared_memory @free size 8 alignment 8
""" + kernel_of(
    """
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %c32 = arith.constant 32 : i32
  %bytes = arith.constant 128 : i32
  %tile = ptx.address_of @tile
  %full = ptx.address_of @full
  %free = ptx.address_of @free
  %thread = ptx.special_register tid.x
  %to = ptx.mad.wide u32 %thread, %c4, %out
  %first = arith.cmpi eq, %thread, %c0 : i32
  %loads = arith.cmpi eq, %thread, %c32 : i32
  %reads = arith.cmpi ult, %thread, %c32 : i32
  scf.if %first {
    ptx.mbarrier.init [%full], %c1
    ptx.mbarrier.init [%free], %c1
    ptx.fence.mbarrier_init
  }
  ptx.bar.sync %c0
  scf.if %loads {
    ptx.mbarrier.arrive.expect_tx [%full], %bytes
    ptx.cp.async.bulk.load [%tile], [%from], %bytes, [%full]
    ptx.mbarrier.wait [%free], %c0
    ptx.mbarrier.arrive.expect_tx [%full], %bytes
    ptx.cp.async.bulk.load [%tile], [%from], %bytes, [%full]
  }
  scf.if %reads {
    %place = ptx.mad s32 %thread, %c4, %tile
    ptx.mbarrier.wait [%full], %c0
    %value = ptx.ld "shared::cta" b32 [%place] -> i32
    ptx.fence.proxy.async
    // lanes
    scf.if %first { ptx.mbarrier.arrive [%free] }
    ptx.mbarrier.wait [%full], %c1
    ptx.st global b32 [%to], {%value}
  }
""",
    64,
    "%out : i64, %from : i64",
)


def test_one_lane_may_arrive_for_its_warp() -> None:
    data = [np.full(32, -1, np.int32), np.arange(32, dtype=np.int32)]
    assert rules_of(_LANES, "k.mlir", data)[0] == ["T5-SIM-014"]
    right = _LANES.replace("// lanes", "%all = arith.constant -1 : i32\n ptx.bar.warp.sync %all")
    for text, name in ((right, "k.mlir"), (ptx_of(_LANES), "k.ptx")):
        data[0][:] = -1
        errors, warnings = rules_of(text, name, data)
        assert errors == [] and data[0].tolist() == data[1].tolist()
        assert ("T5-SIM-044" in warnings) is (name == "k.ptx")


_INVAL = """
!scales = !tcgen05.smem_descriptor<32x16xf8E8M0FNU, k_major, no_swizzle>
!all = !tcgen05.tmem<128x32xf32>
ptx.shared_memory @slot size 4 alignment 4
ptx.shared_memory @tile size 512 alignment 128
ptx.shared_memory @copied size 8 alignment 8
ptx.shared_memory @done size 8 alignment 8
""" + kernel_of(
    f"""{ALLOC}
  %c1 = arith.constant 1 : i32
  %c16 = arith.constant 16 : i32
  %tile = ptx.address_of @tile
  %copied = ptx.address_of @copied
  %done = ptx.address_of @done
  %first = arith.cmpi eq, %thread, %c0 : i32
  %own = ptx.mad u32 %thread, %c16, %tile
  ptx.st "shared::cta" b32 [%own], {{%thread, %thread, %thread, %thread}}
  ptx.fence.proxy.async "shared::cta"
  ptx.bar.sync %c0
  %all = tcgen05.load_address %slot : !all
  %scales = tcgen05.descriptor %tile : !scales
  scf.if %first {{
    ptx.mbarrier.init [%copied], %c1
    ptx.mbarrier.init [%done], %c1
    ptx.fence.mbarrier_init
    tcgen05.cp shape_32x128b warpx4 %all, %scales : !all, !scales
    tcgen05.commit %copied
    tcgen05.commit %done
    STEPS
  }}
{FREE}""",
    32,
)
_WAIT_DONE = "ptx.mbarrier.wait [%done], %c0"
_WAIT_COPIED = "ptx.mbarrier.wait [%copied], %c0"
_INVALIDATE = "ptx.mbarrier.inval [%copied]"


@pytest.mark.parametrize(
    ("steps", "is_right"),
    [([_INVALIDATE, _WAIT_DONE], False), ([_WAIT_COPIED, _INVALIDATE, _WAIT_DONE], True)],
)
def test_inval_before_the_last_commit(steps: list[str], is_right: bool) -> None:
    text = _INVAL.replace("STEPS", "\n    ".join(steps))
    for name in ("k.mlir", "k.ptx"):
        given = text if name == "k.mlir" else ptx_of(text)
        errors, warnings = rules_of(given, name, [np.zeros(32, np.int32)])
        expected = [] if is_right else (["T5-SIM-014"] if name == "k.mlir" else ["T5-SIM-049"])
        assert errors + warnings == expected


_FROM_PEER = """
ptx.shared_memory @word size 4 alignment 4
ptx.shared_memory @written size 8 alignment 8
""" + kernel_of(
    """
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c7 = arith.constant 7 : i32
  %word = ptx.address_of @word
  %written = ptx.address_of @written
  %rank = ptx.special_register cluster_ctarank
  %is_first = arith.cmpi eq, %rank, %c0 : i32
  ptx.mbarrier.init [%written], %c1
  ptx.fence.mbarrier_init
  ptx.barrier.cluster.arrive
  ptx.barrier.cluster.wait
  scf.if %is_first {
    ptx.mbarrier.wait SCOPE [%written], %c0
    %value = ptx.ld "shared::cta" b32 [%word] -> i32
    ptx.st global b32 [%out], {%value}
  } else {
    %their_word = ptx.mapa %word, %c0
    %their_written = ptx.mapa %written, %c0
    ptx.st "shared::cluster" b32 [%their_word], {%c7}
    ptx.mbarrier.arrive.remote release cluster [%their_written]
  }
  ptx.barrier.cluster.arrive
  ptx.barrier.cluster.wait
""",
    1,
    cluster=2,
)


@pytest.mark.parametrize("scope", ["", "acquire cta", "acquire cluster"])
def test_waits_for_other_ctas_have_the_scope_of_the_cluster(scope: str) -> None:
    """The scope of a wait without one is its CTA."""
    text, is_wide = _FROM_PEER.replace("SCOPE", scope), scope.endswith("cluster")
    out = np.zeros(1, np.int32)
    assert rules_of(text, "k.mlir", [out]) == ([] if is_wide else ["T5-SIM-014"], [])
    assert rules_of(ptx_of(text), "k.ptx", [out]) == ([], [] if is_wide else ["T5-SIM-055"])
    assert out[0] == 7


def test_a_relaxed_arrival_after_a_wait_at_the_scope_of_a_cta() -> None:
    """DeepGEMM ends so: the wait ends the use of the barrier object, whatever else tells of it."""
    before, arrive, after = _FROM_PEER.replace("SCOPE", "").rpartition("ptx.barrier.cluster.arrive")
    text = f"{before}{arrive} relaxed{after}"
    errors, warnings = rules_of(ptx_of(text), "k.ptx", [np.zeros(1, np.int32)])
    assert (errors, {*warnings}) == ([], {"T5-SIM-055"})
    found = simulate(Source("k.ptx", ptx_of(text)), [np.zeros(1, np.int32)], Launch()).findings
    wait = r"give mbarrier.try_wait.parity, line \d+, the scope of the cluster"
    assert found and all(re.search(wait, each.help) for each in found)

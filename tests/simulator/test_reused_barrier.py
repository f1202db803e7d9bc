"""Tests of memory that held a barrier object: a copy overwrites it, or another init follows."""

import numpy as np
import pytest

from tcgen05_dialect.simulator import TensorMap, simulate

KERNEL = """
ptx.shared_memory @first size 1024 alignment 128
ptx.shared_memory @second size 8 alignment 8
ptx.kernel @kernel(%map : !ptx.tensor_map<8x32xf32, no_swizzle>)
    attributes {reqntid = array<i32: 64>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %last = arith.constant 32 : i32
  %bytes = arith.constant 1024 : i32
  %first = ptx.address_of @first
  %second = ptx.address_of @second
  %thread = ptx.special_register tid.x
  %is_first = arith.cmpi eq, %thread, %c0 : i32
  %is_last = arith.cmpi eq, %thread, %last : i32
  scf.if %is_first {
    ptx.mbarrier.init [%first], %c1
    ptx.mbarrier.init [%second], %c1
    ptx.fence.mbarrier_init
  }
  ptx.bar.sync %c0
  scf.if %is_first {
    ptx.mbarrier.inval [%first]
    FENCE
  }
  ptx.bar.sync %c0
  scf.if %is_last {
    ptx.mbarrier.arrive.expect_tx [%second], %bytes
    ptx.cp.async.bulk.tensor.load [%first], %map, {%c0, %c0}, [%second]
  }
  ptx.mbarrier.wait [%second], %c0
  ptx.ret
}
"""
FENCE = 'ptx.fence.proxy.async "shared::cta"'


@pytest.mark.parametrize(("fence", "rules"), [("", {"T5-SIM-031"}), (FENCE, set[str]())])
def test_a_copy_over_an_invalidated_barrier(fence: str, rules: set[str]) -> None:
    """Triton puts only a CTA barrier between the two."""
    source = TensorMap.of(np.ones((8, 32), np.float32), (32, 8))
    found = simulate(KERNEL.replace("FENCE", fence), [source]).findings
    assert {each.rule for each in found} == rules


@pytest.mark.parametrize("first", ["0", "32"])
def test_the_warps_of_a_repeated_init_are_named(first: str) -> None:
    text = f"""
    ptx.shared_memory @bar size 8 alignment 8
    ptx.kernel @kernel() attributes {{reqntid = array<i32: 96>}} {{
      %c0 = arith.constant 0 : i32
      %c1 = arith.constant 1 : i32
      %one = arith.constant {first} : i32
      %two = arith.constant 64 : i32
      %bar = ptx.address_of @bar
      %thread = ptx.special_register tid.x
      %is_one = arith.cmpi eq, %thread, %one : i32
      %is_two = arith.cmpi eq, %thread, %two : i32
      scf.if %is_one {{
        ptx.mbarrier.init [%bar], %c1
      }}
      ptx.bar.sync %c0
      scf.if %is_two {{
        ptx.mbarrier.init [%bar], %c1
      }}
      ptx.ret
    }}"""
    (found,) = simulate(text, []).findings
    assert found.rule == "T5-SIM-008"
    by = f"which is already initialised by ptx.mbarrier.init of warp {int(first) // 32} of CTA"
    assert "warp 2 of CTA (0, 0, 0) initialises" in found.message
    assert f"{by} (0, 0, 0), line 13" in found.message

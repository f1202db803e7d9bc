"""Tests of loads and stores of one thread to the same columns of tensor memory."""

import numpy as np
import pytest

from tcgen05_dialect.simulator import Launch, simulate

_KERNEL = """
!d = !tcgen05.tmem<128x32xf32>
!half = !tcgen05.tmem<128x16xf32>
ptx.kernel @k(%out : i64, %n : i32) {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c2 = arith.constant 2 : i32
  %c16 = arith.constant 16 : i32
  %c32 = arith.constant 32 : i32
  %c128 = arith.constant 128 : i32
  %ring = ws.ring 1 : !d
  %some = arith.cmpi ne, %n, %c0 : i32
  %v = arith.constant dense<1.0> : vector<32xf32>
  %h = arith.constant dense<2.0> : vector<16xf32>
  ws.warp_specialize {
    ws.role @write warps(4) threads(%t) {
      ws.produce %ring by threads (%d) {
        BODY
      }
    }
    ws.role @read warps(4) threads(%t) {
      ws.consume %ring by threads (%d) {
        %x = ws.tmem_load %d[0] -> vector<32xf32>
        ws.global_store %x to %out[%t, 0] of (%c128, %c32)
      }
    }
  }
  ptx.ret
}
"""
_BODIES = {
    "a branch that is not taken": """
        ws.tmem_store %v to %d[0]
        scf.if %some { %x = ws.tmem_load %d[0] -> vector<32xf32> }
        %x = ws.tmem_load %d[0] -> vector<32xf32>
        ws.tmem_store %x to %d[0]""",
    "a loop without iterations": """
        ws.tmem_store %v to %d[0]
        scf.for %i = %c0 to %n step %c1 : i32 { %x = ws.tmem_load %d[0] -> vector<32xf32> }
        ws.tmem_store %v to %d[0]""",
    "columns of an inner loop": """
        scf.for %i = %c0 to %c2 step %c1 : i32 {
          scf.for %at = %c0 to %c32 step %c16 : i32 { ws.tmem_store %h to %d[%at] }
        }""",
    "another column in the next iteration": """
        ws.tmem_store %v to %d[0]
        %y = ws.tmem_load %d[0] -> vector<32xf32>
        scf.for %i = %c0 to %c2 step %c1 : i32 {
          %x = ws.tmem_load %d[0] -> vector<16xf32>
          %at = arith.muli %n, %i : i32
          ws.tmem_store %h to %d[%at]
        }""",
    "overlapping columns": """
        scf.for %i = %c0 to %c2 step %c1 : i32 { ws.tmem_store %h to %d[%i] }""",
    "a slice": """
        %right = tcgen05.slice %d[0, 16] : !d to !half
        ws.tmem_store %v to %d[0]
        ws.tmem_store %h to %right[0]""",
}


@pytest.mark.parametrize("name", _BODIES)
def test_a_store_is_complete_before_the_next_access(name: str) -> None:
    text = _KERNEL.replace("BODY", _BODIES[name])
    found = simulate(text, [np.zeros((128, 32), np.float32), 0], Launch((1,))).findings
    assert not any(each.rule == "T5-SIM-014" for each in found)

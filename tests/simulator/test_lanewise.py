"""Tests of equal instructions in a row, which the emulator computes at once."""

import numpy as np
import pytest

from tcgen05_dialect.simulator import Run, simulate
from tcgen05_dialect.simulator.machine import gathering

KERNEL = """
ptx.kernel @rows(%out : i64) attributes {reqntid = array<i32: 32, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c3 = arith.constant 3 : i32
  %c16 = arith.constant 16 : i32
  %c32 = arith.constant 32 : i32
  %lane = ptx.special_register laneid
  %to = ptx.mad.wide u32 %lane, %c32, %out
  ptx.st global b32 [%to], {%c0, %c0, %c0, %c0}
  ptx.st global b32 [%to + 16], {%c0, %c0, %c0, %c0}
  %is_first = arith.cmpi slt, %lane, %c16 : i32
  scf.if %is_first {
    %a = arith.muli %lane, %c3 : i32
    %b = arith.muli %lane, %lane : i32
    %c = arith.muli %c3, %c3 : i32
    %d = arith.muli %c16, %lane : i32
    %e = arith.muli %d, %b : i32
    %f = arith.muli %e, %e : i32
    %wide = ptx.mul.wide u32 %a, %b
    %low = arith.trunci %wide : i64 to i32
    ptx.st global b32 [%to], {%a, %b, %c, %d}
    ptx.st global b32 [%to + 16], {%e, %f, %low, %c16}
  }
  ptx.ret
}
"""
LOADS = """
ptx.shared_memory @slot size 4 alignment 4
ptx.kernel @loads(%out : i64) attributes {reqntid = array<i32: 32, 1, 1>} {
  %columns = arith.constant 32 : i32
  %c1 = arith.constant 1 : i32
  %c16 = arith.constant 16 : i32
  %slot = ptx.address_of @slot
  %lane = ptx.special_register laneid
  %to = ptx.mad.wide u32 %lane, %c16, %out
  ptx.tcgen05.alloc cta_group_1 shared_cta [%slot], %columns
  %t = ptx.ld "shared::cta" b32 [%slot] -> i32
  ptx.tcgen05.st shape_32x32b x4 [%t], {%lane, %c16, %lane, %c1}
  ptx.tcgen05.wait st
  %p, %q = ptx.tcgen05.ld shape_32x32b x2 [%t] -> i32, i32
  %r, %s = ptx.tcgen05.ld shape_32x32b x2 [%t + 2] -> i32, i32
  %a = arith.addi %p, %c1 : i32
  %b = arith.addi %q, %c1 : i32
  %c = arith.addi %r, %c1 : i32
  %d = arith.addi %s, %c1 : i32
  ptx.st global b32 [%to], {%a, %b, %c, %d}
  ptx.tcgen05.wait ld
  ptx.tcgen05.dealloc cta_group_1 %t, %columns
  ptx.ret
}
"""


@pytest.mark.parametrize("schedule", ["eager", "lazy", "random"])
def test_rows_of_instructions(schedule: str) -> None:
    out = np.ones((32, 8), np.uint32)
    report = simulate(KERNEL, [out], run=Run(schedule))
    assert report.errors == ()
    lane = np.arange(16)
    e = 16 * lane * lane**2
    rows = (3 * lane, lane**2, np.full(16, 9), 16 * lane, e, e * e, 3 * lane**3, np.full(16, 16))
    assert np.array_equal(out[:16], np.stack(rows, axis=1))
    assert not out[16:].any()


@pytest.mark.parametrize("schedule", ["eager", "lazy", "random"])
def test_rows_wait_for_all_loads(schedule: str) -> None:
    out = np.zeros((32, 4), np.uint32)
    assert simulate(LOADS, [out], run=Run(schedule)).errors == ()
    lane = np.arange(32)
    columns = (lane + 1, np.full(32, 17), lane + 1, np.full(32, 2))
    assert np.array_equal(out, np.stack(columns, axis=1))


STORES = """
ptx.shared_memory @tile size 4096 alignment 16
ptx.kernel @stores(%out : i64) attributes {reqntid = array<i32: 64, 1, 1>} {
  %c0 = arith.constant 0 : i32
  %c4 = arith.constant 4 : i32
  %c5 = arith.constant 5 : i32
  %c16 = arith.constant 16 : i32
  %thread = ptx.special_register tid.x
  %tile = ptx.address_of @tile
  %to = ptx.mad u32 %thread, %c4, %tile
  ptx.st "shared::cta" b32 [%to], {%thread}
  %scaled = arith.muli %thread, FACTOR : i32
  %next = arith.addi %tile, %scaled : i32
  ptx.st "shared::cta" b32 [%next + 256], {%thread}
  ptx.st "shared::cta" b32 [%to + PLACE], {%c5}
  %some = ptx.setp lt u32 %thread, %c5
  ptx.guard %some {
    ptx.st "shared::cta" b32 [%to + 3072], {%c4}
  }
  %others = ptx.setp lt u32 %c16, %thread
  ptx.guard %others {
    ptx.st "shared::cta" b32 [%to + GUARDED], {%c5}
  }
  ptx.bar.sync %c0
  %a, %b, %c, %d = ptx.ld "shared::cta" b32 [%tile + 256] -> i32, i32, i32, i32
  %at = ptx.mad.wide u32 %thread, %c16, %out
  ptx.st global b32 [%at], {%a, %b, %c, %d}
  ptx.ret
}
"""


@pytest.mark.parametrize(
    ("factor", "place", "guarded", "message"),
    [
        ("%c4", 1024, 3328, ""),
        ("%c4", 2048, 3328, ""),
        ("%c4", 128, 3328, "@tile+128 in shared memory of CTA (0, 0, 0) was written"),
        ("%c4", 1024, 2944, "@tile+3072 in shared memory of CTA (0, 0, 0) was written"),
        ("%c0", 1024, 3328, "different values"),
        ("%c5", 1024, 3328, "is not a multiple of 4"),
        ("%c4", 1 << 20, 3328, "are not in shared memory"),
    ],
)
def test_stores_at_once(
    factor: str, place: int, guarded: int, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = STORES.replace("FACTOR", factor).replace("PLACE", str(place))
    text = text.replace("GUARDED", str(guarded))
    outs = [np.zeros((64, 4), np.uint32) for _ in range(2)]
    reports = [simulate(text, [outs[0]])]
    monkeypatch.setattr(gathering, "_with_stores_at_once", list)
    reports.append(simulate(text, [outs[1]]))
    together, alone = reports
    assert together.findings == alone.findings
    assert np.array_equal(outs[0], outs[1])
    assert message in "".join(each.message for each in together.findings)
    assert bool(message) == bool(together.errors)

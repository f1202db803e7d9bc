"""Tests of variables in global, constant and local memory in the emulator, against numpy."""

import numpy as np
import pytest

from tcgen05_dialect.reporting.diagnostics import Source
from tcgen05_dialect.simulator import Run, simulate

KERNEL = """
.version 8.7
.target sm_100a
.address_size 64
.const .align 4 .f32 table[4] = {0.5, 0f40000000, -1.0};
.global .align 4 .u32 counter = 40;
.global .align 8 .u64 pointers[3] = {counter, generic(table)+4, 7};
.visible .entry kernel(.param .u64 out)
.reqntid 32
{
  .local .align 8 .b8 depot[16];
  .reg .b64 %rd<12>;
  .reg .b32 %r<12>;
  .reg .pred %p<4>;
  mov.u32 %r1, %tid.x;
  ld.param.u64 %rd1, [out];
  mad.wide.u32 %rd2, %r1, 32, %rd1;
  mov.u64 %rd3, depot;
  cvta.local.u64 %rd4, %rd3;
  st.local.u32 [depot+4], %r1;
  ld.u32 %r2, [%rd4+4];
  st.global.u32 [%rd2], %r2;
  ld.const.b32 %r3, [table+4];
  st.global.u32 [%rd2+4], %r3;
  ld.global.u64 %rd5, [pointers];
  ld.global.u32 %r4, [%rd5];
  st.global.u32 [%rd2+8], %r4;
  ld.global.u64 %rd6, [pointers+8];
  ld.b32 %r5, [%rd6+4];
  st.global.u32 [%rd2+12], %r5;
  ld.global.u32 %r6, [pointers+16];
  st.global.u32 [%rd2+16], %r6;
  cvta.to.local.u64 %rd7, %rd4;
  {offset}
  ld.local.v2.u32 {%r7, %r8}, [%rd7];
  st.global.u32 [%rd2+20], %r8;
  bar.warp.sync 0xffffffff;
  setp.eq.u32 %p1, %r1, 0;
  @%p1 st.global.u32 [counter], 9;
  @%p1 ld.global.u32 %r9, [counter];
  @%p1 st.global.u32 [%rd2+24], %r9;
  ret;
}
"""


def source(offset: str) -> Source:
    return Source("kernel.ptx", KERNEL.replace("{offset}", offset))


def test_values() -> None:
    out = np.zeros((32, 8), np.uint32)
    report = simulate(source(""), [out], run=Run("lazy"))
    assert report.findings == ()
    lanes = np.arange(32)
    expected = np.zeros((32, 8), np.uint32)
    expected[:, 0] = expected[:, 5] = lanes
    expected[:, 1:5] = 0x40000000, 40, 0xBF800000, 7
    expected[0, 6] = 9
    assert (out == expected).all()


@pytest.mark.parametrize("offset", [16, -512])
def test_bounds_of_local_memory(offset: int) -> None:
    out = np.zeros((32, 8), np.uint32)
    report = simulate(source(f"add.s64 %rd7, %rd7, {offset};"), [out])
    (error,) = report.errors
    assert error.rule == "T5-SIM-002"
    assert "local memory" in error.message

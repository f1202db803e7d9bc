"""Tests of calls of the functions of CUDA in the emulator: output and assertions."""

import numpy as np

from tcgen05_dialect.reporting.diagnostics import Source
from tcgen05_dialect.simulator import simulate


def data(name: str, text: str) -> str:
    numbers = ", ".join(map(str, [*text.encode(), 0]))
    return f".global .align 1 .b8 {name}[{len(text.encode()) + 1}] = {{{numbers}}};"


FORMAT = "%d and %5.2f: %s%c\n"
KERNEL = f"""
.version 8.7
.target sm_100a
.address_size 64
.extern .func (.param .b32 r) vprintf(.param .b64 a, .param .b64 b);
.extern .func __assertfail
  (.param .b64 a, .param .b64 b, .param .b32 c, .param .b64 d, .param .b64 e);
{data("format", FORMAT)}
{data("word", "done")}
{data("condition", "n > 3")}
{data("file", "k.cu")}
.visible .entry kernel(.param .u32 n)
.reqntid 32
{{
  .local .align 8 .b8 depot[32];
  .reg .b64 %rd<9>;
  .reg .b32 %r<9>;
  .reg .pred %p<3>;
  mov.u32 %r1, %tid.x;
  setp.ne.u32 %p1, %r1, 2;
  @%p1 bra END;
  st.local.u32 [depot], -7;
  st.local.f64 [depot+8], 0d400A000000000000;
  mov.u64 %rd1, word;
  cvta.global.u64 %rd2, %rd1;
  st.local.u64 [depot+16], %rd2;
  st.local.u32 [depot+24], 33;
  mov.u64 %rd3, depot;
  cvta.local.u64 %rd4, %rd3;
  {{
    .param .b64 p0;
    .param .b64 p1;
    .param .b32 r0;
    st.param.b64 [p1], %rd4;
    mov.u64 %rd5, format;
    st.param.b64 [p0], %rd5;
    call.uni (r0), vprintf, (p0, p1);
    ld.param.b32 %r2, [r0];
  }}
  ld.param.u32 %r3, [n];
  setp.gt.u32 %p2, %r3, 3;
  @%p2 bra END;
  mov.u64 %rd6, condition;
  mov.u64 %rd7, file;
  {{
    .param .b64 p0;
    .param .b64 p1;
    .param .b32 p2;
    st.param.b32 [p2], 19;
    .param .b64 p3;
    st.param.b64 [p3], %rd7;
    .param .b64 p4;
    st.param.b64 [p4], 1;
    st.param.b64 [p1], %rd7;
    st.param.b64 [p0], %rd6;
    call.uni __assertfail, (p0, p1, p2, p3, p4);
  }}
END:
  ret;
}}
"""


def test_output() -> None:
    report = simulate(Source("kernel.ptx", KERNEL), [np.uint32(4)])
    assert report.findings == ()
    assert report.printed == "-7 and  3.25: done!\n"


def test_failed_assertion() -> None:
    (error,) = simulate(Source("kernel.ptx", KERNEL), [np.uint32(3)]).errors
    assert error.rule == "T5-SIM-007"
    assert "the assertion `n > 3` fails at line 19 of k.cu" in error.message
    assert error.line == KERNEL[: KERNEL.index("call.uni __assertfail")].count("\n") + 1

"""Tests of functions in PTX text: the emulator runs their bodies."""

import numpy as np

from tcgen05_dialect.compiler import import_source, print_ptx
from tcgen05_dialect.reporting.diagnostics import Source
from tcgen05_dialect.simulator import simulate

HEADER = ".version 8.7\n.target sm_100a\n.address_size 64\n"
SCALE = """
.func (.param .b32 retv) scale(.param .b32 scale_0, .param .align 8 .b8 scale_1[8])
{
  .reg .pred %p<2>;
  .reg .b32 %r<5>;
  ld.param.b32 %r1, [scale_0];
  ld.param.v2.b32 {%r2, %r3}, [scale_1];
  setp.gt.u32 %p1, %r1, 10;
  mov.u32 %r4, 7;
  st.param.b32 [retv], %r4;
  @%p1 ret;
  bra L;
L:
  mad.lo.u32 %r4, %r1, %r2, %r3;
  st.param.b32 [retv], %r4;
  ret;
}
"""
TWICE = """
.func (.reg .b32 d) twice(.reg .b32 a)
{
  .reg .b32 %r<3>;
  {
    .param .b32 param0;
    st.param.b32 [param0], a;
    .param .align 8 .b8 param1[8];
    st.param.v2.b32 [param1], {a, 1};
    .param .b32 r0;
    call.uni (r0), scale, (param0, param1);
    ld.param.b32 %r1, [r0];
  }
  add.u32 d, %r1, %r1;
  ret;
}
"""
KERNEL = """
.visible .entry k(.param .u64 out)
.reqntid 32
{
  .reg .b32 %r<9>;
  .reg .b64 %rd<5>;
  .reg .pred %p<2>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  call (%r2), twice, (%r1);
  setp.lt.u32 %p1, %r1, 5;
  @%p1 bra L;
  call (%r3), twice, (3);
  add.u32 %r2, %r2, %r3;
L:
  mul.wide.u32 %rd2, %r1, 4;
  add.u64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r2;
  ret;
}
"""
RECURSIVE = """
.func (.reg .b32 d) twice(.reg .b32 a)
{
  call (d), twice, (a);
  ret;
}
"""


def run(*parts: str) -> list[int]:
    out = np.zeros(32, np.uint32)
    text = HEADER + "".join(parts)
    assert simulate(Source("k.ptx", text), [out]).findings == ()
    return out.tolist()


def test_calls_in_calls() -> None:
    """With different registers and labels of the same names, and returns in the middle."""

    def twice(n: int) -> int:
        return 2 * (7 if n > 10 else n * n + 1)

    wanted = [twice(n) + (twice(3) if n >= 5 else 0) for n in range(32)]
    assert run(SCALE, TWICE, KERNEL) == wanted


def test_a_parameter_is_read_in_parts() -> None:
    """A function loads a byte of a word that its caller stores."""
    function = """
    .func (.param .b64 retv) pick(.param .b32 pick_0)
    {
      .reg .b32 %r<3>;
      .reg .b64 %rd<3>;
      ld.param.s8 %r1, [pick_0+1];
      cvt.s64.s32 %rd1, %r1;
      st.param.b64 [retv], %rd1;
      ret;
    }
    """
    kernel = KERNEL.replace(
        "call (%r2), twice, (%r1);",
        """{
      .param .b32 param0;
      st.param.b32 [param0+0], 0xFE00;
      .param .b64 retval0;
      call (retval0), pick, (param0);
      ld.param.b32 %r2, [retval0];
    }""",
    ).replace("call (%r3), twice, (3);", "mov.u32 %r3, 0;")
    assert run(function, kernel) == [0xFFFFFFFE] * 32


def test_a_recursive_call_is_refused() -> None:
    text = HEADER + RECURSIVE + KERNEL
    first, *_ = simulate(Source("k.ptx", text), [np.zeros(32, np.uint32)]).findings
    assert first.rule == "T5-SIM-001"
    assert "the emulator does not" in first.message


def test_printed_text_keeps_the_calls() -> None:
    printed = print_ptx(*import_source(Source("k.ptx", HEADER + SCALE + TWICE + KERNEL)))
    assert printed.count("twice") == 3
    assert print_ptx(*import_source(Source("k.ptx", printed))) == printed

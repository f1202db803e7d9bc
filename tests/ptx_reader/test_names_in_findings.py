"""Tests of findings of runs about PTX text: they name instructions as PTX does."""

from tcgen05_dialect import check_source
from tcgen05_dialect.reporting.diagnostics import Source

TEXT = """.version 8.8
.target sm_100a
.address_size 64
.shared .align 16 .b8 tile[64];
.visible .entry kernel() .reqntid 64
{
  .reg .pred %p<3>;
  .reg .b32 %r<9>;
  mov.u32 %r1, tile;
  mov.u32 %r2, %tid.x;
  setp.ne.u32 %p1, %r2, 0;
  @%p1 bra OTHERS;
  st.shared.b32 [%r1], 1;
OTHERS:
  setp.ne.u32 %p2, %r2, 32;
  @%p2 bra END;
  ld.shared.b32 %r5, [%r1];
END:
  ret;
}
"""


def test_instructions_have_the_names_of_ptx() -> None:
    found = check_source(Source("kernel.ptx", TEXT), verify="quick")
    (error,) = (each for each in found if each.severity == "error")
    assert error.rule == "T5-SIM-014"
    assert "was written by st of warp 0" in error.message
    assert "ptx." not in f"{error.message} {error.help}"


def test_a_kernel_is_an_entry() -> None:
    text = TEXT.replace("tile[64]", "tile[240000]")
    (error, *_) = check_source(Source("kernel.ptx", text), verify="quick")
    assert error.message.startswith(".entry: bytes of the shared variables")

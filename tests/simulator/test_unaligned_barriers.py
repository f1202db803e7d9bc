"""Tests of `barrier` without `.aligned`, at which each thread of a warp arrives by itself."""

import pytest

from tcgen05_dialect.check import check_source
from tcgen05_dialect.reporting.diagnostics import Finding, Source

_KERNEL = """.version 9.2
.target sm_100a
.address_size 64
.visible .entry k() .reqntid THREADS {
.reg .b32 %r<9>; .reg .pred %p<4>;
.shared .align 4 .b8 words[256];
mov.u32 %r1, %tid.x; and.b32 %r2, %r1, 1; setp.eq.u32 %p1, %r2, 0;
shl.b32 %r3, %r1, 2; mov.b32 %r4, words; add.s32 %r4, %r4, %r3;
st.shared.b32 [%r4], %r1;
@%p1 bra EVEN;
FIRST
bra JOIN;
EVEN: SECOND
JOIN: ld.shared.b32 %r5, [words];
ret; }
"""


def _findings(first: str, second: str = "", threads: int = 64) -> list[Finding]:
    text = _KERNEL.replace("FIRST", first).replace("SECOND", second or first)
    return check_source(Source("k.ptx", text.replace("THREADS", str(threads))), verify="quick")


@pytest.mark.parametrize("threads", [64, 48])
@pytest.mark.parametrize("barrier", ["barrier.sync 1, 64;", "barrier.cta.sync 0;"])
def test_lanes_may_arrive_from_different_places(barrier: str, threads: int) -> None:
    (remark,) = _findings(barrier, threads=threads)
    assert remark.verdict == "verified"


@pytest.mark.parametrize("barrier", ["bar.sync 1, 64;", "barrier.sync.aligned 1, 64;"])
def test_lanes_come_to_an_aligned_barrier_together(barrier: str) -> None:
    found = _findings(barrier)
    assert {each.rule for each in found if each.severity == "error"} == {"T5-SIM-004"}


def test_half_of_a_warp_is_no_warp() -> None:
    """The other threads are at another barrier."""
    found = _findings("barrier.sync 1, 64;", "barrier.sync 2, 64;")
    assert [each.rule for each in found if each.severity == "error"] == ["T5-SIM-005"]

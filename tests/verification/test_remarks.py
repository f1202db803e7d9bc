"""Tests of the sentences about the sizes and the clusters for which a verdict holds."""

import re
from collections.abc import Mapping

import pytest

from tcgen05_dialect.check import check_source
from tcgen05_dialect.isa.model.rule import Rule
from tcgen05_dialect.isa.practice import BOUNDS, DEADLOCK
from tcgen05_dialect.reporting.diagnostics import Source
from tcgen05_dialect.verification.remarks import limits_text

_SIZES = [f"k = {size}" for size in range(12)]


@pytest.mark.parametrize(
    ("limits", "text"),
    [
        (dict.fromkeys(_SIZES[:1], DEADLOCK), f"k = 0 ({DEADLOCK.id})"),
        (dict.fromkeys(_SIZES[:2], DEADLOCK), f"k = 0 or k = 1 ({DEADLOCK.id})"),
        (
            dict.fromkeys(_SIZES[:4], DEADLOCK),
            f"k = 0, k = 1, k = 2 or 1 other size ({DEADLOCK.id})",
        ),
        (dict.fromkeys(_SIZES, DEADLOCK), f"k = 0, k = 1, k = 2 or 9 other sizes ({DEADLOCK.id})"),
        (
            {**dict.fromkeys(_SIZES[:1], BOUNDS), **dict.fromkeys(_SIZES[1:3], DEADLOCK)},
            f"k = 0 ({BOUNDS.id}) or k = 1 or k = 2 ({DEADLOCK.id})",
        ),
    ],
)
def test_limits(limits: Mapping[str, Rule], text: str) -> None:
    assert limits_text(limits) == text


_PLACED = """ptx.kernel @k() attributes {reqntid = array<i32: 64, 1, 1>} {
  %mask = ptx.constant MASK : i32
  %at = ptx.special_register ctaid.x
  %barrier = ptx.and b32 %at, %mask
  ptx.bar.sync %barrier
  ptx.ret
}
"""


@pytest.mark.parametrize(("mask", "is_shown"), [(1, True), (15, False)])
def test_more_outcomes_than_clusters_show(mask: int, is_shown: bool) -> None:
    (found,) = check_source(_PLACED.replace("MASK", str(mask)), verify="thorough")
    said = "; other clusters may have outcomes at line 4 that no run had"
    assert found.message.endswith(said) == (not is_shown)


_OTHER_LANES = """
.version 8.6
.target sm_100a
.address_size 64
.visible .entry kernel(.param .b32 n)
.reqntid 128, 1, 1
{
    .reg .b32 %r<5>;
    .reg .pred %p<2>;
    .shared .align 4 .b32 base;
    mov.u32 %r0, %tid.x;
    ld.param.b32 %r1, [n];
    setp.ge.u32 %p0, %r0, 32;
    mov.u32 %r2, base;
    @%p0 bra READY;
    tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r2], 32;
    tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;
READY:
    bar.sync 0;
    ld.shared.b32 %r3, [base];
    mov.u32 %r4, 0;
LOOP:
    tcgen05.st.sync.aligned.32x32b.x1.b32 [%r3], {%r4};
    tcgen05.wait::st.sync.aligned;
    add.u32 %r4, %r4, 1;
    setp.lt.u32 %p1, %r4, %r1;
    @%p1 bra LOOP;
    bar.sync 0;
    @%p0 bra DONE;
    tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r3, 32;
DONE:
    ret;
}
"""


def test_a_warning_limits_no_size() -> None:
    """The warning of the lanes is that of each size, and no reason to leave n = 0 out."""
    findings = check_source(Source("kernel.ptx", _OTHER_LANES), verify="quick")
    assert [each.rule for each in findings if each.severity == "warning"] == ["T5-SIM-036"]
    (remark,) = (each.message for each in findings if each.severity == "remark")
    assert remark == "@kernel: verified; loops: line 27 for 3 iterations and more"


def test_a_finding_says_once_how_it_was_found() -> None:
    text = _OTHER_LANES.replace(".reqntid", ".maxntid")
    assert text != _OTHER_LANES
    findings = check_source(Source("kernel.ptx", text), verify="thorough")
    (message,) = (each.message for each in findings if each.severity == "warning")
    assert message.count("found with") == 1
    assert re.search(r"found with n = \d+, CTAs of [\dx ]+ threads, as .maxntid allows;", message)


def test_a_finding_names_the_first_of_many_sizes() -> None:
    numbers = ", ".join(f"%n{letter} : i32" for letter in "abcdefghij")
    text = f"""
ptx.shared_memory @done size 8 alignment 8
ptx.kernel @k({numbers}) attributes {{reqntid = array<i32: 32>}} {{
  %done = ptx.address_of @done
  ptx.mbarrier.arrive [%done]
  ptx.ret
}}
"""
    (finding, *_) = (
        each
        for each in check_source(Source("kernel.mlir", text), verify="quick")
        if each.severity == "error"
    )
    named = finding.message.partition("found with ")[2].split(", ")
    assert [each.partition(" = ")[0] for each in named[:-1]] == [f"%n{each}" for each in "abcdefgh"]
    assert named[-1] == "2 more numbers" and finding.replay.count(" --arg n") == 10


_ELECTED = """
ptx.shared_memory @done size 8 alignment 8
ptx.kernel @k() attributes {reqntid = array<i32: 32>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %all_lanes = arith.constant -1 : i32
  %done = ptx.address_of @done
  %thread = ptx.special_register tid.x
  %is_first = arith.cmpi eq, %thread, %c0 : i32
  %leader, %elected = ptx.elect.sync %all_lanes
  scf.if %elected {
    ptx.mbarrier.init [%done], %c1
  }
  MEETING
  scf.if %is_first {
    ptx.mbarrier.arrive [%done]
  }
  ptx.ret
}
"""


@pytest.mark.parametrize("meets", [False, True])
def test_any_lane_may_be_elected(meets: bool) -> None:
    meeting = "ptx.bar.warp.sync %all_lanes" if meets else ""
    (found,) = check_source(_ELECTED.replace("MEETING", meeting), verify="thorough")
    assumed = "; assumes that elect.sync elects the lowest lane: with the highest one "
    sentence = f"{assumed}ptx.mbarrier.arrive, line 16, breaks T5-SIM-017"
    assert found.message == f"@k: verified{'' if meets else sentence}"

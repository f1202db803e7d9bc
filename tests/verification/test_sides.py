"""Tests of branches on data whose sides are the same to other threads."""

from collections.abc import Mapping

import pytest

from tcgen05_dialect.verification.execution import rule_of

from .test_pairs import verdict

_KERNEL = """
ptx.shared_memory @row size 512 alignment 16
ptx.kernel @k(%p : i64, %out : i64, %m : i32) attributes {reqntid = array<i32: 128>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %all = arith.constant -1 : i32
  %thread = ptx.special_register tid.x
  %row = ptx.address_of @row
  %offset = arith.muli %thread, %c4 : i32
  %own = arith.addi %row, %offset : i32
  %far = arith.extui %offset : i32 to i64
  %from = arith.addi %p, %far : i64
  %x = ptx.ld global b32 [%from] -> i32
  ptx.st "shared::cta" b32 [%own], {%x}
  %is_larger = arith.cmpi sgt, %x, %c1 : i32
  %any = ptx.vote.sync any %is_larger, %all
  BODY
  AFTER
  ptx.ret
}
"""
_RESCALE = """
  scf.if CONDITION {
    %y = ptx.ld "shared::cta" b32 [%own] -> i32
    %z = arith.addi %y, %c1 : i32
    ptx.st "shared::cta" b32 [%PLACE], {%z}
    STEP
  }
"""
_READ = """
  ptx.bar.sync %c0
  %sum = ptx.ld "shared::cta" b32 [%row] -> i32
  %wide = arith.extui %offset : i32 to i64
  %to = arith.addi %out, %wide : i64
  ptx.st global b32 [%to], {%sum}
"""


def _rescaling(
    condition: str = "%any", place: str = "own", step: str = "", after: str = _READ
) -> str:
    body = _RESCALE.replace("CONDITION", condition).replace("PLACE", place).replace("STEP", step)
    return _KERNEL.replace("BODY", body).replace("AFTER", after)


_DECIDED: Mapping[str, str] = {
    "of a warp": _rescaling(),
    "of a thread": _rescaling("%is_larger"),
    "with a vote of the threads": _rescaling(step="%vote = ptx.vote.sync any %is_larger, %all"),
    "with a fence of tensor memory": _rescaling(step="ptx.tcgen05.fence before_thread_sync"),
    # A warp agrees on its vote, and on what it knows without data.
    "of a warp, if a number is large": _rescaling(
        "%both", step="%vote = ptx.vote.sync any %is_larger, %all"
    ).replace(
        "  scf.if",
        "  %n = arith.cmpi sgt, %m, %c4 : i32\n  %both = arith.andi %any, %n : i1\n  scf.if",
    ),
}
_UNDECIDED: Mapping[str, tuple[str, set[str]]] = {
    # Other threads wait for the barrier.
    "a barrier": (_rescaling(step="ptx.bar.sync %c1"), set()),
    # The lanes of a warp may differ.
    "a vote in divergent lanes": (
        _rescaling("%is_larger", step="%vote = ptx.vote.sync any %is_larger, %all"),
        set(),
    ),
    "an address": (
        _KERNEL.replace("BODY", "%n = arith.select %any, %own, %row : i32").replace(
            "AFTER", '%v = ptx.ld "shared::cta" b32 [%n] -> i32\nptx.bar.sync %c0'
        ),
        set(),
    ),
    # Only one side writes to the word of another thread.
    "a race": (_rescaling(place="row"), {"T5-SIM-014"}),
    "no barrier": (
        _rescaling(place="row", after=_READ.replace("ptx.bar.sync %c0", "")),
        {"T5-SIM-014"},
    ),
}


@pytest.mark.parametrize("kernel", _DECIDED)
def test_both_sides_are_run(kernel: str) -> None:
    found = verdict(_DECIDED[kernel], "thorough")
    assert (found.word, found.findings) == ("verified", ())
    assert "verified; run with both results of the branch on data at line " in found.sentence


@pytest.mark.slow
@pytest.mark.parametrize("kernel", _UNDECIDED)
def test_sides_that_differ(kernel: str) -> None:
    text, rules = _UNDECIDED[kernel]
    found = verdict(text, "thorough")
    assert found.word == "not decided"
    assert {rule_of(each).id for each in found.findings} == rules
    assert all(rule_of(each).severity == "warning" for each in found.findings)

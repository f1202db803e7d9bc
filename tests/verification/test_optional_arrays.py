"""Tests of kernels whose control depends on an array only if its pointer is not null."""

import pytest

from tcgen05_dialect.verification import Effort
from tcgen05_dialect.verification.execution import rule_of

from .test_pairs import verdict

_LENGTHS = """
ptx.shared_memory @word size 4 alignment 4
ptx.kernel @k(%lengths : i64, %stride : i32, %most : i32)
    attributes {reqntid = array<i32: 64>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %null = arith.constant 0 : i64
  %word = ptx.address_of @word
  %thread = ptx.special_register tid.x
  %tile = ptx.special_register ctaid.x
  %is_first = arith.cmpi eq, %thread, %c0 : i32
  %is_given = arith.cmpi ne, %lengths, %null : i64
  %count = scf.if %is_given -> (i32) {
    %at = arith.muli %tile, %stride : i32
    %far = arith.extui %at : i32 to i64
    %from = arith.addi %lengths, %far : i64
    %length = ptx.ld global b32 [%from] -> i32
    scf.yield %length : i32
  } else {
    scf.yield %most : i32
  }
  scf.for %i = %c0 to %count step %c1 : i32 {
    scf.if %is_first { ptx.st "shared::cta" b32 [%word], {%i} }
    ptx.bar.sync %c0
    %value = ptx.ld "shared::cta" b32 [%word] -> i32
    ptx.bar.sync %c0 // after the read
  }
  STRIDE
  ptx.ret
}
"""
_WITH_STRIDE = """
  %has_stride = arith.cmpi ne, %stride, %c0 : i32
  scf.if %has_stride {
    scf.if %is_first { ptx.st "shared::cta" b32 [%word], {%c0} }
    %last = ptx.ld "shared::cta" b32 [%word] -> i32
  }
"""


@pytest.mark.parametrize("stride", ["", _WITH_STRIDE], ids=["", "a distance is 0, too"])
@pytest.mark.parametrize("effort", ["quick", "thorough"])
def test_runs_without_the_array(effort: Effort, stride: str) -> None:
    found = verdict(_LENGTHS.replace("STRIDE", stride), effort)
    assert (found.word, found.findings) == ("verified in part", ())
    # With another distance, the last accesses race.
    zeros = "%lengths = 0, %stride = 0" if stride else "%lengths = 0"
    assert found.sentence.endswith(f"; assumes {zeros}")


def test_a_mistake_without_the_array_is_a_warning() -> None:
    text = _LENGTHS.replace("    ptx.bar.sync %c0 // after the read\n", "").replace("STRIDE", "")
    found = verdict(text, "quick")
    assert found.word == "not decided"
    (error,) = found.findings
    assert (rule_of(error).id, rule_of(error).severity) == ("T5-SIM-014", "warning")
    assert "%lengths = 0" in error.message


def test_an_array_that_is_always_there_is_not_left_out() -> None:
    condition = "sgt, %most, %c0 : i32"
    text = _LENGTHS.replace("ne, %lengths, %null : i64", condition).replace("STRIDE", "")
    found = verdict(text, "quick")
    assert found.word == "not decided" and "assumes" not in found.sentence

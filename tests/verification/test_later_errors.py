"""Tests of errors behind the first one of a run."""

import pytest

from tcgen05_dialect.check import check_source
from tcgen05_dialect.reporting.diagnostics import Source

_KERNEL = """ptx.shared_memory @first size 256 alignment 4
ptx.shared_memory @second size 256 alignment 4
ptx.kernel @k(%out : i64) attributes {reqntid = array<i32: 64>} {
  %c0 = arith.constant 0 : i32
  %c4 = arith.constant 4 : i32
  %c63 = arith.constant 63 : i32
  %thread = ptx.special_register tid.x
  %other = arith.subi %c63, %thread : i32
  %bytes = arith.muli %thread, %c4 : i32
  %other_bytes = arith.muli %other, %c4 : i32
  %first = ptx.address_of @first
  %second = ptx.address_of @second
  %a = arith.addi %first, %bytes : i32
  %b = arith.addi %first, %other_bytes : i32
  %c = arith.addi %second, %bytes : i32
  %d = arith.addi %second, %other_bytes : i32
  ptx.st "shared::cta" b32 [%a], {%c0}
  ptx.st "shared::cta" b32 [%c], {%c0}
  ptx.bar.sync %c0
  ptx.st "shared::cta" b32 [%a], {%thread}
  FIRST
  %x = ptx.ld "shared::cta" b32 [%b] -> i32
  ptx.st "shared::cta" b32 [%c], {%x}
  SECOND
  %y = ptx.ld "shared::cta" b32 [%d] -> i32
  %z = ptx.ld "shared::cta" b32 [%d] -> i32
  %wide = arith.extui %bytes : i32 to i64
  %to = arith.addi %out, %wide : i64
  ptx.st global b32 [%to], {%y}
  ptx.ret
}
"""
_BARRIER = "ptx.bar.sync %c0"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("first", "second", "lines"),
    [
        (_BARRIER, _BARRIER, []),
        ("", _BARRIER, [20]),
        # The second load of the word that no barrier orders says nothing new.
        ("", "", [20, 23]),
    ],
)
def test_later_errors(first: str, second: str, lines: list[int]) -> None:
    text = _KERNEL.replace("FIRST", first).replace("SECOND", second)
    _, *errors = sorted(
        check_source(Source("k.mlir", text), verify="quick"),
        key=lambda each: (each.severity != "remark", each.line),
    )
    assert [each.line for each in errors] == lines
    assert all(each.severity == "error" and each.fix for each in errors)

"""Tests of the evaluation of loop conditions, before any run."""

import warnings

import pytest

from .test_pairs import verdict

LOOP = """
ptx.kernel @k(%n : i32, %m : i32) attributes {{reqntid = array<i32: 32>}} {{
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  {before}
  scf.for %i = %c0 to %{bound} step %c1 : i32 {{
    ptx.bar.sync %c0
  }}
  ptx.ret
}}
"""


@pytest.mark.slow
def test_long_chain_before_the_bound() -> None:
    """Python limits the depth of recursion to 1000 calls."""
    chain = ["%x0 = arith.addi %n, %c0 : i32"]
    # Not folded, and an even number of them has no effect.
    chain += [f"%x{i + 1} = arith.xori %x{i}, %m : i32" for i in range(1200)]
    found = verdict(LOOP.format(before="\n  ".join(chain), bound="x1200"), "thorough")
    assert found.findings == ()
    assert found.sentence.startswith("verified; loops: line 1206 for ")


def test_undefined_arithmetic_prints_no_warning() -> None:
    """The sizes that are tried include divisors of 0."""
    text = LOOP.format(before="%x = arith.divui %n, %m : i32", bound="x")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert verdict(text, "quick").sentence.startswith("verified; loops: ")

"""Tests of the evaluation of loop conditions, before any run."""

import warnings

import pytest

from tcgen05_dialect.compiler import lower_source
from tcgen05_dialect.reporting.diagnostics import Source
from tcgen05_dialect.simulator.launch.launch import kernel_of
from tcgen05_dialect.verification.static.loops import loops_of

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


@pytest.mark.parametrize(("step", "stages"), [(8, 3), (1, 24), (-1, 24), (-8, 3), (16, 3), (5, 24)])
@pytest.mark.parametrize(
    "wrap",
    [
        "%rest = arith.muli %round, %c24 : i32\n    %at = arith.subi %place, %rest : i32",
        "%at = ptx.mad s32 %round, %minus24, %place",
    ],
)
def test_an_address_advances_by_the_bytes_of_a_stage(wrap: str, step: int, stages: int) -> None:
    """Three stages of 8 bytes are no 24 stages."""
    text = f"""
ptx.shared_memory @words size 24 alignment 8
ptx.kernel @k(%n : i32) attributes {{reqntid = array<i32: 32>}} {{
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c3 = arith.constant 3 : i32
  %step = arith.constant {step} : i32
  %c24 = arith.constant 24 : i32
  %minus24 = arith.constant -24 : i32
  %words = ptx.address_of @words
  scf.for %i = %c0 to %n step %c1 iter_args(%place = %c0) -> (i32) : i32 {{
    %round = arith.divui %i, %c3 : i32
    {wrap}
    %word = arith.addi %words, %at : i32
    ptx.st "shared::cta" b32 [%word], {{%c0}}
    %next = arith.addi %place, %step : i32
    scf.yield %next : i32
  }}
  ptx.ret
}}
"""
    (loop,) = loops_of(kernel_of(lower_source(Source("k.mlir", text)).module, None))
    assert loop.stages == stages

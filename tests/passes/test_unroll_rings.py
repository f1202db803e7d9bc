"""Tests of rings that are unrolled: the same results with tails, and the same verdicts."""

from itertools import product as combinations

import pytest
from xdsl.dialects.builtin import ModuleOp

from tcgen05_dialect.compiler import lower_source
from tcgen05_dialect.reporting.diagnostics import Source
from tcgen05_dialect.simulator.launch.launch import kernel_of
from tcgen05_dialect.verification.verdict import verdict_of

from ..support.effort import sampled
from ..support.headed_kernels import check_results, inputs_of, run
from ..support.ring_kernels import (
    COMMIT,
    WAIT,
    addresses,
    init,
    multiply,
    producer,
    product,
    specialised,
)
from ..support.ring_styles import BODIES

_PLAIN = ("counted", "toggled", "bits", "rotated", "speculative", "polled_backoff")

_WORK = f"{addresses()}\n{WAIT.format(barrier='%l', parity='%parity')}\n{multiply('%accumulates')}"
_SEVERAL = f"""
%ends:2 = scf.for %i = %c0 to %blocks step %c1
    iter_args(%odd = %c0, %last = %all_lanes) -> (i32, i32) : i32 {{
  %stage = arith.remui %i, %c3 : i32
  %of_two = arith.remui %i, %c6 : i32
  %parity = arith.divui %of_two, %c3 : i32
  %low = arith.andi %i, %c1 : i32
  %is_odd = arith.cmpi eq, %odd, %low : i32
  %is_later = arith.cmpi ne, %last, %all_lanes : i32
  %accumulates = arith.andi %is_odd, %is_later : i1
  {_WORK}
  %even = arith.xori %odd, %c1 : i32
  scf.yield %even, %i : i32, i32
}}
"""
"""A loop with rounds of two, three and six, which only hands its counter to the next iteration."""
_STEPS_OF_2 = f"""
%twice = arith.muli %blocks, %c2 : i32
%ends:2 = scf.for %i = %c0 to %twice step %c2
    iter_args(%stage = %c0, %parity = %c0) -> (i32, i32) : i32 {{
  %third = arith.divui %i, %c3 : i32
  %whole = arith.muli %third, %c3 : i32
  %rest = arith.remui %i, %c3 : i32
  %sum = arith.addi %whole, %rest : i32
  %is_sum = arith.cmpi eq, %sum, %i : i32
  %is_later = arith.cmpi ne, %i, %c0 : i32
  %accumulates = arith.andi %is_sum, %is_later : i1
  {_WORK}
  %next = arith.addi %stage, %c1 : i32
  %wraps = arith.cmpi eq, %next, %c3 : i32
  %next_stage = arith.select %wraps, %c0, %next : i32
  %flip = arith.extui %wraps : i1 to i32
  %next_parity = arith.xori %parity, %flip : i32
  scf.yield %next_stage, %next_parity : i32, i32
}}
"""
"""A loop whose counter does not count iterations; its quotient is not the number of the round."""
_ROLES = """
ptx.kernel @roles() {
  ws.warp_specialize {
    ws.role @idle warps(1) {
    }
  }
  ptx.ret
}
"""


def _lowered(style: str, blocks: int, unroll_rings: bool = True) -> ModuleOp:
    source = Source("kernel", product(style, BODIES[style], 4, blocks))
    return lower_source(source, unroll_rings=unroll_rings).module


def _products(module: ModuleOp) -> int:
    return sum(op.name == "ptx.tcgen05.mma" for op in module.walk())


@pytest.mark.slow
@pytest.mark.parametrize(
    ("style", "blocks"), sampled(combinations(_PLAIN, [1, 3, 8]), 2, of=lambda case: case[1])
)
def test_results(style: str, blocks: int) -> None:
    """No whole round, a whole one, and whole ones with a rest, in rings of three stages."""
    module = _lowered(style, blocks)
    assert _products(module) == 3 + 1
    launch = inputs_of(product(style, BODIES[style], 4, blocks))
    assert not run(module, launch, "lazy").findings
    check_results(launch)


@pytest.mark.parametrize(("loop", "copies"), [(_SEVERAL, 6), (_STEPS_OF_2, 3)])
def test_rounds(loop: str, copies: int) -> None:
    text = product("rounds", specialised(3, init(3), producer(3), f"{loop}\n{COMMIT}"), 4, 8)
    module = lower_source(Source("kernel", text), unroll_rings=True).module
    assert _products(module) == copies + 1
    launch = inputs_of(text)
    assert not run(module, launch, "lazy").findings
    check_results(launch)


def test_kernel_beside_one_with_roles() -> None:
    text = product("counted", BODIES["counted"], 4, 8) + _ROLES
    assert _products(lower_source(Source("kernel", text), unroll_rings=True).module) == 3 + 1


@pytest.mark.slow
@pytest.mark.parametrize("style", ["counted", "toggled"])
def test_verdict(style: str) -> None:
    kernel = kernel_of(_lowered(style, 8), None)
    assert "for any number of iterations" in verdict_of(kernel, "thorough").sentence


@pytest.mark.parametrize("style", ["unrolled", "mul_hi"])
def test_other_loops(style: str) -> None:
    """A loop that is already unrolled, and a stage that comes from other arithmetic."""
    assert str(_lowered(style, 8)) == str(_lowered(style, 8, unroll_rings=False))

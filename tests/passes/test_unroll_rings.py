"""Tests of rings that are unrolled: the same results with tails, and the same verdicts."""

import pytest
from xdsl.dialects.builtin import ModuleOp

from tcgen05_dialect.compiler import lower_source
from tcgen05_dialect.reporting.diagnostics import Source
from tcgen05_dialect.simulator.launch.launch import kernel_of
from tcgen05_dialect.verification.verdict import verdict_of

from ..support.headed_kernels import check_results, inputs_of, run
from ..support.ring_kernels import product
from ..support.ring_styles import BODIES

_PLAIN = ("counted", "toggled", "bits", "rotated", "speculative", "polled_backoff")


def _lowered(style: str, blocks: int, unroll_rings: bool = True) -> ModuleOp:
    source = Source("kernel", product(style, BODIES[style], 4, blocks))
    return lower_source(source, unroll_rings=unroll_rings).module


def _products(module: ModuleOp) -> int:
    return sum(op.name == "ptx.tcgen05.mma" for op in module.walk())


@pytest.mark.parametrize("style", _PLAIN)
@pytest.mark.parametrize("blocks", [1, 3, 8])
def test_results(style: str, blocks: int) -> None:
    """No whole round, a whole one, and whole ones with a rest, in rings of three stages."""
    module = _lowered(style, blocks)
    assert _products(module) == 3 + 1
    launch = inputs_of(product(style, BODIES[style], 4, blocks))
    assert not run(module, launch, "lazy").findings
    check_results(launch)


@pytest.mark.parametrize("style", ["counted", "toggled"])
def test_verdict(style: str) -> None:
    kernel = kernel_of(_lowered(style, 8), None)
    assert "for every number of iterations" in verdict_of(kernel, "thorough").sentence


@pytest.mark.parametrize("style", ["unrolled", "mul_hi"])
def test_other_loops(style: str) -> None:
    """A loop that is already unrolled, and a stage that comes from other arithmetic."""
    assert str(_lowered(style, 8)) == str(_lowered(style, 8, unroll_rings=False))

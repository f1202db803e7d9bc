"""Tests of fixes of wrong numbers: counts, parities, bytes, stages, barriers and masks."""

from functools import cache

import pytest

from tcgen05_dialect.compiler import lower_source
from tcgen05_dialect.reporting.diagnostics import CompileError, Source
from tcgen05_dialect.reporting.formats import edited
from tcgen05_dialect.simulator.launch.launch import kernel_of
from tcgen05_dialect.verification.execution import rule_of
from tcgen05_dialect.verification.repair.repair import Repair
from tcgen05_dialect.verification.verdict import verdict_of

from ..simulator.test_pairs import text_of
from ..support.effort import sampled
from ..support.headed_kernels import warnings_in
from ..support.number_mutants import NumberMutant, number_mutants_of
from .test_pairs import verdict

_KERNELS = {
    name: text_of(name)
    for name in ("rotated_ring", "tma_ring", "commit_multicast", "barrier_again", "mixed_arrivals")
}
MUTANTS = [(name, each) for name, text in _KERNELS.items() for each in number_mutants_of(text)]


@cache
def _right(kernel: str) -> str:
    return verdict(_KERNELS[kernel], "quick").word


@pytest.mark.slow
@pytest.mark.parametrize(("kernel", "mutant"), sampled(MUTANTS, 5), ids=str)
def test_fix(kernel: str, mutant: NumberMutant) -> None:
    """A fix changes the wrong number, or another one with which the kernel is right again."""
    source = Source("kernel", mutant.text)
    try:
        module = lower_source(source).module
    except CompileError:
        return  # `check` finds it without a run.
    found = verdict_of(kernel_of(module, None), "quick")
    errors = [e for e in found.findings if rule_of(e).id not in warnings_in(_KERNELS[kernel])]
    if not errors:
        return  # The number does not matter, or it is not known whether it does.
    fix = Repair(source, "quick").fix(found, errors[0])
    assert fix is not None
    assert fix.text.startswith("change ")
    assert verdict(edited(source, fix.edits).text, "quick").word == _right(kernel)

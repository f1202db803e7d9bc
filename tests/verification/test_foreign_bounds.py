"""Tests of what `sim` and `check` find when a step is missing in kernels of other compilers."""

import re
from collections.abc import Iterator, Mapping

import pytest

from ..support.effort import SWEEP, sampled
from ..support.foreign_bounds import Bounds, judged
from ..support.foreign_kernels import foreign_kernel
from ..support.foreign_mutants import Mutant, mutants_of

SAMPLED = ("gluon_clc", "gluon_tma_2cta_f16_256x128x64")
"""Kernels that run fastest; `python -m tests.support.foreign_bounds` judges the mutants of all."""
EXCEPTIONS: Mapping[tuple[str, int], str] = {}
"""Name of a kernel and line of a step whose loss is not found -> the reason."""


def one_of_each_kind() -> Iterator[tuple[str, Mutant]]:
    """For each instruction of the steps of the kernels, the mutant without the last one of the
    first kernel that has it."""
    kinds: dict[str, tuple[str, Mutant]] = {}
    for name in reversed(SAMPLED):
        for mutant in mutants_of(foreign_kernel(name)):
            kinds[re.sub(r"@\S+ |[%\[].*", "", mutant.step)] = name, mutant
    yield from kinds.values()


@pytest.mark.slow
def test_mutants_that_change_a_run_are_found() -> None:
    """At least 95 of 100 mutants that change a run have a finding of each command; of a sample,
    all but the exceptions."""
    found = [judged(name, mutant) for name, mutant in sampled(one_of_each_kind(), 4)]
    bounds = Bounds.of(found)
    assert bounds.changed > (15 if SWEEP else 2)
    assert bounds.decided > (8 if SWEEP else 1)
    missed = {(each.name, each.mutant.line) for each in found if each.is_missed}
    assert missed <= EXCEPTIONS.keys()
    assert bounds.are_kept

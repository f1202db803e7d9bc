"""Tests of mutants: each is refused, or runs without a race and ends."""

import ml_dtypes
import numpy as np
import pytest

from tcgen05_dialect.compiler import parse, verify
from tcgen05_dialect.reporting.diagnostics import CompileError, Source
from tcgen05_dialect.simulator import Launch, Run, TensorMap, simulate

from ..support.ws_mutants import Mutant, mutants
from . import test_pair
from .test_gemm import NARROW, narrow

MUTANTS = list(mutants(narrow(3)))
OTHER_PROGRAMS = ("double ws.mma", "bound 0 scf.for", "drop ws.global_store")
"""Mutants that are right programs for another result."""
_STEP_RULE = "T5-PTX-111"
"""The rule of a loop whose step is zero, which the lowering checks."""


def is_refused(mutant: Mutant) -> bool:
    source = Source("mutant.mlir", mutant.text)
    try:
        verify(parse(source)[0], source)
    except CompileError:
        return True
    return False


def run(mutant: Mutant) -> None:
    m, n, k = 130, 20, 136
    rng = np.random.default_rng(0)
    a, b = (rng.integers(-4, 5, (rows, k)).astype(np.float32) for rows in (m, n))
    bf16 = ml_dtypes.bfloat16
    c = np.zeros((m, n), bf16)
    maps = [
        TensorMap.of(matrix.astype(bf16), (64, rows), swizzle="swizzle_128b")
        for matrix, rows in ((a, 128), (b, NARROW))
    ]
    launch = Launch((2, 1), dynamic_shared_memory=5 * (128 + NARROW) * 128)
    arguments = [*maps, c.view(np.uint16), m, n, k]
    report = simulate(mutant.text, arguments, launch, Run("lazy", max_steps=200_000))
    assert report.findings == ()
    if not mutant.name.startswith(OTHER_PROGRAMS):
        assert np.array_equal(c, (a @ b.T).astype(bf16))


def test_most_mutants_are_refused() -> None:
    refused = sum(map(is_refused, MUTANTS))
    assert len(MUTANTS) > 80
    assert refused > len(MUTANTS) * 2 // 3


@pytest.mark.slow
@pytest.mark.parametrize("mutant", MUTANTS, ids=lambda mutant: mutant.name)
def test_is_refused_or_right(mutant: Mutant) -> None:
    if is_refused(mutant):
        return
    try:
        run(mutant)
    except CompileError as error:
        assert error.rules == (_STEP_RULE,)


@pytest.mark.slow
def test_pair_mutants_are_refused_or_do_not_race() -> None:
    """Dropped, doubled and moved operations of the kernel of pairs."""
    m, n, k = 300, 72, 136
    accepted = 0
    for mutant in mutants(test_pair.narrow(2, 2, persistent=True)):
        if not mutant.name.startswith(("drop", "double", "move")) or is_refused(mutant):
            continue
        accepted += 1
        arrays = [np.ones(shape, ml_dtypes.bfloat16) for shape in ((m, k), (n, k), (m, n))]
        launch = Launch((2,), dynamic_shared_memory=180 * 1024)
        run = Run("lazy", max_steps=300_000)
        report = simulate(mutant.text, [*arrays, m, n, k], launch, run)
        assert report.findings == (), mutant.name
    assert accepted

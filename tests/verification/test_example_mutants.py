"""Tests of verdicts on mutants of the examples, compared with the emulator on data."""

from collections.abc import Mapping

import ml_dtypes
import numpy as np
import pytest

from tcgen05_dialect.compiler import lower_source
from tcgen05_dialect.reporting.diagnostics import CompileError, Source
from tcgen05_dialect.simulator import Launch, Report, Run, TensorMap, simulate

from ..support.effort import sampled
from ..support.headed_kernels import shown_by_run
from ..support.mutants import Mutant, mutants_of
from ..support.repository import EXAMPLES
from .test_mutants import by_verifier

_COLUMNS: Mapping[str, int] = {"gemm_warp_specialized": 256}
"""Example -> the columns of its tile, if they are not 128."""
_SIZES = ((130, 41, 392), (128, 128, 392))
"""M, N and K; columns are stored one by one in the first, all in vectors in the second."""
_NAMES = tuple(path.stem for path in sorted(EXAMPLES.glob("*.mlir")))


def _text(name: str) -> str:
    return (EXAMPLES / f"{name}.mlir").read_text()


def _run(name: str, text: str, m: int, n: int, k: int) -> tuple[Report, bool]:
    """What the emulator finds, and whether the result is right."""
    columns = _COLUMNS.get(name, 128)
    rng = np.random.default_rng(0)
    a, b = (rng.integers(-3, 4, (rows, k)).astype(ml_dtypes.bfloat16) for rows in (m, n))
    c = np.zeros((m, n), ml_dtypes.bfloat16)
    tiles = (a, 128), (b, columns)
    report = simulate(
        text,
        [
            *(TensorMap.of(x, (64, rows), swizzle="swizzle_128b") for x, rows in tiles),
            *(c.view(np.uint16), m, n, k),
        ],
        Launch(
            (-(-m // 128), -(-n // columns)),
            dynamic_shared_memory=0 if name == "gemm_single_tile" else 4 * (128 + columns) * 64 * 2,
        ),
        Run("lazy", max_steps=100_000),
    )
    expected = (a.astype(np.float32) @ b.astype(np.float32).T).astype(ml_dtypes.bfloat16)
    return report, bool((c == expected).all())


_MUTANTS = [(name, mutant) for name in _NAMES for mutant in mutants_of(_text(name))]


@pytest.mark.slow
@pytest.mark.parametrize(("name", "mutant"), sampled(_MUTANTS, 1, of=lambda each: each[0]), ids=str)
def test_mutant(name: str, mutant: Mutant) -> None:
    """A mistake is found by the same rule; other mutants get the same warnings."""
    try:
        lower_source(Source(name, mutant.text))
    except CompileError:
        return  # `check` finds it without a run.
    errors, shown, right = set[str](), set[str](), True
    for sizes in _SIZES:
        report, as_expected = _run(name, mutant.text, *sizes)
        errors |= {each.rule for each in report.errors}
        shown |= shown_by_run(report.findings)
        right &= as_expected
    found = by_verifier(mutant.text)
    if errors:
        assert found.errors & errors
    else:
        assert right
        assert found.errors == set()
        assert found.warnings <= shown <= found.warnings | found.at_some_sizes


def test_each_example_has_mutants() -> None:
    assert {name for name, _ in _MUTANTS} == {*_NAMES}

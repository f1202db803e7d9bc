"""Property: random products in `ws` verify, lower and emulate as numpy computes them."""

import numpy as np
import pytest

from tcgen05_dialect.check import check_source
from tcgen05_dialect.reporting.diagnostics import Source
from tcgen05_dialect.simulator import SCHEDULES, Run, simulate

from ..support.effort import sampled
from ..support.ws_programs import Program, program_of

PROGRAMS = 320


@pytest.mark.slow
@pytest.mark.parametrize("seed", sampled(range(PROGRAMS), 4))
def test_programs_emulate_as_numpy(seed: int) -> None:
    program = program_of(seed)
    arguments, c, expected = program.arguments(np.random.default_rng(seed))
    run = Run(SCHEDULES[seed % len(SCHEDULES)], seed)
    assert simulate(program.text(), arguments, program.launch(), run).findings == (), program
    assert np.array_equal(c, expected), program


@pytest.mark.slow
@pytest.mark.parametrize("seed", sampled(range(PROGRAMS), 1))
def test_programs_are_verified(seed: int) -> None:
    (remark,) = check_source(Source("kernel.mlir", program_of(seed).text()), verify="quick")
    assert remark.verdict == "verified"


def test_programs_are_different() -> None:
    """Each choice occurs, also together with pairs."""
    programs = [*map(program_of, range(PROGRAMS))]
    for choice in ("kind", "a_from", "b_major", "epilogue", "output", "swizzle", "blocks"):
        for among in (programs, [each for each in programs if each.pair]):
            assert {getattr(each, choice) for each in among} == _all(programs, choice)
    assert {depth for each in programs for depth in each.depths} == {1, 2, 3, 4, 5, 6}


def _all(programs: list[Program], choice: str) -> set[object]:
    return {getattr(each, choice) for each in programs}

"""Tests of kernels of linalg: the emulator computes what numpy does."""

from typing import Any

import numpy as np
import pytest

from tcgen05_dialect import Source
from tcgen05_dialect.compiler import lower_tensors, parse
from tcgen05_dialect.contraction.plan import bytes_of
from tcgen05_dialect.tensor_program import TensorProgram

from ..support.effort import sampled
from .linalg_programs import CASES, DTYPES, Case

TOLERANCES = {2: 1e-2, 4: 3e-3}
"""Bytes of an element -> the largest difference, as a part of the largest number."""


def lowered(case: Case) -> TensorProgram:
    """The kernels of a text."""
    source = Source("kernel.mlir", case.text)
    (program,) = lower_tensors(parse(source)[0], source)
    return TensorProgram(program)


def contents(case: Case) -> list[Any]:
    """Small numbers, of which every type represents all."""
    random = np.random.default_rng(0)
    return [random.integers(-4, 5, s).astype(DTYPES[type_]) for s, type_ in case.arguments]


@pytest.mark.slow
@pytest.mark.parametrize("name", sampled(sorted(CASES), 14))
def test_program(name: str) -> None:
    case = CASES[name]
    program, arrays = lowered(case), contents(case)
    found = program.emulate(*arrays).astype(np.float64)
    expected = case.expected(*(each.astype(np.float64) for each in arrays))
    tolerance = TOLERANCES[bytes_of(program.program.results[0].element)]
    assert found.shape == expected.shape
    assert np.abs(found - expected).max() <= tolerance * np.abs(expected).max()
    assert {each.verdict for each in program.verify("thorough")} == {"verified"}

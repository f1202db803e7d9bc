"""Tests of kernels of cuTile: the emulator computes what numpy does."""

import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from xdsl.dialects import math
from xdsl.dialects.builtin import FileLineColLoc

from tcgen05_dialect import CompileError
from tcgen05_dialect.cutile import TensorProgram, lower

from ..support.effort import EFFORT, sampled
from . import cutile_kernels
from .cutile_kernels import CASES, REFUSED, Case, Refused, copy

TOLERANCES = {2: 2e-2, 4: 3e-3}
"""Bytes of an element -> the largest difference, as a part of the largest number."""


def name_of(case: Case | Refused) -> str:
    return case.kernel._annotated_function.pyfunc.__name__


def contents(case: Case | Refused) -> list[Any]:
    """Random arguments of a kernel."""
    random: Any = np.random.default_rng(0)
    found: list[Any] = []
    for each in case.arguments:
        content: Any = each
        if not isinstance(each, int):
            shape, element = each
            numbers = random.integers(-4, 5, shape) / (1 if element is np.int8 else 4)
            content = numbers.astype(element)
        found.append(content)
    return found


def lowered(case: Case) -> tuple[TensorProgram, dict[str, Any]]:
    """The kernels, and the arguments by their names."""
    arguments = contents(case)
    names = [*case.kernel._annotated_function.pysig.parameters]
    program = lower(case.kernel, case.grid, arguments)
    return program, dict(zip(names, arguments, strict=True))


@pytest.mark.slow
@pytest.mark.parametrize("name", sampled(sorted(CASES), 10))
def test_kernel(name: str) -> None:
    case = CASES[name]
    program, given = lowered(case)
    assert len(program.program.kernels) == case.kernels
    arrays = (given[each.name] for each in program.program.arguments)
    wide = {name: np.asarray(each, np.float64) for name, each in given.items()}
    found: Any = program.emulate(*arrays)
    expected: Any = eval(case.expected, dict(vars(cutile_kernels)), wide)
    several = len(program.program.results) > 1
    for each, other in zip(found, expected, strict=True) if several else [(found, expected)]:
        assert each.shape == other.shape
        tolerance = TOLERANCES[each.dtype.itemsize] * np.abs(other).max()
        assert np.abs(each.astype(np.float64) - other).max() <= tolerance
    assert {each.verdict for each in program.verify(EFFORT)} == {"verified"}


@pytest.mark.parametrize("case", REFUSED, ids=name_of)
def test_refusal(case: Refused) -> None:
    """The message is one sentence, at the line of the kernel."""
    with pytest.raises(CompileError, match=case.message) as error:
        lower(case.kernel, case.grid, contents(case))
    (finding,) = error.value.findings
    assert "\n" not in finding.message
    if case.line:
        file = str(cutile_kernels.__file__)
        assert finding.file == file
        assert case.line in Path(file).read_text().split("\n")[finding.line - 1]


def test_places() -> None:
    """The operations of a kernel have the lines of the Python file that they come from."""
    case = CASES["bias_and_silu"]
    (kernel,) = lowered(case)[0].program.kernels
    lines = Path(str(cutile_kernels.__file__)).read_text().split("\n")
    found = 0
    for op in kernel.op.walk():
        if isinstance(op, math.ExpOp):
            assert isinstance(op.location, FileLineColLoc)
            line = lines[op.location.line.data - 1]
            assert line[op.location.column.data - 1 :].startswith("ct.exp(-x)")
            found += 1
    assert found == 1


def test_arguments() -> None:
    vector = np.zeros(64, np.float32)
    with pytest.raises(ValueError, match="needs 3 arguments; found 2"):
        lower(copy, (4,), [vector, 16])
    with pytest.raises(TypeError, match=r"made by ct\.kernel"):
        lower(len, (4,), [vector, vector, 16])
    program = lower(copy, (4,), [vector, vector, np.int32(16)])
    assert [each.name for each in program.program.results] == ["y"]


def test_missing_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cuda.tile", None)
    with pytest.raises(CompileError, match=r"not installed; install tcgen05-dialect\[cutile\]"):
        lower(copy, (4,), [])

"""
Kernels whose comments say how to run them and what comes out.

`// argument NAME: TYPE SHAPE` is an array; with `, box BOX SWIZZLE` at the end, it is a tensor map
of the array. `// argument NAME: NUMBER` is an integer. `// result NAME: EXPRESSION` is an array of
zeros and its content after the run. `// grid N` is the number of CTAs, by default those of one
cluster. `// warning RULE` is a warning of the kernel as it is.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np
import numpy.typing as npt
from xdsl.dialects.builtin import ModuleOp

from tcgen05_dialect.compiler import without_garbage_collection
from tcgen05_dialect.reporting.diagnostics import Finding
from tcgen05_dialect.reporting.project import rules
from tcgen05_dialect.simulator import Launch, Report, Run, TensorMap, simulate

Array = npt.NDArray[Any]

LAZY = ("lazy", 0)
SCHEDULES = [LAZY, ("eager", 0), *(("random", seed) for seed in range(4))]
TYPES: Mapping[str, Any] = {
    "bf16": ml_dtypes.bfloat16,
    "e4m3": ml_dtypes.float8_e4m3fn,
    "ue8m0": ml_dtypes.float8_e8m0fnu,
    "f32": np.float32,
    "u32": np.uint32,
}

_ARGUMENT = re.compile(
    r"// argument (\w+): (?:(\d+)|(\w+) ([\dx]+)(?:, box ([\dx]+) (\w+))?)$", re.M
)
_RESULT = re.compile(r"// result (\w+): (.+)$", re.M)
_WARNING = re.compile(r"// warning (\S+)$", re.M)
_CLUSTER = re.compile(r"cluster_dims = array<i32: (\d+)")
_GRID = re.compile(r"// grid (\d+)$", re.M)


@dataclass
class Inputs:
    """What a kernel is run with, how many CTAs its grid has, and what comes out."""

    ctas: int
    arrays: dict[str, Array]
    arguments: list[Array | TensorMap | int]
    results: dict[str, Array]


def warnings_in(text: str) -> list[str]:
    """The rules of the warnings of a kernel as it is."""
    return _WARNING.findall(text)


def inputs_of(text: str) -> Inputs:
    """Fresh arguments of a kernel."""
    results = dict(_RESULT.findall(text))
    arrays: dict[str, Array] = {}
    arguments: list[Array | TensorMap | int] = []
    rng = np.random.default_rng(0)
    for name, number, type_, shape, box, swizzle in _ARGUMENT.findall(text):
        if number:
            arguments.append(int(number))
            continue
        array = arrays.get(name)
        if array is None:
            extents = tuple(map(int, shape.split("x")))
            values = np.zeros(extents) if name in results else _numbers(rng, type_, extents)
            array = arrays[name] = values.astype(TYPES[type_])
        data = array.view(np.uint8) if array.itemsize == 1 else array
        if box:
            arguments.append(TensorMap.of(data, tuple(map(int, box.split("x"))), swizzle=swizzle))
        else:
            arguments.append(data)
    names = {name: _number(array) for name, array in arrays.items()}
    known = {"np": np, "bf16": _bf16}
    expected = {name: np.asarray(eval(text, known, names)) for name, text in results.items()}
    grid = _GRID.search(text) or _CLUSTER.search(text)
    return Inputs(int(grid[1]) if grid else 1, arrays, arguments, expected)


def _numbers(rng: np.random.Generator, type_: str, extents: tuple[int, ...]) -> Array:
    """Integers that all differ, or that are small enough for exact sums of products."""
    if type_ == "u32":
        return np.arange(1, 1 + np.prod(extents)).reshape(extents)
    return rng.integers(1, 6, extents)


def _number(array: Array) -> Array:
    """An array of numbers with which numpy computes."""
    return array.copy() if array.dtype.type in (np.float32, np.uint32) else array.astype(np.float32)


def _bf16(array: Array) -> Array:
    """Numbers rounded to bf16."""
    return array.astype(ml_dtypes.bfloat16).astype(np.float32)


def run(kernel: ModuleOp | str, launch: Inputs, schedule: str, seed: int = 0) -> Report:
    """Run a kernel."""
    with without_garbage_collection():
        return simulate(
            kernel,
            launch.arguments,
            Launch((launch.ctas,)),
            Run(schedule, seed, max_steps=100_000),
        )


def is_right(launch: Inputs) -> bool:
    """Whether the results of a run are those expected."""
    results = launch.results.items()
    return all(np.array_equal(_number(launch.arrays[name]), each) for name, each in results)


def check_results(launch: Inputs) -> None:
    assert is_right(launch)


def shown_by_run(findings: Iterable[Finding]) -> set[str]:
    """The rules of findings, without warnings about the text of a kernel."""
    return {
        each.rule
        for each in findings
        if each.severity == "error" or rules()[each.rule].shown_by == "run"
    }

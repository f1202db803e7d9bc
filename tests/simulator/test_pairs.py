"""
Tests of the kernels in `synchronization/`: each as it is, and without one of its steps.

Comments at the top of a kernel say how to run it. `// argument NAME: TYPE SHAPE` is an array; with
`, box BOX SWIZZLE` at the end, it is a tensor map of the array. `// result NAME: EXPRESSION` is an
array of zeros and its content after the run. `// grid N` is the number of CTAs, by default those of
one cluster. `// warning RULE` is a warning of the kernel as it is.

A comment after a line, or alone before it, names a mutant. `// step: WHAT [RULE]`: the kernel
without the line breaks the rule. `// step: WHAT [RULE] -> LINE`: so does the kernel with LINE in
its place. `// mistake: WHAT [RULE] -> LINE`: so does the kernel with LINE added. The schedule
`lazy` finds all of them. `// Mistakes are found under every schedule.` says that all schedules do.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import ml_dtypes
import numpy as np
import numpy.typing as npt
import pytest
from xdsl.dialects.builtin import ModuleOp

from tcgen05_dialect.compiler import lower_source, without_garbage_collection
from tcgen05_dialect.isa.simulation import PHASES
from tcgen05_dialect.reporting.diagnostics import Source
from tcgen05_dialect.reporting.findings import Finding
from tcgen05_dialect.reporting.rule_programs import rules
from tcgen05_dialect.simulator import Launch, Report, Run, TensorMap, simulate

Array = npt.NDArray[Any]

KERNELS = Path(__file__).parent / "synchronization"
LAZY = ("lazy", 0)
SCHEDULES = [LAZY, ("eager", 0), *(("random", seed) for seed in range(4))]
TYPES: Mapping[str, Any] = {
    "bf16": ml_dtypes.bfloat16,
    "e4m3": ml_dtypes.float8_e4m3fn,
    "ue8m0": ml_dtypes.float8_e8m0fnu,
    "f32": np.float32,
    "u32": np.uint32,
}

_UNDER_EVERY = "// Mistakes are found under every schedule.\n"
_ARGUMENT = re.compile(r"// argument (\w+): (\w+) ([\dx]+)(?:, box ([\dx]+) (\w+))?$", re.M)
_RESULT = re.compile(r"// result (\w+): (.+)$", re.M)
_WARNING = re.compile(r"// warning (\S+)$", re.M)
_CLUSTER = re.compile(r"cluster_dims = array<i32: (\d+)")
_GRID = re.compile(r"// grid (\d+)$", re.M)
_MARKER = re.compile(r"(.*?) *// (step|mistake): (.+?) \[(T5-[A-Z_]+-\d+)\](?: -> (.*))?$")


class Step(NamedTuple):
    """A mistake of a kernel: its text with it, and the rule that it breaks."""

    what: str
    rule: str
    text: str


@dataclass
class Inputs:
    """What a kernel is run with, how many CTAs its grid has, and what comes out."""

    ctas: int
    arrays: dict[str, Array]
    arguments: list[Array | TensorMap]
    results: dict[str, Array]


@cache
def text_of(kernel: str) -> str:
    return (KERNELS / f"{kernel}.mlir").read_text(encoding="utf-8")


@cache
def steps_of(kernel: str) -> dict[str, Step]:
    """The mistakes of a kernel by what is missing."""
    return {step.what: step for step in _steps(text_of(kernel).splitlines())}


def _steps(lines: list[str]) -> Iterator[Step]:
    for number, line in enumerate(lines):
        marker = _MARKER.match(line)
        if marker is None:
            continue
        code, keyword, what, rule, instead = marker.groups()
        place = number
        if keyword == "step" and not code:
            place = next(at for at in range(number, len(lines)) if _code(lines[at]))
        changed = [*lines[:place], instead or "", *lines[place + 1 :]]
        yield Step(what, rule, "\n".join(changed))


def _code(line: str) -> str:
    return line.partition("//")[0].strip()


def warnings_of(kernel: str) -> list[str]:
    """The rules of the warnings of a kernel as it is."""
    return _WARNING.findall(text_of(kernel))


def launch_of(kernel: str) -> Inputs:
    text = text_of(kernel)
    results = dict(_RESULT.findall(text))
    arrays: dict[str, Array] = {}
    arguments: list[Array | TensorMap] = []
    rng = np.random.default_rng(0)
    for name, type_, shape, box, swizzle in _ARGUMENT.findall(text):
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


NAMES = sorted(path.stem for path in KERNELS.glob("*.mlir"))
PAIRS = [(kernel, what) for kernel in NAMES for what in steps_of(kernel)]


def check_results(launch: Inputs) -> None:
    for name, expected in launch.results.items():
        assert np.array_equal(_number(launch.arrays[name]), expected)


def shown_by_run(findings: Iterable[Finding]) -> set[str]:
    """The rules of findings, without warnings about the text of a kernel."""
    return {
        each.rule
        for each in findings
        if each.severity == "error" or rules()[each.rule].shown_by == "run"
    }


@pytest.mark.parametrize("kernel", NAMES)
def test_right(kernel: str) -> None:
    module = lower_source(Source(kernel, text_of(kernel))).module
    for schedule, seed in SCHEDULES:
        launch = launch_of(kernel)
        report = run(module, launch, schedule, seed)
        assert [str(finding) for finding in report.errors] == [], (schedule, seed)
        assert sorted(shown_by_run(report.findings)) == warnings_of(kernel)
        check_results(launch)


@pytest.mark.slow
@pytest.mark.parametrize(("kernel", "what"), PAIRS)
def test_wrong(kernel: str, what: str) -> None:
    step = steps_of(kernel)[what]
    schedules = SCHEDULES if _UNDER_EVERY in text_of(kernel) else [LAZY]
    module = lower_source(Source(kernel, step.text)).module
    for schedule, seed in schedules:
        launch = launch_of(kernel)
        report = run(module, launch, schedule, seed)
        # The run may warn of more before it ends with an error.
        found = shown_by_run(report.errors or report.findings)
        assert step.rule in found, (schedule, seed)
        assert found <= {step.rule, *warnings_of(kernel)}, (schedule, seed)
        if not report.errors:
            check_results(launch)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kernel", "what"), [pair for pair in PAIRS if steps_of(pair[0])[pair[1]].rule == PHASES.id]
)
def test_wrong_phases_under_every_schedule(kernel: str, what: str) -> None:
    """Clocks alone tell whether phases are in order; another rule may be broken before."""
    module = lower_source(Source(kernel, steps_of(kernel)[what].text)).module
    assert all(run(module, launch_of(kernel), *schedule).errors for schedule in SCHEDULES)


@pytest.mark.parametrize("schedule", ["lazy", "eager"])
def test_a_wait_that_is_tried_once(schedule: str) -> None:
    """Both schedules let it time out, even if the phase is over when it is tried."""
    step = steps_of("try_wait_early")["wait for a tile that has not come"]
    (error,) = run(step.text, launch_of("try_wait_early"), schedule).errors
    assert error.rule == step.rule


@pytest.mark.parametrize("kernel", NAMES)
def test_markers_are_read(kernel: str) -> None:
    markers = re.findall("// *(?:step|mistake)", text_of(kernel))
    assert len(steps_of(kernel)) == len(markers) > 0

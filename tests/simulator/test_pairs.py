"""
Tests of the kernels in `synchronization/`: each as it is, and without one of its steps.

Comments at the top of a kernel say how to run it, as `support/headed_kernels.py` describes.

A comment after a line, or alone before it, names a mutant. `// step: WHAT [RULE]`: the kernel
without the line breaks the rule. `// step: WHAT [RULE] -> LINE`: so does the kernel with LINE in
its place. `// mistake: WHAT [RULE] -> LINE`: so does the kernel with LINE added. The schedule
`lazy` finds all of them. `// Mistakes are found under every schedule.` says that all schedules do.
"""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from tcgen05_dialect.compiler import lower_source
from tcgen05_dialect.isa.practice import PHASES
from tcgen05_dialect.reporting.diagnostics import Source

from ..support.effort import sampled
from ..support.headed_kernels import (
    LAZY,
    SCHEDULES,
    Inputs,
    check_results,
    inputs_of,
    run,
    shown_by_run,
    warnings_in,
)
from ..support.looped import looped

KERNELS = Path(__file__).parent / "synchronization"
_UNDER_EVERY = "// Mistakes are found under every schedule.\n"
_MARKER = re.compile(r"(.*?) *// (step|mistake): (.+?) \[(T5-[A-Z_]+-\d+)\](?: -> (.*))?$")


class Step(NamedTuple):
    """A mistake of a kernel: its text with it, and the rule that it breaks."""

    what: str
    rule: str
    text: str


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
    return warnings_in(text_of(kernel))


def launch_of(kernel: str) -> Inputs:
    return inputs_of(text_of(kernel))


NAMES = sorted(path.stem for path in KERNELS.glob("*.mlir"))
PAIRS = [(kernel, what) for kernel in NAMES for what in steps_of(kernel)]
SAMPLE = sampled(PAIRS, 1, of=lambda pair: steps_of(pair[0])[pair[1]].rule)
"""Mistakes that break each rule."""


@pytest.mark.slow
@pytest.mark.parametrize("kernel", sampled(NAMES, 7))
def test_right(kernel: str) -> None:
    module = lower_source(Source(kernel, text_of(kernel))).module
    for schedule, seed in sampled(SCHEDULES, 1):
        launch = launch_of(kernel)
        report = run(module, launch, schedule, seed)
        assert [str(finding) for finding in report.errors] == [], (schedule, seed)
        assert sorted(shown_by_run(report.findings)) == warnings_of(kernel)
        check_results(launch)


@pytest.mark.slow
@pytest.mark.parametrize(("kernel", "what"), SAMPLE)
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
    ("kernel", "what"), [pair for pair in SAMPLE if steps_of(pair[0])[pair[1]].rule == PHASES.id]
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


@looped(NAMES)
def test_markers_are_read(kernel: str) -> None:
    markers = re.findall("// *(?:step|mistake)", text_of(kernel))
    assert len(steps_of(kernel)) == len(markers) > 0

"""
Tests of verdicts on mutants of right kernels: the verifier finds what the emulator finds with data,
and reports nothing where the emulator finds nothing.
"""

from collections.abc import Iterator, Mapping
from typing import NamedTuple

import pytest

from tcgen05_dialect.compiler import lower_source
from tcgen05_dialect.reporting.diagnostics import CompileError, Source
from tcgen05_dialect.verification.execution import rule_of

from ..support.headed_kernels import SCHEDULES, inputs_of, is_right, run, shown_by_run, warnings_in
from ..support.mutants import Mutant, mutants_of
from .test_pairs import verdict
from .test_right_kernels import RIGHT

_EACH = 7
"""One mutant of this many is tested."""
_NO_WORK = ("no_blocks",)
"""Kernels whose launch shows none of their mistakes."""
MISSED: Mapping[tuple[str, str, str], str] = {}
"""Kernel, change and step that the verifier does not find, and why."""


MORE_PRECISE: Mapping[str, str] = {"T5-SIM-006": "T5-SIM-005"}
"""Rule of the emulator -> rule of the verifier: threads that poll forever are a deadlock."""


class Found(NamedTuple):
    """The rules of errors and of warnings."""

    errors: set[str]
    warnings: set[str]


def _sample() -> Iterator[tuple[str, Mutant]]:
    all_of_them = (
        (kernel, mutant)
        for kernel, text in RIGHT.items()
        if kernel not in _NO_WORK
        for mutant in mutants_of(text)
    )
    for number, each in enumerate(all_of_them):
        if number % _EACH == 0:
            yield each


MUTANTS = [*_sample()]


def by_emulator(text: str) -> tuple[Found, bool]:
    """What the emulator finds under the first schedule that shows an error, and whether the results
    are right under all schedules before."""
    module = lower_source(Source("kernel", text)).module
    found, right = Found(set(), set()), True
    for schedule in SCHEDULES[:3]:
        launch = inputs_of(text)
        report = run(module, launch, *schedule)
        found.warnings.update(shown_by_run(report.findings) - {e.rule for e in report.errors})
        if report.errors:
            found.errors.update(each.rule for each in report.errors)
            break
        right &= is_right(launch)
    return found, right


def by_verifier(text: str) -> Found:
    found = Found(set(), set())
    for each in verdict(text, "thorough").findings:
        rule = rule_of(each)
        (found.errors if rule.severity == "error" else found.warnings).add(rule.id)
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("kernel", "mutant"), MUTANTS, ids=str)
def test_mutant(kernel: str, mutant: Mutant) -> None:
    try:
        expected, right = by_emulator(mutant.text)
    except CompileError:
        return  # `check` finds it without a run.
    found = by_verifier(mutant.text)
    if (kernel, mutant.what, mutant.step) in MISSED:
        assert expected.errors and not found.errors
    elif expected.errors:
        assert found.errors & {*expected.errors, *map(MORE_PRECISE.get, expected.errors)}
    else:
        assert right
        assert found.errors == set()
        assert found.warnings == expected.warnings | {*warnings_in(RIGHT[kernel])}


def test_bounds() -> None:
    """At least 99 % are found."""
    assert len(MISSED) <= 0.01 * len(MUTANTS)

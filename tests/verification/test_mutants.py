"""
Tests of verdicts on mutants of right kernels: the verifier finds what the emulator finds with data,
and reports nothing where the emulator finds nothing.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

import pytest

from tcgen05_dialect.compiler import lower_source
from tcgen05_dialect.reporting.diagnostics import CompileError, Source
from tcgen05_dialect.verification.execution import rule_of

from ..simulator.test_pairs import NAMES, text_of
from ..support.effort import sampled
from ..support.headed_kernels import SCHEDULES, inputs_of, is_right, run, shown_by_run, warnings_in
from ..support.mutants import Mutant, mutants_of
from .test_pairs import verdict
from .test_right_kernels import RIGHT

KERNELS: Mapping[str, str] = {**RIGHT, **{each: text_of(each) for each in NAMES}}
_NO_WORK = ("no_blocks",)
"""Kernels whose launch shows none of their mistakes."""
MISSED: Mapping[tuple[str, str], str] = {
    ("tma_load_of_stored", "removed, line 26: ptx.fence.proxy.async global"): (
        "the array is both a pointer and a tensor map, which the kernel does not say"
    ),
    (
        "try_wait_early",
        "parity flipped, line 44: %is_over_now = ptx.mbarrier.try_wait.parity [%lone], %c0",
    ): "the kernel reaches a trap of its own, and the verifier does not decide",
}
"""Kernel and mutant that the verifier does not find, and why."""
OTHER_RULE: Mapping[tuple[str, str], str] = {
    ("relaxed_epilogue", f"{what}, line 75: ptx.mbarrier.wait relaxed cta [%multiplied], %c0"): (
        "the load comes before the product it waits for, or races with the next one"
    )
    for what in ("removed", "parity flipped")
} | {
    ("tma_store_read", f"removed, {step}"): (
        "the array is read before the copy ends, or the CTA ends; it is both a pointer and a map"
    )
    for step in (
        "line 20: ptx.cp.async.bulk.commit_group",
        "line 22: ptx.cp.async.bulk.wait_group 0",
    )
}
"""Mutants that break two rules, of which the verifier names the other."""
MORE_PRECISE: Mapping[str, str] = {"T5-SIM-006": "T5-SIM-005"}
"""Rule of the emulator -> rule of the verifier: threads that poll forever are a deadlock."""


class Found(NamedTuple):
    """The rules of errors and of warnings, and those that the kernel breaks at some sizes only, for
    which the verifier has no finding."""

    errors: set[str]
    warnings: set[str]
    at_some_sizes: frozenset[str] = frozenset()


MUTANTS = [(kernel, mutant) for kernel, text in KERNELS.items() for mutant in mutants_of(text)]
_ALL = {(kernel, str(mutant)) for kernel, mutant in MUTANTS}
_SHOWN = [each for each in MUTANTS if each[0] not in _NO_WORK]


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
    verified = verdict(text, "thorough")
    at_some_sizes = re.findall(r"at some sizes the kernel breaks (\S+), a", verified.sentence)
    found = Found(set(), set(), frozenset(at_some_sizes))
    for each in verified.findings:
        rule = rule_of(each)
        (found.errors if rule.severity == "error" else found.warnings).add(rule.id)
    return found


@pytest.mark.slow
@pytest.mark.parametrize(("kernel", "mutant"), sampled(_SHOWN, 4), ids=str)
def test_mutant(kernel: str, mutant: Mutant) -> None:
    try:
        expected, right = by_emulator(mutant.text)
    except CompileError:
        return  # `check` finds it without a run.
    found = by_verifier(mutant.text)
    name = kernel, str(mutant)
    if name in MISSED:
        assert expected.errors and not found.errors
    elif expected.errors:
        precise = {*expected.errors, *map(MORE_PRECISE.get, expected.errors)}
        assert found.errors
        assert bool(found.errors & precise) == (name not in OTHER_RULE)
    else:
        assert right
        assert found.errors == set()
        assert found.warnings == expected.warnings | {*warnings_in(KERNELS[kernel])}


def test_bounds() -> None:
    """
    At least 99 % of the mistakes are found, and 98 % of these by the same rule or a more precise
    one. More than half of the mutants are mistakes.
    """
    assert {*MISSED, *OTHER_RULE} <= _ALL
    assert len(MISSED) <= 0.005 * len(_ALL)
    assert len(OTHER_RULE) <= 0.01 * len(_ALL)

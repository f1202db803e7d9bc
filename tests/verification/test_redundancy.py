"""Tests of redundant synchronisation: without it, the emulator finds nothing on data either."""

import re
from collections import Counter

import pytest
from xdsl.dialects.builtin import FileLineColLoc

from tcgen05_dialect.check import check_source
from tcgen05_dialect.compiler import lower_source
from tcgen05_dialect.reporting.diagnostics import Source
from tcgen05_dialect.simulator.launch.launch import kernel_of
from tcgen05_dialect.verification.repair.redundancy import redundant_in

from ..simulator.test_mutants import MUTANTS, REDUNDANT, is_found, without
from ..simulator.test_pairs import (
    LAZY,
    NAMES,
    check_results,
    launch_of,
    run,
    shown_by_run,
    steps_of,
    text_of,
    warnings_of,
)
from ..support.effort import sampled
from .test_pairs import MISSED

_OPERATION = re.compile(r"\b(?:ptx\.)?(?:tcgen05|bar|barrier|fence|mbarrier|cp)\.[a-z]")
_PERMIT = "tcgen05.relinquish_alloc_permit", 0
KERNEL = """ptx.kernel @k(%n : i32) attributes {reqntid = array<i32: 32>} {
  %c0 = arith.constant 0 : i32
  %c7 = arith.constant 7 : i32
  %is_7 = arith.cmpi eq, %n, %c7 : i32
  scf.if %is_7 {
    ptx.bar.sync %c0
  }
  ptx.bar.sync %c0
  ptx.ret
}
"""
"""A kernel with two barriers that order nothing. No run reaches the first."""


def redundant_lines(text: str) -> set[int]:
    """The indices of the lines all of whose operations may be removed together."""
    kernel = kernel_of(lower_source(Source("kernel", text)).module, None)
    before = str(kernel)
    locations = [op.location for op in redundant_in(kernel)]
    assert str(kernel) == before
    found = Counter(each.line.data - 1 for each in locations if isinstance(each, FileLineColLoc))
    lines = [line.partition("//")[0] for line in text.splitlines()]
    return {at for at, count in found.items() if count == len(_OPERATION.findall(lines[at]))}


@pytest.mark.slow
@pytest.mark.sweep
def test_example() -> None:
    """What may be left out alone is redundant, unless something else takes its place."""
    found = redundant_lines(without())
    alone = {number for number, line, nth in MUTANTS if (line, nth) in {*REDUNDANT} - {_PERMIT}}
    assert found <= alone
    assert not is_found(without(*found))
    assert all(is_found(without(*found, number)) for number in sampled(sorted(alone - found), 1))


@pytest.mark.slow
@pytest.mark.parametrize("kernel", sampled(NAMES, 3))
def test_pairs(kernel: str) -> None:
    """Steps that the emulator misses are not redundant; without all that are, it finds the same."""
    text = text_of(kernel)
    found = redundant_lines(text)
    lines = text.splitlines()
    needed = {
        number
        for what, step in steps_of(kernel).items()
        for number, left in enumerate(step.text.splitlines())
        if left == "" and lines[number] and (kernel, what) not in MISSED
    }
    assert not found & needed
    for number in found:
        lines[number] = ""
    launch = launch_of(kernel)
    report = run("\n".join(lines), launch, *LAZY)
    assert sorted(shown_by_run(report.findings)) == warnings_of(kernel)
    check_results(launch)


def test_operations_that_no_run_reaches() -> None:
    assert redundant_lines(KERNEL) == {KERNEL.splitlines().index("  ptx.bar.sync %c0")}


def test_only_verified_kernels_have_remarks() -> None:
    def remarks(text: str) -> list[str]:
        source = Source("kernel.mlir", text)
        found = check_source(source, verify="quick", redundant=True)
        return [each.message for each in found if each.severity == "remark" and not each.verdict]

    message = "ptx.bar.sync: may be removed"
    assert remarks(KERNEL) == [message]
    assert remarks(KERNEL.replace("%c0 = arith.constant 0", "%c0 = arith.constant 17")) == []

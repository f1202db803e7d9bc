"""Tests of the sizes at which kernels run, and of verdicts on errors that only some sizes show."""

import re

import pytest

from tcgen05_dialect.simulator.machine.errors import place_of
from tcgen05_dialect.skeleton.execution import rule_of
from tcgen05_dialect.skeleton.verdict import Effort

from ..simulator.test_mutants import MUTANTS, without
from ..simulator.test_pairs import NAMES, PAIRS, steps_of, text_of
from .test_pairs import verdict
from .test_styles import MISTAKES, STYLES, WRONG

EFFORTS: tuple[Effort, ...] = ("quick", "thorough")
_HAS_NUMBER = re.compile(r"ptx\.kernel @\w+\([^)]*: i32")
GLOBAL_RACE = """
ptx.kernel @k(%p : i64, %q : i64, %n : i32) attributes {reqntid = array<i32: 64>} {
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  %c4 = arith.constant 4 : i32
  %thread = ptx.special_register tid.x
  %is_first = arith.cmpi eq, %thread, %c0 : i32
  %slot = ptx.cvta.to global %p
  %copies = ptx.cvta.to global %q
  %copy = ptx.mad.wide u32 %thread, %c4, %copies
  scf.for %i = %c0 to %n step %c1 : i32 {
    scf.if %is_first {
      ptx.st global b32 [%slot], {%i}
    }
    ptx.bar.sync %c0
    %x = ptx.ld global b32 [%slot] -> i32
    ptx.st global b32 [%copy], {%x}
    AFTER
  }
  ptx.ret
}
"""
"""Without a second barrier, the store of an iteration races with the loads of the one before."""


@pytest.mark.parametrize("effort", EFFORTS)
def test_sizes_without_iterations_excuse_no_race(effort: Effort) -> None:
    assert verdict(GLOBAL_RACE.replace("AFTER", ""), effort).findings
    right = verdict(GLOBAL_RACE.replace("AFTER", "ptx.bar.sync %c0"), effort)
    assert (right.findings, right.sentence[:8]) == ((), "verified")


def findings(text: str, effort: Effort) -> set[tuple[str, str]]:
    """Rule and line of each finding."""
    return {
        (rule_of(error).id, place_of(error.operation)) for error in verdict(text, effort).findings
    }


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        pytest.param(text, id=name)
        for name, text in {
            **{kernel: text_of(kernel) for kernel in NAMES},
            **{f"{kernel}, {what}": steps_of(kernel)[what].text for kernel, what in PAIRS},
            **{f"example without line {number}": without(number) for number, _, _ in MUTANTS},
            **{
                f"{style}, {mistake}": STYLES[style].replace(*MISTAKES[mistake])
                for style, mistake in WRONG
            },
            "race in global memory": GLOBAL_RACE.replace("AFTER", ""),
        }.items()
        if _HAS_NUMBER.search(text)
    ],
)
def test_more_sizes_find_more(text: str) -> None:
    assert findings(text, "quick") <= findings(text, "thorough")

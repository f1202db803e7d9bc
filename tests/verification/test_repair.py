"""
Tests of fixes: kernels lose one wait, fence or commit, and the finding must name it.

The kernels are those of tests/simulator/synchronization and the warp-specialised GEMM. With the
fix, the emulator must find nothing on their data.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import pytest

from tcgen05_dialect.check import check_source
from tcgen05_dialect.compiler import lower_source
from tcgen05_dialect.reporting.diagnostics import Source
from tcgen05_dialect.reporting.formats import edited
from tcgen05_dialect.simulator.launch.launch import kernel_of
from tcgen05_dialect.verification.execution import rule_of
from tcgen05_dialect.verification.repair.repair import Fix, Repair
from tcgen05_dialect.verification.verdict import verdict_of

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

_STEP = re.compile(r"(?:ptx\.)?(\S*(?:wait|fence|commit)\S*)(?: [^\[%]*)?((?:\[?%\w+)?)")
_GEMM = "gemm_warp_specialized"


class Lost(NamedTuple):
    """A kernel that has lost a line."""

    kernel: str
    what: str
    line: str
    text: str


@cache
def lost() -> dict[tuple[str, str], Lost]:
    """The kernels that have lost a wait, a fence or a commit."""
    return {
        each[:2]: each for each in (*_lost_by_pairs(), *_lost_by_example()) if _steps(each.line)
    }


def _lost_by_pairs() -> Iterator[Lost]:
    for kernel in NAMES:
        lines = text_of(kernel).splitlines()
        for step in steps_of(kernel).values():
            changed = step.text.splitlines()
            (line, left) = next(
                pair for pair in zip(lines, changed, strict=True) if pair[0] != pair[1]
            )
            if not left.strip() and (kernel, step.what) not in MISSED:
                yield Lost(kernel, step.what, line, step.text)


def _lost_by_example() -> Iterator[Lost]:
    text = without().splitlines()
    for number, line, nth in MUTANTS:
        if (line, nth) not in REDUNDANT:
            yield Lost(_GEMM, f"{line}, {nth}", text[number], without(number))


def _steps(text: str) -> list[tuple[str, str]]:
    """The waits, fences and commits of a text, each with its first operand."""
    code = "\n".join(line.partition("//")[0] for line in text.splitlines())
    return [(name, operand) for name, operand in _STEP.findall(code)]


_TOO_FAR = "the place of the wait is far from the accesses: other steps are tried first"
NOT_NAMED = {
    ("lanes_of_a_warp", "wait for the reader"): "bar.warp.sync in each iteration does the same",
    ("pair_lifetime", "wait for the own tiles"): _TOO_FAR,
    ("warp_leaders", "fence behind mbarrier.init"): "fence.mbarrier_init does the same",
    ("without_fences", "cluster barrier before mbarrier.inval"): "bar.sync does the same",
}
"""Lost steps that no fix names, and why."""
_LATE = "the wait is where the error is, so a warning that the error hid remains"
MORE_FOUND = {
    ("pair_handshake", "wait for the own reads before dealloc"): _LATE,
    ("pair_handshake", "wait of the first CTA for the other one"): _LATE,
    ("pair_handshake", "wait of the second CTA for the other one"): _LATE,
    ("without_fences", "cluster barrier before mbarrier.inval"): (
        "bar.sync comes behind a branch, at whose end the manual promises no reconvergence"
    ),
    ("tma_store_read", "wait_group"): (
        "wait_group.read suffices, unless the array is both a pointer and a tensor map"
    ),
}
"""Lost steps with which the emulator finds more on data, and why."""


def fix_of(each: Lost) -> Fix | None:
    """The fix of the first finding that the kernel does not have as it is."""
    source = Source("kernel", each.text)
    verdict = verdict_of(kernel_of(lower_source(source).module, None), "quick")
    known = [] if each.kernel == _GEMM else warnings_of(each.kernel)
    error = next(each for each in verdict.findings if rule_of(each).id not in known)
    return Repair(source, "quick").fix(verdict, error)


def _sample() -> list[tuple[str, str]]:
    """Of each step, a kernel that has lost it; of some steps in `make test`; and all with an
    exception."""

    def step(which: tuple[str, str]) -> str:
        return re.split(r"//|%|\[", lost()[which].line)[0].strip()

    some = {*sampled(sampled(lost(), 1, of=step), 1), *NOT_NAMED, *MORE_FOUND}
    return [each for each in lost() if each in some]


@pytest.mark.slow
@pytest.mark.parametrize("which", _sample(), ids=": ".join)
def test_fix(which: tuple[str, str]) -> None:
    each = lost()[which]
    fix = fix_of(each)
    inserted = [step for edit in fix.edits for step in _steps(edit.text)] if fix else []
    assert (inserted == _steps(each.line)) == (which not in NOT_NAMED), fix
    if fix is None:
        return
    text = edited(Source("kernel", each.text), fix.edits).text
    assert [*_lines_lost(text, each.text)] == []
    if each.kernel == _GEMM:
        assert not is_found(text)
        return
    launch = launch_of(each.kernel)
    report = run(text, launch, *LAZY)
    assert (sorted(shown_by_run(report.findings)) == warnings_of(each.kernel)) == (
        which not in MORE_FOUND
    )
    if not report.errors:
        check_results(launch)


def _lines_lost(text: str, before: str) -> Iterator[str]:
    """The lines of a text that another one lacks or has in another order."""
    lines = iter(text.splitlines())
    return (line for line in before.splitlines() if line not in lines)


def _example(*left_out: str) -> str:
    """The example without the lines that contain one of the texts."""
    lines = without().splitlines()
    return "\n".join(line for line in lines if not any(each in line for each in left_out))


_BEFORE = "  %slot = ptx.address_of @accumulator_slot\n"


def _with_a_loop(text: str) -> str:
    """The kernel with a loop that has more results than initial values."""
    assert text.count(_BEFORE) == 1
    loop = """
  %three = arith.constant 3 : i32
  %x, %y = scf.while (%i = %c0) : (i32) -> (i32, i32) {
    %more = arith.cmpi ult, %i, %three : i32
    scf.condition(%more) %i, %three : i32, i32
  } do {
  ^bb0(%j : i32, %u : i32):
    %next = arith.addi %j, %c1 : i32
    scf.yield %next : i32
  }
"""
    return text.replace(_BEFORE, loop + _BEFORE)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "fix"),
    sampled(
        [
            pytest.param(
                _example("tcgen05.dealloc"),
                "insert `tcgen05.dealloc %acc, %tile_n : !accumulator` after line",
                id="dealloc",
            ),
            pytest.param(
                re.sub(
                    r"  scf.if %is_mma_warp \{\n.*\n    tcgen05.dealloc.*\n  \}\n", "", without()
                ),
                "insert `scf.if %is_mma_warp { tcgen05.dealloc %acc, %tile_n : !accumulator }`",
                id="dealloc and its branch",
            ),
            pytest.param(
                _example("round_before", "parity_before"),
                "insert `%round_of_wait = arith.divui %block, %stages : i32` and "
                "`%parity_of_wait = arith.andi %round_of_wait, %c1 : i32` and "
                "`%parity_before_wait = arith.xori %parity_of_wait, %c1 : i32` and "
                "`ptx.mbarrier.wait [%stage_free], %parity_before_wait` before line",
                id="wait and its parity",
            ),
            pytest.param(
                _example("ptx.mbarrier.arrive.expect_tx"),
                "insert `ptx.mbarrier.arrive.expect_tx [%stage_loaded], %stage_bytes` before line",
                id="expect_tx",
            ),
            pytest.param(
                _example("ptx.mbarrier.init [%stage_free]"),
                "insert `ptx.mbarrier.init [%stage_free], %c1` after line",
                id="init",
            ),
            pytest.param(
                _with_a_loop(_example("tcgen05.commit %all_multiplied")),
                "insert `tcgen05.commit %all_multiplied` after line",
                id="loop",
            ),
        ],
        1,
    ),
)
def test_other_steps(text: str, fix: str) -> None:
    found = fix_of(Lost(_GEMM, "", "", text))
    assert found is not None
    assert found.text.startswith(fix)
    assert found.passes
    assert not is_found(edited(Source("kernel", text), found.edits).text)


@pytest.mark.parametrize(
    ("line", "fix"),
    [
        ("mbarrier.init [T5-SIM-008]", "insert `ptx.mbarrier.init [%barrier], %c32` after"),
        ("mbarrier.init [%barrier], %c32\n", "insert `ptx.mbarrier.init [%barrier], %c32` after"),
        ("barrier behind the second mbarrier.init", "insert `ptx.bar.sync %c0` after"),
    ],
)
def test_a_barrier_object_in_bytes_of_another(line: str, fix: str) -> None:
    """The steps around the second barrier object are found, and put where they were."""
    kernel = "mbarrier_arrive"
    lines = text_of(kernel).splitlines(keepends=True)
    right = "".join(each.partition(" //")[0].rstrip() + "\n" for each in lines)
    kept = (each if line not in each else "\n" for each in lines)
    text = "".join(each.partition(" //")[0].rstrip() + "\n" for each in kept)
    found = fix_of(Lost(kernel, "", "", text))
    assert found is not None and found.passes
    assert found.text.startswith(fix)
    assert edited(Source("kernel", text), found.edits).text.split() == right.split()


def test_help_names_the_wait_for_products() -> None:
    text = _example("ptx.mbarrier.wait [%all_multiplied]")
    _, error = check_source(Source("kernel.mlir", text), verify="quick")
    assert error.rule == "T5-SIM-013"
    assert error.help.startswith("if products write it, wait for the barrier object")
    assert error.fix.startswith("insert `ptx.mbarrier.wait [%all_multiplied], %c0` before line")


_ROLE = """ptx.shared_memory @data size 256 alignment 16
ptx.kernel @k(%out : i64) {
  ws.warp_specialize {
    ws.role @use warps(2) threads(%t) {
      %four = arith.constant 4 : i32
      %last = arith.constant 63 : i32
      %base = ptx.address_of @data
      %offset = arith.muli %t, %four : i32
      %mine = arith.addi %base, %offset : i32
      ptx.st "shared::cta" u32 [%mine], {%t}
      %other = arith.subi %last, %t : i32
      %other_offset = arith.muli %other, %four : i32
      %theirs = arith.addi %base, %other_offset : i32
      %value = ptx.ld "shared::cta" u32 [%theirs] -> i32
      %wide = arith.extui %offset : i32 to i64
      %to = arith.addi %out, %wide : i64
      ptx.st global u32 [%to], {%value}
    }
    ws.role @idle warps(1) { ws.role_barrier }
  }
  ptx.ret
}
"""


@pytest.mark.slow
def test_the_barrier_of_a_role() -> None:
    """A barrier of the CTA would wait for threads of the other role."""
    found = fix_of(Lost(_GEMM, "", "", _ROLE))
    assert found is not None and found.passes
    assert found.text.startswith("insert `ws.role_barrier` before line 14")


def test_bound() -> None:
    """At least 95 % of the lost steps are named."""
    assert {*NOT_NAMED, *MORE_FOUND} <= {*lost()}
    assert len(NOT_NAMED) <= 0.05 * len(lost())

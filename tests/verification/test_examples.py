"""Tests of verdicts on the examples, right and with a step left out, at sizes that are chosen."""

import re
from pathlib import Path

import pytest

from ..simulator.test_mutants import PARTIAL, REDUNDANT, SAMPLE, without
from ..support.effort import sampled
from ..support.repository import EXAMPLES
from .test_pairs import check_more_sizes, verdict


@pytest.mark.slow
@pytest.mark.parametrize(
    "example", sampled(sorted(EXAMPLES.glob("*.mlir")), 1), ids=lambda path: path.stem
)
def test_right(example: Path) -> None:
    found = verdict(example.read_text(), "thorough")
    assert found.findings == ()
    assert found.sentence.startswith("verified; loops: ")


@pytest.mark.slow
@pytest.mark.parametrize(("number", "line", "nth"), sampled(SAMPLE, 3))
def test_without(number: int, line: str, nth: int) -> None:
    found = verdict(without(number), "quick")
    assert bool(found.findings) == ((line, nth) not in {*REDUNDANT, PARTIAL})
    check_more_sizes(without(number), found)


@pytest.mark.slow
def test_sizes_that_the_kernel_is_not_made_for() -> None:
    """Without blocks of K there is nothing to commit. The contract of the kernel excludes this; if
    it says nothing of K, this is no error either, because other sizes are right."""
    text = (EXAMPLES / "gemm_warp_specialized.mlir").read_text()
    assert "not made for" not in verdict(text, "thorough").sentence
    promised = "%k : i32 {ptx.at_least = 1, ptx.multiple_of = 8}"
    assert promised in text
    free = verdict(text.replace(promised, "%k : i32"), "thorough")
    assert re.search(r"not made for %m = \d+, %n = 64, %k = 0 \(T5-SIM-\d+\)$", free.sentence)

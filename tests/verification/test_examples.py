"""Tests of verdicts on the examples, right and with a step left out, at sizes that are chosen."""

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
@pytest.mark.parametrize(("number", "line", "nth"), sampled(SAMPLE, 2))
def test_without(number: int, line: str, nth: int) -> None:
    found = verdict(without(number), "quick")
    assert bool(found.findings) == ((line, nth) not in {*REDUNDANT, PARTIAL})
    check_more_sizes(without(number), found)

"""Tests of the drawings of two accesses."""

import pytest

from tcgen05_dialect import check_source
from tcgen05_dialect.simulator.order.report import Missing, Side, TwoAccesses

from ..support.repository import EXAMPLES

_FIRST = Side("warp 0", "ptx.st", 7, "writes @x")
_SECOND = Side("warp 1", "ptx.ld", 9, "reads @x")


@pytest.mark.parametrize(
    ("missing", "steps"),
    [
        (Missing("a fence"), ["missing: a fence"]),
        (Missing(second="a wait"), ["                  missing: a wait"]),
        (Missing("b", "c"), ["missing: b        missing: c"]),
        (Missing("b", both="d"), ["missing: b", "- - missing: d - ->"]),
    ],
)
def test_steps_are_in_the_column_of_their_warp(missing: Missing, steps: list[str]) -> None:
    """The second access is below the first one, and below what is missing."""
    lines = TwoAccesses(_FIRST, _SECOND, missing).drawing(lambda name: name.removeprefix("ptx."))
    who, first, does, *between, second, reads = lines.splitlines()
    assert [who.split("  ")[0], first, does] == ["warp 0", "st, line 7", "  writes @x"]
    assert [line.split() for line in between] == [line.split() for line in steps]
    column = who.index("warp 1")
    assert [second[column:], reads[column:]] == ["ld, line 9", "  reads @x"]


@pytest.mark.slow
def test_a_race_of_two_warps_is_drawn() -> None:
    text = (EXAMPLES / "gemm_warp_specialized.mlir").read_text()
    text = text.replace("ptx.mbarrier.wait [%stage_loaded], %parity\n", "\n")
    found = check_source(text, verify="quick")
    (race, *_) = (each for each in found if each.severity == "error")
    assert "missing: wait for the mbarrier @stages_loaded[0]\n" in race.drawing
    # The name of the operation is that of the text.
    assert "tcgen05.mma, line 170" in race.drawing
    assert "\n  | warp 4 " in str(race)

"""Tests of the sentences about the sizes and the clusters for which a verdict holds."""

from collections.abc import Mapping

import pytest

from tcgen05_dialect.check import check_source
from tcgen05_dialect.isa.model.rule import Rule
from tcgen05_dialect.isa.practice import BOUNDS, DEADLOCK
from tcgen05_dialect.verification.remarks import limits_text

_SIZES = [f"k = {size}" for size in range(12)]


@pytest.mark.parametrize(
    ("limits", "text"),
    [
        (dict.fromkeys(_SIZES[:1], DEADLOCK), f"k = 0 ({DEADLOCK.id})"),
        (dict.fromkeys(_SIZES[:2], DEADLOCK), f"k = 0 or k = 1 ({DEADLOCK.id})"),
        (
            dict.fromkeys(_SIZES[:4], DEADLOCK),
            f"k = 0, k = 1, k = 2 or 1 other size ({DEADLOCK.id})",
        ),
        (dict.fromkeys(_SIZES, DEADLOCK), f"k = 0, k = 1, k = 2 or 9 other sizes ({DEADLOCK.id})"),
        (
            {**dict.fromkeys(_SIZES[:1], BOUNDS), **dict.fromkeys(_SIZES[1:3], DEADLOCK)},
            f"k = 0 ({BOUNDS.id}) or k = 1 or k = 2 ({DEADLOCK.id})",
        ),
    ],
)
def test_limits(limits: Mapping[str, Rule], text: str) -> None:
    assert limits_text(limits) == text


_PLACED = """ptx.kernel @k() attributes {reqntid = array<i32: 64, 1, 1>} {
  %mask = ptx.constant MASK : i32
  %at = ptx.special_register ctaid.x
  %barrier = ptx.and b32 %at, %mask
  ptx.bar.sync %barrier
  ptx.ret
}
"""


@pytest.mark.parametrize(("mask", "is_shown"), [(1, True), (15, False)])
def test_more_outcomes_than_clusters_show(mask: int, is_shown: bool) -> None:
    (found,) = check_source(_PLACED.replace("MASK", str(mask)), verify="thorough")
    said = "; other clusters may have outcomes at line 4 that no run had"
    assert found.message.endswith(said) == (not is_shown)

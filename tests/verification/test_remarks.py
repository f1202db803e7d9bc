"""Tests of the sentences that say for which sizes a kernel is not made."""

from collections.abc import Mapping

import pytest

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

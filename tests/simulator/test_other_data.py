"""Tests of runs whose data are equal by chance."""

import numpy as np
import pytest

from tcgen05_dialect.isa.practice import RACE, SAME_VALUE
from tcgen05_dialect.simulator import Launch, simulate

from ..support.stored_values import DIFFERENT, SAME, kernel_of


def _findings(body: str) -> list[tuple[str, str]]:
    arrays = np.zeros(4096, np.uint8), np.zeros(4096, np.uint8)
    report = simulate(kernel_of(body), [*arrays, 3], Launch(grid=(2, 1, 1)))
    assert not arrays[0].any()
    return [(each.severity, each.rule) for each in report.findings]


@pytest.mark.slow
@pytest.mark.parametrize("kernel", DIFFERENT)
def test_different_values(kernel: str) -> None:
    assert _findings(DIFFERENT[kernel]) == [("error", RACE.id)]


@pytest.mark.slow
@pytest.mark.parametrize("kernel", SAME)
def test_same_values(kernel: str) -> None:
    assert _findings(SAME[kernel]) == [("warning", SAME_VALUE.id)]


def test_control_that_depends_on_data() -> None:
    body = (
        "ld.global.b32 %r11, [%d4]; setp.ne.s32 %p1, %r11, 0; @%p1 ret; st.global.b32 [%d2], %r11;"
    )
    assert _findings(body) == [("warning", SAME_VALUE.id)]

"""Seeded faults in the kernels of other compilers, which have no finding without them."""

from collections import Counter
from functools import reduce
from itertools import product

import pytest

from tcgen05_dialect.check import check_source
from tcgen05_dialect.reporting.diagnostics import Source

from ..support.effort import sampled
from ..support.foreign_kernels import foreign_kernel, foreign_kernels
from .faults import FAULTS, NOBODY_WAITS, Fault

TOGETHER = (
    ("fixed bits", "other lanes", "dealloc of half"),
    ("swizzle 3", "same lanes", "no dealloc"),
    ("stride", "ld, st + 512 columns", "no relinquish"),
    ("D + 512 columns", "alloc of 32"),
)
"""Faults of different instructions, which are seeded together because importing takes longest."""
WITHOUT_MMA = {"gluon_clc"}


def _rules(text: str) -> Counter[str]:
    found = check_source(Source("kernel.ptx", text))
    return Counter(each.rule for each in found if each.severity != "remark")


@pytest.mark.slow
@pytest.mark.parametrize("name", foreign_kernels())
def test_right_kernels_have_no_finding(name: str) -> None:
    assert _rules(foreign_kernel(name)) == {}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "names"),
    sampled(product(foreign_kernels(), TOGETHER), 1, of=lambda each: each[1]),
    ids=str,
)
def test_faults_are_found(name: str, names: tuple[str, ...]) -> None:
    text = foreign_kernel(name)
    seeded: list[Fault] = [FAULTS[each] for each in names if FAULTS[each].seed(text) != text]
    if not seeded:
        assert name in WITHOUT_MMA
        return
    found = _rules(reduce(lambda wrong, fault: fault.seed(wrong), seeded, text))
    if name in NOBODY_WAITS:
        seeded = [each for each in seeded if each is not FAULTS["no relinquish"]]
        assert FAULTS["no relinquish"].rule not in found
    assert {fault.rule for fault in seeded} <= found.keys()


def test_every_fault_is_seeded() -> None:
    assert sorted(name for names in TOGETHER for name in names) == sorted(FAULTS)
    for fault in FAULTS.values():
        texts = map(foreign_kernel, foreign_kernels())
        assert sum(fault.seed(text) != text for text in texts) > 5

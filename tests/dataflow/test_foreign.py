"""Seeded faults in the kernels of other compilers, which have no finding without them."""

from collections import Counter
from functools import reduce

import pytest
from xdsl.dialects.builtin import ModuleOp

from tcgen05_dialect.compiler import without_garbage_collection
from tcgen05_dialect.dataflow.errors import operand_errors
from tcgen05_dialect.ptx_import.importer import import_ptx
from tcgen05_dialect.reporting.diagnostics import Source, violation_of

from ..support.foreign_kernels import foreign_kernel, foreign_kernels
from .faults import FAULTS, Fault

TOGETHER = (
    ("fixed bits", "other lanes", "dealloc of half"),
    ("swizzle 3", "same lanes", "no dealloc"),
    ("stride", "ld, st + 512 columns"),
    ("D + 512 columns", "alloc of 32"),
)
"""Faults of different instructions, which are seeded together because importing takes longest."""
WITHOUT_MMA = {"gluon_clc"}


def _module(text: str) -> ModuleOp:
    with without_garbage_collection():
        return import_ptx(Source("kernel.ptx", text)).module


def _rules(text: str) -> Counter[str]:
    found: Counter[str] = Counter()
    for error in operand_errors(_module(text)):
        violation = violation_of(error)
        assert violation is not None
        found.update({part.rule.id for part in violation.parts})
    return found


@pytest.mark.parametrize("name", foreign_kernels())
def test_right_kernels_have_no_finding(name: str) -> None:
    assert _rules(foreign_kernel(name)) == {}


@pytest.mark.parametrize("names", TOGETHER, ids=" and ".join)
@pytest.mark.parametrize("name", foreign_kernels())
def test_faults_are_found(name: str, names: tuple[str, ...]) -> None:
    text = foreign_kernel(name)
    seeded: list[Fault] = [FAULTS[each] for each in names if FAULTS[each].seed(text) != text]
    if not seeded:
        assert name in WITHOUT_MMA
        return
    found = _rules(reduce(lambda wrong, fault: fault.seed(wrong), seeded, text))
    assert {fault.rule for fault in seeded} <= found.keys()


def test_every_fault_is_seeded() -> None:
    assert sorted(name for names in TOGETHER for name in names) == sorted(FAULTS)
    for fault in FAULTS.values():
        texts = map(foreign_kernel, foreign_kernels())
        assert sum(fault.seed(text) != text for text in texts) > 5

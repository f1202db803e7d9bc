"""Kernels in the styles of CUTLASS, DeepGEMM and tutorials, as nvcc compiles them."""

import gzip
import re
from collections.abc import Callable

import pytest
from xdsl.ir import Operation

from tcgen05_dialect.compiler import without_garbage_collection
from tcgen05_dialect.dataflow.legality import operand_errors
from tcgen05_dialect.ptx.kernel import KernelOp
from tcgen05_dialect.ptx_import import import_ptx
from tcgen05_dialect.reporting.diagnostics import Source, violation_of

from ..support.golden_tables import DATA

STYLES = {"cutlass_like", "deepgemm_like", "tutorial_like"}
with gzip.open(DATA / "nvcc" / "styles.ptx.gz", "rt", encoding="ascii") as file:
    TEXT = file.read()


def _kernel(op: Operation) -> str:
    while not isinstance(op, KernelOp):
        outer = op.parent_op()
        assert outer is not None
        op = outer
    return op.sym_name.data


def _wrong(text: str, rule: str) -> set[str]:
    """The kernels that break a rule."""
    with without_garbage_collection():
        module = import_ptx(Source("styles.ptx", text)).module
        found: set[str] = set()
        for error in operand_errors(module):
            violation = violation_of(error)
            assert violation is not None
            assert {part.rule.id for part in violation.parts} == {rule}
            found.add(_kernel(error.operation))
        return found


@pytest.mark.slow
def test_right_kernels_have_no_finding() -> None:
    assert _wrong(TEXT, "") == set()


def _moved_lanes(text: str) -> str:
    return re.sub(r"(tcgen05\.ld\.\S+ \{[^}]*\}, \[%r\d+)\]", r"\1 + 2097152]", text)


def _smaller(text: str) -> str:
    """Allocates 32 columns, which is the only number 256 that is moved to a register."""
    return re.sub(r"(mov\.b32 \s*%r\d+, )256;", r"\g<1>32;", text)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("seed", "rule"), [(_moved_lanes, "T5-LDST-005"), (_smaller, "T5-SIM-009")]
)
def test_faults_are_found(seed: Callable[[str], str], rule: str) -> None:
    assert _wrong(seed(TEXT), rule) == STYLES

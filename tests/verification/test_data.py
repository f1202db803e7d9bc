"""Tests of threads that store what they have loaded from different places, or the same, in one."""

import numpy as np
import pytest

from tcgen05_dialect.check import check_source
from tcgen05_dialect.compiler import read_kernels
from tcgen05_dialect.isa.practice import RACE
from tcgen05_dialect.reporting.diagnostics import Source
from tcgen05_dialect.simulator.numbers.integers import content_of
from tcgen05_dialect.verification.execution import rule_of
from tcgen05_dialect.verification.static.prepared import verifiable
from tcgen05_dialect.verification.verdict import verdict_of

from ..support.repository import EXAMPLES
from ..support.stored_values import DIFFERENT, SAME, kernel_of
from .test_styles import replaced


def _rules(text: str) -> list[str]:
    return [
        each.rule for each in check_source(text, verify="thorough") if each.severity != "remark"
    ]


@pytest.mark.slow
@pytest.mark.parametrize("kernel", DIFFERENT)
def test_different_values(kernel: str) -> None:
    assert RACE.id in _rules(kernel_of(DIFFERENT[kernel]))


@pytest.mark.slow
@pytest.mark.parametrize("kernel", SAME)
def test_same_values(kernel: str) -> None:
    assert _rules(kernel_of(SAME[kernel])) == []


_GEMM = (EXAMPLES / "gemm_single_tile.mlir").read_text()
_ROW = "%row = arith.addi %first_row, %thread : i32"


@pytest.mark.slow
@pytest.mark.parametrize(
    "row",
    [
        "%lane = arith.remui %thread, %warp_size : i32\n"
        "  %row = arith.addi %first_row, %lane : i32",
        "%row = arith.addi %first_row, %c0 : i32",
    ],
    ids=["warps", "threads"],
)
def test_rows_of_tensor_memory(row: str) -> None:
    (prepared,) = verifiable(read_kernels(Source("kernel", replaced(_GEMM, _ROW, row))).module)
    assert RACE in map(rule_of, verdict_of(prepared.kernel, "quick").findings)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("type_", ["float16", "float32", "float64", "int8", "int32", "int64"])
def test_contents_are_usual_and_differ(type_: str, seed: int) -> None:
    values = content_of(np.arange(4096), seed).view(type_)
    assert np.isfinite(values).all()
    assert np.abs(values.astype(np.float64)).max() < 2.0 ** (8 * values.itemsize)
    if seed:
        assert 0.2 < (values == 0).mean() < 0.3 or type_ in ("float64", "int64", "int8")
        assert (values < 0).any()
        assert (values > 0).any()
    elif values.itemsize > 2:
        assert np.unique(values).size > 0.99 * values.size

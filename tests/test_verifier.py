"""Tests of the verification beyond xDSL's own."""

import pytest
from xdsl.dialects.arith import (
    CMPF_COMPARISON_OPERATIONS,
    CMPI_COMPARISON_OPERATIONS,
    CmpfOp,
    CmpiOp,
)

from tcgen05_dialect import CompileError, compile_to_ptx

KERNEL = """\
ptx.kernel @k(%out : i64, %a : i32, %x : f32) {{
  %p = "{operation}"({operands}) <{{predicate = {predicate} : i64{more}}}> : ({types}) -> i1
  %one = arith.select %p, %a, %a : i32
  ptx.st global b32 [%out], {{%one}}
  ptx.ret
}}
"""
CMPI = {"operation": CmpiOp.name, "operands": "%a, %a", "types": "i32, i32", "more": ""}
CMPF = {
    "operation": CmpfOp.name,
    "operands": "%x, %x",
    "types": "f32, f32",
    "more": ", fastmath = #arith.fastmath<none>",
}
COMPARISONS = (
    (CMPI, len(CMPI_COMPARISON_OPERATIONS)),
    (CMPF, len(CMPF_COMPARISON_OPERATIONS)),
)


@pytest.mark.parametrize(("comparison", "number"), COMPARISONS)
def test_every_predicate_is_lowered_and_no_other(comparison: dict[str, str], number: int) -> None:
    for predicate in range(number):
        assert "st.global" in compile_to_ptx(KERNEL.format(**comparison, predicate=predicate))
    for predicate in (-1, -number, number, 99):
        with pytest.raises(CompileError, match=r"predicate must be 0, 1, ..."):
            compile_to_ptx(KERNEL.format(**comparison, predicate=predicate))

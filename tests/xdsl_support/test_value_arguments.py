"""Tests of values of the builder as operands of operations of any dialect."""

from collections.abc import Callable
from typing import Any

import pytest
from xdsl.dialects import arith, math, memref, scf, vector
from xdsl.dialects.builtin import MemRefType, f32, i1, i32, i64
from xdsl.ir import Operation

from tcgen05_dialect.builder import Kernel, Value
from tcgen05_dialect.operations import ptx

BUILT: list[tuple[Callable[[Any, Any, Any], Operation], list[str]]] = [
    (lambda n, x, p: arith.AddiOp(n, n), ["n", "n"]),
    (lambda n, x, p: arith.AddiOp(n, n, i32), ["n", "n"]),
    (lambda n, x, p: arith.CmpiOp(n, n, "slt"), ["n", "n"]),
    (lambda n, x, p: arith.AddfOp(x, x), ["x", "x"]),
    (lambda n, x, p: arith.ExtUIOp(n, i64), ["n"]),
    (lambda n, x, p: math.FmaOp(x, x, x), ["x", "x", "x"]),
    (lambda n, x, p: scf.YieldOp(n, x), ["n", "x"]),
    (
        lambda n, x, p: memref.AllocOp.build(
            operands=[[n], []],
            result_types=[MemRefType(f32, [-1])],
            properties={},
        ),
        ["n"],
    ),
    (lambda n, x, p: vector.BroadcastOp(x, x.splat(4).type), ["x"]),
    (lambda n, x, p: ptx.MovOp(x, type="b32", result_type=i32), ["x"]),
    (lambda n, x, p: ptx.RedOp(p, n, type="s32", operation="max", space="global"), ["p", "n"]),
]


@pytest.mark.parametrize(("build", "operands"), BUILT)
def test_values_are_operands(
    build: Callable[[Any, Any, Any], Operation], operands: list[str]
) -> None:
    kernel = Kernel("kernel")
    arguments = kernel.parameter("n"), kernel.parameter("x", f32), kernel.parameter("p", i64)
    op = build(*arguments)
    assert [each.name_hint for each in op.operands] == operands
    assert all(each in {value.ssa_value for value in arguments} for each in op.operands)


@pytest.mark.parametrize("wrong", [3, None, 0.5, "n", i1, [1]])
def test_other_objects_are_refused(wrong: Any) -> None:
    n: Value = Kernel("kernel").parameter("n")
    with pytest.raises(TypeError, match="an operand: expected a value, or an operation with one"):
        arith.AddiOp(wrong, n.ssa_value)

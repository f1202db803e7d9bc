"""Tests of operations that are made in less time, against those that xDSL makes."""

from collections.abc import Mapping, Sequence

import pytest
from xdsl.builder import ImplicitBuilder
from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import StringAttr, UnitAttr, f32, i1, i32
from xdsl.ir import Attribute, Block, Operation, Region

from tcgen05_dialect.ptx.control_flow import BraOp
from tcgen05_dialect.ptx.instructions import PackOp
from tcgen05_dialect.xdsl_support.construction import CreatedOperation

CASES: Sequence[tuple[type[Operation], Sequence[Attribute], Mapping[str, Attribute]]] = (
    (arith.AddiOp, [i32], {}),
    (arith.AddfOp, [f32], {}),
    (arith.MulfOp, [f32], {"fastmath": arith.FastMathFlagsAttr("fast")}),
    (PackOp, [i32], {"type": StringAttr("b32")}),
)


@pytest.mark.parametrize(("op_type", "types", "properties"), CASES)
def test_is_what_xdsl_makes(
    op_type: type[Operation], types: Sequence[Attribute], properties: Mapping[str, Attribute]
) -> None:
    values = Block(arg_types=[types[0]] * 2).args
    attributes = {"mark": UnitAttr()}
    op = CreatedOperation.made(op_type, values, types, properties, attributes)
    other = op_type.__new__(op_type)
    Operation.__init__(
        other, operands=values, result_types=types, properties=properties, attributes=attributes
    )
    assert op.is_structurally_equivalent(other)
    assert [*op.properties] == [*other.properties]
    assert (op.location, op.parent, op.next_op) == (other.location, None, None)
    assert [(use.operation, use.index) for use in values[1].uses] == [(other, 1), (op, 1)]
    values[1].replace_all_uses_with(values[0])
    assert [*op.operands] == [values[0]] * 2


def test_regions_and_successors() -> None:
    (condition,) = Block(arg_types=[i1]).args
    body = Region(Block([scf.YieldOp()]))
    op = CreatedOperation.made(scf.IfOp, [condition], regions=[body, Region()])
    assert op.true_region is body and body.parent is op
    target = Block()
    branch = BraOp.create(successors=[target])
    assert [use.operation for use in target.uses] == [branch]


def test_implicit_builders_insert_it() -> None:
    block = Block(arg_types=[i32])
    with ImplicitBuilder(block):
        op = CreatedOperation.made(arith.AddiOp, [block.args[0]] * 2, [i32])
    assert block.last_op is op

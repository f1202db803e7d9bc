"""Tests of the definitions of instructions, which are made at their first use."""

from collections.abc import Callable

import pytest
from xdsl.dialects import test
from xdsl.dialects.builtin import i32
from xdsl.irdl import operand_def, result_def
from xdsl.traits import Pure

from tcgen05_dialect.ptx.instruction import PureInstruction, instruction
from tcgen05_dialect.ptx.register_types import B32


class _Operation(PureInstruction):
    """The operands and results of the operations."""

    a = operand_def(B32)
    d = result_def(B32)


def _new() -> type[_Operation]:
    @instruction("not.b32 %d, %a")
    class NewOp(_Operation):
        """An instruction."""

        name = "ptx.new"

    return NewOp


VALUE = test.TestOp(result_types=[i32]).results[0]
MAKERS: list[Callable[[type[_Operation]], _Operation]] = [
    lambda new: new.create(operands=[VALUE], result_types=[i32]),
    lambda new: new.assemble({"a": [VALUE]}),
    lambda new: new(VALUE),
]


@pytest.mark.parametrize("make", MAKERS)
def test_a_definition_is_made_at_the_first_use(
    make: Callable[[type[_Operation]], _Operation],
) -> None:
    new = _new()
    assert "get_irdl_definition" not in vars(new)
    op = make(new)
    assert (op.a, op.d) == (VALUE, op.results[0])
    assert new.get_irdl_definition() is new.get_irdl_definition()
    assert new.has_trait(Pure)
    op.verify()

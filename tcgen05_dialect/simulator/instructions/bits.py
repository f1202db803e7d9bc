"""Instructions on the bits and bytes of integers (9.7.1, 9.7.8, 9.7.9.7)."""

from collections.abc import Callable
from typing import Any

import numpy as np
from xdsl.ir import Operation

from ...ptx import instructions as ptx
from ...ptx.syntax import word_of
from ..machine.machine import Group, Step, Wait
from ..machine.program import Handler, Program, computing, pure
from ..numbers import bits
from ..numbers.floats import Lanes


def _of(make: Callable[[Any], Callable[..., Lanes]]) -> Handler:
    """Handler of an instruction whose function depends on its qualifiers."""

    def handler(op: Operation, program: Program) -> Step:
        return computing(op, program, make(op))

    return handler


def _lop3(op: ptx.Lop3PredicateOp, program: Program) -> Step:
    look_up = bits.looked_up(op.table.value.data)
    combine = np.logical_or if op.operation.data == "or" else np.logical_and
    operands = [program.index(each) for each in (op.a, op.b, op.c)]
    predicate, result, holds = (program.index(each) for each in (op.predicate, op.d, op.holds))

    def step(group: Group) -> Wait | None:
        value = look_up(*[group.read(each) for each in operands])
        found = combine(value != 0, group.read(predicate))
        group.write(result, value)
        group.write(holds, found)
        return None

    return step


HANDLERS: dict[type[Operation], Handler] = {
    ptx.BfeOp: _of(lambda op: bits.extracted(op.type.data)),
    ptx.BfiOp: pure(bits.inserted),
    ptx.PrmtOp: _of(lambda op: bits.permuted(word_of(op, "mode"))),
    ptx.PopcOp: pure(bits.count_of_ones),
    ptx.ClzOp: pure(bits.leading_zeros),
    ptx.BfindOp: _of(lambda op: bits.highest_bit(op.type.data, op.shift_amount is not None)),
    ptx.BrevOp: pure(bits.reversed_bits),
    ptx.ShfOp: _of(lambda op: bits.funnel(op.direction.data, op.mode.data)),
    ptx.Lop3PredicateOp: _lop3,
    ptx.Lop3Op: _of(lambda op: bits.looked_up(op.table.value.data)),
    ptx.Dp4aOp: _of(lambda op: bits.dot(op.a_type.data, op.b_type.data)),
}
"""Operation -> builder of its function."""

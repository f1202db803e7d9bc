"""Extended-precision arithmetic of integers (9.7.2)."""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from xdsl.ir import Operation

from ...ptx import bases
from ...ptx import instructions as ptx
from ..machine.machine import Group, Step, Wait
from ..machine.program import Handler, Program
from ..numbers.floats import Lanes
from ..numbers.integers import high_product

Sum = Callable[[Lanes, Lanes, Lanes], tuple[Lanes, Lanes]]
"""Computes a sum or a difference, and its carry or borrow, from two numbers and another carry."""


def _sum(a: Lanes, b: Lanes, carry: Lanes) -> tuple[Lanes, Lanes]:
    first = a + b
    total = first + carry.astype(a.dtype)
    return total, (first < a) | (total < first)


def _difference(a: Lanes, b: Lanes, borrow: Lanes) -> tuple[Lanes, Lanes]:
    first = a - b
    rest = first - borrow.astype(a.dtype)
    return rest, (a < b) | (first < rest)


def _terms(op: Any, numbers: Sequence[Lanes]) -> Sequence[Lanes]:
    """The two numbers that an instruction adds or subtracts."""
    if len(numbers) == 2:
        return numbers
    a, b, c = numbers
    return (high_product(op.type.data)(a, b) if op.half.data == "hi" else a * b), c


def _carrying(combine: Sum) -> Handler:
    def handler(op: Any, program: Program) -> Step:
        carries_in = isinstance(op, bases.CarryIn)
        operands = [program.index(value) for value in op.operands]
        results = [program.index(value) for value in op.results]

        def step(group: Group) -> Wait | None:
            values = [group.read(each) for each in operands]
            carry = values.pop() if carries_in else np.zeros(values[0].shape, np.bool_)
            a, b = _terms(op, values)
            for target, value in zip(results, combine(a, b, carry), strict=False):
                group.write(target, value)
            return None

        return step

    return handler


_ADD, _SUBTRACT = _carrying(_sum), _carrying(_difference)
HANDLERS: dict[type[Operation], Handler] = {
    ptx.AddCcOp: _ADD,
    ptx.AddcOp: _ADD,
    ptx.AddcCcOp: _ADD,
    ptx.SubCcOp: _SUBTRACT,
    ptx.SubcOp: _SUBTRACT,
    ptx.SubcCcOp: _SUBTRACT,
    ptx.MadCcOp: _ADD,
    ptx.MadcOp: _ADD,
    ptx.MadcCcOp: _ADD,
}
"""Operation -> builder of its function."""

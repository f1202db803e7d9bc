"""Tests of the values of registers: random programs mean the same as text and in SSA form."""

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import example, given, settings
from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import Block, Operation, SSAValue

from tcgen05_dialect.compiler import Lowered, import_source, print_ptx, verify
from tcgen05_dialect.ptx import instructions
from tcgen05_dialect.ptx.control_flow import Branch, BrxOp, CondBraOp
from tcgen05_dialect.ptx.instructions import StOp
from tcgen05_dialect.ptx.kernel import KernelOp
from tcgen05_dialect.ptx.structure import ConstantOp, GuardOp, UndefinedOp
from tcgen05_dialect.reporting.diagnostics import Source

from ..support.effort import part
from ..support.register_programs import MASK, Statement, programs, stores, text

STEPS = 60


class Run:
    """The execution of a kernel in SSA form, up to a number of stores and blocks."""

    def __init__(self, kernel: KernelOp):
        self.values: dict[SSAValue, int] = {}
        self.stored: list[int] = []
        self.steps = STEPS
        block: Block | None = kernel.body.blocks[0]
        for _ in range(20 * STEPS):
            if block is None or self.steps <= 0:
                break
            block = self._block(block)

    def _block(self, block: Block) -> Block | None:
        for op in block.ops:
            if isinstance(op, Branch):
                target, arguments = self._chosen(op)
                given = [self._get(each) for each in arguments]
                self.values.update(zip(target.args, given, strict=True))
                return target
            if isinstance(op, GuardOp):
                self._guard(op)
            else:
                self._execute(op)
            if self.steps <= 0:
                return None
        return None

    def _get(self, value: SSAValue) -> int:
        owner = value.owner
        if isinstance(owner, ConstantOp):
            assert isinstance(owner.value, IntegerAttr)
            number: Any = owner.value
            return number.value.data & MASK
        return 0 if isinstance(owner, UndefinedOp) else self.values[value]

    def _chosen(self, op: Branch) -> tuple[Block, Sequence[SSAValue]]:
        """The target of a branch, and the arguments passed to it."""
        targets = op.targets()
        match op:
            case CondBraOp():
                return targets[0 if self._get(op.predicate) else 1]
            case BrxOp():
                return targets[self._get(op.index)]
            case _:
                return targets[0]

    def _guard(self, op: GuardOp) -> None:
        holds = bool(self._get(op.predicate)) != (op.negated is not None)
        (inner,) = op.instructions
        if holds:
            self._execute(inner)
        computed = inner.results if holds else op.kept
        self.values.update(zip(op.outputs, [self._get(each) for each in computed], strict=True))

    def _execute(self, op: Operation) -> None:
        match op:
            case instructions.AddOp():
                self.values[op.d] = (self._get(op.a) + self._get(op.b)) & MASK
            case instructions.XorOp():
                self.values[op.d] = self._get(op.a) ^ self._get(op.b)
            case instructions.AndOp():
                self.values[op.d] = self._get(op.a) & self._get(op.b)
            case instructions.MovOp():
                self.values[op.d] = self._get(op.a)
            case instructions.SetpOp():
                first, second = self._get(op.a), self._get(op.b)
                self.values[op.d] = first < second
            case StOp():
                self.stored.append(self._get(op.values[0]))
                self.steps -= 1
            case _:
                pass


def run(lowered: Lowered) -> list[int]:
    (kernel,) = [op for op in lowered.module.ops if isinstance(op, KernelOp)]
    return Run(kernel).stored


def common(one: Sequence[int], other: Sequence[int]) -> bool:
    """Whether two runs agree as far as both went."""
    count = min(len(one), len(other))
    return list(one[:count]) == list(other[:count])


def imported(ptx: str) -> Lowered:
    lowered = import_source(Source("k.ptx", ptx))
    verify(lowered.module)
    return lowered


def propagate_copies(lowered: Lowered) -> None:
    """Use the sources of moves instead of their results; live ranges then overlap."""
    for op in list(lowered.module.walk()):
        if isinstance(op, instructions.MovOp) and not isinstance(op.parent_op(), GuardOp):
            op.d.replace_all_uses_with(op.a)


_BRANCHES_BACK = """label 0; bra 2; label 1; bra 3; label 2; mov 0 0; mov 1 0; add 0 0 0; label 3;
    add 0 0 0; label 4; mov 0 0; add 1 0 1; label 5; bra 1; ret"""
"""A loop whose head stands in the text before the values that enter it."""


def _program(statements: str) -> list[Statement]:
    words = (each.split() for each in statements.split(";"))
    return [Statement(opcode, tuple(map(int, others)), None) for opcode, *others in words]


@pytest.mark.slow
@settings(max_examples=part(60), deadline=None)
@given(programs())
@example(_program(_BRANCHES_BACK))
def test_means_the_same(program: list[Statement]) -> None:
    lowered = imported(text(program))
    expected = stores(program, STEPS * 20)
    assert common(run(lowered), expected)
    printed = print_ptx(*lowered)
    again = imported(printed)
    assert common(run(again), expected)
    assert print_ptx(*again) == printed


@pytest.mark.slow
@settings(max_examples=part(60), deadline=None)
@given(programs())
def test_means_the_same_after_a_change(program: list[Statement]) -> None:
    """Registers are shared only where live ranges do not overlap."""
    lowered = imported(text(program))
    expected = stores(program, STEPS * 20)
    propagate_copies(lowered)
    verify(lowered.module)
    again = imported(print_ptx(*lowered))
    assert common(run(again), expected)

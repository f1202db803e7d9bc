"""
Outcomes of values that parameters alone decide: comparisons, and remainders that reach a barrier.
A run shows one outcome of each; further scenarios show the others.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache

import numpy as np
from xdsl.dialects.builtin import IntegerType
from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from ..ptx import instructions
from ..ptx.analysis.control_flow import reverse_postorder
from ..ptx.analysis.control_slice import control_operands, operations, read_operands
from ..ptx.analysis.values import backwards, passed_values
from ..ptx.bases import BarrierInstruction, CtaBarrier
from .base_values import CANDIDATES
from .control import barriers_of
from .execution import Skeleton
from .iterations import Evaluation, Numbers, Unknown
from .scenario import Scenario
from .sizes import Chooser

_MOST_RUNS = 8
"""Limit on the runs for outcomes."""
_MOST_OUTCOMES = 8
"""Limit on the outcomes of a remainder."""


class Outcomes:
    """The outcomes of the values that parameters alone decide, at the sizes of a launch."""

    def __init__(self, skeleton: Skeleton, chooser: Chooser):
        self._chooser = chooser
        blocks = reverse_postorder(skeleton.kernel.body)
        passed = {
            argument: values[0]
            for argument, values in passed_values(blocks).items()
            if len(values) == 1
        }
        numbers = skeleton.numbers
        parameters = (*numbers, *skeleton.pointers)
        step_of = cache(skeleton.program.step)
        self._evaluation = Evaluation(step_of, chooser.sizes, parameters, passed)
        self._numbers: dict[SSAValue, list[BlockArgument]] = {}
        """Each value, with the numbers on which it depends."""
        for value in _interesting(blocks, skeleton.decisive):
            try:
                sources = self._evaluation.sources(value)
            except Unknown:
                continue
            if found := [p for p in numbers if p in sources and isinstance(p.type, IntegerType)]:
                self._numbers[value] = found
        self._possible = self._all_possible()

    def _all_possible(self) -> dict[SSAValue, dict[BlockArgument, Numbers]]:
        """Value -> its outcomes at the candidates of each number on which it depends."""
        found: dict[SSAValue, dict[BlockArgument, Numbers]] = {}
        for p in dict.fromkeys(p for numbers in self._numbers.values() for p in numbers):
            values = [value for value, numbers in self._numbers.items() if p in numbers]
            registers = self._chooser.registers({p: CANDIDATES})
            for value, outcomes in zip(
                values, self._evaluation.values(values, registers), strict=True
            ):
                found.setdefault(value, {})[p] = np.broadcast_to(outcomes, CANDIDATES.shape)
        return found

    def scenarios(self, runs: Sequence[Scenario]) -> Iterator[Scenario]:
        """Scenarios with the outcomes that no run shows."""
        shown = self._shown(runs)
        for _ in range(_MOST_RUNS):
            missing = next(self._missing(shown), None)
            if missing is None:
                return
            value, p, outcome = missing
            # An outcome is tried once.
            shown[value].add(outcome)
            hits = self._chooser.allowed(p) & (self._possible[value][p] == outcome)
            scenario = self._chooser.scenario(p, CANDIDATES[hits])
            if scenario is not None:
                yield scenario
                for each, outcomes in self._shown([scenario]).items():
                    shown[each] |= outcomes

    def unshown(self, runs: Sequence[Scenario]) -> dict[SSAValue, set[BlockArgument]]:
        """The values of which runs do not show each outcome, and the numbers that decide it; a
        kernel need not be made for an empty array."""
        found: dict[SSAValue, set[BlockArgument]] = {}
        for value, p, outcome in self._missing(self._shown(runs)):
            if CANDIDATES[self._chooser.allowed(p) & (self._possible[value][p] == outcome)].any():
                found.setdefault(value, set()).add(p)
        return found

    def _missing(
        self, shown: Mapping[SSAValue, set[int]]
    ) -> Iterator[tuple[SSAValue, BlockArgument, int]]:
        for value, tables in self._possible.items():
            for p, table in tables.items():
                possible = {*table[self._chooser.allowed(p)].tolist()} - shown[value]
                if len(possible) <= _MOST_OUTCOMES:
                    for outcome in sorted(possible):
                        yield value, p, outcome

    def _shown(self, runs: Sequence[Scenario]) -> dict[SSAValue, set[int]]:
        """Value -> the outcomes that runs show."""
        values = [*self._numbers]
        changed = {
            p: np.array([each.values[p.index] for each in runs]) for p in self._chooser.numbers
        }
        found = self._evaluation.values(values, self._chooser.registers(changed))
        return {
            value: {*np.broadcast_to(outcomes, len(runs)).tolist()}
            for value, outcomes in zip(values, found, strict=True)
        }


def _interesting(blocks: Sequence[Block], decisive: set[SSAValue]) -> Iterator[SSAValue]:
    """Comparisons that decide something, and remainders that reach a barrier without one."""
    passed = passed_values(blocks)
    roots: list[SSAValue] = []
    for op in operations(blocks):
        if barriers := barriers_of(op):
            roots += control_operands(op) if isinstance(op, BarrierInstruction) else barriers
        elif isinstance(op, CtaBarrier):
            roots += control_operands(op)

    def operands(op: Operation) -> Iterable[SSAValue]:
        return () if isinstance(op, instructions.SetpOp) else read_operands(op)

    reaching = backwards(roots, passed, operands)
    for op in operations(blocks):
        if isinstance(op, instructions.SetpOp):
            yield from (each for each in op.results if each in decisive)
        elif isinstance(op, instructions.RemOp | instructions.AndOp):
            yield from (each for each in op.results if each in reaching)

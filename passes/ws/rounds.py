"""Loops that use the stages of a ring in turn, unrolled by rounds of the ring."""

from typing import NamedTuple

from xdsl.dialects import arith, scf
from xdsl.ir import SSAValue

from .emitter import Emitter, known

MOST_STAGES = 8
"""Largest number of stages to unroll a loop by; more would cost instruction cache."""


class Bounds(NamedTuple):
    """The counter at the start and at the end of the whole rounds of a ring."""

    first: SSAValue
    end: SSAValue


def bounds_of(emit: Emitter, op: scf.ForOp, stages: int, stage: SSAValue | None) -> Bounds:
    """The bounds of the whole rounds; `stage` is the stage before the loop, None for stage 0."""
    count = emit.binary(arith.MaxSIOp, emit.minus(op.ub, op.lb), 0)
    if known(op.step) != 1:
        count = emit.binary(arith.CeilDivSIOp, count, op.step)
    first = op.lb
    if stage is not None:
        missing = emit.minus(stages, stage)
        until_zero = emit.binary(arith.RemUIOp, missing, stages)
        before = emit.binary(arith.MinUIOp, until_zero, count)
        first = emit.plus(op.lb, emit.times(before, op.step))
        count = emit.minus(count, before)
    rest = emit.binary(arith.RemUIOp, count, stages)
    rounds = emit.minus(count, rest)
    return Bounds(first, emit.plus(first, emit.times(rounds, op.step)))

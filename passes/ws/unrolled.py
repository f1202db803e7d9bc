"""Loops that use one stage of a ring in each iteration, to be unrolled by its stages."""

from typing import NamedTuple

from xdsl.dialects import arith, scf
from xdsl.dialects.builtin import i32
from xdsl.ir import SSAValue

from tcgen05_dialect.ptx.analysis.walk import operations_of
from tcgen05_dialect.ws.holdings import MMA, HoldingOp
from tcgen05_dialect.ws.rings import RingOp

from .emitter import Emitter, known

_MOST_STAGES = 8
"""The most stages by which a loop is unrolled; more would cost instruction cache."""


def ring_of(op: scf.ForOp) -> RingOp | None:
    """
    The ring by whose stages a loop is unrolled; None if it is not.

    Its body holds one stage by mma, directly and once, and no other stage of a ring with several;
    the loop carries nothing.
    """
    held = [each for each in operations_of(op) if isinstance(each, HoldingOp)]
    several = [each for each in held if each.ring_op.stages > 1]
    if len(several) != 1 or op.iter_args or op.lb.type != i32:
        return None
    (holding,) = several
    is_direct = holding.parent is op.body.block
    is_short = holding.ring_op.stages <= _MOST_STAGES
    return holding.ring_op if is_direct and is_short and holding.kind == MMA else None


class Bounds(NamedTuple):
    """The counter at the begin and at the end of the whole rounds of a ring."""

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


def part_of(op: scf.ForOp, first: SSAValue, end: SSAValue) -> scf.ForOp:
    """A copy of a loop for a part of its iterations."""
    copy = op.clone()
    copy.operands = [first, end, op.step]
    copy.location = op.location
    return copy

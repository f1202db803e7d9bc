"""Loops that use one stage of a ring in each iteration, to be unrolled by its stages."""

from collections.abc import Sequence

from xdsl.dialects import scf
from xdsl.dialects.builtin import i32
from xdsl.ir import Operation

from tcgen05_dialect.ws.rings import MMA, HoldingOp, RingOp

from .rounds import MOST_STAGES


def ring_of(op: scf.ForOp, inside: Sequence[Operation]) -> RingOp | None:
    """
    The ring by whose stages a loop is unrolled; None if it is not. `inside` has the operations in
    the loop that hold stages.

    Its body holds one stage by mma, directly and once, and no other stage of a ring with several;
    the loop carries nothing.
    """
    held = [each for each in inside if isinstance(each, HoldingOp)]
    several = [each for each in held if each.ring_op.stages > 1]
    if len(several) != 1 or op.iter_args or op.lb.type != i32:
        return None
    (holding,) = several
    is_direct = holding.parent is op.body.block
    is_short = holding.ring_op.stages <= MOST_STAGES
    return holding.ring_op if is_direct and is_short and holding.kind == MMA else None

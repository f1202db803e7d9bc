"""The lanes of a warp that execute a role."""

from collections.abc import Sequence

from xdsl.dialects import scf
from xdsl.ir import Operation

from tcgen05_dialect.ptx.analysis.walk import operations_of
from tcgen05_dialect.ptx.effects import may_be_together
from tcgen05_dialect.tcgen05.base import Tcgen05Operation
from tcgen05_dialect.ws.base import enclosing
from tcgen05_dialect.ws.holdings import THREADS, TMA, HoldingOp
from tcgen05_dialect.ws.kernel import Kernel
from tcgen05_dialect.ws.roles import RoleBarrierOp, RoleOp


def is_of_one_lane(role: RoleOp, holdings: Sequence[HoldingOp], kernel: Kernel) -> bool:
    """
    Whether the elected lane alone executes a role, which takes these stages: it saves the joins of
    the warp. In nested loops of one lane, and in loops with commits for several CTAs, ptxas moves
    the operands of each MMA to uniform registers anew.
    """
    kinds = {op.kind for op in holdings}
    if not kinds or THREADS in kinds:
        return False
    if any(
        isinstance(op, Tcgen05Operation | RoleBarrierOp) or may_be_together(type(op))
        for op in operations_of(role)
    ):
        return False
    return kinds == {TMA} or all(
        _loops_around(op) < 2 and not kernel.rings[op.ring_op].sharings for op in holdings
    )


def _loops_around(op: Operation) -> int:
    return sum(isinstance(each, scf.ForOp) for each in enclosing(op))

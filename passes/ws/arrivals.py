"""Arrivals at the barrier objects of rings."""

from typing import NamedTuple

from tcgen05_dialect.ws.kernel import RingUse
from tcgen05_dialect.ws.multicast import receivers
from tcgen05_dialect.ws.regions import MMA, THREADS
from tcgen05_dialect.ws.roles import RoleOp, WarpSpecializeOp


class Barriers(NamedTuple):
    """The numbers of arrivals in a phase of the two barrier objects of a stage."""

    full: int
    empty: int


def barriers_of(use: RingUse, op: WarpSpecializeOp) -> Barriers:
    """
    The arrivals at the barrier objects of a ring; in a pair, those of both CTAs. A stage that other
    CTAs of the cluster fill, too, is free when all of these have released it.
    """
    sides = {"full": use.producers, "empty": use.consumers}
    return Barriers(
        *(
            sum(_arrivals(role, kind) for role, kind in roles.items())
            * (op.ctas if use.is_in_leader(side) and THREADS in roles.values() else 1)
            * (_releasing(use, op) if side == "empty" else 1)
            for side, roles in sides.items()
        )
    )


def _releasing(use: RingUse, op: WarpSpecializeOp) -> int:
    """The CTAs that release a stage, or the pairs of which the leader does."""
    ctas = op.ctas if MMA in use.consumers.values() else 1
    ranks = (rank for own in range(ctas) for rank in receivers(use.sharings, op.cluster, own))
    return len({rank // ctas for rank in ranks})


def _arrivals(role: RoleOp, kind: str) -> int:
    """Arrivals of a role for one stage: one thread of each warp arrives, or the one that issues."""
    return role.warps_count if kind == THREADS else 1

"""Arrivals at the barrier objects of rings."""

from typing import NamedTuple

from tcgen05_dialect.ws.kernel import RingUse
from tcgen05_dialect.ws.regions import THREADS
from tcgen05_dialect.ws.roles import RoleOp


class Barriers(NamedTuple):
    """The numbers of arrivals in a phase of the two barrier objects of a stage."""

    full: int
    empty: int


def barriers_of(use: RingUse, ctas: int) -> Barriers:
    """The arrivals at the barrier objects of a ring; in a pair, those of both CTAs."""
    sides = {"full": use.producers, "empty": use.consumers}
    return Barriers(
        *(
            sum(_arrivals(role, kind) for role, kind in roles.items())
            * (ctas if use.is_in_leader(side) and THREADS in roles.values() else 1)
            for side, roles in sides.items()
        )
    )


def _arrivals(role: RoleOp, kind: str) -> int:
    """Arrivals of a role for one stage: one thread of each warp arrives, or the one that issues."""
    return role.warps_count if kind == THREADS else 1

"""Arrivals at the barrier objects of rings."""

from typing import NamedTuple

from tcgen05_dialect.ws.holdings import MMA, THREADS
from tcgen05_dialect.ws.kernel import RingUse
from tcgen05_dialect.ws.multicast import receivers
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
    full, empty = (
        op.ctas if use.is_in_leader(side) and THREADS in roles.values() else 1
        for side, roles in (("full", use.producers), ("empty", use.consumers))
    )
    filling = sum(_arrivals(role, kind) for role, kind in use.producers.items())
    releasing = sum(
        _arrivals(role, kind) * _ctas(use, op, role, kind) for role, kind in use.consumers.items()
    )
    if use.is_requested:
        releasing += sum(_ctas(use, op, role, THREADS) for role in use.producers)
    return Barriers(full * filling, empty * releasing)


def _arrivals(role: RoleOp, kind: str) -> int:
    """Arrivals of a role for one stage: one thread of each warp arrives, or the one that issues."""
    return role.warps_count if kind == THREADS else 1


def _ctas(use: RingUse, op: WarpSpecializeOp, role: RoleOp, kind: str) -> int:
    """The CTAs in which a role releases a stage, or the pairs whose leader does for both."""
    unit = op.ctas if kind == MMA else 1
    ranks = {rank for own in range(unit) for rank in receivers(use.sharings, op.cluster, own)}
    executing = op.ctas if role.leader is not None else 1
    return len({rank // executing for rank in ranks})

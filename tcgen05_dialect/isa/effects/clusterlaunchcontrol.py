"""Effects of requests to cancel the launch of a cluster (9.7.13.16)."""

from __future__ import annotations

from tcgen05_dialect.isa.completion import COPIED
from tcgen05_dialect.isa.effects.model import (
    Actor,
    Area,
    Effects,
    Participants,
    Proxy,
    StateSpace,
)
from tcgen05_dialect.isa.ptx.clusterlaunchcontrol import RESPONSE
from tcgen05_dialect.isa.ptx.mbarrier import BARRIER_OBJECT

EFFECTS = {
    "clusterlaunchcontrol.try_cancel": Effects(
        "9.7.13.16.1",
        writes=(
            Area(StateSpace.SHARED, ("address",), RESPONSE, Proxy.ASYNC, COPIED),
            Area(StateSpace.BARRIER, ("mbarrier",), BARRIER_OBJECT, Proxy.ASYNC),
        ),
        actor=Actor.SCHEDULER,
        executed_by=Participants.ONE,
        completes_at="mbarrier",
    ),
}

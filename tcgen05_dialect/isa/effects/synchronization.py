"""Effects of barriers, fences, exchange within a warp and miscellaneous instructions (9.7.9.6,
9.7.13, 9.7.19)."""

from __future__ import annotations

from tcgen05_dialect.isa.effects.model import (
    Area,
    Choice,
    Effects,
    Ordering,
    Participants,
    StateSpace,
)
from tcgen05_dialect.isa.effects.semantics import by_semantics

_BAR, _FENCE = "9.7.13.1", "9.7.13.4"
_SHARED = (Ordering.PROXY_SHARED, Ordering.INITIALISATION)
_ALIGNED = Choice("aligned", {"aligned": Participants.RUNNING, None: Participants.EACH})


def _cluster_barrier(order: Ordering) -> Effects:
    return Effects("9.7.13.3", executed_by=_ALIGNED, orders=by_semantics(order), scope="cluster")


_REDUCTION = Effects(
    _BAR,
    reads=(Area(StateSpace.REGISTERS, ("a",), "in all threads", proxy=None),),
    writes=(Area(StateSpace.REGISTERS, ("d",), proxy=None),),
    executed_by=Participants.RUNNING,
    orders=(Ordering.RELEASE, Ordering.ACQUIRE),
    scope="cta",
    data=("a",),
)
EFFECTS = {
    "fence": Effects(_FENCE, orders=by_semantics(Ordering.RELEASE, Ordering.ACQUIRE)),
    "fence.proxy.async": Effects(
        _FENCE,
        orders=Choice(
            "space",
            {
                None: (*_SHARED, Ordering.PROXY_GLOBAL),
                "global": (Ordering.PROXY_GLOBAL,),
                "shared::cta": _SHARED,
                "shared::cluster": _SHARED,
            },
        ),
    ),
    "fence.mbarrier_init": Effects(_FENCE, orders=(Ordering.INITIALISATION,), scope="cluster"),
    "bar.sync": Effects(
        _BAR,
        executed_by=Participants.RUNNING,
        orders=(Ordering.RELEASE, Ordering.ACQUIRE),
        scope="cta",
    ),
    "bar.red": _REDUCTION,
    "bar.red.popc": _REDUCTION,
    "bar.arrive": Effects(
        _BAR, executed_by=Participants.RUNNING, orders=(Ordering.RELEASE,), scope="cta"
    ),
    "bar.warp.sync": Effects(
        "9.7.13.2",
        executed_by=Participants.NAMED,
        orders=(Ordering.RELEASE, Ordering.ACQUIRE),
        scope="warp",
    ),
    "barrier.cluster.arrive": _cluster_barrier(Ordering.RELEASE),
    "barrier.cluster.wait": _cluster_barrier(Ordering.ACQUIRE),
    # elect.sync and shfl.sync make threads wait for each other, but order no accesses.
    "elect.sync": Effects("9.7.13.14", executed_by=Participants.NAMED),
    "shfl.sync": Effects(
        "9.7.9.6",
        reads=(Area(StateSpace.REGISTERS, ("a",), "in another thread", proxy=None),),
        writes=(Area(StateSpace.REGISTERS, ("d",), proxy=None),),
        executed_by=Participants.NAMED,
        data=("a",),
    ),
    "setmaxnreg": Effects("9.7.19.5", executed_by=Participants.WHOLE),
    "griddepcontrol": Effects(
        "9.7.13.13",
        orders=Choice("action", {"wait": (Ordering.ACQUIRE,), "launch_dependents": ()}),
        scope="gpu",
    ),
    "nanosleep": Effects("9.7.19.2", data=("duration",)),
}

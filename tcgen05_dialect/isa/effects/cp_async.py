"""Effects of copies by each thread from global to shared memory (9.7.9.25.3)."""

from __future__ import annotations

from tcgen05_dialect.isa.completion import COPIED_BY_THREAD
from tcgen05_dialect.isa.effects.model import Actor, Area, Effects, Ordering, StateSpace
from tcgen05_dialect.isa.ptx.mbarrier import BARRIER_OBJECT

_SIZE = "`size` bytes"

EFFECTS = {
    "cp.async": Effects(
        "9.7.9.25.3.1",
        reads=(Area(StateSpace.GLOBAL, ("source",), _SIZE, completion=COPIED_BY_THREAD),),
        writes=(Area(StateSpace.SHARED, ("destination",), _SIZE, completion=COPIED_BY_THREAD),),
        actor=Actor.COPY,
        data=("cache_policy",),
    ),
    "cp.async.commit_group": Effects("9.7.9.25.3.2", tracks=(COPIED_BY_THREAD,)),
    "cp.async.wait_group": Effects("9.7.9.25.3.3", completes=(COPIED_BY_THREAD,)),
    "cp.async.wait_all": Effects("9.7.9.25.3.3", completes=(COPIED_BY_THREAD,)),
    "cp.async.mbarrier.arrive": Effects(
        "9.7.13.15.15",
        writes=(Area(StateSpace.BARRIER, ("address",), BARRIER_OBJECT),),
        orders=(Ordering.RELEASE,),
        scope="cta",
        arrives_at="address",
    ),
}

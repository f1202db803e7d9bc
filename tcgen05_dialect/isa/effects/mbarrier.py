"""Effects of the instructions on barrier objects (9.7.13.15)."""

from __future__ import annotations

from tcgen05_dialect.isa.completion import COMMITTED, COPIED, COPIED_BY_THREAD
from tcgen05_dialect.isa.effects.model import Area, Effects, Ordering, Participants, StateSpace
from tcgen05_dialect.isa.effects.semantics import by_semantics
from tcgen05_dialect.isa.ptx.mbarrier import (
    ARRIVE_DROP,
    BARRIER_OBJECT,
    COMPLETE_SECTION,
    PENDING_COUNT_SECTION,
)
from tcgen05_dialect.isa.ptx.memory import CTA_SCOPE

_OBJECT = Area(StateSpace.BARRIER, ("address",), BARRIER_OBJECT)
_STATE = Area(StateSpace.REGISTERS, ("state",), proxy=None)
_SCOPE = "cluster"
_ARRIVAL = Effects(
    "9.7.13.15.13",
    writes=(_OBJECT,),
    orders=by_semantics(Ordering.RELEASE),
    scope=_SCOPE,
    arrives_at="address",
)
_ARRIVAL_WITH_STATE = _ARRIVAL._replace(writes=(_OBJECT, _STATE))
_EXPECTATION = Effects("9.7.13.15.11", writes=(_OBJECT,))
_DROP = _ARRIVAL._replace(section=ARRIVE_DROP.section)
_DROP_WITH_STATE = _ARRIVAL_WITH_STATE._replace(section=ARRIVE_DROP.section)
_COMPLETION = Effects(COMPLETE_SECTION, writes=(_OBJECT,), completes_at="address")
_WAIT = Effects(
    "9.7.13.15.16",
    reads=(_OBJECT,),
    orders=by_semantics(Ordering.ACQUIRE),
    scope=_SCOPE,
    completes=(COPIED, COMMITTED, COPIED_BY_THREAD),
)
_LIMITED_WAIT = _WAIT._replace(data=("time_limit",))

EFFECTS = {
    "mbarrier.init": Effects("9.7.13.15.9", writes=(_OBJECT,), executed_by=Participants.ONE),
    "mbarrier.inval": Effects("9.7.13.15.10", writes=(_OBJECT,)),
    "mbarrier.arrive": _ARRIVAL,
    "mbarrier.arrive.state": _ARRIVAL_WITH_STATE,
    "mbarrier.arrive.remote": _ARRIVAL,
    "mbarrier.arrive.expect_tx": _ARRIVAL,
    "mbarrier.arrive.expect_tx.state": _ARRIVAL_WITH_STATE,
    "mbarrier.arrive.expect_tx.remote": _ARRIVAL,
    "mbarrier.expect_tx": _EXPECTATION,
    "mbarrier.expect_tx.remote": _EXPECTATION,
    "mbarrier.arrive.no_complete": _ARRIVAL_WITH_STATE._replace(scope=CTA_SCOPE),
    "mbarrier.arrive_drop": _DROP,
    "mbarrier.arrive_drop.state": _DROP_WITH_STATE,
    "mbarrier.arrive_drop.remote": _DROP,
    "mbarrier.arrive_drop.expect_tx": _DROP,
    "mbarrier.arrive_drop.expect_tx.state": _DROP_WITH_STATE,
    "mbarrier.arrive_drop.expect_tx.remote": _DROP,
    "mbarrier.arrive_drop.no_complete": _DROP_WITH_STATE._replace(scope=CTA_SCOPE),
    "mbarrier.complete_tx": _COMPLETION,
    "mbarrier.complete_tx.remote": _COMPLETION,
    # The count depends on the order of the arrivals.
    "mbarrier.pending_count": Effects(
        PENDING_COUNT_SECTION,
        reads=(_STATE, Area(StateSpace.COUNTER, proxy=None)),
        writes=(Area(StateSpace.REGISTERS, ("d",), proxy=None),),
    ),
    "mbarrier.try_wait.parity": _LIMITED_WAIT,
    "mbarrier.try_wait": _LIMITED_WAIT,
    "mbarrier.test_wait.parity": _WAIT,
    "mbarrier.test_wait": _WAIT,
    "mbarrier.wait": _WAIT,
}

"""Effects of asynchronous stores and reductions by threads, and st.bulk (9.7.9.12, 9.7.9.13,
9.7.13.7)."""

from __future__ import annotations

from tcgen05_dialect.isa.completion import COPIED
from tcgen05_dialect.isa.effects.model import (
    Actor,
    Area,
    Effects,
    Elements,
    Ordering,
    StateSpace,
)
from tcgen05_dialect.isa.ptx.async_stores import CLEARED, RED_ASYNC, SCOPE, ST_ASYNC, ST_BULK
from tcgen05_dialect.isa.ptx.mbarrier import BARRIER_OBJECT

_BARRIER = Area(StateSpace.BARRIER, ("mbarrier",), BARRIER_OBJECT)


def _values(name: str) -> Area:
    return Area(StateSpace.REGISTERS, (name,), proxy=None)


def _at(space: StateSpace, values: str) -> Area:
    completion = COPIED if space is StateSpace.SHARED else None
    return Area(space, ("address",), Elements("type", values), completion=completion)


_STORE = Effects(
    ST_ASYNC,
    reads=(_values("values"),),
    writes=(_at(StateSpace.SHARED, "values"), _BARRIER),
    actor=Actor.COPY,
    completes_at="mbarrier",
    data=("values",),
)
_REMOTE, _GLOBAL = (_at(space, "value") for space in (StateSpace.SHARED, StateSpace.GLOBAL))
_RELEASE = (Ordering.RELEASE,)

EFFECTS = {
    "st.async": _STORE,
    "red.async": _STORE._replace(
        section=RED_ASYNC,
        reads=(_values("value"), _REMOTE),
        writes=(_REMOTE, _BARRIER),
        scope=SCOPE,
        data=("value",),
        is_atomic=True,
    ),
    # To the thread itself, a store to global memory looks like st.release.
    "st.async.global": Effects(
        ST_ASYNC,
        reads=(_values("value"),),
        writes=(_GLOBAL,),
        orders=_RELEASE,
        data=("value",),
    ),
    "red.async.global": Effects(
        RED_ASYNC,
        reads=(_values("value"), _GLOBAL),
        writes=(_GLOBAL,),
        orders=_RELEASE,
        data=("value",),
        is_atomic=True,
    ),
    "st.bulk": Effects(ST_BULK, writes=(Area(StateSpace.SHARED, ("address",), CLEARED),)),
}

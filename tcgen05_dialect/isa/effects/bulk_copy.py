"""Effects of asynchronous bulk copies of tensors (9.7.9.25)."""

from __future__ import annotations

from tcgen05_dialect.isa.completion import COPIED, SOURCE_READ, WRITTEN
from tcgen05_dialect.isa.effects.model import (
    Actor,
    Area,
    Choice,
    Effects,
    Participants,
    Proxy,
    StateSpace,
)
from tcgen05_dialect.isa.ptx.bulk_copy import REDUCTION, REDUCTION_SCOPE, TILE
from tcgen05_dialect.isa.ptx.mbarrier import BARRIER_OBJECT

_COPY = "9.7.9.25.5.2"
_BOX = ("tensor_map", "coordinates")
_TENSOR_MAP = Area(StateSpace.TENSOR_MAP, ("tensor_map",), proxy=Proxy.TENSORMAP)

_LOAD = Effects(
    _COPY,
    reads=(_TENSOR_MAP, Area(StateSpace.GLOBAL, _BOX, "a box", Proxy.ASYNC, COPIED)),
    writes=(
        Area(StateSpace.SHARED, ("destination",), TILE, Proxy.ASYNC, COPIED),
        Area(StateSpace.BARRIER, ("mbarrier",), BARRIER_OBJECT, Proxy.ASYNC),
    ),
    actor=Actor.TMA,
    executed_by=Participants.ONE,
    completes_at="mbarrier",
    data=("cache_policy",),
)
_STORE = Effects(
    _COPY,
    reads=(_TENSOR_MAP, Area(StateSpace.SHARED, ("source",), TILE, Proxy.ASYNC, SOURCE_READ)),
    writes=(Area(StateSpace.GLOBAL, _BOX, "a box", Proxy.ASYNC, WRITTEN),),
    actor=Actor.TMA,
    executed_by=Participants.ONE,
    data=("cache_policy",),
)
# Several threads may repeat a reduction.
_REDUCTION = _STORE._replace(
    section=REDUCTION.section,
    reads=(*_STORE.reads, *_STORE.writes),
    executed_by=Participants.EACH,
    scope=REDUCTION_SCOPE,
    is_atomic=True,
)
# A prefetch changes caches only.
_PREFETCH = Effects(
    "9.7.9.25.5.4",
    reads=(_TENSOR_MAP,),
    actor=Actor.TMA,
    data=("coordinates", "cache_policy"),
)

EFFECTS = {
    "cp.async.bulk.tensor.load": _LOAD,
    "cp.async.bulk.tensor.gather4": _LOAD,
    "cp.async.bulk.tensor.store": _STORE,
    "cp.async.bulk.tensor.scatter4": _STORE,
    "cp.reduce.async.bulk.tensor": _REDUCTION,
    "cp.async.bulk.prefetch.tensor": _PREFETCH,
    "cp.async.bulk.prefetch.tensor.gather4": _PREFETCH,
    "prefetch.tensormap": Effects("9.7.9.15", reads=(_TENSOR_MAP,)),
    "cp.async.bulk.commit_group": Effects("9.7.9.25.6.1", tracks=(SOURCE_READ, WRITTEN)),
    # A copy that is complete has read its source.
    "cp.async.bulk.wait_group": Effects(
        "9.7.9.25.6.2",
        completes=Choice("read", {"read": (SOURCE_READ,), None: (SOURCE_READ, WRITTEN)}),
    ),
}

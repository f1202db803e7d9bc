"""Effects of asynchronous bulk copies and reductions of bytes (9.7.9.25.4)."""

from __future__ import annotations

from tcgen05_dialect.isa.completion import COPIED, SOURCE_READ, WRITTEN
from tcgen05_dialect.isa.effects.model import (
    Actor,
    Area,
    Effects,
    Participants,
    Proxy,
    StateSpace,
)
from tcgen05_dialect.isa.ptx.bulk_bytes import CHUNKS, COPY, PREFETCH, REDUCTION, SCOPE
from tcgen05_dialect.isa.ptx.mbarrier import BARRIER_OBJECT

_CACHED = ("cache_policy",)
_FROM, _TO = ("source",), ("destination",)
_BARRIER = Area(StateSpace.BARRIER, ("mbarrier",), BARRIER_OBJECT, Proxy.ASYNC)

_LOAD = Effects(
    COPY,
    reads=(Area(StateSpace.GLOBAL, _FROM, CHUNKS, Proxy.ASYNC, COPIED),),
    writes=(Area(StateSpace.SHARED, _TO, CHUNKS, Proxy.ASYNC, COPIED), _BARRIER),
    actor=Actor.TMA,
    executed_by=Participants.ONE,
    completes_at="mbarrier",
    data=_CACHED,
)
_REMOTE = _LOAD._replace(
    reads=(Area(StateSpace.SHARED, _FROM, CHUNKS, Proxy.ASYNC, COPIED),), data=()
)
_STORE = Effects(
    COPY,
    reads=(Area(StateSpace.SHARED, _FROM, CHUNKS, Proxy.ASYNC, SOURCE_READ),),
    writes=(Area(StateSpace.GLOBAL, _TO, CHUNKS, Proxy.ASYNC, WRITTEN),),
    actor=Actor.TMA,
    executed_by=Participants.ONE,
    data=(*_CACHED, "byte_mask"),
)


def _reduction(row: Effects, data: tuple[str, ...]) -> Effects:
    """The row of a reduction, from that of a copy: several threads may repeat it."""
    return row._replace(
        section=REDUCTION,
        reads=(*row.reads, row.writes[0]),
        executed_by=Participants.EACH,
        scope=SCOPE,
        data=data,
        is_atomic=True,
    )


EFFECTS = {
    "cp.async.bulk.load": _LOAD,
    "cp.async.bulk.load.ignore_oob": _LOAD,
    "cp.async.bulk.remote": _REMOTE,
    "cp.async.bulk.store": _STORE,
    # A prefetch changes caches only.
    "cp.async.bulk.prefetch": Effects(PREFETCH, actor=Actor.TMA, data=("source", "size", *_CACHED)),
    "cp.reduce.async.bulk.remote": _reduction(_REMOTE, ()),
    "cp.reduce.async.bulk.store": _reduction(_STORE, _CACHED),
}

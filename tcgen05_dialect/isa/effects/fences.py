"""Effects of proxy fences, fences with .sync_restrict, and membar (9.7.13.4)."""

from __future__ import annotations

from tcgen05_dialect.isa.effects.model import Area, Effects, Ordering, Proxy, StateSpace
from tcgen05_dialect.isa.effects.semantics import by_semantics

_FENCE = "9.7.13.4"
_BOTH = (Ordering.RELEASE, Ordering.ACQUIRE)
_ASYNC = (Ordering.PROXY_SHARED, Ordering.INITIALISATION)
_CLUSTER = "cluster"

EFFECTS = {
    "membar": Effects(_FENCE, orders=_BOTH),
    "fence.proxy.alias": Effects(_FENCE),
    "fence.proxy.tensormap.release": Effects(_FENCE, orders=(Ordering.RELEASE,)),
    "fence.proxy.tensormap.acquire": Effects(
        _FENCE,
        reads=(Area(StateSpace.TENSOR_MAP, ("address",), proxy=Proxy.TENSORMAP),),
        orders=by_semantics(),
    ),
    "fence.acquire.sync_restrict": Effects(_FENCE, orders=(Ordering.ACQUIRE,), scope=_CLUSTER),
    "fence.release.sync_restrict": Effects(_FENCE, orders=(Ordering.RELEASE,), scope=_CLUSTER),
    "fence.proxy.async.acquire": Effects(_FENCE, orders=_ASYNC, scope=_CLUSTER),
    "fence.proxy.async.release": Effects(_FENCE, orders=_ASYNC, scope=_CLUSTER),
}

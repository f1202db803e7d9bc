"""Effects of instructions on cache lines (9.7.9.15, 9.7.9.16, 9.7.9.17)."""

from __future__ import annotations

from tcgen05_dialect.isa.effects.model import Area, Effects, StateSpace
from tcgen05_dialect.isa.ptx.cache_hints import APPLYPRIORITY, DISCARD, LINE, PREFETCHU

EFFECTS = {
    # These change caches only.
    "prefetchu": Effects(PREFETCHU),
    "applypriority": Effects(APPLYPRIORITY),
    # The bytes are undefined until they are written again.
    "discard": Effects(DISCARD, writes=(Area(StateSpace.GLOBAL, ("address",), LINE),)),
}

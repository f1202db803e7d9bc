"""Effects of changes of tensor maps in memory (9.7.9.26.1, 9.7.13.15.18)."""

from __future__ import annotations

from tcgen05_dialect.isa.effects.model import Area, Effects, Ordering, Participants, StateSpace
from tcgen05_dialect.isa.ptx.tensormap import CP_FENCEPROXY, MAP, REPLACE

_MAP = Area(StateSpace.MEMORY, ("address",), MAP)
_CHANGE = Effects(REPLACE, reads=(_MAP,), writes=(_MAP,))

EFFECTS = {
    "tensormap.replace": _CHANGE,
    "tensormap.replace.dimension": _CHANGE,
    "tensormap.replace.mode": _CHANGE,
    "tensormap.cp_fenceproxy": Effects(
        CP_FENCEPROXY,
        reads=(Area(StateSpace.SHARED, ("source",), MAP),),
        writes=(Area(StateSpace.GLOBAL, ("destination",), MAP),),
        executed_by=Participants.WHOLE,
        orders=(Ordering.RELEASE,),
    ),
}

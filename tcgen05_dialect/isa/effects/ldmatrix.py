"""Effects of ldmatrix, stmatrix and movmatrix (9.7.14.5.15 to 9.7.14.5.17)."""

from __future__ import annotations

from tcgen05_dialect.isa.effects.model import Area, Effects, Participants, StateSpace
from tcgen05_dialect.isa.ptx.ldmatrix import ROW

_ROWS = Area(StateSpace.SHARED, ("address",), ROW)
_VALUES = Area(StateSpace.REGISTERS, ("values",), proxy=None)

_LOAD = Effects("9.7.14.5.15", reads=(_ROWS,), writes=(_VALUES,), executed_by=Participants.WHOLE)
_STORE = Effects(
    "9.7.14.5.16",
    reads=(_VALUES,),
    writes=(_ROWS,),
    executed_by=Participants.WHOLE,
    data=("values",),
)
EFFECTS = {
    "ldmatrix": _LOAD,
    "ldmatrix.b8": _LOAD,
    "stmatrix": _STORE,
    "stmatrix.b8": _STORE,
    "movmatrix": Effects(
        "9.7.14.5.17",
        reads=(Area(StateSpace.REGISTERS, ("a",), "in the other threads", proxy=None),),
        writes=(Area(StateSpace.REGISTERS, ("d",), proxy=None),),
        executed_by=Participants.WHOLE,
        data=("a",),
    ),
}

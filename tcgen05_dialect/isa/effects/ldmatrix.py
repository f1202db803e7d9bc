"""Effects of ldmatrix and stmatrix (9.7.14.5.15, 9.7.14.5.16)."""

from __future__ import annotations

from tcgen05_dialect.isa.effects.model import Area, Effects, Participants, StateSpace
from tcgen05_dialect.isa.ptx.ldmatrix import ROW

_ROWS = Area(StateSpace.SHARED, ("address",), ROW)
_VALUES = Area(StateSpace.REGISTERS, ("values",), proxy=None)

EFFECTS = {
    "ldmatrix": Effects(
        "9.7.14.5.15", reads=(_ROWS,), writes=(_VALUES,), executed_by=Participants.WHOLE
    ),
    "stmatrix": Effects(
        "9.7.14.5.16",
        reads=(_VALUES,),
        writes=(_ROWS,),
        executed_by=Participants.WHOLE,
        data=("values",),
    ),
}

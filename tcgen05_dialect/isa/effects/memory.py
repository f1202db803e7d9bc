"""Effects of loads and stores (9.7.9)."""

from __future__ import annotations

from tcgen05_dialect.isa.effects.model import Area, Effects, Elements, StateSpace
from tcgen05_dialect.isa.effects.semantics import by_semantics
from tcgen05_dialect.isa.ptx.memory import LD, ST

_ADDRESSED = Area(StateSpace.MEMORY, ("address",), Elements("type", "values"))
_VALUES = Area(StateSpace.REGISTERS, ("values",), proxy=None)

EFFECTS = {
    "prefetch": Effects("9.7.9.15"),
    "ld": Effects(LD.section, reads=(_ADDRESSED,), writes=(_VALUES,), orders=by_semantics()),
    "st": Effects(
        ST.section,
        reads=(_VALUES,),
        writes=(_ADDRESSED,),
        orders=by_semantics(),
        data=("values",),
    ),
}

"""Effects of multimem: accesses to the memory of several GPUs through one address (9.7.9.14)."""

from __future__ import annotations

from tcgen05_dialect.isa.effects.model import Area, Effects, Elements, StateSpace
from tcgen05_dialect.isa.effects.semantics import by_semantics
from tcgen05_dialect.isa.ptx.multimem import MULTIMEM, SCOPE

_ADDRESSED = Area(StateSpace.MEMORY, ("address",), Elements("type", "values"))
_VALUES = Area(StateSpace.REGISTERS, ("values",), proxy=None)
_STORE = Effects(
    MULTIMEM, reads=(_VALUES,), writes=(_ADDRESSED,), orders=by_semantics(), data=("values",)
)

EFFECTS = {
    "multimem.ld_reduce": Effects(
        MULTIMEM, reads=(_ADDRESSED,), writes=(_VALUES,), orders=by_semantics()
    ),
    "multimem.st": _STORE,
    "multimem.red": _STORE._replace(reads=(_VALUES, _ADDRESSED), scope=SCOPE, is_atomic=True),
}

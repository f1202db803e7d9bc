"""Effects of atom and red (9.7.13.5, 9.7.13.6)."""

from __future__ import annotations

from tcgen05_dialect.isa.effects.model import Area, Effects, Elements, StateSpace
from tcgen05_dialect.isa.effects.semantics import by_semantics
from tcgen05_dialect.isa.ptx.atomics import ATOM, RED, SCOPE


def _row(section: str, values: tuple[str, ...], results: str = "") -> Effects:
    addressed = Area(StateSpace.MEMORY, ("address",), Elements("type", values[-1]))
    written = (Area(StateSpace.REGISTERS, (results,), proxy=None),) if results else ()
    return Effects(
        section,
        reads=(Area(StateSpace.REGISTERS, values, proxy=None), addressed),
        writes=(addressed, *written),
        orders=by_semantics(),
        scope=SCOPE,
        data=values,
        is_atomic=True,
    )


EFFECTS = {
    "atom": _row(ATOM.section, ("value",), "d"),
    "atom.cas": _row(ATOM.section, ("compare", "value"), "d"),
    "atom.vector": _row(ATOM.section, ("values",), "old"),
    "red": _row(RED.section, ("value",)),
    "red.vector": _row(RED.section, ("values",)),
}

"""Effects of matrix products in the registers of a warp (9.7.14.5.14)."""

from __future__ import annotations

from tcgen05_dialect.isa.effects.model import Area, Effects, Participants, StateSpace

_PRODUCT = Effects(
    "9.7.14.5.14",
    reads=tuple(
        Area(StateSpace.REGISTERS, (name,), "in all threads of the warp", proxy=None)
        for name in ("a", "b", "c")
    ),
    writes=(Area(StateSpace.REGISTERS, ("d",), proxy=None),),
    executed_by=Participants.WHOLE,
    data=("a", "b", "c"),
)
EFFECTS = {"mma.sync": _PRODUCT, "mma.sync.f64": _PRODUCT}

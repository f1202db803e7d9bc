"""Effects of control instructions and reads of volatile special registers (9.7.12, 9.7.19, 10)."""

from __future__ import annotations

from tcgen05_dialect.isa.effects.model import Area, Effects, StateSpace

_COUNTER = Effects("10", reads=(Area(StateSpace.COUNTER, ("register",), proxy=None),))

EFFECTS = {
    "brkpt": Effects("9.7.19.1"),
    "pmevent": Effects("9.7.19.3"),
    "pmevent.mask": Effects("9.7.19.3"),
    "ret": Effects("9.7.12.6"),
    "exit": Effects("9.7.12.7"),
    "trap": Effects("9.7.19.4"),
    "trap_here": Effects("9.7.19.4"),
    "special_register.volatile": _COUNTER,
    "special_register.b64": _COUNTER,
}

"""Performance monitor events (9.7.19.3)."""

from __future__ import annotations

from tcgen05_dialect.isa.model.limit import Limit
from tcgen05_dialect.isa.model.rule import rule

_COUNT = 16
_EVENT_RULE = rule(
    "T5-PTX-173",
    "9.7.19.3",
    subject="performance monitor event",
    statement=(
        f"A performance monitor event has a number from 0 to {_COUNT - 1}, which is also the "
        "position of its bit in a mask."
    ),
    why="There are no other events; ptxas refuses other numbers.",
    fix=f"use a number from 0 to {_COUNT - 1}, or a mask of {_COUNT} bits",
)
EVENTS = Limit(_EVENT_RULE, range(_COUNT))
EVENT_MASKS = Limit(_EVENT_RULE, range(1 << _COUNT))

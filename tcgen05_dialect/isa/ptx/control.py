"""Performance monitor events (9.7.19.3)."""

from __future__ import annotations

from tcgen05_dialect.isa.model.rule import rule
from tcgen05_dialect.isa.model.table import Limit

_COUNT = 16
_EVENT_RULE = rule("T5-PTX-173", last=_COUNT - 1, count=_COUNT)
EVENTS = Limit(_EVENT_RULE, range(_COUNT))
EVENT_MASKS = Limit(_EVENT_RULE, range(1 << _COUNT))

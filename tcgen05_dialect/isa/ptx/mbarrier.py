"""mbarrier: qualifiers and ranges of numbers (9.7.13.15)."""

from __future__ import annotations

from tcgen05_dialect.isa.model.rule import rule
from tcgen05_dialect.isa.model.table import Limit, Place, Table
from tcgen05_dialect.isa.ptx.memory import CLUSTER_SCOPES, CTA_SCOPE

_ARRIVE = "9.7.13.15.13"
_ARRIVE_DROP = "9.7.13.15.14"
COMPLETE_SECTION = "9.7.13.15.12"
PENDING_COUNT_SECTION = "9.7.13.15.17"
_WAIT = "9.7.13.15.16"
_MAX = (1 << 20) - 1


def _semantics(
    id: str,
    name: str,
    section: str,
    semantics: str | tuple[str, ...],
    scopes: str | tuple[str, ...] = CLUSTER_SCOPES,
) -> Table:
    return Table(
        name,
        section,
        ("semantics", "scope"),
        ((None, None), (semantics, scopes)),
        rule(id),
    )


ARRIVE = _semantics("T5-PTX-040", "mbarrier.arrive", _ARRIVE, ("release", "relaxed"))
ARRIVE_DROP = _semantics("T5-PTX-215", "mbarrier.arrive_drop", _ARRIVE_DROP, ("release", "relaxed"))
NO_COMPLETE = _semantics("T5-PTX-216", "mbarrier.arrive.no_complete", _ARRIVE, "release", CTA_SCOPE)
COMPLETE_TX = _semantics("T5-PTX-217", "mbarrier.complete_tx", COMPLETE_SECTION, "relaxed")
TRY_WAIT = _semantics("T5-PTX-041", "mbarrier.try_wait", _WAIT, ("acquire", "relaxed"))
STATE_RULE = rule("T5-PTX-218")

_OBJECT_BYTES = 8
_OBJECT_RULE = rule("T5-PTX-045", object_bytes=_OBJECT_BYTES)
BARRIER_OBJECT = Place(_OBJECT_BYTES, _OBJECT_BYTES, _OBJECT_RULE, _OBJECT_RULE)

COUNT = Limit(
    rule("T5-PTX-042"),
    range(1, _MAX + 1),
)
BYTES = Limit(
    rule("T5-PTX-043"),
    range(_MAX + 1),
)
PARITY = Limit(
    rule("T5-PTX-044"),
    range(2),
)

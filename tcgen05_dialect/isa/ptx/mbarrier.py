"""mbarrier: qualifiers and numbers (9.7.13.15)."""

from __future__ import annotations

from tcgen05_dialect.isa.model.limit import Limit
from tcgen05_dialect.isa.model.place import Place
from tcgen05_dialect.isa.model.rule import Rule
from tcgen05_dialect.isa.model.table import Table
from tcgen05_dialect.isa.ptx.memory import CLUSTER_SCOPES

_CONTENTS = "9.7.13.15.2"
_ARRIVE = "9.7.13.15.13"
_WAIT = "9.7.13.15.16"
_MAX = (1 << 20) - 1


def _semantics(name: str, section: str, semantics: tuple[str, ...], rule: int) -> Table:
    return Table(
        name,
        section,
        ("semantics", "scope"),
        ((None, None), (semantics, CLUSTER_SCOPES)),
        Rule(f"T5-PTX-{rule:03}", f"qualifiers of {name}", section, "give both, or neither"),
    )


ARRIVE = _semantics("mbarrier.arrive", _ARRIVE, ("release", "relaxed"), 40)
TRY_WAIT = _semantics("mbarrier.try_wait", _WAIT, ("acquire", "relaxed"), 41)

_OBJECT_BYTES = 8
_OBJECT_RULE = Rule(
    "T5-PTX-045",
    "place of a barrier object",
    "9.7.13.15.1",
    f"give each barrier object {_OBJECT_BYTES} bytes of its variable, at a multiple of them",
)
BARRIER_OBJECT = Place(_OBJECT_BYTES, _OBJECT_BYTES, _OBJECT_RULE, _OBJECT_RULE)

COUNT = Limit(
    Rule(
        "T5-PTX-042",
        "count of arrivals",
        _CONTENTS,
        "count at least one arrival, and no more than the object can",
    ),
    range(1, _MAX + 1),
)
BYTES = Limit(
    Rule("T5-PTX-043", "count of bytes", _CONTENTS, "count the bytes in several phases"),
    range(_MAX + 1),
)
PARITY = Limit(
    Rule("T5-PTX-044", "parity of a phase", _WAIT, "wait for the number of the phase modulo two"),
    range(2),
)

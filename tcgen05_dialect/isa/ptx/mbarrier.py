"""mbarrier: qualifiers and ranges of numbers (9.7.13.15)."""

from __future__ import annotations

from tcgen05_dialect.isa.model.limit import Limit
from tcgen05_dialect.isa.model.place import Place
from tcgen05_dialect.isa.model.rule import rule
from tcgen05_dialect.isa.model.table import Table
from tcgen05_dialect.isa.ptx.memory import CLUSTER_SCOPES, CTA_SCOPE

_CONTENTS = "9.7.13.15.2"
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
        rule(
            id,
            section,
            subject=f"qualifiers of {name}",
            statement=f"{name} has both semantics and scope, or neither.",
            why="The instruction has no other forms; ptxas refuses them.",
            fix="give both semantics and scope, or neither",
        ),
    )


ARRIVE = _semantics("T5-PTX-040", "mbarrier.arrive", _ARRIVE, ("release", "relaxed"))
ARRIVE_DROP = _semantics("T5-PTX-215", "mbarrier.arrive_drop", _ARRIVE_DROP, ("release", "relaxed"))
NO_COMPLETE = _semantics("T5-PTX-216", "mbarrier.arrive.no_complete", _ARRIVE, "release", CTA_SCOPE)
COMPLETE_TX = _semantics("T5-PTX-217", "mbarrier.complete_tx", COMPLETE_SECTION, "relaxed")
TRY_WAIT = _semantics("T5-PTX-041", "mbarrier.try_wait", _WAIT, ("acquire", "relaxed"))
STATE_RULE = rule(
    "T5-PTX-218",
    PENDING_COUNT_SECTION,
    subject="arrival whose state tells a pending count",
    statement="The state of mbarrier.pending_count comes from an arrival with .noComplete.",
    why="The manual leaves the count of other states undefined.",
    fix="take the state from an arrival with .noComplete",
)

_OBJECT_BYTES = 8
_OBJECT_RULE = rule(
    "T5-PTX-045",
    "9.7.13.15.1",
    subject="barrier object",
    statement="A barrier object is an aligned eight-byte word inside its variable.",
    why="Barrier objects that overlap or are misaligned count wrongly or trap.",
    fix=(
        f"give each barrier object {_OBJECT_BYTES} bytes of its variable, at a multiple of "
        f"{_OBJECT_BYTES}"
    ),
)
BARRIER_OBJECT = Place(_OBJECT_BYTES, _OBJECT_BYTES, _OBJECT_RULE, _OBJECT_RULE)

COUNT = Limit(
    rule(
        "T5-PTX-042",
        _CONTENTS,
        subject="count of arrivals",
        statement=(
            "The number of arrivals in a phase is at least one and at most the maximum count of a "
            "barrier object."
        ),
        why="The manual leaves other counts undefined.",
        fix="expect at least one arrival, and at most the maximum count of a barrier object",
    ),
    range(1, _MAX + 1),
)
BYTES = Limit(
    rule(
        "T5-PTX-043",
        _CONTENTS,
        subject="count of bytes",
        statement=(
            "The number of bytes that a phase expects is at most the maximum transaction count of "
            "a barrier object."
        ),
        why="The transaction count would overflow, and the phase would end too early or never.",
        fix="split the copies into several phases",
    ),
    range(_MAX + 1),
)
PARITY = Limit(
    rule(
        "T5-PTX-044",
        _WAIT,
        subject="parity of a phase",
        statement="The parity of a phase is 0 or 1: the number of the phase modulo two.",
        why="The instruction compares only one bit.",
        fix="wait for the phase number modulo two",
    ),
    range(2),
)

"""cp.async: copies of a few bytes by each thread from global to shared memory (9.7.9.25.3)."""

from __future__ import annotations

from tcgen05_dialect.isa.model.rule import alternatives, rule
from tcgen05_dialect.isa.model.table import Limit, Table

_SIZES = (4, 8, 16)
PREFETCH_SIZES = ("L2::64B", "L2::128B", "L2::256B")
SIZES = Table(
    "cp.async",
    "9.7.9.25.3.1",
    ("cache", "size"),
    (("ca", _SIZES), ("cg", _SIZES[-1])),
    rule("T5-PTX-053", sizes=alternatives(_SIZES), largest=_SIZES[-1]),
)
SIZE = Limit(SIZES.rule, SIZES.values("size"))
PENDING_COPIES = Limit(
    rule("T5-PTX-054"),
    range(1 << 31),
)

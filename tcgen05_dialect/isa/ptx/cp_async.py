"""cp.async: copies of a few bytes by each thread from global to shared memory (9.7.9.25.3)."""

from __future__ import annotations

from tcgen05_dialect.isa.model.limit import Limit
from tcgen05_dialect.isa.model.rule import rule
from tcgen05_dialect.isa.model.table import Table

PREFETCH_SIZES = ("L2::64B", "L2::128B", "L2::256B")
SIZES = Table(
    "cp.async",
    "9.7.9.25.3.1",
    ("cache", "size"),
    (("ca", (4, 8, 16)), ("cg", 16)),
    rule(
        "T5-PTX-053",
        "9.7.9.25.3.1",
        subject="number of bytes that cp.async copies",
        statement=(
            "cp.async copies 4, 8 or 16 bytes; with .cg, which skips the L1 cache, it copies 16 "
            "bytes."
        ),
        why="The instruction has no other forms; ptxas refuses them.",
        fix="use .ca, or copy the number of bytes that .cg requires",
    ),
)
SIZE = Limit(SIZES.rule, SIZES.values("size"))
PENDING_COPIES = Limit(
    rule(
        "T5-PTX-054",
        "9.7.9.25.3.3",
        subject="number of groups of copies left pending",
        statement="The number of groups of copies that may stay pending is not negative.",
        why="ptxas refuses a negative number.",
        fix="give zero or more pending groups",
    ),
    range(1 << 31),
)

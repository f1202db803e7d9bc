"""Where the matrix of a question lies, and what pictures colour alike."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from tcgen05_dialect.calculator.grid import Group
from tcgen05_dialect.isa.shared_memory.layout import ATOM_ORDERS, MAJORS
from tcgen05_dialect.isa.shared_memory.swizzle import PATTERN_ROWS
from tcgen05_dialect.isa.tensor_memory.cells import WARP_LANES

_CLOSE_ROWS = PATTERN_ROWS
"""Rows that a picture shades alike: those of a core matrix."""


@dataclass(frozen=True, slots=True)
class Placement:
    """How a matrix lies; None stands for what is usual for it.

    `address` is that of the tile in bytes in shared memory; in tensor memory it is lane << 16 |
    column."""

    memory: str | None = None
    major: str = MAJORS[0]
    swizzle: str | None = None
    atom_order: str = ATOM_ORDERS[0]
    address: int = 0


@cache
def row_group(name: str, rows: int, row: int, together: int = WARP_LANES) -> Group:
    """The colour of the `together` rows that lie, or whose scale factors lie, in the lanes of one
    warp."""
    block = row // together
    last = min((block + 1) * together, rows) - 1
    return Group(f"{name} {block * together}-{last}", block, row // _CLOSE_ROWS % 2)

"""Where the matrix of a question lies."""

from __future__ import annotations

from dataclasses import dataclass

from tcgen05_dialect.isa.shared_memory.layout import ATOM_ORDERS, MAJORS


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

"""Placement: the memory, layout and address of a matrix in a question."""

from __future__ import annotations

from dataclasses import dataclass

from tcgen05_dialect.isa.shared_memory.layout import ATOM_ORDERS, MAJORS


@dataclass(frozen=True, slots=True)
class Placement:
    """
    The memory, layout and address of a matrix; None means the usual choice.

    `address` is in bytes in shared memory, and lane << 16 | column in tensor memory.
    """

    memory: str | None = None
    major: str = MAJORS[0]
    swizzle: str | None = None
    atom_order: str = ATOM_ORDERS[0]
    address: int = 0

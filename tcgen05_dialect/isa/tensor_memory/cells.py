"""Tensor memory: its extents and addresses (9.7.16.1)."""

from __future__ import annotations

from typing import NamedTuple

from tcgen05_dialect.isa.model.bitfield import BitLayout, number
from tcgen05_dialect.isa.model.rule import Violation, rule

LANES = 128
COLUMNS = 512
CELL_BITS = 32
ALLOCATION_UNIT = 32
"""Allocation unit in columns."""
WARP_LANES = 32
"""Number of lanes that one warp can access with ld and st (9.7.16.8.1)."""

ADDRESS_RULE = rule("T5-TMEM-001", lanes=LANES, columns=COLUMNS)
SLICE = rule("T5-TMEM-003")
ACCESS_REGION = rule("T5-TMEM-004")
ADDRESS = BitLayout(
    "tensor memory address",
    "9.7.16.1.1",
    32,
    (
        number("column", 0, 15, range(COLUMNS)),
        number("lane", 16, 31, range(LANES)),
    ),
    ADDRESS_RULE,
)


class Cell(NamedTuple):
    """A 32-bit cell of tensor memory, absolute or relative to an address."""

    lane: int
    column: int


def pack(lane: int, column: int) -> int:
    """The 32-bit address of a cell. Raises Violation for a cell outside tensor memory."""
    return ADDRESS.encode(lane=lane, column=column)


def unpack(address: int) -> Cell:
    """The cell at a 32-bit address. Raises Violation for an address outside tensor memory."""
    return Cell(**ADDRESS.decode(address))


_SCALE_ID = 0b11 << 30


def unpack_scale(address: int) -> Cell:
    """
    The cell at the 32-bit address of scale factors.

    CUTLASS also keeps the ID of the scale factors in the two highest bits of the address, although
    it belongs to the instruction descriptor (9.7.16.10.7). Raises Violation for an address outside
    tensor memory.
    """
    return unpack(address & ~_SCALE_ID)


def column_violations(first: int, columns: int, what: str) -> list[Violation]:
    """Violations of an access to `columns` columns, beginning at column `first`."""
    if first + columns <= COLUMNS:
        return []
    found = f"{first} to {first + columns - 1}"
    return [ADDRESS_RULE.violation(found, f"within 0 to {COLUMNS - 1}", what)]


def warp_lanes(warp: int) -> range:
    """The lanes that a warp can access with ld and st (9.7.16.8.1); `warp` is its index in the
    CTA."""
    first = warp * WARP_LANES % LANES
    return range(first, first + WARP_LANES)

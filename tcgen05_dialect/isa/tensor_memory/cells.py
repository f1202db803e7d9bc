"""Tensor memory: its extents and addresses (9.7.16.1)."""

from __future__ import annotations

from typing import NamedTuple

from tcgen05_dialect.isa.model.bitfield import BitLayout, number
from tcgen05_dialect.isa.model.rule import Violation, rule

LANES = 128
COLUMNS = 512
CELL_BITS = 32
ALLOCATION_UNIT = 32
"""Unit of allocation, in columns."""
WARP_LANES = 32
"""Lanes that one warp reaches with ld and st (9.7.16.8.1)."""

ADDRESS_RULE = rule(
    "T5-TMEM-001",
    "9.7.16.1.1",
    subject="address in tensor memory",
    statement="An address in tensor memory names a lane and a column that exist.",
    why="The manual leaves other addresses undefined.",
    fix=f"keep lane and column inside {LANES} x {COLUMNS}",
)
SLICE = rule(
    "T5-TMEM-003",
    "9.7.16.1.1",
    subject="slice of a matrix",
    statement="A slice lies inside its matrix.",
    why="An access through it would reach another matrix.",
    fix="move the slice or shrink it",
)
ACCESS_REGION = rule(
    "T5-TMEM-004",
    "9.7.16.2.3",
    subject="accessed region",
    statement="A matrix that an instruction moves has the lanes and columns of the access.",
    why="The instruction moves what its shape says, and would reach another matrix.",
    fix="slice the matrix to what the instruction moves",
)
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
    """The 32-bit address of a cell. Raises Violation outside tensor memory."""
    return ADDRESS.encode(lane=lane, column=column)


def unpack(address: int) -> Cell:
    """The cell that a 32-bit address names. Raises Violation outside tensor memory."""
    return Cell(**ADDRESS.decode(address))


def column_violations(first: int, columns: int, what: str) -> list[Violation]:
    """Violations of an access to `columns` columns from the column `first` on."""
    if first + columns <= COLUMNS:
        return []
    found = f"{first} to {first + columns - 1}"
    return [ADDRESS_RULE.violation(found, f"within 0 to {COLUMNS - 1}", what)]


def warp_lanes(warp: int) -> range:
    """Lanes that a warp reaches with ld and st (9.7.16.8.1); `warp` is its index in the CTA."""
    first = warp * WARP_LANES % LANES
    return range(first, first + WARP_LANES)

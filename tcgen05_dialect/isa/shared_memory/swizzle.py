"""Swizzle modes of tiles in shared memory (9.7.16.4.1, 9.7.16.10.6)."""

from __future__ import annotations

from typing import NamedTuple

from tcgen05_dialect.isa.model.rule import rule

_SECTION = "9.7.16.4.1"
UNIT_BYTES = 16
"""Bytes of the element to which matrices are normalised: the unit of addresses in the
descriptor."""
ROW_BYTES = 128
"""Bytes of shared memory that the bits above the swizzled ones count."""
PATTERN_ROWS = 8

SWIZZLE_RULE = rule(
    "T5-SWIZZLE-001",
    _SECTION,
    subject="swizzle mode",
    statement="A swizzle mode is one of those that the descriptor can name.",
    why="The other codes are reserved.",
    fix="use the number of a swizzle mode, or its name",
)


class Swizzle(NamedTuple):
    """A swizzle mode: `code` in the descriptor, `width` in bytes of a row of the swizzle atom,
    `chunk` in bytes that stay together (the atomicity)."""

    name: str
    code: int
    width: int
    chunk: int = UNIT_BYTES

    @property
    def is_swizzled(self) -> bool:
        return self.width > self.chunk

    @property
    def atom_units(self) -> int:
        """Extent of the swizzle atom along the major dimension, in elements of 128 bits (Table
        53)."""
        return self.width // UNIT_BYTES

    @property
    def atom_rows(self) -> int:
        """Extent of the swizzle atom along the other dimension (Table 53)."""
        return PATTERN_ROWS * UNIT_BYTES // self.chunk

    @property
    def pattern_bytes(self) -> int:
        """Boundary on which the repeating pattern starts (Table 41); that of the descriptor's
        addresses without swizzling."""
        return PATTERN_ROWS * self.width if self.is_swizzled else UNIT_BYTES

    def apply(self, address: int) -> int:
        """Where the byte that lies at `address` before swizzling lies after; its own inverse."""
        return address ^ (address // ROW_BYTES % (self.width // self.chunk)) * self.chunk


SWIZZLES = {
    swizzle.name: swizzle
    for swizzle in (
        Swizzle("no_swizzle", 0, 16),
        Swizzle("swizzle_128b_atom_32b", 1, 128, 32),
        Swizzle("swizzle_128b", 2, 128),
        Swizzle("swizzle_64b", 4, 64),
        Swizzle("swizzle_32b", 6, 32),
    )
}


def swizzle(name: str) -> Swizzle:
    """The swizzle mode called `name`. Raises Violation."""
    if name not in SWIZZLES:
        raise SWIZZLE_RULE.violation(name, tuple(SWIZZLES))
    return SWIZZLES[name]

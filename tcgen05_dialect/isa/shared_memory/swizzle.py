"""Swizzle modes of tiles in shared memory (9.7.16.4.1, 9.7.16.10.6)."""

from __future__ import annotations

from typing import NamedTuple

from tcgen05_dialect.isa.model.rule import rule

UNIT_BYTES = 16
"""Size in bytes of the unit of addresses in descriptors and of extents of atoms."""
ROW_BYTES = 128
"""Size in bytes of a row of shared memory; the row number selects the permutation of the chunks."""
PATTERN_ROWS = 8

SWIZZLE_RULE = rule("T5-SWIZZLE-001")


class Swizzle(NamedTuple):
    """A swizzle mode: its `code` in the descriptor, the `width` of a row of the swizzle atom in
    bytes, and the size `chunk` of the bytes that stay together (the atomicity)."""

    name: str
    code: int
    width: int
    chunk: int = UNIT_BYTES

    @property
    def is_swizzled(self) -> bool:
        return self.width > self.chunk

    @property
    def atom_units(self) -> int:
        """Extent of the swizzle atom along the major dimension, in elements of 128 bits
        (Table 53)."""
        return self.width // UNIT_BYTES

    @property
    def atom_rows(self) -> int:
        """Extent of the swizzle atom along the other dimension (Table 53)."""
        return PATTERN_ROWS * UNIT_BYTES // self.chunk

    @property
    def pattern_bytes(self) -> int:
        """Period of the swizzle pattern in bytes, to which its start is aligned (Table 41); without
        swizzling, the unit of addresses in the descriptor."""
        return PATTERN_ROWS * self.width if self.is_swizzled else UNIT_BYTES

    def apply(self, address: int) -> int:
        """The swizzled address of the byte at linear address `address`, or the reverse: the
        function is its own inverse."""
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

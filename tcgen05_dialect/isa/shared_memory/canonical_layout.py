"""Canonical layouts of matrices in shared memory, in CuTe's notation (9.7.16.3.3)."""

from __future__ import annotations

from typing import NamedTuple

from tcgen05_dialect.isa.shared_memory.layout import SharedMemoryLayout, leading_steps_mn
from tcgen05_dialect.isa.shared_memory.swizzle import ROW_BYTES, SWIZZLES, UNIT_BYTES, Swizzle

SECTION = "9.7.16.3.3"
_UNIT_BITS = 8 * UNIT_BYTES


def swizzle_function(mode: Swizzle) -> str:
    """The swizzle as a function on byte addresses: the number of bits that it changes, the lowest
    of these bits, and the distance to the bits that are xored into them."""
    bits = mode.width // mode.chunk
    return (
        f"Swizzle<{bits.bit_length() - 1},{mode.chunk.bit_length() - 1},"
        f"{(ROW_BYTES // mode.chunk).bit_length() - 1}>"
    )


_Mode = tuple[tuple[str, str], ...]
"""Extents and strides of the modes of one dimension, innermost first, as symbols."""


class CanonicalLayout(NamedTuple):
    """
    A canonical layout: the modes of its two dimensions, mn first, and the values of their symbols
    for one tile, in elements.

    `m` and `k` are the numbers of repetitions along mn and along k. The manual's formulas for
    swizzled K-major matrices give no bound for a row; here a row ends with the atom
    (`SharedMemoryLayout.atom`).
    """

    swizzle: str
    modes: tuple[_Mode, _Mode]
    values: dict[str, int]

    def _text(self, of: dict[str, int]) -> str:
        def tuples(which: int) -> str:
            modes = (",".join(str(of.get(p[which], p[which])) for p in m) for m in self.modes)
            return ",".join(f"({mode})" for mode in modes)

        return f"{self.swizzle} o ({tuples(0)}):({tuples(1)})"

    @property
    def parameters(self) -> tuple[tuple[str, int], ...]:
        """The symbols that are parameters, and their values."""
        k = self.values["2k"] // 2 if "2k" in self.values else self.values["k"]
        return ("T", self.values["T"]), ("m", self.values["m"]), ("k", k)

    @property
    def form(self) -> str:
        """The layout of all tiles with this majorness and swizzle, with symbols."""
        return self._text({})

    @property
    def exact(self) -> str:
        """The layout of the tile, with numbers."""
        return self._text(self.values)


def canonical_layout(tile: SharedMemoryLayout) -> CanonicalLayout:
    """The canonical layout of a legal tile."""
    mode = SWIZZLES[tile.swizzle]
    unit = _UNIT_BITS // tile.container_bits
    leading = tile.leading_byte_offset * 8 // tile.container_bits
    stride = tile.stride_byte_offset * 8 // tile.container_bits
    row = f"{mode.atom_units}T"
    values = {"T": unit, row: mode.atom_units * unit, "LBO": leading, "SBO": stride}
    if tile.transposed:
        along_mn, along_k = ("LBO", "SBO") if leading_steps_mn(mode, True) else ("SBO", "LBO")
        modes = (
            (("T", "1"), (str(mode.atom_units), "T"), ("m", along_mn)),
            ((str(mode.atom_rows), row), ("k", along_k)),
        )
        values |= {"m": tile.mn // tile.atom[0], "k": tile.k // tile.atom[1]}
    else:
        modes = (
            ((str(mode.atom_rows), row), ("m", "SBO")),
            (("T", "1"), ("2k", "T" if mode.is_swizzled else "LBO")),
        )
        values |= {"m": tile.mn // tile.atom[0], "2k": tile.k // unit}
    return CanonicalLayout(swizzle_function(mode), modes, values)

"""Tiles of kernels, by a roofline: the time of a tile is that of its products or of its loads."""

from collections.abc import Iterator
from math import ceil
from typing import NamedTuple

from ..isa.shared_memory.descriptor import SWIZZLES
from ..isa.targets import MULTIPROCESSORS

ROW_BYTES = max(mode.width for mode in SWIZZLES.values())
"""Bytes of a row of a tile in shared memory: those of the widest swizzle mode."""
ROWS = 128
_COLUMNS = (256, 128, 64, 32, 16)
_PRODUCTS = 16384
"""Products of 8-bit elements that the tensor cores of a multiprocessor compute in a cycle; of
wider ones as many fewer as they are wider."""
_L2_BYTES = 64
"""Bytes that a multiprocessor loads from the L2 cache in a cycle."""
_START = 1500
"""Cycles of a tile in which its tensor cores do not work: the first loads and the epilogue."""


class Tile(NamedTuple):
    """
    The tile of a CTA or, with `is_pair`, of both CTAs of a pair, and its steps along K.

    `cycles` is the estimated time of the kernel, `by` what limits it, and `tiles` the number of
    tiles.
    """

    rows: int
    columns: int
    depth: int
    is_pair: bool
    tiles: int
    cycles: int
    by: str

    @property
    def ctas(self) -> int:
        """The number of CTAs that work on a tile."""
        return 2 if self.is_pair else 1

    @property
    def is_persistent(self) -> bool:
        """Whether CTAs work on several tiles."""
        return self.tiles > MULTIPROCESSORS // self.ctas


def choices(m: int, n: int, k: int, element_bytes: int, batch: int = 1) -> Iterator[Tile]:
    """The possible tiles of a product."""
    depth = ROW_BYTES // element_bytes
    steps = -(-k // depth)
    for is_pair in (False, True):
        ctas = 2 if is_pair else 1
        rows = ROWS * ctas
        if is_pair and m <= ROWS:
            continue
        for columns in _COLUMNS:
            if columns >= 2 * max(n, _COLUMNS[-1]) or (is_pair and columns < 64):
                continue
            tiles = -(-m // rows) * -(-n // columns) * batch
            products = ROWS * columns * depth * element_bytes / _PRODUCTS
            loads = (ROWS + columns // ctas) * ROW_BYTES / _L2_BYTES
            waves = ceil(tiles * ctas / MULTIPROCESSORS)
            by = "products" if products >= loads else "loads"
            cycles = waves * (steps * max(products, loads) + _START)
            yield Tile(rows, columns, depth, is_pair, tiles, round(cycles), by)


def best(m: int, n: int, k: int, element_bytes: int, batch: int = 1) -> Tile:
    """The tile with the least estimated time; of equal ones the first."""
    return min(choices(m, n, k, element_bytes, batch), key=lambda each: each.cycles)

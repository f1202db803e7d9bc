"""Tiles of matrix products, by a roofline: the time of a step is that of its products or loads."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil
from typing import NamedTuple

from ..isa.element import element
from ..isa.shared_memory.descriptor import SWIZZLES
from ..isa.targets import MULTIPROCESSORS
from ..isa.tensor_memory.alloc import LANES
from . import QuestionError
from .answer import Answer, Records

ROW_BYTES = max(mode.width for mode in SWIZZLES.values())
"""Bytes of a row of a tile in shared memory, as the widest swizzle mode has them."""
ROWS = LANES
"""Rows of the tile of a CTA."""
_COLUMNS = (256, 128, 64, 32, 16)
MOST_COLUMNS = _COLUMNS[0]
"""Most columns of a tile."""
_PRODUCTS = 8192
"""Products of elements of 8 bits that the tensor cores of a multiprocessor compute in a cycle."""
_L2_BYTES = 64
"""Bytes that a multiprocessor loads from the L2 cache in a cycle."""
_START = 1500
"""Cycles of a tile in which its tensor cores do not work: the first loads, and the epilogue."""


def product_cycles(bits: int) -> float:
    """The cycles of products on one multiprocessor; `bits` are the multiply-adds, times the bits of
    an element."""
    return bits / 8 / _PRODUCTS


def load_cycles(bytes_: int) -> float:
    """The cycles in which a multiprocessor loads some bytes from the L2 cache."""
    return bytes_ / _L2_BYTES


class Tile(NamedTuple):
    """The tile of a CTA or, with `is_pair`, of both CTAs of a pair, and its steps along K. `tiles`
    is the number of tiles, `cycles` the estimated time, and `by` what limits it."""

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


def _tiles(m: int, n: int, k: int, element_bytes: int, batch: int) -> Iterator[Tile]:
    depth = ROW_BYTES // element_bytes
    for ctas in (1, 2) if m > ROWS else (1,):
        for columns in _COLUMNS:
            if columns >= 2 * max(n, _COLUMNS[-1]) or columns < 64 * (ctas - 1):
                continue
            tiles = -(-m // (ROWS * ctas)) * -(-n // columns) * batch
            products = product_cycles(ROWS * columns * ROW_BYTES * 8)
            loads = load_cycles((ROWS + columns // ctas) * ROW_BYTES)
            waves = ceil(tiles * ctas / MULTIPROCESSORS)
            by = "products" if products >= loads else "loads"
            cycles = round(waves * (-(-k // depth) * max(products, loads) + _START))
            yield Tile(ROWS * ctas, columns, depth, ctas == 2, tiles, cycles, by)


def tiles_of(m: int, n: int, k: int, element_bytes: int, batch: int = 1) -> list[Tile]:
    """The possible tiles of a product, the fastest first."""
    return sorted(_tiles(m, n, k, element_bytes, batch), key=lambda each: each.cycles)


def answer(m: int, n: int, k: int, type_: str, batch: int) -> Answer:
    """The tiles as records. Raises QuestionError, and Violation for an unknown type."""
    for name, extent in (("M", m), ("N", n), ("K", k), ("the batch", batch)):
        if extent < 1:
            raise QuestionError(name, extent, "at least 1")
    records = [
        {
            "tile": f"{each.rows} x {each.columns} x {each.depth}",
            "CTAs": each.ctas,
            "tiles": each.tiles,
            "persistent": "yes" if each.is_persistent else "no",
            "cycles": each.cycles,
            "limited by": each.by,
        }
        for each in tiles_of(m, n, k, max(1, element(type_).bits // 8), batch)
    ]
    title = f"tiles of {m} x {n} x {k} {type_}, the fastest first by a roofline"
    return Answer(title, [Records("", records)])

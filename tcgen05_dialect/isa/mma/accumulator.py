"""Data path layouts: the placement of D and A of tcgen05.mma in tensor memory (9.7.16.10.4, .5)."""

from __future__ import annotations

from typing import NamedTuple

from tcgen05_dialect.isa.cta_group import CTA_GROUP_RULE
from tcgen05_dialect.isa.mma.kinds import WS_RULE
from tcgen05_dialect.isa.model.bitfield import BOOLEANS
from tcgen05_dialect.isa.model.rule import rule
from tcgen05_dialect.isa.model.table import Table
from tcgen05_dialect.isa.tensor_memory.alloc import CELL_BITS, LANES, WARP_LANES

LAYOUT_RULE = rule("T5-SHAPE-004")
ALIGNMENT_RULE = rule("T5-TMEM-002")
_HALF_LANES = WARP_LANES // 2


class Position(NamedTuple):
    """The place of an element: CTA of the pair, lane, column, and lowest bit in the 32-bit cell."""

    cta: int
    lane: int
    column: int
    bit: int = 0


class DataPathLayout(NamedTuple):
    """A data path layout.

    Each CTA holds `rows` rows of D. N is divided into `folds` parts, each in its own lanes. If
    `is_half`, D uses only 16 of each warp's 32 lanes, the lower or the upper ones.
    """

    name: str
    section: str
    rows: int
    folds: int = 1
    is_half: bool = False

    @property
    def alignments(self) -> tuple[int, ...]:
        """Lanes at which the matrices may begin."""
        return (0, _HALF_LANES) if self.is_half else (0,)

    def check_lane(self, lane: int) -> None:
        """Raise Violation unless the address of D, A or the metadata may have this lane."""
        if lane not in self.alignments:
            raise ALIGNMENT_RULE.violation(lane, self.alignments, f"lane in layout {self.name}")

    def _lane(self, row: int, lane: int) -> int:
        if self.is_half:
            warp, row = divmod(row, _HALF_LANES)
            return warp * WARP_LANES + row + lane
        return row + lane

    def columns(self, n: int) -> int:
        """The number of tensor memory columns of a D with `n` columns: each cell holds one element
        of any size."""
        return n // self.folds

    def position(self, m: int, n: int, extent_n: int, lane: int = 0) -> Position:
        """The position of D(m, n) in a matrix of `extent_n` columns. `lane` is the lane of the
        address of D; the column is relative to that address. A 16-bit element occupies the low half
        of its cell."""
        cta, row = divmod(m, self.rows)
        fold, column = divmod(n, self.columns(extent_n))
        return Position(cta, self._lane(row, lane) + fold * self.rows, column)

    def a_positions(self, m: int, k: int, bits: int, lane: int = 0) -> tuple[Position, ...]:
        """The positions of A(m, k) in tensor memory, with elements of `bits` bits: one in each lane
        that holds row m of D, thus several if N is folded."""
        cta, row = divmod(m, self.rows)
        column, bit = divmod(k * bits, CELL_BITS)
        return tuple(
            Position(cta, self._lane(row, lane) + fold * self.rows, column, bit)
            for fold in range(self.folds)
        )

    def row_in(self, lane: int, first: int = 0) -> tuple[int, int] | None:
        """The row of D in this CTA and the fold of N that a lane holds, or None. `first` is the
        lane of the address of D."""
        if self.is_half:
            warp, inside = divmod(lane, WARP_LANES)
            row = inside - first
            return (warp * _HALF_LANES + row, 0) if row in range(_HALF_LANES) else None
        fold, row = divmod(lane - first, self.rows)
        return (row, fold) if fold in range(self.folds) else None

    def element(self, place: Position, extent_n: int, lane: int = 0) -> tuple[int, int] | None:
        """The inverse of `position`: the (m, n) whose cell holds the bit, or None."""
        found = self.row_in(place.lane, lane)
        if found is None or place.column not in range(self.columns(extent_n)):
            return None
        row, fold = found
        return place.cta * self.rows + row, fold * self.columns(extent_n) + place.column

    def a_element(self, place: Position, bits: int, lane: int = 0) -> tuple[int, int] | None:
        """The inverse of `a_positions`: the (m, k) that holds the bit, or None."""
        found = self.row_in(place.lane, lane)
        if found is None:
            return None
        k = (place.column * CELL_BITS + place.bit) // bits
        return place.cta * self.rows + found[0], k

    def lanes(self, lane: int = 0) -> frozenset[int]:
        """The lanes of D in each CTA."""
        return frozenset(
            self._lane(row, lane) + fold * self.rows
            for row in range(self.rows)
            for fold in range(self.folds)
        )


LAYOUTS = {
    layout.name: layout
    for layout in (
        DataPathLayout("A", "9.7.16.10.5.1", LANES),
        DataPathLayout("B", "9.7.16.10.5.2", LANES // 2, 2),
        DataPathLayout("C", "9.7.16.10.5.3", LANES // 2, is_half=True),
        DataPathLayout("D", "9.7.16.10.5.4", LANES),
        DataPathLayout("E", "9.7.16.10.5.5", LANES // 2, 2),
        DataPathLayout("F", "9.7.16.10.5.6", LANES // 2, is_half=True),
        DataPathLayout("G", "9.7.16.10.5.7", LANES // 4, 4),
    )
}

DATA_PATH_LAYOUTS = Table(
    "Data path layout",
    "9.7.16.10.5",
    ("m", "cta_group", "sparse", "ws", "layout"),
    (
        (32, 1, BOOLEANS, True, "G"),
        (64, 1, BOOLEANS, True, "E"),
        (64, 1, BOOLEANS, False, "F"),
        (128, 1, BOOLEANS, BOOLEANS, "D"),
        (128, 2, False, False, "B"),
        (128, 2, True, False, "C"),
        (256, 2, BOOLEANS, False, "A"),
    ),
    LAYOUT_RULE,
    {"cta_group": CTA_GROUP_RULE, "ws": WS_RULE},
    {"ws": ".ws"},
)


def data_path_layout(m: int, cta_group: int, sparse: bool, ws: bool) -> DataPathLayout:
    """The layout of an MMA with this M and these qualifiers. Raises Violation if there is none."""
    name = DATA_PATH_LAYOUTS.value("layout", m=m, cta_group=cta_group, sparse=sparse, ws=ws)
    return LAYOUTS[name]

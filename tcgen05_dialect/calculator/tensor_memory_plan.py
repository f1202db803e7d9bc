"""Plans of tensor memory: matrices side by side, and the number of columns to allocate."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from ..isa.element import container_bits, element
from ..isa.mma.scale import ATOM_COLUMNS, COLUMN_RULE
from ..isa.mma.shapes import LAYOUT_RULE, stored_elements
from ..isa.mma.sparse import INDEX_RULE, metadata_columns
from ..isa.model.rule import plural
from ..isa.tensor_memory.alloc import (
    ALLOCATIONS,
    CELL_BITS,
    COLUMNS,
    LANES,
    WARP_LANES,
)
from . import (
    Cell,
    ColourGroup,
    Grid,
    QuestionError,
    Record,
    UsageError,
    ranges_text,
)
from .answer import Answer, Field, Fields, Records
from .multiplication import Multiplication
from .operands import Scales

ROLES = ("D", "A", "SFA", "SFB", "metadata")
_BAND_LANES = WARP_LANES // 2
"""Number of lanes in a band; each layout uses either all or none of them."""
_DRAWN = 64
"""Maximum number of characters of a drawn line."""
_FREE, _SEVERAL = ".", "+"


class PlannedMatrix(NamedTuple):
    """A matrix in tensor memory: its role in an MMA, whose M, N and K are the extents of the whole
    matrix."""

    role: str
    mma: Multiplication

    @property
    def extents(self) -> tuple[int, int]:
        mma = self.mma
        first = mma.n if self.role == "SFB" else mma.m
        return first, mma.n if self.role == "D" else mma.extent_k()

    @property
    def columns(self) -> int:
        """The number of columns of the matrix in each CTA."""
        mma = self.mma
        match self.role:
            case "D":
                return mma.layout.columns(mma.n)
            case "A":
                room = container_bits(element(mma.a).bits, mma.pads)
                bits = stored_elements(mma.extent_k(), mma.sparse) * room
                return -(-bits // CELL_BITS)
            case "metadata":
                if not mma.sparse:
                    raise QuestionError("metadata of an MMA", "dense", "sparse")
                return mma.extent_k() // mma.instruction_k * metadata_columns(mma.kind)
            case _:
                return Scales(mma, self.role).matrix.columns

    @property
    def alignment(self) -> int:
        """The first column must be a multiple of this number."""
        return ATOM_COLUMNS if self._is_scales else 1

    @property
    def _is_scales(self) -> bool:
        return self.role in ("SFA", "SFB")

    @property
    def lanes(self) -> frozenset[int]:
        return frozenset(range(LANES)) if self._is_scales else self.mma.layout.lanes()

    @property
    def section(self) -> str:
        """The section of the manual that gives the layout."""
        if self._is_scales:
            return COLUMN_RULE.section
        return INDEX_RULE.section if self.role == "metadata" else LAYOUT_RULE.section


class Region(NamedTuple):
    """A matrix and its columns."""

    letter: str
    matrix: PlannedMatrix
    columns: range


@dataclass(frozen=True, slots=True)
class Plan:
    """Consecutive regions, and the number of columns to allocate for them."""

    regions: tuple[Region, ...]
    allocation: int

    @property
    def used(self) -> int:
        return sum(len(region.columns) for region in self.regions)


def plan(matrices: Sequence[PlannedMatrix]) -> Plan:
    """Place matrices side by side, in the given order. Raises UsageError if there are none, and
    QuestionError if they do not fit into tensor memory."""
    if not matrices:
        raise UsageError("number of matrices", 0, "1 or more")
    regions: list[Region] = []
    end = 0
    for at, matrix in enumerate(matrices):
        first = -(-end // matrix.alignment) * matrix.alignment
        end = first + matrix.columns
        regions.append(Region(chr(ord("a") + at % 26), matrix, range(first, end)))
    legal = sorted(size for size in ALLOCATIONS.values("columns") if size >= end)
    if not legal:
        parts = ", ".join(f"{each.matrix.role} {len(each.columns)}" for each in regions[:_DRAWN])
        raise QuestionError("columns of tensor memory", f"{end}: {parts}", f"1 to {COLUMNS}")
    return Plan(tuple(regions), legal[0])


def answer(planned: Plan) -> Answer:
    """The plan as fields, records and a drawing."""
    size, left = planned.allocation, planned.allocation - planned.used
    others = f"{COLUMNS - size} columns; further CTAs with this plan: {(COLUMNS - size) // size}"
    fields = [
        Field("columns used", planned.used),
        Field("allocate", size, f"{size} columns, a power of two"),
        Field("left in the allocation", left, f"{left} columns"),
        Field("left for other CTAs of the SM", COLUMNS - size, others),
    ]
    halves = sorted({r.letter for r in planned.regions if len(r.matrix.lanes) < LANES})
    if halves:
        what = f"of half of the lanes: {', '.join(halves)}; another one can lie in the other half"
        fields.append(Field("lanes", halves, what))
    unit = max(1, size // _DRAWN)
    cells = _cells(planned, unit)
    drawn = [
        f"lane {at * _BAND_LANES:>3}  "
        + "".join(_SEVERAL if len(each) > 1 else each[0].letter if each else _FREE for each in row)
        for at, row in enumerate(cells)
    ]
    title = f"picture: {unit} {plural('column', unit)} a character"
    if any(len(cell) > 1 for row in cells for cell in row):
        title += f", {_SEVERAL} where matrices meet"
    matrices = Records("matrices", list(_records(planned)))
    parts = [Fields("", fields), matrices, Records(title, None, drawn)]
    return Answer("tensor memory of one CTA", parts, lambda: picture(planned))


def _records(planned: Plan) -> Iterator[dict[str, object]]:
    for region in planned.regions:
        first, second = region.matrix.extents
        yield {
            "": region.letter,
            "matrix": region.matrix.role,
            "extents": f"{first} x {second}",
            "first column": region.columns.start,
            "columns": len(region.columns),
            "lanes": ranges_text(region.matrix.lanes),
            "section": region.matrix.section,
        }


def _cells(planned: Plan, unit: int) -> list[list[list[Region]]]:
    """For each band of lanes, the regions in each unit of `unit` columns of the allocation."""
    return [
        [
            [
                region
                for region in planned.regions
                if band in region.matrix.lanes
                and region.columns.start < first + unit
                and first < region.columns.stop
            ]
            for first in range(0, planned.allocation, unit)
        ]
        for band in range(0, LANES, _BAND_LANES)
    ]


def picture(planned: Plan) -> Grid:
    """The allocation as a grid, for pictures."""
    unit = ATOM_COLUMNS
    return Grid(
        f"{planned.allocation} columns of tensor memory, {planned.used} of them used",
        "lanes",
        # Spaces put one digit below the other, so that the columns are narrow.
        [" ".join(str(first)) for first in range(0, planned.allocation, unit)],
        [f"{first}-{first + _BAND_LANES - 1}" for first in range(0, LANES, _BAND_LANES)],
        [[_cell(regions) for regions in row] for row in _cells(planned, unit)],
    )


def _cell(regions: Sequence[Region]) -> Cell:
    if not regions:
        return Cell()
    first = regions[0]
    name = f"{first.letter}: {first.matrix.role}"
    group = ColourGroup(name, ROLES.index(first.matrix.role), 1 - ord(first.letter) % 2)
    facts = [
        Record({"matrix": region.matrix.role, "first column": region.columns.start})
        for region in regions
    ]
    letters = " ".join(region.letter for region in regions)
    return Cell(letters, letters, group, facts)

"""Covers: sets of tcgen05.ld or st accesses that cover a matrix in tensor memory, with the register
that holds each cell (9.7.16.8)."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from tcgen05_dialect.isa.tensor_memory.cells import WARP_LANES, Cell
from tcgen05_dialect.isa.tensor_memory.ld_st import (
    PACKED_BITS,
    SHAPES,
    footprint,
    fragment,
    registers,
)


class Holder(NamedTuple):
    """A position in registers: bit `bit` of a register of thread `thread`, in the warp that can
    access the lanes, after the access at the address (`lane`, `column`)."""

    lane: int
    column: int
    thread: int
    register: int
    bit: int = 0


@dataclass(frozen=True)
class Cover:
    """Adjacent accesses of one shape, beginning at lane 0 and column 0.

    With a split offset, which must be a multiple of `width`, each access consists of two runs of
    columns at this distance. The accesses interleave without gaps.
    """

    shape: str
    num: str
    pack: bool = False
    split_offset: int | None = None

    @property
    def registers(self) -> int:
        """The number of registers of each thread in one access. Raises Violation."""
        return registers(self.shape, self.num)

    @cached_property
    def width(self) -> int:
        """The number of columns of each run of an access."""
        found = footprint(self.shape, self.num, self.pack, self.split_offset)
        return len(found.columns[0])

    @cached_property
    def period(self) -> int:
        """The number of columns that a group of interleaved accesses covers."""
        return (self.split_offset or self.width) * SHAPES[self.shape].accesses

    def holder(self, cell: Cell, first: int = 0) -> Holder:
        """The holder of a cell, if the first access begins in column `first`."""
        run = self.split_offset or self.width
        group, inside = divmod(cell.column - first, self.period)
        part, inside = divmod(inside, run)
        block, inside = divmod(inside, self.width)
        lane_inside, column_inside = cell.lane % SHAPES[self.shape].lanes, part * run + inside
        thread, register, bit = self._holders[lane_inside, column_inside]
        column = first + group * self.period + block * self.width
        return Holder(cell.lane - lane_inside, column, thread, register, bit)

    def columns(self, extent: int) -> tuple[int, ...]:
        """The first column of each access of those that cover `extent` columns, a multiple of the
        period."""
        run = self.period // SHAPES[self.shape].accesses
        return tuple(
            first + inside
            for first in range(0, extent, self.period)
            for inside in range(0, run, self.width)
        )

    def holds(self, holder: Holder) -> tuple[Cell, ...]:
        """The inverse of `holder`: the cells that a register holds; `bit` is ignored."""
        cells = self._fragment[holder.thread][holder.register]
        return tuple(Cell(holder.lane + lane, holder.column + column) for lane, column in cells)

    @cached_property
    def _fragment(self) -> tuple[tuple[tuple[Cell, ...], ...], ...]:
        return fragment(self.shape, self.num, self.pack, self.split_offset)

    @cached_property
    def _holders(self) -> dict[tuple[int, int], tuple[int, int, int]]:
        """(lane, column) in an access -> thread, register, lowest bit."""
        return {
            cell: (thread, register, half * PACKED_BITS)
            for thread in range(WARP_LANES)
            for register, cells in enumerate(self._fragment[thread])
            for half, cell in enumerate(cells)
        }

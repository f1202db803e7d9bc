"""Accumulator D of a matrix product: its lanes, cells and encoding."""

from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from ...isa.mma.accumulator import DataPathLayout
from ...isa.mma.instruction_descriptor import InstructionDescriptor
from ...isa.tensor_memory.cells import Cell
from ..machine.tensor_memory import LaneIndex, block, lane_index
from ..numbers import floats
from ..numbers.integers import range_of
from ..order.where import Where

Matrix = npt.NDArray[Any]


@lru_cache(maxsize=64)
def accumulator_lanes(layout: DataPathLayout, lane: int) -> npt.NDArray[np.intp]:
    """Lanes of D in each CTA, with axes (fold, row)."""
    folds = range(layout.folds)
    return np.array(
        [
            [layout.position(row, fold, layout.folds, lane).lane for row in range(layout.rows)]
            for fold in folds
        ]
    )


@lru_cache(maxsize=64)
def accumulator_index(layout: DataPathLayout, lane: int) -> LaneIndex:
    """Index of the lanes of D in each CTA, in the order (fold, row)."""
    return lane_index(accumulator_lanes(layout, lane))


def row_cells(lanes: Matrix, cell: Cell, columns: int) -> Where:
    """Cells of rows in some lanes."""
    return block(lanes, cell.column, columns)


@lru_cache(maxsize=64)
def accumulator_cells(layout: DataPathLayout, cell: Cell, columns: int) -> Where:
    """Cells of D."""
    return row_cells(accumulator_lanes(layout, cell.lane), cell, columns)


def decode_accumulator(idesc: InstructionDescriptor, bits: Matrix) -> Matrix:
    """Decode D exactly."""
    if idesc.d == "s32":
        return bits.view(np.int32).astype(np.float64)
    format_ = floats.FORMATS[idesc.d]
    return floats.decode(bits.astype(format_.unsigned, copy=False), format_)


def encode_accumulator(idesc: InstructionDescriptor, total: Matrix) -> Matrix:
    """Round the numbers of D to its type and encode them as cells."""
    if idesc.d == "s32":
        whole = total.astype(np.int64)
        if idesc.saturate:
            whole = np.clip(whole, *range_of(idesc.d))
        return whole.astype(np.uint32)
    return floats.encode(total, floats.FORMATS[idesc.d]).astype(np.uint32, copy=False)

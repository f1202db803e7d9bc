"""The accumulator D of a matrix product: its lanes and cells, and their encoding."""

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
from ..order.shadow import Where

Matrix = npt.NDArray[Any]


@lru_cache(maxsize=64)
def accumulator_lanes(layout: DataPathLayout, lane: int) -> npt.NDArray[np.intp]:
    """The lanes of (fold, row) of D in each CTA."""
    folds = range(layout.folds)
    return np.array(
        [
            [layout.position(row, fold, layout.folds, lane).lane for row in range(layout.rows)]
            for fold in folds
        ]
    )


@lru_cache(maxsize=64)
def accumulator_index(layout: DataPathLayout, lane: int) -> LaneIndex:
    """What indexes the lanes of (fold, row) of D in each CTA."""
    return lane_index(accumulator_lanes(layout, lane))


def row_cells(lanes: Matrix, cell: Cell, columns: int) -> Where:
    """The cells of rows in some lanes."""
    return block(lanes, cell.column, columns)


@lru_cache(maxsize=64)
def accumulator_cells(layout: DataPathLayout, cell: Cell, columns: int) -> Where:
    """The cells of D."""
    return row_cells(accumulator_lanes(layout, cell.lane), cell, columns)


def decode_accumulator(idesc: InstructionDescriptor, bits: Matrix) -> Matrix:
    """The numbers of D, exactly."""
    if idesc.d == "s32":
        return bits.view(np.int32).astype(np.float64)
    format_ = floats.FORMATS[idesc.d]
    return floats.decode(bits.astype(format_.unsigned, copy=False), format_)


def encode_accumulator(idesc: InstructionDescriptor, total: Matrix) -> Matrix:
    """The cells that hold the numbers of D."""
    if idesc.d == "s32":
        whole = total.astype(np.int64)
        if idesc.saturate:
            whole = np.clip(whole, *range_of(idesc.d))
        return whole.astype(np.uint32)
    return floats.encode(total, floats.FORMATS[idesc.d]).astype(np.uint32, copy=False)

"""Comparison of the accesses that move a matrix between tensor memory and registers."""

from __future__ import annotations

from typing import Any

from tcgen05_dialect.calculator.access import access_name, check_access
from tcgen05_dialect.calculator.grid import Grid
from tcgen05_dialect.calculator.matrix import Matrix
from tcgen05_dialect.calculator.question import QuestionError
from tcgen05_dialect.isa.tensor_memory.cells import WARP_LANES
from tcgen05_dialect.isa.tensor_memory.ld_st import REGISTERS, SHAPES
from tcgen05_dialect.isa.tensor_memory.ld_st_cover import Cover


def fragments(matrix: Matrix, pack: bool = False, columns: int | None = None) -> Grid:
    """
    A table with a row for each shape and repeat factor whose accesses cover `columns` columns of a
    matrix exactly; by default, all its columns.

    The row gives the number of accesses of each warp and the number of registers of each thread.
    For 16x32bx2, the split offset makes the columns of an access contiguous. Raises Violation and
    QuestionError.
    """
    tensor = check_access(matrix, Cover(*next(iter(_names())), pack))
    extent = tensor.width if columns is None else columns
    if extent not in range(1, tensor.width + 1):
        raise QuestionError(f"columns of {matrix.name}", extent, range(1, tensor.width + 1))
    lanes = [lane for lane in range(WARP_LANES) if any(tensor.held(0, lane, tensor.origin.column))]
    covers = [_cover(shape, num, pack) for shape, num in _names()]
    records = [_record(cover, extent, lanes) for cover in covers if extent % cover.period == 0]
    if not records:
        least = min(cover.period for cover in covers)
        raise QuestionError("columns that accesses fill", extent, f"multiples of {least}")
    return Grid.of_records(f"{matrix.what}, {extent} columns of tensor memory", records)


def _names() -> list[tuple[str, str]]:
    return [(point["shape"], point["num"]) for point in REGISTERS.points()]


def _cover(shape: str, num: str, pack: bool) -> Cover:
    if not SHAPES[shape].has_split_offset:
        return Cover(shape, num, pack)
    return Cover(shape, num, pack, Cover(shape, num, pack, 0).width)


def _record(cover: Cover, extent: int, lanes: list[int]) -> dict[str, Any]:
    shape = SHAPES[cover.shape]
    halves = {lane // shape.lanes for lane in lanes}
    accesses = len(halves) * len(cover.columns(extent))
    return {
        "access": access_name(cover),
        "lanes": shape.lanes,
        "columns": cover.width * shape.accesses,
        "registers": cover.registers,
        "accesses of a warp": accesses,
        "registers in all": accesses * cover.registers,
        "used in %": 100 * len(lanes) // (len(halves) * shape.lanes),
    }

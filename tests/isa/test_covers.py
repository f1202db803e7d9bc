"""Tests of the map from cells of tensor memory to registers, and of its inverse."""

import pytest

from tcgen05_dialect.isa.tensor_memory import ld_st
from tcgen05_dialect.isa.tensor_memory.alloc import LANES, Cell
from tcgen05_dialect.isa.tensor_memory.ld_st import Cover, Holder


@pytest.mark.parametrize("pack", [False, True])
@pytest.mark.parametrize("split", [1, 3])
@pytest.mark.parametrize("num", ["x1", "x8"])
@pytest.mark.parametrize("shape", ld_st.SHAPES)
def test_covers(shape: str, num: str, split: int, pack: bool) -> None:
    """Each cell of two periods lies in one register; an access holds all that its shape does."""
    width = len(ld_st.footprint(shape, num, pack, *([0] if "x2" in shape[-2:] else [])).columns[0])
    offset = split * width if ld_st.SHAPES[shape].has_split_offset else None
    cover = Cover(shape, num, pack, offset)
    cells = [
        Cell(lane, column) for lane in range(0, LANES, 5) for column in range(2 * cover.period)
    ]
    holders = {cell: cover.holder(cell) for cell in cells}
    assert len(set(holders.values())) == len(cells)
    assert all(
        cell == cover.holds(holder)[holder.bit // ld_st.PACKED_BITS]
        for cell, holder in holders.items()
    )
    assert {holder.column for holder in holders.values()} == set(cover.columns(2 * cover.period))


def test_an_element_of_a_fragment() -> None:
    assert Cover("shape_32x32b", "x8").holder(Cell(35, 17)) == Holder(32, 16, 3, 1)
    assert Cover("shape_16x64b", "x1", pack=True).holder(Cell(17, 5)).bit == 16

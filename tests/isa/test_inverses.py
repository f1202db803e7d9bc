"""Tests of the maps from elements to places, and of their inverses."""

import pytest

from tcgen05_dialect.isa.mma import sparse
from tcgen05_dialect.isa.mma.scale import ScaleFactors
from tcgen05_dialect.isa.mma.shapes import DATA_PATH_LAYOUTS, LAYOUTS, Position
from tcgen05_dialect.isa.shared_memory.descriptor import UNIT_BYTES
from tcgen05_dialect.isa.shared_memory.layout import (
    ATOM_ORDERS,
    SWIZZLE_COMBINATIONS,
    SharedMemoryLayout,
)
from tcgen05_dialect.isa.tensor_memory import ld_st
from tcgen05_dialect.isa.tensor_memory.alloc import LANES, Cell
from tcgen05_dialect.isa.tensor_memory.ld_st import Cover, Holder

CTAS = {point["layout"]: point["cta_group"] for point in DATA_PATH_LAYOUTS.points()}
each_layout = pytest.mark.parametrize("name", LAYOUTS)


@each_layout
def test_accumulators(name: str) -> None:
    layout = LAYOUTS[name]
    for lane in layout.alignments:
        for m in range(layout.rows * CTAS[name]):
            for n in range(64):
                assert layout.element(layout.position(m, n, 64, lane), 64, lane) == (m, n)
        held = {at for at in range(LANES) if layout.row_in(at, lane) is not None}
        assert held == layout.lanes(lane)
    assert layout.element(Position(0, 0, 64), 64) is None


@each_layout
@pytest.mark.parametrize("bits", [4, 8, 16, 32])
def test_a_in_tensor_memory(name: str, bits: int) -> None:
    layout = LAYOUTS[name]
    for lane in layout.alignments:
        for m in range(layout.rows * CTAS[name]):
            for k in range(20):
                for place in layout.a_positions(m, k, bits, lane):
                    assert layout.a_element(place, bits, lane) == (m, k)


@pytest.mark.slow
@each_layout
@pytest.mark.parametrize("kind", sparse.GRANULARITIES)
def test_metadata(name: str, kind: str) -> None:
    layout = LAYOUTS[name]
    for lane in layout.alignments:
        for m in range(layout.rows * CTAS[name]):
            for chunk in range(0, 2 * sparse.metadata_indices(kind), 3):
                for place in sparse.metadata_positions(kind, layout, m, chunk, lane):
                    assert sparse.metadata_chunk(kind, layout, place, lane) == (m, chunk)


@pytest.mark.parametrize(
    "matrix",
    [
        ScaleFactors(128, 4),
        ScaleFactors(8, 2),
        ScaleFactors(136, 4),
        ScaleFactors(256, 6),
        ScaleFactors(256, 4, folds=2),
    ],
)
def test_scale_factors(matrix: ScaleFactors) -> None:
    pairs = [(row, factor) for row in range(matrix.rows) for factor in range(matrix.factors)]
    places = {
        (lane, place.column, place.byte): pair
        for pair in pairs
        for place in [matrix.position(*pair)]
        for lane in place.lanes
    }
    for lane in range(LANES):
        for column in range(matrix.columns + 4):
            for byte in range(4):
                assert matrix.element(lane, column, byte) == places.get((lane, column, byte))
    offsets = {matrix.byte_offset(*pair): pair for pair in pairs}
    for offset in range(matrix.size_bytes + 8):
        assert matrix.element_at(offset) == offsets.get(offset)


@pytest.mark.slow
@pytest.mark.parametrize("order", ATOM_ORDERS)
@pytest.mark.parametrize("point", list(SWIZZLE_COMBINATIONS.points()), ids=str)
def test_shared_memory(point: dict[str, int | str], order: str) -> None:
    for pads in (False, True):
        atom = SharedMemoryLayout(1, 1, **point, atom_order=order, pads=pads)  # pyright: ignore[reportArgumentType]
        if atom.violations() and atom.container_bits == 6:
            continue
        mn, k = atom.atom
        tile = SharedMemoryLayout(2 * mn, 2 * k, **point, atom_order=order, pads=pads)  # pyright: ignore[reportArgumentType]
        if tile.violations():
            continue
        held: dict[int, tuple[int, int]] = {}
        linear: dict[int, tuple[int, int]] = {}
        for m in range(tile.mn):
            for at in range(tile.k):
                start = tile.bit_offset(m, at)
                held[start] = held[start + tile.bits - 1] = m, at
                start = tile.linear_byte_offset(m, at) * 8 + start % 8
                linear[start] = linear[start + tile.bits - 1] = m, at
        assert all(tile.element(bit) == found for bit, found in held.items())
        assert all(tile.element(bit, False) == found for bit, found in linear.items())
        padding = UNIT_BYTES - UNIT_BYTES * tile.bits // tile.container_bits
        assert (tile.element(UNIT_BYTES * 8 - 1) is None) == bool(padding)
        assert tile.element(tile.size_bytes * 8) is None


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

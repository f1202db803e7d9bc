"""Tests of the data path layouts of D and A in tensor memory."""

import pytest

from tcgen05_dialect.isa.mma import shapes
from tcgen05_dialect.isa.mma.shapes import SHAPES, SHAPES_OF_CUTLASS
from tcgen05_dialect.isa.model.rule import Violation

POINTS = [tuple(point.values()) for point in shapes.DATA_PATH_LAYOUTS.points()]


def test_layouts_as_printed() -> None:
    """The table of 9.7.16.10.5: layout and lane alignment for M, cta_group, sparsity, .ws."""
    either = (False, True)
    printed = {
        **{(32, 1, sparse, True): ("G", (0,)) for sparse in either},
        **{(64, 1, sparse, True): ("E", (0,)) for sparse in either},
        **{(64, 1, sparse, False): ("F", (0, 16)) for sparse in either},
        **{(128, 1, sparse, ws): ("D", (0,)) for sparse in either for ws in either},
        (128, 2, False, False): ("B", (0,)),
        (128, 2, True, False): ("C", (0, 16)),
        **{(256, 2, sparse, False): ("A", (0,)) for sparse in either},
    }
    for m in (32, 64, 128, 256):
        for cta_group in (1, 2):
            for sparse in either:
                for ws in either:
                    point = (m, cta_group, sparse, ws)
                    if point in printed:
                        layout = shapes.data_path_layout(*point)
                        assert (layout.name, layout.alignments) == printed[point]
                    else:
                        with pytest.raises(Violation):
                            shapes.data_path_layout(*point)


@pytest.mark.parametrize("ws", [False, True])
@pytest.mark.parametrize("cta_group", [1, 2])
@pytest.mark.parametrize("sparse", [False, True])
def test_every_shape_has_a_layout(ws: bool, cta_group: int, sparse: bool) -> None:
    """No descriptor can break T5-SHAPE-004: its shape is checked first."""
    point = {"ws": ws, "cta_group": cta_group, "sparse": sparse}
    legal = SHAPES.values("m", **point) | SHAPES_OF_CUTLASS.values("m", **point)
    assert legal == shapes.DATA_PATH_LAYOUTS.values("m", **point)


@pytest.mark.parametrize(("m", "cta_group", "sparse", "ws", "name"), POINTS)
def test_maps_are_injective(m: int, cta_group: int, sparse: bool, ws: bool, name: str) -> None:
    layout = shapes.data_path_layout(m, cta_group, sparse, ws)
    assert layout.name == name and layout.rows * cta_group == m
    extent = 64
    for lane in layout.alignments:
        positions = [layout.position(i, n, extent, lane) for i in range(m) for n in range(extent)]
        assert len(set(positions)) == len(positions)
        assert {p.cta for p in positions} == set(range(cta_group))
        assert {p.lane for p in positions} == layout.lanes(lane) <= set(range(128))
        assert {p.column for p in positions} == set(range(layout.columns(extent)))
        assert {p.bit for p in positions} == {0}
        # The layouts differ in how much of the data path they leave unused: half of it, or nothing.
        assert len(layout.lanes(lane)) == (64 if layout.is_half else 128)
        # Row m of A lies exactly where row m of D does.
        for row in range(0, m, 7):
            a = layout.a_positions(row, 0, 16, lane)
            d = {layout.position(row, n, extent, lane)[:2] for n in range(extent)}
            assert {position[:2] for position in a} == d and len(a) == layout.folds


@pytest.mark.parametrize(
    ("name", "element", "position"),
    [
        ("A", (130, 7), (1, 2, 7, 0)),
        ("B", (70, 40), (1, 70, 8, 0)),
        ("C", (70, 40), (1, 6, 40, 0)),
        ("D", (70, 40), (0, 70, 40, 0)),
        ("E", (10, 40), (0, 74, 8, 0)),
        ("F", (20, 40), (0, 36, 40, 0)),
        ("G", (10, 40), (0, 74, 8, 0)),
    ],
)
def test_positions(
    name: str, element: tuple[int, int], position: tuple[int, int, int, int]
) -> None:
    assert shapes.LAYOUTS[name].position(*element, 64) == position


def test_a_in_tensor_memory() -> None:
    layouts = shapes.LAYOUTS
    assert layouts["D"].a_positions(5, 3, 16) == ((0, 5, 1, 16),)
    assert layouts["D"].a_positions(5, 7, 8) == ((0, 5, 1, 24),)
    assert layouts["D"].a_positions(5, 9, 4) == ((0, 5, 1, 4),)
    assert layouts["F"].a_positions(20, 1, 32, 16) == ((0, 52, 1, 0),)
    assert layouts["B"].a_positions(70, 0, 16) == ((1, 6, 0, 0), (1, 70, 0, 0))


def test_lane_alignment() -> None:
    shapes.LAYOUTS["F"].check_lane(16)
    with pytest.raises(Violation, match=r"lane in layout D must be 0; found 16 \[T5-TMEM-002\]"):
        shapes.LAYOUTS["D"].check_lane(16)
    with pytest.raises(Violation, match="0 or 16; found 32"):
        shapes.LAYOUTS["C"].check_lane(32)

"""Tests of the calculator's formulas: each agrees with isa/ on every element."""

from collections.abc import Mapping
from functools import cache
from itertools import product
from types import CodeType

import pytest

from tcgen05_dialect.calculator import detail as formulas
from tcgen05_dialect.calculator.detail import Formulas
from tcgen05_dialect.isa.element import container_bits
from tcgen05_dialect.isa.mma.scale import ScaleFactors
from tcgen05_dialect.isa.mma.shapes import DATA_PATH_LAYOUTS, LAYOUTS, data_path_layout
from tcgen05_dialect.isa.mma.sparse import GRANULARITIES, metadata_indices, metadata_positions
from tcgen05_dialect.isa.shared_memory.layout import ATOMS, SWIZZLE_COMBINATIONS, SharedMemoryLayout
from tcgen05_dialect.isa.tensor_memory.copies import PAYLOAD_BITS

BY_LAYOUT = {point["layout"]: point for point in DATA_PATH_LAYOUTS.points()}
each_layout = pytest.mark.parametrize("name", LAYOUTS)


@cache
def _compiled(expression: str) -> CodeType:
    return compile(expression, "formula", "eval")


def evaluated(expressions: Mapping[str, str], **values: int) -> dict[str, int]:
    """The values of formulas; each may use the values before it."""
    for name, expression in expressions.items():
        values[name] = eval(_compiled(expression), {}, values)
    return values


def goes_both_ways(formula: Formulas, **element: int) -> dict[str, int]:
    """The place of an element; the formulas of the other direction must lead back to it."""
    places = evaluated(formula.places, **element)
    only = {name: value for name, value in places.items() if name not in element}
    back = evaluated(formula.elements, **only)
    assert {name: back[name] for name in element} == element
    return places


@each_layout
def test_accumulators(name: str) -> None:
    layout, m, n = LAYOUTS[name], BY_LAYOUT[name]["m"], 64
    formula = formulas.accumulator(layout, m, n)
    for row, column in product(range(m), range(n)):
        places = goes_both_ways(formula, m=row, n=column)
        found = layout.position(row, column, n)
        assert (places["cta"], places["lane"], places["column"], 0) == found


@pytest.mark.slow
@each_layout
@pytest.mark.parametrize(
    ("bits", "pads"), [(4, False), (4, True), (6, True), (8, True), (16, False), (32, False)]
)
def test_a_in_tensor_memory(name: str, bits: int, pads: bool) -> None:
    layout, m, room = LAYOUTS[name], BY_LAYOUT[name]["m"], container_bits(bits, pads)
    shift = PAYLOAD_BITS[bits] if room > bits else 0
    formula = formulas.tensor_a(layout, m, room, shift)
    for row, k in product(range(m), range(16)):
        places = goes_both_ways(formula, m=row, k=k)
        found = layout.a_positions(row, k, room)[0]
        assert (places["cta"], places["lane"], places["column"], places["bit"] - shift) == found


def tiles() -> list[SharedMemoryLayout]:
    """A tile of each legal layout, one atom wide along its major dimension."""
    found: list[SharedMemoryLayout] = []
    for point in SWIZZLE_COMBINATIONS.points():
        place = {"major": point["major"], "swizzle": point["swizzle"]}
        for pads in {point["bits"] < 8, point["bits"] == 6} if ATOMS.row(**place) else ():
            atom = SharedMemoryLayout(1, 1, point["bits"], **place, pads=pads).atom
            extents = (atom[0], 32) if point["major"] == "mn_major" else (32, atom[1])
            found.append(SharedMemoryLayout(*extents, point["bits"], **place, pads=pads))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("tile", tiles(), ids=str)
def test_shared_memory(tile: SharedMemoryLayout) -> None:
    formula = formulas.shared("A", "m", tile, 1)
    for mn, k in product(range(tile.mn), range(tile.k)):
        places = evaluated(formula.places, m=mn, k=k)
        assert places["linear"] == tile.linear_byte_offset(mn, k)
        assert places["byte"] == tile.byte_offset(mn, k)
        back = evaluated(formula.elements, byte=places["byte"])
        # The element with the first bit of the byte; one of 6 bits may begin in the byte before.
        first = tile.bit_offset(back["m"], back["k"])
        assert places["byte"] * 8 in range(first, first + tile.bits)


@pytest.mark.parametrize(("rows", "folds"), [(128, 1), (256, 1), (64, 2), (256, 2), (64, 1)])
@pytest.mark.parametrize("factors", [1, 4, 6])
def test_scale_factors(rows: int, folds: int, factors: int) -> None:
    scales = ScaleFactors(rows, factors, folds)
    formula = formulas.scales("SFB", "n", scales, 1)
    for row, factor in product(range(rows), range(factors)):
        places = goes_both_ways(formula, n=row, factor=factor)
        found = scales.position(row, factor)
        assert (places["lane"], places["column"], places["byte"]) == (found.lanes[0], *found[1:])


@pytest.mark.slow
@pytest.mark.parametrize("kind", GRANULARITIES)
@pytest.mark.parametrize(
    ("m", "cta_group", "ws"),
    [(128, 1, False), (64, 1, False), (64, 1, True), (128, 2, False), (256, 2, False)],
)
def test_metadata(kind: str, m: int, cta_group: int, ws: bool) -> None:
    layout = data_path_layout(m, cta_group, True, ws)
    formula = formulas.metadata(kind, layout, m)
    for row, chunk in product(range(m), range(metadata_indices(kind))):
        places = goes_both_ways(formula, m=row, chunk=chunk)
        found = metadata_positions(kind, layout, row, chunk)[0]
        assert (places["cta"], places["lane"], places["column"], places["bit"]) == found

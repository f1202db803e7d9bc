"""Tests of tcgen05.cp: destinations of rows, and decompression."""

from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tcgen05_dialect.isa.model.rule import Violation
from tcgen05_dialect.isa.tensor_memory import copies

from ..support.golden_tables import Json, golden

PAIRS = [tuple(point.values()) for point in copies.MULTICASTS.points()]


def copy_is_right(row: Json) -> bool:
    shape = f"shape_{row['shape'][1:]}"
    multicast = row["multicast"][1:].replace("::", "_") or None
    lanes = [list(copies.destination_lanes(shape, multicast, i)) for i in range(row["src_rows"])]
    return (
        lanes == row["dst_lanes"]
        and copies.SHAPES[shape].rows == row["src_rows"]
        and copies.SHAPES[shape].bits == row["src_bytes"] * 8
        and copies.SHAPES[shape].columns == row["columns"] == row["src_bytes"] // 4
        and copies.SHAPE.ptx(shape) == row["shape"]
        and copies.MULTICAST.ptx(multicast) == row["multicast"]
    )


def container_is_right(row: Json) -> bool:
    """Packed elements and padding become bytes with the element in some of the bits."""
    entry = copies.FORMATS[row["fmt"]]
    ones = entry.decompress(b"\xff" * row["src_bytes"] + bytes(row["padding_bytes"]))
    payload = (2 << row["high_bit"]) - (1 << row["low_bit"])
    return (
        entry.bits == row["bits"] == row["high_bit"] - row["low_bit"] + 1
        and entry.shift == row["low_bit"]
        and row["src_bytes"] + row["padding_bytes"] == len(ones) == row["elements"] == 16
        and set(ones) == {payload}
    )


CHECKS = {"cp": copy_is_right, "cp_decompress": container_is_right}


def test_golden_copies() -> None:
    rows = golden("cp")
    assert [row for row in rows if not CHECKS[row["table"]](row)] == []
    assert {row["fmt"] for row in rows if "fmt" in row} == set(copies.FORMATS)
    assert len([row for row in rows if row["table"] == "cp"]) == len(PAIRS)


def test_shapes_and_multicasts_as_printed() -> None:
    """The multicasts of each shape (9.7.16.9.2)."""
    printed = {
        ("shape_128x256b", None),
        ("shape_4x256b", None),
        ("shape_128x128b", None),
        ("shape_64x128b", "warpx2_02_13"),
        ("shape_64x128b", "warpx2_01_23"),
        ("shape_32x128b", "warpx4"),
    }
    assert set(PAIRS) == printed
    multicasts = copies.MULTICASTS.values("multicast")
    for shape, multicast in product(copies.SHAPES, multicasts):
        if (shape, multicast) not in printed:
            with pytest.raises(Violation, match="T5-CP-002"):
                copies.destination_lanes(shape, multicast, 0)
    with pytest.raises(Violation, match=r"found shape_8x8b \[T5-CP-001\]"):
        copies.destination_lanes("shape_8x8b", None, 0)


@pytest.mark.parametrize(("shape", "multicast"), PAIRS)
def test_no_lane_is_written_twice(shape: str, multicast: str | None) -> None:
    rows = range(copies.SHAPES[shape].rows)
    lanes = [lane for row in rows for lane in copies.destination_lanes(shape, multicast, row)]
    assert len(set(lanes)) == len(lanes)
    # Each copy fills all lanes, but for the smallest shape, which has a row for each warp.
    assert sorted(lanes) == list(range(0, 128, 32 if shape == "shape_4x256b" else 1))


@given(st.sampled_from(sorted(copies.FORMATS)), st.binary(min_size=16, max_size=16))
def test_decompression(name: str, unit: bytes) -> None:
    """Bit j of element e is bit e * bits + j of the source."""
    entry = copies.FORMATS[name]
    expected = [
        sum((unit[bit // 8] >> bit % 8 & 1) << j + entry.shift for j, bit in enumerate(element))
        for first in range(0, 16 * entry.bits, entry.bits)
        for element in [range(first, first + entry.bits)]
    ]
    assert list(entry.decompress(unit)) == expected

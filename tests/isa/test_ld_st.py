"""Tests of tcgen05.ld and tcgen05.st: registers, fragments, addresses."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tcgen05_dialect.isa.model.rule import Violation
from tcgen05_dialect.isa.tensor_memory import ld_st
from tcgen05_dialect.isa.tensor_memory.alloc import Cell, pack, unpack, warp_lanes

PAIRS = sorted({(point["shape"], point["num"]) for point in ld_st.REGISTERS.points()})
ONE, TWO = "shape_16x64b", "shape_16x128b"


def test_tables_47_and_48_as_printed() -> None:
    one = (1, 2, 4, 8, 16, 32, 64, 128)
    printed = {
        "shape_16x32bx2": one,
        "shape_16x64b": one,
        "shape_32x32b": one,
        "shape_16x128b": (2, 4, 8, 16, 32, 64, 128),
        "shape_16x256b": (4, 8, 16, 32, 64, 128),
    }
    nums = ("x1", "x2", "x4", "x8", "x16", "x32", "x64", "x128")
    for shape, counts in printed.items():
        for num, count in zip(nums, counts, strict=False):
            assert ld_st.registers(shape, num) == count
        for num in nums[len(counts) :]:
            with pytest.raises(Violation, match=r"\[T5-LDST-001\] \(PTX ISA 9.7.16.8.3\)"):
                ld_st.registers(shape, num)
    assert set(printed) == set(ld_st.SHAPES)


def split_offset(shape: str) -> int | None:
    return 128 if shape == "shape_16x32bx2" else None


@pytest.mark.parametrize(("shape", "num"), PAIRS)
@pytest.mark.parametrize("packed", [False, True])
def test_fragments_are_bijections(shape: str, num: str, packed: bool) -> None:
    """Every cell of the footprint belongs to one register of one thread."""
    split = 256 if packed and split_offset(shape) else split_offset(shape)
    fragment = ld_st.fragment(shape, num, packed, split)
    assert len(fragment) == 32
    assert {len(registers) for registers in fragment} == {ld_st.registers(shape, num)}
    cells = [cell for registers in fragment for held in registers for cell in held]
    footprint = ld_st.footprint(shape, num, packed, split)
    area = {
        Cell(lane, column)
        for lane in footprint.lanes
        for columns in footprint.columns
        for column in columns
    }
    assert set(cells) == area
    assert len(cells) == len(area)


@pytest.mark.parametrize(
    ("shape", "thread", "register", "cell"),
    [
        ("shape_32x32b", 5, 3, (5, 3)),
        ("shape_16x64b", 7, 3, (9, 7)),
        ("shape_16x128b", 7, 3, (9, 7)),
        ("shape_16x256b", 7, 6, (9, 14)),
        ("shape_16x32bx2", 20, 3, (4, 19)),
    ],
)
def test_cells(shape: str, thread: int, register: int, cell: tuple[int, int]) -> None:
    split = 16 if shape == "shape_16x32bx2" else None
    assert ld_st.cells(shape, thread, register, split_offset=split) == (cell,)


def test_packing_doubles_columns_but_not_the_split_offset() -> None:
    assert ld_st.cells("shape_32x32b", 5, 3, pack=True) == ((5, 6), (5, 7))
    assert ld_st.cells("shape_16x32bx2", 20, 3, True, 17) == ((4, 23), (4, 24))
    footprint = ld_st.footprint("shape_16x32bx2", "x4", True, 100, 16, 2)
    assert footprint.lanes == range(16, 32)
    assert footprint.columns == (range(2, 10), range(102, 110))


@pytest.mark.parametrize(
    ("shape", "split", "legal"),
    [
        ("shape_16x32bx2", 16, True),
        ("shape_16x32bx2", 0, True),
        ("shape_16x32bx2", None, False),
        ("shape_32x32b", None, True),
        ("shape_32x32b", 0, False),
        ("shape_16x64b", 16, False),
    ],
)
def test_split_offset(shape: str, split: int | None, legal: bool) -> None:
    if legal:
        ld_st.check_split_offset(shape, split)
    else:
        text = r"shape_\w+ (needs|takes no) split_offset.*T5-LDST-003"
        with pytest.raises(Violation, match=text):
            ld_st.check_split_offset(shape, split)
        with pytest.raises(Violation, match=text):
            ld_st.fragment(shape, "x1", split_offset=split)
        with pytest.raises(Violation, match=text):
            ld_st.footprint(shape, "x1", split_offset=split)


@pytest.mark.parametrize(
    ("shape", "num", "unpack", "split", "legal"),
    [
        ("shape_32x32b", "x4", False, None, True),
        ("shape_16x32bx2", "x4", False, 4, True),
        ("shape_16x32bx2", "x4", False, -4, True),
        ("shape_16x32bx2", "x4", False, 3, False),
        ("shape_16x32bx2", "x4", False, -3, False),
        ("shape_16x32bx2", "x1", False, 0, False),
        ("shape_16x32bx2", "x4", True, 8, True),
        ("shape_16x32bx2", "x4", True, 7, False),
    ],
)
def test_halves_of_a_store(
    shape: str, num: str, unpack: bool, split: int | None, legal: bool
) -> None:
    if legal:
        ld_st.check_halves(shape, num, unpack, split)
    else:
        with pytest.raises(Violation, match="T5-LDST-009"):
            ld_st.check_halves(shape, num, unpack, split)


@pytest.mark.parametrize(
    ("arguments", "rules"),
    [
        (("shape_32x32b", "x128", 96, 384), []),
        (("shape_32x32b", "x128", 96, 385), ["T5-LDST-006"]),
        (("shape_32x32b", "x128", 96, 0, True), []),
        (("shape_32x32b", "x128", 96, 384, True), ["T5-LDST-006"]),
        (("shape_32x32b", "x1", 16, 0), ["T5-LDST-005"]),
        (("shape_32x32b", "x1", 128, -1), ["T5-LDST-005", "T5-LDST-006"]),
        (("shape_16x64b", "x1", 16, 510), []),
        (("shape_16x64b", "x1", 8, 511), ["T5-LDST-005", "T5-LDST-006"]),
        (("shape_16x32bx2", "x8", 112, 0, False, 504), []),
        (("shape_16x32bx2", "x8", 112, 0, False, 505), ["T5-LDST-006"]),
    ],
)
def test_addresses(arguments: tuple[Any, ...], rules: list[str]) -> None:
    assert [found.rule.id for found in ld_st.address_violations(*arguments)] == rules
    if rules:
        with pytest.raises(Violation):
            ld_st.check_address(*arguments)
    else:
        ld_st.check_address(*arguments)


def test_address_messages() -> None:
    with pytest.raises(Violation) as caught:
        ld_st.check_address("shape_32x32b", "x2", 40, 511)
    assert "lane 0, 32, 64 or 96; found 40 [T5-LDST-005]" in str(caught.value)
    assert "within 0 to 511; found 511 to 512 [T5-LDST-006]" in str(caught.value)


@pytest.mark.parametrize(
    ("point", "legal"),
    [
        ({}, True),
        ({"shape": "shape_16x32bx2", "num": "x128", "abs": True, "nan": True}, True),
        ({"num": "x1"}, False),
        ({"shape": "shape_16x64b"}, False),
        ({"op": "add"}, False),
        ({"type": "u32"}, True),
        ({"type": "s32", "abs": True}, False),
        ({"type": "u32", "nan": True}, False),
        ({"type": "f16"}, False),
    ],
)
def test_reductions(point: dict[str, Any], legal: bool) -> None:
    default = {"shape": "shape_32x32b", "num": "x2", "op": "min", "type": "f32"}
    flags = {"abs": False, "nan": False}
    assert (ld_st.REDUCTIONS.row(**default | flags | point) is not None) == legal


@settings(deadline=None)
@given(st.integers(0, 127), st.integers(0, 511))
def test_tensor_memory_addresses(lane: int, column: int) -> None:
    address = pack(lane, column)
    assert address == lane << 16 | column
    assert unpack(address) == (lane, column)


@pytest.mark.parametrize(("lane", "column"), [(128, 0), (0, 512), (-1, 0)])
def test_tensor_memory_bounds(lane: int, column: int) -> None:
    with pytest.raises(Violation, match="T5-TMEM-001"):
        pack(lane, column)


def test_unpack_names_every_wrong_part() -> None:
    with pytest.raises(Violation) as caught:
        unpack(128 << 16 | 512)
    assert len(caught.value.parts) == 2


def test_warp_lanes() -> None:
    assert [warp_lanes(warp) for warp in (0, 1, 3, 6)] == [
        range(32),
        range(32, 64),
        range(96, 128),
        range(64, 96),
    ]

"""Tests of shared memory descriptors, swizzles and canonical layouts."""

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tcgen05_dialect.isa.model.rule import Violation
from tcgen05_dialect.isa.shared_memory.descriptor import (
    SWIZZLES,
    SharedMemoryDescriptor,
    base_offset,
    swizzle,
)
from tcgen05_dialect.isa.shared_memory.layout import (
    ATOMS,
    MAJORS,
    SharedMemoryLayout,
    swizzle_modes,
)

from ..support.effort import part

DESCRIPTOR = SharedMemoryDescriptor(0x8400, 128, 256, swizzle="swizzle_64b")


def test_encode() -> None:
    value = 0x840 | 8 << 16 | 16 << 32 | 1 << 46 | 4 << 61
    assert DESCRIPTOR.encode() == value
    assert SharedMemoryDescriptor.decode(value) == DESCRIPTOR
    absolute = replace(
        DESCRIPTOR, leading_absolute=True, leading_byte_offset=0x3FFF0, base_offset=5
    )
    assert absolute.encode() == value | 0x3FFF << 16 | 5 << 49 | 1 << 52
    assert absolute.required_features() == ("lbo_absolute",)
    assert DESCRIPTOR.required_features() == ("base",)


def units(limit: int = 1 << 18) -> st.SearchStrategy[int]:
    return st.integers(0, limit // 16 - 1).map(lambda unit: unit * 16)


@st.composite
def descriptors(draw: st.DrawFn) -> SharedMemoryDescriptor:
    return SharedMemoryDescriptor(
        draw(units()),
        draw(units()),
        draw(units()),
        draw(st.integers(0, 7)),
        draw(st.booleans()),
        draw(st.sampled_from(sorted(SWIZZLES))),
    )


@settings(deadline=None)
@given(descriptors())
def test_decode_inverts_encode(descriptor: SharedMemoryDescriptor) -> None:
    assert SharedMemoryDescriptor.decode(descriptor.encode()) == descriptor


@pytest.mark.parametrize(
    ("change", "text"),
    [
        ({"start_address": 8}, "0, 16, ... 262128; found 8 [T5-DESC-002]"),
        ({"start_address": 1 << 18}, "found 262144"),
        ({"leading_byte_offset": 100}, "0, 16, ... 262128; found 100 [T5-DESC-003]"),
        ({"stride_byte_offset": -16}, "0, 16, ... 262128; found -16 [T5-DESC-004]"),
        ({"base_offset": 8}, "6 or 7; found 8 [T5-DESC-005]"),
        ({"swizzle": "swizzle_16b"}, "; found swizzle_16b"),
    ],
)
def test_encode_refuses(change: dict[str, Any], text: str) -> None:
    with pytest.raises(Violation) as caught:
        replace(DESCRIPTOR, **change).encode()
    assert text in str(caught.value)
    with pytest.raises(Violation):
        replace(DESCRIPTOR, **change).verify()


@pytest.mark.parametrize("code", [3, 5, 7])
def test_invalid_swizzle_codes(code: int) -> None:
    with pytest.raises(Violation, match=r"swizzle mode must be .*\[T5-SWIZZLE-001\]"):
        SharedMemoryDescriptor.decode(1 << 46 | code << 61)


def test_verify_absolute_mode() -> None:
    absolute = SharedMemoryDescriptor(1024, 2048, 1024, 0, True, "swizzle_128b")
    absolute.verify(transposed=False, pattern_start=1024)
    wrong = replace(absolute, swizzle="swizzle_128b_atom_32b", base_offset=1)
    found = [str(violation) for violation in wrong.violations(transposed=True)]
    assert len(found) == 3 and all("[T5-DESC-006]" in text for text in found)
    replace(wrong, leading_absolute=False).verify(transposed=True)


@pytest.mark.parametrize(
    ("start", "mode", "expected"),
    [
        (2048, "swizzle_128b", 0),
        (2048 + 128, "swizzle_128b", 1),
        (2048 + 896, "swizzle_128b", 7),
        (2048 + 512, "swizzle_64b", 0),
        (2048 + 128, "swizzle_64b", 1),
        (2048 + 256, "swizzle_32b", 0),
        (2048 + 128, "no_swizzle", 0),
    ],
)
def test_base_offset(start: int, mode: str, expected: int) -> None:
    assert base_offset(start, mode) == expected
    descriptor = SharedMemoryDescriptor(start, 16, 1024, expected, swizzle=mode)
    descriptor.verify(pattern_start=start)
    wrong = replace(descriptor, base_offset=expected ^ 1)
    legal = expected if wrong.base_offset else f"a multiple of .*, the period of {mode}"
    with pytest.raises(Violation, match=f"must be {legal}; .* .T5-DESC-005"):
        wrong.verify(pattern_start=start)


def test_swizzle_modes_as_printed() -> None:
    """Codes of Table 40, boundaries of Table 41, atoms of Table 53."""
    printed = {
        "no_swizzle": (0, 16, {"k_major": (1, 8), "mn_major": (1, 8)}),
        "swizzle_128b_atom_32b": (1, 1024, {"mn_major": (8, 4)}),
        "swizzle_128b": (2, 1024, {"k_major": (8, 8), "mn_major": (8, 8)}),
        "swizzle_64b": (4, 512, {"k_major": (4, 8), "mn_major": (4, 8)}),
        "swizzle_32b": (6, 256, {"k_major": (2, 8), "mn_major": (2, 8)}),
    }
    assert printed == {
        mode.name: (
            mode.code,
            mode.pattern_bytes,
            {
                major: (
                    ATOMS.value("leading", swizzle=mode.name, major=major),
                    ATOMS.value("rows", swizzle=mode.name, major=major),
                )
                for major in ATOMS.values("major", swizzle=mode.name)
            },
        )
        for mode in SWIZZLES.values()
    }
    with pytest.raises(Violation, match="found swizzle_16b"):
        swizzle("swizzle_16b")


@settings(deadline=None)
@given(st.sampled_from(sorted(SWIZZLES)), st.integers(0, (1 << 18) - 1))
def test_swizzle_is_an_involution(mode: str, address: int) -> None:
    swizzled = SWIZZLES[mode].apply(address)
    assert SWIZZLES[mode].apply(swizzled) == address
    # It moves whole chunks inside one row of 128 bytes.
    chunk = SWIZZLES[mode].chunk
    assert swizzled // 128 == address // 128 and swizzled % chunk == address % chunk


@pytest.mark.parametrize(
    ("mode", "row", "moved"),
    [
        ("no_swizzle", 7, 0),
        ("swizzle_32b", 3, 16),
        ("swizzle_64b", 7, 48),
        ("swizzle_128b", 3, 48),
        ("swizzle_128b_atom_32b", 6, 64),
    ],
)
def test_swizzle_moves_the_first_chunk_of_a_row(mode: str, row: int, moved: int) -> None:
    assert SWIZZLES[mode].apply(row * 128) == row * 128 + moved


@pytest.mark.parametrize(
    ("tile", "leading", "stride"),
    [
        # The examples of 9.7.16.3.3: offsets in bytes as printed, 1 unit where it is "assumed".
        (SharedMemoryLayout(16, 16, 32, "k_major", "no_swizzle", "mn_first"), 64 * 4, 32 * 4),
        (SharedMemoryLayout(16, 16, 32, "k_major", "swizzle_32b", "mn_first"), 16, 64 * 4),
        (SharedMemoryLayout(16, 16, 16, "mn_major", "no_swizzle", "mn_first"), 128 * 2, 64 * 2),
        (SharedMemoryLayout(32, 16, 16, "mn_major", "swizzle_32b", "mn_first"), 128 * 2, 256 * 2),
        (SharedMemoryLayout(64, 16, 16, "mn_major", "swizzle_64b", "mn_first"), 256 * 2, 512 * 2),
        # K-major tiles of the usual size.
        (SharedMemoryLayout(128, 64, 16, "k_major", "swizzle_128b"), 16, 1024),
        (SharedMemoryLayout(128, 128, 16, "k_major", "swizzle_128b"), 16, 2048),
    ],
)
def test_offsets(tile: SharedMemoryLayout, leading: int, stride: int) -> None:
    tile.verify()
    assert (tile.leading_byte_offset, tile.stride_byte_offset) == (leading, stride)


@st.composite
def layouts(draw: st.DrawFn) -> SharedMemoryLayout:
    """Small legal tiles."""
    pads = draw(st.booleans())
    bits = draw(st.sampled_from((4, 6, 8) if pads else (4, 8, 16, 32)))
    tile = SharedMemoryLayout(
        1,
        1,
        bits,
        draw(st.sampled_from(("k_major", "mn_major"))),
        draw(st.sampled_from(sorted(SWIZZLES))),
        draw(st.sampled_from(("k_first", "mn_first"))),
        pads,
    )
    atom_mn, atom_k = tile.atom
    return replace(tile, mn=atom_mn * draw(st.integers(1, 2)), k=atom_k * draw(st.integers(1, 2)))


@settings(deadline=None, max_examples=part(50))
@given(layouts())
def test_layout_is_a_bijection(tile: SharedMemoryLayout) -> None:
    """Elements do not overlap, stay inside the tile and fill it but for the padding."""
    starts = {tile.bit_offset(mn, k) for mn in range(tile.mn) for k in range(tile.k)}
    assert len(starts) == tile.mn * tile.k
    assert min(starts) >= 0 and max(starts) + tile.bits <= tile.size_bytes * 8
    assert tile.size_bytes * 8 == tile.mn * tile.k * tile.container_bits
    filled = {start + bit for start in starts for bit in (0, tile.bits - 1)}
    assert len(filled) == 2 * len(starts)
    if tile.pads:
        assert all(start % 128 < 16 * tile.bits for start in starts)


@settings(deadline=None, max_examples=part(50))
@given(layouts(), st.data())
def test_advance_moves_the_whole_layout(tile: SharedMemoryLayout, data: st.DataObject) -> None:
    """Swizzling uses absolute address bits, so a descriptor that begins at element (mn, k) sees
    element (mn + i, k + j) where the tile has it."""
    chunk = SWIZZLES[tile.swizzle].chunk * 8 // tile.container_bits
    rows = tile.atom[1 if tile.transposed else 0]
    steps = (chunk, rows) if tile.transposed else (rows, chunk)
    mn = data.draw(st.integers(0, (tile.mn - 1) // steps[0])) * steps[0]
    k = data.draw(st.integers(0, (tile.k - 1) // steps[1])) * steps[1]
    start = tile.advance(mn, k)
    for i in range(steps[0]):
        for j in range(steps[1]):
            assert SWIZZLES[tile.swizzle].apply(
                start + tile.linear_byte_offset(i, j)
            ) == tile.byte_offset(mn + i, k + j)
    with pytest.raises(Violation, match="T5-DESC-008"):
        tile.advance(mn, tile.k)
    with pytest.raises(Violation, match="T5-DESC-008"):
        tile.advance(-steps[0], k)
    if chunk > 1:
        with pytest.raises(Violation, match="T5-DESC-008"):
            tile.advance(*((mn + 1, k) if tile.transposed else (mn, k + 1)))


def test_k_steps_of_a_swizzled_tile_are_32_bytes() -> None:
    tile = SharedMemoryLayout(256, 64, 16, "k_major", "swizzle_128b")
    assert [tile.advance(k=k) for k in range(0, 64, 16)] == [0, 32, 64, 96]
    assert tile.descriptor(1024).encode() == 64 | 1 << 16 | 64 << 32 | 1 << 46 | 2 << 61
    assert tile.alignment == 1024 and tile.size_bytes == 32768
    assert not tile.transposed


def test_offsets_that_are_never_stepped_are_zero() -> None:
    tile = SharedMemoryLayout(64, 32, 16, "mn_major", "swizzle_128b", "mn_first")
    assert (tile.leading_byte_offset, tile.stride_byte_offset) == (1024, 1024)
    descriptor = tile.descriptor(0)
    assert (descriptor.leading_byte_offset, descriptor.stride_byte_offset) == (0, 1024)
    assert tile.descriptor(0, k=8).stride_byte_offset == 0


@pytest.mark.parametrize(
    ("tile", "text"),
    [
        (
            SharedMemoryLayout(128, 16, 32, "mn_major", "swizzle_128b"),
            "swizzle_128b_atom_32b; found swizzle_128b [T5-SWIZZLE-002] (PTX ISA 9.7.16.10.3)",
        ),
        (
            SharedMemoryLayout(128, 16, 16, "mn_major", "swizzle_128b_atom_32b"),
            "; found swizzle_128b_atom_32b",
        ),
        (
            SharedMemoryLayout(128, 16, 4, "mn_major", "swizzle_128b", pads=True),
            "k_major; found mn_major [T5-SWIZZLE-002]",
        ),
        (
            SharedMemoryLayout(128, 64, 16, "k_major", "swizzle_128b_atom_32b"),
            "mn_major; found k_major [T5-SWIZZLE-003]",
        ),
        (SharedMemoryLayout(128, 64, 16, "row_major", "no_swizzle"), "found row_major"),
        (SharedMemoryLayout(128, 64, 16, "k_major", "swizzle_16b"), "found swizzle_16b"),
        (
            SharedMemoryLayout(128, 48, 16, "k_major", "swizzle_128b"),
            "a multiple of 64, the extent of the swizzle atom; found 48 [T5-DESC-007]",
        ),
        (
            SharedMemoryLayout(4, 64, 16, "k_major", "swizzle_128b"),
            "a multiple of 8, the extent of the swizzle atom; found 4 [T5-DESC-007]",
        ),
        (SharedMemoryLayout(0, 64, 16, "k_major", "swizzle_128b"), "found 0 [T5-DESC-007]"),
        (
            SharedMemoryLayout(8, 64, 16, "k_major", "swizzle_128b", "any"),
            "order of the atoms must be k_first or mn_first; found any",
        ),
        (
            SharedMemoryLayout(8, 170, 6, "k_major", "swizzle_128b"),
            "6-bit elements must be padded; found packed [T5-DESC-009]",
        ),
    ],
)
def test_layout_refuses(tile: SharedMemoryLayout, text: str) -> None:
    with pytest.raises(Violation) as caught:
        tile.verify()
    assert text in str(caught.value)
    assert len(caught.value.parts) == 1


def test_layout_names_everything() -> None:
    tile = SharedMemoryLayout(100, 20, 32, "mn_major", "swizzle_128b")
    rules = [violation.rule.id for violation in tile.violations()]
    assert rules == ["T5-SWIZZLE-002", "T5-DESC-007", "T5-DESC-007"]


@pytest.mark.parametrize("major", MAJORS)
@pytest.mark.parametrize("bits", [4, 8, 16, 32])
def test_swizzle_modes_are_those_of_legal_tiles(bits: int, major: str) -> None:
    """Table 52 allows swizzle_128b_atom_32b for K-major matrices, but Table 53 has no atom."""
    tiles = [SharedMemoryLayout(256, 256, bits, major, mode) for mode in SWIZZLES]
    assert swizzle_modes(bits, major) == tuple(t.swizzle for t in tiles if not t.violations())
    assert ("swizzle_128b_atom_32b" in swizzle_modes(bits, major)) == (
        bits == 32 and major == "mn_major"
    )

"""Tests of the zero-column mask descriptor."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tcgen05_dialect.isa.mma.sparse import ZeroColumnMask
from tcgen05_dialect.isa.model.rule import Violation


def ends_with(mask: int, pattern: str) -> bool:
    """Whether the low bits of `mask` are those printed, the lowest last."""
    bits = pattern.replace(" ", "")
    return mask & ((1 << len(bits)) - 1) == int(bits, 2)


def test_example_1() -> None:
    example = ZeroColumnMask(non_zero=False, skip_span=4, use_span=3)
    assert example.mask(128, 256) == 0
    assert ZeroColumnMask().encode() == 0


def test_example_2() -> None:
    example = ZeroColumnMask(non_zero=True, skip_span=2, use_span=3)
    mask = example.mask(128, 64)
    assert ends_with(mask, "111 0000 111 0000")
    assert mask < 1 << 64


def test_example_3() -> None:
    example = ZeroColumnMask(
        first_span=(True, False, False, False), non_zero=True, skip_span=2, use_span=3
    )
    mask = example.mask(64, 128)
    assert ends_with(mask, "111 0000 111 0000 111")
    assert ends_with(mask >> 64, "0000 111 0000 111 0000")


def test_example_4() -> None:
    example = ZeroColumnMask((0, 1, 2, 1), (True, True, False, False), True, 2, 3, 2)
    mask = example.mask(32, 128)
    assert ends_with(mask, "0000 111 0000 111")
    assert ends_with(mask >> 32, "0000 111 0000 11")
    assert ends_with(mask >> 64, "111 0000 111 00")
    assert ends_with(mask >> 96, "111 0000 111 000")
    assert example.encode() == (
        1 << 8 | 2 << 16 | 1 << 24 | 0b0011 << 32 | 1 << 39 | 2 << 40 | 3 << 48 | 2 << 56
    )


@st.composite
def masks(draw: st.DrawFn) -> ZeroColumnMask:
    byte = st.integers(0, 255)
    return ZeroColumnMask(
        draw(st.tuples(byte, byte, byte, byte)),
        draw(st.tuples(*[st.booleans()] * 4)),
        draw(st.booleans()),
        draw(byte),
        draw(byte),
        draw(st.integers(0, 32)),
    )


@settings(deadline=None)
@given(masks())
def test_decode_inverts_encode(mask: ZeroColumnMask) -> None:
    assert ZeroColumnMask.decode(mask.encode()) == mask


@settings(deadline=None)
@given(masks(), st.sampled_from((32, 64, 128)), st.sampled_from((64, 128, 256)))
def test_runs_have_the_length_of_the_spans(mask: ZeroColumnMask, m: int, n: int) -> None:
    """Walk over each sub-mask with run lengths instead of a phase."""
    generated = replace(mask, non_zero=True).mask(m, n)
    parts = 128 // m
    for part in range(parts):
        is_zero, skip = mask.first_span[part], mask.start_count[part]
        bits: list[int] = []
        while len(bits) < skip + n // parts:
            bits += [int(is_zero)] * (mask.skip_span + 1 if is_zero else mask.use_span + 1)
            is_zero = not is_zero
        expected = bits[skip : skip + n // parts]
        first = part * n // parts
        assert [generated >> first + i & 1 for i in range(n // parts)] == expected


@pytest.mark.parametrize(("m", "shift", "legal"), [(32, 16, True), (32, 17, False), (64, 32, True)])
def test_column_shift(m: int, shift: int, legal: bool) -> None:
    mask = ZeroColumnMask(column_shift=shift)
    assert (mask.violations(m) == []) == legal
    if not legal:
        with pytest.raises(Violation, match=r"0, 1, \.\.\. 16; found 17 \[T5-DESC-011\]"):
            mask.verify(m)


def test_wrong_masks() -> None:
    with pytest.raises(Violation, match=r"column_shift must be .*; found 33.*T5-DESC-011"):
        ZeroColumnMask(column_shift=33).encode()
    with pytest.raises(Violation, match=r"start_count2 must be .*; found 256.*T5-DESC-010"):
        ZeroColumnMask(start_count=(0, 0, 256, 0)).verify(128)
    with pytest.raises(Violation, match=r"32, 64 or 128; found 256 \[T5-DESC-012\]"):
        ZeroColumnMask().verify(256)
    with pytest.raises(Violation, match="T5-DESC-012"):
        ZeroColumnMask().mask(256, 64)

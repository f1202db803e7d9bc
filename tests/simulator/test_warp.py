"""Tests of votes, matches and reductions in a warp, against Python."""

from collections.abc import Callable
from functools import reduce

import numpy as np
import pytest

from tcgen05_dialect.simulator import simulate

KERNEL = """
ptx.kernel @kernel(%in : i64, %out : i64, %mask : i32) attributes {reqntid = array<i32: 32>} {
  %c4 = ptx.constant 4 : i32
  %c1 = ptx.constant 1 : i32
  %c0 = ptx.constant 0 : i32
  %lane = ptx.special_register laneid
  %from = ptx.mad.wide u32 %lane, %c4, %in
  %to = ptx.mad.wide u32 %lane, %c4, %out
  %bit = ptx.shl b32 %c1, %lane
  %mine = ptx.and b32 %mask, %bit
  %takes_part = ptx.setp ne b32 %mine, %c0
  ptx.cond_bra %takes_part, ^go, ^end
^go:
  %word = ptx.ld global b32 [%from] -> i32
  BODY
  ptx.st global b32 [%to], {%result}
  ptx.bra ^end
^end:
  ptx.ret
}
"""
WORDS = np.array([7, 3, 7, 0x80000001, 0, 7, 3, 12] * 4, np.uint32)
MASKS = (0xFFFFFFFF, 0x00FF00F1, 0x25)
PREDICATE = "%holds = ptx.setp eq u32 %word, %seven\n  "
SEVEN = "%seven = ptx.constant 7 : i32\n  "
AS_WORD = "\n  %result = ptx.selp b32 %c1, %c0, %p"


def lanes_of(mask: int) -> list[int]:
    return [lane for lane in range(32) if mask >> lane & 1]


def run(body: str, mask: int) -> list[int]:
    """The results in the lanes of the mask."""
    out = np.full(32, 0xDEAD, np.uint32)
    text = KERNEL.replace("BODY", body)
    assert simulate(text, [WORDS.copy(), out, mask]).findings == ()
    assert all(out[lane] == 0xDEAD for lane in range(32) if not mask >> lane & 1)
    return [int(out[lane]) for lane in lanes_of(mask)]


@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize("mode", ["all", "any", "uni"])
def test_votes(mode: str, mask: int) -> None:
    body = f"{SEVEN}{PREDICATE}%p = ptx.vote.sync {mode} %holds, %mask{AS_WORD}"
    holds = [bool(WORDS[lane] == 7) for lane in lanes_of(mask)]
    expected = {"all": all(holds), "any": any(holds), "uni": len(set(holds)) == 1}[mode]
    assert run(body, mask) == [int(expected)] * len(holds)


@pytest.mark.parametrize("mask", MASKS)
def test_ballot(mask: int) -> None:
    body = f"{SEVEN}{PREDICATE}%result = ptx.vote.sync.ballot %holds, %mask"
    expected = sum(1 << lane for lane in lanes_of(mask) if WORDS[lane] == 7)
    assert set(run(body, mask)) == {expected}


@pytest.mark.parametrize("mask", MASKS)
def test_matches(mask: int) -> None:
    lanes = lanes_of(mask)
    expected = [sum(1 << b for b in lanes if WORDS[b] == WORDS[a]) for a in lanes]
    assert run("%result = ptx.match.sync.any b32 %word, %mask", mask) == expected
    every = "%result, %p = ptx.match.sync.all b32 %word, %mask"
    assert set(run(every, mask)) == {mask if len({*WORDS[lanes].tolist()}) == 1 else 0}
    same = "%result, %p = ptx.match.sync.all b32 %mask, %mask"
    assert set(run(same, mask)) == {mask}
    agree = f"%d, %p = ptx.match.sync.all b32 %mask, %mask{AS_WORD}"
    assert set(run(agree, mask)) == {1}


def signed(word: int) -> int:
    return word - (1 << 32) if word >> 31 else word


def least(a: int, b: int) -> int:
    return min(a, b, key=signed)


def greatest(a: int, b: int) -> int:
    return max(a, b, key=signed)


REDUCTIONS: dict[tuple[str, str], Callable[[int, int], int]] = {
    ("u32", "add"): int.__add__,
    ("s32", "add"): int.__add__,
    ("u32", "min"): min,
    ("u32", "max"): max,
    ("s32", "min"): least,
    ("s32", "max"): greatest,
    ("b32", "and"): int.__and__,
    ("b32", "or"): int.__or__,
    ("b32", "xor"): int.__xor__,
}


@pytest.mark.parametrize("mask", MASKS)
@pytest.mark.parametrize(("type_", "operation"), REDUCTIONS)
def test_reductions(type_: str, operation: str, mask: int) -> None:
    function = REDUCTIONS[type_, operation]
    words = [int(WORDS[lane]) for lane in lanes_of(mask)]
    body = f"%result = ptx.redux.sync {operation} {type_} %word, %mask"
    assert set(run(body, mask)) == {reduce(function, words) % (1 << 32)}


@pytest.mark.parametrize("operation", ["min", "max"])
@pytest.mark.parametrize("qualifiers", ["", "abs", "NaN", "abs NaN"])
def test_reductions_of_floats(operation: str, qualifiers: str) -> None:
    floats = WORDS.view(np.float32)
    numbers = np.abs(floats) if "abs" in qualifiers else floats
    expected = numbers.min() if operation == "min" else numbers.max()
    body = f"%f = ptx.mov b32 %word -> f32\n  %r = ptx.redux.sync {operation} {qualifiers} f32 %f, "
    body += "%mask\n  %result = ptx.mov b32 %r -> i32"
    found = np.array(run(body, MASKS[0]), np.uint32).view(np.float32)
    assert (found == expected).all()


@pytest.mark.parametrize("mask", MASKS)
def test_active_lanes(mask: int) -> None:
    assert set(run("%result = ptx.activemask", mask)) == {mask}

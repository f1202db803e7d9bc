"""Tests of parallel copies, against a simulation."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tcgen05_dialect.ptx.text.printer import sequential_moves

REGISTERS = [f"%r{index}" for index in range(8)]
IMMEDIATES = ["0", "1", "-1"]
SOURCES = REGISTERS + IMMEDIATES


def _moves(moves: dict[str, str]) -> tuple[list[tuple[str, str]], int]:
    """The moves one after the other, and how many temporaries they need."""
    temporaries: list[str] = []

    def temporary(register: str) -> str:
        assert register in moves
        temporaries.append(f"%t{len(temporaries)}")
        return temporaries[-1]

    return list(sequential_moves(moves, temporary)), len(temporaries)


def _cycles(moves: dict[str, str]) -> int:
    """The number of cycles of two registers or more in what is moved where."""
    cycles = 0
    seen: set[str] = set()
    for start in moves:
        path: list[str] = []
        at = start
        while at in moves and at not in seen:
            seen.add(at)
            path.append(at)
            at = moves[at]
        if at in path and len(path) - path.index(at) > 1:
            cycles += 1
    return cycles


@given(st.dictionaries(st.sampled_from(REGISTERS), st.sampled_from(SOURCES)))
@example({"%r0": "%r1", "%r1": "%r0"})
@example({"%r0": "%r1", "%r1": "%r2", "%r2": "%r0", "%r3": "%r0"})
@example({"%r1": "%r0", "%r2": "%r0", "%r3": "%r0"})
@example({"%r0": "%r1", "%r1": "%r0", "%r2": "%r3", "%r3": "%r2", "%r4": "%r4"})
@example({"%r0": "1", "%r1": "%r0"})
def test_like_all_at_once(moves: dict[str, str]) -> None:
    before = {name: f"old {name}" for name in REGISTERS} | {name: name for name in IMMEDIATES}
    expected = before | {to: before[source] for to, source in moves.items()}
    after = dict(before)
    ordered, temporaries = _moves(moves)
    for to, source in ordered:
        after[to] = after[source]
    assert {name: after[name] for name in SOURCES} == expected
    assert temporaries == _cycles(moves)
    assert len(ordered) == sum(to != source for to, source in moves.items()) + temporaries


@pytest.mark.parametrize("length", [2, 3, 1000])
def test_rotation_needs_one_temporary(length: int) -> None:
    names = [f"%r{index}" for index in range(length)]
    ordered, temporaries = _moves(dict(zip(names, [*names[1:], names[0]], strict=True)))
    assert (len(ordered), temporaries) == (length + 1, 1)


def test_nothing_to_do() -> None:
    assert _moves({}) == ([], 0)
    assert _moves({"%r1": "%r1"}) == ([], 0)

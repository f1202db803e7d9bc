"""Tests of the remarks that are found in the numbers of a wrong result."""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from tcgen05_dialect.simulator.provenance.results import (
    Remark,
    Result,
    exchanged,
    moved,
    multiple,
    never_stored,
    only_stored,
)

Matrix = npt.NDArray[Any]
EXPECTED = np.random.default_rng(0).integers(-99, 99, (64, 48)).astype(np.float32)


def result(found: Matrix, stored: Matrix | None = None) -> Result:
    everything = np.ones(EXPECTED.shape, np.bool_)
    wrong = found != EXPECTED
    return Result("%c", found, EXPECTED, wrong, everything if stored is None else stored, [])


def with_rows(*rows: int) -> Matrix:
    """The expected matrix with its first rows replaced by others."""
    return EXPECTED[[*rows, *range(len(rows), 64)]]


def shifted() -> Matrix:
    """Some rows hold, on the left, what is expected on the right."""
    found = EXPECTED.copy()
    found[:32, :16] = EXPECTED[:32, 24:40]
    return found


def transposed() -> Matrix:
    found = EXPECTED.copy()
    found[:48, :48] = EXPECTED[:48, :48].T
    return found


def zeroed() -> Matrix:
    found = EXPECTED.copy()
    found[8:16] = 0
    return found


CASES: list[tuple[Matrix, Callable[[Result], Remark | None], str]] = [
    (with_rows(1, 0), moved, "row 0 of %c holds the expected row 1"),
    (EXPECTED[:, ::-1].copy(), moved, "column 0 of %c holds the expected column 47"),
    (
        shifted(),
        moved,
        "wrong elements of %c are those expected elsewhere: %c[0, 0:8] holds what is "
        "expected at %c[0, 24:32]",
    ),
    (
        transposed(),
        exchanged,
        "with rows and columns exchanged: %c[0, 0:8] holds what is expected at %c[0:8, 0]",
    ),
    (EXPECTED * 2, multiple, "all wrong elements of %c are 2 times the expected ones"),
    (zeroed(), multiple, "all wrong elements of %c that are stored are 0"),
]


@pytest.mark.parametrize(("found", "search", "sentence"), CASES)
def test_found(found: Matrix, search: Callable[[Result], Remark | None], sentence: str) -> None:
    remark = search(result(found))
    assert remark is not None
    assert sentence in remark.sentence


@pytest.mark.parametrize("search", [moved, exchanged, multiple, never_stored])
def test_other_numbers(search: Callable[[Result], Remark | None]) -> None:
    other = np.random.default_rng(1).integers(-99, 99, EXPECTED.shape).astype(np.float32)
    assert search(result(other)) is None


def test_elements_that_are_not_stored() -> None:
    found, stored = zeroed(), np.ones(EXPECTED.shape, np.bool_)
    stored[8:16] = False
    remark = never_stored(result(found, stored))
    assert remark is not None
    assert remark.sentence.endswith("were never stored; they are in %c[8:16, :]")
    assert only_stored(result(found, stored)) == remark
    found[0, 0] += 1
    assert only_stored(result(found, stored)) is None
    assert never_stored(result(found, stored)) is not None

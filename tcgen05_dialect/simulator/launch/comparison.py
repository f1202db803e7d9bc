"""Comparison of arrays with their expected content."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .arrays import Array, parts


class Difference(NamedTuple):
    """
    An array that differs from its expected content: `differing` of its `elements` elements differ,
    the first at index `first`. In `not_finite` of them one of the two is infinite or NaN; the
    others are at most `most_apart` apart. Numbers are strings because JSON has no infinity and no
    NaN.
    """

    array: str
    elements: int
    differing: int
    first: tuple[int, ...]
    found: str
    expected: str
    not_finite: int
    most_apart: str
    largest_expected: str
    tolerance: float

    def __str__(self) -> str:
        return (
            f"{self.array}: {self.differing} of {self.elements} elements differ, the first at "
            f"{self.first}: found {self.found}, expected {self.expected}; {self._distance}"
        )

    @property
    def _distance(self) -> str:
        finite = self.differing - self.not_finite
        apart = (
            f"the largest difference is {self.most_apart}, and the largest expected number is "
            f"{self.largest_expected} (tolerance {self.tolerance:g} of it)"
        )
        infinite = (
            f"in {self.not_finite} of them, the found or the expected number is infinite or NaN"
        )
        if not self.not_finite:
            return apart
        return f"{infinite}; in the others, {apart}" if finite else infinite


def difference(name: str, actual: Array, expected: Array, tolerance: float) -> Difference | None:
    """
    The difference between an array and its expected content; None if they agree.

    `tolerance` is a fraction of the largest expected magnitude. NaN equals NaN.
    """
    same = agreeing(actual, expected, tolerance)
    if same.all():
        return None
    most_apart, not_finite = 0.0, 0
    for found, wanted, agrees in zip(*map(parts, (actual, expected, same)), strict=True):
        apart = _apart(found, wanted)[~agrees]
        finite = apart[np.isfinite(apart)]
        most_apart = float(finite.max(initial=most_apart))
        not_finite += apart.size - finite.size
    place = tuple(map(int, np.unravel_index(same.argmin(), same.shape)))
    return Difference(
        name,
        same.size,
        same.size - int(np.count_nonzero(same)),
        place,
        str(actual[place]),
        str(expected[place]),
        not_finite,
        f"{most_apart:.3g}",
        f"{_largest(expected):.3g}",
        tolerance,
    )


def agreeing(actual: Array, expected: Array, tolerance: float) -> npt.NDArray[np.bool_]:
    """Which elements of an array are as expected; see `difference`."""
    same = np.empty(actual.shape, np.bool_)
    most = tolerance * _largest(expected) if tolerance else 0
    for found, wanted, agrees in zip(*map(parts, (actual, expected, same)), strict=True):
        agrees[:] = (found == wanted) | ((found != found) & (wanted != wanted))
        if tolerance and not agrees.all():
            agrees |= _apart(found, wanted) <= most
    return same


def _apart(found: Array, wanted: Array) -> npt.NDArray[np.float64]:
    """Distances between numbers, infinite for infinities and NaN."""
    with np.errstate(invalid="ignore", over="ignore"):
        apart = np.abs(found.astype(np.float64) - wanted.astype(np.float64))
        return np.nan_to_num(apart, nan=np.inf, posinf=np.inf)


def _largest(expected: Array) -> float:
    """The largest finite magnitude."""
    largest = 0.0
    for part in parts(expected):
        wanted = part.astype(np.float64)
        largest = float(np.abs(wanted[np.isfinite(wanted)]).max(initial=largest))
    return largest

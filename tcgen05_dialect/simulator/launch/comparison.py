"""Comparison of arrays with their expected content."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .arrays import Array


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
    apart, largest = _apart(actual, expected)
    finite = np.isfinite(apart) & ~same
    place = tuple(int(i) for i in np.argwhere(~same)[0])
    return Difference(
        name,
        same.size,
        int((~same).sum()),
        place,
        str(actual[place]),
        str(expected[place]),
        int((~same & ~finite).sum()),
        f"{float(apart[finite].max(initial=0)):.3g}",
        f"{largest:.3g}",
        tolerance,
    )


def agreeing(actual: Array, expected: Array, tolerance: float) -> npt.NDArray[np.bool_]:
    """Which elements of an array are as expected; see `difference`."""
    same = (actual == expected) | ((actual != actual) & (expected != expected))
    if tolerance and not same.all():
        apart, largest = _apart(actual, expected)
        same |= apart <= tolerance * largest
    return same


def _apart(actual: Array, expected: Array) -> tuple[npt.NDArray[np.float64], float]:
    """Distances between actual and expected numbers (infinite for infinities and NaN), and the
    largest finite expected magnitude."""
    found, wanted = actual.astype(np.float64), expected.astype(np.float64)
    with np.errstate(invalid="ignore", over="ignore"):
        apart = np.nan_to_num(np.abs(found - wanted), nan=np.inf, posinf=np.inf)
    finite = np.abs(wanted[np.isfinite(wanted)])
    return apart, float(finite.max(initial=0))

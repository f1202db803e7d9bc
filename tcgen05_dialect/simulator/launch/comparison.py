"""Comparison of arrays with their expected content."""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from .arrays import Array


class Difference(NamedTuple):
    """
    An array that differs from its expected content: `differing` of its `elements` elements differ,
    the first at index `first`. Numbers are strings because JSON has no infinity and no NaN.
    """

    array: str
    elements: int
    differing: int
    first: tuple[int, ...]
    found: str
    expected: str
    most_apart: str
    largest_expected: str
    tolerance: float

    def __str__(self) -> str:
        return (
            f"{self.array}: {self.differing} of {self.elements} elements differ, the first at "
            f"{self.first}: found {self.found}, expected {self.expected}; at most "
            f"{self.most_apart} apart, where {self.largest_expected} is the largest number "
            f"expected (tolerance {self.tolerance:g} of it)"
        )


def difference(name: str, actual: Array, expected: Array, tolerance: float) -> Difference | None:
    """
    The difference between an array and its expected content; None if they agree.

    `tolerance` is a fraction of the largest expected magnitude. NaN equals NaN.
    """
    same = (actual == expected) | ((actual != actual) & (expected != expected))
    if same.all():
        return None
    apart, largest = _apart(actual, expected)
    if tolerance:
        same |= apart <= tolerance * largest
    if same.all():
        return None
    place = tuple(int(i) for i in np.argwhere(~same)[0])
    return Difference(
        name,
        same.size,
        int((~same).sum()),
        place,
        str(actual[place]),
        str(expected[place]),
        f"{float(apart[~same].max()):.3g}",
        f"{largest:.3g}",
        tolerance,
    )


def _apart(actual: Array, expected: Array) -> tuple[npt.NDArray[np.float64], float]:
    """Distances between actual and expected numbers (infinite for infinities and NaN), and the
    largest finite expected magnitude."""
    found, wanted = actual.astype(np.float64), expected.astype(np.float64)
    with np.errstate(invalid="ignore", over="ignore"):
        apart = np.nan_to_num(np.abs(found - wanted), nan=np.inf, posinf=np.inf)
    finite = np.abs(wanted[np.isfinite(wanted)])
    return apart, float(finite.max(initial=0))

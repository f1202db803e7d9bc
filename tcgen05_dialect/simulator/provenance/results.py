"""Remarks about an array that differs from its expected content, found in its numbers."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt
from xdsl.ir import Operation

from .regions import Flags, fills, region
from .remark import Remark

Matrix = npt.NDArray[Any]
_MOST = 0.5
"""Least fraction of the wrong elements that another place must explain, and of a row that must be
wrong."""
_PLENTY = 0.2
"""The same for segments of a transposed result, of which none is found by chance."""
_SEGMENT = 8
"""Number of elements that are compared as one with those at another place."""


@dataclass(eq=False)
class Result:
    """
    An array after a run, its expected content, which elements are wrong, and which elements the
    kernel has stored. `stores` are the operations that stored elements.
    """

    name: str
    found: Matrix
    expected: Matrix
    wrong: Flags
    stored: Flags
    stores: Sequence[Operation]

    @cached_property
    def count(self) -> int:
        """Number of wrong elements."""
        return int(np.count_nonzero(self.wrong))

    @property
    def store(self) -> Operation | None:
        return self.stores[0] if self.stores else None


def has_nan(numbers: Matrix) -> bool:
    """Whether there may be NaN among numbers; integers may be the bits of any numbers."""
    return bool(numbers.size and (numbers.dtype.kind in "iu" or np.isnan(numbers).any()))


def never_stored(result: Result) -> Remark | None:
    """A remark about wrong elements that the kernel has not stored."""
    missing = result.wrong & ~result.stored
    count = int(np.count_nonzero(missing))
    if not count:
        return None
    part = f"{result.name}{region(missing)}"
    where = f"they are {part}" if fills(missing) else f"they are in {part}"
    what = f"{count} of the {result.count} wrong elements of {result.name} were never stored"
    help = "check the rows and columns that the stores cover, and their predicate"
    return Remark(result.store, f"{what}; {where}", help)


def only_stored(result: Result) -> Remark | None:
    """The same if these are all wrong elements."""
    return None if (result.wrong & result.stored).any() else never_stored(result)


def multiple(result: Result) -> Remark | None:
    """A remark if all wrong elements are the same multiple of what is expected."""
    wrong = result.wrong & result.stored
    if not wrong.any():
        return None
    found, expected = (each[wrong].astype(np.float64) for each in (result.found, result.expected))
    if not np.isfinite(found).all() or not np.isfinite(expected).all():
        return None
    if not found.any():
        help = "check that the stored registers hold the sums"
        return Remark(
            result.store, f"all wrong elements of {result.name} that are stored are 0", help
        )
    parts = expected != 0
    if len(found) < _SEGMENT or not parts.any():
        return None
    ratio = float(found[parts][0] / expected[parts][0])
    if not np.array_equal(found, expected * ratio):
        return None
    what = f"all wrong elements of {result.name} are {ratio:g} times the expected ones"
    help = "check how often each product is added, and that the first MMA overwrites D"
    return Remark(result.store, what, help)


def moved(result: Result) -> Remark | None:
    """A remark if wrong elements are those expected at another place."""
    help = "compare the rows and columns that the loads and the stores of a CTA name"
    return _found_by(result, (_lines, _columns, _segments), help)


def exchanged(result: Result) -> Remark | None:
    """A remark if wrong elements are those expected with rows and columns exchanged."""
    help = "check that A and B are not exchanged, as arguments, in the copies and in the MMA"
    return _found_by(result, (_transposed,), help)


def _found_by(result: Result, searches: Sequence[Callable[..., str]], help: str) -> Remark | None:
    wrong = result.wrong & result.stored
    if result.found.ndim < 2 or not wrong.any() or result.found.itemsize > 8:
        return None
    columns = result.found.shape[-1]
    parts = [each.reshape(-1, columns) for each in (result.found, result.expected, wrong)]
    for search in searches:
        if sentence := search(result, *parts):
            return Remark(result.store, sentence, help)
    return None


def _lines(result: Result, found: Matrix, expected: Matrix, wrong: Flags) -> str:
    match = _best(found, expected, wrong)
    return (
        ""
        if match is None
        else f"row {match[0]} of {result.name} holds the expected row {match[1]}"
    )


def _columns(result: Result, found: Matrix, expected: Matrix, wrong: Flags) -> str:
    match = _best(found.T, expected.T, wrong.T)
    if match is None:
        return ""
    return f"column {match[0]} of {result.name} holds the expected column {match[1]}"


def _best(found: Matrix, expected: Matrix, wrong: Flags) -> tuple[int, int] | None:
    """The first wrong row that is another expected row, if that explains most wrong elements."""
    known = {_key(row): at for at, row in enumerate(expected)}
    explained, first = 0, None
    for at in np.flatnonzero(wrong.any(axis=1)).tolist():
        other = known.get(_key(found[at]))
        if np.count_nonzero(wrong[at]) <= _MOST * wrong.shape[1]:
            continue
        if other is not None and other != at and len(np.unique(found[at].view(_bits(found)))) > 1:
            explained += int(np.count_nonzero(wrong[at]))
            first = first or (at, other)
    return first if explained > _MOST * np.count_nonzero(wrong) else None


def _segments(result: Result, found: Matrix, expected: Matrix, wrong: Flags) -> str:
    known = dict(_pieces(expected))
    return _displaced(result, found, wrong, known, _along_row, "", _MOST)


def _transposed(result: Result, found: Matrix, expected: Matrix, wrong: Flags) -> str:
    known = dict(_pieces(np.ascontiguousarray(expected.T)))
    how = ", with rows and columns exchanged"
    return _displaced(result, found, wrong, known, _along_column, how, _PLENTY)


def _along_row(row: int, column: int) -> str:
    return f"[{row}, {column}:{column + _SEGMENT}]"


def _along_column(column: int, row: int) -> str:
    return f"[{row}:{row + _SEGMENT}, {column}]"


def _displaced(
    result: Result,
    found: Matrix,
    wrong: Flags,
    known: dict[bytes, tuple[int, int]],
    shown: Callable[[int, int], str],
    how: str,
    least: float,
) -> str:
    """Sentence, if most wrong segments of rows are known ones at another place."""
    explained, first = 0, None
    for key, (row, column) in _pieces(found):
        count = int(np.count_nonzero(wrong[row, column : column + _SEGMENT]))
        other = known.get(key) if count > 1 else None
        if other is not None:
            explained += count
            first = first or ((row, column), other)
    if first is None or explained <= least * np.count_nonzero(wrong):
        return ""
    (at, other), name = first, result.name
    return (
        f"{explained} of the {result.count} wrong elements of {name} are those expected elsewhere"
        f"{how}: {name}{_along_row(*at)} holds what is expected at {name}{shown(*other)}"
    )


def _pieces(matrix: Matrix) -> Iterator[tuple[bytes, tuple[int, int]]]:
    """Segments of rows that are not all the same number, with their places."""
    bits = matrix.view(_bits(matrix))
    for column in range(0, matrix.shape[1] - _SEGMENT + 1, _SEGMENT):
        part = bits[:, column : column + _SEGMENT]
        varied = np.flatnonzero((part != part[:, :1]).any(axis=1))
        for row in varied.tolist():
            yield part[row].tobytes(), (row, column)


def _key(row: Matrix) -> bytes:
    return np.ascontiguousarray(row).tobytes()


def _bits(matrix: Matrix) -> str:
    return f"u{matrix.itemsize}"

"""Drawings of two conflicting accesses: a column for each thread, in the order of the accesses."""

from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

_GAP = 3
_MOST = 48
"""Largest number of characters of the first column."""


class Side(NamedTuple):
    """An access: its thread, its operation, the line of the operation (0 if unknown), and its
    effect."""

    who: str
    operation: str
    line: int
    does: str

    def lines(self, renamed: Callable[[str], str]) -> list[str]:
        place = f", line {self.line}" if self.line else ""
        return [renamed(f"{self.operation}{place}"), f"  {self.does}"]


class Missing(NamedTuple):
    """The steps that would order two accesses: a step of the first thread after its access, a step
    of the second thread before its access, and a step of both."""

    first: str = ""
    second: str = ""
    both: str = ""


class TwoAccesses(NamedTuple):
    """Two accesses, and the steps that are missing between them."""

    first: Side
    second: Side
    missing: Missing

    def drawing(self, renamed: Callable[[str], str]) -> str:
        """The text; `renamed` replaces names of operations by the names in the user's text."""
        left, right = (side.lines(renamed) for side in (self.first, self.second))
        first, second, both = (each and f"missing: {each}" for each in self.missing)
        steps = filter(None, [first, f"- - {both} - ->" if both else ""])
        left = [self.first.who, *left, *steps]
        right = [self.second.who, *[""] * max(2, len(left) - 2), second, *right]
        return "\n".join(_side_by_side(left, right))


def _side_by_side(left: Sequence[str], right: Sequence[str]) -> Iterator[str]:
    width = min(_MOST, max(map(len, left))) + _GAP
    for line, other in zip_longest(left, right, fillvalue=""):
        yield f"{line:<{width}}{other}".rstrip()

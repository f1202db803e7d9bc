"""Drawings of two accesses that conflict: those of each thread in a column, in their order."""

from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

_GAP = 3
_MOST = 48
"""Largest number of characters of the first column."""


class Side(NamedTuple):
    """An access: who makes it, by which operation in which line, 0 if that is unknown, and what it
    does."""

    who: str
    operation: str
    line: int
    does: str

    def lines(self, renamed: Callable[[str], str]) -> list[str]:
        place = f", line {self.line}" if self.line else ""
        return [renamed(f"{self.operation}{place}"), f"  {self.does}"]


class Missing(NamedTuple):
    """The steps that would order two accesses: of the first thread after its access, of the second
    one before its access, and of both."""

    first: str = ""
    second: str = ""
    both: str = ""


class Conflict(NamedTuple):
    """Two accesses, and the steps that are missing between them."""

    first: Side
    second: Side
    missing: Missing

    def drawing(self, renamed: Callable[[str], str]) -> str:
        """The text; `renamed` gives operations the names that the user knows."""
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

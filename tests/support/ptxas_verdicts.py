"""Verdicts of ptxas on many statements, with few calls."""

import re
from collections.abc import Sequence

from tcgen05_dialect import assemble
from tcgen05_dialect.reporting.diagnostics import CompileError

TARGET = "sm_103a"
HEADER = f".version 9.0\n.target {TARGET}\n.address_size 64\n"
_REFUSED = re.compile(r"line (\d+); (?:error|fatal)")


def refused(before: str, statements: Sequence[str], after: str) -> set[int]:
    """
    The indices of the statements, each of one line, that ptxas refuses between two texts.

    It is asked again without those that it complained of, until it takes the rest. Raises
    AssertionError if it refuses the text without saying which line, as where it crashes.
    """
    begin = f"{HEADER}{before}\n"
    first = begin.count("\n") + 1
    found: set[int] = set()
    while True:
        lines = ["" if index in found else each for index, each in enumerate(statements)]
        try:
            assemble(f"{begin}{chr(10).join(lines)}\n{after}", TARGET)
        except CompileError as error:
            numbers = {int(number) - first for number in _REFUSED.findall(str(error))}
            more = numbers & set(range(len(statements))) - found
            assert more, str(error)
            found |= more
        else:
            return found


def refused_early(before: str, lines: Sequence[str]) -> set[int]:
    """
    The lines of a kernel that ptxas refuses. An error in a last line ends its work early; errors of
    its parser hide others, so it is asked again without them.
    """
    first, found = before.count("\n") + 2, set[int]()
    while True:
        rest = ["" if index in found else line for index, line in enumerate(lines)]
        numbers: list[str] = []
        try:
            assemble("\n".join((before, *rest, "mov.u32 %p1, %p2; ret; }\n")), TARGET)
        except CompileError as error:
            numbers = _REFUSED.findall(str(error))
        more = {int(number) - first for number in numbers} & {*range(len(lines))} - found
        if not more:
            return found
        found |= more

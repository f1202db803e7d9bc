"""
Locations of imported instructions: the line of the PTX text, and the line of the program that
`.loc` names (11.5.3).
"""

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import (
    CallSiteLoc,
    FileLineColLoc,
    LocationAttr,
    StringAttr,
)

from ..isa.ptx import ptx_text
from ..ptx_reader.constant_expression import integer
from ..ptx_reader.read import Lines
from ..ptx_reader.syntax_tree import Directive, Statement
from ..xdsl_support.fast_parser import file_line_column, fused

_INLINE = re.compile(r"^[ \t]*// (?P<end>begin|end) inline asm[ \t]*\r?$", re.MULTILINE)
"""The comments that LLVM writes around the text of inline assembly."""
_Place = tuple[int, int, int]
"""File, line and column."""


class Locations:
    """
    The locations of the instructions of one text.

    In inline assembly `.loc` does not count: LLVM counts the lines of the assembly text there, not
    those of the program. Line 0 means that an instruction has no line; it keeps that before it.
    """

    def __init__(self, lines: Lines, statements: Sequence[Statement]):
        self._lines = lines
        self._files = _files(statements)
        self._text = StringAttr(lines.source.name)
        marks = [
            (each.start(), each["end"] == "begin") for each in _INLINE.finditer(lines.source.text)
        ]
        self._starts = [start for start, _ in marks]
        self._is_inline = [begins for _, begins in marks]
        self._current: LocationAttr | None = None
        self._inlined: dict[_Place, LocationAttr] = {}
        """Place -> its location, with the calls that a directive for it named."""

    def begin(self) -> None:
        """Begin a function; the directives before it do not count."""
        self._current = None
        self._inlined.clear()

    def see(self, directive: Directive, depth: int) -> None:
        """Process a `.loc` directive at a nesting depth of blocks."""
        if self._is_in_assembly(directive.start, depth):
            return
        words = directive.words
        place = _numbers(words[1:4])
        if place is None or place[1] == 0 or place[0] not in self._files:
            return
        location: LocationAttr = self._location(place)
        if ptx_text.INLINED_AT in words:
            first = words.index(ptx_text.INLINED_AT) + 1
            caller = _numbers(words[first : first + 3])
            if caller is not None and caller[0] in self._files:
                around = self._inlined.get(caller) or self._location(caller)
                location = CallSiteLoc(location, around)
                self._inlined[place] = location
        self._current = location

    def of(self, start: int) -> LocationAttr:
        """The location of the statement at an index into the text."""
        text = self.in_text(start)
        return text if self._current is None else fused(self._current, text)

    def in_text(self, start: int) -> FileLineColLoc:
        """The location of a declaration, which has none in the program."""
        return file_line_column(self._text, *self._lines.place(start))

    def _is_in_assembly(self, start: int, depth: int) -> bool:
        if not self._starts:
            # Without comments, only braces tell.
            return depth > 1
        index = bisect_right(self._starts, start) - 1
        return index >= 0 and self._is_inline[index]

    def _location(self, place: _Place) -> FileLineColLoc:
        file, line, column = place
        return file_line_column(self._files[file], line, column)


def _numbers(words: Sequence[str]) -> _Place | None:
    numbers = [number for word in words if (number := integer(word)) is not None]
    return (numbers[0], numbers[1], numbers[2]) if len(numbers) == 3 else None


def _files(statements: Sequence[Statement]) -> Mapping[int, StringAttr]:
    """The names of the files by number; `.file` may come after its first use."""
    found: dict[int, StringAttr] = {}
    for statement in statements:
        if isinstance(statement, Directive) and statement.words[0] == ptx_text.FILE:
            number = integer(statement.words[1])
            if number is not None:
                found[number] = StringAttr(statement.words[2].strip('"'))
    return found

"""Reading of PTX text: its statements, and errors that say where they are."""

from bisect import bisect_right

from xdsl.utils.lexer import Location

from ...diagnostics import CompileError, Source, located_error
from .statements import Fault, StatementParser
from .syntax_tree import Statement

_AROUND = 200
"""How many characters of a line an error is given on each side of its place."""

_MOST = 1000
"""How many errors are given one by one."""


class Places:
    """The lines of a text."""

    def __init__(self, source: Source):
        self.source = source
        self._starts = [0]
        position = source.text.find("\n")
        while position >= 0:
            self._starts.append(position + 1)
            position = source.text.find("\n", position + 1)

    def location(self, start: int) -> Location:
        """The line and the column of an index into the text; both count from one."""
        line = bisect_right(self._starts, start)
        return Location(
            self.source.name, self.source.lines_before + line, start - self._starts[line - 1] + 1
        )

    def error(self, fault: Fault) -> CompileError:
        """What is wrong, where, and the line with a caret."""
        text, start = self.source.text, fault.start
        line = bisect_right(self._starts, start)
        end = self._starts[line] - 1 if line < len(self._starts) else len(text)
        first = max(self._starts[line - 1], start - _AROUND)
        shown = text[first : min(end, start + _AROUND)]
        message = str(fault.violation)
        width = fault.end - start
        return located_error(message, self.location(start), shown, start - first, width)


def read_statements(source: Source) -> tuple[list[Statement], list[CompileError]]:
    """The statements of a text that are well formed, and what is wrong with the others."""
    parser = StatementParser(source.text)
    parser.parse()
    places = Places(source)
    faults = sorted(parser.faults, key=lambda fault: fault.start)
    errors = [places.error(fault) for fault in faults[:_MOST]]
    if len(faults) > _MOST:
        errors.append(CompileError(f"{len(faults) - _MOST} further errors", source.name))
    return parser.statements, errors

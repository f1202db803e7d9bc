"""One clear message for whatever is wrong with an input, with its place where there is one."""

import re
from collections.abc import Generator
from contextlib import contextmanager
from functools import lru_cache
from typing import NamedTuple

from xdsl.dialects.builtin import FileLineColLoc
from xdsl.ir import Operation
from xdsl.utils.exceptions import DiagnosticException, MultipleSpansParseError, ParseError
from xdsl.utils.lexer import Location, Span

from ..isa.model.rule import Violation, printable
from .operation_error import OperationError

TOO_DEEP = "regions or attributes are nested too deeply"
_EXCERPT_COLUMNS = 160
_MESSAGE_CHARACTERS = 2000
_NOT_A_TAB = re.compile(r"[^\t]")
_BLANKS = "\t\n"
"""What need not be printable in what is shown."""


@lru_cache(maxsize=1)
def _lines(text: str) -> list[str]:
    """The lines of a text, which the messages of all its errors show."""
    return text.split("\n")


class Source(NamedTuple):
    """The text that is being compiled: its name, and the lines that stand before it in a file."""

    name: str
    text: str
    lines_before: int = 0

    def line(self, number: int) -> str | None:
        """The line of the text that has this number in the file, if there is one."""
        lines = _lines(self.text)
        index = number - self.lines_before - 1
        return lines[index] if 0 <= index < len(lines) else None


class CompileError(DiagnosticException):
    """
    What is wrong with an input. `str()` is `file:line:column: error: message`, and below it the
    line of the file and a caret where they are known.
    """

    def __init__(self, message: str, location: Location | str | None = None, excerpt: str = ""):
        super().__init__(message, location, excerpt)
        # A message may quote the input, which may be anything.
        if len(message) > _MESSAGE_CHARACTERS:
            message = f"{message[:_MESSAGE_CHARACTERS]}..."
        self.message = printable(message, _BLANKS)
        self.location = location
        self.excerpt = excerpt

    def __str__(self) -> str:
        place = "" if self.location is None else f"{self.location}: "
        return f"{place}error: {self.message}{self.excerpt}"

    @property
    def rules(self) -> tuple[str, ...]:
        """The ids of the rules that are broken; none of what cannot be read."""
        violation = violation_of(self)
        return () if violation is None else tuple(part.rule.id for part in violation.parts)


def violation_of(error: BaseException | None) -> Violation | None:
    """The violation that led to an error, if it was one."""
    while error is not None and not isinstance(error, Violation):
        error = error.__cause__
    return error


def _excerpt(line: str | None, column: int, width: int = 1) -> str:
    """A line of source and below it carets, both on lines of their own."""
    if not line:
        return ""
    line = line.removesuffix("\r")
    start = max(0, column - 1 - _EXCERPT_COLUMNS // 2)
    shown = printable(line[start : start + _EXCERPT_COLUMNS], _BLANKS, "\N{REPLACEMENT CHARACTER}")
    before = shown[: column - 1 - start]
    indent = _NOT_A_TAB.sub(" ", before) if "\t" in before else " " * len(before)
    return f"\n{shown}\n{indent}{'^' * max(1, min(width, len(shown) - len(before)))}"


def located_error(
    message: str, location: Location, line: str, start: int, width: int
) -> CompileError:
    """An error at a place whose line, or a long part of it, has the place at index `start`."""
    return CompileError(message, location, _excerpt(line, start + 1, width))


def _span_error(span: Span[str] | Span[bytes], message: str) -> CompileError:
    location = span.get_location()
    content = span.input.content
    text = content if isinstance(content, str) else content.decode()
    line = Source(location.file, text, span.line_offset).line(location.line)
    excerpt = _excerpt(line, location.col, span.end - span.start)
    return CompileError(message.rstrip(), location, excerpt)


def parse_error(error: ParseError) -> CompileError:
    """The message of an error of the parser; related places follow as notes."""
    found = _span_error(error.span, error.msg)
    if isinstance(error, MultipleSpansParseError):
        for span, message in error.refs:
            note = _span_error(span, message or error.ref_text or "")
            found.excerpt += f"\n{note.location}: note: {note.message}{note.excerpt}"
    return found


def operation_error(operation: Operation, message: str, source: Source | None) -> CompileError:
    """The message of an error of an operation, at the place it was read from."""
    text = f"{operation.name}: {message}"
    match operation.location:
        case FileLineColLoc(filename=name, line=line, column=column):
            location = Location(name.data, line.data, column.data)
        case _:
            return CompileError(text, None if source is None else source.name)
    line = source.line(location.line) if source and source.name == location.file else None
    return CompileError(text, location, _excerpt(line, location.col))


@contextmanager
def diagnosed(source: Source | None = None) -> Generator[None]:
    """Turn what the input may raise inside, at parsing or later, into a CompileError."""
    try:
        yield
    except ParseError as error:
        raise parse_error(error) from error
    except OperationError as error:
        raise operation_error(error.operation, error.message, source) from error
    except (Violation, DiagnosticException) as error:
        if isinstance(error, CompileError):
            raise
        raise CompileError(str(error), None if source is None else source.name) from error
    except RecursionError:
        name = None if source is None else source.name
        raise CompileError(TOO_DEEP, name) from None

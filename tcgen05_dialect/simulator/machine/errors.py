"""Errors of emulated kernels and of their launches."""

from collections.abc import Generator, Hashable, Iterable, Sequence
from contextlib import contextmanager
from typing import cast

from xdsl.ir import Operation
from xdsl.utils.lexer import Location

from ...isa.model.rule import Rule, Violation, alternatives, describe, did_you_mean
from ...reporting.diagnostics import (
    CompileError,
    Finding,
    OperationError,
    located,
    text_place,
    violation_error,
)


class LaunchError(CompileError):
    """
    Illegal launch of a kernel.

    `culprits` are the parts of the launch that may be wrong, the most likely first. A part is a key
    of a launch file, such as `block` or `arrays.a`, or `args.0` for the first argument. `launch` is
    the name of the launch, if the launch file describes several.
    """

    launch = ""

    def __init__(
        self,
        message: str,
        *,
        culprits: tuple[str, ...] = (),
        location: Location | str | None = None,
        excerpt: str = "",
        help: str = "",
        findings: Sequence[Finding] = (),
    ):
        super().__init__(message, location, excerpt, findings)
        self.culprits = culprits
        if help:
            self.findings = tuple(finding._replace(help=help) for finding in self.findings)

    def about(self, place: str, subject: str = "") -> "LaunchError":
        """The same with the name of a file, if it has none, and a subject before the message."""
        findings = [
            finding._replace(file=finding.file or place, message=f"{subject}{finding.message}")
            for finding in self.findings
        ]
        return LaunchError(f"{subject}{self.message}", culprits=self.culprits, findings=findings)

    def in_launch(self, name: str) -> "LaunchError":
        """The same about one of several launches, if the name is not empty."""
        error = self.about("", f"launch {name}: " if name else "")
        error.launch = name
        return error


def refused(found: object, legal: object, what: str, help: str = "") -> LaunchError:
    """The error to raise for an illegal part of a launch: `what` must be `legal`. It suggests a
    similar name if both are names."""
    if legal == ():
        return LaunchError(f"{describe(found)} cannot be {what}: there are none", help=help)
    message = f"{what} must be {alternatives(legal)}; found {describe(found)}"
    if not help and isinstance(found, str) and isinstance(legal, tuple):
        help = did_you_mean(found, map(str, cast("tuple[object, ...]", legal)))
    return LaunchError(message, help=help)


@contextmanager
def blaming(*culprits: str, about: str = "") -> Generator[None]:
    """Turn violations into launch errors, which name their subject `about`, and say which parts of
    the launch may be wrong. The culprit of a violation is a key of the first of these parts."""
    try:
        yield
    except Violation as violation:
        about = f"{about}: " if about else ""
        shown = violation_error(violation, lambda _: (None, ""), about)
        if culprits and (key := violation.parts[0].culprit):
            culprits = (f"{culprits[0]}.{key}", *culprits)
        raise LaunchError(shown.message, culprits=culprits, findings=shown.findings) from violation
    except LaunchError as error:
        error.culprits = (*error.culprits, *culprits)
        raise


@contextmanager
def helped(rule: Rule, help: str, culprit: str = "") -> Generator[None]:
    """Give a violation of a rule that is raised within a help and a culprit, if these are not
    empty."""
    try:
        yield
    except Violation as violation:
        if violation.rule is not rule or not help:
            raise
        raise violation.replaced(help=help, culprit=culprit or violation.culprit) from None


def fault(
    op: Operation, rule: Rule, sentence: str, help: str = "", related: Operation | None = None
) -> OperationError:
    """The error to raise for an operation of the kernel; see `OperationError`."""
    return located(op, rule.says(sentence, help), related)


def _file_and_line(op: Operation) -> tuple[str, int] | None:
    location = text_place(op.location)
    if location is not None:
        return location.filename.data, location.line.data
    return None


def line_key(op: Operation) -> Hashable:
    """A key for the line of an operation: the operation itself if the line is unknown."""
    return _file_and_line(op) or op


def line_number(op: Operation) -> int:
    """The line of an operation; 0 if it is unknown."""
    place = _file_and_line(op)
    return 0 if place is None else place[1]


def place_of(op: Operation) -> str:
    """The line of an operation, or its name if the line is unknown."""
    line = line_number(op)
    return f"line {line}" if line else op.name


def file_and_line_of(op: Operation) -> str:
    """The file and the line of an operation, or its name if they are unknown."""
    place = _file_and_line(op)
    return op.name if place is None else f"{place[0]}:{place[1]}"


_MOST_LINES = 8
"""Number of lines that a text lists."""


def lines_of(ops: Iterable[Operation]) -> str:
    """The lines of operations, each once; of many, the first ones and the number of the others."""
    places = list(dict.fromkeys(place_of(op) for op in ops))
    numbers = [place.removeprefix("line ") for place in places]
    if len(numbers) > _MOST_LINES:
        numbers[_MOST_LINES:] = [f"{len(numbers) - _MOST_LINES} more"]
    *others, last = numbers
    return f"lines {', '.join(others)} and {last}" if others else places[0]

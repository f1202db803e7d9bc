"""Findings: the single mistakes in a file, each with its place and the rule that it breaks."""

from collections.abc import Iterator
from typing import NamedTuple

from xdsl.utils.lexer import Location

from .diagnostics import CompileError, violation_of


class Finding(NamedTuple):
    """
    One thing that is wrong. Lines and columns count from 1; they are 0 where no place is known.

    `rule` and `section` are empty for text that cannot be read, which breaks no rule of the ISA.
    """

    file: str
    line: int
    column: int
    severity: str
    rule: str
    message: str
    section: str

    def __str__(self) -> str:
        place = f"{self.file}:{self.line}:{self.column}" if self.line else self.file
        rule = f" [{self.rule}]" if self.rule else ""
        return f"{place}: {self.severity}: {self.message}{rule}"


def findings_of(error: CompileError, file: str) -> Iterator[Finding]:
    """What an error says: a finding for each of the rules that are broken at its place."""
    place = error.location
    name, line, column = (
        (place.file, place.line, place.col) if isinstance(place, Location) else (file, 0, 0)
    )
    violation = violation_of(error)
    if violation is None:
        yield Finding(name, line, column, "error", "", error.message, "")
        return
    subject = error.message.partition(violation.text)[0] if violation.text in error.message else ""
    subject = subject.replace("\n", " ")
    for part in violation.parts:
        rule = part.rule
        message = f"{subject}{part.text}"
        yield Finding(name, line, column, rule.severity, rule.id, message, rule.section)

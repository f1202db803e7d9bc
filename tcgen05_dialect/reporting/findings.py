"""Findings: single mistakes in a file, each with its location and rule."""

from collections.abc import Iterable
from typing import NamedTuple

from ..isa.model.rule import Severity, printable


class Finding(NamedTuple):
    """
    One thing that is wrong. Lines and columns count from 1; they are 0 where no place is known.

    `severity` is that of the rule; see `Rule`. `rule` and `section` are empty for text that cannot
    be read, which breaks no rule of the ISA; `help` says how to fix it, if that is known. `excerpt`
    is the line of the file and below it carets, and the same of related places.
    """

    file: str
    line: int
    column: int
    severity: Severity
    rule: str
    message: str
    section: str = ""
    help: str = ""
    excerpt: str = ""

    def __str__(self) -> str:
        """The finding as the commands print it; only its first line is not indented."""
        place = f"{self.file}:{self.line}:{self.column}" if self.line else self.file
        rule = f"[{self.rule}]" if self.rule else ""
        head = f"{printable(place)}: " if place else ""
        lines = [f"{head}{self.severity}{rule}: {self.message}", *self.excerpt.splitlines()]
        if self.help:
            lines.append(f"help: {self.help}")
        if self.rule:
            lines.append(f"(PTX ISA {self.section}; tcgen05 explain {self.rule})")
        return "\n".join(lines).replace("\n", "\n  ")


def has_errors(findings: Iterable[Finding]) -> bool:
    """Whether a command fails: after an error it does, after a warning it does not."""
    return any(finding.severity == "error" for finding in findings)


def as_errors(findings: Iterable[Finding]) -> list[Finding]:
    """The findings with warnings as errors, for the option `--strict`."""
    return [finding._replace(severity="error") for finding in findings]

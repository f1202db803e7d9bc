"""
Findings: single mistakes in a file, each with its location and rule.

The id of findings that break no rule of the ISA, for formats that demand a rule.
"""

from collections.abc import Iterable
from typing import Literal, NamedTuple

from ..isa.model.rule import Severity, printable

Word = Literal["verified", "verified in part", "not verified", "not decided"]
"""Verdict on a kernel, in a word."""


class Edit(NamedTuple):
    """Replacement of the text between two places of a file. Lines and columns count from 1; the end
    is the place after the replaced text."""

    line: int
    column: int
    end_line: int
    end_column: int
    text: str


class Finding(NamedTuple):
    """
    One mistake in a file. Lines and columns count from 1; they are 0 if the location is unknown.

    `severity` is that of the rule; see `Rule`. A remark is not a mistake. `rule` and `section` are
    empty for text that cannot be parsed, and for remarks other than those on fixes. `help` says how
    to fix the mistake, if known. `excerpt` is the source line with carets below it, followed by
    those of related locations. `verdict` is that of a remark about the verification of a kernel.

    `fix` describes `edits`, a change of the file that was tried and that removes the mistake; both
    are empty if no such change is known. A remark with edits says that the change was made or would
    be made; its places refer to the text after the changes of earlier remarks. `replay` is a
    command that runs the kernel with data at the sizes of a finding about a whole kernel, or empty.
    `suppressed` says what allows a warning: a comment in the text or an option of the command; it
    is empty for all other findings.
    """

    file: str
    line: int
    column: int
    severity: Severity | Literal["remark"]
    rule: str
    message: str
    section: str = ""
    help: str = ""
    excerpt: str = ""
    verdict: Word | Literal[""] = ""
    fix: str = ""
    edits: tuple[Edit, ...] = ()
    replay: str = ""
    suppressed: Literal["", "comment", "option"] = ""

    def __str__(self) -> str:
        """The finding as commands print it; all lines but the first are indented."""
        place = f"{self.file}:{self.line}:{self.column}" if self.line else self.file
        rule = f"[{self.rule}]" if self.rule else ""
        head = f"{printable(place)}: " if place else ""
        lines = [f"{head}{self.severity}{rule}: {self.message}", *self.excerpt.splitlines()]
        if self.help:
            lines.append(f"help: {self.help}")
        if self.fix:
            lines.append(f"fix: {self.fix}")
        if self.replay:
            lines.append(f"replay: {self.replay}")
        if self.rule:
            lines.append(f"(PTX ISA {self.section}; tcgen05 explain {self.rule})")
        return printable("\n".join(lines), "\t\n").replace("\n", "\n  ")


def has_errors(findings: Iterable[Finding]) -> bool:
    """Whether a command fails because of these findings: errors make it fail, warnings do not."""
    return any(finding.severity == "error" for finding in findings)


def as_errors(findings: Iterable[Finding]) -> list[Finding]:
    """The findings with warnings that are not suppressed as errors, for the option `--strict`."""
    return [
        finding
        if finding.severity == "remark" or finding.suppressed
        else finding._replace(severity="error")
        for finding in findings
    ]


ID = "T5-INPUT"
STATEMENT = "The input can be read, parsed and compiled."
WHY = "Text that cannot be read breaks no rule of the ISA; the message says what is wrong with it."

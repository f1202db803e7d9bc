"""Findings: what is wrong in a file, one by one, as text, JSON and SARIF."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple
from urllib.parse import quote

from xdsl.utils.lexer import Location

from ..isa.model.rule import Rule
from .diagnostics import CompileError, violation_of

SARIF_VERSION = "2.1.0"
_SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_SARIF_LEVELS = {"error": "error", "warning": "warning", "remark": "note"}


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


def as_text(findings: Sequence[Finding]) -> str:
    """One line each."""
    return "".join(f"{finding}\n" for finding in findings)


def as_json(findings: Sequence[Finding]) -> str:
    """An array of objects with the fields of `Finding`."""
    return _json([finding._asdict() for finding in findings])


def as_sarif(findings: Sequence[Finding], version: str) -> str:
    """A log of the Static Analysis Results Interchange Format, as code hosts take it."""
    from .rule_programs import rules

    broken = sorted({finding.rule for finding in findings if finding.rule})
    driver = {
        "name": "tcgen05",
        "version": version,
        "rules": [_sarif_rule(rules()[rule]) for rule in broken],
    }
    run = {"tool": {"driver": driver}, "results": [_sarif_result(each) for each in findings]}
    log = {"$schema": _SARIF_SCHEMA, "version": SARIF_VERSION, "runs": [run]}
    return _json(log)


def _json(value: object) -> str:
    import json

    return json.dumps(value, indent=2) + "\n"


def _sarif_rule(rule: Rule) -> dict[str, object]:
    return {
        "id": rule.id,
        "shortDescription": {"text": rule.subject},
        "help": {"text": f"{rule.fix} (PTX ISA {rule.section})"},
    }


def _sarif_result(finding: Finding) -> dict[str, object]:
    place: dict[str, object] = {"artifactLocation": {"uri": quote(finding.file)}}
    if finding.line:
        place["region"] = {"startLine": finding.line, "startColumn": finding.column}
    result: dict[str, object] = {
        "level": _SARIF_LEVELS[finding.severity],
        "message": {"text": finding.message},
        "locations": [{"physicalLocation": place}],
    }
    if finding.rule:
        result["ruleId"] = finding.rule
    return result

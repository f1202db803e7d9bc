"""Findings as workflow commands of GitHub Actions, which shows them beside the code."""

from collections.abc import Sequence

from ...isa.model.rule import printable
from ..diagnostics import Finding
from ..suppressions import summary, visible
from . import advised, path_of

_DATA = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_PROPERTY = _DATA | {":": "%3A", ",": "%2C"}


def render(findings: Sequence[Finding]) -> str:
    """One command for each finding, whose title is the rule, and one for the number of suppressed
    warnings."""
    suppressed = summary(findings)
    count = f"::notice::{suppressed}\n" if suppressed else ""
    return "".join(map(_command, visible(findings))) + count


def _command(finding: Finding) -> str:
    properties = {"file": path_of(finding)}
    if finding.line:
        properties |= {"line": str(finding.line), "col": str(finding.column)}
    if finding.rule:
        properties["title"] = finding.rule
    listed = ",".join(f"{key}={_escaped(each, _PROPERTY)}" for key, each in properties.items())
    command = "notice" if finding.severity == "remark" else finding.severity
    return f"::{command} {listed}::{_escaped(advised(finding), _DATA)}\n"


def _escaped(text: str, escapes: dict[str, str]) -> str:
    return printable(text, "\r\n").translate(str.maketrans(escapes))

"""Findings as plain text, for people and for editors that jump to `file:line:column`."""

from collections.abc import Hashable, Iterator, Sequence

from ..diagnostics import Finding
from ..suppressions import summary, visible

_MOST_ALIKE = 2
"""Number of equal findings in a file that are all shown."""


def render(findings: Sequence[Finding]) -> str:
    """One line for each finding, and the number of suppressed warnings. Of more than two equal
    errors or warnings in a file, the first tells the lines of the others."""
    lines = [*_folded([*visible(findings)]), summary(findings)]
    return "".join(f"{line}\n" for line in lines if line)


def _folded(findings: Sequence[Finding]) -> Iterator[str]:
    alike: dict[Hashable, list[Finding]] = {}
    for each in findings:
        alike.setdefault(_said(each), []).append(each)
    for each in findings:
        first, *others = alike[_said(each)]
        if each.severity == "remark" or each.edits or len(others) < _MOST_ALIKE:
            yield str(each)
        elif each is first:
            *lines, last = dict.fromkeys(str(other.line) for other in others)
            where = f"lines {', '.join(lines)} and {last}" if lines else f"line {last}"
            yield f"{each}\n  and {len(others)} more like it, {where}"


def _said(finding: Finding) -> Hashable:
    """What equal findings have in common."""
    return finding.file, finding.severity, finding.rule, finding.message, finding.help

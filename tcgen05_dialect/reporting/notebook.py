"""Findings as a notebook shows them."""

from collections.abc import Iterable
from html import escape

from .diagnostics import Finding

_COLOURS = {"error": "#d9363e", "warning": "#b87800", "remark": "#2f7fd0"}
"""Severity -> a colour that is legible on white and on black."""
_VERIFIED = "#2e8b57"


class Findings(list[Finding]):
    """A list of findings, which a notebook shows as text with colours."""

    def _repr_html_(self) -> str:
        return html_of(self) if self else "<i>no finding</i>"


def html_of(findings: Iterable[Finding]) -> str:
    """The text of findings, the first line of each in the colour of its severity or verdict."""
    return "".join(f'<pre style="white-space: pre-wrap">{_text(each)}</pre>' for each in findings)


def _text(finding: Finding) -> str:
    first, *others = map(escape, str(finding).splitlines())
    is_good = finding.verdict.startswith("verified")
    colour = _VERIFIED if is_good else _COLOURS[finding.severity]
    return "\n".join([f'<b style="color: {colour}">{first}</b>', *others])

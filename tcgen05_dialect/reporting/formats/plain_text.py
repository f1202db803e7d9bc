"""Findings as plain text, for people and for editors that jump to `file:line:column`."""

from collections.abc import Sequence

from ..diagnostics import Finding
from ..suppressions import summary, visible


def render(findings: Sequence[Finding]) -> str:
    """One line for each finding, and the number of suppressed warnings."""
    lines = [*map(str, visible(findings)), summary(findings)]
    return "".join(f"{line}\n" for line in lines if line)

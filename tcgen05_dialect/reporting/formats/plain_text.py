"""Findings as plain text, for people and for editors that jump to `file:line:column`."""

from collections.abc import Sequence

from ..findings import Finding


def render(findings: Sequence[Finding]) -> str:
    """One line for each finding."""
    return "".join(f"{finding}\n" for finding in findings)

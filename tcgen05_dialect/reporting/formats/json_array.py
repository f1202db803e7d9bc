"""Findings as JSON, for other programs."""

import json
from collections.abc import Sequence

from ..diagnostics import Finding


def render(findings: Sequence[Finding]) -> str:
    """An array of objects with the fields of `Finding`."""
    fields = [
        finding._asdict() | {"edits": [edit._asdict() for edit in finding.edits]}
        for finding in findings
    ]
    return json.dumps(fields, indent=2) + "\n"

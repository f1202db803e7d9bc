"""Findings as JSON, for other programs."""

import json
from collections.abc import Sequence

from ..findings import Finding


def render(findings: Sequence[Finding]) -> str:
    """An array of objects with the fields of `Finding`."""
    return json.dumps([finding._asdict() for finding in findings], indent=2) + "\n"

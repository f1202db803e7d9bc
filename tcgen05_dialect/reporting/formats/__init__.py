"""Output formats of findings. Each module renders all findings of a run as one text."""

from collections.abc import Sequence
from importlib import import_module
from pathlib import PurePath
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    # The command needs the names of the formats before it needs the rest of the project.
    from ..diagnostics import Finding

FORMATS = MappingProxyType(
    {
        "text": "plain_text",
        "json": "json_array",
        "sarif": "sarif_log",
        "github": "workflow_commands",
    }
)
"""Name of a format -> its module, which is imported at first use."""


def advised(finding: "Finding") -> str:
    """The message of a finding with the help, the fix and the replay below it."""
    advice = ("help", finding.help), ("fix", finding.fix), ("replay", finding.replay)
    lines = (f"{title}: {text}" for title, text in advice if text)
    return "\n".join((finding.message, *lines))


def path_of(finding: "Finding") -> str:
    """The path of the file as code hosts compare it: `a.mlir` for `./a.mlir`."""
    return str(PurePath(finding.file)) if finding.file else ""


def render(findings: "Sequence[Finding]", name: str) -> str:
    """The findings as text in the format `name`."""
    module = import_module(f".{FORMATS[name]}", __package__)
    text: str = module.render(findings)
    return text

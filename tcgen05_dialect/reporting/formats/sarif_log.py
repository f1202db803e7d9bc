"""
Findings as a SARIF 2.1.0 log (Static Analysis Results Interchange Format), which code hosts show
beside the code.
"""

import json
import os
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import quote

from .. import diagnostics
from ..diagnostics import Finding
from ..project import HOME, RULES, rules, version
from . import advised, path_of

_VERSION = "2.1.0"
_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_INPUT_DESCRIPTOR = {
    "id": diagnostics.ID,
    "shortDescription": {"text": diagnostics.STATEMENT.rstrip(".")},
    "fullDescription": {"text": f"{diagnostics.STATEMENT} {diagnostics.WHY}"},
    "helpUri": HOME,
    "help": {"text": f"{diagnostics.WHY} (tcgen05 explain {diagnostics.ID})"},
}

_SUPPRESSIONS = {"comment": "inSource", "option": "external"}
"""What suppresses a finding -> its kind in SARIF."""


def render(findings: Sequence[Finding]) -> str:
    """A log with one run: the broken rules, and one result for each finding."""
    broken = sorted({_rule(finding) for finding in findings if finding.severity != "remark"})
    driver = {
        "name": "tcgen05",
        "version": version(),
        "informationUri": HOME,
        "rules": [_descriptor(rule) for rule in broken],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(finding) for finding in findings],
    }
    return json.dumps({"$schema": _SCHEMA, "version": _VERSION, "runs": [run]}, indent=2) + "\n"


def _rule(finding: Finding) -> str:
    return finding.rule or diagnostics.ID


def _descriptor(name: str) -> dict[str, object]:
    if name == diagnostics.ID:
        return dict(_INPUT_DESCRIPTOR)
    rule = rules()[name]
    short = (rule.statement or rule.subject).rstrip(".")
    full = ". ".join(text.rstrip(".") for text in (short, rule.why) if text)
    return {
        "id": rule.id,
        "shortDescription": {"text": short},
        "fullDescription": {"text": f"{full} (PTX ISA {rule.section})."},
        "helpUri": f"{RULES}/{rule.file.name}",
        "help": {"text": f"{rule.fix} (PTX ISA {rule.section}; tcgen05 explain {rule.id})"},
        "defaultConfiguration": {"level": rule.severity},
    }


def _result(finding: Finding) -> dict[str, object]:
    # GitHub needs a line even for a finding about the whole file.
    region = {"startLine": finding.line or 1}
    if finding.column:
        region["startColumn"] = finding.column
    is_remark = finding.severity == "remark"
    return {
        **({} if is_remark else {"ruleId": _rule(finding)}),
        "level": "note" if is_remark else finding.severity,
        **({"properties": {"verdict": finding.verdict}} if finding.verdict else {}),
        **(
            {"suppressions": [{"kind": _SUPPRESSIONS[finding.suppressed]}]}
            if finding.suppressed
            else {}
        ),
        "message": {"text": advised(finding)},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": _uri(path_of(finding))},
                    "region": region,
                }
            }
        ],
        # The edits of a remark have been made, and must not be made again.
        **({"fixes": [_fix(finding)]} if finding.edits and not is_remark else {}),
    }


def _fix(finding: Finding) -> dict[str, object]:
    replacements = [
        {
            "deletedRegion": {
                "startLine": edit.line,
                "startColumn": edit.column,
                "endLine": edit.end_line,
                "endColumn": edit.end_column,
            },
            "insertedContent": {"text": edit.text},
        }
        for edit in finding.edits
    ]
    change = {
        "artifactLocation": {"uri": _uri(path_of(finding))},
        "replacements": replacements,
    }
    return {"description": {"text": finding.fix}, "artifactChanges": [change]}


def _uri(path: str) -> str:
    """A path as a URI; a relative path stays relative to the checkout, as code hosts need."""
    return Path(path).as_uri() if Path(path).is_absolute() else quote(os.fsencode(path))

"""
Output formats of findings: text, JSON, SARIF, workflow commands of GitHub, and notebooks.

Edits of a text: their application, the lines before them, and patches.

The command needs the names of the formats before it needs the rest of the project, which is thus
imported at the first use.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from io import StringIO
from itertools import accumulate
from pathlib import Path, PurePath
from types import MappingProxyType
from typing import TYPE_CHECKING

from ..isa.model.rule import printable
from .project import HOME, RULES, rules, version

if TYPE_CHECKING:
    from .diagnostics import Edit, Finding, Source


def advised(finding: Finding) -> str:
    """The message of a finding with the help, the fix and the replay below it."""
    advice = ("help", finding.help), ("fix", finding.fix), ("replay", finding.replay)
    lines = (f"{title}: {text}" for title, text in advice if text)
    return "\n".join((finding.message, *lines))


def path_of(finding: Finding) -> str:
    """The path of the file as code hosts compare it: `a.mlir` for `./a.mlir`."""
    return str(PurePath(finding.file)) if finding.file else ""


_MOST_ALIKE = 2
"""Number of equal findings in a file that are all shown."""


def _text(findings: Sequence[Finding]) -> str:
    """One line for each finding, and the number of suppressed warnings. Of more than two equal
    errors or warnings in a file, the first tells the lines of the others."""
    from .suppressions import summary, visible

    lines = [*_folded([*visible(findings)]), summary(findings)]
    return "".join(f"{line}\n" for line in lines if line)


def _folded(findings: Sequence[Finding]) -> Iterator[str]:
    alike: dict[Hashable, list[Finding]] = {}
    for finding in findings:
        alike.setdefault(_said(finding), []).append(finding)
    for finding in findings:
        first, *others = alike[_said(finding)]
        if finding.severity == "remark" or finding.edits or len(others) < _MOST_ALIKE:
            yield str(finding)
        elif finding is first:
            *lines, last = dict.fromkeys(str(other.line) for other in others)
            where = f"lines {', '.join(lines)} and {last}" if lines else f"line {last}"
            yield f"{finding}\n  and {len(others)} more like it, {where}"


def _said(finding: Finding) -> Hashable:
    """What equal findings have in common."""
    return finding.file, finding.severity, finding.rule, finding.message, finding.help


def _json(findings: Sequence[Finding]) -> str:
    """JSON: an array of objects with the fields of `Finding`."""
    fields = [
        finding._asdict() | {"edits": [edit._asdict() for edit in finding.edits]}
        for finding in findings
    ]
    return json.dumps(fields, indent=2) + "\n"


_VERSION = "2.1.0"
_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_SUPPRESSIONS = {"comment": "inSource", "option": "external"}
"""What suppresses a finding -> its kind in SARIF."""


def _sarif(findings: Sequence[Finding]) -> str:
    """A SARIF 2.1.0 log (Static Analysis Results Interchange Format), which code hosts show beside
    the code. It has one run: the broken rules, and one result for each finding."""
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
    from .diagnostics import ID

    return finding.rule or ID


def _descriptor(name: str) -> dict[str, object]:
    from .diagnostics import ID, STATEMENT, WHY

    if name == ID:
        return {
            "id": ID,
            "shortDescription": {"text": STATEMENT.rstrip(".")},
            "fullDescription": {"text": f"{STATEMENT} {WHY}"},
            "helpUri": HOME,
            "help": {"text": f"{WHY} (tcgen05 explain {ID})"},
        }
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
    from urllib.parse import quote

    return Path(path).as_uri() if Path(path).is_absolute() else quote(os.fsencode(path))


_DATA = {"%": "%25", "\r": "%0D", "\n": "%0A"}
_PROPERTY = _DATA | {":": "%3A", ",": "%2C"}


def _github(findings: Sequence[Finding]) -> str:
    """Workflow commands of GitHub Actions, which shows them beside the code: one command for each
    finding, whose title is the rule, and one for the number of suppressed warnings."""
    from .suppressions import summary, visible

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


FORMATS: Mapping[str, Callable[[Sequence[Finding]], str]] = MappingProxyType(
    {"text": _text, "json": _json, "sarif": _sarif, "github": _github}
)
"""Name of a format -> the function that writes findings as one text."""


def render(findings: Sequence[Finding], name: str) -> str:
    """The findings as text in the format `name`."""
    return FORMATS[name](findings)


_COLOURS = {"error": "#d9363e", "warning": "#b87800", "remark": "#2f7fd0"}
"""Severity -> a colour that is legible on white and on black."""
_VERIFIED = "#2e8b57"


class Findings(list["Finding"]):
    """A list of findings, which a notebook shows as text with colours."""

    def _repr_html_(self) -> str:
        return html_of(self) if self else "<i>no finding</i>"


def html_of(findings: Iterable[Finding]) -> str:
    """The text of findings, the first line of each in the colour of its severity or verdict."""
    return "".join(
        f'<pre style="white-space: pre-wrap">{_preformatted(each)}</pre>' for each in findings
    )


def _preformatted(finding: Finding) -> str:
    # Imported here, because only notebooks need it.
    from html import escape

    first, *others = map(escape, str(finding).splitlines())
    is_good = finding.verdict.startswith("verified")
    colour = _VERIFIED if is_good else _COLOURS[finding.severity]
    return "\n".join([f'<b style="color: {colour}">{first}</b>', *others])


def edited(source: Source, edits: Sequence[Edit]) -> Source:
    """The source with edits, which do not overlap."""
    text = source.text
    for edit in sorted(edits, key=lambda edit: edit[:2], reverse=True):
        start = source.position(edit.line, edit.column)
        end = source.position(edit.end_line, edit.end_column)
        text = text[:start] + edit.text + text[end:]
    return source._replace(text=text)


def line_before(edits: Sequence[Edit], line: int) -> int:
    """The number that a line of the edited text had before; 0 for a new line."""
    offset = 0
    for edit in sorted(edits, key=lambda edit: edit[:2]):
        added = edit.text.count("\n") - (edit.end_line - edit.line)
        if edit.line + offset <= line < edit.line + offset + added:
            return 0
        if line >= edit.line + offset + added:
            offset += added
    return line - offset


def difference(before: Source, after: Source) -> tuple[Edit, ...]:
    """Edits of whole lines that make one text of another."""
    from difflib import SequenceMatcher

    from .diagnostics import Edit

    old, new = _lines(before), _lines(after)
    starts = [0, *accumulate(map(len, old))]
    return tuple(
        Edit(*before.place(starts[a]), *before.place(starts[b]), "".join(new[c:d]))
        for tag, a, b, c, d in SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
        if tag != "equal"
    )


def patch(changes: Sequence[tuple[Source, Source]]) -> str:
    """
    The unified diff of files, each before and after, as `patch -p1` and `git apply` read it.

    It names the files as seen from the current folder. Both commands refuse names outside of the
    folder in which they run: if there are such files, the names are those seen from the folder that
    contains all files and the current folder, and the first line gives the command to use.
    """
    from difflib import unified_diff
    from shlex import quote

    # Both commands refuse links, too.
    paths = [os.path.realpath(before.name) for before, _ in changes]
    here = os.path.realpath(os.curdir)
    folder = os.path.commonpath((here, *map(os.path.dirname, paths)))
    text = ""
    if changes and folder != here:
        text = f"# apply with: patch -p1 -d {quote(os.path.relpath(folder, here))}\n"
    for path, (before, after) in zip(paths, changes, strict=True):
        name = os.path.relpath(path, folder)
        # A tab ends a name that contains spaces.
        end = "\t" if " " in name else ""
        old, new = (f"{side}/{name}{end}" for side in "ab")
        for line in unified_diff(_lines(before), _lines(after), old, new):
            text += line if line.endswith("\n") else f"{line}\n{_NO_NEWLINE}\n"
    return text


def _lines(source: Source) -> list[str]:
    """The lines of a text with their ends; only a newline ends a line."""
    return [*StringIO(source.text)]


_NO_NEWLINE = "\\ No newline at end of file"

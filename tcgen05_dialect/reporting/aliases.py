"""Errors of aliases: if every use of an alias breaks the same rule, one error at the alias."""

import re
from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple

from xdsl.utils.lexer import Location

from .diagnostics import CompileError, Source, excerpt_of
from .findings import Finding

_COMMENT = re.compile(r"//[^\n]*")
_DEFINITION = re.compile(r"^[ \t]*+(?P<name>#[a-zA-Z_][\w$]*+)\s*=\s*(?=\S)", re.MULTILINE)
_VALUE = re.compile(r"(?:[\w$.]++\s*=\s*)?(?P<name>#[a-zA-Z_][\w$]*+)(?![\w$.<])")
"""A place that an error points to: an alias as the value of an attribute."""


class _Alias(NamedTuple):
    """An alias: the place of its value in the text, and the number of its uses."""

    value: int
    uses: int


def errors_at_aliases(errors: Sequence[CompileError], source: Source) -> list[CompileError]:
    """The errors, with one at the alias instead of the same error at each of its several uses."""
    aliases = _aliases(source.text)
    uses: defaultdict[tuple[str, str], list[Finding]] = defaultdict(list)
    for error in errors if aliases else ():
        for finding in error.findings:
            if (name := _used(finding, source)) in aliases:
                uses[name, finding.rule].append(finding)
    kept: dict[int, Finding | None] = {}
    for (name, _), findings in uses.items():
        alias, (first, *others) = aliases[name], findings
        if others and len(findings) == alias.uses:
            kept[id(first)] = _at_alias(first, name, alias, source)
            kept.update((id(other), None) for other in others)
    return [each for error in errors if (each := _kept(error, kept)) is not None]


def _aliases(text: str) -> dict[str, _Alias]:
    """The aliases of attributes in a text, by name."""
    if "#" not in text:
        return {}
    # Spaces for the comments, so that all else keeps its place.
    own = _COMMENT.sub(lambda match: " " * len(match[0]), text)
    found: dict[str, _Alias] = {}
    for definition in _DEFINITION.finditer(own):
        name = definition["name"]
        mentions = re.findall(rf"(?<![\w$.]){re.escape(name)}(?![\w$.])", own)
        found[name] = _Alias(definition.end(), len(mentions) - 1)
    return found


def _used(finding: Finding, source: Source) -> str:
    """The alias that a finding points to; empty for none."""
    if not (finding.rule and finding.line and finding.file == source.name):
        return ""
    match = _VALUE.match(source.text, source.position(finding.line, finding.column))
    return "" if match is None else match["name"]


def _at_alias(first: Finding, name: str, alias: _Alias, source: Source) -> Finding:
    """The finding of an alias, with a note of its first use."""
    line, column = source.place(alias.value)
    shown = source.line(line) or ""
    width = len(_COMMENT.sub("", shown).rstrip()) - column + 1
    note = (
        f"{first.file}:{first.line}:{first.column}: note: the first of {alias.uses} uses of {name}"
    )
    excerpt = f"{excerpt_of(shown, column, width)}\n{note}\n{first.excerpt}"
    return first._replace(line=line, column=column, excerpt=excerpt)


def _kept(error: CompileError, kept: dict[int, Finding | None]) -> CompileError | None:
    """The error with its findings as `kept` says; None if none is left."""
    if not any(id(finding) in kept for finding in error.findings):
        return error
    findings = [kept.get(id(finding), finding) for finding in error.findings]
    left = [finding for finding in findings if finding is not None]
    if not left:
        return None
    location = Location(*left[0][:3]) if left[0].line else left[0].file
    message = "; ".join(finding.message for finding in left)
    changed = CompileError(message, location, findings=left)
    changed.__cause__ = error.__cause__
    return changed

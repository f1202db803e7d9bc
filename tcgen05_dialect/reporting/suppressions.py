"""
Suppressions: warnings that an option, or a comment such as `// tcgen05: allow T5-SIM-032`, allows.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from ..isa.model.rule import did_you_mean, plural
from .comments import Comment, code_of, comments_of, statement_from
from .diagnostics import Source, excerpt_of
from .findings import Finding

_ALLOW = re.compile(r"^\s*tcgen05:\s*allow\b(?P<rules>.*)", re.DOTALL)
_RULE = re.compile(r"[\s,]*(?P<id>T5-[\w-]+)", re.IGNORECASE)
_FIRST = re.compile(r"\s*(?P<id>[\w-]*)")


class _Suppression(NamedTuple):
    """A rule whose warnings on some lines a comment allows; `column` is that of its id."""

    comment: Comment
    column: int
    rule: str
    lines: range


class Suppressions:
    """
    The suppressions in a text, and those of `allowed`, the ids of the rules that an option names.

    Only warnings can be suppressed.
    """

    def __init__(self, source: Source | None, allowed: Collection[str] = ()):
        self.source = source
        self.allowed = allowed
        self._places = _suppressions(source)
        self._used: set[_Suppression] = set()
        self._errors: set[_Suppression] = set()

    def marked(self, findings: Iterable[Finding]) -> list[Finding]:
        """The findings; `suppressed` of those that are allowed says how."""
        return [*map(self._marked, findings)]

    def _marked(self, finding: Finding) -> Finding:
        here = {
            each
            for each in self._places
            if each.rule == finding.rule and finding.line in each.lines
        }
        if finding.severity != "warning":
            self._errors |= here
            return finding
        self._used |= here
        if here:
            return finding._replace(suppressed="comment")
        return finding._replace(suppressed="option") if finding.rule in self.allowed else finding

    def problems(self, is_complete: bool = True) -> list[Finding]:
        """
        Warnings about comments that cannot suppress anything, and remarks about comments that
        suppressed none of the findings given to `marked`. `is_complete` says that a more thorough
        check would not find more warnings.
        """
        if not self._places:
            return []
        from .rules import rules

        thorough = "" if is_complete else "; --verify=thorough may find such a warning"

        found: list[Finding] = []
        for each in self._places:
            rule = rules().get(each.rule)
            if not each.rule:
                found.append(self._problem(each, "warning", "the comment names no rule", _HELP))
            elif rule is None:
                message = f"there is no rule {each.rule}"
                found.append(self._problem(each, "warning", message, _known(each.rule)))
            elif each in self._errors or (each not in self._used and rule.severity == "error"):
                message = f"{each.rule} is an error; only warnings can be allowed"
                help_ = "correct the program" if each in self._errors else "remove the comment"
                found.append(self._problem(each, "warning", message, help_))
            elif each not in self._used:
                message = f"no warning {each.rule} was found here"
                help_ = "remove it, or write it on the line of the warning or the line before"
                help_ += thorough
                found.append(self._problem(each, "remark", message, help_))
        return found

    def _problem(
        self,
        each: _Suppression,
        severity: Literal["warning", "remark"],
        message: str,
        help_: str,
    ) -> Finding:
        source = self.source
        assert source is not None
        comment = each.comment
        excerpt = excerpt_of(source.line(comment.line), each.column, len(each.rule) or 1)
        place = source.name, comment.line, each.column
        return Finding(*place, severity, "", message, help=help_, excerpt=excerpt)


_HELP = "name a rule, such as: tcgen05: allow T5-SIM-032"


def _known(name: str) -> str:
    from .rules import rules

    return did_you_mean(name, rules()) or "tcgen05 explain lists all rules"


def _suppressions(source: Source | None) -> Sequence[_Suppression]:
    if source is None or "tcgen05:" not in source.text:
        return ()
    found: list[_Suppression] = []
    code = code_of(source)
    for comment in comments_of(source):
        match = _ALLOW.match(comment.text)
        if match is None:
            continue
        line = next((each for each in code if each >= comment.line), None)
        lines = range(0) if line is None else statement_from(code, line)
        start = match.start("rules")
        # The first word should be an id, even if it does not look like one.
        at = _RULE.match(comment.text, start) or _FIRST.match(comment.text, start)
        while at is not None:
            found.append(
                _Suppression(comment, comment.column + at.start("id"), at["id"].upper(), lines)
            )
            at = _RULE.match(comment.text, at.end())
    return found


def summary(findings: Iterable[Finding]) -> str:
    """The number of suppressed warnings, in words; empty if there is none."""
    count = sum(bool(finding.suppressed) for finding in findings)
    return f"{count} {plural('warning', count)} suppressed" if count else ""


def visible(findings: Iterable[Finding]) -> list[Finding]:
    """The findings that are not suppressed."""
    return [finding for finding in findings if not finding.suppressed]


def unknown_rules(names: Iterable[str]) -> Mapping[str, str]:
    """The names that are no ids of rules, each with a hint."""
    from .rules import rules

    return {name: _known(name) for name in names if name not in rules()}

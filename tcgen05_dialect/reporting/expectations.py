"""
Expectations: comments such as `// expected-error@+1 {{text}}` that say what is found in a text.

The syntax is that of MLIR's `--verify-diagnostics`.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Literal, NamedTuple

from ..isa.model.rule import alternatives, did_you_mean
from .diagnostics import Source, excerpt_of
from .findings import Finding
from .suppressions import Comment, comments_of

Expecting = Literal["all", "only-expected"]
"""What to compare with the expectations: all findings, or only the expected ones."""

_START = r"expected-(?P<kind>error|note|remark|warning)"
_EXPECTATION = re.compile(
    rf"{_START}(?P<regex>-re)? *(?:@(?P<at>[+-]\d+|above|below|unknown))? *"
    r"\{\{(?P<text>.*)\}\}$"
)
_WORDS = tuple(f"expected-{kind}" for kind in ("error", "warning", "remark", "note"))
_ATTEMPT = re.compile(rf"{_START}\b.*\{{\{{")
_OTHER_ATTEMPT = re.compile(
    r"""
    \b (?P<word> [^\W_]+ [-_ ]? [^\W_]+ ) (?: [-_]re )?
    (?P<end> (?: \ * @ \ * [-+]? \w* )? [^\w{}]* \{\{? | \ * @ )
    """,
    re.VERBOSE,
)
"""A word, and the place or the brace after it."""
_SIMILAR = 0.8
"""Least similarity of a misspelt word."""
_REGEX = re.compile(r"\{\{(.*?)\}\}")
_NOTE = re.compile(r"^(?P<file>.*):(?P<line>\d+):(?P<column>\d+): note: (?P<message>.*)$")
_LEGAL = "write expected-error, -warning, -remark or -note, then optionally -re, then optionally "
_HELP = f"{_LEGAL}@+N, @-N, @above, @below or @unknown, then {{{{text}}}} at the end of the line"


class _Expectation(NamedTuple):
    """The kind of a finding, its line, or 0 for one without a line, and a pattern of its text."""

    comment: Comment
    kind: str
    line: int
    text: str
    pattern: re.Pattern[str]


class _Found(NamedTuple):
    """A finding, or a note of one, which has the place of the note."""

    kind: str
    finding: Finding

    @property
    def text(self) -> str:
        rule = self.finding.rule
        return f"[{rule}]: {self.finding.message}" if rule else self.finding.message


def has_expectations(source: Source) -> bool:
    """Whether a comment of a text says what is found."""
    return any(_attempt(comment.text) for comment in comments_of(source))


def unexpected(source: Source, findings: Sequence[Finding], expecting: Expecting) -> list[Finding]:
    """
    The differences between the findings in a text and the expectations in its comments, as errors;
    empty if there are none.

    Suppressed findings do not count. One expectation stands for all findings of its line that match
    it, but of several expectations that match a finding each needs its own. The verdict `verified`
    may be expected, but need not be.
    """
    expectations, wrong = _expectations(source)
    met: set[_Expectation] = set()
    differences: list[Finding] = []
    other: list[_Found] = []
    found = [each for finding in findings if not finding.suppressed for each in _found(finding)]
    for each in found:
        place = each.finding.line if each.finding.file in ("", source.name) else 0
        alike = [e for e in expectations if e.line == place and e.pattern.search(each.text)]
        matching = [e for e in alike if e.kind == each.kind]
        if matching:
            met.add(next((e for e in matching if e not in met), matching[0]))
            continue
        other.append(each)
        if expecting == "all" and each.finding.verdict != "verified":
            differences.append(_not_expected(each, alike))
    differences += [_not_found(each, source, other) for each in expectations if each not in met]
    differences += wrong
    return sorted(differences, key=lambda each: (not each.line, each.line, each.column))


def _found(finding: Finding) -> Iterator[_Found]:
    yield _Found(finding.severity, finding)
    for line in finding.excerpt.splitlines():
        if (note := _NOTE.match(line)) is not None:
            place = int(note["line"]), int(note["column"])
            yield _Found(
                "note", Finding(note["file"], *place, "remark", finding.rule, note["message"])
            )


def _attempt(text: str) -> re.Match[str] | None:
    """The beginning of what looks like an expectation, legal or not."""
    start = _ATTEMPT.search(text)
    others = _OTHER_ATTEMPT.finditer(text, 0, len(text) if start is None else start.start())
    return next(filter(_is_misspelt, others), start)


def _is_misspelt(match: re.Match[str]) -> bool:
    word, braced = match["word"].lower().replace("_", "-"), match["end"].endswith("{{")
    if braced and word.startswith("expect") and "-" in word:
        return True
    # Prose has spaces, and braces of its own.
    return (braced or " " not in word) and bool(did_you_mean(word, _WORDS, cutoff=_SIMILAR))


def _expectations(source: Source) -> tuple[list[_Expectation], list[Finding]]:
    """The expectations, and errors for unreadable ones."""
    found: list[_Expectation] = []
    wrong: list[Finding] = []
    attempts = [
        (comment, start)
        for comment in comments_of(source)
        if (start := _attempt(comment.text)) is not None
    ]
    lines = {comment.line for comment, _ in attempts}
    last = source.lines_before + source.text.count("\n") + 1
    for comment, start in attempts:
        line, word = comment.line, start.groupdict().get("word")
        match = _EXPECTATION.search(comment.text)
        if word is not None and word not in _WORDS:
            message = f"an expectation must begin with {alternatives(_WORDS)}; found {word}"
            wrong.append(_error(source, comment, message, did_you_mean(word, _WORDS) or _HELP))
            continue
        if word is not None or match is None:
            wrong.append(_error(source, comment, "the expectation cannot be read", _HELP))
            continue
        above = (each for each in range(line - 1, source.lines_before, -1) if each not in lines)
        below = (each for each in range(line + 1, last + 1) if each not in lines)
        match match["at"]:
            case None:
                target = line
            case "above":
                target = next(above, -1)
            case "below":
                target = next(below, -1)
            case "unknown":
                target = 0
            case offset:
                # Line 0 would be that of findings without a line.
                target = line + int(offset) or -1
        text = match["text"]
        try:
            pattern = re.compile(_pattern(text) if match["regex"] else re.escape(text))
        except re.error as error:
            message = f"the regular expression cannot be read: {error}"
            wrong.append(_error(source, comment, message, "correct the text between {{ and }}"))
            continue
        found.append(_Expectation(comment, match["kind"], target, text, pattern))
    return found, wrong


def _pattern(text: str) -> str:
    """The regular expression for a text in which only the parts in {{}} are expressions."""
    parts = _REGEX.split(text)
    return "".join(f"(?:{p})" if at % 2 else re.escape(p) for at, p in enumerate(parts))


def _error(source: Source, comment: Comment, message: str, help_: str) -> Finding:
    start = _attempt(comment.text)
    column = comment.column + (0 if start is None else start.start())
    excerpt = excerpt_of(source.line(comment.line), column, len("expected-"))
    place = source.name, comment.line, column
    return Finding(*place, "error", "", message, help=help_, excerpt=excerpt)


def _not_expected(found: _Found, alike: Sequence[_Expectation]) -> Finding:
    message = f"unexpected {found.kind}: {found.finding.message}"
    if alike:
        message = f"{message} (line {alike[0].comment.line} expects it as {alike[0].kind})"
    return found.finding._replace(severity="error", message=message, verdict="")


def _not_found(each: _Expectation, source: Source, others: Sequence[_Found]) -> Finding:
    place = f"on line {each.line}" if each.line > 0 else "without a line"
    if each.line < 0:
        place = "outside of the text"
    here = [f"{f.kind}: {f.finding.message}" for f in others if f.finding.line == each.line]
    message = f'expected {each.kind} "{each.text}" was not found {place}'
    return _error(source, each.comment, message, f"found there: {here[0]}" if here else "")

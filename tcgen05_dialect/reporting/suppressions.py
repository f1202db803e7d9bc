"""
Suppressions: warnings that an option, or a comment such as `// tcgen05: allow T5-SIM-032`, allows.

Comments of IR and PTX text, which give directions to the checker.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from ..isa.model.rule import did_you_mean, plural
from .diagnostics import Source, excerpt_of
from .findings import Finding

_TOKEN = re.compile(
    r'"(?:[^"\\\n]|\\.)*"|//(?P<line>[^\n]*)|/\*(?P<block>.*?)(?:\*/|\Z)', re.DOTALL
)
"""A comment, or a string, in which there is none."""


class Comment(NamedTuple):
    """
    One line of a comment: its place, counted from 1, and its text without the marks.

    `is_alone` says that the line has no code.
    """

    line: int
    column: int
    text: str
    is_alone: bool


def comments_of(source: Source) -> Iterator[Comment]:
    """The lines of all comments, in order."""
    code = code_of(source)
    for match in _TOKEN.finditer(source.text):
        if match.lastgroup is None:
            continue
        start = match.start(match.lastgroup)
        for text in match[match.lastgroup].split("\n"):
            line, column = source.place(start)
            yield Comment(line, column, text.rstrip(), line not in code)
            start += len(text) + 1


def code_of(source: Source) -> dict[int, str]:
    """Number of a line -> its code, without comments; lines without code are left out."""

    def blank(match: re.Match[str]) -> str:
        is_comment = match.lastgroup is not None
        return "\n" * match[0].count("\n") if is_comment else match[0]

    lines = enumerate(_TOKEN.sub(blank, source.text).split("\n"), source.lines_before + 1)
    return {number: line.strip() for number, line in lines if line.strip()}


_ENDED = re.compile(r"[;{}]$|^[\w$%^]+(?:\(.*\))?\s*:$")
"""The code of a line before the next statement."""
_BEGUN = re.compile(
    r"""
      (?: %[\w.$-]+ (?: :\d+ )? \s* ,? \s* )+ = | [!#][\w.$-]+ \s* =
    | "? [a-zA-Z_]\w* \. [a-zA-Z_] | [@^}]
    """,
    re.VERBOSE,
)
"""The code of a line in which a statement of IR begins; statements of PTX follow a semicolon."""


def statement_from(code: Mapping[int, str], line: int) -> range:
    """The lines from `line`, which has code, to the last one of its statement."""
    end = line
    while not _ENDED.search(code[end]):
        following = next((each for each in code if each > end), None)
        if following is None or _BEGUN.match(code[following]):
            break
        end = following
    return range(line, end + 1)


_MARKER = re.compile(r"^[^\S\n]*// -----[^\S\n]*$", re.MULTILINE)


def split(source: Source) -> list[Source]:
    """The parts of a text between the lines `// -----`, for the option `--split-input-file`."""
    ends = [match.span() for match in _MARKER.finditer(source.text)]
    starts = [0, *(end for _, end in ends)]
    stops = [*(start for start, _ in ends), len(source.text)]
    return [
        Source(source.name, source.text[start:stop], source.place(start)[0] - 1)
        for start, stop in zip(starts, stops, strict=True)
    ]


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
        """The findings; `suppressed` of an allowed finding says how."""
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

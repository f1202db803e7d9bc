"""
Suppressions: warnings that an option, or a comment such as `// tcgen05: allow T5-SIM-032`, allows.

Comments of IR and PTX text, which give directions to the checker.

Expectations: comments such as `// expected-error@+1 {{text}}` that say what is found in a text.

The syntax is that of MLIR's `--verify-diagnostics`.

Errors of aliases: if every use of an alias breaks the same rule, one error at the alias.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Literal, NamedTuple

from xdsl.utils.lexer import Location

from ..isa.model.rule import alternatives, did_you_mean, plural
from .diagnostics import CompileError, Finding, Source, excerpt_of

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

    def allow(self, finding: Finding) -> bool:
        """Whether a finding is allowed."""
        return bool(self._marked(finding).suppressed)

    def problems(self, is_complete: bool = True) -> list[Finding]:
        """
        Warnings about comments that cannot suppress anything, and remarks about comments that
        suppressed none of the findings given to `marked`. `is_complete` says that a more thorough
        check would not find more warnings.
        """
        if not self._places:
            return []
        from .project import rules

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
    from .project import rules

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
    from .project import rules

    return {name: _known(name) for name in names if name not in rules()}


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
_EXPECTED = (
    f"{_LEGAL}@+N, @-N, @above, @below or @unknown, then {{{{text}}}} at the end of the line"
)


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
    for note in notes(finding):
        yield _Found("note", note)


def notes(finding: Finding) -> Iterator[Finding]:
    """The notes in the excerpt of a finding: remarks with places of their own."""
    for line in finding.excerpt.splitlines():
        if (note := _NOTE.match(line)) is not None:
            place = int(note["line"]), int(note["column"])
            yield Finding(note["file"], *place, "remark", finding.rule, note["message"])


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
            wrong.append(_error(source, comment, message, did_you_mean(word, _WORDS) or _EXPECTED))
            continue
        if word is not None or match is None:
            wrong.append(_error(source, comment, "the expectation cannot be read", _EXPECTED))
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

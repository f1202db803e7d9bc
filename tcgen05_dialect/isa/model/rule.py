"""
Rules of the ISA, the files with their texts and programs, and the error that says which rule a
program breaks.

A file `rules/<id>.mlir` or `rules/<id>.ptx` begins with comments: the id, then lines `key: text`,
continued by indented lines. Names in braces in a text stand for facts of the ISA. An empty line
and two programs follow: the program that breaks the rule, a line `// -----`, and the program that
keeps it. A rule that no program can break has no programs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar, cast

SUFFIXES = (".mlir", ".ptx")
_KEYS = (
    *("section", "subject", "statement", "why", "fix"),
    *("practice", "unbreakable", "shown by"),
)
_SEPARATOR = "// -----\n"


class RuleFile(NamedTuple):
    """The texts of a rule by key, and its programs: the failing one, then the passing one; none if
    no program can break the rule."""

    name: str
    texts: Mapping[str, str]
    programs: tuple[str, ...]


@cache
def read_rule_file(id: str) -> RuleFile:
    """The file of the rule `id`. Raises ValueError if there is none, or one with another form."""
    folder = Path(__file__).parents[2] / "rules"
    files = (folder / f"{id}{suffix}" for suffix in SUFFIXES)
    file = next((file for file in files if file.is_file()), None)
    if file is None:
        raise ValueError(f"rules/{id}.mlir, the file of the rule, is missing")
    return parse_rule_file(file.name, file.read_text("utf-8"))


def parse_rule_file(name: str, text: str) -> RuleFile:
    """The contents of a file of a rule. Raises ValueError, with the line, for another form."""
    header, _, programs = text.partition("\n\n")
    first, *lines = header.splitlines()
    texts: dict[str, str] = {}
    key = ""
    for number, line in enumerate(lines, 2):
        if line.startswith("//     ") and key:
            texts[key] += f" {line[7:]}"
            continue
        key, colon, rest = line.removeprefix("// ").partition(": ")
        if not colon or key not in _KEYS or key in texts:
            raise ValueError(f"{name}:{number}: a key ({', '.join(_KEYS)}) is needed, once")
        texts[key] = rest
    parts = tuple(f"{part.strip()}\n" for part in programs.split(_SEPARATOR) if part.strip())
    if first != f"// {name.rpartition('.')[0]}" or len(parts) != (
        0 if "unbreakable" in texts else 2
    ):
        raise ValueError(f"{name}: the id, texts and two programs are needed")
    return RuleFile(name, texts, parts)


Severity = Literal["error", "warning"]
"""An error makes a command fail; a warning does not."""
_NUMBER = re.compile("([0-9]+)")
_ValueT = TypeVar("_ValueT")


_CLOSE = 0.6
"""The least similarity of a name that a message suggests, from 0 to 1."""


def in_order(values: Iterable[_ValueT]) -> list[_ValueT]:
    """Values or names, sorted as in messages and tables: None first; numbers, and numbers within
    names, by size."""
    return sorted(values, key=_order)


def _order(value: object) -> tuple[bool, str, object]:
    """Sort key by which, for example, x2 comes before x16."""
    if isinstance(value, str):
        parts = enumerate(_NUMBER.split(value))
        return True, "str", [(len(part) if at % 2 else 0, part) for at, part in parts]
    return value is not None, type(value).__name__, value


def describe(value: object) -> str:
    """Text of a legal value, or of a finite set of values, for messages and tables.

    Numbers in arithmetic progression are shortened: `8, 16, ... 256`.
    """
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, range):
        return _describe_numbers(value)
    if isinstance(value, (frozenset, set, list, Mapping)) or type(value) is tuple:
        items = list(cast("Collection[object]", value))
        if not items:
            return "none"
        if isinstance(value, (frozenset, set)):
            items = in_order(items)
        if all(type(item) is int for item in items):
            return _describe_numbers(cast("list[int]", items))
        return ", ".join(describe(item) for item in items)
    return printable(str(value))


def printable(text: str, kept: str = "", instead: str | None = None) -> str:
    """Replace each unprintable character of a text by its escape, or by `instead`; characters in
    `kept` are not replaced."""
    if text.isprintable():
        return text
    return "".join(
        c if c.isprintable() or c in kept else instead or c.encode("unicode_escape").decode()
        for c in text
    )


def _describe_numbers(numbers: Sequence[int], most: int = 3) -> str:
    """A list of numbers as text; a progression of more than `most` numbers is shortened."""
    if len(numbers) > most:
        step = numbers[1] - numbers[0]
        last = numbers[-1]
        if isinstance(numbers, range) or (
            step > 0 and all(after - before == step for before, after in pairwise(numbers))
        ):
            return f"{numbers[0]}, {numbers[1]}, ... {last}"
    return ", ".join(map(str, numbers))


def _members(legal: object) -> frozenset[object]:
    """The values of a set; empty if `legal` is not a set."""
    return cast("frozenset[object]", legal) if isinstance(legal, frozenset) else frozenset()


_WHOLE = 8
"""Maximum number of numbers in arithmetic progression that a message lists one by one."""


def alternatives(legal: object) -> str:
    """Text of a legal value, or of a finite set of them as `a, b or c`; a phrase is unchanged."""
    if isinstance(legal, range) and len(legal) > _WHOLE:
        return _describe_numbers(legal)
    several = (range, frozenset, set, list, Mapping)
    if not isinstance(legal, several) and type(legal) is not tuple:
        return describe(legal)
    items = list(cast("Collection[object]", legal))
    if isinstance(legal, (frozenset, set)):
        items = in_order(items)
    if len(items) > _WHOLE and all(type(item) is int for item in items):
        return _describe_numbers(cast("list[int]", items), _WHOLE)
    *others, last = [describe(item) for item in items] or [describe(None)]
    return f"{', '.join(others)} or {last}" if others else last


def extents_text(extents: Iterable[object]) -> str:
    """Text of extents, as messages show them."""
    return " x ".join(map(str, extents)) or "no extent"


def plural(noun: str, number: int) -> str:
    """A noun that follows a number."""
    return noun if number == 1 else f"{noun}s"


def close_names(
    name: str, known: Iterable[str], most: int = 1, cutoff: float = _CLOSE
) -> list[str]:
    """The known names that are similar to an unknown name, the most similar first. The dialect, the
    part before the first dot, is not compared."""
    # Imported here, because it is slow and only messages need it.
    from difflib import get_close_matches

    dialect, dot, rest = name.partition(".")
    names = tuple(known)
    same = {
        each.removeprefix(dialect + dot): each for each in names if each.startswith(dialect + dot)
    }
    if dot and same:
        return [same[each] for each in get_close_matches(rest, same, most, cutoff)]
    return get_close_matches(name, names, most, cutoff)


def meant(names: Sequence[str]) -> str:
    """The question "did you mean"; empty without names."""
    return f"did you mean {', '.join(names)}?" if names else ""


def did_you_mean(name: str, known: Iterable[str], most: int = 1, cutoff: float = _CLOSE) -> str:
    """The question "did you mean" for an unknown name; empty if no known name is similar."""
    return meant(close_names(name, known, most, cutoff))


class Rule:
    """
    One rule of the ISA; `rule` declares one.

    The text and the programs of a rule are one file of the package, `rules/<id>.mlir` or
    `rules/<id>.ptx`, which is read when a property is used. `facts` are the values of the ISA that
    the text names in braces.
    """

    def __init__(self, id: str, facts: Mapping[str, object], severity: Severity | None = None):
        self.id = id
        self.facts = facts
        self._severity: Severity | None = severity

    def of_severity(self, severity: Severity) -> Rule:
        """The rule with another severity, for findings that deserve it."""
        return Rule(self.id, self.facts, severity)

    def __repr__(self) -> str:
        return f"Rule({self.id})"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rule) and self.id == other.id and self.severity == other.severity

    def __hash__(self) -> int:
        return hash(self.id)

    @cached_property
    def file(self) -> RuleFile:
        """The file of the rule."""
        return read_rule_file(self.id)

    def _text(self, key: str) -> str:
        return self.file.texts.get(key, "").format_map(self.facts)

    @property
    def section(self) -> str:
        """The section of the PTX ISA."""
        return self._text("section")

    @property
    def subject(self) -> str:
        """The default subject of messages."""
        return self._text("subject")

    @property
    def statement(self) -> str:
        """The rule as a sentence."""
        return self._text("statement")

    @property
    def why(self) -> str:
        """The reason for the rule, in sentences."""
        return self._text("why")

    @property
    def fix(self) -> str:
        """The remedy, an imperative."""
        return self._text("fix")

    @property
    def practice(self) -> str:
        """A clause at the end of messages, about widely used kernels that break the rule."""
        return self._text("practice")

    @property
    def severity(self) -> Severity:
        """A rule that widely used kernels break is a warning: the manual and practice disagree."""
        return self._severity or ("warning" if self.practice else "error")

    @property
    def unbreakable(self) -> str:
        """The reason why no program can break the rule."""
        return self._text("unbreakable")

    @property
    def shown_by(self) -> Literal["check", "run"]:
        """Whether `check` or a run finds a violation."""
        return "run" if self._text("shown by") == "run" else "check"

    def violation(
        self,
        found: object,
        legal: object,
        what: str = "",
        *,
        given: Mapping[str, object] | None = None,
        sentence: str = "",
        culprit: str = "",
        help: str = "",
        titles: Mapping[str, str] | None = None,
    ) -> Violation:
        """The violation to raise; see `Violation` for the arguments. Without `what` the message
        uses the subject of the rule."""
        return Violation(
            self, found, legal, what or self.subject, given, sentence, culprit, help, titles
        )

    def says(self, sentence: str, help: str = "", culprit: str = "") -> Violation:
        """The violation to raise with this sentence; `help` replaces the fix of the rule."""
        return self.violation(None, None, sentence=sentence, help=help, culprit=culprit)


REGISTRY: dict[str, Rule] = {}
"""All declared rules, by id."""


def rule(id: str, **facts: object) -> Rule:
    """Declare a rule; see `Rule`. Raises ValueError for a duplicate id."""
    if id in REGISTRY:
        raise ValueError(f"{id} is declared twice")
    declared = REGISTRY[id] = Rule(id, facts)
    return declared


def named(title: str, value: object) -> str:
    """
    The text of a value in a table column, such as a qualifier or an operand, in messages.

    The title of a column may have the place of its value, `{}`."""
    if value is True:
        return title
    text = describe(value)
    if "{}" in title:
        return title.format(text)
    # `shape_32x128b`, `mn_major` and `.32x128b` say what they are.
    says = text.startswith((f"{title}_", ".")) or text.endswith(f"_{title}")
    return text if says else f"{title} {text}"


def _joined(given: Mapping[str, object]) -> str:
    """The beginning of a sentence: the present values and, after "without", the absent ones."""
    present = [named(title, value) for title, value in given.items() if value not in (None, False)]
    absent = [title for title, value in given.items() if value is None or value is False]
    words = " with ".join((*present[:1], " and ".join(present[1:]))).removesuffix(" with ")
    return f"{words} without {' or '.join(absent)}".strip() if absent else words


class Violation(ValueError):
    """
    The error of a program that breaks a rule. `str()` is one line: the sentence, the rule and the
    section.

    `what` is the subject of the sentence; `found` is the value in the program; `legal` is the legal
    value, a set of them, or a phrase. `given` holds the other values of the program that restrict
    the legal ones. `titles` are the words for the names in `what` and `given` that are not words of
    the program. `sentence` replaces the sentence made of them. `culprit` names the wrong property,
    operand or word of the program, for the caret; `help` replaces the fix of the rule where that is
    too general, and `practice` that of the rule.

    `parts` contains the single violations; the attributes are those of the first one.
    """

    def __init__(
        self,
        rule: Rule,
        found: object,
        legal: object,
        what: str,
        given: Mapping[str, object] | None = None,
        sentence: str = "",
        culprit: str = "",
        help: str = "",
        titles: Mapping[str, str] | None = None,
        subject: str = "",
        others: Iterable[Violation] = (),
        practice: str | None = None,
    ):
        super().__init__(rule, found, legal, what)
        self.rule = rule
        self.found = found
        self.legal = legal
        self.what = what
        self.given = given or {}
        self.sentence = sentence
        self.culprit = culprit
        self.help = help
        self.titles = titles or {}
        self.subject = subject
        self.others = tuple(others)
        self.practice = practice

    def replaced(self, **changes: Any) -> Violation:
        """The same violation with other attributes."""
        return Violation(**{name: getattr(self, name) for name in _ATTRIBUTES} | changes)

    @property
    def parts(self) -> tuple[Violation, ...]:
        return (self.replaced(others=()), *self.others) if self.others else (self,)

    def mapped(self, function: Callable[[Violation], Violation]) -> Violation:
        """The violation with a function applied to each part."""
        first, *others = map(function, self.parts)
        return first.replaced(others=others)

    def ending(self, text: str) -> Violation:
        """The same violation with more text at the end of its sentences."""
        return self.mapped(lambda part: part.replaced(sentence=f"{part._sentence()}{text}"))

    def about(self, subject: str) -> Violation:
        """The same violation with a subject before its text."""
        return self.mapped(
            lambda part: part.replaced(subject=f"{subject}: {part.subject}".removesuffix(": "))
        )

    def blaming(self, culprit: str) -> Violation:
        """The same violation with another culprit."""
        return self.mapped(lambda part: part.replaced(culprit=culprit))

    def swapped(self, operands: str) -> Violation:
        """The same, with the names of two operands that would be right in each other's place."""
        sentence = f"{operands} look swapped: {self.text}"
        return self.replaced(sentence=sentence, help="exchange the two operands", subject="")

    def named_as(self, names: Mapping[str, str]) -> Violation:
        """The same in a program that has other names for the culprits and columns."""
        return self.mapped(
            lambda part: part.replaced(
                titles={**part.titles, **names}, culprit=names.get(part.culprit, part.culprit)
            )
        )

    @property
    def text(self) -> str:
        """The sentence of the first violation; for a warning, also what widely used kernels do."""
        practice = self.rule.practice if self.practice is None else self.practice
        sentence = "; ".join(filter(None, (self._sentence(), practice)))
        return f"{self.subject}: {sentence}" if self.subject else sentence

    def _sentence(self) -> str:
        if self.sentence:
            return self.sentence
        found = f"; found {describe(self.found)}"
        legal, members = self.legal, _members(self.legal)
        only: object = next(iter(members)) if len(members) == 1 else ()
        titles = self.titles
        what = titles.get(self.what, self.what)
        context = _joined({titles.get(name, name): each for name, each in self.given.items()})
        wanted = alternatives(legal)
        if context.startswith("without "):
            context += ", "
        elif context:
            if only is None or only is False:
                return f"{context} takes no {what}" + ("" if self.found is True else found)
            if only is True:
                return f"{context} needs {what}"
            verb = "takes" if None in members else "needs"
            return f"{context} {verb} {named(what, wanted)}{found}"
        if legal is None or only is None:
            return f"{context}{what} must be left out{found}"
        if "{}" in what:
            return f"{context}{named(what, wanted)} is needed{found}"
        return f"{context}{what} must be {wanted}{found}"

    def __str__(self) -> str:
        return "; ".join(
            f"{part.text} [{part.rule.id}] (PTX ISA {part.rule.section})" for part in self.parts
        )


_ATTRIBUTES = (
    *("rule", "found", "legal", "what", "given"),
    *("sentence", "culprit", "help", "titles", "subject", "practice"),
)


def combined(violations: Iterable[Violation]) -> Violation | None:
    """One Violation that contains all of `violations`; None if there are none."""
    found = tuple(part for violation in violations for part in violation.parts)
    if not found:
        return None
    return found[0].replaced(others=found[1:])


def blamed(violations: Iterable[Violation], culprit: str) -> Iterator[Violation]:
    """The violations, each with this culprit."""
    return (each.blaming(culprit) for each in violations)


def raise_any(violations: Iterable[Violation]) -> None:
    """Raise one Violation that contains all of `violations`; return if there are none."""
    violation = combined(violations)
    if violation is not None:
        raise violation

"""Tables of launch files: their legal keys, checked access to their values, and places of keys in
the text of a file, for messages."""

import re
import tomllib
from ast import literal_eval
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, cast

from ...isa.model.rule import describe
from ...reporting.diagnostics import excerpt_of
from ..machine.errors import LaunchError, blaming, refused

_LAUNCH = (
    "kernel",
    "grid",
    "block",
    "cluster",
    "dynamic_shared_memory",
    "args",
    "sizes",
    "arrays",
    "maps",
    "structures",
    "expected",
    "tolerance",
    "guessed",
)
KEYS = {
    "": (*_LAUNCH, "launches", "sequence"),
    "launches": _LAUNCH,
    "arrays": ("shape", "type", "fill", "view"),
    "maps": ("array", "box", "swizzle", "element", "fill", "extents", "strides"),
    "structures": ("type", "value"),
}
"""Kind of a table (empty for the whole file) -> its legal keys; other tables take any name."""


def check_keys(given: Mapping[str, Any], table: str, name: str = "") -> None:
    """Raise LaunchError for a key that is not legal in a table of this kind with this name."""
    where = f"[{table}.{name}]" if table else "a launch file"
    for key in given:
        if key not in KEYS[table]:
            help = ""
            if key in KEYS[""]:
                help = f"write it above the first [table]; below, it is a key of {where}"
            with blaming(f"{table}.{name}.{key}" if table else key):
                raise refused(key, KEYS[table], f"a key of {where}", help)


def shown(value: Any) -> str:
    """A value as TOML writes it, for messages."""
    match value:
        case str():
            return f'"{value}"'
        case list():
            return f"[{', '.join(map(shown, cast('list[Any]', value)))}]"
        case dict():
            return "a table"
        case _:
            return describe(value)


def laid_over(given: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Merge `changes` into tables recursively; values are replaced."""
    merged = dict(given)
    for key, value in changes.items():
        below = merged.get(key)
        if isinstance(value, dict) and isinstance(below, dict):
            value = laid_over(cast("dict[str, Any]", below), cast("dict[str, Any]", value))
        merged[key] = value
    return merged


def table(given: Mapping[str, Any], key: str) -> dict[str, Any]:
    """The table under a key, by default an empty one. Raises LaunchError."""
    found = given.get(key, {})
    if not isinstance(found, dict):
        with blaming(key):
            raise refused(shown(found), "a table", key)
    return cast("dict[str, Any]", found)


def list_of(given: Mapping[str, Any], key: str, part: str = "") -> list[Any]:
    """The list under a key of the part of a launch, by default an empty one. Raises LaunchError."""
    found = given.get(key, [])
    if not isinstance(found, list):
        with blaming(f"{part}.{key}" if part else key):
            raise refused(shown(found), "a list", key)
    return cast("list[Any]", found)


def text(value: Any, what: str) -> str:
    """The value if it is a text. Raises LaunchError."""
    if isinstance(value, str):
        return value
    raise refused(shown(value), "a text in quotes", what)


def found_in(values: Mapping[str, Any], name: Any, what: str) -> Any:
    """The value with a name. Raises LaunchError if there is none."""
    if not isinstance(name, str) or name not in values:
        raise refused(name, tuple(values), what)
    return values[name]


_MOST_LINES = 2000
"""Limit on the lines of a launch file in which keys are searched for; it keeps messages fast."""
_SYNTAX_ERROR = re.compile(r"(?P<message>.*) \(at line (?P<line>\d+), column (?P<column>\d+)\)")
_TUPLE_OF_KEYS = re.compile(r"\(['\"].*\)")


class _Place(NamedTuple):
    line: int
    column: int
    width: int


def _within(place: _Place, line: str, excerpt: str) -> _Place:
    """The place of the marked part of an expression in the line of its key; that of the key if the
    line does not contain the expression."""
    expression, _, carets = excerpt.partition("\n")
    if not expression:
        return place
    after = place.column - 1 + place.width
    for quote in ('"', "'", ""):
        start = line.find(f"{quote}{expression}{quote}", after)
        if start >= 0:
            column = start + len(quote) + carets.index("^") + 1
            return _Place(place.line, column, carets.count("^"))
    return place


def at_its_key(error: LaunchError, path: Path) -> LaunchError:
    """The error at the key of a launch file that is wrong, or else with the name of the file."""
    (finding, *_) = error.findings
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, ValueError):
        lines = []
    place = None if finding.file else _place_of(error, lines)
    if place is None:
        return error.about(str(path))
    line = lines[place.line - 1]
    place = _within(place, line, finding.excerpt)
    excerpt = excerpt_of(line, place.column, place.width)
    findings = [
        each._replace(file=str(path), line=place.line, column=place.column, excerpt=excerpt)
        for each in error.findings
    ]
    return LaunchError(error.message, culprits=error.culprits, findings=findings)


def syntax_error(error: ValueError, path: Path) -> LaunchError:
    """The error of a file that is not TOML; Python's message ends with the place."""
    match = _SYNTAX_ERROR.fullmatch(str(error))
    if match is None:
        return LaunchError(f"not a launch file in TOML: {error}")
    # Python's messages show its tuple of nested keys.
    reason = _TUPLE_OF_KEYS.sub(lambda keys: ".".join(literal_eval(keys[0])), match["message"])
    message = f"not a launch file in TOML: {reason}"
    line, column = int(match["line"]), int(match["column"])
    excerpt = excerpt_of(path.read_text(encoding="utf-8").split("\n")[line - 1], column)
    (finding,) = LaunchError(message).findings
    place = {"file": str(path), "line": line, "column": column, "excerpt": excerpt}
    return LaunchError(message, findings=[finding._replace(**place)])


def _place_of(error: LaunchError, lines: Sequence[str]) -> _Place | None:
    """The place of the first of the parts that is in the launch file."""
    content = _content(lines)
    if content is None or len(lines) > _MOST_LINES:
        return None
    for part in error.culprits:
        inner = (f"launches.{error.launch}.{part}",) if error.launch else ()
        for each in (*inner, part):
            if (keys := _keys(content, each)) is not None:
                return _place(lines, keys)
    return None


def _keys(table: Mapping[str, Any], part: str) -> Sequence[str] | None:
    """The keys that lead to a part, or to the list or text that contains it."""
    for key, value in table.items():
        if part == key or (part.startswith(f"{key}.") and not isinstance(value, dict)):
            return (key,)
        if part.startswith(f"{key}."):
            inner = _keys(cast("dict[str, Any]", value), part[len(key) + 1 :])
            if inner is not None:
                return (key, *inner)
    return None


def _place(lines: Sequence[str], keys: Sequence[str]) -> _Place:
    """
    The place of a key, which the text contains.

    The first lines of the text up to its statement are TOML without the key; with the statement
    they have it. If the key is escaped there, the place is the whole first line.
    """
    pattern = re.compile(rf"(?<![\w-])[\"']?{re.escape(keys[-1])}[\"']?(?=\s*[=.\]])")
    start = 0
    for end in range(1, len(lines) + 1):
        content: Any = _content(lines[:end])
        if content is None:
            continue
        for key in keys:
            below = cast("dict[str, Any]", content) if isinstance(content, dict) else {}
            content = below.get(key)
        if content is None:
            start = end
            continue
        for number in range(start, end):
            if (match := pattern.search(lines[number])) is not None:
                return _Place(number + 1, match.start() + 1, match.end() - match.start())
        return _Place(start + 1, 1, len(lines[start]))
    raise AssertionError


def _content(lines: Sequence[str]) -> dict[str, Any] | None:
    """The content of lines of TOML; None if they are incomplete."""
    try:
        return tomllib.loads("\n".join(lines))
    except (ValueError, RecursionError):
        return None

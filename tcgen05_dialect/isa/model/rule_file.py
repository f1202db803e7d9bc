"""
Files of rules: the text of a rule and its programs.

A file `rules/<id>.mlir` or `rules/<id>.ptx` begins with comments: the id, then lines `key: text`,
continued by indented lines. Names in braces in a text stand for facts of the ISA. An empty line
and two programs follow: the program that breaks the rule, a line `// -----`, and the program that
keeps it. A rule that no program can break has no programs.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

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
    # Imported here, because only messages and `explain` need it.
    from importlib import resources

    folder = resources.files(__name__.partition(".")[0]) / "rules"
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

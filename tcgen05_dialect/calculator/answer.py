"""An answer: titled fields, tables of records and drawings, as text or for other programs."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import cast

from tcgen05_dialect.isa.rule import describe

WIDTH = 100
"""Columns of text that lines are wrapped at."""
_INDENT = 2 * " "


@dataclass(frozen=True, slots=True)
class Field:
    """One thing that an answer says: `value` for programs, `text` for people where `describe` of
    the value is not what they would like to read."""

    name: str
    value: object
    text: str | None = None

    def __str__(self) -> str:
        return describe(self.value) if self.text is None else self.text


@dataclass(frozen=True, slots=True)
class Fields:
    """Fields under a title."""

    title: str
    fields: Sequence[Field]

    def table(self) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
        """Head and rows."""
        return ("", self.title), [(field.name, str(field)) for field in self.fields]

    def lines(self) -> Iterator[str]:
        """Lines of text."""
        width = max((len(field.name) for field in self.fields), default=0) + len(_INDENT)
        for field in self.fields:
            first, *others = wrap(str(field), WIDTH - width - len(_INDENT)) or [""]
            yield f"{_INDENT}{field.name:<{width}}{first}".rstrip()
            yield from (f"{_INDENT}{'':<{width}}{other}" for other in others)

    def json(self) -> object:
        """The value as JSON has it."""
        return {_key(field.name): _plain(field.value) for field in self.fields}


@dataclass(frozen=True, slots=True)
class Records:
    """Rows of values under named columns, and a title."""

    title: str
    columns: Sequence[str]
    rows: Sequence[Sequence[object]]

    def table(self) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
        """Head and rows."""
        return self.columns, [[describe(value) for value in row] for row in self.rows]

    def lines(self) -> Iterator[str]:
        """Lines of text: columns as wide as what they hold, the last one wrapped."""
        head, rows = self.table()
        widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
        before = sum(widths[:-1]) + len(_INDENT) * len(widths)
        for row in (head, *rows):
            cells = "".join(
                f"{_INDENT}{cell:<{width}}" for cell, width in zip(row[:-1], widths, strict=False)
            )
            first, *others = wrap(row[-1], max(WIDTH - before, WIDTH // 3)) or [""]
            yield f"{cells}{_INDENT}{first}".rstrip()
            yield from (f"{'':<{before}}{other}" for other in others)

    def json(self) -> object:
        """The value as JSON has it."""
        keys = [_key(column) for column in self.columns]
        return [dict(zip(keys, map(_plain, row), strict=True)) for row in self.rows]


@dataclass(frozen=True, slots=True)
class Drawing:
    """Lines of text for people, and for programs the records that say the same."""

    title: str
    drawn: Sequence[str]
    records: Records

    def table(self) -> tuple[Sequence[str], Sequence[Sequence[str]]]:
        """Head and rows of the records."""
        return self.records.table()

    def json(self) -> object:
        """The records as JSON has them."""
        return self.records.json()

    def lines(self) -> Iterator[str]:
        """Lines of text."""
        return (f"{_INDENT}{line}".rstrip() for line in self.drawn)


Part = Fields | Records | Drawing


@dataclass(frozen=True, slots=True)
class Answer:
    """What is printed for a question: a title and parts, each with its own title."""

    title: str
    parts: Sequence[Part]

    def text(self) -> str:
        """For people."""
        lines = [self.title]
        for part in self.parts:
            lines += ["", *([part.title] if part.title else []), *part.lines()]
        return "\n".join(lines) + "\n"

    def json(self) -> str:
        """For other programs: an object with the parts under their titles, of which those without
        one are merged with it."""
        found: dict[str, object] = {"title": self.title}
        for part in self.parts:
            value = part.json()
            if part.title:
                found[_key(part.title)] = value
            else:
                found |= cast("Mapping[str, object]", value)
        return json.dumps(found, indent=2) + "\n"


def _key(name: str) -> str:
    return name.replace(" ", "_").replace("-", "_").lower()


def _plain(value: object) -> object:
    """A value of which JSON has the type; sets in order."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, Mapping):
        items = cast("Mapping[object, object]", value).items()
        return {str(key): _plain(each) for key, each in items}
    if isinstance(value, (range, list)) or type(value) is tuple:
        return [_plain(each) for each in cast("Collection[object]", value)]
    if isinstance(value, (frozenset, set)):
        items = cast("Collection[object]", value)
        return [_plain(each) for each in sorted(items, key=lambda item: (str(type(item)), item))]
    return str(value)

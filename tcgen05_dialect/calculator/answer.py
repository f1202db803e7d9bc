"""Answers that consist of fields, records and drawings, as text and as JSON."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from textwrap import wrap
from typing import cast

from tcgen05_dialect.calculator.formats import GRID_FORMATS, as_table
from tcgen05_dialect.calculator.grid import Grid
from tcgen05_dialect.isa.model.rule import describe, in_order

ANSWER_FORMATS = ("table", "csv", "markdown", "asciidoc", "json")
_WIDTH = 100
"""Width of a line of text, in characters."""
_INDENT = 2 * " "


@dataclass(frozen=True, slots=True)
class Field:
    """
    A named value of an answer. `value` goes to JSON; `text`, if given, replaces `describe(value)`
    in text output.
    """

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

    def grid(self) -> Grid:
        """The fields as a table."""
        records = [{"field": field.name, "value": str(field)} for field in self.fields]
        return Grid.of_records(self.title, records)

    def lines(self) -> Iterator[str]:
        """Lines of text."""
        before = max((len(field.name) for field in self.fields), default=0) + len(_INDENT)
        for field in self.fields:
            paragraphs = str(field).splitlines()
            texts = [t for each in paragraphs for t in wrap(each, _WIDTH - before - len(_INDENT))]
            first, *others = texts or [""]
            yield f"{field.name:<{before}}{first}".rstrip()
            yield from (f"{'':<{before}}{other}" for other in others)

    def json(self) -> object:
        """The values as types of JSON."""
        return {_key(field.name): _plain(field.value) for field in self.fields}


@dataclass(frozen=True, slots=True)
class Records:
    """Records with the same names, under a title."""

    title: str
    records: Sequence[Mapping[str, object]]

    def grid(self) -> Grid:
        """The records as a table."""
        return Grid.of_records(self.title, self.records)

    def lines(self) -> Iterator[str]:
        """Lines of text."""
        return iter(as_table(Grid.of_records("", self.records)).splitlines())

    def json(self) -> object:
        """The records as types of JSON."""
        return [
            {_key(name): _plain(value) for name, value in record.items()} for record in self.records
        ]


@dataclass(frozen=True, slots=True)
class Drawing:
    """Lines of text, and the same facts as records for JSON, unless another part has them."""

    title: str
    drawn: Sequence[str]
    records: Records | None = None

    def lines(self) -> Iterator[str]:
        """Lines of text."""
        return iter(self.drawn)


Part = Fields | Records | Drawing


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a question: a title, and parts with titles of their own."""

    title: str
    parts: Sequence[Part]

    def render(self, output_format: str) -> str:
        """The answer in one of ANSWER_FORMATS."""
        match output_format:
            case "table":
                return self.text()
            case "json":
                return self.json()
            case _:
                render = GRID_FORMATS[output_format]
                return "\n".join(render(part.grid()) for part in self._undrawn())

    def _undrawn(self) -> Iterator[Fields | Records]:
        """The parts for JSON."""
        for part in self.parts:
            shown = part.records if isinstance(part, Drawing) else part
            if shown is not None:
                yield shown

    def text(self) -> str:
        """The answer as text."""
        lines = [self.title]
        for part in self.parts:
            lines += ["", *filter(None, [part.title])]
            lines += (f"{_INDENT}{line}".rstrip() for line in part.lines())
        return "\n".join(lines) + "\n"

    def json(self) -> str:
        """
        The answer as a JSON object. Each part is a member named by its title; the members of a part
        without a title are merged into the object.
        """
        found: dict[str, object] = {"title": self.title}
        for part in self._undrawn():
            value = part.json()
            if part.title:
                found[_key(part.title)] = value
            else:
                found |= cast("Mapping[str, object]", value)
        return json.dumps(found, indent=2) + "\n"


def _key(name: str) -> str:
    return name.replace(" ", "_").replace("-", "_").lower()


def _plain(value: object) -> object:
    """A value as a type of JSON; sets are sorted."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, Mapping):
        items = cast("Mapping[object, object]", value).items()
        return {str(key): _plain(each) for key, each in items}
    if isinstance(value, (frozenset, set)):
        return [_plain(each) for each in in_order(cast("Collection[object]", value))]
    if isinstance(value, (range, list)) or type(value) is tuple:
        return [_plain(each) for each in cast("Collection[object]", value)]
    return str(value)

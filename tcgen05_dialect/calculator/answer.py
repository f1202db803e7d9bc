"""Answers (fields, records and drawings), and the output formats of answers and grids."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from textwrap import wrap
from typing import cast

from ..isa.mma.instruction_descriptor import InstructionDescriptor
from ..isa.mma.products import A
from ..isa.model.bitfield import BitField, BitLayout, FieldReading
from ..isa.model.rule import describe, in_order
from . import Grid


def as_table(grid: Grid) -> str:
    """The title and aligned columns, for a terminal."""
    lines = list(grid.lines())
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    lines.insert(1, ["-" * width for width in widths])
    texts = [
        "  ".join(map(str.ljust, line, widths)).rstrip()  # no trailing spaces after the last column
        for line in lines
    ]
    return "\n".join([*filter(None, [grid.title]), *texts, ""])


def as_csv(grid: Grid) -> str:
    """Comma-separated values, without the title."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(grid.lines())
    return text.getvalue()


def as_markdown(grid: Grid) -> str:
    head, *rows = (
        f"| {' | '.join(text.replace('|', chr(92) + '|') for text in line)} |\n"
        for line in grid.lines()
    )
    title = f"{grid.title}\n\n" if grid.title else ""
    return f"{title}{head}|{'---|' * (len(grid.columns) + 1)}\n{''.join(rows)}"


def as_asciidoc(grid: Grid) -> str:
    lines = (" ".join(f"|{text.replace('|', '{vbar}')}" for text in line) for line in grid.lines())
    title = f".{grid.title}\n" if grid.title else ""
    head, rows = next(lines), "\n".join(lines)
    return f'{title}[%header,cols="{len(grid.columns) + 1}*"]\n|===\n{head}\n\n{rows}\n|===\n'


def as_json(grid: Grid) -> str:
    """A JSON list with one object per line: all facts of the cells."""
    records = (
        {name.replace(" ", "_"): value for name, value in each.items()} for each in grid.records()
    )
    lines = ",\n".join(map(json.dumps, records))
    return f"[\n{lines}\n]\n"


def _as_picture(name: str) -> Callable[[Grid], str]:
    def render(grid: Grid) -> str:
        from . import picture

        return getattr(picture, name)(grid)

    return render


PICTURES = ("svg", "html")
GRID_FORMATS: dict[str, Callable[[Grid], str]] = {
    "table": as_table,
    "csv": as_csv,
    "markdown": as_markdown,
    "asciidoc": as_asciidoc,
    "json": as_json,
    **{name: _as_picture(f"as_{name}") for name in PICTURES},
}
ANSWER_FORMATS = tuple(name for name in GRID_FORMATS if name not in PICTURES)
_WIDTH = 100
"""Width of a line of text, in characters."""
_INDENT = 2 * " "


@dataclass(frozen=True, slots=True)
class Field:
    """A named value of an answer. `value` goes to JSON; `text`, if given, replaces
    `describe(value)` in text output."""

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
            for name, text in zip_longest([field.name], texts or [""], fillvalue=""):
                yield f"{name:<{before}}{text}".rstrip()

    def json(self) -> object:
        """The values as types of JSON."""
        return {_key(field.name): _plain(field.value) for field in self.fields}


@dataclass(frozen=True, slots=True)
class Records:
    """Records with the same names, under a title; None if another part has these facts. Text shows
    the lines `drawn` instead, if there are any."""

    title: str
    records: Sequence[Mapping[str, object]] | None
    drawn: Sequence[str] = ()

    def grid(self) -> Grid:
        """The records as a table."""
        return Grid.of_records(self.title, self.records or ())

    def lines(self) -> Sequence[str]:
        """Lines of text."""
        return self.drawn or as_table(replace(self.grid(), title="")).splitlines()

    def json(self) -> object:
        """The records as types of JSON."""
        return [
            {_key(name): _plain(value) for name, value in record.items()}
            for record in self.records or ()
        ]


Part = Fields | Records


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a question: a title, parts with titles of their own and, for some, a
    picture."""

    title: str
    parts: Sequence[Part]
    picture: Callable[[], Grid] | None = None

    def render(self, output_format: str) -> str:
        """The answer in one of ANSWER_FORMATS, or of PICTURES if it has one."""
        match output_format:
            case "table":
                return self.text()
            case "json":
                return self.json()
            case _ if output_format in PICTURES and self.picture is not None:
                return GRID_FORMATS[output_format](self.picture())
            case _:
                render = GRID_FORMATS[output_format]
                return "\n".join(render(part.grid()) for part in self._undrawn())

    def _undrawn(self) -> Iterator[Part]:
        """The parts for formats other than text."""
        for part in self.parts:
            if isinstance(part, Fields) or part.records is not None:
                yield part

    def text(self) -> str:
        """The answer as text."""
        lines = [self.title]
        for part in self.parts:
            lines += ["", *filter(None, [part.title])]
            lines += (f"{_INDENT}{line}".rstrip() for line in part.lines())
        return "\n".join(lines) + "\n"

    def json(self) -> str:
        """The answer as a JSON object. Each part is a member named by its title; the members of a
        part without a title are merged into the object."""
        found: dict[str, object] = {"title": self.title}
        for part in self._undrawn():
            value = part.json()
            if part.title:
                found[_key(part.title)] = value
            else:
                found |= cast("Mapping[str, object]", value)
        return json.dumps(found, indent=2) + "\n"


def printed(found: Answer | Grid | str, output_format: str) -> str:
    """What a command prints of its answer."""
    match found:
        case Answer():
            return found.render(output_format)
        case Grid():
            return GRID_FORMATS[output_format](found)
        case _:
            return found


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
        value = in_order(cast("Collection[object]", value))
    if isinstance(value, (range, list)) or type(value) is tuple:
        return [_plain(each) for each in cast("Collection[object]", value)]
    return str(value)


_ROW_BITS = 32
"""Number of bits in one drawing, so that it fits the width of a page."""


def word_parts(layout: BitLayout, word: int, readings: Sequence[FieldReading]) -> list[Part]:
    """The parts of an answer about a word: the fields as a drawing and as records, and the errors.
    `readings` is the result of `layout.explain(word)`: the fields in order, lowest first."""
    fields = list(zip(layout.fields, readings, strict=True))
    drawn: list[str] = []
    for lowest in range(0, layout.width, _ROW_BITS):
        row = [pair for pair in fields if pair[0].lo in range(lowest, lowest + _ROW_BITS)]
        drawn = [*_draw(word, row), *([""] if drawn else []), *drawn]
    records = [
        {
            "bits": field.bits,
            "field": field.name,
            "code": reading.raw,
            "value": _value(field, reading),
            "legal": reading.is_legal,
        }
        for field, reading in fields
    ]
    wrong = [
        Field(field.place, [str(part) for part in found.parts], str(found))
        for field, reading in fields
        if (found := reading.violation) is not None
    ]
    return [Records("fields", records, drawn), *([Fields("wrong", wrong)] if wrong else [])]


def _draw(word: int, fields: Sequence[tuple[BitField, FieldReading]]) -> Iterator[str]:
    """The lines of a drawing: the bits, and below them the value of each field."""
    groups = [f"{field.raw(word):0{field.hi - field.lo + 1}b}" for field, _ in reversed(fields)]
    header = " ".join(groups)
    yield header
    for at, (field, reading) in zip(reversed(range(len(groups))), fields, strict=True):
        hooks = "".join(f"{'|':<{len(group) + 1}}" for group in groups[:at])
        value = _value(field, reading)
        if field.hi > field.lo and value != str(reading.raw):
            value += f" (code {reading.raw:#x})"
        mark = "" if reading.is_legal else "  <- wrong"
        label = f"{field.bits:<5}  {reading.field} = {value}{mark}"
        yield f"{hooks}{'+':-<{len(header) + 1 - len(hooks)}} {label}"


def _value(field: BitField, reading: FieldReading) -> str:
    """The meaning of a field's bits; the bits themselves if they are illegal."""
    value = field.decode(reading.raw)
    return (
        reading.meaning if field.encode(value) is not None else describe(field.found(reading.raw))
    )


def warning_fields(
    descriptor: InstructionDescriptor, forms: Iterable[tuple[bool, int]]
) -> Iterator[Field]:
    """The warnings about a legal descriptor in MMAs, if there are any. `forms` has, for each MMA,
    whether it has .ws, and its number of CTAs."""
    found: dict[str, None] = {}
    for ws, cta_group in forms:
        for memory in A.memories:
            if not descriptor.violations(ws, cta_group, memory):
                for violation in descriptor.warnings(ws, cta_group, memory):
                    found[f"{violation.text} [{violation.rule.id}]"] = None
    if found:
        yield Field("warnings", [*found], "\n".join(found))

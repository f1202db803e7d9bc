"""
The calculator: questions about instructions, descriptors and layouts, answered from `isa/`.

Here are grids, the tables of answers; the placement of a matrix in a question; and the errors of
questions.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import NamedTuple, Protocol

from ..isa.model.rule import alternatives, describe, did_you_mean
from ..isa.shared_memory.layout import ATOM_ORDERS, MAJORS

_CLOSE = 0.8
"""Minimum similarity of an unknown name to a suggestion, from 0 to 1."""


class QuestionError(ValueError):
    """An error in a question that breaks no rule of the ISA. `str()` names the value found and the
    legal values."""

    def __init__(self, what: str, found: object, legal: object):
        super().__init__(what, found, legal)
        self.what = what
        self.found = found
        self.legal = legal

    def __str__(self) -> str:
        return f"{self.what} must be {alternatives(self.legal)}; found {describe(self.found)}"


class UsageError(QuestionError):
    """An error in the form of a question; other questions only have no answer."""


def unknown_name(what: str, name: str, names: Iterable[str]) -> QuestionError:
    """The error for an unknown name, with the most similar known names."""
    names = tuple(names)
    return QuestionError(
        what, f"{name}; {did_you_mean(name, names, 3, _CLOSE)}".removesuffix("; "), names
    )


def ranges_text(numbers: Collection[int]) -> str:
    """Numbers in ascending order; consecutive ones are written as a range."""
    starts = sorted(number for number in numbers if number - 1 not in numbers)
    ends = sorted(number for number in numbers if number + 1 not in numbers)
    return ", ".join(
        str(first) if first == last else f"{first}-{last}"
        for first, last in zip(starts, ends, strict=True)
    )


class Fact(Protocol):
    """A fact in a cell, for JSON and CSV."""

    def fields(self) -> Mapping[str, object]:
        """Name -> number, text or None."""
        ...


class Record(dict[str, object]):
    """A fact that consists only of its fields."""

    def fields(self) -> Mapping[str, object]:
        return self

    def __str__(self) -> str:
        return ", ".join(f"{name} {describe(value)}" for name, value in self.items())


class ColourGroup(NamedTuple):
    """The cells of one colour in a picture, given by hue and shade. Groups of the same name share
    an entry of the legend."""

    name: str
    hue: int
    shade: int = 0


class Cell(NamedTuple):
    """A cell. Tables show `text`; pictures show `mark`, one word per line, in the colour of the
    group; JSON and CSV contain the facts. The text of the facts is the full name of the cell."""

    text: str = ""
    mark: str = ""
    group: ColourGroup | None = None
    facts: Sequence[Fact] = ()


@dataclass(frozen=True, slots=True)
class Grid:
    """A table; `corner` is the header of the column of row headers."""

    title: str
    corner: str
    columns: Sequence[str]
    rows: Sequence[str]
    cells: Sequence[Sequence[Cell]]

    @classmethod
    def of_records(cls, title: str, records: Sequence[Mapping[str, object]]) -> Grid:
        """A table with a row for each record; the first value is the row header. All records have
        the same names, at least two."""
        corner, *columns = records[0] if records else ("",)
        cells = [[Cell(describe(record[column])) for column in columns] for record in records]
        for row, record in zip(cells, records, strict=True):
            row[0] = row[0]._replace(facts=(Record(record),))
        headers = [describe(record[corner]) for record in records]
        return cls(title, corner, columns, headers, cells)

    @property
    def transposed(self) -> Grid:
        """The grid with rows and columns exchanged and the same corner."""
        return replace(
            self, columns=self.rows, rows=self.columns, cells=[*zip(*self.cells, strict=True)]
        )

    def part(self, rows: range, columns: range) -> Grid:
        """
        A part of the rows and columns. Raises QuestionError if it is empty or outside the grid.
        """
        for name, asked, extent in (
            ("rows", rows, len(self.rows)),
            ("columns", columns, len(self.columns)),
        ):
            if not asked or asked.stop > extent:
                found = f"{asked.start}-{asked.stop - 1}"
                raise QuestionError(f"{name} of the table", found, f"inside 0-{extent - 1}")
        return replace(
            self,
            columns=self.columns[columns.start : columns.stop],
            rows=self.rows[rows.start : rows.stop],
            cells=[row[columns.start : columns.stop] for row in self.cells[rows.start : rows.stop]],
        )

    @property
    def overview(self) -> Grid:
        """The grid of colour groups: adjacent rows or columns with equal groups are merged."""
        names = [[cell.group.name if cell.group else "" for cell in row] for row in self.cells]
        rows = _runs(self.rows, names)
        columns = _runs(self.columns, [*zip(*names, strict=True)])
        cells: list[list[Cell]] = []
        for row, at in rows.items():
            cells.append([])
            for column, other in columns.items():
                if (group := self.cells[at][other].group) is None:
                    cells[-1].append(Cell())
                    continue
                record = Record(row=row, column=column, group=group.name)
                mark = " ".join(part.replace(" ", "") for part in group.name.split(", "))
                cells[-1].append(Cell(group.name, mark, group._replace(shade=0), (record,)))
        return replace(self, columns=[*columns], rows=[*rows], cells=cells)

    def lines(self) -> Iterator[list[str]]:
        """The texts of all rows, headers first."""
        yield [self.corner, *self.columns]
        for header, row in zip(self.rows, self.cells, strict=True):
            yield [header, *(cell.text for cell in row)]

    def records(self) -> list[Mapping[str, object]]:
        """All facts of the cells."""
        return [fact.fields() for row in self.cells for cell in row for fact in cell.facts]


def _runs(headers: Sequence[str], names: Sequence[Sequence[str]]) -> dict[str, int]:
    """Maps a header for each run of equal elements of `names` to the index where the run begins."""
    found: dict[str, int] = {}
    for _, run in groupby(range(len(headers)), names.__getitem__):
        first, *others = run
        last = f"..{headers[others[-1]]}" if others else ""
        found[f"{headers[first]}{last}"] = first
    return found


@dataclass(frozen=True, slots=True)
class Placement:
    """The memory, layout and address of a matrix; None means the usual choice. `address` is in
    bytes in shared memory, and lane << 16 | column in tensor memory."""

    memory: str | None = None
    major: str = MAJORS[0]
    swizzle: str | None = None
    atom_order: str = ATOM_ORDERS[0]
    address: int = 0

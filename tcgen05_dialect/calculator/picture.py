"""
SVG pictures of grids: each cell with its mark, in the colour of its group.

A picture consists of strips. A strip is the colours of a row of cells, or one line of their text.
Most rows of a layout share their strips, and each strip is written once. This keeps pictures of
tens of thousands of cells small.
"""

from __future__ import annotations

import colorsys
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from html import escape
from importlib.resources import files
from itertools import groupby
from string import Template

from . import Cell, ColourGroup, Grid

_FONT = 10
_ADVANCE = 6
"""Width of a character. Texts are stretched to it, so that the font does not matter."""
_LINE = 11
_LEGEND_LINE = 18
"""Height of a line of the title and the legend."""
_MARGIN = 8
_MIN_WIDTH = 640
_HUES = (0.58, 0.09, 0.36, 0.93, 0.15, 0.76, 0.49, 0.26)
"""Hues of groups, ordered so that adjacent hues differ clearly."""
_SPACE = "\xa0"
"""Fills the cells of a line of text. Browsers show a run of plain spaces as one: Chromium ignores
xml:space in an ancestor of the text."""
_EMPTY = "#eee"
_INK = "#222"


@dataclass(frozen=True)
class Picture:
    """The picture of a grid; all lengths are in pixels."""

    grid: Grid

    @cached_property
    def _marks(self) -> set[str]:
        return {cell.mark for row in self.grid.cells for cell in row}

    @cached_property
    def cell_width(self) -> int:
        """Width of the longest word and a space."""
        words = (word for mark in (*self._marks, *self.grid.columns) for word in mark.split())
        return (max(map(len, words), default=0) + 1) * _ADVANCE

    @cached_property
    def cell_height(self) -> int:
        return max(len(mark.split()) for mark in self._marks) * _LINE + 2

    @cached_property
    def left(self) -> int:
        """Left edge of the cells."""
        headers = (*self.grid.rows, self.grid.corner)
        return 2 * _MARGIN + max(map(len, headers)) * _ADVANCE

    @cached_property
    def top(self) -> int:
        """Top edge of the cells."""
        lines = max(len(header.split()) for header in self.grid.columns)
        return self._legend_bottom + lines * _LINE + _MARGIN

    @property
    def width(self) -> int:
        cells = self.left + len(self.grid.columns) * self.cell_width
        title = max(map(len, self.grid.title.split("\n"))) * (_ADVANCE + 2)
        return max(cells, title, _MIN_WIDTH) + _MARGIN

    @property
    def height(self) -> int:
        return self.top + len(self.grid.rows) * self.cell_height + _MARGIN

    @cached_property
    def _legend(self) -> list[tuple[int, int, str, list[str]]]:
        """Left edge, line, name and colours of each entry of the legend."""
        groups = dict.fromkeys(cell.group for row in self.grid.cells for cell in row if cell.group)
        named: dict[str, list[str]] = {}
        for group in sorted(groups, key=lambda group: group[1:]):
            named.setdefault(group.name, []).append(colour(group))
        entries: list[tuple[int, int, str, list[str]]] = []
        x, line = _MARGIN, 0
        for name, colours in named.items():
            width = len(colours) * _FONT + (len(name) + 3) * (_ADVANCE + 1)
            if x + width > self.width and x > _MARGIN:
                x, line = _MARGIN, line + 1
            entries.append((x, line, name, colours))
            x += width
        return entries

    @property
    def _legend_bottom(self) -> int:
        lines = self.grid.title.count("\n") + 1
        if self._legend:
            lines += self._legend[-1][1] + 1
        return lines * _LEGEND_LINE + _MARGIN

    def svg(self) -> str:
        """The text of the file."""
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}" '
                f'height="{self.height}" viewBox="0 0 {self.width} {self.height}" '
                f'font-family="monospace" font-size="{_FONT}" fill="{_INK}">',
                f'<rect width="{self.width}" height="{self.height}" fill="#fff"/>',
                *self._head(),
                *self._cells(),
                *self._lines(),
                "</svg>\n",
            ]
        )

    def _head(self) -> Iterator[str]:
        """Title, legend and headers."""
        titles = self.grid.title.split("\n")
        for line, title in enumerate(titles, 1):
            place = f'x="{_MARGIN}" y="{line * _LEGEND_LINE}"'
            yield f'<text {place} font-size="12">{escape(title)}</text>'
        for x, line, name, colours in self._legend:
            bottom = (len(titles) + line + 1) * _LEGEND_LINE
            for at, fill in enumerate(colours):
                swatch = f'x="{x + at * _FONT}" y="{bottom - _FONT}" fill="{fill}"'
                yield f'<rect {swatch} width="{_FONT}" height="{_FONT}"/>'
            right = x + len(colours) * _FONT + _ADVANCE
            yield f'<text x="{right}" y="{bottom - 1}" font-size="11">{escape(name)}</text>'
        yield f'<g font-weight="bold" transform="translate({self.left})">'
        for line, text in enumerate(self._text_lines(self.grid.columns, at_bottom=True)):
            yield self._text(text, f' y="{self._legend_bottom + (line + 1) * _LINE}"')
        yield "</g>"
        yield '<g font-weight="bold" text-anchor="end">'
        headers = [(self.top - _MARGIN, self.grid.corner)]
        first = self.top + (self.cell_height + _FONT) // 2 - 1
        headers += [(first + at * self.cell_height, text) for at, text in enumerate(self.grid.rows)]
        for y, header in headers:
            yield f'<text x="{self.left - _MARGIN}" y="{y}">{escape(header)}</text>'
        yield "</g>"

    def _cells(self) -> Iterator[str]:
        """The definitions of the strips, then their uses."""
        strips: dict[str, str] = {}
        uses: list[str] = []
        for at, row in enumerate(self.grid.cells):
            y = self.top + at * self.cell_height
            texts = self._text_lines([cell.mark for cell in row])
            parts = [(y, self._colours(row))]
            parts += [
                (y + line * _LINE, self._text(text, f' y="{_FONT}"'))
                for line, text in enumerate(texts)
                if not text.isspace()
            ]
            for where, part in parts:
                name = strips.setdefault(part, f"s{len(strips)}")
                uses.append(f'<use href="#{name}" x="{self.left}" y="{where}"/>')
        yield "<defs>"
        yield from (f'<g id="{name}">{part}</g>' for part, name in strips.items())
        yield "</defs>"
        yield from uses

    def _colours(self, row: Sequence[Cell]) -> str:
        """A path for each colour, with a rectangle for each run of cells in this colour."""
        paths: dict[str, str] = {}
        x = 0
        for fill, run in groupby(colour(cell.group) for cell in row):
            width = len(list(run)) * self.cell_width
            rectangle = f"M{x} 0h{width}v{self.cell_height}h-{width}z"
            paths[fill] = paths.get(fill, "") + rectangle
            x += width
        return "".join(f'<path fill="{fill}" d="{path}"/>' for fill, path in paths.items())

    def _text_lines(self, texts: Sequence[str], *, at_bottom: bool = False) -> list[str]:
        """The lines of the texts of a row: one word per line, centred in its cell. Shorter texts
        begin at the top, or end at the bottom."""
        words = [text.split() for text in texts]
        lines = max(map(len, words))
        empty = [[""] * (lines - len(each)) for each in words]
        pairs = zip(empty, words, strict=True) if at_bottom else zip(words, empty, strict=True)
        longest = self.cell_width // _ADVANCE - 1
        return [
            "".join(f"{word.center(longest)} " for word in line).replace(" ", _SPACE)
            for line in zip(*(above + below for above, below in pairs), strict=True)
        ]

    def _text(self, text: str, place: str) -> str:
        length = len(text) * _ADVANCE
        return f'<text x="{_ADVANCE // 2}"{place} textLength="{length}">{escape(text)}</text>'

    def _lines(self) -> Iterator[str]:
        """White lines between cells."""
        width = len(self.grid.columns) * self.cell_width
        height = len(self.grid.rows) * self.cell_height
        columns = "".join(
            f"M{self.left + x} {self.top}v{height}"
            for x in range(self.cell_width, width, self.cell_width)
        )
        rows = "".join(
            f"M{self.left} {self.top + y}h{width}"
            for y in range(self.cell_height, height, self.cell_height)
        )
        yield f'<path stroke="#fff" d="{columns}{rows}"/>'


@lru_cache(maxsize=1024)
def colour(group: ColourGroup | None) -> str:
    """The colour of a group, light enough for text on it; None stands for an empty cell."""
    if group is None:
        return _EMPTY
    round_, hue = divmod(group.hue, len(_HUES))
    lightness, saturation = 0.9 - 0.07 * group.shade, 0.75 - 0.35 * (round_ % 2)
    parts = colorsys.hls_to_rgb(_HUES[hue], lightness, saturation)
    return "#" + "".join(f"{round(part * 255):02x}" for part in parts)


def as_svg(grid: Grid) -> str:
    """The picture of a grid as a file of its own."""
    return Picture(grid).svg()


_NUMBER = re.compile(r"(0x[0-9a-f]+|[0-9]+)")
_HEXADECIMAL, _DECIMAL = "\x01", "\x02"
"""Placeholders for numbers in a template."""


def as_html(grid: Grid) -> str:
    """The picture of a grid in a self-contained page."""
    picture, templates = Picture(grid), dict[str, int]()
    rows = [_named(cells, templates) for cells in grid.cells]
    page = files(__package__ or "").joinpath("page.html").read_text("utf-8")
    return Template(page).substitute(
        title=escape(grid.title),
        svg=picture.svg(),
        geometry=[picture.left, picture.top, picture.cell_width, picture.cell_height],
        templates=_json(list(templates)),
        rows=_json(rows),
    )


def _named(cells: Sequence[Cell], templates: dict[str, int]) -> list[list[object]]:
    """The names of the cells of a row in compact form, as runs of cells with the same template. A
    run is the template, the number of cells, and the runs of each number."""
    found: list[tuple[int, list[Sequence[int]]]] = []
    for cell in cells:
        template, numbers = _parts("; ".join(map(str, cell.facts)) or cell.text)
        number = templates.setdefault(template, len(templates))
        if not found or found[-1][0] != number:
            found.append((number, []))
        found[-1][1].append(numbers)
    return [
        [number, len(names), *(_runs(column) for column in zip(*names, strict=True))]
        for number, names in found
    ]


def _parts(name: str) -> tuple[str, list[int]]:
    parts = _NUMBER.split(name)
    numbers = [int(part, 0) for part in parts[1::2]]
    parts[1::2] = [_HEXADECIMAL if part.startswith("0x") else _DECIMAL for part in parts[1::2]]
    return "".join(parts), numbers


def _runs(numbers: Iterable[int]) -> list[int]:
    """Count, first number and step of each run of equally spaced numbers."""
    runs: list[int] = []
    for number in numbers:
        if runs and number == runs[-2] + runs[-3] * runs[-1]:
            runs[-3] += 1
        elif runs and runs[-3] == 1:
            runs[-3:] = [2, runs[-2], number - runs[-2]]
        else:
            runs += [1, number, 0]
    return runs


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":")).replace("<", "\\u003c")

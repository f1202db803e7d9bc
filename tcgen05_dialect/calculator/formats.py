"""Output formats of a grid, by their name in `--format`."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable

from tcgen05_dialect.calculator.grid import Grid


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


def _as_svg(grid: Grid) -> str:
    from tcgen05_dialect.calculator.picture import as_svg

    return as_svg(grid)


def _as_html(grid: Grid) -> str:
    from tcgen05_dialect.calculator.picture import as_html

    return as_html(grid)


GRID_FORMATS: dict[str, Callable[[Grid], str]] = {
    "table": as_table,
    "csv": as_csv,
    "markdown": as_markdown,
    "asciidoc": as_asciidoc,
    "json": as_json,
    "svg": _as_svg,
    "html": _as_html,
}
PICTURES = ("svg", "html")

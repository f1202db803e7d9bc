"""HTML pages of grids: a picture that shows the full name of the cell under the pointer."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from html import escape

from tcgen05_dialect.calculator.grid import Cell, Grid
from tcgen05_dialect.calculator.picture import Picture

_NUMBER = re.compile(r"(0x[0-9a-f]+|[0-9]+)")
_HEXADECIMAL, _DECIMAL = "\x01", "\x02"
"""Placeholders for numbers in a template."""

_PAGE = """<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<title>{title}</title>
<style>
body {{ margin: 0; padding-top: 2.4em; }}
#name {{ position: fixed; top: 0; left: 0; right: 0; padding: 6px 8px; min-height: 1.2em;
  background: #222; color: #fff; font-family: monospace; pointer-events: none; }}
svg {{ display: block; }}
</style>
<div id="name">{hint}</div>
{svg}<script>
const [left, top_, width, height] = {geometry};
const templates = {templates};
const rows = {rows};
const picture = document.querySelector("svg"), bar = document.getElementById("name");
function name(row, column) {{
  for (const [template, count, ...numbers] of rows[row] || []) {{
    if (column >= count) {{ column -= count; continue; }}
    let at = 0;
    return templates[template].replace(/[\\x01\\x02]/g, (kind) => {{
      const runs = numbers[at++];
      let value = 0;
      for (let run = 0, rest = column; run < runs.length; run += 3) {{
        value = runs[run + 1] + rest * runs[run + 2];
        if (rest < runs[run]) break;
        rest -= runs[run];
      }}
      return kind === "\\x01" ? "0x" + value.toString(16) : value;
    }});
  }}
  return "";
}}
picture.addEventListener("pointermove", (event) => {{
  const box = picture.getBoundingClientRect();
  const row = Math.floor((event.clientY - box.top - top_) / height);
  const column = Math.floor((event.clientX - box.left - left) / width);
  bar.textContent = column >= 0 && name(row, column) || "\\xa0";
}});
</script>
</html>
"""


def as_html(grid: Grid) -> str:
    """The picture of a grid in a self-contained page."""
    picture, names = Picture(grid), _Names()
    rows = [names.row(cells) for cells in grid.cells]
    return _PAGE.format(
        title=escape(grid.title),
        hint="The element under the pointer is named here.",
        svg=picture.svg(),
        geometry=[picture.left, picture.top, picture.cell_width, picture.cell_height],
        templates=_json(list(names.templates)),
        rows=_json(rows),
    )


class _Names:
    """Names of cells in compact form: templates, and numbers with equal steps from cell to cell."""

    def __init__(self) -> None:
        self.templates: dict[str, int] = {}

    def row(self, cells: Sequence[Cell]) -> list[list[object]]:
        """
        The runs of cells with the same template. A run is the template, the number of cells, and
        the runs of each number.
        """
        found: list[tuple[int, list[Sequence[int]]]] = []
        for cell in cells:
            template, numbers = _parts("; ".join(map(str, cell.facts)) or cell.text)
            number = self.templates.setdefault(template, len(self.templates))
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

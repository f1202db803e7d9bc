"""
The gallery: figures of the examples, a picture of a run of each, and its whole timeline.

Every figure comes from the code: from the text of the example, from `check`, from `sim`, and from
`benchmarks/machine_code.py`, which needs NVIDIA's assembler and disassembler.
"""

import json
import re
import subprocess
import sys
from collections.abc import Iterator, Mapping
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from docs.generate.markdown import table
from tcgen05_dialect import check_source
from tcgen05_dialect.reporting.diagnostics import Source
from tcgen05_dialect.reporting.project import HOME
from tcgen05_dialect.tools.main import main

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
_COLUMN = 14
"""Characters of a column of figures that the benchmark prints."""
_WIDTH, _ROW = 440, 10
"""Pixels of a picture, and of a row in it."""
_COLOURS = {
    "wait": "#c9ced5",
    "copy": "#3b7cc0",
    "product": "#3e8e2f",
    "tensor": "#7d4fc0",
    "commit": "#3e8e2f",
    "arrive": "#d98200",
    "issue": "#3b7cc0",
}
_OTHER, _LEFT_OUT = "#a9afb7", "allocation"
"""The colour of other bars, and the kind of those that last for the whole run."""


class Machine(NamedTuple):
    """Figures of the machine code of a kernel."""

    registers: str
    spilled: str
    loop: str
    """The instructions of the shortest loop around products, and its products."""

    @property
    def per_four(self) -> str:
        """The instructions of that loop for each four products."""
        instructions, _, products = self.loop.partition(" / ")
        return f"{4 * int(instructions) / int(products):.0f}" if products else "-"


def write(folder: Path) -> None:
    """Write the page, the pictures and the timelines into the folder of the pages."""
    figures = machine_code()
    rows: list[list[str]] = []
    (folder / "timelines").mkdir()
    for path in sorted(EXAMPLES.rglob("*.mlir")):
        name = path.relative_to(EXAMPLES).with_suffix("").as_posix()
        rows.append([*_row(path, name, figures[name], folder / "timelines")])
    head = ("kernel", "lines", "SASS per 4 MMA", "registers", "verdict", "a run of one CTA")
    lines = [_INTRODUCTION, *table(head, rows), _KEY]
    (folder / "gallery.md").write_text("\n".join(lines))


def machine_code() -> Mapping[str, Machine]:
    """The figures of each example by name."""
    command = [sys.executable, ROOT / "benchmarks" / "machine_code.py"]
    printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    found: dict[str, Machine] = {}
    for line in printed.splitlines()[1:]:
        name, *columns = _columns(line)
        found[name] = Machine(columns[0], columns[1], columns[3])
    return found


def _columns(line: str) -> Iterator[str]:
    """The columns of a line of the benchmark: a name, then five figures."""
    first = len(line) - 5 * _COLUMN
    yield line[:first].strip()
    for start in range(first, len(line), _COLUMN):
        yield line[start : start + _COLUMN].strip()


def _row(path: Path, name: str, machine: Machine, folder: Path) -> Iterator[str]:
    text = path.read_text()
    yield f"[{name}]({HOME}/blob/main/examples/{name}.mlir)"
    yield str(sum(bool(re.match(r"\s*(?!//)\S", line)) for line in text.splitlines()))
    yield machine.per_four
    yield machine.registers + (f", {machine.spilled} bytes spilled" * (machine.spilled != "0"))
    found = check_source(Source(path.name, text), verify="thorough")
    yield ", ".join(dict.fromkeys(each.verdict for each in found if each.verdict))
    stem = name.replace("/", "_")
    page, trace = folder / f"{stem}.html", folder / f"{stem}.json"
    for file in (page, trace):
        _simulate(path, file)
    (folder / f"{stem}.svg").write_text(picture(json.loads(trace.read_text())))
    trace.unlink()
    image = f'<img class="timeline" src="timelines/{stem}.svg" alt="Timeline of {escape(name)}">'
    yield f'<a href="timelines/{stem}.html">{image}</a>'


def _simulate(path: Path, timeline: Path) -> None:
    """Run an example and write its timeline."""
    output = timeline.with_suffix(".out")
    command = [sys.executable, "-m", main.__module__, "sim", path, "--timeline", timeline]
    with output.open("wb") as stream:
        subprocess.run(command, check=True, stdout=stream)
    output.unlink()


def picture(trace: Mapping[str, Any]) -> str:
    """
    A trace, from the first copy to the last product, as a small picture: a row for each warp and
    unit, a rectangle for each bar.
    """
    events = [each for each in trace["traceEvents"] if each["ph"] == "X" and each["pid"] == 1]
    first = min(each["ts"] for each in events if each["cat"] == "copy")
    last = max(each["ts"] + each["dur"] for each in events if each["cat"] == "product")
    events = [
        each
        for each in events
        if each["ts"] < last and each["ts"] + each["dur"] > first and each["cat"] != _LEFT_OUT
    ]
    rows = {tid: row for row, tid in enumerate(sorted({each["tid"] for each in events}))}
    scale = _WIDTH / (last - first)
    height = _ROW * len(rows)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" '
        f'width="{_WIDTH}" height="{height}">'
    ]
    for each in events:
        begin, end = max(each["ts"], first), min(each["ts"] + each["dur"], last)
        x, width = (begin - first) * scale, max((end - begin) * scale, 0.8)
        y = rows[each["tid"]] * _ROW + 1
        colour = _COLOURS.get(each["cat"], _OTHER)
        lines.append(
            f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="{_ROW - 2}" fill="{colour}"/>'
        )
    return "\n".join([*lines, "</svg>\n"])


_INTRODUCTION = """\
---
hide:
  - navigation
  - toc
---

# Gallery

The examples of the repository. The build of this page computes all figures. No kernel has run on
hardware: the verdicts come from [check](verification.md#what-a-verdict-means), and the runs from
the [emulator](simulator.md), with the launch files beside the examples.

Lines count the kernel without comments and empty lines. SASS per 4 MMA counts the machine
instructions for every four MMAs in the shortest loop that contains MMAs, as NVIDIA's assembler
compiles it for sm_100a. A picture shows a CTA from its first copy to its last product, and links to
the whole timeline with names and arrows. Its axis is the order of the emulator, not time. [The
playground](try/index.html) has most of these kernels.
"""
_KEY = """\
In the pictures, a row is a warp, TMA, the tensor core or another unit. Blue is a copy, green a
matrix product, violet a load or store of tensor memory, orange an arrival, light grey a wait.
"""

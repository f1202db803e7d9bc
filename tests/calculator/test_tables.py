"""Tests of tables of whole matrices, their formats, pictures and pages."""

import csv
import json
import re
from collections.abc import Callable, Mapping
from typing import Any
from xml.etree import ElementTree

import pytest

from tcgen05_dialect.calculator import Cell, ColourGroup, Grid, Placement, QuestionError
from tcgen05_dialect.calculator.access import Matrix, parse_access
from tcgen05_dialect.calculator.answer import GRID_FORMATS, as_csv, as_json, as_markdown, as_table
from tcgen05_dialect.calculator.locate import elements_table, fragments, places_table
from tcgen05_dialect.calculator.multiplication import multiplication
from tcgen05_dialect.calculator.operands import operand_matrix
from tcgen05_dialect.calculator.picture import as_html, as_svg
from tcgen05_dialect.isa.model.rule import Violation

from ..support.effort import sampled

SVG = "{http://www.w3.org/2000/svg}"


def d(**options: Any) -> Matrix:
    return operand_matrix(multiplication("f16", **options), "D")


MATRICES = {
    "D": (d(n=16, cta_group=2, m=128), "16x64b.x2"),
    "packed D": (d(n=16, d="f16"), "32x32b.x4.pack::16b"),
    "half of the lanes": (d(n=16, m=64), "16x32bx2.x2"),
    "A": (operand_matrix(multiplication("f8f6f4", a="e2m3"), "A"), None),
    "A in tensor memory": (
        operand_matrix(multiplication("f8f6f4", a="e2m3"), "A", Placement("tensor")),
        "32x32b.x8",
    ),
    "B of a pair": (operand_matrix(multiplication("f16", cta_group=2, n=32), "B"), None),
    "SFB": (operand_matrix(multiplication("mxf4", cta_group=2, m=128, n=48), "SFB"), "32x32b.x4"),
    "metadata": (operand_matrix(multiplication("f16", sparse=True), "metadata"), "32x32b.x1"),
}
each_matrix = pytest.mark.parametrize("name", sampled(MATRICES, 2))


def records(grid: Grid) -> set[tuple[tuple[str, object], ...]]:
    found = [tuple(record.items()) for record in grid.records()]
    assert len(set(found)) == len(found)
    return set(found)


@pytest.mark.slow
@each_matrix
def test_both_directions_say_the_same(name: str) -> None:
    """Both tables have the same facts for programs."""
    found, through = MATRICES[name]
    for cover in (None, parse_access(through)) if through else (None,):
        placed = [elements_table(found, cta, cover) for cta in range(found.ctas)]
        assert records(places_table(found, cover)) == set().union(*map(records, placed))


@pytest.mark.slow
@each_matrix
def test_formats_agree(name: str) -> None:
    found, _ = MATRICES[name]
    grid = elements_table(found)
    lines = list(grid.lines())
    assert list(csv.reader(as_csv(grid).splitlines())) == lines
    assert json.loads(as_json(grid)) == grid.records()
    table = as_markdown(grid).splitlines()[2:]
    assert [[text.strip() for text in line.split("|")[1:-1]] for line in table] == [
        lines[0],
        ["---"] * len(lines[0]),
        *lines[1:],
    ]
    assert as_table(grid).startswith(f"{grid.title}\n{grid.corner} ")
    twice = grid.transposed.transposed
    assert list(twice.lines()) == lines
    for render in GRID_FORMATS.values():
        assert render(grid.transposed).endswith("\n")


def test_without_swizzling() -> None:
    """Without swizzling, the rows of a K-major tile are in order."""
    a = operand_matrix(multiplication("f16", a="bf16"), "A")
    grid = elements_table(a, swizzled=False)
    assert [cell.text for cell in grid.cells[5]] == [f"5,{k}" for k in range(64)]
    swizzled = [cell.text for cell in elements_table(a).cells[5]]
    assert swizzled[:16] == [f"5,{k}" for k in (*range(40, 48), *range(32, 40))]


def test_overview() -> None:
    grid = elements_table(d(m=64, ws=True, n=256)).overview
    assert [[cell.text for cell in row] for row in grid.cells] == [
        ["m 0-31, n 0-127"],
        ["m 32-63, n 0-127"],
        ["m 0-31, n 128-255"],
        ["m 32-63, n 128-255"],
    ]
    assert (grid.rows, grid.columns) == (["0..31", "32..63", "64..95", "96..127"], ["0..127"])
    assert grid.records()[1] == {"row": "32..63", "column": "0..127", "group": "m 32-63, n 0-127"}


PICTURES: dict[str, Callable[[], Grid]] = {
    **{
        f"D through {access}": lambda access=access: places_table(d(), parse_access(access))
        for access in ("32x32b.x8", "16x64b.x4", "16x128b.x4", "16x256b.x2", "16x32bx2.x8")
    },
    "D": lambda: elements_table(d()),
    "A": lambda: places_table(operand_matrix(multiplication("f8f6f4", k=256), "A")),
    "SFA": lambda: elements_table(operand_matrix(multiplication("mxf4nvf4"), "SFA")),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", sampled(PICTURES, 1))
def test_pictures(name: str) -> None:
    """A file has less than 310 kB, uses each of its strips, and shows the mark of each cell."""
    grid = PICTURES[name]()
    text = as_svg(grid)
    assert len(text.encode()) < 310_000
    root = ElementTree.fromstring(text)
    strips = {strip.get("id"): strip for strip in root.iter(f"{SVG}g") if strip.get("id")}
    uses = [use.get("href", "").removeprefix("#") for use in root.iter(f"{SVG}use")]
    assert set(uses) == set(strips)
    marks = [
        "".join(strips[use].itertext()).split()
        for use in uses
        if "".join(strips[use].itertext()).strip()
    ]
    rows = [[cell.mark.split() for cell in row] for row in grid.cells]
    expected = [
        words for row in rows for line in range(2) if (words := [m[line] for m in row if m[line:]])
    ]
    assert marks == expected


@pytest.mark.slow
@pytest.mark.parametrize("name", ["D through 16x64b.x4", "SFA"])
@pytest.mark.parametrize("render", [as_svg, as_html])
def test_pictures_need_no_run_of_spaces(name: str, render: Callable[[Grid], str]) -> None:
    """Browsers drop spaces at the ends of a text and show a run of them as one."""
    texts = re.findall("<text [^>]*>([^<]*)</text>", render(PICTURES[name]()))
    assert len(texts) > 10
    assert [text for text in texts if text != re.sub(" +", " ", text).strip(" ")] == []


def test_words_in_cells() -> None:
    """Words begin at the top of a cell, and headers end above the cells."""
    group = ColourGroup("all", 0)
    grid = Grid("t", "", ["1", "2 3"], ["row"], [[Cell("", "a b", group), Cell("", "cde", group)]])
    texts = re.findall('textLength="48">([^<]*)<', as_svg(grid))
    lines = [text.replace("\xa0", "_") for text in texts]
    assert lines == ["_____2__", "_1___3__", "_a__cde_", "_b______"]


def number(runs: list[int], column: int) -> int:
    """The number at an index of runs of (count, first, step)."""
    for count, first, step in zip(runs[::3], runs[1::3], runs[2::3], strict=True):
        if column < count:
            return first + column * step
        column -= count
    raise IndexError


def decoded(row: list[Any], templates: list[str], column: int) -> str:
    """The name that the script of a page shows."""
    for template, count, *numbers in row:
        if column < count:
            parts = re.split("([\x01\x02])", templates[int(template)])
            values = [number(runs, column) for runs in numbers]
            parts[1::2] = [
                f"{value:#x}" if kind == "\x01" else str(value)
                for kind, value in zip(parts[1::2], values, strict=True)
            ]
            return "".join(parts)
        column -= count
    return ""


@pytest.mark.slow
@each_matrix
def test_pages_name_every_cell(name: str) -> None:
    found, _ = MATRICES[name]
    grid = elements_table(found)
    page = as_html(grid)
    templates, rows = (
        json.loads(text)
        for text in re.findall("^const (?:templates|rows) = (.*);$", page, re.MULTILINE)
    )
    for row, cells in zip(rows, grid.cells, strict=True):
        for column, cell in enumerate(cells):
            assert decoded(row, templates, column) == "; ".join(map(str, cell.facts))


def test_plain_tables() -> None:
    table: list[Mapping[str, object]] = [
        {"name": "a", "legal": frozenset((1, 2))},
        {"name": "b", "legal": None},
    ]
    grid = Grid.of_records("title", table)
    assert as_table(grid) == "title\nname  legal\n----  -----\na     1, 2\nb     none\n"
    assert GRID_FORMATS["asciidoc"](grid).startswith(
        '.title\n[%header,cols="2*"]\n|===\n|name |legal'
    )
    assert grid.records() == table
    assert str(grid.cells[0][0].facts[0]) == "name a, legal 1, 2"
    assert as_json(Grid.of_records("", [])) == "[\n\n]\n"
    assert Cell() == Cell("", "", None, ())


def test_fragments() -> None:
    found = {record["access"]: record for record in fragments(d()).records()}
    assert found["32x32b.x8"]["accesses of a warp"] == 32
    assert found["16x256b.x32"]["accesses of a warp"] == 2
    assert {record["registers in all"] for record in found.values()} == {256}
    half = fragments(d(m=64, n=8)).records()
    used = {str(record["access"]): record["used in %"] for record in half}
    assert used == {name: 50 if name.startswith("32x") else 100 for name in used}
    assert "32x32b.x16" not in used
    packed = fragments(d(d="f16"), pack=True).records()
    assert {record["registers in all"] for record in packed} == {128}
    assert len(fragments(d(), columns=24).records()) < len(found)
    with pytest.raises(Violation, match="T5-LDST-008"):
        fragments(d(), pack=True)
    with pytest.raises(QuestionError, match=r"columns of D must be .*; found 257"):
        fragments(d(), columns=257)
    with pytest.raises(QuestionError, match="multiples of 2; found 1"):
        fragments(d(d="f16"), pack=True, columns=1)

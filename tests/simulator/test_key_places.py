"""Tests of the places of keys in launch files."""

from pathlib import Path

import pytest

from tcgen05_dialect.simulator.launch.key_places import at_its_key
from tcgen05_dialect.simulator.machine.errors import LaunchError

FILE = """\
# grid = [1], and sizes.n = 3
grid = [
  1,  # block = 2
  2,
]
"quoted key" = 1
sizes.n = 3
expected = "reference.py:f"
[arrays]
a = {shape = [
  3, 4], type = "grid"}
[arrays.b]  # a = 3
shape = ['''
fill''']
fill = "random"
[ "maps" . "m.n" ]
box=[1]
"\\u0061" = 1
[launches.first]
grid = [2]
sizes = {n = 4}
[launches.first.arrays.b]
type = "f32"
"""


@pytest.mark.parametrize(
    ("parts", "launch", "line", "column", "marked"),
    [
        (("grid",), "", 2, 1, "grid"),
        (("block", "grid"), "", 2, 1, "grid"),
        (("quoted key",), "", 6, 1, '"quoted key"'),
        (("sizes.n",), "", 7, 7, "n"),
        (("sizes",), "", 7, 1, "sizes"),
        (("expected.c",), "", 8, 1, "expected"),
        (("args.0", "arrays.a"), "", 10, 1, "a"),
        (("arrays.a.shape",), "", 10, 6, "shape"),
        (("arrays.a.type",), "", 11, 10, "type"),
        (("arrays.b",), "", 12, 9, "b"),
        (("arrays.b.fill",), "", 15, 1, "fill"),
        (("maps.m.n",), "", 16, 12, '"m.n"'),
        (("maps.m.n.box",), "", 17, 1, "box"),
        (("maps.m.n.a",), "", 18, 1, '"\\u0061" = 1'),
        (("grid",), "first", 20, 1, "grid"),
        (("sizes.n",), "first", 21, 10, "n"),
        (("arrays.b.type",), "first", 23, 1, "type"),
        (("arrays.b.fill",), "first", 15, 1, "fill"),
        (("gone", "launches.first"), "first", 19, 11, "first"),
    ],
)
def test_places(
    tmp_path: Path, parts: tuple[str, ...], launch: str, line: int, column: int, marked: str
) -> None:
    path = tmp_path / "launch.toml"
    path.write_text(FILE)
    error = LaunchError("it is wrong", culprits=parts)
    error.launch = launch
    (finding,) = at_its_key(error, path).findings
    assert (finding.file, finding.line, finding.column) == (str(path), line, column)
    text, carets = finding.excerpt.split("\n")
    assert text == FILE.splitlines()[line - 1]
    assert text[carets.index("^") :][: carets.count("^")] == marked


@pytest.mark.parametrize("content", ["grid = [1]", "", "grid = [", "\udcff"])
def test_parts_that_the_file_does_not_have(tmp_path: Path, content: str) -> None:
    path = tmp_path / "launch.toml"
    path.write_text(content, errors="surrogateescape")
    (finding,) = at_its_key(LaunchError("it is wrong", culprits=("block",)), path).findings
    assert (finding.file, finding.line, finding.excerpt) == (str(path), 0, "")

"""Tests of the places of keys in launch files."""

from pathlib import Path

import pytest

from tcgen05_dialect.simulator.launch.tables import at_its_key
from tcgen05_dialect.simulator.machine.errors import LaunchError
from tcgen05_dialect.tools.main import main

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


KERNEL = """
ptx.kernel @kernel(%map : !ptx.tensor_map<8x8xbf16>, %a : i64, %n : i32)
    attributes {reqntid = array<i32: 32>} {
  ptx.ret
}
"""
LAUNCH = """\
args = ["a_map", "a", "n"]
[sizes]
n = 8
[arrays.a]
shape = ["n", 8]
type = "bf16"
[maps.a_map]
array = "a"
"""


@pytest.mark.parametrize(
    ("right", "wrong", "marked", "message"),
    [
        ("array", "array", "", ""),
        ("n = 8", "n = 8\na = 3", "a", "a is the name of an array and of a size"),
        ("args", 'dynamic_shared_memory = "a"\nargs', "a", "unknown name a"),
        ("args", 'dynamic_shared_memory = "n / b"\nargs', "b", "unknown name b"),
        ('["n", 8]', '"n"', "shape", 'shape must be a list; found "n"'),
        ('["n", 8]', '["n", "m"]', "m", "unknown name m"),
        ('["n", 8]', "[-1]", "shape", "the shape of array a must be"),
        ('"bf16"', '"bf61"', "type", "the type of array a must be"),
        ('"bf16"', '"f16"', "array", "the element type of the array must be bf16"),
        ('"bf16"', '"bf16"\nfill = "some"', "fill", "the fill of array a must be"),
        ('"bf16"', '"u8"\nfill = 256', "fill", "an integer from 0 to 255; found 256"),
        ('"bf16"', '"u8"\nfill = 0.5', "fill", "an integer from 0 to 255; found 0.5"),
        ('"bf16"', '"bf16"\nfill = true', "fill", "the fill of array a must be"),
        ('"bf16"', '"bf16"\nview = 1', "view", "the view of array a must be true or false"),
        ('array = "a"', 'array = "b"', "array", "the array of map a_map must be a"),
        ('array = "a"', 'array = "a"\nbox = 3', "box", "box must be a list"),
        ('array = "a"', 'array = "a"\nbox = [300, 8]', "box", "extents of the box"),
        ('array = "a"', 'array = "a"\nbox = [8, 8]\nswizzle = "s"', "swizzle", "swizzle mode"),
        ('array = "a"', 'array = "a"\nswizzle = 3', "swizzle", "must be a text in quotes"),
        ('array = "a"', 'array = "a"\nfill = "some"', "fill", "the fill of a tensor map must be"),
        ('array = "a"', 'array = "a"\nelement = "some"', "element", "the element type must be"),
        ("args", "[sizes]\n[sizes]\nargs", "", "TOML: Cannot declare sizes twice"),
        ("args", "[b.'c d']\n[b.'c d']\nargs", "", "TOML: Cannot declare b.c d twice"),
    ],
)
def test_the_wrong_key_is_marked(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    right: str,
    wrong: str,
    marked: str,
    message: str,
) -> None:
    assert right in LAUNCH
    (tmp_path / "kernel.mlir").write_text(KERNEL)
    (tmp_path / "kernel.toml").write_text(LAUNCH.replace(right, wrong, 1))
    assert main(["sim", str(tmp_path / "kernel.mlir")]) == (2 if message else 0)
    error = capsys.readouterr().err
    assert message in error
    if marked:
        _, line, carets, *_ = error.split("\n")
        assert line[carets.index("^") :][: carets.count("^")] == marked


def test_an_expression_is_marked_where_it_is_not_part_of_another(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = 'mm = 1\nn = 8\n[arrays.a]\nshape = ["mm", "m"]'
    launch = LAUNCH.replace('n = 8\n[arrays.a]\nshape = ["n", 8]', wrong)
    (tmp_path / "kernel.mlir").write_text(KERNEL)
    (tmp_path / "kernel.toml").write_text(launch)
    assert main(["sim", str(tmp_path / "kernel.mlir")]) == 2
    _, line, carets, *_ = capsys.readouterr().err.split("\n")
    assert carets.index("^") == line.index('"m"') + 1

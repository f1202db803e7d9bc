"""Tests of launch files with several launches, reference functions, and views of files."""

import json
import re
import sys
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from tcgen05_dialect.simulator.launch.arrays import TYPES
from tcgen05_dialect.simulator.launch.expected import PreparedLaunch
from tcgen05_dialect.simulator.launch.launch_file import read_launches
from tcgen05_dialect.simulator.machine.errors import LaunchError
from tcgen05_dialect.tools.main import main

SCALE = """
ptx.kernel @scale(%data : i64, %factor : i32, %n : i32) {
  %thread = ptx.special_register tid.x
  %four = ptx.constant 4 : i32
  %at = ptx.mad.wide u32 %thread, %four, %data
  %is_inside = arith.cmpi ult, %thread, %n : i32
  scf.if %is_inside {
    %value = ptx.ld global b32 [%at] -> i32
    %product = ptx.mul lo u32 %value, %factor
    ptx.st global b32 [%at], {%product}
  }
  ptx.ret
}
"""
LAUNCHES = """
block = [32]
[sizes]
n = 8
factor = 3
[arrays.data]
shape = ["n"]
type = "u32"
fill = "unique"
[expected]
data = "data * factor"
[launches.plain]
[launches.large]
sizes = {n = 64, factor = 5}
block = [64]
[launches.zero]
expected.data = 0
sizes.factor = 0
"""
REFERENCE = """from __future__ import annotations; import collections, dataclasses
def scaled(data, factor):
    return data * factor

def by_name(factor, **rest):
    assert sorted(rest) == ["data", "n"]
    data = rest["data"] * factor
    rest["data"][:] = 7
    print("scaled", len(data), "numbers")
    return {"data": data}

def wrong(data):
    rows = 2
    return data.reshape(rows, 7)

def nothing(data): return None
def a_dict(data): return {}
def other(data): return {"other": data}
def array(data): return data
def unknown(dat): return dat
def with_default(data, other=2): return data * 3
def leaves(): raise SystemExit(3)
def several_lines(): raise ValueError("first\\nsecond")
def text(): return ["a", "b"]
def neighbour(data):
    import neighbour_of_reference
    return data * neighbour_of_reference.FACTOR
number = 3
def ragged(data): return [[1, 2], [3]]
def loses_its_path(data):
    import sys
    sys.path = []
    return data * 3
def changes_its_path(data):
    import sys
    sys.path.clear()
    return data * 3
class Silent(Exception):
    def __str__(self): raise OSError
def silent(): raise Silent
class Final(BaseException): pass
def final(): raise Final("end")
def like_syntax(): raise SyntaxError("odd", (__file__, "x", [], None))
class Odd(collections.UserDict):
    def __iter__(self): raise OSError("no keys")
def odd(): return Odd(data=3)
def ragged_by_name(data): return {"data": [[1, 2], [3]]}
def numbers_by_name(data): return {3: data}

@dataclasses.dataclass
class Factor:
    number: "int" = 3

def with_class(data):
    return data * Factor().number
"""


@pytest.fixture
def kernel(tmp_path: Path) -> Path:
    path = tmp_path / "scale.mlir"
    path.write_text(SCALE)
    path.with_suffix(".toml").write_text(LAUNCHES)
    (tmp_path / "reference.py").write_text(REFERENCE)
    (tmp_path / "neighbour_of_reference.py").write_text("FACTOR = 3")
    return path


def sim(kernel: Path, *options: str) -> int:
    return main(["sim", str(kernel), *options])


def test_each_launch_runs_and_is_named(kernel: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert sim(kernel) == 0
    lines = capfd.readouterr().out.splitlines()
    assert [line for line in lines if line.startswith(("launch", "as"))] == [
        *("launch plain", "as expected: data"),
        *("launch large", "as expected: data"),
        *("launch zero", "as expected: data"),
    ]
    assert sum("warp 0:" in line for line in lines) == 3
    assert sim(kernel, "--only", "large", "--size", "n=40") == 0
    lines = capfd.readouterr().out.splitlines()
    assert lines[:2] == ["launch large", "as expected: data"]
    assert sum(line.startswith("launch") for line in lines) == 1


def test_launches_after_one_that_fails_run_too(
    kernel: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert sim(kernel, "--arg=factor=5", "--format=json") == 1
    launches = json.loads(capfd.readouterr().out)["launches"]
    assert [launch["launch"] for launch in launches] == ["plain", "large", "zero"]
    assert [len(launch["differences"]) for launch in launches] == [0, 0, 1]
    assert all(launch["statistics"] for launch in launches)


def test_json_has_the_launches_before_one_that_is_invalid(
    kernel: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    kernel.with_suffix(".toml").write_text(LAUNCHES + "block = [2000]\n")
    assert sim(kernel, "--format=json") == 2
    captured = capfd.readouterr()
    launches = json.loads(captured.out)["launches"]
    assert [launch["launch"] for launch in launches] == ["plain", "large", None]
    (finding,) = launches[-1]["findings"]
    assert finding["file"] == str(kernel.with_suffix(".toml"))
    assert finding["message"].startswith("launch zero: the block must be one to three")
    assert launches[-1]["statistics"] is None
    assert captured.err == ""


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--only=gone"], "--only: the name of a launch must be plain, large or zero; found gone"),
        (["--block=2000"], "--block: launch plain: the block must be one to three"),
        (["--size=q=1"], "--size q: launch plain: the name of a size must be n or factor"),
        (
            ["--arg=facto=1"],
            "--arg facto: launch plain: the name of a parameter, an array or a size",
        ),
    ],
)
def test_errors_name_the_launch(
    kernel: Path, options: list[str], message: str, capfd: pytest.CaptureFixture[str]
) -> None:
    assert sim(kernel, *options) == 2
    assert re.match(rf"tcgen05 sim: error(\[.*\])?: {re.escape(message)}", capfd.readouterr().err)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ("[launches.bad]\nlaunches = 3", "launch bad: a key of [launches.bad] must be kernel, "),
        ("[launches.bad]\nsizes = 3", "launch bad: sizes must be a table; found 3"),
        ("[launches.bad]\ngrid = ['n + x']", "launch bad: grid: unknown name x"),
        (
            "expected = 'data * 2'",
            "expected must be a table, or a function such as reference.py:ge",
        ),
        (
            "[launches.bad]\narrays.data.shap = [3]",
            "launch bad: a key of [arrays.data] must be shape, type, fill or view; found shap\n  ",
        ),
        ("[launches.bad]\nsizes.n = '8'", 'launch bad: size n must be a number; found "8"'),
        ("[launches.bad]\nkernel = 3", "launch bad: kernel must be a text in quotes; found 3"),
        ("[launches.bad]\nargs = ['a', 'data']", "launch bad: argument a has no value; give it "),
        ("[launches.bad]\nmaps.m.array = 'dat'", "launch bad: the array of map m must be data; "),
        ("launches = 3", "launches must be a table; found 3"),
        ("launches.bad = 3", "launch bad: bad must be a table; found 3"),
    ],
)
def test_launches_that_cannot_be_used(
    kernel: Path, change: str, message: str, capfd: pytest.CaptureFixture[str]
) -> None:
    path = kernel.with_suffix(".toml")
    before, _, _ = LAUNCHES.partition("[expected]")
    path.write_text(f"{change}\n{before}" if "[" not in change else f"{before}\n{change}\n")
    assert sim(kernel) == 2
    line = path.read_text().splitlines().index(change.splitlines()[-1]) + 1
    place = rf"{re.escape(str(path))}:{line}:\d+: error: "
    assert re.match(place + re.escape(message), capfd.readouterr().err)


@pytest.mark.parametrize(
    "expected",
    [
        'expected.data = "reference.py:scaled"',
        'expected = "reference.py:by_name"',
        'expected.data = "reference.py:with_default"',
        'expected.data = "reference.py:neighbour"',
        'expected.data = "reference.py:with_class"',
        'expected.data = "reference.py:loses_its_path"',
        'expected.data = "reference.py:changes_its_path"',
    ],
)
def test_reference_functions(
    kernel: Path, expected: str, capfd: pytest.CaptureFixture[str]
) -> None:
    before, _, _ = LAUNCHES.partition("[expected]")
    path = kernel.with_suffix(".toml")
    path.write_text(f"{expected}\n{before}")
    searched, folders = sys.path, [*sys.path]
    assert sim(kernel, "--format=json") == 0
    assert sys.path is searched and sys.path == folders
    captured = capfd.readouterr()
    assert json.loads(captured.out)["launches"][0]["differences"] == []
    assert ("scaled 8 numbers" in captured.err) == ("by_name" in expected)
    assert sim(kernel, "--arg=factor=4") == int(
        "scaled" not in expected and "by_name" not in expected
    )
    assert not (kernel.parent / "__pycache__" / "reference.cpython-311.pyc").exists()


def test_a_reference_function_of_an_option(kernel: Path, capfd: pytest.CaptureFixture[str]) -> None:
    option = f"--expect=data={kernel.parent / 'reference.py'}:scaled"
    assert sim(kernel, "--only=plain", option) == 0
    path = kernel.with_suffix(".toml")
    path.write_text('expected = "gone.py:gone"\n' + LAUNCHES.partition("[expected]")[0])
    assert sim(kernel, option) == 0
    assert sim(kernel) == 2
    error = capfd.readouterr().err
    message = f"cannot read {kernel.parent / 'gone.py'}: No such file"
    assert error.startswith(f"{path}:1:1: error: {message}")


@pytest.mark.parametrize(
    ("function", "place", "message"),
    [
        ("wrong", "14:12", "the reference raises ValueError: cannot reshape array of size 8 into"),
        ("nothing", "16:1", "nothing must return an array; found None"),
        ("a_dict", "17:1", "a_dict must return an array; found a value of type dict"),
        ("unknown", "20:1", "unknown has a parameter dat, which names no array and no size; the n"),
        ("leaves", "22:15", "the reference raises SystemExit: 3"),
        ("several_lines", "23:22", "the reference raises ValueError: first"),
        ("ragged", "29:1", "ragged must return an array; found a value of type list, which cannot"),
        ("silent", "40:15", "the reference raises Silent"),
        ("final", "42:14", "the reference raises Final: end"),
        ("like_syntax", "43:20", "the reference raises SyntaxError: odd"),
        ("scald", "", "the file defines no function scald"),
        ("number", "", "the file defines no function number"),
    ],
)
def test_errors_of_a_reference_have_its_place(
    kernel: Path, function: str, place: str, message: str, capfd: pytest.CaptureFixture[str]
) -> None:
    path = kernel.with_suffix(".toml")
    path.write_text(LAUNCHES.replace('"data * factor"', f'"reference.py:{function}"'))
    assert sim(kernel, "--only=plain") == 2
    error = capfd.readouterr().err
    where = f"{path.parent / 'reference.py'}{place and f':{place}'}"
    assert error.startswith(f"{where}: error: launch plain: {message}")
    assert sum(not line.startswith("  ") for line in error.splitlines()) == 1


@pytest.mark.parametrize(
    ("function", "message"),
    [
        ("array", "array must return a dict of expected arrays by name; found a value of type nd"),
        ("other", "other must return expected arrays by name (data); found other"),
        ("odd", "odd must return a dict of expected arrays by name; found a value of type Odd, wh"),
        ("ragged_by_name", "ragged_by_name must return arrays; found a value of type list, which"),
        ("numbers_by_name", "arrays by name (data); found a value of type int"),
    ],
)
def test_a_reference_for_all_arrays_returns_a_dict(
    kernel: Path, function: str, message: str, capfd: pytest.CaptureFixture[str]
) -> None:
    path = kernel.with_suffix(".toml")
    before, _, _ = LAUNCHES.partition("[expected]")
    path.write_text(f'expected = "reference.py:{function}"\n{before}')
    assert sim(kernel) == 2
    assert message in capfd.readouterr().err


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("\0", "reference.py: error: syntax error: source code string cannot contain"),
        ("\udcff", "cannot read "),
        ("def f(data):\n  return data +\n", "reference.py:2:16: error: syntax error: invalid"),
        ("x = 1\nx.gone\n", "reference.py:2:1: error: the reference raises AttributeError: 'int'"),
        ("def f(): return ['a']", "the expected content of data must be numbers of shape 8"),
        ("def f(): return 'a'", "the expected content of data must be numbers, or u32; found <U1"),
        ("def f(): return 0.5", "the expected content of data must be numbers that u32 holds; f"),
    ],
)
def test_references_that_cannot_be_used(
    kernel: Path, content: str, message: str, capfd: pytest.CaptureFixture[str]
) -> None:
    (kernel.parent / "reference.py").write_text(content, errors="surrogateescape")
    text = LAUNCHES.partition("[launches")[0].replace('"data * factor"', '"reference.py:f"')
    kernel.with_suffix(".toml").write_text(text)
    assert sim(kernel) == 2
    assert message in capfd.readouterr().err


def read(path: Path) -> PreparedLaunch:
    ((_, launch),) = read_launches(path, {}, {}, 0, lambda _: ())
    return launch


@pytest.mark.parametrize("type_", ["bf16", "f16", "e4m3", "f32", "u32"])
def test_references_get_numbers_of_at_least_32_bits(tmp_path: Path, type_: str) -> None:
    """Sums of short types would be rounded."""
    path = tmp_path / "launch.toml"
    array = f'{{shape = [3], type = "{type_}", fill = "ones"}}'
    path.write_text(f'expected.a = "reference.py:f"\narrays.a = {array}')
    (tmp_path / "reference.py").write_text(
        "import ml_dtypes\n"
        "def f(a):\n"
        "    assert a.dtype.itemsize == 4\n"
        f"    return a.astype(ml_dtypes.bfloat16 if {type_ != 'u32'} else a.dtype)\n"
    )
    launch = read(path)
    assert launch.differences() == []
    assert launch.expected["a"].dtype == np.dtype(TYPES[type_])


def launch_with(folder: Path, saved: Any, array: str, expected: str = "") -> PreparedLaunch:
    np.save(folder / "a.npy", saved)
    path = folder / "launch.toml"
    path.write_text(f"{expected}\n[arrays.a]\nfill = 'a.npy'\n{array}\n")
    return read(path)


NUMBERS = np.array([1, -2.5, 0, 3e8], ml_dtypes.bfloat16)


@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("kind", ["i", "u"])
def test_integers_are_viewed_as_bits_if_said(tmp_path: Path, order: str, kind: str) -> None:
    bits = NUMBERS.view(np.uint16).astype(f"{order}{kind}2")
    launch = launch_with(tmp_path, bits, "type = 'bf16'\nview = true", "expected.a = 'a.npy'")
    assert np.array_equal(launch.arrays["a"], NUMBERS)
    assert launch.differences() == []
    bits = np.array([0x3C, 0x40], f"{kind}1")
    e5m2 = launch_with(tmp_path, bits, "type = 'e5m2'\nview = true").arrays["a"]
    assert e5m2.astype(float).tolist() == [1, 2]
    launch = launch_with(tmp_path, bits, "type = 'e5m2'\nview = false")
    assert launch.arrays["a"].astype(float).tolist() == [0x40 - 0, 0x40]


@pytest.mark.parametrize(
    ("saved", "array", "message"),
    [
        (np.zeros(2, "u2"), "type = 'bf16'", "or view must say what its integers are (true for"),
        (np.zeros(2, "i1"), "type = 'e4m3'", "must be floating-point numbers, or view must say"),
        (
            np.zeros(2, "u2"),
            "type = 'f32'\nview = true",
            "4 bytes, as f32 has; found elements of 2",
        ),
        (np.zeros(2, "u2"), "type = 'bf16'\nview = 1", "the view of array a must be true or false"),
    ],
)
def test_integers_that_may_be_bits_or_numbers(
    tmp_path: Path, saved: Any, array: str, message: str
) -> None:
    with pytest.raises(LaunchError, match=re.escape(message)):
        launch_with(tmp_path, saved, array)


def test_files_of_another_byte_order_have_a_type(tmp_path: Path) -> None:
    launch = launch_with(tmp_path, np.array([1.5, 2], ">f4"), "")
    assert launch.arrays["a"].dtype == np.float32
    assert launch.arrays["a"].tolist() == [1.5, 2]


SEQUENCE = """
sequence = true
block = [32]
sizes = {n = 8}
arrays.data = {shape = ["n"], type = "u32", fill = "unique"}
expected.data = "data * 15"
[launches.first]
args = ["data", 3, "n"]
expected.data = "data * 3"
[launches.second]
args = ["data", 5, "n"]
"""


def test_launches_of_a_sequence_share_their_arrays(
    kernel: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    launches = kernel.with_suffix(".toml")
    launches.write_text(SEQUENCE)
    assert sim(kernel) == 0
    assert capfd.readouterr().out.count("as expected: data") == 2
    assert sim(kernel, "--expect", "data=data * 14") == 1
    assert "data: 7 of 8 elements differ" in capfd.readouterr().out
    # One launch alone begins with the content of the file.
    assert sim(kernel, "--only", "second", "--expect", "data=data * 5") == 0
    for wrong, message in (
        (SEQUENCE + "sizes.n = 4", "the launches of a sequence share their sizes"),
        (SEQUENCE + "arrays.data.fill = 1", "the launches of a sequence share their arrays"),
        (SEQUENCE.replace("true", "1"), "sequence must be true or false; found 1"),
    ):
        capfd.readouterr()
        launches.write_text(wrong)
        assert sim(kernel) == 2
        assert message in capfd.readouterr().err

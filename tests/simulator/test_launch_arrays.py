"""Tests of the arrays of a launch: their files and contents, and their comparison after a run."""

import re
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tcgen05_dialect.reporting.diagnostics import CompileError
from tcgen05_dialect.simulator.launch.arrays import TYPES

from ..support.launches import read


def saved(array: Any) -> bytes:
    file = BytesIO()
    np.save(file, array)
    return file.getvalue()


_DAMAGED = "a.npy: not a complete .npy file of numbers"


GOOD = saved(np.arange(12, dtype=np.float32).reshape(3, 4))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (saved(np.array([object()])), _DAMAGED),
        (saved(np.array([{"a": 1}], dtype=object)), _DAMAGED),
        (GOOD[:-1], _DAMAGED),
        (GOOD[:70], _DAMAGED),
        (GOOD[:5], _DAMAGED),
        (b"", _DAMAGED),
        (b"PK\x03\x04" + GOOD, _DAMAGED),
        (GOOD.replace(b"(3, 4)", b"(-1, )"), _DAMAGED),
        (GOOD.replace(b"(3, 4)", b"(9**9)"), _DAMAGED),
        (GOOD.replace(b"(3, 4), }             ", b"(99999999999, 9999), }"), _DAMAGED),
        (GOOD.replace(b"<f4", b"|O8"), _DAMAGED),
        (GOOD.replace(b"'<f4'", b"[1,2]"), _DAMAGED),
        (saved(np.array(["a", "b"])), "the content of the file for a must be numbers, or f16"),
        (saved(np.zeros(2, np.complex64)), "must be numbers"),
        (saved(np.zeros(2, "M8[s]")), "must be numbers, or f16"),
        (saved(np.zeros(2, "V4")), "must be 2 bytes, as f16 has"),
        (saved(np.zeros(2, [("x", "f2")])), "must be numbers, or f16"),
        (saved(np.array([1e6])), "must be numbers that f16 holds"),
        (GOOD, "shape of the file for array a must be 2"),
    ],
)
def test_files_of_arrays_that_cannot_be_used(tmp_path: Path, content: bytes, message: str) -> None:
    (tmp_path / "a.npy").write_bytes(content)
    array = {"fill": str(tmp_path / "a.npy"), "type": "f16", "shape": [2]}
    with pytest.raises(CompileError, match=re.escape(message)):
        read(None, {"arrays": {"a": array}})


def test_what_is_expected_has_the_shape_of_its_array() -> None:
    arrays = {"a": {"shape": [2]}, "b": {"shape": [3]}}
    message = "content of a must be numbers of shape 2, or one number; found the shape 3"
    with pytest.raises(CompileError, match=message):
        read(None, {"arrays": arrays, "expected": {"a": "b"}})


@pytest.mark.parametrize("type_", TYPES)
def test_random_numbers_are_those_of_their_type(type_: str) -> None:
    array = {"shape": [200], "type": type_, "fill": "random"}
    found = read(None, {"arrays": {"a": array}}).arrays["a"].astype(np.float64)
    assert (np.abs(found) <= 4).all()
    assert len(np.unique(found)) > 2


@pytest.mark.parametrize(("type_", "fill"), [("u8", 0x44), ("s8", -128), ("bf16", 0.5)])
def test_an_array_of_one_number(type_: str, fill: float) -> None:
    array = {"shape": [2, 3], "type": type_, "fill": fill}
    found = read(None, {"arrays": {"a": array}}).arrays["a"]
    assert (found.shape, {*found.astype(np.float64).flat}) == ((2, 3), {fill})


def test_a_folder_and_what_is_no_file_are_no_arrays(tmp_path: Path) -> None:
    (tmp_path / "a.npy").mkdir()
    (tmp_path / "b.npy").symlink_to(tmp_path / "b.npy")
    for name in ("a.npy", "b.npy"):
        with pytest.raises(CompileError, match=f"cannot read .*{name}: "):
            read(None, {"arrays": {"a": {"fill": str(tmp_path / name)}}})


@pytest.mark.parametrize("order", ["C", "F"])
@pytest.mark.parametrize("type_", ["f32", "bf16", "e4m3", "u8", "s64", "f16"])
def test_arrays_of_files_are_what_was_saved(tmp_path: Path, type_: str, order: Any) -> None:
    """Also those of other byte orders, and those that are not in the order of C."""
    numbers = np.arange(6).reshape(2, 3)
    for dtype in (">f8", "<i2", "u1"):
        np.save(tmp_path / "a.npy", np.array(numbers, dtype, order=order))
        array = {"fill": str(tmp_path / "a.npy"), "type": type_, "view": False}
        launch = read(None, {"arrays": {"a": array}, "expected": {"a": array["fill"]}})
        found = launch.arrays["a"]
        assert found.flags.c_contiguous
        assert np.array_equal(found.astype(np.int64), numbers)
        assert launch.differences() == []
        found[1, 2] = 7
        expected = "the first at (1, 2): found 7(.0)?, expected 5(.0)?"
        assert re.search(re.escape("(1, 2)"), str(launch.differences()[0])), expected


def test_results_are_compared_exactly_or_within_a_tolerance() -> None:
    array = {"shape": [2], "type": "u64", "fill": "zeros"}
    launch = read(None, {"arrays": {"a": array}, "expected": {"a": 0}})
    launch.arrays["a"][0] = (1 << 63) + 1
    launch.expected["a"][0] = 1 << 63
    assert "1 of 2 elements differ" in str(launch.differences()[0])
    launch.tolerance = 1e-9
    assert launch.differences() == []


def test_a_tolerance_is_a_part_of_the_largest_number() -> None:
    array = {"shape": [4], "type": "f32", "fill": "zeros"}
    launch = read(None, {"arrays": {"a": array}, "expected": {"a": 0}})
    launch.expected["a"][:] = (1e-7, 100, np.inf, np.nan)
    launch.arrays["a"][:] = (0, 101, np.inf, np.nan)
    (line,) = map(str, launch.differences())
    assert line.startswith("a: 2 of 4 elements differ, the first at (0,): found 0.0, expected ")
    assert line.endswith(
        "the largest difference is 1, and the largest expected number is 100 (tolerance 0 of it)"
    )
    launch.tolerance = 0.009
    assert str(launch.differences()[0]).startswith("a: 1 of 4 elements differ, the first at (1,)")
    launch.tolerance = 0.01
    assert launch.differences() == []
    launch.arrays["a"][2:] = 0
    assert "2 of 4 elements differ, the first at (2,)" in str(launch.differences()[0])
    message = "; in 2 of them, the found or the expected number is infinite or NaN"
    assert str(launch.differences()[0]).endswith(message)
    launch.arrays["a"][1] = 0
    assert f"{message}; in the others, the largest difference is 100, and " in str(
        launch.differences()[0]
    )

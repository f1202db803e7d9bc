"""Tests of hostile launch files and files of arrays: one clear error each."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tcgen05_dialect.simulator.launch.expected import PreparedLaunch
from tcgen05_dialect.simulator.launch.launch_file import read_launches
from tcgen05_dialect.simulator.machine.errors import LaunchError

from ..support.effort import part

UNHURRIED = settings(
    deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow]
)
TEXTS = st.sampled_from(
    [
        *(
            "m",
            "a",
            "-m",
            "a @ a.T",
            "max(m, 1)",
            "ones",
            "random",
            "bf16",
            "swizzle_128b",
            "b.npy",
        ),
        *("ceildiv(m, 0)", "m // 0", "exp2(99999)", "(((", "1e400", "9" * 900, "-" * 900 + "1"),
        *("", "\0", "m" + ".T" * 300, "a" * 2000, "__import__('os')", "f(*a)", "[1][0]"),
        *("max(a, axis=9)", "a ** a", "repeat(a, 9 ** 15)", "reshape(a, -1, 2 ** 70)", "x.py:f"),
        *("9 ** 9 ** 9", "sum(a, axis=a)", "where(a, a)", "transpose(a, m)", "1 / (m - m)", "-a %"),
        *("lambda: 0", "m if m else a", "9" * 300 + "*9" * 300),
    ]
)
VALUES = st.recursive(
    st.one_of(
        st.integers(-2, 300),
        st.sampled_from([1 << 31, 1 << 64, 10**30, -(10**30), True, float("inf"), float("nan")]),
        st.floats(),
        TEXTS,
        st.text(max_size=5),
        st.dates(),
    ),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(TEXTS, inner, max_size=3)),
    max_leaves=6,
)
PARTS = {
    "arrays": ("a", ("shape", "type", "fill", "view", "gone")),
    "maps": ("a_map", ("array", "box", "swizzle", "element", "fill")),
}
KEYS = (
    *("kernel", "grid", "block", "cluster", "dynamic_shared_memory", "args", "tolerance"),
    *("expected", "launches"),
)


def good() -> dict[str, Any]:
    return {
        "grid": ["m"],
        "args": ["a_map", "a", "m"],
        "sizes": {"m": 8},
        "arrays": {"a": {"shape": ["m", 8], "type": "bf16", "fill": "random"}},
        "maps": {"a_map": {"array": "a", "box": [8, 8]}},
        "expected": {"a": "a"},
    }


@st.composite
def launches(draw: st.DrawFn) -> dict[str, Any]:
    """A launch in which up to three things are something else."""
    launch = good()
    changed: dict[str, Any] = {}
    for kind in draw(st.lists(st.sampled_from(["part", "part", "name", "key"]), max_size=3)):
        table = draw(st.sampled_from(list(PARTS)))
        name, keys = PARTS[table]
        if kind == "part":
            launch[table][name][draw(st.sampled_from(keys))] = draw(VALUES)
        elif kind == "name":
            launch[draw(st.sampled_from(["expected", "sizes"]))] = {draw(TEXTS): draw(VALUES)}
        else:
            changed[draw(st.sampled_from([*KEYS, *launch]))] = draw(VALUES)
    return {**launch, **changed}


def read(path: Path | None, changes: dict[str, Any]) -> PreparedLaunch | None:
    """The last launch, None if one is refused as it must be."""
    try:
        *_, (_, launch) = read_launches(path, changes, {}, 0, lambda _: ())
        return launch
    except LaunchError as error:
        assert "\n" not in error.message
        return None


def test_the_launch_that_is_changed_is_good() -> None:
    assert read(None, good()) is not None


def _empty(*extents: int) -> dict[str, Any]:
    launch = good()
    launch["arrays"]["a"]["shape"] = [0, *extents]
    return launch


@pytest.mark.slow
@settings(UNHURRIED, max_examples=part(300))
@example({**good(), "kernel": [0, 1, 1, 10**30]})
@example({**good(), "kernel": [1, 1, 1, 5]})
@example(_empty(10**30))
@given(launches())
def test_hostile_launches(launch: dict[str, Any]) -> None:
    if (found := read(None, launch)) is not None:
        found.differences()


@settings(UNHURRIED, max_examples=part(100))
@given(
    st.one_of(
        st.binary(max_size=40),
        TEXTS.map(str.encode),
        st.sampled_from(
            [
                *(b"a = " + b"[" * 2000, b"m = " + b"9" * 5000, b"sizes.m = " + b"9" * 4000),
                *(b"[[args]]\n" * 9, b"a.b" + b".c" * 2000 + b" = 1", b"a = 1\na = 2", b"\xff"),
                *(b"[sizes]\n[sizes]", b"grid = 1979-05-27", b"[arrays.a.shape]\n"),
            ]
        ),
    )
)
def test_texts_that_are_no_launch_file(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "hostile.toml"
    path.write_bytes(content)
    read(path, {})


@pytest.mark.slow
@settings(UNHURRIED, max_examples=part(200))
@given(st.integers(0, 127), st.binary(min_size=1, max_size=6), st.integers(0, 20))
def test_changed_files_of_arrays(tmp_path: Path, at: int, new: bytes, cut: int) -> None:
    path = tmp_path / "changed.npy"
    np.save(path, np.arange(12, dtype=np.float32).reshape(3, 4))
    content = path.read_bytes()
    path.write_bytes((content[:at] + new + content[at + len(new) :])[: len(content) - cut])
    read(None, {"arrays": {"a": {"fill": str(path), "type": "f32"}}})

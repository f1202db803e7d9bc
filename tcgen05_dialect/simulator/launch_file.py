"""
Launch files: what a kernel is run with, as TOML.

    kernel = "gemm"                       # may be left out if there is only one
    grid = ["ceildiv(m, 128)", 1]         # numbers or expressions, as all sizes here
    dynamic_shared_memory = 196608        # bytes
    args = ["a_map", "c", "m"]            # names of what follows, in the order of the parameters

    [sizes]                               # numbers with names; `--size m=256` changes them
    m = 256

    [arrays.a]
    shape = ["m", 64]
    type = "bf16"
    fill = "random"                       # random, unique, ones, zeros, or the name of a .npy file

    [maps.a_map]
    array = "a"
    box = [64, 128]                       # innermost dimension first
    swizzle = "swizzle_128b"

    [expected]
    c = "a @ a.T"                         # an expression, or the name of a .npy file
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import ml_dtypes
import numpy as np
import numpy.typing as npt

from ..diagnostics import CompileError
from ..isa.simulation import LAUNCH
from .expression import evaluate
from .launch import Argument
from .tensor_map import TensorMap

Array = npt.NDArray[Any]

_TYPES: Mapping[str, Any] = {
    "bf16": ml_dtypes.bfloat16,
    "f16": np.float16,
    "f32": np.float32,
    "f64": np.float64,
    "e4m3": ml_dtypes.float8_e4m3fn,
    "e5m2": ml_dtypes.float8_e5m2,
    "ue8m0": ml_dtypes.float8_e8m0fnu,
    **{
        f"{sign}{bits}": np.dtype(f"{kind}{bits // 8}").type
        for sign, kind in (("u", "u"), ("s", "i"))
        for bits in (8, 16, 32, 64)
    },
}
_FILLS = ("random", "unique", "ones", "zeros")
_KEYS = {
    "": (
        "kernel",
        "grid",
        "block",
        "cluster",
        "dynamic_shared_memory",
        "args",
        "sizes",
        "arrays",
        "maps",
        "expected",
        "tolerance",
    ),
    "arrays": ("shape", "type", "fill"),
    "maps": ("array", "box", "swizzle", "element", "fill"),
}
_LARGEST = 4
"""Random integers are of at most this magnitude, so that sums of products stay exact."""


@dataclass
class LaunchFile:
    """What a launch file says, with all expressions evaluated and all arrays made."""

    kernel: str | None
    grid: tuple[int, ...]
    block: tuple[int, ...] | None
    cluster: tuple[int, ...] | None
    dynamic_shared_memory: int
    args: list[Argument]
    arrays: Mapping[str, Array]
    expected: Mapping[str, Array]
    tolerance: float

    def differences(self) -> list[str]:
        """What is not as expected, one line for each array."""
        found: list[str] = []
        for name, expected in self.expected.items():
            actual = self.arrays[name].astype(np.float64)
            wrong = ~np.isclose(actual, expected, rtol=self.tolerance, atol=0, equal_nan=True)
            if wrong.any():
                place = tuple(int(i) for i in np.argwhere(wrong)[0])
                found.append(
                    f"{name}: {int(wrong.sum())} of {wrong.size} elements differ, the first at "
                    f"{place}: found {actual[place]}, expected {expected[place]}"
                )
        return found


def read_launch_file(path: Path, sizes: Mapping[str, int], seed: int) -> LaunchFile:
    """
    Read a launch file; `sizes` replace those in it, `seed` is for its random arrays.

    Raises CompileError.
    """
    try:
        given = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise CompileError(f"cannot read {path}: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise CompileError(str(error), str(path)) from error
    return _Reader(given, path.parent, np.random.default_rng(seed)).read(sizes)


class _Reader:
    def __init__(self, given: dict[str, Any], folder: Path, random: np.random.Generator):
        self._given = given
        self._folder = folder
        self._random = random

    def read(self, sizes: Mapping[str, int]) -> LaunchFile:
        """Raises Violation."""
        given = self._given
        _check_keys(given, "")
        own = _table(given, "sizes")
        for name in sizes:
            if name not in own:
                raise LAUNCH.violation(f"size {name}", tuple(own) or "none", "sizes")
        names: dict[str, Any] = {**own, **sizes}
        for name, value in names.items():
            if not isinstance(value, int) or isinstance(value, bool):
                raise LAUNCH.violation(value, "an integer", f"size {name}")
        arrays = {name: self._array(name, names) for name in _table(given, "arrays")}
        before = {name: array.astype(np.float64) for name, array in arrays.items()}
        maps = {name: self._map(name, arrays, names) for name in _table(given, "maps")}
        values: dict[str, Argument] = {**names, **{n: _bits(a) for n, a in arrays.items()}, **maps}
        args = [_found(values, name, "argument") for name in _list(given, "args", [])]
        expected = {
            name: self._expected(text, _found(arrays, name, "expected array"), {**names, **before})
            for name, text in _table(given, "expected").items()
        }
        return LaunchFile(
            given.get("kernel"),
            self._extents("grid", names) or (1,),
            self._extents("block", names),
            self._extents("cluster", names),
            int(evaluate(given.get("dynamic_shared_memory", 0), names)),
            args,
            arrays,
            expected,
            float(given.get("tolerance", 0)),
        )

    def _extents(self, key: str, names: Mapping[str, Any]) -> tuple[int, ...] | None:
        given = self._given.get(key)
        return None if given is None else self._integers(_list(self._given, key, []), names, key)

    def _integers(
        self, given: Sequence[Any], names: Mapping[str, Any], what: str
    ) -> tuple[int, ...]:
        found = tuple(evaluate(_expression(each, what), names) for each in given)
        if not all(isinstance(each, int) for each in found):
            raise LAUNCH.violation(found, "integers", what)
        return found

    def _array(self, name: str, names: Mapping[str, Any]) -> Array:
        given = _table(_table(self._given, "arrays"), name)
        _check_keys(given, "arrays")
        dtype = np.dtype(_found(_TYPES, given.get("type", "f32"), f"type of array {name}"))
        fill = given.get("fill", "zeros")
        if isinstance(fill, str) and fill.endswith(".npy"):
            return self._load(fill).astype(dtype, copy=False)
        shape = self._integers(_list(given, "shape", []), names, f"shape of array {name}")
        if (
            any(extent < 0 for extent in shape)
            or np.prod(shape, dtype=float) * dtype.itemsize > _MOST
        ):
            raise LAUNCH.violation(shape, f"an array of at most {_MOST} bytes", f"array {name}")
        match fill:
            case "zeros":
                return np.zeros(shape, dtype)
            case "ones":
                return np.ones(shape, dtype)
            case "unique":
                return np.arange(np.prod(shape)).reshape(shape).astype(dtype)
            case "random":
                return self._random.integers(-_LARGEST, _LARGEST + 1, shape).astype(dtype)
            case _:
                raise LAUNCH.violation(fill, (*_FILLS, "NAME.npy"), f"fill of array {name}")

    def _load(self, name: str) -> Array:
        path = self._folder / name
        try:
            return np.ascontiguousarray(np.load(path, allow_pickle=False))
        except (OSError, ValueError, EOFError) as error:
            raise CompileError(f"cannot read {path}: {error}") from error

    def _map(self, name: str, arrays: Mapping[str, Array], names: Mapping[str, Any]) -> TensorMap:
        given = _table(_table(self._given, "maps"), name)
        _check_keys(given, "maps")
        array = _found(arrays, given.get("array"), f"array of map {name}")
        return TensorMap.of(
            _bits(array),
            self._integers(_list(given, "box", []), names, f"box of map {name}"),
            given.get("element") or _element(array),
            given.get("swizzle", "no_swizzle"),
            given.get("fill", "zero"),
        )

    def _expected(self, text: Any, array: Array, names: Mapping[str, Any]) -> Array:
        """In the type of the array, as float64."""
        if isinstance(text, str) and text.endswith(".npy"):
            value = self._load(text)
        else:
            value = evaluate(_expression(text, "expected"), names)
        try:
            return np.broadcast_to(np.asarray(value).astype(array.dtype), array.shape).astype(
                np.float64
            )
        except ValueError as error:
            raise LAUNCH.violation(
                f"shape {np.shape(value)}", f"shape {array.shape}", "expected result"
            ) from error


_MOST = 1 << 32


def _bits(array: Array) -> Array:
    """The same bytes with a dtype that numpy itself has."""
    return array.view(f"u{array.dtype.itemsize}") if array.dtype.kind == "V" else array


def _element(array: Array) -> str | None:
    return next((name for name in ("bf16",) if array.dtype == _TYPES[name]), None)


def _table(given: Mapping[str, Any], key: str) -> dict[str, Any]:
    found = given.get(key, {})
    if not isinstance(found, dict):
        raise LAUNCH.violation(found, "a table", key)
    return cast("dict[str, Any]", found)


def _list(given: Mapping[str, Any], key: str, default: list[Any]) -> list[Any]:
    found = given.get(key, default)
    if not isinstance(found, list):
        raise LAUNCH.violation(found, "a list", key)
    return cast("list[Any]", found)


def _expression(value: Any, what: str) -> str | int:
    if isinstance(value, (str, int)) and not isinstance(value, bool):
        return value
    raise LAUNCH.violation(value, "an integer or an expression", what)


def _found(values: Mapping[str, Any], name: Any, what: str) -> Any:
    if not isinstance(name, str) or name not in values:
        raise LAUNCH.violation(name, tuple(values), what)
    return values[name]


def _check_keys(given: Mapping[str, Any], table: str) -> None:
    for key in given:
        if key not in _KEYS[table]:
            raise LAUNCH.violation(key, _KEYS[table], "key of a launch file")

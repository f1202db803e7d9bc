"""Launch files: descriptions of a launch in TOML. docs/launch_files.md is the reference."""

import tomllib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite, prod
from operator import index
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from ...isa.model.rule import Violation, describe
from ...isa.targets import SHARED_BYTES
from ..machine.errors import LaunchError, of_launch, refused
from ..machine.tensor_map import TensorMap
from ..settings import Launch
from .arguments import Argument
from .arrays import FILLS, MOST_BYTES, SUFFIX, TYPES, Array, converted, generated, load, type_name
from .expression import evaluate

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


_MOST_CTAS = 1 << 20
Parameters = Callable[[str | None], Sequence[str]]
"""Function from the name of a kernel, or None for the only one, to its parameter names."""


class Difference(NamedTuple):
    """
    Array that differs from its expected content: `differing` of its `elements` differ, the first
    at index `first`. Numbers are strings because JSON lacks infinity and NaN.
    """

    array: str
    elements: int
    differing: int
    first: tuple[int, ...]
    found: str
    expected: str
    most_apart: str
    largest_expected: str
    tolerance: float

    def __str__(self) -> str:
        return (
            f"{self.array}: {self.differing} of {self.elements} elements differ, the first at "
            f"{self.first}: found {self.found}, expected {self.expected}; at most "
            f"{self.most_apart} apart, where {self.largest_expected} is the largest number "
            f"expected (tolerance {self.tolerance:g} of it)"
        )


@dataclass
class LaunchFile:
    """Content of a launch file, with all expressions evaluated and all arrays created."""

    launch: Launch
    arguments: list[Argument]
    arrays: Mapping[str, Array]
    expected: Mapping[str, Array]
    tolerance: float

    def differences(self) -> list[Difference]:
        """Arrays that differ from their expected content."""
        found: list[Difference] = []
        for name, expected in self.expected.items():
            actual = self.arrays[name]
            same = (actual == expected) | ((actual != actual) & (expected != expected))
            if same.all():
                continue
            apart, largest = _apart(actual, expected)
            if self.tolerance:
                same |= apart <= self.tolerance * largest
            if not same.all():
                place = tuple(int(i) for i in np.argwhere(~same)[0])
                found.append(
                    Difference(
                        name,
                        same.size,
                        int((~same).sum()),
                        place,
                        str(actual[place]),
                        str(expected[place]),
                        f"{float(apart[~same].max()):.3g}",
                        f"{largest:.3g}",
                        self.tolerance,
                    )
                )
        return found


def _apart(actual: Array, expected: Array) -> tuple[npt.NDArray[np.float64], float]:
    """Distances between actual and expected numbers (infinite for infinities and NaN), and the
    largest finite expected magnitude."""
    found, wanted = actual.astype(np.float64), expected.astype(np.float64)
    with np.errstate(invalid="ignore", over="ignore"):
        apart = np.nan_to_num(np.abs(found - wanted), nan=np.inf, posinf=np.inf)
    finite = np.abs(wanted[np.isfinite(wanted)])
    return apart, float(finite.max(initial=0))


def read_launch_file(
    path: Path | None,
    changes: Mapping[str, Any],
    sizes: Mapping[str, int],
    seed: int,
    parameters: Parameters,
    arguments: Collection[str] = (),
) -> LaunchFile:
    """
    Read a launch file, if any. `changes` has the structure of a launch file and overrides its
    values; `sizes` override its sizes. `seed` is for random arrays. `arguments` lists the names
    in `changes` that the launch file or the kernel must know.

    Raises LaunchError, and CompileError if the parameters of the kernel cannot be read.
    """
    given: dict[str, Any] = {}
    name = None if path is None else str(path)
    try:
        if path is not None:
            given = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise LaunchError(f"cannot read {path}: {error.strerror}") from error
    except ValueError as error:
        # Invalid TOML, bytes that are not UTF-8, and numbers that Python cannot parse.
        raise LaunchError(f"not a launch file in TOML: {error}", name) from error
    except RecursionError as error:
        raise LaunchError("tables are nested too deeply", name) from error
    folder = Path() if path is None else path.parent
    try:
        with np.errstate(all="ignore"), of_launch(name):
            _check_keys(given, "")
            reader = _Reader(_laid_over(given, changes), folder, seed, parameters)
            if arguments:
                reader.check_arguments(given, arguments)
            return reader.read(sizes)
    except Violation as error:
        raise LaunchError(str(error), name) from error
    except MemoryError as error:
        raise LaunchError("the arrays take more memory than there is", name) from error


def _laid_over(given: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Merge `changes` into tables recursively; values are replaced."""
    merged = dict(given)
    for key, value in changes.items():
        if isinstance(value, dict):
            value = _laid_over(_table(given, key), cast("dict[str, Any]", value))
        merged[key] = value
    return merged


class _Reader:
    def __init__(
        self, given: Mapping[str, Any], folder: Path, seed: int, parameters: Parameters
    ) -> None:
        self._given = given
        self._folder = folder
        self._random = np.random.default_rng(seed)
        self._parameters = parameters

    def check_arguments(self, file: Mapping[str, Any], given: Collection[str]) -> None:
        """Raise LaunchError for an argument unknown to the launch file and the kernel."""
        kernel = self._given.get("kernel")
        maps = _table(self._given, "maps")
        known = [*_table(file, "arrays"), *_table(file, "sizes")]
        known += self._argument_names(kernel if isinstance(kernel, str) else None)
        legal = tuple(dict.fromkeys(name for name in known if name not in maps))
        for name in given:
            if name not in legal:
                raise refused(name, legal, "the name of an argument")

    def read(self, sizes: Mapping[str, int]) -> LaunchFile:
        """Evaluate the launch file. Raises LaunchError, Violation and CompileError."""
        given = self._given
        own = _table(given, "sizes")
        for name in sizes:
            if name not in own:
                raise refused(name, tuple(own), "the name of a size")
        names: dict[str, Any] = {**own, **sizes}
        for name, value in names.items():
            if type(value) is not int and not (isinstance(value, float) and isfinite(value)):
                raise refused(value, "a number", f"size {name}")
        kernel = given.get("kernel")
        if kernel is not None:
            kernel = _text(kernel, "kernel")
        for name in _table(given, "arrays"):
            if name in names:
                raise LaunchError(f"{name} names an array and a size; rename one of them")
        arrays = self._arrays(names)
        expected = self._all_expected(arrays, names)
        maps = {name: self._map(name, arrays, names) for name in _table(given, "maps")}
        values: dict[str, Argument] = {**names, **{n: _bits(a) for n, a in arrays.items()}, **maps}
        shared = self._integers(
            [given.get("dynamic_shared_memory", 0)], names, "dynamic_shared_memory"
        )[0]
        if not 0 <= shared <= max(SHARED_BYTES.values()):
            legal = f"0 to {max(SHARED_BYTES.values())} bytes"
            raise refused(shared, legal, "dynamic_shared_memory")
        launch = Launch(
            self._grid(names),
            self._extents("block", names),
            self._extents("cluster", names),
            shared,
            kernel,
        )
        return LaunchFile(
            launch,
            [_argument(values, name) for name in self._argument_names(kernel)],
            arrays,
            expected,
            self._tolerance(),
        )

    def _argument_names(self, kernel: str | None) -> Sequence[Any]:
        if "args" in self._given:
            return _list(self._given, "args", [])
        return self._parameters(kernel)

    def _tolerance(self) -> float:
        given = self._given.get("tolerance", 0)
        if type(given) in (int, float) and given >= 0 and isfinite(given):
            return float(given)
        raise refused(given, "a number of 0 or more", "tolerance")

    def _grid(self, names: Mapping[str, Any]) -> tuple[int, ...] | None:
        grid = self._extents("grid", names)
        if grid is not None and prod(grid) > _MOST_CTAS:
            raise refused(grid, f"at most {_MOST_CTAS} CTAs", "grid")
        return grid

    def _extents(self, key: str, names: Mapping[str, Any]) -> tuple[int, ...] | None:
        given = self._given.get(key)
        return None if given is None else self._integers(_list(self._given, key, []), names, key)

    def _integers(
        self, given: Sequence[Any], names: Mapping[str, Any], what: str
    ) -> tuple[int, ...]:
        found = [evaluate(_expression(each, what), names) for each in given]
        try:
            return tuple(map(index, found))
        except TypeError as error:
            raise refused(tuple(map(str, found)), "integers", what) from error

    def _arrays(self, names: Mapping[str, Any]) -> dict[str, Array]:
        arrays: dict[str, Array] = {}
        for name in _table(self._given, "arrays"):
            arrays[name] = self._array(name, names)
            if (total := sum(array.nbytes for array in arrays.values())) > MOST_BYTES:
                raise refused(total, f"at most {MOST_BYTES}", "the number of bytes of all arrays")
        return arrays

    def _array(self, name: str, names: Mapping[str, Any]) -> Array:
        given = _table(_table(self._given, "arrays"), name)
        _check_keys(given, "arrays")
        what, fill = f"array {name}", given.get("fill", "zeros")
        shape = None
        if "shape" in given:
            shape = self._integers(_list(given, "shape", []), names, f"the shape of {what}")
        if _is_file(fill):
            content = load(self._folder / fill)
            known = given.get("type", type_name(content.dtype) or str(content.dtype))
            dtype = np.dtype(_found(TYPES, known, f"the type of {what}"))
            content = converted(content, dtype, name)
            if shape is not None and content.shape != shape:
                raise refused(content.shape, shape, f"the shape of the file for {what}")
            return content
        if fill not in FILLS:
            raise refused(fill, (*FILLS, f"NAME{SUFFIX}"), f"the fill of {what}")
        if shape is None:
            raise LaunchError(f"{what} has no shape; give it one, such as {fill}:f32:128x64")
        dtype = np.dtype(_found(TYPES, given.get("type", "f32"), f"the type of {what}"))
        return generated(fill, shape, dtype, self._random, name)

    def _map(self, name: str, arrays: Mapping[str, Array], names: Mapping[str, Any]) -> TensorMap:
        given = _table(_table(self._given, "maps"), name)
        _check_keys(given, "maps")
        array = _found(arrays, given.get("array"), f"the array of map {name}")
        element = given.get("element", _element(array))
        return TensorMap.of(
            _bits(array),
            self._integers(_list(given, "box", []), names, f"the box of map {name}"),
            None if element is None else _text(element, f"the element of map {name}"),
            _text(given.get("swizzle", "no_swizzle"), f"the swizzle of map {name}"),
            _text(given.get("fill", "zero"), f"the fill of map {name}"),
        )

    def _all_expected(
        self, arrays: Mapping[str, Array], names: Mapping[str, Any]
    ) -> dict[str, Array]:
        """Expected content of arrays, in their element types. Expressions use the content of
        arrays before the run."""
        given = _table(self._given, "expected")
        texts = [text for text in given.values() if not _is_file(text)]
        wide = {name: array.astype(np.float64) for name, array in arrays.items() if texts}
        return {
            name: self._expected(
                name,
                text,
                _found(arrays, name, "an expected array"),
                {**names, **wide},
            )
            for name, text in given.items()
        }

    def _expected(self, name: str, text: Any, array: Array, names: Mapping[str, Any]) -> Array:
        if _is_file(text):
            value = converted(load(self._folder / text), array.dtype, name)
            if value.shape != array.shape:
                what = f"the shape of the file for {name}"
                raise refused(value.shape, array.shape, what)
            return value
        value = evaluate(_expression(text, "expected"), names)
        try:
            return np.broadcast_to(np.asarray(value), array.shape).astype(array.dtype)
        except (ValueError, TypeError, OverflowError) as error:
            found, legal = f"shape {np.shape(value)}", f"numbers of shape {array.shape}"
            raise refused(found, legal, f"the value expected of {name}") from error


def _is_file(text: Any) -> bool:
    return isinstance(text, str) and text.endswith(SUFFIX)


def _bits(array: Array) -> Array:
    """View with a dtype that numpy itself has."""
    return array.view(f"u{array.dtype.itemsize}") if array.dtype.kind == "V" else array


def _element(array: Array) -> str | None:
    """Element type of an array for a tensor map if its numpy dtype does not imply it."""
    name = type_name(array.dtype)
    return name if name == "bf16" else None


def _table(given: Mapping[str, Any], key: str) -> dict[str, Any]:
    found = given.get(key, {})
    if not isinstance(found, dict):
        raise refused(found, "a table", key)
    return cast("dict[str, Any]", found)


def _list(given: Mapping[str, Any], key: str, default: list[Any]) -> list[Any]:
    found = given.get(key, default)
    if not isinstance(found, list):
        raise refused(found, "a list", key)
    return cast("list[Any]", found)


def _text(value: Any, what: str) -> str:
    if isinstance(value, str):
        return value
    raise refused(value, "a text", what)


def _expression(value: Any, what: str) -> str | int:
    if isinstance(value, (str, int)) and not isinstance(value, bool):
        return value
    raise refused(value, "an integer or an expression", what)


def _argument(values: Mapping[str, Argument], name: Any) -> Argument:
    if not isinstance(name, str) or name not in values:
        known = f", which has {describe(tuple(values))}" if values else ""
        raise LaunchError(
            f"argument {name} has no value; give it one with --arg {name}=VALUE, or as a size, "
            f"array or map of the launch file{known}"
        )
    return values[name]


def _found(values: Mapping[str, Any], name: Any, what: str) -> Any:
    if not isinstance(name, str) or name not in values:
        raise refused(name, tuple(values), what)
    return values[name]


def _check_keys(given: Mapping[str, Any], table: str) -> None:
    for key in given:
        if key not in _KEYS[table]:
            raise refused(key, _KEYS[table], "a key of a launch file")

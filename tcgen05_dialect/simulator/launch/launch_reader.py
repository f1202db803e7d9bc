"""Reader of one launch: evaluates its expressions and creates its arrays and tensor maps."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from operator import index
from pathlib import Path
from typing import Any

import numpy as np

from ...isa.model.rule import describe
from ..machine.errors import LaunchError, blaming, extents_text, refused
from ..machine.tensor_map import TensorMap
from ..settings import Launch
from .arguments import Argument
from .arrays import (
    FILLS,
    MOST_BYTES,
    SUFFIX,
    TYPES,
    Array,
    converted,
    expected_content,
    generated,
    load,
    type_name,
)
from .comparison import Difference, difference
from .expression import evaluate, names_in
from .tables import check_keys, found_in, list_of, table, text

Parameters = Callable[[str | None], Sequence[str]]
"""Returns the parameter names of the kernel with this name; None means the only kernel."""
Uses = dict[str, tuple[str, ...]]
"""Part of a launch -> the other parts from which its value is computed; see LaunchError."""


@dataclass
class PreparedLaunch:
    """Launch with all expressions evaluated and all arrays created."""

    launch: Launch
    arguments: list[Argument]
    arrays: Mapping[str, Array]
    expected: Mapping[str, Array]
    tolerance: float
    uses: Uses

    def differences(self) -> list[Difference]:
        """The arrays that differ from their expected content."""
        pairs = ((name, self.arrays[name], expected) for name, expected in self.expected.items())
        found = (difference(*pair, self.tolerance) for pair in pairs)
        return [each for each in found if each is not None]


def origins(parts: Iterable[str], uses: Uses) -> tuple[str, ...]:
    """The given parts, and all parts from which their values are computed."""
    found = dict.fromkeys(parts)
    waiting = list(found)
    for part in waiting:
        new = [each for each in uses.get(part, ()) if each not in found]
        found.update(dict.fromkeys(new))
        waiting += new
    return tuple(found)


class LaunchReader:
    """Reader of a launch. `given` is the content of a launch file in a folder."""

    def __init__(
        self, given: Mapping[str, Any], folder: Path, seed: int, parameters: Parameters
    ) -> None:
        self._given = given
        self._folder = folder
        self._random = np.random.default_rng(seed)
        self._parameters = parameters
        self._uses: Uses = {}
        self._names: dict[str, Any] = {}
        """Sizes by name; expressions use them."""

    def check_arguments(self, file: Mapping[str, Any], given: Collection[str]) -> None:
        """Raise LaunchError for an argument unknown to the launch file and the kernel."""
        kernel = self._given.get("kernel")
        maps = table(self._given, "maps")
        known = [*table(file, "arrays"), *table(file, "sizes")]
        known += self._argument_names(kernel if isinstance(kernel, str) else None)
        legal = tuple(dict.fromkeys(name for name in known if name not in maps))
        for name in given:
            if name not in legal:
                with blaming(f"arrays.{name}"):
                    raise refused(name, legal, "the name of an argument")

    def read(self, sizes: Mapping[str, int]) -> PreparedLaunch:
        """Evaluate the launch; `sizes` override its sizes. Raises LaunchError and CompileError."""
        try:
            return self._read(sizes)
        except LaunchError as error:
            error.parts = origins(error.parts, self._uses)
            raise

    def _read(self, sizes: Mapping[str, int]) -> PreparedLaunch:
        self._names = self._sizes(sizes)
        with blaming("kernel"):
            kernel = self._given.get("kernel")
            kernel = None if kernel is None else text(kernel, "kernel")
        arrays = self._arrays()
        expected = self._expected(arrays)
        maps = {name: self._map(name, arrays) for name in table(self._given, "maps")}
        key = "dynamic_shared_memory"
        (shared,) = self._integers([self._given.get(key, 0)], key, key)
        grid, block, cluster = map(self._extents, ("grid", "block", "cluster"))
        launch = Launch(grid, block, cluster, shared, kernel)
        arguments = self._arguments(kernel, arrays, maps)
        return PreparedLaunch(launch, arguments, arrays, expected, self._tolerance(), self._uses)

    def _sizes(self, given: Mapping[str, int]) -> dict[str, Any]:
        own = table(self._given, "sizes")
        for name in given:
            if name not in own:
                with blaming(f"sizes.{name}"):
                    raise refused(name, tuple(own), "the name of a size")
        sizes: dict[str, Any] = {**own, **given}
        for name, value in sizes.items():
            with blaming(f"sizes.{name}"):
                if type(value) is not int and not (isinstance(value, float) and isfinite(value)):
                    raise refused(value, "a number", f"size {name}")
                if name in table(self._given, "arrays"):
                    raise LaunchError(f"{name} names an array and a size; rename one of them")
        return sizes

    def _arguments(
        self, kernel: str | None, arrays: Mapping[str, Array], maps: Mapping[str, TensorMap]
    ) -> list[Argument]:
        contents = {name: _bits(array) for name, array in arrays.items()}
        values: dict[str, Argument] = {**self._names, **contents, **maps}
        found: list[Argument] = []
        for number, name in enumerate(self._argument_names(kernel)):
            if not isinstance(name, str) or name not in values:
                known = f", which has {describe(tuple(values))}" if values else ""
                raise LaunchError(
                    f"argument {name} has no value; give it one with --arg {name}=VALUE, or as a "
                    f"size, array or map of the launch file{known}"
                )
            found.append(values[name])
            tables = {"sizes": self._names, "arrays": arrays, "maps": maps}
            of = next(key for key, names in reversed(tables.items()) if name in names)
            self._uses[f"args.{number}"] = (f"{of}.{name}",)
        return found

    def _argument_names(self, kernel: str | None) -> Sequence[Any]:
        if "args" in self._given:
            return list_of(self._given, "args")
        return self._parameters(kernel)

    def _tolerance(self) -> float:
        given = self._given.get("tolerance", 0)
        if type(given) in (int, float) and given >= 0 and isfinite(given):
            return float(given)
        with blaming("tolerance"):
            raise refused(given, "a number of 0 or more", "tolerance")

    def _extents(self, key: str) -> tuple[int, ...] | None:
        given = self._given.get(key)
        return None if given is None else self._integers(list_of(self._given, key), key, key)

    def _integers(self, given: Sequence[Any], what: str, part: str) -> tuple[int, ...]:
        """Values of integer expressions. Raises LaunchError."""
        with blaming(part):
            texts = [_expression(each, what) for each in given]
            found = [evaluate(each, self._names) for each in texts]
            self._note_uses(part, texts)
            try:
                return tuple(map(index, found))
            except TypeError as error:
                raise refused(tuple(map(str, found)), "integers", what) from error

    def _note_uses(self, part: str, texts: Sequence[str | int]) -> None:
        """Record the arrays and sizes that the expressions of a part use."""
        arrays = table(self._given, "arrays")
        names = [name for each in texts for name in names_in(each)]
        uses = [f"arrays.{name}" if name in arrays else f"sizes.{name}" for name in names]
        self._uses[part] = (*self._uses.get(part, ()), *uses)

    def _arrays(self) -> dict[str, Array]:
        arrays: dict[str, Array] = {}
        for name in table(self._given, "arrays"):
            with blaming(f"arrays.{name}"):
                arrays[name] = self._array(name)
                total = sum(array.nbytes for array in arrays.values())
                if total > MOST_BYTES:
                    what = "the number of bytes of all arrays"
                    raise refused(total, f"at most {MOST_BYTES}", what)
        return arrays

    def _array(self, name: str) -> Array:
        given = table(table(self._given, "arrays"), name)
        check_keys(given, "arrays")
        what, fill = f"array {name}", given.get("fill", "zeros")
        shape = None
        if "shape" in given:
            extents = list_of(given, "shape")
            shape = self._integers(extents, f"the shape of {what}", f"arrays.{name}")
        if _is_file(fill):
            content = load(self._folder / fill)
            known = given.get("type", type_name(content.dtype) or str(content.dtype))
            dtype = np.dtype(found_in(TYPES, known, f"the type of {what}"))
            content = converted(content, dtype, f"the content of the file for {name}")
            if shape is not None and content.shape != shape:
                found, legal = extents_text(content.shape), extents_text(shape)
                raise refused(found, legal, f"the shape of the file for {what}")
            return content
        if fill not in FILLS:
            raise refused(fill, (*FILLS, f"NAME{SUFFIX}"), f"the fill of {what}")
        if shape is None:
            raise LaunchError(f"{what} has no shape; give it one, such as {fill}:f32:128x64")
        dtype = np.dtype(found_in(TYPES, given.get("type", "f32"), f"the type of {what}"))
        return generated(fill, shape, dtype, self._random, name)

    def _map(self, name: str, arrays: Mapping[str, Array]) -> TensorMap:
        part = f"maps.{name}"
        with blaming(part, about=f"map {name}"):
            given = table(table(self._given, "maps"), name)
            check_keys(given, "maps")
            array = found_in(arrays, given.get("array"), f"the array of map {name}")
            self._uses[part] = (f"arrays.{given['array']}",)
            element = given.get("element", _element(array))
            return TensorMap.of(
                _bits(array),
                self._integers(list_of(given, "box"), f"the box of map {name}", part),
                None if element is None else text(element, f"the element of map {name}"),
                text(given.get("swizzle", "no_swizzle"), f"the swizzle of map {name}"),
                text(given.get("fill", "zero"), f"the fill of map {name}"),
            )

    def _expected(self, arrays: Mapping[str, Array]) -> dict[str, Array]:
        """Expected content of arrays, in their element types. Expressions use the content of
        arrays before the run."""
        with blaming("expected"):
            given = table(self._given, "expected")
        texts = [text for text in given.values() if not _is_file(text)]
        wide = {name: array.astype(np.float64) for name, array in arrays.items() if texts}
        expected: dict[str, Array] = {}
        for name, value in given.items():
            part = f"expected.{name}"
            with blaming(part, f"arrays.{name}"):
                array = found_in(arrays, name, "an expected array")
                if _is_file(value):
                    content = load(self._folder / value)
                else:
                    expression = _expression(value, "expected")
                    content = evaluate(expression, {**self._names, **wide})
                    self._note_uses(part, [expression])
                expected[name] = expected_content(content, array, name)
        return expected


def _is_file(text: Any) -> bool:
    return isinstance(text, str) and text.endswith(SUFFIX)


def _bits(array: Array) -> Array:
    """View of an array with a dtype that numpy itself defines."""
    return array.view(f"u{array.dtype.itemsize}") if array.dtype.kind == "V" else array


def _element(array: Array) -> str | None:
    """The element type for a tensor map of an array, if the numpy dtype does not imply it."""
    name = type_name(array.dtype)
    return name if name == "bf16" else None


def _expression(value: Any, what: str) -> str | int:
    if isinstance(value, (str, int)) and not isinstance(value, bool):
        return value
    raise refused(value, "an integer or an expression", what)

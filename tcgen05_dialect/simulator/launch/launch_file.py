"""
Launch files: descriptions of launches in TOML. docs/launch_files.md is the reference.

Reader of one launch: evaluates its expressions and creates its arrays and tensor maps.
"""

import tomllib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np

from ...isa.model.rule import extents_text
from ..machine.errors import LaunchError, blaming, refused
from ..machine.tensor_map import TensorMap
from ..settings import Launch
from .arguments import ArgumentReader, Parameters, element_type
from .arrays import (
    FILLS,
    MOST_BYTES,
    MOST_ZEROS,
    SUFFIX,
    Array,
    converted,
    generated,
    is_number,
    load,
    type_name,
)
from .binder import UnboxedMap
from .expected import PreparedLaunch, expected_contents
from .reference import Scope, origins
from .tables import check_keys, found_in, laid_over, list_of, shown, syntax_error, table, text


class LaunchReader:
    """Reader of a launch. `given` is the content of a launch file in a folder; `kept` are the
    arrays of the launches before it in a sequence, to which it adds its own."""

    def __init__(
        self,
        given: Mapping[str, Any],
        folder: Path,
        seed: int,
        parameters: Parameters,
        kept: dict[str, Array] | None = None,
    ) -> None:
        self._given = given
        self._kept = {} if kept is None else kept
        self._folder = folder
        self._random = np.random.default_rng(seed)
        self._parameters = parameters
        self._scope = Scope({})

    def check_arguments(self, file: Mapping[str, Any], given: Collection[str]) -> None:
        """Raise LaunchError for an argument unknown to the launch file and the kernel."""
        kernel = self._given.get("kernel")
        maps = table(self._given, "maps")
        reader = self._argument_reader(kernel if isinstance(kernel, str) else None)
        known = reader.names()
        known += [*table(file, "arrays"), *table(file, "sizes")]
        legal = tuple(dict.fromkeys(name for name in known if name not in maps))
        for name in given:
            with blaming(f"arrays.{name}"):
                if name in maps:
                    help = (
                        f"change the array of the map: --arg {table(maps, name).get('array')}=VALUE"
                    )
                    message = f"{name} is a map, which only a launch file can describe"
                    raise LaunchError(message, help=help)
                if name not in legal:
                    raise refused(name, legal, "the name of a parameter, an array or a size")
                self._check_kind(file, name)

    def _check_kind(self, file: Mapping[str, Any], name: str) -> None:
        """Raise LaunchError for an argument that gives a size the content of an array, or the
        reverse."""
        is_size, is_array = name in table(file, "sizes"), name in table(file, "arrays")
        if is_size and not is_array and name in (arrays := table(self._given, "arrays")):
            found = table(arrays, name).get("fill")
            raise refused(shown(found), "a number", f"{name}, a size of the launch file,")
        if is_array and not is_size and name in (sizes := table(self._given, "sizes")):
            what = f"{name}, an array of the launch file,"
            raise refused(sizes[name], (*FILLS, f"NAME{SUFFIX}"), what)

    def read(self, sizes: Mapping[str, int | float]) -> PreparedLaunch:
        """Evaluate the launch; `sizes` override its sizes. Raises LaunchError and CompileError."""
        try:
            return self._read(sizes)
        except LaunchError as error:
            error.culprits = origins(error.culprits, self._scope.uses)
            raise

    def _read(self, sizes: Mapping[str, int | float]) -> PreparedLaunch:
        given = self._given
        self._scope = scope = Scope(self._sizes(sizes))
        with blaming("kernel"):
            kernel = given.get("kernel")
            kernel = None if kernel is None else text(kernel, "kernel")
        self._create_arrays()
        maps = {name: self._map(name) for name in table(given, "maps")}
        key = "dynamic_shared_memory"
        (shared,) = scope.integers([given.get(key, 0)], key, key)
        grid, block, cluster = map(self._extents, ("grid", "block", "cluster"))
        launch = Launch(grid, block, cluster, shared, kernel)
        arguments = self._argument_reader(kernel, maps).read()
        # A missing array is reported as a missing argument, not as an unknown name.
        expected = self.expected(given)
        tolerance = self._tolerance()
        guessed = self._guessed()
        return PreparedLaunch(
            launch, arguments, scope.arrays, expected, tolerance, scope.uses, guessed
        )

    def expected(self, given: Mapping[str, Any]) -> dict[str, Array]:
        """The content of arrays that the key `expected` of a table asks for, from the present
        content. Raises LaunchError."""
        arrays = table(self._given, "arrays")
        views = {name: table(arrays, name).get("view") for name in self._scope.arrays}
        return expected_contents(given, self._scope, self._folder, views)

    def _guessed(self) -> list[str]:
        tables = ("sizes", "arrays", "maps", "structures")
        legal = ("block", *(name for each in tables for name in table(self._given, each)))
        names = list_of(self._given, "guessed")
        for name in names:
            if name not in legal:
                with blaming("guessed"):
                    raise refused(shown(name), legal, "a name in guessed")
        return names

    def _sizes(self, given: Mapping[str, int | float]) -> dict[str, Any]:
        own = table(self._given, "sizes")
        for name in given:
            if name not in own:
                with blaming(f"sizes.{name}"):
                    raise refused(name, tuple(own), "the name of a size")
        sizes: dict[str, Any] = {**own, **given}
        for name, value in sizes.items():
            with blaming(f"sizes.{name}"):
                if type(value) is not int and not (isinstance(value, float) and isfinite(value)):
                    help = "write a number without quotes" if isinstance(value, str) else ""
                    raise refused(shown(value), "a number", f"size {name}", help)
                if name in table(self._given, "arrays"):
                    message = f"{name} is the name of an array and of a size"
                    raise LaunchError(message, help="rename one of them")
        return sizes

    def _argument_reader(
        self, kernel: str | None, maps: Mapping[str, TensorMap | UnboxedMap] | None = None
    ) -> ArgumentReader:
        return ArgumentReader(
            self._given, self._scope, maps or {}, lambda: self._parameters(kernel)
        )

    def _tolerance(self) -> float:
        given = self._given.get("tolerance", 0)
        if is_number(given) and given >= 0 and isfinite(given):
            return float(given)
        with blaming("tolerance"):
            raise refused(shown(given), "a number of 0 or more", "tolerance")

    def _extents(self, key: str) -> tuple[int, ...] | None:
        given = self._given.get(key)
        return None if given is None else self._scope.integers(list_of(self._given, key), key, key)

    def _create_arrays(self) -> None:
        totals = {True: 0, False: 0}
        given = table(self._given, "arrays")
        for name in given:
            with blaming(f"arrays.{name}"):
                array = self._kept.setdefault(name, self._array(name))
                self._scope.arrays[name] = array
                is_zero = table(given, name).get("fill", "zeros") == "zeros"
                totals[is_zero] += array.nbytes
                most = MOST_ZEROS if is_zero else MOST_BYTES
                if totals[is_zero] > most:
                    what = f"the number of bytes of the arrays with{'' if is_zero else 'out'} zeros"
                    raise refused(totals[is_zero], f"at most {most}", what)

    def _array(self, name: str) -> Array:
        given, part = table(table(self._given, "arrays"), name), f"arrays.{name}"
        check_keys(given, "arrays", name)
        what, fill = f"array {name}", given.get("fill", "zeros")
        shape = None
        if "shape" in given:
            extents = list_of(given, "shape", part)
            shape = self._scope.integers(extents, f"the shape of {what}", part, "shape")
        view = given.get("view")
        if view is not None and not isinstance(view, bool):
            with blaming(f"{part}.view"):
                raise refused(shown(view), "true or false", f"the view of {what}")
        if isinstance(fill, str) and fill.endswith(SUFFIX):
            content = load(self._folder / fill)
            known = given.get("type", type_name(content.dtype) or str(content.dtype))
            dtype = element_type(known, f"arrays.{name}", f"array {name}")
            content = converted(content, dtype, f"the content of the file for {name}", view)
            if shape is not None and content.shape != shape:
                found, legal = extents_text(content.shape), extents_text(shape)
                with blaming(f"{part}.shape"):
                    raise refused(found, legal, f"the shape of the file for {what}")
            return content
        if fill not in FILLS and not is_number(fill):
            with blaming(f"{part}.fill"):
                legal = (*FILLS, "a number", f"NAME{SUFFIX}")
                raise refused(shown(fill), legal, f"the fill of {what}")
        if shape is None:
            help = (
                f"add shape = [128, 64] to [{part}] in the launch file, or "
                f"--arg {name}={fill}:{given.get('type', 'f32')}:128x64"
            )
            raise LaunchError(f"{what} has no shape", help=help)
        dtype = element_type(given.get("type", "f32"), f"arrays.{name}", f"array {name}")
        with blaming(f"{part}.fill" if is_number(fill) else f"{part}.shape"):
            return generated(fill, shape, dtype, self._random, name)

    def _map(self, name: str) -> TensorMap | UnboxedMap:
        """A tensor map; without a box, it gets that of the parameter's type."""
        part = f"maps.{name}"
        with blaming(part, about=f"map {name}"):
            given = table(table(self._given, "maps"), name)
            check_keys(given, "maps", name)
            with blaming(f"{part}.array"):
                array = found_in(self._scope.arrays, given.get("array"), f"the array of map {name}")
            self._scope.uses[part] = (f"arrays.{given['array']}",)
            texts: dict[str, str] = {}
            for key in ("element", "swizzle", "fill"):
                if key in given:
                    with blaming(f"{part}.{key}"):
                        texts[key] = text(given[key], f"the {key} of map {name}")
            numbers = {
                key: self._scope.integers(
                    list_of(given, key, part), f"the {key} of map {name}", part, key
                )
                for key in ("box", "extents", "strides")
                if key in given
            }
            if "box" not in given:
                return UnboxedMap(array, **texts, name=name)
            swizzle, fill = (
                texts.get("swizzle", TensorMap.swizzle),
                texts.get("fill", TensorMap.fill),
            )
            tensor_map = TensorMap.of(
                array,
                numbers["box"],
                texts.get("element"),
                swizzle,
                fill,
                extents=numbers.get("extents"),
                strides=numbers.get("strides"),
            )
            return replace(tensor_map, name=name)


def read_launches(
    path: Path | None,
    changes: Mapping[str, Any],
    sizes: Mapping[str, int | float],
    seed: int,
    parameters: Parameters,
    arguments: Collection[str] = (),
    only: str | None = None,
) -> Iterator[tuple[str, PreparedLaunch]]:
    """
    Launches of a launch file, each with its name; without a table `launches` there is one, whose
    name is empty. `only` selects one of several.

    `changes` has the structure of a launch file and overrides its values; `sizes` overrides its
    sizes. `seed` is the seed of random arrays. Each name in `arguments` must be one of the launch
    file or a parameter of the kernel. Without a path, the changes describe the launch.

    Raises LaunchError, and CompileError if the parameters of the kernel cannot be read.
    """
    given = {} if path is None else _content(path)
    check_keys(given, "")
    named = table(given, "launches")
    shared = {key: value for key, value in given.items() if key not in ("launches", "sequence")}
    sequence = _Sequence(given, changes, only is None) if _is_sequence(given) else None
    folder = Path() if path is None else path.parent
    if only is not None and only not in named:
        with blaming("only"):
            raise refused(only, tuple(named), "the name of a launch")
    for name in named or [""]:
        if only not in (None, name):
            continue
        try:
            with np.errstate(all="ignore"), blaming(*([f"launches.{name}"] if name else [])):
                own = table(named, name)
                check_keys(own, "launches", name)
                if sequence is None:
                    own = laid_over(shared, own)
                    reader = LaunchReader(laid_over(own, changes), folder, seed, parameters)
                else:
                    own = sequence.content(shared, own)
                    content = laid_over(own, sequence.changes)
                    reader = LaunchReader(content, folder, seed, parameters, sequence.arrays)
                if arguments:
                    reader.check_arguments(own, arguments)
                launch = reader.read(sizes)
                if sequence is not None:
                    sequence.expect(reader, launch)
                by_option = {*sizes, *arguments, *changes}
                launch.guessed = [each for each in launch.guessed if each not in by_option]
        except MemoryError as error:
            raise LaunchError("not enough memory for the arrays") from error
        except LaunchError as error:
            raise error.in_launch(name) from error
        yield name, launch


class _Sequence:
    """Launches that share their arrays and run one after the other. The key `expected` of the file
    or of options describes the arrays after the last launch, as a function of their content before
    the first. If only some launches run, only `expected` of options counts."""

    def __init__(self, given: Mapping[str, Any], changes: Mapping[str, Any], all_run: bool) -> None:
        key, self.arrays = "expected", dict[str, Array]()
        self._expected: dict[str, Array] | None = None
        if not all_run:
            self._left, self.changes, self._whole = 0, changes, {}
            return
        whole = {key: given[key]} if key in given else {}
        self._whole = laid_over(whole, {key: changes[key]} if key in changes else {})
        self._left = max(1, len(table(given, "launches")))
        self.changes = {each: value for each, value in changes.items() if each != key}

    def content(self, shared: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
        """The content for a launch with its own keys. Raises LaunchError."""
        for key in ("arrays", "sizes"):
            if key in own:
                help_ = f"write [{key}] above [launches], or remove sequence = true"
                message = f"the launches of a sequence share their {key}"
                with blaming(key):
                    raise LaunchError(message, help=help_)
        return laid_over({key: shared[key] for key in shared if key != "expected"}, own)

    def expect(self, reader: LaunchReader, launch: PreparedLaunch) -> None:
        """Add what is expected at the end to a launch, if it is the last one. Raises
        LaunchError."""
        if self._expected is None:
            self._expected = reader.expected(self._whole)
        self._left -= 1
        if not self._left:
            launch.expected = {**self._expected, **launch.expected}


def _is_sequence(given: Mapping[str, Any]) -> bool:
    """Whether the launches of a file are a sequence. Raises LaunchError."""
    found = given.get("sequence", False)
    if not isinstance(found, bool):
        with blaming("sequence"):
            raise refused(shown(found), "true or false", "sequence")
    return found


def _content(path: Path) -> dict[str, Any]:
    """Content of a file. Raises LaunchError."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        message = f"cannot read {path}: {error.strerror}"
        raise LaunchError(message, culprits=("launch",)) from error
    except ValueError as error:
        # Invalid TOML, bytes that are not UTF-8, and numbers that Python cannot parse.
        raise syntax_error(error, path) from error
    except RecursionError as error:
        raise LaunchError("tables are nested too deeply") from error

"""
Launch files: descriptions of launches in TOML. docs/launch_files.md is the reference.

Reader of one launch: evaluates its expressions and creates its arrays, maps and arguments.
"""

import tomllib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np

from ...isa.model.rule import describe, did_you_mean, extents_text
from ...isa.ptx.kernel import BY_POSITION
from .. import Launch
from ..machine.errors import LaunchError, blaming, refused
from ..machine.tensor_map import TensorMap
from .arrays import (
    FILLS,
    MOST_BYTES,
    MOST_ZEROS,
    SUFFIX,
    TYPES,
    Array,
    converted,
    generated,
    is_number,
    load,
    type_name,
)
from .binder import Argument, Member, UnboxedMap
from .expected import PreparedLaunch, expected_contents
from .reference import Scope, origins
from .tables import check_keys, found_in, laid_over, list_of, shown, syntax_error, table, text


class Parameter(NamedTuple):
    """A parameter of a kernel; one that the kernel does not use needs no argument."""

    name: str
    is_used: bool = True


Parameters = Callable[[str | None], Sequence[Parameter]]
"""Function from the name of a kernel, or None for the only one, to its parameters."""


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
        self._maps: dict[str, TensorMap | UnboxedMap] = {}

    def check_arguments(self, file: Mapping[str, Any], given: Collection[str]) -> None:
        """Raise LaunchError for an argument unknown to the launch file and the kernel."""
        maps, asked = table(self._given, "maps"), (name for name, _ in self._asked())
        known = dict.fromkeys([*asked, *table(file, "arrays"), *table(file, "sizes")])
        for name in given:
            with blaming(f"arrays.{name}"):
                if name in maps:
                    array = table(maps, name).get("array")
                    message = f"{name} is a map, which only a launch file can describe"
                    help = f"change the array of the map: --arg {array}=VALUE"
                    raise LaunchError(message, help=help)
                if name not in known:
                    legal = tuple(each for each in known if each not in maps)
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
        self._maps |= {name: self._map(name) for name in table(given, "maps")}
        key = "dynamic_shared_memory"
        (shared,) = scope.integers([given.get(key, 0)], key, key)
        grid, block, cluster = (
            None if given.get(key) is None else scope.integers(list_of(given, key), key, key)
            for key in ("grid", "block", "cluster")
        )
        launch = Launch(grid, block, cluster, shared, kernel)
        arguments = self._arguments()
        # A missing array is reported as a missing argument, not as an unknown name.
        expected = self.expected(given)
        with blaming("tolerance"):
            tolerance = given.get("tolerance", 0)
            if not (is_number(tolerance) and tolerance >= 0 and isfinite(tolerance)):
                raise refused(shown(tolerance), "a number of 0 or more", "tolerance")
        guessed = list_of(given, "guessed")
        named = ("sizes", "arrays", "maps", "structures")
        legal = ("block", *(name for each in named for name in table(given, each)))
        for name in guessed:
            if name not in legal:
                with blaming("guessed"):
                    raise refused(shown(name), legal, "a name in guessed")
        return PreparedLaunch(
            launch, arguments, scope.arrays, expected, float(tolerance), scope.uses, guessed
        )

    def expected(self, given: Mapping[str, Any]) -> dict[str, Array]:
        """The content of arrays that the key `expected` of a table asks for, from the present
        content. Raises LaunchError."""
        arrays = table(self._given, "arrays")
        views = {name: table(arrays, name).get("view") for name in self._scope.arrays}
        return expected_contents(given, self._scope, self._folder, views)

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
        with blaming(f"{part}.view"):
            if view is not None and not isinstance(view, bool):
                raise refused(shown(view), "true or false", f"the view of {what}")
        if isinstance(fill, str) and fill.endswith(SUFFIX):
            content = load(self._folder / fill)
            type_ = given.get("type", type_name(content.dtype) or str(content.dtype))
            dtype = _element_type(type_, part, what)
            content = converted(content, dtype, f"the content of the file for {name}", view)
            with blaming(f"{part}.shape"):
                if shape is not None and content.shape != shape:
                    found, legal = extents_text(content.shape), extents_text(shape)
                    raise refused(found, legal, f"the shape of the file for {what}")
            return content
        with blaming(f"{part}.fill"):
            if fill not in FILLS and not is_number(fill):
                legal = (*FILLS, "a number", f"NAME{SUFFIX}")
                raise refused(shown(fill), legal, f"the fill of {what}")
        type_ = given.get("type", "f32")
        if shape is None:
            help = (
                f"add shape = [128, 64] to [{part}] in the launch file, or "
                f"--arg {name}={fill}:{type_}:128x64"
            )
            raise LaunchError(f"{what} has no shape", help=help)
        dtype = _element_type(type_, part, what)
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
            texts: dict[str, Any] = {}
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
            return replace(TensorMap.of(array, **numbers, **texts), name=name)

    def _arguments(self) -> list[Argument]:
        """The arguments in the order of the parameters. Raises LaunchError."""
        scope = self._scope
        structures = {name: self._structure(name) for name in table(self._given, "structures")}
        tables: dict[str, Mapping[str, Argument]] = {
            "structures": structures,
            "maps": self._maps,
            "arrays": scope.arrays,
            "sizes": scope.sizes,
        }
        found: list[Argument] = []
        for number, (name, used) in enumerate(self._asked()):
            part = f"args.{number}"
            holders = (
                of for of, values in tables.items() if isinstance(name, str) and name in values
            )
            if (holder := next(holders, None)) is not None:
                found.append(tables[holder][name])
                scope.uses[part] = (f"{holder}.{name}",)
            elif not (isinstance(name, str) and (name.isidentifier() or not name.strip())):
                with blaming("args"):
                    found.append(scope.number(name, f"argument {number}", part))
            elif used:
                raise _missing(name, [name for values in tables.values() for name in values])
            else:
                found.append(None)
        return found

    def _asked(self) -> Sequence[tuple[Any, bool]]:
        """The name of the value of each argument, or an expression, and whether it is needed."""
        given = self._given.get("args")
        if isinstance(given, list):
            return [(name, True) for name in cast("list[Any]", given)]
        named, kernel = table(self._given, "args"), self._given.get("kernel")
        parameters = self._parameters(kernel if isinstance(kernel, str) else None)
        names = tuple(each.name for each in parameters)
        for name in named:
            if name not in names:
                with blaming(f"args.{name}", "args"):
                    help_ = did_you_mean(name, names) or _by_position(names)
                    raise refused(name, names, "the name of a parameter", help_)
        return [(named.get(each.name, each.name), each.is_used) for each in parameters]

    def _structure(self, name: str) -> dict[int, Member]:
        """The members of a structure by their offsets."""
        members: dict[int, Member] = {}
        part = f"structures.{name}"
        for key, given in table(table(self._given, "structures"), name).items():
            with blaming(f"{part}.{key}", part):
                if not key.isdecimal():
                    raise refused(key, "a number of bytes", f"each key of [{part}]")
                what = f"byte {key} of structure {name}"
                members[int(key)] = self._member(given, what, part, f"{name}.{key}")
        return members

    def _member(self, given: Any, what: str, part: str, key: str) -> Member:
        uses = self._scope.uses
        if isinstance(given, str):
            known: dict[str, Any] = {**self._maps, **self._scope.arrays}
            found = known.get(given)
            if found is None:
                help = did_you_mean(given, known) or _TYPED
                raise refused(given, tuple(known), what, help)
            if isinstance(found, UnboxedMap):
                raise LaunchError(f"{what}: the map {given} has no box")
            holder = "maps" if given in self._maps else "arrays"
            uses[part] = (*uses.get(part, ()), f"{holder}.{given}")
            return found
        if not isinstance(given, dict):
            raise refused(shown(given), "the name of an array or a map, or a table", what, _TYPED)
        known = cast("dict[str, Any]", given)
        check_keys(known, "structures", key)
        dtype = _element_type(known.get("type"), part, what)
        value = self._scope.number(known.get("value"), what, part)
        try:
            return dtype.type(value)
        except OverflowError as error:
            raise refused(value, f"a number that {known['type']} can hold", what) from error


def _element_type(name: Any, part: str, what: str) -> np.dtype[Any]:
    """The element type with a name, for a part of a launch. Raises LaunchError."""
    with blaming(f"{part}.type"):
        return np.dtype(found_in(TYPES, name, f"the type of {what}"))


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
    if not isinstance(given.get("sequence", False), bool):
        with blaming("sequence"):
            raise refused(shown(given["sequence"]), "true or false", "sequence")
    sequence = _Sequence(given, changes, only is None) if given.get("sequence") else None
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


def _missing(name: str, known: Sequence[str]) -> LaunchError:
    """The error for an argument without a value."""
    others = f", which has {describe(tuple(known))}" if known else ""
    message = (
        f"argument {name} has no value; give it one with --arg {name}=VALUE, or as a "
        f"size, array or map of the launch file{others}"
    )
    help_ = _by_position((name,)) or did_you_mean(name, known)
    return LaunchError(message, culprits=("args",), help=help_)


def _by_position(names: Iterable[str]) -> str:
    """The help for a launch file that names parameters of PTX which have no names of their own;
    empty if `names` has none of these."""
    if not any(BY_POSITION in name for name in names):
        return ""
    return (
        "PTX names these parameters by position: list their values in order, as in "
        'args = ["a", "b"], or name the parameters with ptx.name in the IR'
    )


_TYPED = 'write a number with its type, as in {type = "i32", value = "m"}'

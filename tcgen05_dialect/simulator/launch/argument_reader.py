"""Reader of the arguments in a launch: names, numbers, expressions and structures."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, cast

import numpy as np

from ...isa.model.rule import describe, did_you_mean
from ...isa.ptx.kernel import BY_POSITION
from ..machine.errors import LaunchError, blaming, refused
from ..machine.tensor_map import TensorMap
from .arrays import TYPES
from .binder import Argument, Member
from .scope import Scope
from .tables import check_keys, found_in, shown, table
from .typed_maps import UnboxedMap


class Parameter(NamedTuple):
    """A parameter of a kernel; one that the kernel does not use needs no argument."""

    name: str
    is_used: bool = True


Parameters = Callable[[str | None], Sequence[Parameter]]
"""Function from the name of a kernel, or None for the only one, to its parameters."""


class ArgumentReader:
    """Reader of the arguments in a launch, which has sizes, arrays and tensor maps."""

    def __init__(
        self,
        given: Mapping[str, Any],
        scope: Scope,
        maps: Mapping[str, TensorMap | UnboxedMap],
        parameters: Callable[[], Sequence[Parameter]],
    ):
        self._given = given
        self._scope = scope
        self._maps = maps
        self._parameters = parameters

    def names(self) -> list[Any]:
        """The names of the values, or expressions, that the launch or the kernel asks for."""
        return [name for name, _ in self._asked()]

    def read(self) -> list[Argument]:
        """The arguments in the order of the parameters. Raises LaunchError."""
        structures = {name: self._structure(name) for name in table(self._given, "structures")}
        tables: dict[str, Mapping[str, Argument]] = {
            "structures": structures,
            "maps": self._maps,
            "arrays": self._scope.arrays,
            "sizes": self._scope.sizes,
        }
        found: list[Argument] = []
        for number, (name, is_used) in enumerate(self._asked()):
            part = f"args.{number}"
            holders = (
                of for of, values in tables.items() if isinstance(name, str) and name in values
            )
            if (holder := next(holders, None)) is not None:
                found.append(tables[holder][name])
                self._scope.uses[part] = (f"{holder}.{name}",)
            elif not _is_name(name):
                with blaming("args"):
                    found.append(self._scope.number(name, f"argument {number}", part))
            elif is_used:
                raise _missing(name, [name for values in tables.values() for name in values])
            else:
                found.append(None)
        return found

    def _asked(self) -> Sequence[tuple[Any, bool]]:
        """The name of the value of each argument, or an expression, and whether it is needed."""
        given = self._given.get("args")
        if isinstance(given, list):
            return [(name, True) for name in cast("list[Any]", given)]
        named = table(self._given, "args")
        parameters = self._parameters()
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
        for key, given in table(table(self._given, "structures"), name).items():
            part = f"structures.{name}"
            with blaming(f"{part}.{key}", part):
                if not key.isdecimal():
                    raise refused(key, "a number of bytes", f"each key of [{part}]")
                members[int(key)] = self._member(
                    given, f"byte {key} of structure {name}", part, key
                )
        return members

    def _member(self, given: Any, what: str, part: str, key: str) -> Member:
        arrays = self._scope.arrays
        if isinstance(given, str):
            known: dict[str, Any] = {**self._maps, **arrays}
            found = known.get(given)
            if found is None:
                help = did_you_mean(given, known) or _TYPED
                raise refused(given, tuple(known), what, help)
            if isinstance(found, UnboxedMap):
                raise LaunchError(f"{what}: the map {given} has no box")
            self._scope.uses[part] = (
                *self._scope.uses.get(part, ()),
                f"{'maps' if given in self._maps else 'arrays'}.{given}",
            )
            return found
        if not isinstance(given, dict):
            raise refused(shown(given), "the name of an array or a map, or a table", what, _TYPED)
        known = cast("dict[str, Any]", given)
        check_keys(known, "structures", f"{part.partition('.')[2]}.{key}")
        dtype = element_type(known.get("type"), part, what)
        value = self._scope.number(known.get("value"), what, part)
        try:
            return dtype.type(value)
        except OverflowError as error:
            raise refused(value, f"a number that {known['type']} can hold", what) from error


def element_type(name: Any, part: str, what: str) -> np.dtype[Any]:
    """The element type with a name, for a part of a launch. Raises LaunchError."""
    with blaming(f"{part}.type"):
        return np.dtype(found_in(TYPES, name, f"the type of {what}"))


def _is_name(given: Any) -> bool:
    return isinstance(given, str) and (given.isidentifier() or not given.strip())


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

"""
Arguments of a launch: their number, their names and their contracts.

Reader of the arguments in a launch: names, numbers, expressions and structures.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, cast

import numpy as np

from ...isa.model.rule import describe, did_you_mean
from ...isa.ptx.kernel import BY_POSITION
from ...isa.ptx.ptx_text import TYPE_BITS
from ...ptx.kernel import KernelOp
from ..machine.errors import LaunchError, blaming, file_and_line_of, refused
from ..machine.machine import Machine
from ..machine.tensor_map import TensorMap
from ..machine.tensor_memory import PARAMETER_WINDOW
from .arrays import TYPES
from .binder import (
    Argument,
    Array,
    Binder,
    Bound,
    Member,
    UnboxedMap,
    array_alignment,
    check_contracts,
    described,
    integer_bits,
    is_used,
    parameter_name,
    places_in,
)
from .reference import Scope
from .tables import check_keys, found_in, shown, table

Arguments = Sequence[Argument] | Mapping[str, Argument]
"""Arguments in the order of the parameters, or by the names of parameters."""


def names_of(kernel: KernelOp) -> list[str]:
    """The names of the parameters of a kernel, with which a launch refers to them."""
    if kernel.declarations is not None:
        return [kernel.parameter_name(index) for index in range(len(kernel.declarations))]
    return [value.name_hint or str(index) for index, value in enumerate(kernel.body.blocks[0].args)]


def in_order(kernel: KernelOp, arguments: Arguments) -> list[Argument]:
    """
    The argument of each parameter. A parameter that the kernel does not use needs none: the last
    arguments, and arguments by name, may be left out. Raises LaunchError.
    """
    parameters, names = kernel.body.blocks[0].args, names_of(kernel)
    if isinstance(arguments, Mapping):
        for name in arguments:
            if name not in names:
                raise refused(name, tuple(names), "the name of an argument")
        for parameter, name in zip(parameters, names, strict=True):
            if is_used(parameter) and name not in arguments:
                raise LaunchError(f"the parameter {name} has no argument")
        return [arguments.get(name) for name in names]
    if not isinstance(arguments, list | tuple):
        legal = "a list of arrays and numbers, one for each parameter, or a dict by their names"
        raise refused(described(arguments), legal, "the argument list")
    given: list[Argument] = [*cast("Sequence[Argument]", arguments)]
    rest = parameters[len(given) :]
    if len(given) > len(parameters) or any(map(is_used, rest)):
        with blaming("args"):
            raise refused(len(given), len(parameters), "the number of arguments")
    return given + [None] * len(rest)


def bind(machine: Machine, kernel: KernelOp, arguments: Sequence[Argument]) -> list[Bound]:
    """
    Place the argument of each parameter in the machine's memory.

    Raises LaunchError.
    """
    alignment = alignment_of(kernel, arguments)
    binder, bound = place_arguments(kernel, arguments, places_in(machine, alignment))
    for held in binder.parameters:
        machine.parameters.add(held)
    for address, piece in binder.pieces.items():
        if isinstance(piece, TensorMap):
            machine.tensor_maps[PARAMETER_WINDOW + address] = piece
    return bound


def alignment_of(kernel: KernelOp, arguments: Sequence[Argument]) -> int:
    """The alignment in bytes at which all arrays of a launch keep their contracts."""
    return array_alignment(kernel.contracts(), [array_of(argument) for argument in arguments])


def place_arguments(
    kernel: KernelOp, arguments: Sequence[Argument], place_array: Callable[[str, Array], int]
) -> tuple[Binder, list[Bound]]:
    """The argument of each parameter, placed and checked against the contracts; `place_array` gives
    the address of an array. Raises LaunchError."""
    parameters = kernel.body.blocks[0].args
    place, contracts = file_and_line_of(kernel), kernel.contracts()
    arrays = [array_of(argument) for argument in arguments]
    binder = Binder(place, place_array)
    bound: list[Bound] = []
    for number, (parameter, argument) in enumerate(zip(parameters, arguments, strict=True)):
        with blaming(f"args.{number}"):
            bound.append(binder.bind(parameter, argument, _declared_type(kernel, number)))
    names: list[str] = []
    numbers: list[int | None] = []
    for (bits, _), parameter in zip(bound, parameters, strict=True):
        width = integer_bits(parameter.type)
        signed = None if width is None else _signed(bits, width)
        is_other = signed is not None and signed != bits
        names.append(parameter_name(parameter) + f" ({bits} as an unsigned number)" * is_other)
        numbers.append(signed)
    check_contracts(contracts, names, numbers, arrays, place)
    return binder, bound


def array_of(argument: Argument) -> Array | None:
    """The array that an argument is or describes; None for other arguments."""
    if isinstance(argument, TensorMap | UnboxedMap):
        return argument.array
    return argument if isinstance(argument, np.ndarray) else None


def _declared_type(kernel: KernelOp, index: int) -> str:
    """The type of a parameter in the text that the kernel was read from; empty if there is none."""
    if kernel.declarations is None:
        return ""
    words = kernel.declarations.data[index].data.replace(".", " ").split()
    return next((word for word in words if word in TYPE_BITS), "")


def _signed(number: int, bits: int) -> int:
    """The signed number with the bits of a number."""
    return (number + (1 << bits - 1)) % (1 << bits) - (1 << bits - 1)


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
        for number, (name, used) in enumerate(self._asked()):
            part = f"args.{number}"
            holders = (
                of for of, values in tables.items() if isinstance(name, str) and name in values
            )
            if (holder := next(holders, None)) is not None:
                found.append(tables[holder][name])
                self._scope.uses[part] = (f"{holder}.{name}",)
            elif not (isinstance(name, str) and (name.isidentifier() or not name.strip())):
                with blaming("args"):
                    found.append(self._scope.number(name, f"argument {number}", part))
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

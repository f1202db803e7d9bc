"""Arguments of a launch: their number, names, places and contracts."""

from collections.abc import Callable, Mapping, Sequence
from math import lcm
from typing import cast

import numpy as np

from ...isa.ptx.ptx_text import TYPE_BITS
from ...ptx.kernel import KernelOp
from ..machine.errors import LaunchError, blaming, file_and_line_of, refused
from ..machine.machine import Machine
from ..machine.tensor_map import TensorMap
from ..machine.tensor_memory import PARAMETER_WINDOW
from .binder import (
    Argument,
    Array,
    Binder,
    Bound,
    UnboxedMap,
    described,
    integer_bits,
    is_same,
    is_used,
    parameter_name,
    places_in,
)

Arguments = Sequence[Argument] | Mapping[str, Argument]
"""Arguments in the order of the parameters, or by the names of parameters."""


def names_of(kernel: KernelOp) -> list[str]:
    """The names of the parameters of a kernel, with which a launch refers to them."""
    if kernel.declarations is not None:
        return [kernel.parameter_name(index) for index in range(len(kernel.declarations))]
    return [value.name_hint or str(index) for index, value in enumerate(kernel.body.blocks[0].args)]


def in_order(kernel: KernelOp, arguments: Arguments) -> list[Argument]:
    """The argument of each parameter. A parameter that the kernel does not use needs none: the last
    arguments, and arguments by name, may be left out. Raises LaunchError."""
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
    """Place the argument of each parameter in the machine's memory. Raises LaunchError."""
    alignment = alignment_of(kernel, arguments)
    binder, bound = place_arguments(kernel, arguments, places_in(machine, alignment))
    for held in binder.parameters:
        machine.parameters.add(held)
    for address, piece in binder.pieces.items():
        if isinstance(piece, TensorMap):
            machine.tensor_maps[PARAMETER_WINDOW + address] = piece
    return bound


GLOBAL_ALIGNMENT = 256
"""Alignment in bytes of arrays in global memory, as cudaMalloc aligns them."""
_LARGEST = 1 << 32
"""Limit on the alignments to which arrays are placed."""


def alignment_of(kernel: KernelOp, arguments: Sequence[Argument]) -> int:
    """The alignment in bytes at which all arrays of a launch keep their contracts."""
    contracts = zip(kernel.contracts(), arguments, strict=True)
    factors = (each.multiple_of for each, given in contracts if array_of(given) is not None)
    found = lcm(GLOBAL_ALIGNMENT, *factors)
    return found if found <= _LARGEST else GLOBAL_ALIGNMENT


def place_arguments(
    kernel: KernelOp, arguments: Sequence[Argument], place_array: Callable[[str, Array], int]
) -> tuple[Binder, list[Bound]]:
    """The argument of each parameter, placed and checked against the contracts; `place_array` gives
    the address of an array. Raises LaunchError."""
    parameters, place = kernel.body.blocks[0].args, file_and_line_of(kernel)
    binder, bound, labelled = Binder(place, place_array), list[Bound](), dict[str, int]()
    for number, (parameter, argument) in enumerate(zip(parameters, arguments, strict=True)):
        with blaming(f"args.{number}"):
            bound.append(binder.bind(parameter, argument, declared_type(kernel, number)))
    says = f"as its contract at {place} says"
    for at, (least, factor, label, most) in enumerate(kernel.contracts()):
        with blaming(f"args.{at}"):
            name, number = parameter_name(parameters[at]), None
            if (width := integer_bits(parameters[at].type)) is not None:
                bits, half = bound[at].bits, 1 << width - 1
                number = (bits + half) % (2 * half) - half
                name += f" ({bits} as an unsigned number)" * (number != bits)
            if number is not None and least is not None and number < least:
                raise refused(number, f"at least {least}, {says}", name)
            if number is not None and most is not None and number > most:
                raise refused(number, f"at most {most}, {says}", name)
            if number is not None and number % factor:
                raise refused(number, f"a multiple of {factor}, {says}", name)
            first = at if label is None else labelled.setdefault(label, at)
            arrays = array_of(arguments[first]), array_of(arguments[at])
            if label is not None and not is_same(*arrays):
                legal = f"of the array of {parameter_name(parameters[first])}, {says}"
                raise refused("another array", legal, name)
    return binder, bound


def array_of(argument: Argument) -> Array | None:
    """The array that an argument is or describes; None for other arguments."""
    if isinstance(argument, TensorMap | UnboxedMap):
        return argument.array
    return argument if isinstance(argument, np.ndarray) else None


def declared_type(kernel: KernelOp, index: int) -> str:
    """The type of a parameter in the text that the kernel was read from; empty if there is none."""
    if kernel.declarations is None:
        return ""
    words = kernel.declarations.data[index].data.replace(".", " ").split()
    return next((word for word in words if word in TYPE_BITS), "")

"""Arguments of a launch: their number, their names and their contracts."""

from collections.abc import Mapping, Sequence
from typing import cast

import numpy as np

from ...isa.ptx.registers import TYPE_BITS
from ...ptx.kernel import KernelOp
from ..machine.errors import LaunchError, blaming, file_and_line_of, refused
from ..machine.machine import Machine
from ..machine.tensor_map import TensorMap
from .binder import (
    Argument,
    Array,
    Binder,
    Bound,
    described,
    integer_bits,
    is_used,
    parameter_name,
)
from .contracts import array_alignment, check_contracts
from .typed_maps import UnboxedMap

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
    parameters = kernel.body.blocks[0].args
    place, contracts = file_and_line_of(kernel), kernel.contracts()
    arrays = [array_of(argument) for argument in arguments]
    binder = Binder(machine, place, array_alignment(contracts, arrays))
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
    return bound


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

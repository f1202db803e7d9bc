"""Kernel arguments: arrays, numbers, structures and tensor maps in the machine's memory."""

from collections.abc import Sequence
from math import isinf
from typing import Any, TypeAlias, cast

import numpy as np
import numpy.typing as npt
from xdsl.dialects.builtin import AnyFloat
from xdsl.ir import Attribute, BlockArgument

from ...isa.ptx.kernel import TENSOR_MAP_BYTES
from ...ptx.kernel import KernelOp
from ...ptx.register_types import register_bits
from ...ptx.types import ParamArrayType, TensorMapType
from ...xdsl_support.float_bits import bits_of, float_of
from ..machine.errors import blaming, file_and_line_of, refused
from ..machine.machine import Machine
from ..machine.memory import Memory, aligned
from ..machine.tensor_map import TensorMap
from .contracts import array_alignment, check_contracts, is_same
from .typed_maps import UnboxedMap, check_map

Argument: TypeAlias = (
    npt.NDArray[Any]
    | int
    | float
    | np.integer[Any]
    | np.floating[Any]
    | np.bool_
    | bytes
    | TensorMap
    | UnboxedMap
)
"""
Kernel argument: an array for a pointer, a number, the bytes of a structure, or a tensor map. If the
type of a tensor map gives its box, the array alone is enough.
"""

_GLOBAL_BASE = 0x7F0000000000
_GAP = 1 << 16
_PARAMETERS = 1 << 32


def bind(machine: Machine, kernel: KernelOp, arguments: Sequence[Argument]) -> list[int]:
    """
    Compute the bits of each parameter; place arrays and structures in the machine's memory.

    Raises LaunchError.
    """
    parameters = kernel.body.blocks[0].args
    if not isinstance(arguments, list | tuple):
        legal = "a list of arrays and numbers, one for each parameter"
        raise refused(_described(arguments), legal, "the argument list")
    if len(arguments) != len(parameters):
        with blaming("args"):
            raise refused(len(arguments), len(parameters), "the number of arguments")
    place, contracts = file_and_line_of(kernel), kernel.contracts()
    arrays = [array_of(argument) for argument in arguments]
    binder = _Binder(machine, place, array_alignment(contracts, arrays))
    bits: list[int] = []
    for number, (parameter, argument) in enumerate(zip(parameters, arguments, strict=True)):
        with blaming(f"args.{number}"):
            bits.append(binder.bits(parameter, argument))
    names: list[str] = []
    numbers: list[int | None] = []
    for number, parameter in zip(bits, parameters, strict=True):
        width = _integer_bits(parameter.type)
        signed = None if width is None else _signed(number, width)
        is_other = signed is not None and signed != number
        names.append(_name(parameter) + f" ({number} as an unsigned number)" * is_other)
        numbers.append(signed)
    check_contracts(contracts, names, numbers, arrays, place)
    return bits


def array_of(argument: Argument) -> npt.NDArray[Any] | None:
    """The array that an argument is or describes; None for other arguments."""
    if isinstance(argument, TensorMap | UnboxedMap):
        return argument.array
    return argument if isinstance(argument, np.ndarray) else None


class _Binder:
    def __init__(self, machine: Machine, place: str, alignment: int):
        self._machine = machine
        self._place = place
        self._alignment = alignment
        self._next_address = aligned(_GLOBAL_BASE, alignment)
        self._buffers: list[tuple[npt.NDArray[Any], int]] = []

    def bits(self, parameter: BlockArgument, argument: Argument) -> int:
        """Bits of a parameter. Raises LaunchError."""
        type_, name = parameter.type, _name(parameter)
        match argument:
            case TensorMap() if isinstance(type_, TensorMapType):
                self._check_map(name, type_, argument)
                return self._bind_map(name, argument)
            case UnboxedMap() | np.ndarray() if isinstance(type_, TensorMapType) and type_.box:
                unboxed = argument if isinstance(argument, UnboxedMap) else UnboxedMap(argument)
                self._check_map(name, type_, unboxed)
                about, parts = name, ()
                if unboxed.name is not None:
                    about, parts = f"map {unboxed.name}", (f"maps.{unboxed.name}",)
                with blaming(*parts, about=about):
                    return self._bind_map(name, unboxed.with_box(type_.box))
            case bytes() if isinstance(type_, ParamArrayType):
                size = type_.size.data
                if len(argument) == size:
                    return self._add_parameter(name, argument, type_.alignment.data)
                raise refused(f"{len(argument)} bytes", f"{size} bytes", name)
            case np.ndarray() if _holds_address(type_):
                return self._add_buffer(name, argument)
            case int() | float() | np.integer() | np.floating() if isinstance(type_, AnyFloat):
                return _float_bits(type_, argument, name)
            case int() | np.integer() | np.bool_() if (bits := _integer_bits(type_)) is not None:
                least, most = -(1 << bits - 1), (1 << bits) - 1
                if not least <= int(argument) <= most:
                    raise refused(int(argument), f"{least} to {most}", f"{name} of type {type_}")
                return int(argument)
            case _:
                raise refused(_described(argument), _legal(type_), f"{name} of type {type_}")

    def _add_buffer(self, name: str, array: npt.NDArray[Any]) -> int:
        """The global address of an array; the same memory has one address. Raises LaunchError."""
        for known, address in self._buffers:
            if is_same(known, array):
                return address
        _check_array(name, array)
        # A subclass, such as a matrix, may have no flat view.
        data = np.asarray(array).reshape(-1).view(np.uint8)
        memory = Memory(name, self._next_address, data, np.ones(data.size, np.bool_))
        self._machine.global_space.add(memory)
        self._buffers.append((array, memory.base))
        self._next_address += aligned(data.size + _GAP, self._alignment)
        return memory.base

    def _check_map(self, name: str, type_: TensorMapType, given: "TensorMap | UnboxedMap") -> None:
        """Raise LaunchError unless a map agrees with the type of its parameter."""
        if type_.box is not None:
            check_map(given, type_.box, name, f"{type_} at {self._place}")

    def _bind_map(self, name: str, tensor_map: TensorMap) -> int:
        """Generic address of a tensor map; its tensor becomes a global buffer."""
        maps = self._machine.tensor_maps
        address = _PARAMETERS + len(maps) * TENSOR_MAP_BYTES
        maps[address] = tensor_map.at(self._add_buffer(name, tensor_map.array))
        return address

    def _add_parameter(self, name: str, data: bytes, alignment: int) -> int:
        space = self._machine.parameters
        base = aligned(space.memories[-1].end if space.memories else 0, alignment)
        content = np.frombuffer(data, np.uint8).copy()
        space.add(Memory(name, base, content, np.ones(content.size, np.bool_)))
        return base


def _check_array(name: str, array: npt.NDArray[Any]) -> None:
    """Raise LaunchError for an array that cannot be memory of the kernel."""
    if not array.flags.c_contiguous:
        found = "an array whose elements are not adjacent, in C order"
        raise refused(found, "a C-contiguous array (numpy.ascontiguousarray copies one)", name)
    if not array.flags.writeable:
        legal = "an array that the kernel may write to (array.copy() is one)"
        raise refused("a read-only array", legal, name)
    if array.dtype.hasobject:
        raise refused(_described(array), "an array of numbers", name)
    if not array.dtype.isnative:
        raise refused(_described(array), "an array in the byte order of this machine", name)


def _name(parameter: BlockArgument) -> str:
    hint = f" %{parameter.name_hint}" if parameter.name_hint else ""
    return f"argument {parameter.index}{hint}"


def _float_bits(
    type_: AnyFloat, number: "int | float | np.integer[Any] | np.floating[Any]", name: str
) -> int:
    """Bits of a number in a floating-point type. Raises LaunchError if it is too large."""
    try:
        bits = bits_of(float(number), type_)
    except OverflowError:
        bits = None
    if bits is None or (isinf(float_of(bits, type_)) and not isinf(number)):
        raise refused(number, f"a number that {type_} can hold", f"{name} of type {type_}")
    return bits


def _holds_address(type_: Attribute) -> bool:
    return register_bits(type_) == 64 and not isinstance(type_, AnyFloat | TensorMapType)


def _integer_bits(type_: Attribute) -> int | None:
    """Width of an integer parameter, None for other types."""
    if isinstance(type_, TensorMapType | ParamArrayType | AnyFloat):
        return None
    return register_bits(type_)


def _signed(number: int, bits: int) -> int:
    """The signed number with the bits of a number."""
    return (number + (1 << bits - 1)) % (1 << bits) - (1 << bits - 1)


def _described(argument: object) -> str:
    match argument:
        case np.ndarray():
            return f"an array of {cast('npt.NDArray[Any]', argument).dtype}"
        case TensorMap():
            return "a tensor map"
        case UnboxedMap():
            return "one without a box, which neither the launch nor the type gives"
        case bytes():
            return "bytes"
        case None | int() | float() | complex() | np.generic():
            return f"{argument}"
        case _:
            return f"a value of type {type(argument).__name__}"


def _legal(type_: Attribute) -> str:
    """Text: the legal arguments for a parameter type."""
    match type_:
        case TensorMapType():
            return "a tensor map"
        case ParamArrayType():
            return "bytes"
        case _ if isinstance(type_, AnyFloat):
            return "a number"
        case _ if register_bits(type_) == 64:
            return "an array, whose address is passed, or an integer"
        case _:
            return "an integer"

"""Arguments of a launch: names, contracts, and places in the memory of the machine."""

from collections.abc import Callable, Mapping, Sequence
from math import isinf, lcm
from typing import Any, NamedTuple, TypeAlias, cast

import numpy as np
import numpy.typing as npt
from xdsl.dialects.builtin import AnyFloat, f32, f64
from xdsl.ir import Attribute, BlockArgument

from ...isa.model.rule import extents_text
from ...isa.ptx.kernel import ADDRESS_BYTES, TENSOR_MAP_ALIGNMENT, TENSOR_MAP_BYTES
from ...isa.ptx.ptx_text import TYPE_BITS
from ...isa.shared_memory.tensor_map import Box, is_other_float
from ...ptx.kernel import KernelOp, memory_of
from ...ptx.register_types import register_bits
from ...ptx.types import ParamArrayType, TensorMapType
from ...ptx.variables import LoadParameterOp
from ...xdsl_support.attributes import bits_of, float_of
from ..machine.errors import LaunchError, blaming, file_and_line_of, refused
from ..machine.machine import Machine
from ..machine.tensor_map import TensorMap, element_of, encoded
from ..machine.tensor_memory import GLOBAL_BASE, PARAMETER_WINDOW, Memory, aligned


def is_same(array: npt.NDArray[Any] | None, other: npt.NDArray[Any] | None) -> bool:
    """Whether two arrays are the same memory."""
    if array is None or other is None:
        return False
    if array is other:
        return True
    starts = {each.__array_interface__["data"][0] for each in (array, other)}
    return len(starts) == 1 and 0 < array.nbytes == other.nbytes


class UnboxedMap(NamedTuple):
    """A tensor map whose box the type of the parameter gives. Parts that the map gives itself must
    agree with the type. `name` is the name of the map in the launch file."""

    array: npt.NDArray[Any]
    element: str | None = None
    swizzle: str | None = None
    fill: str = "zero"
    name: str | None = None

    def with_box(self, box: Box) -> TensorMap:
        """The map with a box. Raises Violation."""
        element = box.element if self.element is None else self.element
        swizzle = box.swizzle if self.swizzle is None else self.swizzle
        return TensorMap.of(self.array, box.extents, element, swizzle, self.fill)


def _check_map(given: TensorMap | UnboxedMap, box: Box, name: str, type_: str) -> None:
    """Raise LaunchError unless a map and its array agree with the box in the type of its parameter;
    `name` is the argument, `type_` the type and its place."""

    def check(key: str, what: str, found: str | None, legal: str, help: str) -> None:
        parts = () if given.name is None else (f"maps.{given.name}.{key}", f"maps.{given.name}")
        if found not in (None, legal):
            with blaming(*parts):
                raise refused(found, f"{legal}, as in its type {type_}", f"{name}: {what}", help)

    help = "leave box, swizzle and element out of the launch: the type gives them"
    if isinstance(given, TensorMap):
        check("box", "the box", extents_text(given.box), extents_text(box.extents), help)
        steps = (1, *given.element_strides[1:])
        ones = extents_text((1,) * len(steps))
        check("", "the element strides", extents_text(steps), ones, help)
    check("element", "the element type", given.element, box.element, help)
    check("swizzle", "the swizzle mode", given.swizzle, box.swizzle, help)
    found = element_of(given.array)
    if found is not None and is_other_float(found, box.element):
        help = (
            "give the array and the type of the map one element type; to copy the bits of other "
            f"numbers, pass integers of {box.kind.item_bits} bits"
        )
        check("array", "the element type of the array", found, box.element, help)


Array: TypeAlias = npt.NDArray[Any]
Number: TypeAlias = int | float | np.integer[Any] | np.floating[Any] | np.bool_
Member: TypeAlias = Array | TensorMap | np.generic | bytes
"""A member of a structure: an array for a pointer, a tensor map, a number with its type, or
bytes."""
Argument: TypeAlias = Array | Number | bytes | TensorMap | UnboxedMap | Mapping[int, Member] | None
"""
Kernel argument: an array for a pointer, a number, a tensor map, or a structure: its bytes, or its
members by their offsets. If the type of a tensor map gives its box, the array alone is enough. None
is the argument for a parameter that the kernel does not use.
"""

_GAP = 1 << 16


class Bound(NamedTuple):
    """A parameter with its argument: its bits, and its address in the state space `.param`."""

    bits: int
    address: int


class Binder:
    """Places the arguments of a launch. `place` is that of the kernel, for messages; `place_array`
    gives the address of an array, once for each memory."""

    def __init__(self, place: str, place_array: Callable[[str, Array], int]):
        self._place = place
        self._place_array = place_array
        self._buffers: list[tuple[Array, int]] = []
        self.parameters: list[Memory] = []
        self.pieces: dict[int, Array | TensorMap] = {}
        """Address of an array's address or of a tensor map in the parameters -> that array or
        map."""

    @property
    def content(self) -> bytes:
        """The bytes of all parameters."""
        found = np.zeros(self._end, np.uint8)
        for each in self.parameters:
            found[each.base : each.end] = each.bytes
        return found.tobytes()

    @property
    def _end(self) -> int:
        """The end of the parameters so far."""
        return self.parameters[-1].end if self.parameters else 0

    def bind(self, parameter: BlockArgument, argument: Argument, declared: str) -> Bound:
        """Place a parameter, declared with a type in PTX or empty. Raises LaunchError."""
        type_ = parameter.type
        held = _held(parameter, self._end)
        self.parameters.append(held)
        bits, size = 0, held.bytes.size
        if isinstance(type_, ParamArrayType):
            if isinstance(argument, int | np.integer) and TYPE_BITS.get(declared) == 8 * size:
                # A number that is narrower than any register.
                least, most = -(1 << 8 * size - 1), (1 << 8 * size) - 1
                if not least <= int(argument) <= most:
                    raise refused(int(argument), f"{least} to {most}", held.name)
                argument = (int(argument) % (most + 1)).to_bytes(size, "little")
            self._fill(held, type_, argument)
        elif isinstance(type_, TensorMapType):
            self._place_map(held.name, self._map(held.name, type_, argument), held, 0)
        else:
            if argument is not None or is_used(parameter):
                bits = self._bits(held, type_, argument, declared)
            _write(held, 0, (bits % (1 << 8 * size)).to_bytes(size, "little"))
        return _bound(held, type_, bits)

    def _bits(self, held: Memory, type_: Attribute, argument: Argument, declared: str) -> int:
        """Bits of a parameter in a register. Raises LaunchError."""
        name = held.name
        if (
            isinstance(argument, np.ndarray)
            and register_bits(type_) == 8 * ADDRESS_BYTES
            and not isinstance(type_, AnyFloat)
        ):
            return self._add_pointer(name, argument, held.base)
        if isinstance(argument, int | float | np.integer | np.floating) and (
            float_type := _float_type(type_, declared, argument)
        ):
            return _float_bits(float_type, argument, name)
        bits = integer_bits(type_)
        if isinstance(argument, int | np.integer | np.bool_) and bits is not None:
            least, most = -(1 << bits - 1), (1 << bits) - 1
            if not least <= int(argument) <= most:
                raise refused(int(argument), f"{least} to {most}", f"{name} of type {type_}")
            return int(argument)
        raise refused(described(argument), _legal(type_), f"{name} of type {type_}")

    def _map(self, name: str, type_: TensorMapType, argument: Argument) -> TensorMap:
        """The tensor map of a parameter. Raises LaunchError."""
        given = argument
        if isinstance(argument, np.ndarray) and type_.box:
            given = UnboxedMap(argument)
        if isinstance(given, TensorMap | UnboxedMap) and type_.box is not None:
            _check_map(given, type_.box, name, f"{type_} at {self._place}")
        if isinstance(given, UnboxedMap) and type_.box:
            about, parts = name, ()
            if given.name is not None:
                about, parts = f"map {given.name}", (f"maps.{given.name}",)
            with blaming(*parts, about=about):
                return given.with_box(type_.box)
        if not isinstance(given, TensorMap):
            raise refused(described(given), _legal(type_), f"{name} of type {type_}")
        return given

    def _fill(self, held: Memory, type_: ParamArrayType, argument: Argument) -> None:
        """Write a structure. Raises LaunchError."""
        name, size = held.name, held.bytes.size
        if argument is None:
            return
        if isinstance(argument, bytes):
            if len(argument) != size:
                raise refused(f"{len(argument)} bytes", f"{size} bytes", name)
            _write(held, 0, argument)
        elif isinstance(argument, TensorMap):
            self._add_member(held, 0, argument)
        elif isinstance(argument, Mapping):
            for offset, member in argument.items():
                self._add_member(held, offset, member)
        else:
            raise refused(described(argument), _legal(type_), f"{name} of type {type_}")

    def _add_member(self, held: Memory, offset: int, member: object) -> None:
        """Write a member of a structure. Raises LaunchError."""
        name = f"{held.name} at byte {offset}"
        match member:
            case TensorMap():
                size, alignment = TENSOR_MAP_BYTES, TENSOR_MAP_ALIGNMENT
            case np.ndarray():
                size = alignment = ADDRESS_BYTES
            case np.generic():
                size, alignment = member.nbytes, 1
            case bytes():
                size, alignment = len(member), 1
            case _:
                raise refused(described(member), _MEMBERS, name)
        if not 0 <= offset <= held.bytes.size - size:
            found, legal = f"{size} bytes", f"inside the {held.bytes.size} bytes of the parameter"
            raise refused(found, legal, name)
        if (held.base + offset) % alignment:
            raise refused(
                held.base + offset, f"a multiple of {alignment}", f"the address of {name}"
            )
        if held.written[offset : offset + size].any():
            raise refused("a member that overlaps another", "a member of its own", name)
        if isinstance(member, TensorMap):
            self._place_map(name, member, held, offset)
            return
        if isinstance(member, np.ndarray):
            address = self._add_pointer(name, cast("Array", member), held.base + offset)
            content = address.to_bytes(size, "little")
        else:
            content = member if isinstance(member, bytes) else member.tobytes()
        _write(held, offset, content)

    def _place_map(self, name: str, tensor_map: TensorMap, held: Memory, offset: int) -> None:
        """Place a tensor map in a parameter; its tensor becomes a global buffer."""
        placed = tensor_map.at(self._add_buffer(name, tensor_map.array))
        self.pieces[held.base + offset] = placed
        _write(held, offset, encoded(placed))

    def _add_pointer(self, name: str, array: Array, at: int) -> int:
        """The global address of an array, which is placed at an address in the parameters."""
        self.pieces[at] = array
        return self._add_buffer(name, array)

    def _add_buffer(self, name: str, array: Array) -> int:
        """The global address of an array; the same memory has one address. Raises LaunchError."""
        for known, address in self._buffers:
            if is_same(known, array):
                return address
        _check_array(name, array)
        address = self._place_array(name, array)
        self._buffers.append((array, address))
        return address


def places_in(machine: Machine, alignment: int) -> Callable[[str, Array], int]:
    """The function that places an array in the global memory of a machine, at the next multiple of
    an alignment."""
    next_address = aligned(GLOBAL_BASE, alignment)

    def place(name: str, array: Array) -> int:
        nonlocal next_address
        # A subclass, such as a matrix, may have no flat view.
        data = np.asarray(array).reshape(-1).view(np.uint8)
        memory = Memory(name, next_address, data, np.ones(data.size, np.bool_))
        machine.global_space.add(memory)
        next_address += aligned(data.size + _GAP, alignment)
        return memory.base

    return place


def bind_bytes(machine: Machine, kernel: KernelOp, content: bytes) -> list[Bound]:
    """Place the parameters of a kernel, whose bytes a host program gives. Tensor maps among them
    are encoded as in memory."""
    bound: list[Bound] = []
    end = 0
    for parameter in kernel.body.blocks[0].args:
        held = _held(parameter, end)
        end = held.end
        given = content[held.base : end]
        machine.parameters.add(held)
        _write(held, 0, given)
        bound.append(_bound(held, parameter.type, int.from_bytes(given, "little")))
    return bound


def _held(parameter: BlockArgument, end: int) -> Memory:
    """The memory of a parameter after others, which end at an address."""
    size, alignment = memory_of(parameter.type) or (0, 1)
    content, written = np.zeros(size, np.uint8), np.zeros(size, np.bool_)
    return Memory(parameter_name(parameter), aligned(end, alignment), content, written)


def _bound(held: Memory, type_: Attribute, bits: int) -> Bound:
    """A parameter in its memory; `bits` are those of a number."""
    if isinstance(type_, ParamArrayType):
        bits = held.base
    elif isinstance(type_, TensorMapType):
        bits = PARAMETER_WINDOW + held.base
    return Bound(bits, held.base)


def is_used(parameter: BlockArgument) -> bool:
    """Whether a kernel uses the value of a parameter."""
    return any(
        not isinstance(use.operation, LoadParameterOp) or use.operation.result.uses
        for use in parameter.uses
    )


def _write(memory: Memory, offset: int, content: bytes) -> None:
    cells = slice(offset, offset + len(content))
    memory.bytes[cells] = np.frombuffer(content, np.uint8)
    memory.written[cells] = True


def _float_type(type_: Attribute, declared: str, argument: object) -> AnyFloat | None:
    """
    The floating-point type in which a number is passed; None for an integer.

    A kernel that was read from PTX has integers for all registers: the declaration tells, or else
    the number itself.
    """
    if isinstance(type_, AnyFloat):
        return type_
    if declared in _FLOATS:
        return _FLOATS[declared]
    is_float = isinstance(argument, float | np.floating)
    return _UNTYPED.get(declared) if is_float else None


def _check_array(name: str, array: npt.NDArray[Any]) -> None:
    """Raise LaunchError for an array that cannot be memory of the kernel."""
    if not array.flags.c_contiguous:
        found = "an array whose elements are not adjacent, in C order"
        raise refused(found, "a C-contiguous array (numpy.ascontiguousarray copies one)", name)
    if not array.flags.writeable:
        legal = "an array that the kernel may write to (array.copy() is one)"
        raise refused("a read-only array", legal, name)
    if array.dtype.hasobject:
        raise refused(described(array), "an array of numbers", name)
    if not array.dtype.isnative:
        raise refused(described(array), "an array in the byte order of this machine", name)


def parameter_name(parameter: BlockArgument) -> str:
    """Name of a parameter in messages."""
    kernel, hint = parameter.owner.parent_op(), parameter.name_hint
    if isinstance(kernel, KernelOp) and kernel.is_read:
        return f"argument {parameter.index} {kernel.parameter_name(parameter.index)}"
    return f"argument {parameter.index} %{hint}" if hint else f"argument {parameter.index}"


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


def integer_bits(type_: Attribute) -> int | None:
    """Width of an integer parameter, None for other types."""
    if isinstance(type_, TensorMapType | ParamArrayType | AnyFloat):
        return None
    return register_bits(type_)


def described(argument: object) -> str:
    match argument:
        case np.ndarray():
            return f"an array of {cast('Array', argument).dtype}"
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
            return "bytes, a tensor map, or members by their offsets"
        case _ if isinstance(type_, AnyFloat):
            return "a number"
        case _ if register_bits(type_) == 8 * ADDRESS_BYTES:
            return "an array, whose address is passed, or an integer"
        case _:
            return "an integer"


_MEMBERS = "an array, a tensor map, a number of a numpy type such as int32, or bytes"
_FLOATS = {"f32": f32, "f64": f64}
"""Declared type of a parameter -> the type in which a number is passed."""
_UNTYPED = {"b32": f32, "u32": f32, "b64": f64, "u64": f64}
"""The same for numbers with a fraction, where the declaration tells only the width."""


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

"""Uses of the parameters of a kernel: pointers, tensor maps, numbers and members of structures."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Literal

from xdsl.dialects.builtin import AnyFloat
from xdsl.ir import BlockArgument, Operation
from xdsl.irdl import IRDLOperation

from ..isa.effects.model import StateSpace
from ..isa.instructions.copies import TENSOR_ADDRESS
from ..isa.ptx.kernel import ADDRESS_BYTES
from ..isa.ptx.ptx_text import TYPE_BITS
from ..ptx.effects import effects_of
from ..ptx.instructions import LdOp, StOp, TensormapReplaceOp
from ..ptx.kernel import KernelOp, memory_of
from ..ptx.register_types import register_bits
from ..ptx.structure import InlineOp
from ..ptx.text.syntax import values_of
from ..ptx.types import ParamArrayType, TensorMapType
from ..simulator.launch.binder import declared_type, names_of
from .box_proposals import THE_BOX, BoxProposal, Copies, Origins
from .trial import Coordinates, Key, Trial

Kind = Literal["pointer", "map", "number"]
_GLOBAL = (None, "global")


@dataclass(eq=False)
class Member:
    """Use of a parameter, or of the member of a structure at byte `offset`, of `size` bytes."""

    offset: int
    size: int
    kind: Kind = "number"
    accessed: set[str] = field(default_factory=set[str])
    """The types with which memory at a pointer is accessed."""
    box: BoxProposal | None = None
    value: int | None = None
    """A value with which the kernel runs."""
    end: int | None = None
    """The bytes of the memory at a pointer that the kernel then accesses."""
    origins: Collection[Coordinates] = ()
    """The coordinates of the boxes that the kernel then copies."""
    decides: bool = False
    """Whether control or addresses depend on the content of the memory at a pointer."""
    is_stored: bool = False
    """Whether the kernel stores to the memory at a pointer, or to the tensor of a map."""
    is_guess: bool = True
    """Whether it is not known that the kernel runs with what is proposed."""


@dataclass(eq=False)
class Parameter:
    """A parameter of a kernel and its uses; a parameter without members is not used."""

    index: int
    name: str
    short_name: str
    """The name without that of the kernel, with which compilers begin it."""
    declared: str
    """The type that PTX text declares; empty if there is none."""
    size: int
    is_structure: bool
    is_float: bool
    members: dict[int, Member] = field(default_factory=dict[int, Member])

    def member(self, offset: int, size: int) -> Member:
        """The member at an offset."""
        return self.members.setdefault(offset, Member(offset, size))


def parameters_of(kernel: KernelOp, trial: Trial) -> list[Parameter]:
    """The parameters of a kernel in the `ptx` dialect, with what it uses them as, and what a trial
    tells of them."""
    named = zip(kernel.body.blocks[0].args, names_of(kernel), strict=True)
    parameters = [_declared(kernel, argument, name) for argument, name in named]
    origins = Origins(kernel)
    copies = Copies(kernel, origins)
    for op in kernel.walk():
        _record(op, origins, parameters)
    for (index, offset), box in copies.boxes(trial).items():
        member = parameters[index].member(offset, parameters[index].size)
        member.kind, member.box = "map", box
    for argument, found in zip(kernel.body.blocks[0].args, parameters, strict=True):
        # A launch gives values to parameters that only types and assumptions of IR use.
        is_used = argument.uses or kernel.declarations is None
        if not found.is_structure and is_used and not found.members:
            found.member(0, found.size)
    stored = {key for op in kernel.walk() for key in _stored(op, origins)}
    for parameter in parameters:
        for member in parameter.members.values():
            member.is_stored = (parameter.index, member.offset) in stored
            _take(member, (parameter.index, member.offset), trial)
            if member.kind == "pointer" and not member.accessed:
                # Copies bring data for products, or numbers that the kernel then loads.
                element = "b32" if member.decides else copies.element
                member.accessed.update([] if element is None else [element])
    return parameters


def _declared(kernel: KernelOp, argument: BlockArgument, name: str) -> Parameter:
    """A parameter as the kernel declares it."""
    memory, declared = memory_of(argument.type), declared_type(kernel, argument.index)
    assert memory is not None
    size, _ = memory
    # A number that is narrower than any register is an array of bytes in IR.
    is_structure = isinstance(argument.type, ParamArrayType) and TYPE_BITS.get(declared) != 8 * size
    short_name = name.removeprefix(f"{kernel.sym_name.data}_")
    is_float = isinstance(argument.type, AnyFloat) or declared.startswith("f")
    found = Parameter(argument.index, name, short_name, declared, size, is_structure, is_float)
    if isinstance(argument.type, TensorMapType):
        found.member(0, size).kind = "map"
    return found


def _take(member: Member, key: Key, trial: Trial) -> None:
    """Take from a trial what it tells of a member."""
    member.value, member.end = trial.numbers.get(key), trial.ends.get(key)
    member.origins = trial.origins.get(key, ())
    member.is_guess = not trial.is_run or key in trial.deciding
    member.decides = key in trial.deciding
    if member.box is not None:
        member.is_guess |= THE_BOX in member.box.doubts
    if member.kind == "number":
        member.is_guess |= member.value is None


def _record(op: Operation, origins: Origins, parameters: list[Parameter]) -> None:
    """Record what an operation uses parameters as."""
    if isinstance(op, LdOp):
        size = TYPE_BITS[op.type.data] // 8
        for result in op.values:
            for of, offset, _ in origins.of(result) if result.uses else ():
                if offset is not None:
                    parameters[of].member(offset, size)
    for value in (value for name in _addresses(op) for value in values_of(op, name)):
        for of, offset, is_address in origins.of(value):
            if is_address or offset is None:
                continue
            member = parameters[of].member(offset, ADDRESS_BYTES)
            if register_bits(value.type) == 8 * ADDRESS_BYTES:
                member.kind = "pointer"
                if isinstance(op, LdOp | StOp):
                    member.accessed.add(op.type.data)


def _stored(op: Operation, origins: Origins) -> Iterator[Key]:
    """The pointers and tensor maps through which an operation writes; an unknown instruction may
    write through each operand."""
    written = {
        name
        for area in effects_of(type(op)).writes
        if area.space in (StateSpace.GLOBAL, StateSpace.MEMORY)
        for name in area.operands
    }
    values = [value for name in written for value in values_of(op, name)]
    for value in op.operands if isinstance(op, InlineOp) else values:
        for of, offset, _ in origins.of(value):
            if offset is not None:
                yield of, offset


def _addresses(op: Operation) -> list[str]:
    """The operands of an instruction that may be addresses in global memory."""
    if isinstance(op, LdOp | StOp):
        space = None if op.space is None else op.space.data
        return ["address"] if space in _GLOBAL else []
    if isinstance(op, TensormapReplaceOp) and op.field.data == TENSOR_ADDRESS:
        return ["value"]
    if not isinstance(op, IRDLOperation):
        return []
    names = [name for name, _ in op.get_irdl_definition().operands]
    return [name for name in names if name in ("address", "source", "destination")]

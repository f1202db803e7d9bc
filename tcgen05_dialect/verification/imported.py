"""
Kernels of PTX text in the form of kernels of IR, for runs without a launch.

PTX loads parameters from memory, member by member, and takes the addresses of tensor maps in it.
Runs need the members themselves: they choose numbers, and infer the boxes of tensor maps.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue
from xdsl.rewriter import Rewriter

from ..isa.ptx.kernel import extents_text
from ..ptx.arithmetic import AddOp, CvtOp, MovOp
from ..ptx.effects import bytes_at
from ..ptx.kernel import KernelOp
from ..ptx.known_values import constant_value
from ..ptx.memory import CvtaOp, LdOp
from ..ptx.parameters import LoadParameterOp, ParameterAddressOp
from ..ptx.register_types import register_bits
from ..ptx.structure import GuardOp
from ..ptx.syntax import offset_of
from ..ptx.types import TensorMapType


class _Place(NamedTuple):
    """A byte of a parameter."""

    parameter: SSAValue
    offset: int


class Verifiable(NamedTuple):
    """A kernel as runs need it, and what is assumed of its launch."""

    kernel: KernelOp
    assumed: str = ""


def verifiable(module: ModuleOp) -> list[Verifiable]:
    """The kernels of a module; those of PTX text are copies."""
    kernels = [op for op in module.ops if isinstance(op, KernelOp)]
    if not any(kernel.declarations is not None for kernel in kernels):
        return [Verifiable(kernel) for kernel in kernels]
    return [_copied(op) for op in module.clone().ops if isinstance(op, KernelOp)]


def _copied(kernel: KernelOp) -> Verifiable:
    if kernel.declarations is None:
        return Verifiable(kernel)
    _Members(kernel).separate()
    most = kernel.extents("maxntid")
    if kernel.extents("reqntid") is not None or most is None:
        return Verifiable(kernel)
    kernel.properties["reqntid"] = kernel.properties.pop("maxntid")
    return Verifiable(kernel, f"CTAs of {extents_text(most)} threads, as .maxntid allows")


class _Members:
    """The members of the parameters of a kernel, each a further parameter."""

    def __init__(self, kernel: KernelOp):
        self._entry = kernel.body.blocks[0]
        self._kernel = kernel
        self._known: dict[tuple[_Place, object], SSAValue] = {}
        self._places: dict[SSAValue, _Place] = {}
        self._loads: list[tuple[LdOp, list[_Place], int]] = []
        """Loads of members: their places, and the bytes of each."""

    def separate(self) -> None:
        for op in list(self._kernel.walk()):
            if isinstance(op, LoadParameterOp):
                _replace(op, [op.parameter])
            elif isinstance(op, MovOp) and op.a.type == op.d.type and not _is_guarded(op):
                _replace(op, [op.a])
        for op in list(self._kernel.walk()):
            self._follow(op)
        kinds = {
            (place, size, value.type)
            for op, places, size in self._loads
            for place, value in zip(places, op.values, strict=True)
        }
        for op, places, size in self._loads:
            # Parameters that stand for the same bytes might get different values.
            if not any(_shares_bytes(place, size, kinds) for place in places):
                members = zip(places, op.values, strict=True)
                _replace(op, [self._member(at, value.type) for at, value in members])
        for op in list(self._kernel.walk())[::-1]:
            if isinstance(op, _ADDRESSES) and not any(result.uses for result in op.results):
                Rewriter.erase_op(op)

    def _follow(self, op: Operation) -> None:
        """Follow the address of a parameter through an operation, or replace its use."""
        match op:
            case ParameterAddressOp():
                self._places[op.result] = _Place(op.parameter, 0)
            case CvtOp() | CvtaOp():
                if (place := self._places.get(op.a)) is not None:
                    self._places[op.d] = place
            case AddOp():
                for one, other in ((op.a, op.b), (op.b, op.a)):
                    place, number = self._places.get(one), constant_value(other)
                    if place is not None and number is not None:
                        self._places[op.d] = _Place(place.parameter, place.offset + number)
            case LdOp() if (place := self._places.get(op.address)) is not None:
                self._load(op, place)
            case _:
                map_ = getattr(op, "tensor_map", None)
                if map_ is not None and (place := self._places.get(map_)) is not None:
                    self._replace_map(op, map_, place)

    def _load(self, op: LdOp, place: _Place) -> None:
        size = bytes_at(op, "address") // len(op.values)
        if _is_guarded(op) or any(register_bits(each.type) != 8 * size for each in op.values):
            return
        start = place.offset + offset_of(op, "address")
        places = [_Place(place.parameter, start + at * size) for at in range(len(op.values))]
        self._loads.append((op, places, size))

    def _replace_map(self, op: Operation, map_: SSAValue, place: _Place) -> None:
        member = self._member(place, TensorMapType())
        for index, operand in enumerate(op.operands):
            if operand is map_:
                op.operands[index] = member

    def _member(self, place: _Place, type_: Attribute) -> SSAValue:
        """The parameter that stands for a member."""
        known = self._known.get((place, type_))
        if known is None:
            known = self._entry.insert_arg(type_, len(self._entry.args))
            assert isinstance(place.parameter, BlockArgument)
            name = self._kernel.parameter_name(place.parameter.index)
            known.name_hint = f"{name}_at_{place.offset}" if place.offset else f"{name}_"
            self._known[place, type_] = known
        return known


_ADDRESSES = (ParameterAddressOp, CvtOp, CvtaOp, AddOp)


def _shares_bytes(
    place: _Place, size: int, members: Iterable[tuple[_Place, int, Attribute]]
) -> bool:
    """Whether several members, which differ in place, size or type, contain bytes of a place."""
    found = [
        other
        for other, other_size, _ in members
        if other.parameter is place.parameter
        and other.offset < place.offset + size
        and place.offset < other.offset + other_size
    ]
    return len(found) > 1


def _replace(op: Operation, values: Sequence[SSAValue]) -> None:
    """Replace the results of an operation, and the operation."""
    for result, value in zip(op.results, values, strict=True):
        result.replace_all_uses_with(value)
    Rewriter.erase_op(op)


def _is_guarded(op: Operation) -> bool:
    return isinstance(op.parent_op(), GuardOp)

"""
Members of parameters in memory, each as a further parameter of the kernel.

PTX text loads parameters from memory, member by member, and takes the addresses of tensor maps in
it; so does IR with a `param_array`. Runs need the members themselves: they choose numbers, and
infer the boxes of tensor maps.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import reduce
from itertools import pairwise
from typing import NamedTuple

from xdsl.dialects.builtin import IntegerType, i8, i16
from xdsl.ir import Attribute, BlockArgument, Operation, SSAValue
from xdsl.rewriter import Rewriter

from tcgen05_dialect.passes.support.conversion import PtxBuilder

from ...ptx import instructions as ptx
from ...ptx.analysis.known_values import constant_value
from ...ptx.analysis.values import forwards
from ...ptx.effects import bytes_at
from ...ptx.instructions import CvtaOp, CvtaToOp, LdOp
from ...ptx.kernel import KernelOp, memory_of
from ...ptx.register_types import register_bits
from ...ptx.structure import GuardOp
from ...ptx.text.syntax import offset_of, word_of
from ...ptx.types import ParamArrayType, TensorMapType
from ...ptx.variables import LoadParameterOp, ParameterAddressOp

_WORD = 8
"""Bytes of the largest member."""


class _Place(NamedTuple):
    """A byte of a parameter."""

    parameter: BlockArgument
    offset: int


class _Load(NamedTuple):
    """A load of members of one size, one after the other, into registers."""

    op: Operation
    place: _Place
    size: int

    @property
    def ranges(self) -> Iterator[range]:
        for index in range(len(self.op.results)):
            start = self.place.offset + index * self.size
            yield range(start, start + self.size)


def separate_members(kernel: KernelOp) -> Mapping[int, tuple[int, int]]:
    """
    Make each member that a kernel loads, and each tensor map in a parameter, a parameter.

    Returns the parameter and the byte of each member by the number of its own parameter.
    """
    members = _Members(kernel)
    members.separate()
    return members.places


class _Members:
    """The members of the parameters of a kernel."""

    def __init__(self, kernel: KernelOp):
        self._entry = kernel.body.blocks[0]
        self._kernel = kernel
        self._places: dict[SSAValue, _Place] = {
            each: _Place(each, 0)
            for each in self._entry.args
            if isinstance(each.type, ParamArrayType)
        }
        self._loads: list[_Load] = []
        self._build = PtxBuilder({})
        self._members: dict[tuple[_Place, Attribute], BlockArgument] = {}
        self._choices: dict[SSAValue, ptx.SelpOp] = {}
        """Address that is one of two places -> the selection."""

    @property
    def places(self) -> Mapping[int, tuple[int, int]]:
        """The place of each member by the number of the parameter that stands for it."""
        return {
            value.index: (place.parameter.index, place.offset)
            for (place, _), value in self._members.items()
        }

    def separate(self) -> None:
        for op in list(self._kernel.walk()):
            if isinstance(op, ptx.MovOp) and op.a.type == op.d.type and not _is_guarded(op):
                _replace(op, [op.a])
        for op in list(self._kernel.walk()):
            self._follow(op)
        ranges: dict[SSAValue, list[range]] = {}
        for load in self._loads:
            ranges.setdefault(load.place.parameter, []).extend(load.ranges)
        atoms = {parameter: atoms_of(given) for parameter, given in ranges.items()}
        for load in self._loads:
            _replace(load.op, list(self._values(load, atoms[load.place.parameter])))
        for value, place in self._places.items():
            if not isinstance(value, BlockArgument) and _reaches_map(value):
                value.replace_all_uses_with(self._member(place, TensorMapType()))
        for op in list(self._kernel.walk())[::-1]:
            if isinstance(op, _ADDRESSES) and not any(result.uses for result in op.results):
                Rewriter.erase_op(op)

    def _follow(self, op: Operation) -> None:
        """Follow the address of a parameter through an operation."""
        if (choice := self._choice_of(op)) is not None:
            self._choose_last(op, choice)
            return
        match op:
            case ptx.SelpOp() if op.a in self._places and op.b in self._places:
                self._choices[op.d] = op
            case LoadParameterOp():
                assert isinstance(op.parameter, BlockArgument)
                if isinstance(op.parameter.type, TensorMapType):
                    _replace(op, [op.parameter])
                else:
                    self._load(op, _Place(op.parameter, 0))
            case ParameterAddressOp():
                assert isinstance(op.parameter, BlockArgument)
                self._places[op.result] = _Place(op.parameter, 0)
            case ptx.CvtOp() | CvtaOp() | CvtaToOp():
                if (place := self._places.get(op.a)) is not None:
                    self._places[op.d] = place
            case ptx.AddOp():
                for one, other in ((op.a, op.b), (op.b, op.a)):
                    place, number = self._places.get(one), constant_value(other)
                    if place is not None and number is not None:
                        self._places[op.d] = _Place(place.parameter, place.offset + number)
            case LdOp() if (place := self._places.get(op.address)) is not None:
                offset = place.offset + offset_of(op, "address")
                self._load(op, _Place(place.parameter, offset))
            case _:
                pass

    def _choice_of(self, op: Operation) -> ptx.SelpOp | None:
        """The selection of a place from which an operation computes a place: of an address, or of
        the distance from one; None if there is none."""
        if not isinstance(op, ptx.CvtOp | CvtaOp | CvtaToOp | ptx.AddOp):
            return None
        for operand in op.operands:
            choice = self._choices.get(operand)
            if choice is None and isinstance(operand.owner, ptx.SelpOp):
                distances = constant_value(operand.owner.a), constant_value(operand.owner.b)
                is_moved = any(each in self._places for each in op.operands)
                choice = operand.owner if is_moved and None not in distances else None
            if choice is not None and choice.d.type == op.d.type:
                return choice
        return None

    def _choose_last(self, op: Operation, choice: ptx.SelpOp) -> None:
        """Compute both places, and select one of them."""
        block = op.parent_block()
        assert block is not None
        sides = [op.clone(), op.clone()]
        for side, value in zip(sides, (choice.a, choice.b), strict=True):
            side.operands = [value if each is choice.d else each for each in op.operands]
        chosen = choice.clone()
        chosen.operands = [*(side.results[0] for side in sides), choice.condition]
        for each in (*sides, chosen):
            block.insert_op_before(each, op)
            self._follow(each)
        _replace(op, [chosen.d])

    def _load(self, op: Operation, place: _Place) -> None:
        size = (
            bytes_at(op, "address") // len(op.results)
            if isinstance(op, LdOp)
            else (register_bits(op.results[0].type) or 0) // 8
        )
        widths = [register_bits(each.type) or 0 for each in op.results]
        if _is_guarded(op) or not 0 < size <= _WORD or max(widths) > 8 * _WORD:
            return
        load = _Load(op, place, size)
        # A run reports what is read outside of the parameter.
        if all(_is_inside(each, place.parameter) for each in load.ranges):
            self._loads.append(load)

    def _values(self, load: _Load, atoms: Sequence[range]) -> Iterator[SSAValue]:
        """The values that a load gives, computed from the atoms that it contains."""
        for result, bytes_ in zip(load.op.results, load.ranges, strict=True):
            inside = [each for each in atoms if each.start in bytes_]
            is_whole = register_bits(result.type) == 8 * load.size and result.type != i8
            yield (
                self._atom(load.place.parameter, inside[0], result.type)
                if is_whole and len(inside) == 1
                else self._packed(load, result.type, bytes_, inside)
            )

    def _packed(
        self, load: _Load, type_: Attribute, bytes_: range, atoms: Iterable[range]
    ) -> SSAValue:
        """The value of a register that is wider than an atom."""
        build = self._at(load.op)
        bits = register_bits(type_)
        wide, unsigned = IntegerType(bits or 0), f"u{bits}"
        parts: list[SSAValue] = []
        for each in atoms:
            atom = self._atom(load.place.parameter, each, None)
            part = build.compute(ptx.CvtOp, unsigned, atom, source=f"u{8 * len(each)}")
            shift = build.constant(8 * (each.start - bytes_.start))
            parts.append(build.compute(ptx.ShlOp, f"b{bits}", part, shift))
        value = reduce(lambda a, b: build.compute(ptx.OrOp, f"b{bits}", a, b), parts)
        signed = word_of(load.op, "type") or ""
        if signed.startswith("s"):
            value = build.compute(ptx.CvtOp, f"s{bits}", value, source=signed)
        if type_ != wide:
            value = build.compute_as(type_, ptx.MovOp, f"b{bits}", value)
        return value

    def _atom(self, parameter: BlockArgument, bytes_: range, type_: Attribute | None) -> SSAValue:
        """The parameter that stands for an atom, in a register of a type, or of the smallest."""
        smallest = IntegerType(max(8 * len(bytes_), i16.width.data))
        place = _Place(parameter, bytes_.start)
        is_array = isinstance(parameter.type, ParamArrayType)
        if not is_array and register_bits(parameter.type) == 8 * len(bytes_):
            known: SSAValue = parameter
        else:
            known = next(
                (
                    value
                    for (other, held), value in self._members.items()
                    if other == place and held != TensorMapType()
                ),
                None,
            ) or self._member(place, type_ or smallest)
        if known.type == (type_ or smallest):
            return known
        assert self._entry.first_op is not None
        build = self._at(self._entry.first_op)
        bits = register_bits(known.type)
        return build.compute_as(type_ or smallest, ptx.MovOp, f"b{bits}", known)

    def _at(self, op: Operation) -> PtxBuilder:
        self._build.at = op
        return self._build

    def _member(self, place: _Place, type_: Attribute) -> SSAValue:
        """The parameter that stands for a member."""
        known = self._members.get((place, type_))
        if known is None:
            known = self._entry.insert_arg(type_, len(self._entry.args))
            # A hint loses a number at its end.
            known.name_hint = (
                f"{short_name(self._kernel, place.parameter.index)}_byte{place.offset}"
            )
            self._members[place, type_] = known
        return known


def short_name(kernel: KernelOp, index: int) -> str:
    """The name of a parameter, without that of the kernel, which compilers repeat."""
    name = kernel.body.blocks[0].args[index].name_hint or f"parameter{index}"
    if kernel.declarations is not None:
        name = kernel.parameter_name(index).removeprefix(f"{kernel.sym_name.data}_")
    return name


def shown_name(parameter: BlockArgument) -> str:
    """The name of a parameter of a kernel in messages. The hint of its value is not the name in PTX
    text: a hint loses a number at its end."""
    kernel = parameter.block.parent_op()
    assert isinstance(kernel, KernelOp)
    if parameter.index < len(kernel.declarations or ()):
        return f"%{short_name(kernel, parameter.index)}"
    return f"%{parameter.name_hint or parameter.index}"


_ADDRESSES = (ParameterAddressOp, ptx.CvtOp, CvtaOp, CvtaToOp, ptx.AddOp, LoadParameterOp)


def atoms_of(ranges: Iterable[range]) -> list[range]:
    """The largest ranges of bytes, each of one member, that make up all ranges."""
    given = set(ranges)
    cuts = sorted({cut for each in given for cut in (each.start, each.stop)})
    found: list[range] = []
    for start, stop in pairwise(cuts):
        if not any(each.start <= start < each.stop for each in given):
            continue
        while start < stop:
            size = _WORD
            while start % size or start + size > stop:
                size //= 2
            found.append(range(start, start + size))
            start += size
    return found


def _reaches_map(value: SSAValue) -> bool:
    """Whether a value is, or may be selected as, the tensor map of an instruction."""

    def results(op: Operation, value: SSAValue) -> Iterable[SSAValue]:
        return op.results if isinstance(op, ptx.SelpOp) and value is not op.condition else ()

    return any(
        getattr(use.operation, "tensor_map", None) is each
        for each in forwards([value], results)
        for use in each.uses
    )


def _replace(op: Operation, values: Sequence[SSAValue]) -> None:
    """Replace the results of an operation, and the operation."""
    for result, value in zip(op.results, values, strict=True):
        result.replace_all_uses_with(value)
    Rewriter.erase_op(op)


def _is_inside(bytes_: range, parameter: BlockArgument) -> bool:
    """Whether a parameter has some bytes."""
    size, _ = memory_of(parameter.type) or (0, 1)
    return bytes_.start >= 0 and bytes_.stop <= size


def _is_guarded(op: Operation) -> bool:
    return isinstance(op.parent_op(), GuardOp)

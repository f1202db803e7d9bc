"""Origins of values: the parameters and shared variables from which addresses are computed."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from xdsl.ir import Operation, SSAValue

from ..ptx import instructions as ptx
from ..ptx.analysis.known_values import constant_value
from ..ptx.analysis.values import alternatives
from ..ptx.control_flow import Branch
from ..ptx.instructions import CvtaOp, CvtaToOp, LdOp, MapaOp
from ..ptx.kernel import KernelOp
from ..ptx.register_types import register_bits
from ..ptx.structure import AddressOfOp, GuardOp, YieldOp
from ..ptx.text.syntax import offset_of
from ..ptx.types import ParamArrayType, TensorMapType
from ..ptx.variables import LoadParameterOp, ParameterAddressOp
from ..verification.static.inventory import ADDRESS_OPERANDS

_MOST = 32
"""Largest number of origins of a value that are followed."""


class Origin(NamedTuple):
    """
    Origin of a value: a parameter, by its number, or a shared variable, by its name.

    `is_address`: the value is the address of byte `offset` of it; else it is computed from the
    number in a parameter that begins at this byte. `offset` is None if it is not constant.
    """

    of: int | str
    offset: int | None
    is_address: bool


class Origins:
    """The origins of the values of a kernel."""

    def __init__(self, kernel: KernelOp):
        self._found: dict[SSAValue, set[Origin]] = {}
        self._pending: list[SSAValue] = []
        self._merged = _merged_values(kernel)
        for argument in kernel.body.blocks[0].args:
            is_address = isinstance(argument.type, ParamArrayType | TensorMapType)
            self._add(argument, {Origin(argument.index, 0, is_address)})
        for op in kernel.walk():
            if isinstance(op, ParameterAddressOp):
                self._add(op.result, {Origin(op.index, 0, True)})
            elif isinstance(op, AddressOfOp):
                self._add(op.result, {Origin(op.variable.string_value(), op.start, True)})
        while self._pending:
            value = self._pending.pop()
            for merged in self._merged.get(value, ()):
                self._add(merged, self._found[value])
            for use in value.uses:
                self._pass_on(value, use.operation)

    def of(self, value: SSAValue) -> set[Origin]:
        """The origins of a value; empty if none is known."""
        return self._found.get(value, set())

    def _add(self, value: SSAValue, origins: set[Origin]) -> None:
        known = self._found.setdefault(value, set())
        if len(known) < _MOST and not origins <= known:
            known |= origins
            self._pending.append(value)

    def _pass_on(self, value: SSAValue, op: Operation) -> None:
        origins = self._found[value]
        if isinstance(op, LoadParameterOp):
            self._add(op.result, origins)
        elif isinstance(op, LdOp):
            self._load(op, origins)
        elif (taken := _PASSED.get(type(op))) is not None:
            given = {name: getattr(op, name) for name in taken}
            if value not in given.values():
                return
            others = [other for other in op.operands if other is not value]
            self._add(op.results[0], {_moved(each, op, others) for each in origins})

    def _load(self, op: LdOp, origins: set[Origin]) -> None:
        """Values loaded from a parameter."""
        start = offset_of(op, "address")
        for index, result in enumerate(op.values):
            size = (register_bits(result.type) or 0) // 8
            found = {
                Origin(each.of, each.offset + start + index * size, False)
                for each in origins
                if each.is_address and isinstance(each.of, int) and each.offset is not None
            }
            if found:
                self._add(result, found)


def _moved(origin: Origin, op: Operation, others: Sequence[SSAValue]) -> Origin:
    """The origin of an address after an operation with other operands."""
    if not origin.is_address or isinstance(op, CvtaOp | CvtaToOp | ptx.CvtOp | ptx.MovOp | MapaOp):
        return origin
    if isinstance(op, ptx.AddOp) and len(others) == 1 and origin.offset is not None:
        known = constant_value(others[0])
        return origin._replace(offset=None if known is None else origin.offset + known)
    if isinstance(op, ptx.SelpOp):
        return origin
    return origin._replace(offset=None)


def _merged_values(kernel: KernelOp) -> Mapping[SSAValue, list[SSAValue]]:
    """Value -> the values that may be the same: arguments of blocks, and results of guards."""
    found: dict[SSAValue, list[SSAValue]] = {}

    def add(pairs: Iterator[tuple[SSAValue, SSAValue]]) -> None:
        for source, target in pairs:
            found.setdefault(source, []).append(target)

    for op in kernel.walk():
        if isinstance(op, Branch):
            for block, arguments in op.targets():
                add(zip(arguments, block.args, strict=True))
        elif isinstance(op, GuardOp) and op.outputs:
            add(zip(op.kept, op.outputs, strict=True))
            last: Any = op.body.block.last_op
            assert isinstance(last, YieldOp)
            add(zip(last.arguments, op.outputs, strict=True))
    return found


_PASSED: Mapping[type[Operation], tuple[str, ...]] = {
    **ADDRESS_OPERANDS,
    ptx.CvtOp: ("a",),
    ptx.AndOp: ("a", "b"),
}
"""Operation -> the operands that may be an address of which the result is one, too."""


def backwards(
    value: SSAValue, found: Callable[[SSAValue], int | None], limit: int = 64
) -> set[int]:
    """The numbers that a function gives for a value, or for those that it may be equal to; empty
    if one of them has no number."""
    seen: set[SSAValue] = set()
    pending, numbers = [value], set[int]()
    while pending and len(seen) < limit:
        each = pending.pop()
        if each in seen:
            continue
        seen.add(each)
        number = found(each)
        if number is not None:
            numbers.add(number)
            continue
        before = alternatives(each)
        if not before:
            return set()
        pending += before
    return numbers if not pending else set()

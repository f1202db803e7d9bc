"""
Variables that an address may point to.

Places in shared variables that addresses point to, as far as they can be computed.
"""

from collections.abc import Iterator
from typing import NamedTuple

from xdsl.ir import Block, BlockArgument, Operation, SSAValue

from ..control_flow import Branch
from ..instruction import PureInstruction
from ..instructions import SpecialRegisterVolatileOp
from ..known_values import constant_value
from ..structure import AddressOfOp, ConstantOp
from ..syntax import offset_of
from ..variables import VariableAddressOp


class Pointees(NamedTuple):
    """
    The variables from whose addresses an address is computed, by name. If `complete`, the address
    can point to no other variable.
    """

    names: frozenset[str]
    complete: bool


def pointees(address: SSAValue) -> Pointees:
    """The variables that an address may point to."""
    names: set[str] = set()
    seen: set[SSAValue] = set()
    pending, complete = [address], True
    while pending:
        value = pending.pop()
        if value in seen:
            continue
        seen.add(value)
        owner = value.owner
        if isinstance(value, BlockArgument):
            passed = [*_passed(value)]
            pending += passed
            complete &= bool(passed) and not _is_entry(value.block)
        elif isinstance(owner, AddressOfOp | VariableAddressOp):
            names.add(owner.variable.string_value())
        elif isinstance(owner, PureInstruction):
            # Special registers have no operands and are not addresses.
            pending += owner.operands
        elif not isinstance(owner, ConstantOp | SpecialRegisterVolatileOp):
            complete = False
    return Pointees(frozenset(names), complete and bool(names))


def _is_entry(block: Block) -> bool:
    return block.parent is not None and block.parent.blocks[0] is block


def _passed(argument: BlockArgument) -> Iterator[SSAValue]:
    """The values that branches pass to an argument of a block."""
    for block in argument.block.predecessors():
        branch = block.last_op
        if isinstance(branch, Branch):
            for target, arguments in branch.targets():
                if target is argument.block:
                    yield arguments[argument.index]


_SUMS = frozenset({"arith.addi", "ptx.add"})
_DEPTH = 8
"""Limit on the operations that are followed from an address."""


class SharedPlace(NamedTuple):
    """
    A place in a shared variable: `offset` bytes after its start, plus an unknown distance of 0 to
    `further` bytes, or of any number of bytes if `further` is None.
    """

    variable: str
    offset: int
    further: int | None

    @property
    def is_fixed(self) -> bool:
        """Whether the place is known exactly."""
        return self.further == 0


def shared_place(op: Operation, name: str) -> SharedPlace | None:
    """The place to which the address operand `name` points; None if no single variable is known."""
    place = _place(getattr(op, name), _DEPTH)
    return None if place is None else place._replace(offset=place.offset + offset_of(op, name))


def _place(address: SSAValue, depth: int) -> SharedPlace | None:
    owner = address.owner
    if isinstance(owner, AddressOfOp):
        return SharedPlace(owner.variable.string_value(), owner.start, 0)
    if not depth or not isinstance(owner, Operation) or owner.name not in _SUMS:
        return None
    terms = tuple(owner.operands)
    places = [_place(term, depth - 1) for term in terms]
    for place, other, distance in zip(places, reversed(places), reversed(terms), strict=True):
        if place is not None and other is None:
            return _moved(place, distance)
    return None


def _moved(place: SharedPlace, distance: SSAValue) -> SharedPlace:
    if (known := constant_value(distance)) is not None:
        return place._replace(offset=place.offset + known)
    most = _largest(distance, _DEPTH)
    further = None if most is None or place.further is None else place.further + most
    return place._replace(further=further)


def _largest(value: SSAValue, depth: int) -> int | None:
    """An upper bound of an unsigned number; None if none is known."""
    if (known := constant_value(value)) is not None:
        return known if known >= 0 else None
    owner = value.owner
    if not depth or not isinstance(owner, Operation) or len(owner.operands) != 2:
        return None
    a, b = (_largest(operand, depth - 1) for operand in owner.operands)
    match owner.name:
        case "arith.andi":
            return min((each for each in (a, b) if each is not None), default=None)
        case "arith.remui" if b and constant_value(owner.operands[1]) is not None:
            return b - 1
        case "arith.addi" if a is not None and b is not None:
            return a + b
        case "arith.muli" if a is not None and b is not None:
            return a * b
        case _:
            return None

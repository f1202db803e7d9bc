"""
Variables that an address may point to.

Places in shared variables that addresses point to, as far as they can be computed.

Check of the bytes that barrier objects expect against the bytes of their copies.
"""

from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from xdsl.ir import Block, Operation, SSAValue

from ...isa.model.rule import Violation
from ...isa.shared_memory.tensor_map import BYTES_RULE
from ..bases import Expectation
from ..effects import effects_of
from ..instruction import PureInstruction
from ..instructions import (
    CpAsyncBulkTensorLoadOp,
    MbarrierWaitOp,
    SpecialRegisterVolatileOp,
)
from ..structure import AddressOfOp, ConstantOp
from ..text.syntax import offset_of, values_of
from ..variables import VariableAddressOp
from .control_flow import closure, passed_to
from .known_values import constant_value


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
    complete = True
    for value in closure([address], _sources):
        owner = value.owner
        if isinstance(owner, Block):
            complete &= bool(passed_to(value)) and not _is_entry(owner)
        elif isinstance(owner, AddressOfOp | VariableAddressOp):
            names.add(owner.variable.string_value())
        elif not isinstance(owner, PureInstruction | ConstantOp | SpecialRegisterVolatileOp):
            complete = False
    return Pointees(frozenset(names), complete and bool(names))


def _sources(value: SSAValue) -> Sequence[SSAValue]:
    owner = value.owner
    if isinstance(owner, Block):
        return passed_to(value)
    # Special registers have no operands and are not addresses.
    return owner.operands if isinstance(owner, PureInstruction) else ()


def _is_entry(block: Block) -> bool:
    return block.parent is not None and block.parent.blocks[0] is block


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

    def may_be(self, variable: str, offset: int) -> bool:
        """Whether it may be a place with a known offset."""
        if self.further is None:
            return True
        return variable == self.variable and 0 <= offset - self.offset <= self.further


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


@dataclass
class _Group:
    """The operations of one block on one barrier object."""

    variable: str
    expecting: list[Expectation] = field(default_factory=list[Expectation])
    expected: list[int] = field(default_factory=list[int])
    copied: list[int] = field(default_factory=list[int])

    @property
    def surplus(self) -> int:
        """The bytes that are expected but not copied; negative if more are copied."""
        return sum(self.expected) - sum(self.copied)


def transaction_violations(
    operations: Iterable[Operation],
) -> Iterator[tuple[Operation, Violation]]:
    """
    The operations of a kernel that expect another number of bytes than the copies of their block
    bring, from one wait for the barrier object to the next.

    Reports only what is certain. A shared variable is checked only if every operation on its
    barrier objects has a known number of bytes. One block may make up for the difference of another
    one, so differences count only if all blocks expect too much, or all too little.
    """
    groups: dict[Hashable, _Group] = {}
    waits = Counter[Hashable]()
    unknown: set[str] = set()
    for op in operations:
        if isinstance(op, Expectation):
            if op.is_remote:
                return
            (count,) = values_of(op, "bytes")
            place, number = shared_place(op, "address"), constant_value(count)
        elif isinstance(op, CpAsyncBulkTensorLoadOp):
            place, number = shared_place(op, "mbarrier"), _copied_bytes(op)
        elif isinstance(op, MbarrierWaitOp):
            if (place := shared_place(op, "address")) is not None:
                waits[_key(op, place)] += 1
            continue
        else:
            if completes_at := effects_of(type(op)).completes_at:
                if (place := shared_place(op, completes_at)) is None:
                    return
                unknown.add(place.variable)
            continue
        if place is None:
            return
        if number is None:
            unknown.add(place.variable)
            continue
        key = _key(op, place)
        group = groups.setdefault((key, waits[key]), _Group(place.variable))
        if isinstance(op, Expectation):
            group.expecting.append(op)
            group.expected.append(number)
        else:
            group.copied.append(number)
    for variable in dict.fromkeys(group.variable for group in groups.values()):
        if variable not in unknown:
            yield from _violations([each for each in groups.values() if each.variable == variable])


def _copied_bytes(op: CpAsyncBulkTensorLoadOp) -> int | None:
    """The bytes that a copy completes on its barrier object; None if it may do so in several CTAs,
    or in another one."""
    box = op.box
    if box is None or op.multicast_mask is not None or op.cta_group is not None:
        return None
    return box.bytes


def _key(
    op: Expectation | CpAsyncBulkTensorLoadOp | MbarrierWaitOp, place: SharedPlace
) -> Hashable:
    """Key of a barrier object in a block: equal keys mean the same object in the same block."""
    if place.is_fixed:
        return op.parent, place.variable, place.offset
    name = "mbarrier" if isinstance(op, CpAsyncBulkTensorLoadOp) else "address"
    return op.parent, values_of(op, name), place.offset


def _violations(groups: list[_Group]) -> Iterator[tuple[Operation, Violation]]:
    wrong = [group for group in groups if group.surplus]
    if len({group.surplus > 0 for group in wrong}) != 1:
        return
    for group in wrong:
        if group.expecting and group.copied:
            found, legal = sum(group.expected), sum(group.copied)
            if len(group.copied) > 1:
                legal = f"{legal}, the sum of {' and '.join(map(str, group.copied))}"
            what = "the number of bytes that the barrier object expects"
            yield group.expecting[-1], BYTES_RULE.violation(found, legal, what, culprit="bytes")

"""Check of the bytes that barrier objects expect against the bytes of their copies."""

from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass, field

from xdsl.ir import Operation

from ...isa.model.rule import Violation
from ...isa.shared_memory.tensor_map import BYTES_RULE
from ..bases import Expectation
from ..effects import effects_of
from ..instructions import CpAsyncBulkTensorLoadOp
from ..known_values import constant_value
from ..syntax import values_of
from .places import SharedPlace, shared_place


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
    bring.

    Reports only what is certain. A shared variable is checked only if every operation on its
    barrier objects has a known number of bytes. One block may make up for the difference of another
    one, so differences count only if all blocks expect too much, or all too little.
    """
    groups: dict[Hashable, _Group] = {}
    unknown: set[str] = set()
    for op in operations:
        if isinstance(op, Expectation):
            if op.is_remote:
                return
            (count,) = values_of(op, "bytes")
            place, number = shared_place(op, "address"), constant_value(count)
        elif isinstance(op, CpAsyncBulkTensorLoadOp):
            place, number = shared_place(op, "mbarrier"), _copied_bytes(op)
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
        group = groups.setdefault(_key(op, place), _Group(place.variable))
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


def _key(op: Expectation | CpAsyncBulkTensorLoadOp, place: SharedPlace) -> Hashable:
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

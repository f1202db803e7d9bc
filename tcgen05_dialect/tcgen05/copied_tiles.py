"""Check of tiles that tensor maps fill against the descriptors that read them."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from xdsl.ir import Operation

from ..isa.model.rule import Violation
from ..isa.shared_memory.descriptor import SWIZZLES, UNIT_BYTES
from ..isa.shared_memory.tensor_map import (
    ELEMENT_RULE,
    ORDER_RULE,
    SWIZZLE_RULE,
    Box,
    is_other_float,
)
from ..ptx.analysis.places import SharedPlace, shared_place
from ..ptx.instructions import CpAsyncBulkTensorLoadOp, StOp
from ..ptx.syntax import word_of
from .descriptor import DescriptorOp
from .types import SharedMemoryDescriptorType


class _Copy(NamedTuple):
    """The tensor map of a copy, its destination, and its box if that is known."""

    tensor_map: str
    place: SharedPlace
    box: Box | None

    def may_write(self, first: int, end: int) -> bool:
        """Whether the copy may write bytes of its variable from `first` up to, not including,
        `end`."""
        if self.place.further is None or self.box is None:
            return True
        last = self.place.offset + self.place.further + self.box.shared_bytes
        return self.place.offset < end and first < last


def copied_tile_violations(
    operations: Sequence[Operation],
) -> Iterator[tuple[Operation, Violation]]:
    """
    The descriptors of a kernel that contradict the copies that fill their tiles.

    Reports only what is certain: a copy begins at the place of the descriptor, every copy that may
    write the tile is known and contradicts the descriptor, and no thread may write the tile.
    """
    copies: list[_Copy] = []
    stored: set[str] = set()
    for op in operations:
        if isinstance(op, CpAsyncBulkTensorLoadOp):
            if (place := shared_place(op, "destination")) is None:
                return
            name = f"%{op.tensor_map.name_hint}" if op.tensor_map.name_hint else "the tensor map"
            copies.append(_Copy(name, place, op.box))
        elif isinstance(op, StOp) and word_of(op, "space") != "global":
            if (place := shared_place(op, "address")) is None:
                return
            stored.add(place.variable)
    for op in operations:
        if isinstance(op, DescriptorOp):
            place = shared_place(op, "address")
            if place is not None and place.is_fixed and place.variable not in stored:
                yield from ((op, each) for each in _violations(op.result.type, place, copies))


def _violations(
    type_: SharedMemoryDescriptorType, place: SharedPlace, copies: Sequence[_Copy]
) -> Iterator[Violation]:
    """The violations of a descriptor of the tile at a place."""
    end = place.offset + type_.layout.size_bytes
    writing = [
        each
        for each in copies
        if each.place.variable == place.variable and each.may_write(place.offset, end)
    ]
    boxes = [each.box for each in writing if each.box is not None]
    if len(boxes) < len(writing):
        return
    read, swizzle = type_.element_type.name, type_.layout.swizzle
    for copy, box in zip(writing, boxes, strict=True):
        if copy.place.offset == place.offset:
            if all(_differ(each, swizzle, place.offset) for each in boxes):
                rule = SWIZZLE_RULE if box.mode.is_swizzled else ORDER_RULE
                legal = f"{swizzle}, as in the descriptor of the tile"
                yield rule.violation(box.swizzle, legal, f"swizzle mode of {copy.tensor_map}")
            elif all(is_other_float(each.element, read) for each in boxes):
                legal = f"{read}, as in the descriptor of the tile"
                yield ELEMENT_RULE.violation(box.element, legal, f"element of {copy.tensor_map}")
            return


def _differ(box: Box, swizzle: str, offset: int) -> bool:
    """Whether some bytes of a box that begins at an offset are elsewhere with another swizzle
    mode."""
    other = SWIZZLES[swizzle]
    if box.mode is other:
        return False
    addresses = range(offset, offset + box.shared_bytes, UNIT_BYTES)
    return any(box.mode.apply(address) != other.apply(address) for address in addresses)

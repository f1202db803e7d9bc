"""Copies to tensor memory (PTX ISA 9.7.16.9.2), shifts of its rows (9.7.16.9.3), and the check of
tiles that tensor maps fill."""

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, NamedTuple

from xdsl.ir import Operation
from xdsl.irdl import irdl_op_definition, opt_prop_def, prop_def

from ..isa.mma.products import MAJOR
from ..isa.model.rule import Violation
from ..isa.shared_memory.descriptor import SWIZZLES, UNIT_BYTES
from ..isa.shared_memory.tensor_map import (
    ELEMENT_RULE,
    ORDER_RULE,
    SWIZZLE_RULE,
    Box,
    is_other_float,
)
from ..isa.tensor_memory import copies
from ..isa.tensor_memory.alloc import ACCESS_REGION
from ..isa.tensor_memory.copies import SOURCE_ELEMENT, SOURCE_EXTENT
from ..ptx.analysis.places import SharedPlace, shared_place
from ..ptx.instructions import CpAsyncBulkTensorLoadOp, StOp
from ..ptx.register_types import INTEGER_32
from ..ptx.text.syntax import word_of
from ..xdsl_support.attributes import one_of
from .alloc import known_cell
from .base import (
    CTA_GROUP_WORDS,
    CtaGroupOperation,
    Words,
    typed_operand,
    violations_reported,
    words,
)
from .descriptor import DescriptorOp, advanced
from .types import SharedMemoryDescriptorType, TensorMemoryType


@irdl_op_definition
class CpOp(CtaGroupOperation):
    """
    Copy a region of the given shape from shared memory to tensor memory.

        tcgen05.cp (<cta_group>)? <shape> (<multicast>)? (<format>)? %address,
            %descriptor ([k = <k>])? attr-dict : type(%address), type(%descriptor)

    A `tcgen05.mma` that the same thread issues later reads the new data.

    - `address`: the destination, with at least the columns of the shape
    - `descriptor`: a K-major tile with at least the rows of the shape, and its bits in each row
    - `shape`: the number of rows, and of bits in each row
    - `multicast`: the warps whose lanes receive each row; some shapes need it, others forbid it
    - `format`: expand elements of 6 or 4 bits to bytes (PTX ISA 9.7.16.9.1)
    - `k`: the first element along K that is copied
    """

    name = "tcgen05.cp"
    shape = prop_def(one_of(copies.SHAPES))
    multicast = opt_prop_def(one_of(copies.MULTICASTS.values("multicast")))
    format = opt_prop_def(one_of(copies.FORMATS))
    address = typed_operand(TensorMemoryType)
    descriptor = typed_operand(SharedMemoryDescriptorType)
    k = opt_prop_def(INTEGER_32)
    QUALIFIERS: ClassVar[Mapping[str, Words]] = {
        "cta_group": CTA_GROUP_WORDS,
        "shape": words(copies.SHAPES),
        "multicast": words(copies.MULTICASTS.values("multicast")),
        "format": words(copies.FORMATS),
    }
    TYPED: ClassVar[tuple[str, ...]] = ("address", "descriptor")
    OFFSETS: ClassVar[Mapping[str, str]] = {"descriptor": "k"}

    def verify_(self) -> None:
        super().verify_()
        multicast = None if self.multicast is None else self.multicast.data
        with violations_reported():
            copies.MULTICASTS.check(shape=self.shape.data, multicast=multicast)
            copies.FORMAT.check(None if self.format is None else self.format.data)
            shape = copies.SHAPES[self.shape.data]
            _, columns = self.address.type.footprint
            if columns < shape.columns:
                found, legal = f"{columns} columns", f"at least {shape.columns} columns"
                raise ACCESS_REGION.violation(found, legal, culprit="address")
            tile = advanced(self.descriptor.type, self.k, "descriptor")
            bits = (tile.k.data - tile.k_origin.data) * tile.layout.container_bits
            for what, extent, least in (
                ("rows", tile.mn.data, shape.rows),
                ("bits of a row", bits, shape.bits),
            ):
                if extent < least:
                    what = f"{what} of the source"
                    legal = f"at least {least}"
                    raise SOURCE_EXTENT.violation(extent, legal, what, culprit="descriptor")
            if self.format is not None:
                packed = copies.FORMATS[self.format.data].bits
                if tile.element_type.bits != packed:
                    found, legal = tile.element_type.name, f"{packed}-bit elements"
                    raise SOURCE_ELEMENT.violation(found, legal, culprit="descriptor")
            if tile.layout.transposed:
                what = "majorness of the source"
                raise MAJOR.violation("mn_major", "k_major", what, culprit="descriptor")


@irdl_op_definition
class ShiftOp(CtaGroupOperation):
    """
    Shift 32 bytes of each row of a matrix down by one row.

        tcgen05.shift (<cta_group>)? %address attr-dict : type(%address)

    Each lane gets the bytes of the next lane; the last of the 32 lanes of a warp keeps its bytes.

    - `address`: a region of 8 columns or more that begins at a lane divisible by 32
    """

    name = "tcgen05.shift"
    address = typed_operand(TensorMemoryType)
    TYPED: ClassVar[tuple[str, ...]] = ("address",)

    def required_features(self) -> tuple[str, ...]:
        return (copies.SHIFT.feature,)

    def verify_(self) -> None:
        super().verify_()
        _, columns = self.address.type.footprint
        with violations_reported():
            if columns < copies.COLUMNS:
                found, legal = f"{columns} columns", f"at least {copies.COLUMNS} columns"
                raise ACCESS_REGION.violation(found, legal, culprit="address")
            lane = known_cell(self.address)[0]
            if lane is not None and copies.ADDRESS_LANES.row(lane=lane) is None:
                raise copies.ADDRESS_LANES.violation(lane=lane).blaming("address")
            self.check_target()


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

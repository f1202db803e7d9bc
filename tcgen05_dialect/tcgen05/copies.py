"""
Copies from shared to tensor memory (PTX ISA 9.7.16.9.2).

Shifts of the rows of a matrix in tensor memory (PTX ISA 9.7.16.9.3).
"""

from collections.abc import Mapping
from typing import ClassVar

from xdsl.irdl import irdl_op_definition, opt_prop_def, prop_def

from ..isa.mma.products import MAJOR
from ..isa.tensor_memory import copies
from ..isa.tensor_memory.alloc import ACCESS_REGION
from ..isa.tensor_memory.copies import SOURCE_ELEMENT, SOURCE_EXTENT
from ..ptx.register_types import INTEGER_32
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
from .descriptor import advanced
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

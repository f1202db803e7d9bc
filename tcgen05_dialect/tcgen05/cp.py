"""Copies from shared to tensor memory (PTX ISA 9.7.16.9.2)."""

from xdsl.dialects.builtin import StringAttr
from xdsl.irdl import opt_prop_def, prop_def

from ..isa.mma.agreement import MAJOR
from ..isa.tensor_memory import cp
from ..isa.tensor_memory.cells import ACCESS_REGION
from ..isa.tensor_memory.cp import SOURCE_ELEMENT, SOURCE_EXTENT
from ..xdsl_support.operation_format import formatted_op_definition
from .base import CtaGroupOperation, typed_operand, violations_reported
from .types import SharedMemoryDescriptorType, TensorMemoryType


@formatted_op_definition
class CpOp(CtaGroupOperation):
    """
    Copy a region of the given shape from shared memory to tensor memory.

        tcgen05.cp %t, %source {shape = "shape_128x256b"}
            : !tcgen05.tmem<128x8xi32>, !tcgen05.smem_descriptor<128x16xbf16, ...>

    A `tcgen05.mma` that the same thread issues later reads the new data.

    - `address`: the destination, with at least the columns of the shape
    - `descriptor`: a K-major tile with at least the rows of the shape, and its bits in each row
    - `shape`: the number of rows, and of bits in each row
    - `multicast`: the warps whose lanes receive each row; some shapes need it, others forbid it
    - `format`: expand elements of 6 or 4 bits to bytes (PTX ISA 9.7.16.9.1)
    """

    name = "tcgen05.cp"
    shape = prop_def(StringAttr)
    multicast = opt_prop_def(StringAttr)
    format = opt_prop_def(StringAttr)
    address = typed_operand(TensorMemoryType)
    descriptor = typed_operand(SharedMemoryDescriptorType)
    assembly_format = "$address `,` $descriptor attr-dict `:` type($address) `,` type($descriptor)"

    def verify_(self) -> None:
        super().verify_()
        multicast = None if self.multicast is None else self.multicast.data
        with violations_reported():
            cp.MULTICASTS.check(shape=self.shape.data, multicast=multicast)
            cp.FORMAT.check(None if self.format is None else self.format.data)
            shape = cp.SHAPES[self.shape.data]
            _, columns = self.address.type.footprint
            if columns < shape.columns:
                found, legal = f"{columns} columns", f"at least {shape.columns} columns"
                raise ACCESS_REGION.violation(found, legal, culprit="address")
            tile = self.descriptor.type
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
                packed = cp.FORMATS[self.format.data].bits
                if tile.element_type.bits != packed:
                    found, legal = tile.element_type.name, f"{packed}-bit elements"
                    raise SOURCE_ELEMENT.violation(found, legal, culprit="descriptor")
            if tile.layout.transposed:
                what = "majorness of the source"
                raise MAJOR.violation("mn_major", "k_major", what, culprit="descriptor")

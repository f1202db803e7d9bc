"""Copies from shared to tensor memory (PTX ISA 9.7.16.9.2)."""

from xdsl.dialects.builtin import StringAttr
from xdsl.irdl import irdl_op_definition, operand_def, opt_prop_def, prop_def

from ..isa import cp, operands
from ..types import SharedMemoryDescriptorType, TensorMemoryType
from .base import CtaGroupOperation, violations_reported


@irdl_op_definition
class CpOp(CtaGroupOperation):
    """
    Copy `shape` from shared memory to the region of tensor memory at `address`.

        tcgen05.cp %t, %source {shape = "shape_128x256b"}
            : !tcgen05.tmem<128x8xi32>, !tcgen05.smem_descriptor<128x16xbf16, ...>

    `multicast` sends each row to several warps' lanes as the shape demands; `format` expands packed
    elements to bytes (PTX ISA 9.7.16.9.1). The source is read in the K-major canonical layout.
    """

    name = "tcgen05.cp"
    shape = prop_def(StringAttr)
    multicast = opt_prop_def(StringAttr)
    format = opt_prop_def(StringAttr)
    address = operand_def(TensorMemoryType)
    descriptor = operand_def(SharedMemoryDescriptorType)
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
                found, legal = f"{columns} columns", f"at least {shape.columns}"
                raise operands.ACCESS_REGION.violation(found, legal)
            tile = self.descriptor.type
            if tile.mn.data < shape.rows:
                found, legal = f"{tile.mn.data} rows", f"at least {shape.rows}"
                raise operands.EXTENT.violation(found, legal, "rows of the source")
            if tile.layout.transposed:
                raise operands.MAJOR.violation("mn_major", "k_major", "majorness of the source")

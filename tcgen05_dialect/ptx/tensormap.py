"""Changes of tensor maps in memory (9.7.9.26.1, 9.7.13.15.18)."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from xdsl.irdl import operand_def

from ..isa.ptx.fences import TENSORMAP_SCOPES
from ..isa.ptx.tensormap import (
    DIMENSION_FIELDS,
    FIELDS,
    FIRST_PACKED,
    MAP,
    MODES,
    ORDINAL,
    SPACES,
    SWIZZLE_MODES,
    TENSOR_ADDRESS,
)
from .instruction import immediate, instruction, opt_offset, opt_qualifier, qualifier
from .register_types import B32_OR_B64, B64
from .shared_accesses import PlaceInstruction

_REPLACE = "tensormap.replace.tile.$field.$space.b1024"


@instruction(f"{_REPLACE}.$type [%address], %value", FIELDS)
class TensormapReplaceOp(PlaceInstruction):
    """Replace the address of the tensor, or its rank minus one, in a tensor map."""

    name = "ptx.tensormap.replace"
    field = qualifier(*FIELDS.values("field"))
    space = opt_qualifier(*SPACES)
    type = qualifier(*FIELDS.values("type"))
    address = operand_def(B32_OR_B64)
    address_offset = opt_offset()
    value = operand_def(B32_OR_B64)
    TYPED: ClassVar[Mapping[str, str]] = {"value": "type", "address": "space"}

    @property
    def gives_tensor(self) -> bool:
        """Whether the value is the address of the tensor in global memory."""
        return self.field.data == TENSOR_ADDRESS


@instruction(
    f"{_REPLACE}.$type [%address], $ordinal, %value",
    DIMENSION_FIELDS,
    limits={"ordinal": ORDINAL},
)
class TensormapReplaceDimensionOp(PlaceInstruction):
    """
    Replace an extent or a stride of a dimension in a tensor map; `ordinal` counts from the
    innermost. For `global_stride`, ordinal n selects the stride of dimension n + 1.
    """

    name = "ptx.tensormap.replace.dimension"
    field = qualifier(*DIMENSION_FIELDS.values("field"))
    space = opt_qualifier(*SPACES)
    type = qualifier(*DIMENSION_FIELDS.values("type"))
    address = operand_def(B32_OR_B64)
    address_offset = opt_offset()
    ordinal = immediate()
    value = operand_def(B32_OR_B64)
    TYPED: ClassVar[Mapping[str, str]] = {"value": "type", "address": "space"}


@instruction(f"{_REPLACE}.b32 [%address], $value", MODES)
class TensormapReplaceModeOp(PlaceInstruction):
    """Replace the element type, the swizzle mode or another mode in a tensor map."""

    name = "ptx.tensormap.replace.mode"
    field = qualifier(*MODES.values("field"))
    space = opt_qualifier(*SPACES)
    address = operand_def(B32_OR_B64)
    address_offset = opt_offset()
    value = immediate()
    TYPED: ClassVar[Mapping[str, str]] = {"address": "space"}

    def features(self) -> Sequence[str]:
        field, value = self.field.data, self.value.value.data
        if field == "elemtype" and value >= FIRST_PACKED:
            return ("packed_tensor_maps",)
        if field == "swizzle_mode" and value == len(SWIZZLE_MODES) - 1:
            return ("swizzle_96b",)
        return ()


@instruction(
    "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.$scope.sync.aligned "
    f"[%destination], [%source], {MAP.bytes}"
)
class TensormapCpFenceproxyOp(PlaceInstruction):
    """Copy a tensor map from shared to global memory, and release it to threads that acquire it
    with `ptx.fence.proxy.tensormap.acquire`."""

    name = "ptx.tensormap.cp_fenceproxy"
    scope = qualifier(*TENSORMAP_SCOPES)
    destination = operand_def(B64)
    destination_offset = opt_offset()
    source = operand_def(B32_OR_B64)
    source_offset = opt_offset()


CHANGES = (
    TensormapReplaceOp,
    TensormapReplaceDimensionOp,
    TensormapReplaceModeOp,
    TensormapCpFenceproxyOp,
)
"""The instructions that change or copy a tensor map in memory."""

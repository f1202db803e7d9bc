"""
Tensor maps as bytes in memory, which threads copy and change (5.5.8, 9.7.9.26.1).

The manual leaves the layout open. This one has a number for each field of `tensormap.replace`.
"""

from typing import Any

import numpy as np
from xdsl.ir import Operation

from ...isa.ptx.bulk_copy import DIMENSIONS
from ...isa.ptx.kernel import TENSOR_MAP_BYTES
from ...isa.ptx.tensormap import ATOMICITIES, ELEMENT_TYPES, FILL_MODES, SWIZZLE_MODES
from ...isa.shared_memory.tensor_map import CUDA_SWIZZLES, ELEMENTS, Box
from ...isa.simulation import TENSOR_MAP
from .errors import fault
from .memory import Space
from .tensor_map import TensorMap

_RANK = max(DIMENSIONS.values)
_FIELDS: dict[str, Any] = {
    "global_address": "u8",
    "global_stride": ("u8", _RANK),
    "global_dim": ("u4", _RANK),
    "box_dim": ("u2", _RANK),
    "element_stride": ("u1", _RANK),
    "rank": "u1",
    "elemtype": "u1",
    "interleave_layout": "u1",
    "swizzle_mode": "u1",
    "swizzle_atomicity": "u1",
    "fill_mode": "u1",
}
"""Field -> its type."""
LAYOUT = np.dtype(
    {
        "names": list(_FIELDS),
        "formats": list(_FIELDS.values()),
        "offsets": np.cumsum([0, *(np.dtype(each).itemsize for each in _FIELDS.values())])[
            :-1
        ].tolist(),
        "itemsize": TENSOR_MAP_BYTES,
    }
)
"""The layout of a tensor map in memory."""


def _modes(swizzle: str) -> tuple[int, int]:
    """The values of the fields of a swizzle mode."""
    for mode, name in reversed([*enumerate(SWIZZLE_MODES)]):
        if swizzle.startswith(name):
            return mode, ATOMICITIES.index(swizzle.removeprefix(name))
    raise LookupError(swizzle)


def encoded(tensor_map: TensorMap) -> bytes:
    """The bytes of a map whose tensor is in global memory."""
    content = np.zeros((), LAYOUT)
    rank = len(tensor_map.extents)
    content["global_address"] = tensor_map.address
    content["global_stride"][: rank - 1] = tensor_map.strides
    # The largest extent does not fit and becomes zero.
    content["global_dim"][:rank] = np.array(tensor_map.extents, np.int64).astype(np.uint32)
    content["box_dim"][:rank] = tensor_map.box
    content["element_stride"][:rank] = tensor_map.element_strides
    content["rank"] = rank - 1
    content["elemtype"] = ELEMENT_TYPES.index(tensor_map.element)
    content["swizzle_mode"], content["swizzle_atomicity"] = _modes(tensor_map.swizzle)
    content["fill_mode"] = FILL_MODES.index(tensor_map.fill)
    return content.tobytes()


def box_in(op: Operation, content: bytes) -> Box:
    """The box of the map in bytes, for an operation that uses it. Raises OperationError."""
    fields: Any = np.frombuffer(content, LAYOUT)[0]
    rank = int(fields["rank"]) + 1
    element = ELEMENT_TYPES[int(fields["elemtype"]) % len(ELEMENT_TYPES)]
    mode = SWIZZLE_MODES[int(fields["swizzle_mode"]) % len(SWIZZLE_MODES)]
    swizzle = mode + ATOMICITIES[int(fields["swizzle_atomicity"]) % len(ATOMICITIES)]
    if element not in ELEMENTS or swizzle not in CUDA_SWIZZLES or fields["interleave_layout"]:
        text = f"the emulator does not support tensor maps of {element} with {swizzle}"
        raise fault(op, TENSOR_MAP, text + " interleaved" * bool(fields["interleave_layout"]))
    extents, steps = fields["box_dim"][:rank], fields["element_stride"][:rank]
    return Box(tuple(extents.tolist()), element, swizzle, tuple(steps.tolist()))


def decoded(op: Operation, content: bytes, space: Space) -> TensorMap:
    """The map in bytes, for an operation that uses it. Raises OperationError, and Violation for a
    map that the driver refuses to encode."""
    box, fields = box_in(op, content), np.frombuffer(content, LAYOUT)[0]
    rank = len(box.extents)
    address = int(fields["global_address"])
    memory, start = space.find(op, address, 1)
    extents = (int(each) or 1 << 32 for each in fields["global_dim"][:rank].tolist())
    return TensorMap(
        memory.bytes[start:],
        box.element,
        tuple(extents),
        tuple(fields["global_stride"][: rank - 1].tolist()),
        box.extents,
        box.steps,
        box.swizzle,
        FILL_MODES[int(fields["fill_mode"]) % len(FILL_MODES)],
        address,
    )

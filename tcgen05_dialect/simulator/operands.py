"""The matrices that the tensor core reads: from shared memory by descriptor, from tensor memory."""

from functools import lru_cache
from typing import Any, cast

import numpy as np
import numpy.typing as npt

from ..isa.element import container_bits
from ..isa.shared_memory_descriptor import SWIZZLES, SharedMemoryDescriptor
from ..isa.shared_memory_layout import AtomGrid
from .errors import BOUNDS, UNSUPPORTED, UNWRITTEN
from .memory import Memory

_WINDOW = 1 << 18
"""Bytes that the addresses of a descriptor reach."""


@lru_cache(maxsize=256)
def _offsets(
    swizzle: str,
    leading: int,
    stride: int,
    transposed: bool,
    rows: int,
    k: int,
    bits: int,
    pads: bool,
) -> npt.NDArray[np.int64]:
    """The bit of each element (row, k) before swizzling, from the start address on."""
    grid = AtomGrid.described(SWIZZLES[swizzle], bits, pads, transposed, leading, stride)
    mn, kk = np.meshgrid(np.arange(rows), np.arange(k), indexing="ij")
    return np.asarray(grid.linear_bits(mn, kk))


def shared_matrix(
    memory: Memory,
    descriptor: SharedMemoryDescriptor,
    transposed: bool,
    rows: int,
    k: int,
    bits: int,
    pads: bool,
) -> npt.NDArray[Any]:
    """
    The bits of the elements of a matrix of rows x k, right-aligned, in the shared memory of a CTA.

    Raises Violation.
    """
    if descriptor.leading_absolute:
        raise UNSUPPORTED.violation("an absolute leading dimension", "a byte offset")
    linear = _offsets(
        descriptor.swizzle,
        descriptor.leading_byte_offset,
        descriptor.stride_byte_offset,
        transposed,
        rows,
        k,
        bits,
        pads,
    )
    swizzle = SWIZZLES[descriptor.swizzle]
    phase = descriptor.base_offset * 128
    moved: Any = linear // 8 + descriptor.start_address - phase
    address: npt.NDArray[np.int64] = cast(Any, swizzle).apply(moved) + phase
    first = memory.base % (1 << 24)
    at = address - first
    size = container_bits(bits, False)
    count = max(1, size // 8)
    if int(at.min()) < 0 or int(at.max()) + count > memory.bytes.size:
        raise BOUNDS.violation(
            f"a matrix from {int(address.min()):#x} to {int(address.max()) + count:#x}",
            f"{first:#x} to {first + memory.bytes.size:#x} ({memory.name})",
        )
    if not memory.written[at].all():
        wrong = int(address[~memory.written[at]][0])
        raise UNWRITTEN.violation(
            f"a matrix with the byte at {wrong:#x} of {memory.name}, never written",
            "bytes that were written",
        )
    if count > 1:
        whole = memory.bytes[at[..., None] + np.arange(count)]
        return np.ascontiguousarray(whole).view(f"u{count}")[..., 0]
    if bits == 8:
        return memory.bytes[at]
    # Elements of 4 and 6 bits may begin in one byte and end in the next.
    padded = np.append(memory.bytes, np.uint8(0)).astype(np.uint16)
    pair = padded[at] | padded[at + 1] << np.uint16(8)
    return (pair >> (linear % 8).astype(np.uint16)) & np.uint16((1 << bits) - 1)

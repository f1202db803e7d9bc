"""Registers of a warp: arrays with one element for each lane."""

from functools import cache
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt
from xdsl.ir import Attribute

from ...isa.tensor_memory.alloc import WARP_LANES
from ...ptx.register_types import register_bits

Lanes: TypeAlias = npt.NDArray[Any]
"""An array of WARP_LANES elements: the bits of a register as unsigned integers, or predicates."""

_BITS: dict[int | None, Any] = {
    None: np.bool_,
    8: np.uint8,
    16: np.uint16,
    32: np.uint32,
    64: np.uint64,
    128: np.dtype("V16"),
}


_BYTES_ONLY = 128


def dtype_of(type_: Attribute) -> Any:
    """dtype of the registers of a type."""
    return _BITS[register_bits(type_)]


@cache
def unsigned(bits: int) -> Any:
    """Unsigned integer type of a width. Numbers of 128 bits are bytes, because numpy has none."""
    if bits == _BYTES_ONLY:
        return _BITS[bits]
    return np.dtype(f"u{bits // 8}").type


def some(flags: npt.NDArray[Any]) -> bool:
    """`flags.any()`, several times as fast for an array of this size."""
    return bool(np.count_nonzero(flags))


def every(flags: npt.NDArray[Any]) -> bool:
    """`flags.all()`, several times as fast for an array of this size."""
    return bool(np.count_nonzero(flags) == flags.size)


def uniform(value: int, type_: Attribute) -> Lanes:
    """Register with the same integer, modulo its width, in every lane."""
    bits = register_bits(type_)
    if bits is None:
        return np.full(WARP_LANES, bool(value & 1))
    number = value % (1 << bits)
    if bits == _BYTES_ONLY:
        return np.frombuffer(number.to_bytes(bits // 8, "little") * WARP_LANES, _BITS[bits]).copy()
    return np.full(WARP_LANES, number, dtype_of(type_))

"""The numbers that bits stand for, by element type."""

from collections.abc import Mapping
from functools import cache
from typing import Any

import ml_dtypes
import numpy as np
import numpy.typing as npt

from ...isa.element import element
from . import floats

_MAGNITUDE = 0x7F
_WIDE = 16
"""The bits of types for which numpy is faster than a table of all numbers."""
_DTYPES: Mapping[str, Any] = {
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "e4m3": ml_dtypes.float8_e4m3fn,
    "e5m2": ml_dtypes.float8_e5m2,
    "e2m3": ml_dtypes.float6_e2m3fn,
    "e3m2": ml_dtypes.float6_e3m2fn,
    "e2m1": ml_dtypes.float4_e2m1fn,
    "u8": np.uint8,
    "s8": np.int8,
    "ue8m0": ml_dtypes.float8_e8m0fnu,
    # Without its sign it is e4m3.
    "ue4m3": ml_dtypes.float8_e4m3fn,
}


@cache
def _numbers(name: str) -> npt.NDArray[np.float64]:
    """The number of each pattern of bits of an element type."""
    dtype = np.dtype(_DTYPES[name])
    patterns = np.arange(1 << element(name).bits, dtype=np.uint64)
    if name == "ue4m3":
        patterns &= np.uint64(_MAGNITUDE)
    with np.errstate(invalid="ignore"):
        return patterns.astype(f"u{dtype.itemsize}").view(dtype).astype(np.float64)


def decode(name: str, bits: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """The numbers, exactly. Bits above those of the element type must be 0."""
    # A signalling NaN is no mistake.
    with np.errstate(invalid="ignore"):
        if name == "tf32":
            return floats.decode(bits.astype(np.uint32, copy=False), floats.TF32)
        if element(name).bits == _WIDE:
            return bits.astype(np.uint16, copy=False).view(_DTYPES[name]).astype(np.float64)
    return _numbers(name)[bits]

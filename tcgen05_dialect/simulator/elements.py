"""The numbers that bits stand for, by element type."""

from collections.abc import Mapping
from typing import Any

import ml_dtypes
import numpy as np
import numpy.typing as npt

_TF32_BITS = np.uint32(0xFFFFE000)
"""What the tensor cores read of the 32 bits of a tf32."""
_FLOATS: Mapping[str, Any] = {
    "f16": np.float16,
    "bf16": ml_dtypes.bfloat16,
    "e4m3": ml_dtypes.float8_e4m3fn,
    "e5m2": ml_dtypes.float8_e5m2,
    "e2m3": ml_dtypes.float6_e2m3fn,
    "e3m2": ml_dtypes.float6_e3m2fn,
    "e2m1": ml_dtypes.float4_e2m1fn,
    "ue8m0": ml_dtypes.float8_e8m0fnu,
    # Without its sign it is e4m3.
    "ue4m3": ml_dtypes.float8_e4m3fn,
}
_INTEGERS: Mapping[str, Any] = {"u8": np.uint8, "s8": np.int8}


def is_integer(element: str) -> bool:
    """Whether the element type is an integer."""
    return element in _INTEGERS


def decode(element: str, bits: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """The numbers, exactly: float64, or int64 of integers."""
    if element in _INTEGERS:
        return bits.astype(np.uint8).view(_INTEGERS[element]).astype(np.int64)
    if element == "tf32":
        return (bits.astype(np.uint32) & _TF32_BITS).view(np.float32).astype(np.float64)
    dtype = np.dtype(_FLOATS[element])
    return bits.astype(f"u{dtype.itemsize}").view(dtype).astype(np.float64)

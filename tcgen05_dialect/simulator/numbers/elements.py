"""Decoding of the elements of matrices, by element type."""

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np
import numpy.typing as npt

from ...isa.element import element
from . import floats

_MAGNITUDE = 0x7F
_WIDE = 16
"""Width for which numpy is faster than a lookup table."""


@cache
def _dtypes() -> Mapping[str, Any]:
    """
    Element type -> type of numpy.

    Imported at the first use: verification of kernels decodes no elements, and works without
    ml_dtypes.
    """
    import ml_dtypes

    return {
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
        # e4m3 without the sign bit.
        "ue4m3": ml_dtypes.float8_e4m3fn,
    }


@cache
def _numbers(name: str) -> npt.NDArray[np.float64]:
    """Lookup table: bit pattern -> number."""
    dtype = np.dtype(_dtypes()[name])
    patterns = np.arange(1 << element(name).bits, dtype=np.uint64)
    if name == "ue4m3":
        patterns &= np.uint64(_MAGNITUDE)
    return patterns.astype(f"u{dtype.itemsize}").view(dtype).astype(np.float64)


def decode(name: str, bits: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """The exact values of encoded elements. Bits above the element's width must be 0."""
    if name == "tf32":
        return floats.decode(bits.astype(np.uint32, copy=False), floats.TF32)
    if element(name).bits == _WIDE:
        return bits.astype(np.uint16, copy=False).view(_dtypes()[name]).astype(np.float64)
    return _numbers(name)[bits]

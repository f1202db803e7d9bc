"""
Arrays of other packages, in memory of the device or of the host, as numpy describes them.

A tensor of torch, cupy, jax or numba has `__dlpack__` or `__cuda_array_interface__`; both give an
address, a shape and an element type. Nothing is copied.
"""

import ctypes
from collections.abc import Mapping
from typing import Any, cast

import ml_dtypes
import numpy as np
import numpy.typing as npt

from ..simulator.machine.errors import refused

_CPU, _ON_DEVICE = 1, (2, 3, 13)
"""DLDeviceType: memory of the host; of a CUDA device, or memory of the host that it reads."""
_LEGACY_STREAM = 1
"""The default stream in both protocols, which refuse 0."""
_KINDS = {0: "i", 1: "u", 2: "f", 6: "b"}
"""DLDataTypeCode -> kind of a numpy type."""
_OTHER_TYPES: Mapping[tuple[int, int], Any] = {
    (4, 16): ml_dtypes.bfloat16,
    (10, 8): ml_dtypes.float8_e4m3fn,
    (12, 8): ml_dtypes.float8_e5m2,
    (14, 8): ml_dtypes.float8_e8m0fnu,
}
"""DLDataTypeCode and bits -> element type that numpy itself lacks."""


class DeviceArray(np.ndarray[Any, Any]):
    """An array in memory of the device: its elements cannot be read here."""

    def __repr__(self) -> str:
        return f"<array of {self.dtype} of shape {self.shape} in memory of the device>"

    __str__ = __repr__


class _Tensor(ctypes.Structure):
    """DLTensor, the first part of what a capsule of DLPack points to."""

    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device", ctypes.c_int32 * 2),
        ("rank", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("offset", ctypes.c_uint64),
    )


class _Memory:
    """Memory that numpy views without reading it; `owner` keeps it alive."""

    def __init__(self, owner: object, **interface: Any) -> None:
        self.owner = owner
        self.__array_interface__ = {"version": 3, **interface}


def is_foreign(argument: object) -> bool:
    """Whether an argument is an array of another package."""
    names = "__dlpack__", "__cuda_array_interface__"
    return not isinstance(argument, np.ndarray | np.generic) and any(
        hasattr(argument, name) for name in names
    )


def as_array(tensor: Any, stream: int = 0) -> tuple[npt.NDArray[Any], int | None]:
    """
    An array that views the memory of a tensor, a DeviceArray unless it is of the host; and the
    stream that still writes it, or None if work of `stream` may begin. Raises LaunchError.
    """
    if hasattr(tensor, "__dlpack__"):
        if (kind := int(tensor.__dlpack_device__()[0])) == _CPU:
            return np.asarray(tensor), None
        if kind in _ON_DEVICE:
            return _from_dlpack(tensor, stream), None
        legal = "one in memory of the host or of a CUDA device"
        raise refused(f"an array on a device of DLPack's kind {kind}", legal, "an argument")
    given: dict[str, Any] = tensor.__cuda_array_interface__
    keys = "data", "shape", "typestr", "strides"
    memory = _Memory(tensor, **{key: given[key] for key in keys if key in given})
    return np.asarray(memory).view(DeviceArray), given.get("stream")


def _from_dlpack(tensor: Any, stream: int) -> DeviceArray:
    capsule = tensor.__dlpack__(stream=stream or _LEGACY_STREAM)
    pointer = ctypes.pythonapi.PyCapsule_GetPointer
    pointer.restype, pointer.argtypes = ctypes.c_void_p, [ctypes.py_object, ctypes.c_char_p]
    found = _Tensor.from_address(cast(int, pointer(capsule, b"dltensor")))
    code, bits, rank = found.code, found.bits, found.rank
    dtype = _OTHER_TYPES.get((code, bits))
    if dtype is None and (code not in _KINDS or found.lanes != 1 or bits % 8):
        what = f"an array of elements of {bits} bits with DLPack's type code {code}"
        raise refused(what, "one of numbers of whole bytes, or of bool", "an argument")
    strides = None
    if found.strides:
        strides = tuple(each * bits // 8 for each in found.strides[:rank])
    memory = _Memory(
        capsule,
        data=((found.data or 0) + found.offset, False),
        shape=tuple(found.shape[:rank]),
        strides=strides,
        typestr=f"|V{bits // 8}" if dtype else np.dtype(f"{_KINDS[code]}{bits // 8}").str,
    )
    array = np.asarray(memory)
    return (array.view(dtype) if dtype else array).view(DeviceArray)

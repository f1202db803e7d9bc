"""Arrays for kernels: generated, or read from .npy files."""

import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import ceil, prod
from pathlib import Path
from sys import float_info
from threading import Lock
from typing import Any, cast

import ml_dtypes
import numpy as np
import numpy.typing as npt
from numpy.lib.format import open_memmap

from ...isa.model.rule import extents_text
from ..machine.errors import LaunchError, refused

Array = npt.NDArray[Any]

TYPES: Mapping[str, Any] = {
    "bf16": ml_dtypes.bfloat16,
    "f16": np.float16,
    "f32": np.float32,
    "f64": np.float64,
    "e4m3": ml_dtypes.float8_e4m3fn,
    "e5m2": ml_dtypes.float8_e5m2,
    "ue8m0": ml_dtypes.float8_e8m0fnu,
    **{
        f"{sign}{bits}": np.dtype(f"{kind}{bits // 8}").type
        for sign, kind in (("u", "u"), ("s", "i"), ("i", "i"))
        for bits in (8, 16, 32, 64)
    },
}
"""Name -> element type; integer types such as `i32` are signed."""
FILLS = ("random", "unique", "ones", "zeros")
SUFFIX = ".npy"
MOST_BYTES = 1 << 25
"""
Maximum number of bytes of the arrays of a launch that are not filled with zeros. A run may take six
times as much: it has the expected content, and marks the bytes that are written, and the last write
of each.
"""
MOST_ZEROS = 1 << 28
"""
Maximum number of bytes of the arrays that are filled with zeros. They take memory only where the
kernel writes them.
"""
_WARNINGS = Lock()
"""Held while warnings are ignored: the setting belongs to the process."""
_MOST_DIMENSIONS = 32
_PART = 1 << 16
"""Number of elements that are generated, checked or compared at once."""
_LARGEST = 4
"""Largest magnitude of random integers; it keeps sums of products exact."""


def type_name(dtype: np.dtype[Any]) -> str | None:
    """The name of an element type; None if it has none."""
    return next((name for name, known in TYPES.items() if dtype == known), None)


def is_integral(dtype: np.dtype[Any]) -> bool:
    """Whether an element type holds integers."""
    return np.issubdtype(dtype, np.integer)


def generated(
    fill: object, shape: Sequence[int], dtype: np.dtype[Any], random: np.random.Generator, name: str
) -> Array:
    """Generate an array with one of the FILLS, or of one number. Messages call it `name`. Raises
    LaunchError."""
    most = MOST_ZEROS if fill == "zeros" else MOST_BYTES
    if (
        len(shape) > _MOST_DIMENSIONS
        or any(extent < 0 for extent in shape)
        or prod(max(1, extent) for extent in shape) * dtype.itemsize > most
    ):
        legal = f"up to {_MOST_DIMENSIONS} extents of 0 or more, of {most} bytes in all"
        raise refused(extents_text(shape), legal, f"the shape of array {name}")
    match fill:
        case int() | float():
            return np.full(shape, _number(fill, dtype, name))
        case "zeros":
            return np.zeros(shape, dtype)
        case "ones":
            return np.ones(shape, dtype)
        case "unique":
            return _filled(shape, dtype, np.arange)
        case _:
            limits = np.iinfo(dtype) if is_integral(dtype) else cast(Any, ml_dtypes.finfo(dtype))
            low = ceil(max(float(limits.min), -_LARGEST))
            return _filled(
                shape,
                dtype,
                lambda start, end: random.integers(low, _LARGEST + 1, end - start),
            )


def _filled(
    shape: Sequence[int], dtype: np.dtype[Any], numbers: Callable[[int, int], Array]
) -> Array:
    """An array of the numbers from one index to another."""
    content, start = np.empty(shape, dtype), 0
    for part in parts(content):
        part[:] = numbers(start, start + part.size)
        start += part.size
    return content


def parts(array: Array) -> Iterator[Array]:
    """The elements of an array in parts, which are views if the array is contiguous. All elements
    as 64-bit numbers may take eight times the memory of the array."""
    elements = array.reshape(-1)
    return (elements[at : at + _PART] for at in range(0, elements.size, _PART))


def is_number(fill: object) -> bool:
    """Whether a value of a launch file is a number that a float may represent."""
    return isinstance(fill, float) or (type(fill) is int and abs(fill) <= float_info.max)


def _number(fill: float, dtype: np.dtype[Any], name: str) -> Array:
    """A number as an array without extents. Raises LaunchError if the type cannot represent it."""
    if is_integral(dtype):
        limits = np.iinfo(dtype)
        if not limits.min <= fill <= limits.max or fill != int(fill):
            legal = f"an integer from {limits.min} to {limits.max}"
            raise refused(fill, legal, f"the fill of array {name}")
        return np.asarray(int(fill), dtype)
    return np.asarray(fill, np.float64).astype(dtype)


def load(path: Path) -> Array:
    """Read the array of a complete .npy file. Raises LaunchError."""
    try:
        if not path.is_file():
            reason = "it is a folder" if path.is_dir() else "no such file"
            raise LaunchError(f"cannot read {path}: {reason}")
        with _WARNINGS, warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = open_memmap(path, mode="r")
    except LaunchError:
        raise
    except OSError as error:
        raise LaunchError(f"cannot read {path}: {error.strerror or error}") from error
    except Exception as error:
        # numpy evaluates the header as a Python literal and may raise any exception.
        raise LaunchError(f"cannot read {path}: not a complete .npy file of numbers") from error
    if found.nbytes > MOST_BYTES:
        raise refused(found.nbytes, f"at most {MOST_BYTES}", f"the number of bytes in {path}")
    return np.array(found, found.dtype.newbyteorder("="), order="C")


def converted(array: Array, dtype: np.dtype[Any], what: str, view: bool | None = None) -> Array:
    """
    Convert the content of a file, which messages call `what`, to an element type.

    Floats are rounded; raw bytes, which numpy writes for element types that it lacks, are
    reinterpreted. So is any content with `view`. Integers as wide as such an element type may be
    its bits or numbers; `view` says which. Raises LaunchError.
    """
    if array.dtype == dtype:
        return array
    raw = array.dtype.kind == "V" and array.dtype.names is None and array.dtype.subdtype is None
    same_size = array.dtype.itemsize == dtype.itemsize
    if view or raw:
        if same_size:
            return array.view(dtype)
        legal = f"{dtype.itemsize} bytes, as {type_name(dtype)} has"
        raise refused(f"elements of {array.dtype.itemsize} bytes", legal, what)
    if array.dtype.kind not in "iuf":
        raise refused(str(array.dtype), f"numbers, or {type_name(dtype)}", what)
    if view is None and same_size and dtype.kind == "V" and array.dtype.kind in "iu":
        legal = (
            f"floating-point numbers, or view must say what its integers are (true for the bits of "
            f"{type_name(dtype)}, false for numbers)"
        )
        raise refused(str(array.dtype), legal, what)
    with np.errstate(all="ignore"):
        found = array.astype(dtype)
        for old, new in zip(parts(array), parts(found), strict=True):
            same = np.isfinite(new.astype(np.float64)) == np.isfinite(old)
            if is_integral(dtype):
                same = (new == old) & ((new < 0) == (old < 0))
            if not same.all():
                lost = old[~same][0]
                raise refused(f"{lost}", f"numbers that {type_name(dtype)} holds", what)
    return found

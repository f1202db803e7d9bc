"""Texts for parts of arrays."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Flags = npt.NDArray[np.bool_]


def region(mask: Flags) -> str:
    """The smallest part of an array with all marked elements, in the notation of numpy."""
    return indices([_range(mask, axis) for axis in range(mask.ndim)], mask.shape)


def fills(mask: Flags) -> bool:
    """Whether the marked elements are all of their region."""
    size = 1
    for axis in range(mask.ndim):
        size *= len(_range(mask, axis))
    return int(np.count_nonzero(mask)) == size


def indices(ranges: Sequence[range], shape: Sequence[int]) -> str:
    """A part of an array with a range of indices along each axis, in the notation of numpy."""
    parts = [
        ":" if len(each) == extent else _slice(each)
        for each, extent in zip(ranges, shape, strict=True)
    ]
    return f"[{', '.join(parts)}]"


def _slice(span: range) -> str:
    return str(span.start) if len(span) == 1 else f"{span.start}:{span.stop}"


def _range(mask: Flags, axis: int) -> range:
    others = tuple(other for other in range(mask.ndim) if other != axis)
    found = np.flatnonzero(mask.any(axis=others))
    return range(int(found[0]), int(found[-1]) + 1) if found.size else range(0)

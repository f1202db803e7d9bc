"""Contents of memory that differ from place to place."""

from typing import Any

import numpy as np
import numpy.typing as npt

SEEDS = 4
"""Number of contents to try for a kernel that compares data, so that comparisons have both
results."""


def content_of(places: npt.NDArray[Any], seed: int = 0) -> npt.NDArray[np.uint8]:
    """
    The contents of bytes at some places, which are pseudo-random.

    As integers and as floating-point numbers of any format they are neither extreme nor NaN. With a
    `seed` other than 0, signs differ and some words are 0, so that comparisons have both results.
    """
    hashed = mixed(places, seed)
    content = np.where(places & 1, 0x38 | hashed & 0x07, 0x30 + hashed % 0x40).astype(np.uint8)
    if seed:
        words = mixed(places >> 2, seed)
        content |= np.where(places & 1, words & 0x80, 0).astype(np.uint8)
        content[words & 3 == 0] = 0
    return content


def mixed(places: npt.NDArray[Any], seed: int = 0) -> npt.NDArray[np.uint64]:
    """A pseudo-random number for each number (splitmix64)."""
    numbers = (places.astype(np.uint64) + np.uint64(1)) * np.uint64(0x9E3779B97F4A7C15)
    numbers += np.uint64(seed)
    numbers = (numbers ^ numbers >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ numbers >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return numbers ^ numbers >> np.uint64(31)

"""Pipelines: pairs of tensor core operations that complete in the order of issue (9.7.16.6.2)."""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache
from typing import NamedTuple


class Pipeline(NamedTuple):
    """
    Two kinds of operations, of the same `.cta_group`, the second of which follows the first.

    `alike`: only if accumulator and shape are the same. `shape`: only if that is the second's.
    """

    first: str
    second: str
    alike: bool = False
    shape: str | None = None

    def joins(self, first: str, first_key: object, second: str, second_key: object) -> bool:
        """
        Whether two operations are such a pair. The key of an `mma` is its accumulator and its
        shape, that of a `cp` its shape.
        """
        return (
            (self.first, self.second) == (first, second)
            and (not self.alike or first_key == second_key)
            and (self.shape is None or self.shape == second_key)
        )


PIPELINES = (
    Pipeline("mma", "mma", alike=True),
    Pipeline("cp", "mma"),
    Pipeline("shift", "mma"),
    Pipeline("shift", "cp", shape="shape_4x256b"),
    Pipeline("mma", "shift"),
    # The manual does not list it. But the block-scaled matrix products of NVIDIA's CUTLASS copy
    # scale factors to columns that products before read, and wait for nothing.
    Pipeline("mma", "cp"),
)


@lru_cache(maxsize=1024)
def is_pipeline(first: str, first_key: Hashable, second: str, second_key: Hashable) -> bool:
    """Whether an operation, issued after another, is done after it."""
    return any(each.joins(first, first_key, second, second_key) for each in PIPELINES)

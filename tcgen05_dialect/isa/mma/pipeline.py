"""Pipelines: pairs of tensor core operations that complete in the order of issue (9.7.16.6.2)."""

from __future__ import annotations

from collections.abc import Hashable
from functools import lru_cache
from typing import NamedTuple


class Pipeline(NamedTuple):
    """
    Two kinds of operations; the second completes after the first if their `.cta_group` agrees.

    `alike`: only if they have the same accumulator and shape. `shape`: only if the second has it.
    """

    first: str
    second: str
    alike: bool = False
    shape: str | None = None

    def joins(self, first: str, first_key: object, second: str, second_key: object) -> bool:
        """
        Whether two operations are such a pair. The key of an `mma` is its accumulator and shape;
        the key of a `cp` is its shape.
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
    # The manual does not list this pair. But NVIDIA's CUTLASS relies on it: its block-scaled
    # products copy scale factors, without waiting, to columns that earlier products read.
    Pipeline("mma", "cp"),
)


@lru_cache(maxsize=1024)
def is_pipeline(first: str, first_key: Hashable, second: str, second_key: Hashable) -> bool:
    """Whether an operation always completes after another that was issued before it."""
    return any(each.joins(first, first_key, second, second_key) for each in PIPELINES)

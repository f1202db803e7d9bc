"""
Completion of asynchronous operations: the step by which threads learn of it (9.7.16.6.2.1, and
9.7.9.25 for copies).
"""

from __future__ import annotations

from typing import NamedTuple


class Completion(NamedTuple):
    """`step`, a noun phrase, is what must come after the operation; `fix` is an imperative."""

    step: str
    fix: str


def copied(barrier: str) -> Completion:
    """The completion of a copy on a barrier object with a name."""
    return Completion(f"wait for {barrier}", f"wait for {barrier}, which the copy completes")


LOADED = Completion("tcgen05.wait::ld", "execute tcgen05.wait::ld after the load")
STORED = Completion("tcgen05.wait::st", "execute tcgen05.wait::st after the store")
COMMITTED = Completion(
    "commit and wait for its barrier object",
    "execute tcgen05.commit after the operation, and wait for the phase that it ends",
)
SOURCE_READ = Completion(
    "cp.async.bulk.wait_group or wait_group.read",
    "execute cp.async.bulk.commit_group after the copy, and cp.async.bulk.wait_group.read",
)
WRITTEN = Completion(
    "cp.async.bulk.wait_group",
    "execute cp.async.bulk.commit_group after the copy, and cp.async.bulk.wait_group",
)

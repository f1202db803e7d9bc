"""
Completion of asynchronous accesses: the step by which threads learn of it (9.7.16.6.2.1, and
9.7.9.25 for copies).

The rows of `isa/instructions` say which access has which completion, and which instructions track
it and wait for it.
"""

from __future__ import annotations

from typing import NamedTuple


class Completion(NamedTuple):
    """
    `step`, a noun phrase, is what must come after the operation; `fix` is an imperative. A copy
    completes in the `phase` of a `barrier` object, or in a later one.
    """

    step: str
    fix: str
    barrier: str = ""
    phase: int = 0

    def at(self, barrier: str, phase: int) -> Completion:
        """The completion of a copy on a barrier object with a name, issued in one of its phases."""
        fix = f"wait for {barrier}, which the copy completes"
        return Completion(f"wait for {barrier}", fix, barrier, phase)


LOADED = Completion("tcgen05.wait::ld", "execute tcgen05.wait::ld after the load")
REGISTER = Completion("use of the register", "use the register; the use waits for the load")
STORED = Completion("tcgen05.wait::st", "execute tcgen05.wait::st after the store")
COMMITTED = Completion(
    "commit and wait for its barrier object",
    "execute tcgen05.commit after the operation, and wait for the phase that it ends",
)
COPIED = Completion(
    "wait for its barrier object", "wait for the barrier object on which the copy completes bytes"
)
SOURCE_READ = Completion(
    "cp.async.bulk.wait_group or wait_group.read",
    "execute cp.async.bulk.commit_group after the copy, and cp.async.bulk.wait_group.read",
)
WRITTEN = Completion(
    "cp.async.bulk.wait_group",
    "execute cp.async.bulk.commit_group after the copy, and cp.async.bulk.wait_group",
)
COPIED_BY_THREAD = Completion(
    "cp.async.wait_group",
    "execute cp.async.commit_group after the copy, and cp.async.wait_group in the same thread",
)

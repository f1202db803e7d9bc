"""
How much of a sweep the tests do.

A sweep is a test of all of something: each mutant of a kernel, each form of an instruction, many
random programs. `make test` does a part of it, and `make sweep` all.
"""

import os
from collections.abc import Callable, Hashable, Iterable
from typing import Any, Literal, TypeVar

SWEEP = os.environ.get("TCGEN05_SWEEP", "") not in ("", "0")
"""Whether sweeps are done as a whole."""
EFFORT: Literal["quick", "thorough"] = "thorough" if SWEEP else "quick"
"""That of the verification of right kernels where a test is about their results."""
_GOLDEN = (5**0.5 - 1) / 2

T = TypeVar("T")


def sampled(
    things: Iterable[T], most: int, of: Callable[[Any], Hashable] = lambda thing: None
) -> list[T]:
    """
    All things in a sweep; else at most so many of each kind, which `of` names.

    They keep their order and are always the same ones. The first is among them, and the others are
    spread evenly, but not at equal distances, which would show one column of a table only.
    """
    every = list(things)
    if SWEEP:
        return every
    kinds: dict[Hashable, list[int]] = {}
    for index, thing in enumerate(every):
        kinds.setdefault(of(thing), []).append(index)
    chosen: set[int] = set()
    for indices in kinds.values():
        ranks = sorted(range(len(indices)), key=lambda rank: rank * _GOLDEN % 1)
        chosen.update(indices[rank] for rank in ranks[:most])
    return [every[index] for index in sorted(chosen)]


def part(count: int) -> int:
    """The number of random trials: `count` in a sweep, else a sixteenth of it."""
    return count if SWEEP else -(-count // 16)

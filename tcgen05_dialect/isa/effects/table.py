"""The rows of all instructions, by the name of the operation in `ptx` without `ptx.`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from tcgen05_dialect.isa.completion import Completion
from tcgen05_dialect.isa.effects import (
    async_stores,
    atomics,
    bulk_bytes,
    bulk_copy,
    cache_hints,
    clusterlaunchcontrol,
    control,
    cp_async,
    fences,
    im2col,
    ldmatrix,
    mbarrier,
    memory,
    mma_sync,
    multimem,
    synchronization,
    tcgen05,
    tensormap,
    warp,
)
from tcgen05_dialect.isa.effects.model import Choice, Effects

FAMILIES = (
    *(tcgen05, mbarrier, synchronization, bulk_copy, cp_async, ldmatrix, memory, control),
    *(async_stores, atomics, bulk_bytes, cache_hints, clusterlaunchcontrol, fences, im2col),
    *(mma_sync, multimem, tensormap, warp),
)
EFFECTS: Mapping[str, Effects] = {
    name: effects for family in FAMILIES for name, effects in family.EFFECTS.items()
}
NONE = Effects("")
"""The row of an instruction that only computes registers."""


class Step(NamedTuple):
    """An instruction that a program executes, with its qualifiers that matter; None means that a
    qualifier is absent."""

    instruction: str
    qualifiers: Mapping[str, str | None]


def steps_to(completion: Completion) -> tuple[Step, ...]:
    """
    The instructions that a program executes for a completion: those that track it, then those that
    wait for it, of which one suffices.
    """
    tracking = (Step(name, {}) for name, each in EFFECTS.items() if completion in each.tracks)
    return *tracking, *_waiting(completion)


def _waiting(completion: Completion) -> Iterator[Step]:
    for name, each in EFFECTS.items():
        if isinstance(each.completes, Choice):
            for word, completions in each.completes.cases.items():
                if completion in completions:
                    yield Step(name, {each.completes.qualifier: word})
        elif completion in each.completes:
            yield Step(name, {})

"""The rows of all instructions, by the name of the operation in `ptx` without `ptx.`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib import import_module
from itertools import chain
from types import ModuleType
from typing import NamedTuple

from tcgen05_dialect.isa.completion import Completion
from tcgen05_dialect.isa.effects.model import Choice, Effects

FAMILIES: Mapping[str, Sequence[str]] = {
    "tcgen05": ("tcgen05",),
    "mbarrier": ("mbarrier",),
    "synchronization": (
        *("bar", "barrier", "elect", "fence"),
        *("griddepcontrol", "nanosleep", "setmaxnreg", "shfl"),
    ),
    "bulk_copy": ("cp", "prefetch"),
    "cp_async": ("cp",),
    "ldmatrix": ("ldmatrix", "movmatrix", "stmatrix"),
    "memory": ("ld", "prefetch", "st"),
    "control": ("brkpt", "exit", "pmevent", "ret", "special_register", "trap", "trap_here"),
    "async_stores": ("red", "st"),
    "atomics": ("atom", "red"),
    "bulk_bytes": ("cp",),
    "cache_hints": ("applypriority", "discard", "prefetchu"),
    "clusterlaunchcontrol": ("clusterlaunchcontrol",),
    "fences": ("fence", "membar"),
    "im2col": ("cp",),
    "mma_sync": ("mma",),
    "multimem": ("multimem",),
    "tensormap": ("tensormap",),
    "warp": ("activemask", "match", "redux", "vote"),
}
"""
Module of rows -> the first words of the names of its instructions: `compile` imports it only if a
kernel uses one of them.
"""


@cache
def family(name: str) -> ModuleType:
    """The module of a family, with its rows in `EFFECTS`."""
    return import_module(f".{name}", __package__)


class _Rows(Mapping[str, Effects]):
    """The rows of all families, imported by need."""

    def __getitem__(self, name: str) -> Effects:
        word = name.partition(".")[0]
        for each, words in FAMILIES.items():
            if word in words and name in (rows := family(each).EFFECTS):
                return rows[name]
        raise KeyError(name)

    def __iter__(self) -> Iterator[str]:
        return chain.from_iterable(family(each).EFFECTS for each in FAMILIES)

    def __len__(self) -> int:
        return sum(len(family(each).EFFECTS) for each in FAMILIES)


EFFECTS: Mapping[str, Effects] = _Rows()
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

"""The effects of all instructions, by the name of the operation in `ptx` without `ptx.`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from tcgen05_dialect.isa.completion import Completion
from tcgen05_dialect.isa.effects import tcgen05
from tcgen05_dialect.isa.effects.model import Choice, Effects
from tcgen05_dialect.isa.instructions import table


class _Rows(Mapping[str, Effects]):
    """The effects of all instructions that have some, read by need."""

    def __getitem__(self, name: str) -> Effects:
        if name in tcgen05.EFFECTS:
            return tcgen05.EFFECTS[name]
        effects = table.row(name).effects
        if effects is None:
            raise KeyError(name)
        return effects

    def __iter__(self) -> Iterator[str]:
        yield from tcgen05.EFFECTS
        yield from (name for name in table.names() if table.row(name).effects is not None)

    def __len__(self) -> int:
        return sum(1 for _ in self)


EFFECTS: Mapping[str, Effects] = _Rows()
NONE = Effects("")
"""The row of an instruction that only computes registers."""


class Step(NamedTuple):
    """An instruction that a program executes, with its qualifiers that matter; None means that a
    qualifier is absent."""

    instruction: str
    qualifiers: Mapping[str, str | None]


def steps_to(completion: Completion) -> tuple[Step, ...]:
    """What completes an asynchronous access: the commits that track it, then the waits; one wait is
    enough."""
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

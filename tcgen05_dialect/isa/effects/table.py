"""The effects of all instructions, by the name in `ptx` without `ptx.`, and their words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple, TypeVar

from tcgen05_dialect.isa.effects import tcgen05
from tcgen05_dialect.isa.effects.model import (
    REGISTER,
    Area,
    Choice,
    Completion,
    Effects,
    Elements,
    Orderings,
    Participants,
    StateSpace,
)
from tcgen05_dialect.isa.instructions import table
from tcgen05_dialect.isa.model.table import Place


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


T = TypeVar("T")


def _areas(areas: Iterable[Area]) -> str:
    """Areas; one phrase names all areas with the same state space and extent."""
    alike: dict[tuple[StateSpace, str], list[str]] = {}
    for each in areas:
        alike.setdefault((each.space, _extent(each)), []).append(
            " with ".join(map(_code, each.operands))
        )
    return "; ".join(
        _area(space, ", ".join(filter(None, places)), extent)
        for (space, extent), places in alike.items()
    )


def _code(word: str) -> str:
    return f"`{word}`"


def _area(space: StateSpace, place: str, extent: str) -> str:
    if space is StateSpace.REGISTERS:
        return f"{place} {extent}".strip()
    where = f"{space.value} at {place}" if place else space.value
    return f"{where}: {extent}" if extent else where


def _extent(area: Area) -> str:
    match area.extent:
        case Place(bytes=size, amount=amount):
            return amount or f"{size} bytes"
        case Elements(type=type_, values=values):
            return f"`{values}`, each of `{type_}`"
        case extent:
            return extent


def _distinct(words: Iterable[str]) -> str:
    return "; ".join(dict.fromkeys(filter(None, words)))


def _cases(choice: Choice[T], say: Callable[[T], str]) -> str:
    """The cases of a fact."""
    if choice.qualifier == "semantics":
        default = say(choice.cases[None])
        return "by `semantics`" + (f", without it {default}" if default else "")
    return "; ".join(
        f"`{word}`: {text}" if word else f"without `{choice.qualifier}`: {text}"
        for word, each in choice.cases.items()
        if (text := say(each))
    )


def _orders(orders: Orderings) -> str:
    return ", ".join(each.name.lower() for each in orders)


def _completed(verb: str, completions: Iterable[Completion]) -> str:
    """The accesses with one of some completions, without variants of an instruction that has the
    same ones."""
    mine = {*completions}
    texts: dict[str, str] = {}
    found: dict[str, set[Completion | None]] = {}
    for name, effects in EFFECTS.items():
        all_of = {*map(_completion, effects.areas)}
        of_verb = all_of & mine
        if not of_verb or any(
            name.startswith(f"{other}.") and of_verb <= found[other] for other in found
        ):
            continue
        kinds = {"reads": effects.reads, "writes": effects.writes}
        having = [kind for kind, areas in kinds.items() if mine & {*map(_completion, areas)}]
        others = all_of - {*mine, REGISTER, None}
        found[name] = of_verb
        texts[name] = f"the {' and '.join(having)} of `{name}`" if others else f"`{name}`"
    return f"{verb} {', '.join(texts.values())}" if texts else ""


def _completion(area: Area) -> Completion | None:
    return area.completion


def _complete_after(areas: Iterable[Area]) -> str:
    """The completions of areas; if they differ, each with its state spaces."""
    spaces: dict[str, list[str]] = {}
    for each in areas:
        if each.completion:
            spaces.setdefault(each.completion.step, []).append(each.space.value)
    if len(spaces) < 2:
        return "".join(spaces)
    return "; ".join(f"{', '.join(dict.fromkeys(of))}: {step}" for step, of in spaces.items())


def _waits(completions: Iterable[Completion]) -> str:
    return _completed("waits for", completions)


def _ordered(effects: Effects) -> str:
    ordered, completes = effects.orders, effects.completes
    orders = _cases(ordered, _orders) if isinstance(ordered, Choice) else _orders(ordered)
    return _distinct(
        (
            f"{orders} ({effects.scope})" if orders and effects.scope else orders,
            _completed("tracks", effects.tracks),
            _cases(completes, _waits) if isinstance(completes, Choice) else _waits(completes),
        )
    )


def _executed(who: Participants) -> str:
    return who.value


def described(effects: Effects) -> Mapping[str, str]:
    """What each column of the reference says of an instruction; some are empty."""
    who = effects.executed_by
    return {
        "reads": _areas(effects.reads),
        "writes": _areas(effects.writes),
        "by": effects.actor.value,
        "proxy": _distinct(each.proxy.value for each in effects.areas if each.proxy),
        "complete after": _complete_after(effects.areas),
        "orders": _ordered(effects),
        "executed by": _cases(who, _executed) if isinstance(who, Choice) else _executed(who),
        "section": effects.section,
    }

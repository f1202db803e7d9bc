"""The rows of effects in words, for the reference and for `tcgen05 explain`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from tcgen05_dialect.isa.completion import REGISTER, Completion
from tcgen05_dialect.isa.effects.model import (
    Area,
    Choice,
    Effects,
    Elements,
    Orderings,
    Participants,
    StateSpace,
)
from tcgen05_dialect.isa.effects.table import EFFECTS
from tcgen05_dialect.isa.model.table import Place

T = TypeVar("T")


def _areas(areas: Iterable[Area]) -> str:
    """Areas, those in the same state space and of the same extent together."""
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

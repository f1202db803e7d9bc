"""docs/effects.md: the effects of the instructions, from the rows of `isa/effects`."""

from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from tcgen05_dialect.isa.completion import Completion
from tcgen05_dialect.isa.effects.model import (
    Area,
    Choice,
    Effects,
    Elements,
    Ordering,
    Orderings,
    Participants,
    StateSpace,
)
from tcgen05_dialect.isa.effects.table import EFFECTS, FAMILIES
from tcgen05_dialect.isa.model.place import Place

from .markdown import table
from .shown import ROOT

FILE = ROOT / "docs" / "effects.md"
_HEAD = (
    *("instruction", "reads", "writes", "by", "proxy"),
    *("complete after", "orders", "executed by", "section"),
)
_INTRODUCTION = """\
# Effects of the instructions

What each instruction does besides computing registers: the memory that it reads and writes, who
makes these accesses and through which proxy, what a program must do before it may rely on them,
what the instruction orders, and which threads execute it. The verifiers, the emulator and the
verification of whole kernels read the same rows; `make docs` writes this page.

- An instruction of the `ptx` dialect that is not listed only computes its results.
- *reads*, *writes*: names in code are operands or qualifiers of the operation in `ptx`, for example
  of `ptx.tcgen05.cp`.
- *complete after*: the step that must come between the instruction and an access to the same
  memory. If it is empty, the accesses are complete before the next instruction of the thread.
- *orders*: the terms of the table below. With several cases, a qualifier of the instruction
  decides. A scope without a qualifier is in parentheses.
- A wait *for* instructions makes their accesses known to be complete. An instruction that *tracks*
  others puts them into a group, or makes a barrier object signal their end.
"""

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
        case Place(bytes=size):
            return f"{size} bytes" if size else "a box"
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


def _users(completion: Completion) -> str:
    """The accesses with a completion."""
    found: list[str] = []
    for name, effects in EFFECTS.items():
        kinds = [
            what
            for what, areas in (("reads", effects.reads), ("writes", effects.writes))
            if any(each.completion is completion for each in areas)
        ]
        both = len(kinds) == len({each.completion for each in effects.areas})
        if kinds:
            found.append(f"`{name}`" if both or len(kinds) > 1 else f"the {kinds[0]} of `{name}`")
    several = [name for name in found if any(f"`{other.strip('`')}." in name for other in found)]
    return ", ".join(name for name in found if name not in several)


def _completed(verb: str, completions: Iterable[Completion]) -> str:
    users = ", ".join(dict.fromkeys(map(_users, completions)))
    return f"{verb} {users}" if users else ""


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


def _row(name: str, effects: Effects) -> tuple[str, ...]:
    who = effects.executed_by
    return (
        f"`{name}`",
        _areas(effects.reads),
        _areas(effects.writes),
        effects.actor.value,
        _distinct(each.proxy.value for each in effects.areas if each.proxy),
        _distinct(each.completion.step for each in effects.areas if each.completion),
        _ordered(effects),
        _cases(who, _executed) if isinstance(who, Choice) else _executed(who),
        effects.section,
    )


def _families() -> Iterator[str]:
    for family in FAMILIES:
        title = " ".join((family.__doc__ or "").split()).rstrip(".")
        title = title.removeprefix("Effects of ").removeprefix("the ")
        title = title if title.startswith("tcgen05") else f"{title[0].upper()}{title[1:]}"
        yield f"## {title}\n"
        yield from table(_HEAD, (_row(name, each) for name, each in family.EFFECTS.items()))


def _orderings() -> Iterator[str]:
    yield from table(("term", "what is ordered"), ((e.name.lower(), e.value) for e in Ordering))
    yield from table(("executed by", ""), ((each.value, _NEEDS[each]) for each in Participants))


_NEEDS = {
    Participants.EACH: "Threads may execute it or not.",
    Participants.ONE: "Several threads with the same operands would repeat its effects.",
    Participants.NAMED: "The threads in the mask wait for each other.",
    Participants.RUNNING: "Threads that have ended do not count.",
    Participants.WHOLE: "No thread of the warp may have ended.",
}


def text() -> str:
    """The text of the page."""
    return "\n".join([_INTRODUCTION, *_orderings(), *_families()]).rstrip() + "\n"

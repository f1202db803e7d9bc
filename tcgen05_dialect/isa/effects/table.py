"""The effects of all instructions, by the name in `ptx` without `ptx.`, and their words."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from typing import NamedTuple, TypeVar

from tcgen05_dialect.isa.effects.model import (
    COMMITTED,
    LOADED,
    REGISTER,
    STORED,
    Actor,
    Area,
    Choice,
    Completion,
    Effects,
    Elements,
    Ordering,
    Orderings,
    Participants,
    Proxy,
    StateSpace,
)
from tcgen05_dialect.isa.instructions import table
from tcgen05_dialect.isa.instructions.mbarrier import BARRIER_OBJECT
from tcgen05_dialect.isa.mma.products import PRODUCTS, D, Operand, Product
from tcgen05_dialect.isa.model.table import Place
from tcgen05_dialect.isa.tensor_memory import alloc, copies, ld_st

_FRAGMENT = "the cells of `shape` and `num`"


def _matrix(name: str, extent: str = "") -> Area:
    """A matrix in tensor memory that the tensor core accesses."""
    return Area(StateSpace.TENSOR, (name,), extent, None, COMMITTED)


def _tile(name: str, extent: str = "") -> Area:
    """A matrix in shared memory, which the tensor core reads through the async proxy
    (9.7.16.6.5)."""
    return Area(StateSpace.SHARED, (name,), extent, Proxy.ASYNC, COMMITTED)


def _areas_of(operand: Operand) -> Iterator[Area]:
    """The areas that a matrix of a product may be in."""
    several = len(operand.memories) > 1
    if "tensor" in operand.memories:
        yield _matrix(operand.name, "if it is an address" if several else "")
    if "shared" in operand.memories:
        yield _tile(operand.name, "if it is a descriptor" if several else "")


def _product(product: Product) -> Effects:
    return Effects(
        product.mnemonic.section,
        reads=tuple(area for each in product.matrices for area in _areas_of(each)),
        writes=(_matrix(D.name),),
        actor=Actor.TENSOR_CORE,
        executed_by=Participants.ONE,
    )


def _load(section: str, *results: str) -> Effects:
    return Effects(
        section,
        reads=(Area(StateSpace.TENSOR, ("address",), _FRAGMENT, None, LOADED),),
        # Instructions that use the registers wait for them (9.7.16.6.4.5).
        writes=tuple(
            Area(StateSpace.REGISTERS, (name,), proxy=None, completion=REGISTER) for name in results
        ),
        actor=Actor.WARP,
        executed_by=Participants.WHOLE,
    )


_SHIFTED = _matrix("address", "the columns that are shifted")

TCGEN05 = {
    "tcgen05.alloc": Effects(
        alloc.ALLOC.section,
        writes=(
            Area(StateSpace.SHARED, ("address",), alloc.SLOT),
            Area(StateSpace.TENSOR, (), "the columns that it allocates", None),
        ),
        actor=Actor.ALLOCATOR,
        executed_by=Participants.WHOLE,
    ),
    "tcgen05.dealloc": Effects(
        alloc.DEALLOC.section,
        writes=(Area(StateSpace.TENSOR, ("taddr",), "the columns that it frees", None),),
        actor=Actor.ALLOCATOR,
        executed_by=Participants.WHOLE,
    ),
    "tcgen05.relinquish_alloc_permit": Effects(
        alloc.RELINQUISH_ALLOC_PERMIT.section,
        actor=Actor.ALLOCATOR,
        executed_by=Participants.WHOLE,
    ),
    "tcgen05.ld": _load(ld_st.LD.section, "values"),
    "tcgen05.ld.red": _load(ld_st.LD_RED.section, "values", "reduced"),
    "tcgen05.st": Effects(
        ld_st.ST.section,
        reads=(Area(StateSpace.REGISTERS, ("values",), proxy=None),),
        writes=(Area(StateSpace.TENSOR, ("address",), _FRAGMENT, None, STORED),),
        actor=Actor.WARP,
        executed_by=Participants.WHOLE,
        data=("values",),
    ),
    "tcgen05.wait": Effects(
        alloc.WAIT.section,
        executed_by=Participants.WHOLE,
        completes=Choice("operation", {"ld": (LOADED,), "st": (STORED,)}),
    ),
    "tcgen05.cp": Effects(
        copies.CP.section,
        reads=(_tile("descriptor", "the rows of `shape`"),),
        writes=(_matrix("address", "the columns of `shape`"),),
        actor=Actor.TENSOR_CORE,
        executed_by=Participants.ONE,
    ),
    "tcgen05.shift": Effects(
        copies.SHIFT.section,
        reads=(_SHIFTED,),
        writes=(_SHIFTED,),
        actor=Actor.TENSOR_CORE,
        executed_by=Participants.ONE,
    ),
    **{name: _product(product) for name, product in PRODUCTS.items()},
    "tcgen05.commit": Effects(
        alloc.COMMIT.section,
        writes=(Area(StateSpace.BARRIER, ("mbarrier",), BARRIER_OBJECT, Proxy.ASYNC),),
        actor=Actor.TENSOR_CORE,
        executed_by=Participants.ONE,
        # The manual: a commit implies this fence.
        orders=(Ordering.BEFORE_THREAD_SYNC, Ordering.RELEASE),
        tracks=(COMMITTED,),
        arrives_at="mbarrier",
    ),
    "tcgen05.fence": Effects(
        alloc.FENCE.section,
        orders=Choice(
            "order",
            {
                "before_thread_sync": (Ordering.BEFORE_THREAD_SYNC,),
                "after_thread_sync": (Ordering.AFTER_THREAD_SYNC,),
            },
        ),
    ),
}


class _Rows(Mapping[str, Effects]):
    """The effects of all instructions that have some, read by need."""

    def __getitem__(self, name: str) -> Effects:
        if name in TCGEN05:
            return TCGEN05[name]
        effects = table.row(name).effects
        if effects is None:
            raise KeyError(name)
        return effects

    def __iter__(self) -> Iterator[str]:
        yield from TCGEN05
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


@cache
def mbarrier_waits() -> frozenset[str]:
    """The operations that wait for the end of a phase of a barrier object, or test for it. It loads
    all families of instructions."""
    return frozenset(
        name
        for name, row in EFFECTS.items()
        if not row.writes and any(area.space is StateSpace.BARRIER for area in row.reads)
    )


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
    found: dict[str, list[str]] = {}
    for word, each in choice.cases.items():
        if text := say(each):
            found.setdefault(text, []).append(
                f"`{word}`" if word else f"without `{choice.qualifier}`"
            )
    return "; ".join(f"{', '.join(words)}: {text}" for text, words in found.items())


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

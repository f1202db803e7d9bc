"""The effects of operations, from the rows of `isa/instructions`."""

from functools import cache
from typing import TypeVar

from xdsl.ir import Operation

from ..isa.effects.model import (
    Choice,
    Completion,
    Effects,
    Elements,
    Orderings,
    Participants,
    StateSpace,
    is_strong,
)
from ..isa.effects.table import EFFECTS, NONE
from ..isa.model.table import Place
from ..isa.ptx.ptx_text import OPERAND_BITS
from .text.syntax import values_of, word_of

T = TypeVar("T")


@cache
def effects_of(op_type: type[Operation]) -> Effects:
    """The row of an operation; that of an operation that only computes, or of another dialect, is
    empty."""
    dialect, _, name = op_type.name.partition(".")
    return EFFECTS.get(name, NONE) if dialect == "ptx" else NONE


def _case(choice: Choice[T], op: Operation) -> T:
    """The case of an operation with its qualifiers."""
    return choice.cases[word_of(op, choice.qualifier)]


@cache
def reads(op_type: type[Operation], space: StateSpace) -> bool:
    """Whether an operation reads from a state space."""
    return any(area.space is space for area in effects_of(op_type).reads)


def participants_of(op: Operation) -> Participants:
    """Which threads execute an operation."""
    who = effects_of(type(op)).executed_by
    return _case(who, op) if isinstance(who, Choice) else who


def may_be_together(op_type: type[Operation]) -> bool:
    """Whether threads of a warp may have to execute an operation together."""
    who = effects_of(op_type).executed_by
    every = who.cases.values() if isinstance(who, Choice) else (who,)
    return any(each.together for each in every)


def orders_of(op: Operation) -> Orderings:
    """What an operation orders."""
    orders = effects_of(type(op)).orders
    return _case(orders, op) if isinstance(orders, Choice) else orders


def scope_of(op: Operation) -> str:
    """The scope of what an operation orders."""
    return word_of(op, "scope") or effects_of(type(op)).scope


def is_strong_access(op: Operation) -> bool:
    """Whether an access to memory is strong: by its semantics, or because it is atomic."""
    return effects_of(type(op)).is_atomic or is_strong(word_of(op, "semantics"))


def completed_by(op: Operation) -> tuple[Completion, ...]:
    """The completions for which an operation waits."""
    completions = effects_of(type(op)).completes
    return _case(completions, op) if isinstance(completions, Choice) else completions


def completions_of(op: Operation) -> tuple[Completion, ...]:
    """The completions of the accesses of an operation, each once; none if they are complete before
    the next operation. `steps_to` of `isa.effects.table` gives the instructions that each needs."""
    return _completions_of(type(op))


@cache
def _completions_of(op_type: type[Operation]) -> tuple[Completion, ...]:
    areas = effects_of(op_type).areas
    return tuple(dict.fromkeys(each.completion for each in areas if each.completion is not None))


def global_places(op: Operation, or_generic: bool = False) -> set[str]:
    """The operands that give places in global memory, but for the tensor maps; or also those that
    give generic addresses."""
    areas = effects_of(type(op)).areas
    maps = {name for each in areas if each.space is StateSpace.TENSOR_MAP for name in each.operands}
    spaces = ("global", None) if or_generic else ("global",)
    return {
        name
        for each in areas
        if each.space is StateSpace.GLOBAL
        or (each.space is StateSpace.MEMORY and word_of(op, "space") in spaces)
        for name in each.operands
        if name not in maps
    }


def bytes_at(op: Operation, name: str) -> int:
    """Number of bytes that an operation accesses at an address operand. Raises LookupError if the
    qualifiers and operands do not tell."""
    for area in effects_of(type(op)).areas:
        if name in area.operands:
            match area.extent:
                case Place(bytes=size):
                    return size
                case Elements(type=type_, values=values):
                    bits = OPERAND_BITS[word_of(op, type_) or ""]
                    return bits * len(values_of(op, values)) // 8
                case _:
                    break
    raise LookupError(f"{op.name}: {name}")

"""A fact about a value: its possible numbers, and the address that it is relative to."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import NamedTuple

from xdsl.ir import Operation

from ..isa.ptx.registers import TYPE_BITS
from ..ptx import instructions
from ..ptx.analysis.values import WHOLE, source_type
from ..ptx.instructions import CvtaOp, CvtaToOp
from ..ptx.syntax import word_of
from .numbers import (
    Number,
    constant,
    difference,
    extended,
    field,
    is_positive,
    joined,
    times,
    total,
    total_of,
)

VALUE, VARIABLE, ALLOCATION = 1, 2, 3
"""Ranks of bases: a sum of two addresses is relative to the one with the higher rank."""
_ADDRESS_BITS = 32


class Base(NamedTuple):
    """
    What an address is relative to, by `rank`: the start of an allocation of tensor memory, the
    start of a variable in shared memory, or another value.
    """

    rank: int
    identity: Hashable


class Fact(NamedTuple):
    """
    A value: `number` has its possible values. It is `base` plus `offset`; without a base it depends
    on constants and on the position of the thread only, and the offset is the number.
    """

    number: Number
    base: Base | None
    offset: Number

    @property
    def slot(self) -> "Slot | None":
        """Where the base was loaded from, if that is an address that alloc wrote."""
        identity = None if self.base is None else self.base.identity
        return identity if isinstance(identity, Slot) else None

    @property
    def is_cell(self) -> bool:
        """Whether the offset counts from a known place in tensor memory: from the start of an
        allocation, or from the beginning."""
        return self.base is None or self.base.rank == ALLOCATION


class Slot(NamedTuple):
    """A place in memory to which alloc writes an address: an offset from a base."""

    base: Base | None
    offset: int


def plain(number: Number) -> Fact:
    """The fact about a value without a base."""
    return Fact(number, None, number)


def relative_to(base: Base, number: Number) -> Fact:
    """The fact about a value that is a base."""
    return Fact(number, base, constant(0, number.width))


def either(first: Fact, second: Fact) -> Fact | None:
    """The fact about a value that is the first or the second; None if their bases differ."""
    if first == second:
        return first
    if first.base != second.base:
        return None
    number = joined(first.number, second.number)
    offset = number if first.base is None else joined(first.offset, second.offset)
    return Fact(number, first.base, offset)


def placed(op: Operation, known: Sequence[Fact], number: Number) -> Fact | None:
    """The fact about the result of an instruction on whole numbers with these operands, of which
    the number is known; None if it is relative to no base of theirs."""
    if all(each.base is None for each in known):
        return plain(number)
    place = _PLACES.get(type(op))
    return None if place is None else place(op, known, number)


def _sum(op: Operation, known: Sequence[Fact], number: Number) -> Fact | None:
    first, second = sorted(known, key=_rank, reverse=True)
    if _rank(first) == _rank(second):
        return None
    return Fact(number, first.base, total_of(first.offset, second.number))


def _rank(fact: Fact) -> int:
    return 0 if fact.base is None else fact.base.rank


def _difference(op: Operation, known: Sequence[Fact], number: Number) -> Fact | None:
    first, second = known
    if second.base is None:
        return Fact(number, first.base, difference(first.offset, second.offset))
    return plain(difference(first.offset, second.offset)) if first.base == second.base else None


def _product_and_sum(op: Operation, known: Sequence[Fact], number: Number) -> Fact | None:
    first, second, third = known
    if _rank(third) <= max(_rank(first), _rank(second)):
        return None
    width = number.width
    is_signed = source_type(op).startswith("s") and width > first.number.width
    if is_signed and not (is_positive(first.number) and is_positive(second.number)):
        return None
    a, b = (extended(each.number, max(width, each.number.width)) for each in (first, second))
    return Fact(number, third.base, total(third.offset, times(a, b, width)))


def _union(op: Operation, known: Sequence[Fact], number: Number) -> Fact | None:
    first, second = known
    apart = (first.number.zeros | second.number.zeros) == (1 << number.width) - 1
    # At the address 0 of an allocation, which is always possible, no bits meet.
    return _sum(op, known, number) if apart or any(each.slot for each in known) else None


def _copy(op: Operation, known: Sequence[Fact], number: Number) -> Fact:
    return known[0]


def _converted(op: Operation, known: Sequence[Fact], number: Number) -> Fact | None:
    (fact,) = known
    to, from_ = word_of(op, "type") or "", source_type(op)
    if to not in WHOLE or from_ not in WHOLE or op.properties.get("saturate"):
        return None
    if min(TYPE_BITS[to], TYPE_BITS[from_]) < _ADDRESS_BITS:
        return None
    if number.width <= fact.offset.width:
        return Fact(number, fact.base, field(fact.offset, 0, number.width))
    if from_.startswith("s") and not is_positive(fact.number):
        return None
    return Fact(number, fact.base, extended(fact.offset, number.width))


def _same_place(op: Operation, known: Sequence[Fact], number: Number) -> Fact:
    return Fact(number, known[0].base, known[0].offset)


_PLACES: Mapping[type[Operation], Callable[[Operation, Sequence[Fact], Number], Fact | None]] = {
    instructions.AddOp: _sum,
    instructions.SubOp: _difference,
    instructions.MadOp: _product_and_sum,
    instructions.MadWideOp: _product_and_sum,
    instructions.OrOp: _union,
    instructions.MovOp: _copy,
    instructions.CvtOp: _converted,
    CvtaOp: _same_place,
    CvtaToOp: _same_place,
}

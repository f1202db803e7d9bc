"""
Values of a register in the threads of a CTA, as far as they do not depend on data.

A value is a number that is known for each thread, plus an unknown number that some threads share.
So `tid.x` is known, a kernel parameter is unknown and shared by the CTA, and their sum has a known
and a shared part. A load may give each thread a different number.
"""

from collections.abc import Callable, Mapping, Sequence
from enum import IntEnum
from math import prod
from typing import NamedTuple

from xdsl.dialects.builtin import FixedBitwidthType
from xdsl.ir import Operation, SSAValue

from ..isa.instructions.barriers import MAX_THREADS
from ..isa.instructions.meaning import PREDICATE, WHOLE, Integers, Unknown
from ..isa.tensor_memory.alloc import WARP_LANES
from ..ptx import instructions
from ..ptx.analysis.values import meaning_of
from ..ptx.instructions import SpecialRegisterOp
from ..ptx.kernel import KernelOp
from ..ptx.text.syntax import word_of


class Shared(IntEnum):
    """Which threads share the unknown part of a value."""

    KNOWN = 0
    CTA = 1
    WARP = 2
    NONE = 3


class Value(NamedTuple):
    """
    A value: `known` has one number for each thread, or one for all.

    The flags `if_true` and `if_false` are for predicates without agreement. With `if_true`, a warp
    in which the predicate holds for one thread has another thread for which it fails. With
    `if_false`, a warp in which it fails for one thread has another thread for which it holds.
    """

    shared: Shared
    known: tuple[int, ...] = (0,)
    if_true: bool = False
    if_false: bool = False

    @property
    def agreement(self) -> Shared:
        """The largest set of threads in which all have the same value."""
        if len(self.known) == 1:
            return max(self.shared, Shared.CTA)
        return max(self.shared, Shared.WARP if _is_warp_wide(self.known) else Shared.NONE)

    @property
    def constant(self) -> int | None:
        """The number, if it is known and the same for all threads."""
        known = self.shared is Shared.KNOWN and len(self.known) == 1
        return self.known[0] if known else None


UNKNOWN = Value(Shared.NONE)
_NUMBERS = Integers()
_WIDEST = 64
"""The width of the widest registers in bits."""


def combined(
    function: Callable[..., int],
    operands: Sequence[Value],
    bits: int,
    shared: Shared = Shared.KNOWN,
) -> Value:
    """The value of `bits` bits whose known part a function computes from the known parts of the
    operands."""
    limit = 1 << bits
    count = max(len(operand.known) for operand in operands)
    if count == 1:
        if shared is not Shared.KNOWN:
            return Value(shared)
        return Value(shared, (function(*[operand.known[0] for operand in operands]) % limit,))
    columns = [_wide(operand.known, count) for operand in operands]
    return Value(shared, packed([number % limit for number in map(function, *columns)]))


def agreeing(operands: Sequence[Value]) -> Value:
    """An unknown value that depends on the operands only."""
    return Value(max((operand.agreement for operand in operands), default=Shared.CTA))


def joined(first: Value, second: Value, choice: Shared) -> Value:
    """A value that is either the first or the second; threads that share `choice` have the same
    one."""
    if first == second and first.shared is Shared.KNOWN:
        return first
    shared = max(first.shared, second.shared, choice)
    if shared is Shared.NONE:
        return UNKNOWN
    difference = combined(int.__sub__, (first, second), _WIDEST).agreement
    if difference is Shared.NONE:
        return UNKNOWN
    known = first.known if len(first.known) > 1 else (0,)
    return Value(max(shared, difference), known)


def differs(predicate: Value, expected: bool) -> bool:
    """Whether every warp with a thread in which the predicate is `expected` has a thread in which
    it is not."""
    if predicate.shared is not Shared.KNOWN:
        return predicate.if_true if expected else predicate.if_false
    opposite = 0 if expected else 1
    return all(opposite in warp for warp in _warps(predicate.known))


def negated(predicate: Value) -> Value:
    if predicate.shared is Shared.KNOWN:
        return combined(_complement, (predicate,), 1)
    return predicate._replace(if_true=predicate.if_false, if_false=predicate.if_true)


def conjunction(first: Value, second: Value) -> Value:
    if first.shared is second.shared is Shared.KNOWN:
        return combined(int.__and__, (first, second), 1)
    for operand in (first, second):
        if operand.constant == 0:
            return operand
    if_true = differs(first, expected=True) or differs(second, expected=True)
    return agreeing((first, second))._replace(if_true=if_true)


def disjunction(first: Value, second: Value) -> Value:
    return negated(conjunction(negated(first), negated(second)))


def exclusive(first: Value, second: Value) -> Value:
    if first.shared is second.shared is Shared.KNOWN:
        return combined(int.__xor__, (first, second), 1)
    always = any(
        one.agreement is not Shared.NONE and differs(other, True) and differs(other, False)
        for one, other in ((first, second), (second, first))
    )
    return agreeing((first, second))._replace(if_true=always, if_false=always)


def equal(first: Value, second: Value, bits: int) -> Value:
    """The predicate that two integers of a width are equal; at least one is not known."""
    if max(first.shared, second.shared) is Shared.NONE:
        return UNKNOWN
    difference = combined(int.__sub__, (first, second), bits)
    if_true = len(difference.known) > 1 and all(
        len(set(warp)) > 1 for warp in _warps(difference.known)
    )
    return agreeing((first, second))._replace(if_true=if_true)


def of_lane(value: Value, lane: int) -> Value:
    """The value that all threads of a warp get from one of its lanes."""
    if value.shared is Shared.NONE:
        return Value(Shared.WARP)
    if len(value.known) == 1:
        return value
    chosen: list[int] = []
    for warp in _warps(value.known):
        if lane >= len(warp):
            return UNKNOWN
        chosen += [warp[lane]] * len(warp)
    return Value(value.shared, packed(chosen))


def _complement(truth: int) -> int:
    return 1 - truth


def packed(numbers: Sequence[int]) -> tuple[int, ...]:
    """The known part with one number for each thread."""
    first = numbers[0]
    return (first,) if all(number == first for number in numbers) else tuple(numbers)


def _wide(known: tuple[int, ...], count: int) -> tuple[int, ...]:
    return known if len(known) == count else known * count


def _warps(known: tuple[int, ...]) -> list[tuple[int, ...]]:
    return [known[first : first + WARP_LANES] for first in range(0, len(known), WARP_LANES)]


def _is_warp_wide(known: tuple[int, ...]) -> bool:
    return all(warp.count(warp[0]) == len(warp) for warp in _warps(known))


def computed(op: Operation, operands: list[Value]) -> Value:
    """The result of an instruction that only computes, from the values of its operands."""
    if word_of(op, "type") == PREDICATE and (logic := _LOGIC.get(type(op))) is not None:
        return logic(*operands)
    shared = max((operand.shared for operand in operands), default=Shared.NONE)
    is_known = shared is Shared.KNOWN
    if is_known or (shared is not Shared.NONE and _is_linear(op, operands)):
        function = meaning_of(op, _NUMBERS)
        if function is not None:
            try:
                return combined(function, operands, _bits(op.results[0]), shared)
            except Unknown:
                return agreeing(operands)
    if isinstance(op, instructions.SetpOp) and not is_known and op.type.data in WHOLE:
        return _compared(op, *operands)
    return agreeing(operands)


def _is_linear(op: Operation, operands: Sequence[Value]) -> bool:
    """Whether equal changes of the operands that are not constant change the result equally."""
    match op:
        case instructions.AddOp() | instructions.SubOp() | instructions.MovOp():
            return True
        case instructions.MulOp() if op.half is not None and op.half.data == "hi":
            return False
        case instructions.MulOp() | instructions.MadOp():
            return operands[0].constant is not None or operands[1].constant is not None
        case instructions.ShlOp():
            return operands[1].constant is not None
        case _:
            return False


def _compared(op: instructions.SetpOp, first: Value, second: Value) -> Value:
    """A comparison of numbers that are not all known."""
    comparison = op.comparison.data
    if comparison not in ("eq", "ne"):
        return agreeing((first, second))
    found = equal(first, second, _bits(op.a))
    return found if comparison == "eq" else negated(found)


def _bits(value: SSAValue) -> int:
    assert isinstance(value.type, FixedBitwidthType)
    return value.type.bitwidth


def _same_value(value: Value) -> Value:
    return value


_LOGIC: Mapping[type[Operation], Callable[..., Value]] = {
    instructions.AndOp: conjunction,
    instructions.OrOp: disjunction,
    instructions.XorOp: exclusive,
    instructions.NotOp: negated,
    instructions.MovOp: _same_value,
}


_DIMENSIONS = ("x", "y", "z")


class Threads(NamedTuple):
    """
    The threads of a CTA. If they `exist`, every launch has these extents. Otherwise a launch may
    have fewer threads, all in the first dimension; if `extents` is empty, it may have any extents.
    """

    extents: tuple[int, ...]
    exist: bool

    @property
    def number(self) -> int:
        return prod(self.extents) if self.extents else MAX_THREADS

    @property
    def all(self) -> int:
        """The set of all threads; thread i is bit i."""
        return (1 << self.number) - 1

    def warps(self) -> list[int]:
        """The set of threads of each warp."""
        warp = (1 << WARP_LANES) - 1
        return [self.all & warp << first for first in range(0, self.number, WARP_LANES)]

    def holding(self, predicate: Value, expected: bool) -> int:
        """The set of threads in which a predicate may have a value."""
        if predicate.shared is not Shared.KNOWN:
            return self.all
        if len(predicate.known) == 1:
            return self.all if bool(predicate.known[0]) is expected else 0
        found = int("".join(map(str, reversed(predicate.known))), 2)
        return found if expected else self.all & ~found


def threads_of(kernel: KernelOp) -> Threads:
    """The threads of the CTAs of a kernel."""
    if (required := kernel.extents("reqntid")) is not None:
        return Threads(_three(required), exist=True)
    most = _three(kernel.extents("maxntid") or (MAX_THREADS,))
    return Threads(most if most[1:] == (1, 1) and not _is_deep(kernel) else (), exist=False)


def _three(extents: tuple[int, ...]) -> tuple[int, ...]:
    return (*extents, 1, 1)[: len(_DIMENSIONS)]


def _is_deep(kernel: KernelOp) -> bool:
    """Whether a kernel asks for a second dimension of its CTAs."""
    deep = {f"{name}.{dimension}" for name in ("tid", "ntid") for dimension in _DIMENSIONS[1:]}
    return any(
        isinstance(op, SpecialRegisterOp) and op.register.data in deep
        for block in kernel.body.blocks
        for op in block.ops
    )


def special_register(name: str, threads: Threads) -> Value:
    """The value of a special register in each thread."""
    base, _, dimension = name.partition(".")
    axis = _DIMENSIONS.index(dimension) if dimension else 0
    if base == "laneid":
        return _each(threads, 1, WARP_LANES)
    if base == "tid":
        if not threads.extents:
            return UNKNOWN
        return _each(threads, prod(threads.extents[:axis]), threads.extents[axis])
    if base == "ntid" and threads.exist:
        return Value(Shared.KNOWN, (threads.extents[axis],))
    if base == "warpid":
        return Value(Shared.WARP)
    return UNKNOWN if base in _OF_A_THREAD else Value(Shared.CTA)


_OF_A_THREAD = ("clock", "lanemask_eq", "lanemask_le", "lanemask_lt", "lanemask_ge", "lanemask_gt")


def _each(threads: Threads, period: int, extent: int) -> Value:
    """The value that counts to `extent`, one up after each `period` threads."""
    numbers = [thread // period % extent for thread in range(threads.number)]
    return Value(Shared.KNOWN, packed(numbers))

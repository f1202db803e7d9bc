"""Arithmetic on partially known registers: the result of each instruction that only computes."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from itertools import product
from math import prod

from xdsl.dialects.builtin import FixedBitwidthType, IntegerType
from xdsl.ir import Operation, SSAValue

from ..isa.ptx.ptx_text import TYPE_BITS
from ..ptx import instructions
from ..ptx.analysis.values import NARROW, WHOLE, evaluator, source_type
from ..ptx.instruction import PureInstruction
from ..ptx.instructions import SpecialRegisterOp
from ..ptx.text.syntax import word_of
from .numbers import (
    MOST_CASES,
    Number,
    anything,
    concatenated,
    constant,
    difference,
    extended,
    field,
    fitted,
    inverted,
    is_positive,
    joined,
    limited,
    one_of,
    shifted,
    times,
    total,
    trailing_zeros,
)


def width_of(value: SSAValue) -> int:
    """The number of bits of a register; 0 for a value that is in none."""
    type_ = value.type
    # Nearly all types are integers, and this test is faster than the other.
    if isinstance(type_, IntegerType):
        return type_.bitwidth
    return type_.bitwidth if isinstance(type_, FixedBitwidthType) else 0


@cache
def is_pure(kind: type[object]) -> bool:
    """Whether instructions of a class only compute their results, from their operands."""
    return issubclass(kind, PureInstruction) and not issubclass(kind, SpecialRegisterOp)


def computed(op: Operation, operands: Sequence[Number]) -> list[Number]:
    """The numbers that the results of an instruction that only computes may be."""
    if type(op) is instructions.UnpackOp:
        return _unpacked(op, operands[0])
    width = width_of(op.results[0])
    found = _by_cases(op, operands) or _by_bits(op, operands, width)
    return [found or anything(width)]


def _by_cases(op: Operation, operands: Sequence[Number]) -> Number | None:
    """The result for each combination of values of the operands, if there are few."""
    kind = type(op)
    if kind is instructions.SelpOp and (chosen := operands[2].constant) is not None:
        return operands[0 if chosen else 1]
    sets: list[tuple[int, ...]] = []
    for each in operands:
        if each.members is None:
            return None
        sets.append(each.members)
    if prod(map(len, sets)) > MOST_CASES:
        return None
    if kind is instructions.PackOp:
        widths = list(map(width_of, op.operands))
        return one_of((_packed(parts, widths) for parts in product(*sets)), sum(widths))
    same = len(op.operands) == 2 and op.operands[0] is op.operands[1]
    evaluate = evaluator(op)
    if evaluate is None:
        return None
    found: set[int] = set()
    for values in zip(*sets, strict=True) if same else product(*sets):
        result = evaluate(*values)
        if result is None:
            return None
        found.add(result)
    return one_of(found, width_of(op.results[0]))


def _packed(parts: Sequence[int], widths: Sequence[int]) -> int:
    found = place = 0
    for part, width in zip(parts, widths, strict=True):
        found |= part << place
        place += width
    return found


def _by_bits(op: Operation, operands: Sequence[Number], width: int) -> Number | None:
    kind = type(op)
    if kind is instructions.PackOp:
        return concatenated(operands)
    handler = HANDLERS.get(kind)
    if handler is None:
        return None
    type_ = source_type(op)
    if kind in _OF_ANY_TYPE:
        return handler(op, operands, width)
    if type_ and type_ not in WHOLE and type_ != "pred":
        return None
    return handler(op, operands, width)


_OF_ANY_TYPE = (instructions.SetpOp, instructions.SelpOp, instructions.CvtOp)


def _unpacked(op: instructions.UnpackOp, whole: Number) -> list[Number]:
    found: list[Number] = []
    place = 0
    for part in op.parts:
        found.append(field(whole, place, width_of(part)))
        place += width_of(part)
    return found


def _add(op: Operation, operands: Sequence[Number], width: int) -> Number:
    return total(operands[0], operands[1])


def _sub(op: Operation, operands: Sequence[Number], width: int) -> Number:
    return difference(*operands)


def _mul(op: Operation, operands: Sequence[Number], width: int) -> Number | None:
    first, second = operands
    if word_of(op, "half") == "hi":
        if source_type(op).startswith("s") and not (is_positive(first) and is_positive(second)):
            return None
        low, high = first.low * second.low, first.high * second.high
        return limited(width, low=low >> width, high=high >> width)
    return times(first, second, width)


def _wide(op: Operation, operands: Sequence[Number], width: int) -> Number | None:
    first, second, *others = operands
    if source_type(op).startswith("s") and not (is_positive(first) and is_positive(second)):
        return None
    found = times(extended(first, width), extended(second, width), width)
    return total(found, others[0]) if others else found


def _mad(op: Operation, operands: Sequence[Number], width: int) -> Number:
    first, second, third = operands
    return total(times(first, second, width), third)


def _and(op: Operation, operands: Sequence[Number], width: int) -> Number:
    a, b = operands
    return limited(width, a.ones & b.ones, a.zeros | b.zeros, 0, min(a.high, b.high))


def _or(op: Operation, operands: Sequence[Number], width: int) -> Number:
    a, b = operands
    return limited(width, a.ones | b.ones, a.zeros & b.zeros, max(a.low, b.low))


def _xor(op: Operation, operands: Sequence[Number], width: int) -> Number:
    a, b = operands
    ones = a.ones & b.zeros | a.zeros & b.ones
    return limited(width, ones, a.ones & b.ones | a.zeros & b.zeros)


def _shl(op: Operation, operands: Sequence[Number], width: int) -> Number | None:
    number, amount = operands
    if amount.constant is not None:
        return shifted(number, amount.constant)
    below = (1 << min(trailing_zeros(number) + amount.low, width)) - 1
    return limited(width, 0, below)


def _shr(op: Operation, operands: Sequence[Number], width: int) -> Number | None:
    number, amount = operands
    if source_type(op).startswith("s") and not is_positive(number):
        return None
    if amount.constant is None:
        return limited(width, high=number.high >> min(amount.low, width))
    if amount.constant >= width:
        return constant(0, width)
    return extended(field(number, amount.constant, width - amount.constant), width)


def _min(op: Operation, operands: Sequence[Number], width: int) -> Number | None:
    a, b = operands
    if source_type(op).startswith("s") and not (is_positive(a) and is_positive(b)):
        return None
    return limited(width, low=min(a.low, b.low), high=min(a.high, b.high))


def _max(op: Operation, operands: Sequence[Number], width: int) -> Number | None:
    a, b = operands
    if source_type(op).startswith("s") and not (is_positive(a) and is_positive(b)):
        return None
    return limited(width, low=max(a.low, b.low), high=max(a.high, b.high))


def _div(op: Operation, operands: Sequence[Number], width: int) -> Number | None:
    a, b = operands
    if not b.low or (source_type(op).startswith("s") and not (is_positive(a) and is_positive(b))):
        return None
    return limited(width, low=a.low // b.high, high=a.high // b.low)


def _rem(op: Operation, operands: Sequence[Number], width: int) -> Number | None:
    a, b = operands
    if not b.low or (source_type(op).startswith("s") and not (is_positive(a) and is_positive(b))):
        return None
    return limited(width, high=min(a.high, b.high - 1))


def _selp(op: Operation, operands: Sequence[Number], width: int) -> Number:
    return joined(operands[0], operands[1])


def _cvt(op: Operation, operands: Sequence[Number], width: int) -> Number | None:
    (number,) = operands
    to, from_ = word_of(op, "type") or "", source_type(op)
    if to not in WHOLE or from_ not in WHOLE | NARROW or word_of(op, "saturate"):
        return None
    if number.width > TYPE_BITS[from_]:
        number = field(number, 0, TYPE_BITS[from_])
    if TYPE_BITS[to] > number.width:
        if from_.startswith("s") and not is_positive(number):
            return None
    elif TYPE_BITS[to] < number.width:
        number = field(number, 0, TYPE_BITS[to])
    if number.width < width and to.startswith("s") and not is_positive(number):
        return None
    return fitted(number, width)


def _bfe(op: Operation, operands: Sequence[Number], width: int) -> Number | None:
    number, place, length = operands
    if source_type(op).startswith("s") or place.constant is None or length.constant is None:
        return None
    if place.constant >= width or not length.constant:
        return constant(0, width) if length.constant == 0 or place.constant < 256 else None
    return extended(field(number, place.constant, min(length.constant, width)), width)


def _bfi(op: Operation, operands: Sequence[Number], width: int) -> Number | None:
    a, b, place, length = operands
    if place.constant is None or length.constant is None or place.constant >= width:
        return None
    mask = ((1 << min(length.constant, width)) - 1) << place.constant & (1 << width) - 1
    inside = shifted(a, place.constant)
    ones, zeros = (
        one & mask | other & ~mask
        for one, other in ((inside.ones, b.ones), (inside.zeros, b.zeros))
    )
    return limited(width, ones, zeros)


def _lop3(op: Operation, operands: Sequence[Number], width: int) -> Number | None:
    """A bit is known if all combinations of the possible bits of the operands choose it."""
    assert isinstance(op, instructions.Lop3Op)
    mask = (1 << width) - 1
    can = [(~each.zeros & mask, ~each.ones & mask) for each in operands]
    set_ = clear = 0
    for index in range(8):
        possible = mask
        for (one, zero), bit in zip(can, (4, 2, 1), strict=True):
            possible &= one if index & bit else zero
        if op.table.value.data >> index & 1:
            set_ |= possible
        else:
            clear |= possible
    return limited(width, mask & ~clear, mask & ~set_)


def _shf(op: Operation, operands: Sequence[Number], width: int) -> Number | None:
    low, high, amount = operands
    if amount.constant is None:
        return None
    by = amount.constant % width if word_of(op, "mode") == "wrap" else min(amount.constant, width)
    both = concatenated((low, high))
    return field(both, width - by if word_of(op, "direction") == "l" else by, width)


def _setp(op: Operation, operands: Sequence[Number], width: int) -> Number | None:
    assert isinstance(op, instructions.SetpOp)
    first, second = operands
    type_ = source_type(op)
    comparison = op.comparison.data
    if type_ not in WHOLE:
        return None
    if comparison in ("eq", "ne"):
        apart = first.high < second.low or second.high < first.low
        apart |= bool(first.ones & second.zeros | first.zeros & second.ones)
        return constant(comparison == "ne", 1) if apart else None
    if type_.startswith("s") and not (is_positive(first) and is_positive(second)):
        return None
    if first.high < second.low:
        return constant(comparison in ("lt", "lo", "le", "ls"), 1)
    if second.high < first.low:
        return constant(comparison in ("gt", "hi", "ge", "hs"), 1)
    if first.high <= second.low and comparison in ("le", "ls", "gt", "hi"):
        return constant(comparison in ("le", "ls"), 1)
    if second.high <= first.low and comparison in ("ge", "hs", "lt", "lo"):
        return constant(comparison in ("ge", "hs"), 1)
    return None


def _count(op: Operation, operands: Sequence[Number], width: int) -> Number:
    return limited(width, high=operands[0].width)


_Handler = Callable[[Operation, Sequence[Number], int], Number | None]
HANDLERS: Mapping[type[Operation], _Handler] = {
    instructions.AddOp: _add,
    instructions.SubOp: _sub,
    instructions.MulOp: _mul,
    instructions.MulWideOp: _wide,
    instructions.MadWideOp: _wide,
    instructions.MulWide16Op: _wide,
    instructions.MadWide16Op: _wide,
    instructions.MadOp: _mad,
    instructions.AndOp: _and,
    instructions.OrOp: _or,
    instructions.XorOp: _xor,
    instructions.NotOp: lambda op, operands, width: inverted(operands[0]),
    instructions.MovOp: lambda op, operands, width: operands[0],
    instructions.ShlOp: _shl,
    instructions.ShrOp: _shr,
    instructions.MinOp: _min,
    instructions.MaxOp: _max,
    instructions.DivOp: _div,
    instructions.RemOp: _rem,
    instructions.SelpOp: _selp,
    instructions.CvtOp: _cvt,
    instructions.SetpOp: _setp,
    instructions.BfeOp: _bfe,
    instructions.BfiOp: _bfi,
    instructions.Lop3Op: _lop3,
    instructions.ShfOp: _shf,
    instructions.PopcOp: _count,
    instructions.ClzOp: _count,
}

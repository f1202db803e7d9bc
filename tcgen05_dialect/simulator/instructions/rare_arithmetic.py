"""
Arithmetic that few kernels use: approximate functions, whose errors the manual only bounds
(9.7.3.16 to 9.7.3.22), extended precision (9.7.2), three numbers (9.7.3.11, 9.7.3.12), mixed floats
(9.7.5), and the bits and bytes of integers (9.7.1, 9.7.8, 9.7.9.7, 9.7.18).
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from xdsl.ir import Operation

from ...ptx import bases
from ...ptx import instructions as ptx
from ...ptx.analysis.values import meaning_of
from ...ptx.text.syntax import word_of
from ..machine.machine import Group, Step
from ..machine.program import Handler, Program, computing, pure
from ..numbers import floats
from ..numbers.float_arithmetic import arithmetic
from ..numbers.floats import F32, FORMATS, Lanes, NumpyFormat, decode, encode
from ..numbers.integers import (
    LANES,
    dtype,
    on_integers,
    range_of,
)
from .arithmetic import Function, approximate, flushed, of_floats, of_type, whole

Sum = Callable[[Lanes, Lanes, Lanes], tuple[Lanes, Lanes]]
"""Computes a sum or a difference, and its carry or borrow, from two numbers and another carry."""


def _sum(a: Lanes, b: Lanes, carry: Lanes) -> tuple[Lanes, Lanes]:
    first = a + b
    total = first + carry.astype(a.dtype)
    return total, (first < a) | (total < first)


def _difference(a: Lanes, b: Lanes, borrow: Lanes) -> tuple[Lanes, Lanes]:
    first = a - b
    rest = first - borrow.astype(a.dtype)
    return rest, (a < b) | (first < rest)


def _carrying(combine: Sum) -> Handler:
    def handler(op: Any, program: Program) -> Step:
        carries_in = isinstance(op, bases.CarryIn)
        product = meaning_of(op, LANES, "mul")
        assert product is not None
        operands = [program.index(value) for value in op.operands]
        results = [program.index(value) for value in op.results]

        def step(group: Group) -> None:
            values = [group.read(each) for each in operands]
            carry = values.pop() if carries_in else np.zeros(values[0].shape, np.bool_)
            *factors, b = values
            a = product(*factors) if len(factors) > 1 else factors[0]
            for target, value in zip(results, combine(a, b, carry), strict=False):
                group.write(target, value)

        return step

    return handler


_ADD, _SUBTRACT = _carrying(_sum), _carrying(_difference)


def _of_three(choose: Callable[[Lanes, Lanes], Lanes]) -> Handler:
    def make(op: Any, format_: NumpyFormat) -> Function:
        nan, magnitudes = op.nan is not None, op.abs is not None
        extremum = floats.extremum(choose, format_, flushed(op), nan, magnitudes)

        def function(a: Lanes, b: Lanes, c: Lanes) -> Lanes:
            return extremum(extremum(a, b), c)

        return function

    return of_floats(make)


_WORD = np.int64(0xFFFFFFFF)
Combine = Callable[[Lanes, Lanes], Lanes]


def _absolute_difference(type_: str) -> Function:
    def function(a: Lanes, b: Lanes, c: Lanes) -> Lanes:
        return c + np.where(a < b, b - a, a - b)

    return on_integers(type_, function)


def _low_24(bits: Lanes, type_: str) -> Lanes:
    low = bits.astype(np.int64) & np.int64(0xFFFFFF)
    return low - (low >> 23 << 24) if type_[0] == "s" else low


def _product_24(op: Any) -> Function:
    shift, type_ = (16 if op.half.data == "hi" else 0), op.type.data

    def function(a: Lanes, b: Lanes, *c: Lanes) -> Lanes:
        product = (_low_24(a, type_) * _low_24(b, type_) >> shift & _WORD).astype(np.uint32)
        return sum(c, start=product)

    return function


def _ones(count: Lanes, word: type[np.uint64]) -> Lanes:
    """Masks with `count` ones in the low bits."""
    size = 8 * np.dtype(word).itemsize
    inside = np.minimum(count, size - 1).astype(word)
    return np.where(count >= size, ~word(0), (word(1) << inside) - word(1))


def _highest_bit(type_: str, as_shift: bool) -> Callable[[Lanes], Lanes]:
    """bfind: the position of the highest bit unlike the sign, or the shift that brings it up."""

    def function(a: Lanes) -> Lanes:
        number = a.view(dtype(type_))
        length = LANES.of(8 * a.itemsize).length(np.where(number < 0, ~a, a)).astype(np.int64)
        position = length - 1
        result = 8 * a.itemsize - length if as_shift else position
        return np.where(length == 0, np.uint32(0xFFFFFFFF), result.astype(np.uint32))

    return function


def _reversed_bits(a: Lanes) -> Lanes:
    """brev."""
    bits = np.unpackbits(np.ascontiguousarray(a).view(np.uint8), bitorder="little")
    bits = bits.reshape(a.size, -1)[:, ::-1]
    return np.packbits(bits, axis=1, bitorder="little").view(a.dtype).reshape(a.shape)


def _dot(a_type: str, b_type: str) -> Callable[[Lanes, Lanes, Lanes], Lanes]:
    """dp4a: the scalar product of four bytes, plus a word."""

    def function(a: Lanes, b: Lanes, c: Lanes) -> Lanes:
        return _plus((_parts(4, a, a_type) * _parts(4, b, b_type)).sum(axis=1), c)

    return function


def _distance(parts: int, a_type: str, b_type: str) -> Callable[[Lanes, Lanes, Lanes], Lanes]:
    """vabsdiff2.add, vabsdiff4.add: the sum of the absolute differences of the parts, plus a
    word."""

    def function(a: Lanes, b: Lanes, c: Lanes) -> Lanes:
        return _plus(np.abs(_parts(parts, a, a_type) - _parts(parts, b, b_type)).sum(axis=1), c)

    return function


def _distances(
    parts: int, type_: str, a_type: str, b_type: str, saturated: bool
) -> Callable[[Lanes, Lanes, Lanes], Lanes]:
    """vabsdiff2, vabsdiff4: the absolute differences of the parts; the third operand is not
    read."""
    legal = np.iinfo(_PARTS[type_[0], parts])

    def function(a: Lanes, b: Lanes, _c: Lanes) -> Lanes:
        each = np.abs(_parts(parts, a, a_type) - _parts(parts, b, b_type))
        if saturated:
            each = np.minimum(each, legal.max)
        return each.astype(_PARTS["u", parts]).view(np.uint32).reshape(a.shape)

    return function


def _types(op: Any) -> tuple[str, str, str]:
    return op.type.data, op.a_type.data, op.b_type.data


_PARTS = {("s", 2): np.int16, ("u", 2): np.uint16, ("s", 4): np.int8, ("u", 4): np.uint8}
"""Sign of a type, and number of parts of a word -> the type of a part."""


def _parts(count: int, bits: Lanes, type_: str) -> Lanes:
    """The halves or bytes of words as wide integers."""
    parts = np.ascontiguousarray(bits).view(_PARTS[type_[0], count])
    return parts.reshape(bits.size, count).astype(np.int64)


def _plus(total: Lanes, word: Lanes) -> Lanes:
    return (total + word.astype(np.int64) & 0xFFFFFFFF).astype(np.uint32)


def _extended(type_: str, mode: str) -> Callable[[Lanes, Lanes], Lanes]:
    """szext: the low bits of a word, extended with their sign or with zeros."""

    def function(a: Lanes, length: Lanes) -> Lanes:
        count = np.where(length >= 32, 32, length) if mode == "clamp" else length & 31
        mask = _ones(count, a.dtype.type)
        sign = a >> np.maximum(count, 1).astype(np.uint32) - np.uint32(1) & np.uint32(1)
        is_negative = (sign != 0) & (count != 0) & (type_[0] == "s")
        return np.where(is_negative, a | ~mask, a & mask)

    return function


def _mask_of_ones(mode: str) -> Callable[[Lanes, Lanes], Lanes]:
    """bmsk: a mask with the given number of ones, from a position on."""

    def function(position: Lanes, length: Lanes) -> Lanes:
        limit = 32 if mode == "clamp" else 31
        first, count = (
            np.minimum(each, limit) if mode == "clamp" else each & limit
            for each in (position, length)
        )
        last = np.minimum(first + count, 32)
        return _ones(last, position.dtype.type) & ~_ones(first, position.dtype.type)

    return function


def _dp2a(op: ptx.Dp2aOp) -> Function:
    first = 0 if op.half.data == "lo" else 2
    a_type, b_type = op.a_type.data, op.b_type.data

    def function(a: Lanes, b: Lanes, c: Lanes) -> Lanes:
        bytes_ = _parts(4, b, b_type)[:, first : first + 2]
        return _plus((_parts(2, a, a_type) * bytes_).sum(axis=1), c)

    return function


def _nth_bit(mask: Lanes, base: Lanes, offset: Lanes) -> Lanes:
    """fns: the bit from `base` on, downwards if the offset is negative."""
    found = np.full(mask.shape, 0xFFFFFFFF, np.uint32)
    steps = offset.view(np.int32).astype(np.int64)
    left = np.maximum(np.abs(steps), 1)
    for distance in range(32):
        place = base.astype(np.int64) + np.where(steps < 0, -distance, distance)
        inside = (base < 32) & (place >= 0) & (place < 32) & ((steps != 0) | (distance == 0))
        bit = mask.astype(np.int64) >> np.clip(place, 0, 31) & 1
        hit = inside & (bit == 1)
        found = np.where(hit & (left == 1), place, found).astype(np.uint32)
        left = left - hit
    return found


def _is_zero(a: Lanes) -> Lanes:
    return (a == 0).astype(a.dtype)


def _saturating(combine: Combine) -> Handler:
    def make(op: Any) -> Function:
        number = dtype(op.type.data)

        def function(a: Lanes, b: Lanes) -> Lanes:
            wide = combine(a.view(number).astype(np.int64), b.view(number).astype(np.int64))
            return np.clip(wide, *range_of(op.type.data)).astype(number).view(a.dtype)

        return function

    return computing(make)


def _saturating_sum(op: Any) -> Function:
    """mad.hi.sat and mad24.hi.sat."""
    is_short, type_ = isinstance(op, ptx.Mad24SatOp), op.type.data

    def function(a: Lanes, b: Lanes, c: Lanes) -> Lanes:
        factors = [
            _low_24(each, type_) if is_short else each.view(np.int32).astype(np.int64)
            for each in (a, b)
        ]
        high = factors[0] * factors[1] >> (16 if is_short else 32)
        total = high + c.view(np.int32)
        return np.clip(total, *range_of(type_)).astype(np.int32).view(np.uint32)

    return function


def _packed(combine: Combine, clamped: bool = False) -> Handler:
    def make(op: Any) -> Function:
        type_: str = op.type.data
        number = dtype(type_.removesuffix("x2"))

        def function(a: Lanes, b: Lanes) -> Lanes:
            parts = (np.ascontiguousarray(each).view(number) for each in (a, b))
            result = combine(*parts)
            return (np.maximum(result, 0) if clamped else result).view(a.dtype)

        return function

    return computing(make)


def _mixed(operation: str) -> Handler:
    def make(op: Any) -> Function:
        half = FORMATS[op.source.data]
        function = arithmetic(operation, word_of(op, "rounding") or "rn", F32, False)
        is_limited = op.saturate is not None

        def mixed(*operands: Lanes) -> Lanes:
            *halves, c = operands
            wide = [encode(decode(each, half), F32).astype(np.uint32) for each in halves]
            result = function(*wide, c)
            return floats.saturated(result, F32) if is_limited else result

        return mixed

    return computing(make)


def _lop3(op: ptx.Lop3PredicateOp, program: Program) -> Step:
    look_up = meaning_of(op, LANES, "lop3")
    assert look_up is not None
    combine = np.logical_or if op.operation.data == "or" else np.logical_and
    operands = [program.index(each) for each in (op.a, op.b, op.c)]
    predicate, result, holds = (program.index(each) for each in (op.predicate, op.d, op.holds))

    def step(group: Group) -> None:
        value = look_up(*[group.read(each) for each in operands])
        found = combine(value != 0, group.read(predicate))
        group.write(result, value)
        group.write(holds, found)

    return step


HANDLERS: dict[type[Operation], Handler] = {
    ptx.TanhOp: of_floats(lambda op, format_: arithmetic("tanh", "approx", format_, False)),
    ptx.RsqrtOp: approximate("rsqrt"),
    ptx.SinOp: approximate("sin"),
    ptx.CosOp: approximate("cos"),
    ptx.SinTurnsOp: approximate("sin.turns"),
    ptx.CosTurnsOp: approximate("cos.turns"),
    ptx.AddCcOp: _ADD,
    ptx.AddcOp: _ADD,
    ptx.AddcCcOp: _ADD,
    ptx.SubCcOp: _SUBTRACT,
    ptx.SubcOp: _SUBTRACT,
    ptx.SubcCcOp: _SUBTRACT,
    ptx.MadCcOp: _ADD,
    ptx.MadcOp: _ADD,
    ptx.MadcCcOp: _ADD,
    ptx.Min3Op: _of_three(np.minimum),
    ptx.Max3Op: _of_three(np.maximum),
    **dict.fromkeys((ptx.MulWide16Op, ptx.MadWide16Op, ptx.MadHiOp, ptx.PopcOp, ptx.ClzOp), whole),
    **dict.fromkeys((ptx.BfeOp, ptx.BfiOp, ptx.PrmtOp, ptx.ShfOp, ptx.Lop3Op), whole),
    ptx.SadOp: of_type(_absolute_difference),
    ptx.Mul24Op: computing(_product_24),
    ptx.Mad24Op: computing(_product_24),
    ptx.Dp2aOp: computing(_dp2a),
    ptx.FnsOp: pure(_nth_bit),
    ptx.CnotOp: pure(_is_zero),
    ptx.AddSatOp: _saturating(np.add),
    ptx.SubSatOp: _saturating(np.subtract),
    ptx.MadHiSatOp: computing(_saturating_sum),
    ptx.Mad24SatOp: computing(_saturating_sum),
    ptx.SzextOp: computing(lambda op: _extended(op.type.data, op.mode.data)),
    ptx.BmskOp: computing(lambda op: _mask_of_ones(op.mode.data)),
    ptx.AddPackedOp: _packed(np.add),
    ptx.MinPackedOp: _packed(np.minimum),
    ptx.MaxPackedOp: _packed(np.maximum),
    ptx.MinReluOp: _packed(np.minimum, clamped=True),
    ptx.MaxReluOp: _packed(np.maximum, clamped=True),
    ptx.AddMixedOp: _mixed("add"),
    ptx.SubMixedOp: _mixed("sub"),
    ptx.FmaMixedOp: _mixed("fma"),
    ptx.BfindOp: computing(lambda op: _highest_bit(op.type.data, op.shift_amount is not None)),
    ptx.BrevOp: pure(_reversed_bits),
    ptx.Lop3PredicateOp: _lop3,
    ptx.Dp4aOp: computing(lambda op: _dot(op.a_type.data, op.b_type.data)),
    ptx.Vabsdiff2Op: computing(lambda op: _distances(2, *_types(op), op.saturate is not None)),
    ptx.Vabsdiff4Op: computing(lambda op: _distances(4, *_types(op), op.saturate is not None)),
    ptx.Vabsdiff2AddOp: computing(lambda op: _distance(2, op.a_type.data, op.b_type.data)),
    ptx.Vabsdiff4AddOp: computing(lambda op: _distance(4, op.a_type.data, op.b_type.data)),
}

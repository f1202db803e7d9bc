"""Less usual arithmetic of integers (9.7.1)."""

from collections.abc import Callable
from typing import Any

import numpy as np
from xdsl.ir import Operation

from ...ptx import instructions as ptx
from ..machine.machine import Step
from ..machine.program import Handler, Program, computing, pure
from ..numbers.bits import extended, mask_of_ones
from ..numbers.floats import Lanes
from ..numbers.integers import dtype, high_product, on_integers, range_of
from .arithmetic import of_type

_WORD = np.int64(0xFFFFFFFF)
Combine = Callable[[Lanes, Lanes], Lanes]


def _difference(type_: str) -> Callable[..., Lanes]:
    def function(a: Lanes, b: Lanes, c: Lanes) -> Lanes:
        return c + np.where(a < b, b - a, a - b)

    return on_integers(type_, function)


def _high_sum(type_: str) -> Callable[..., Lanes]:
    product = high_product(type_)

    def function(a: Lanes, b: Lanes, c: Lanes) -> Lanes:
        return product(a, b) + c

    return function


def _low_24(bits: Lanes, type_: str) -> Lanes:
    low = bits.astype(np.int64) & np.int64(0xFFFFFF)
    return low - (low >> 23 << 24) if type_[0] == "s" else low


def _product_24(op: Any, program: Program) -> Step:
    shift, type_ = (16 if op.half.data == "hi" else 0), op.type.data

    def function(a: Lanes, b: Lanes, *c: Lanes) -> Lanes:
        product = (_low_24(a, type_) * _low_24(b, type_) >> shift & _WORD).astype(np.uint32)
        return sum(c, start=product)

    return computing(op, program, function)


def _parts(bits: Lanes, type_: str, size: int) -> Lanes:
    """The parts of registers, lowest first: lanes x parts."""
    part = np.dtype(f"{'i' if type_[0] == 's' else 'u'}{size}")
    return np.ascontiguousarray(bits).view(part).reshape(bits.size, -1).astype(np.int64)


def _dp2a(op: ptx.Dp2aOp, program: Program) -> Step:
    first = 0 if op.half.data == "lo" else 2
    a_type, b_type = op.a_type.data, op.b_type.data

    def function(a: Lanes, b: Lanes, c: Lanes) -> Lanes:
        bytes_ = _parts(b, b_type, 1)[:, first : first + 2]
        total = (_parts(a, a_type, 2) * bytes_).sum(axis=1) + c.astype(np.int64)
        return (total & _WORD).astype(np.uint32)

    return computing(op, program, function)


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
    def handler(op: Any, program: Program) -> Step:
        number = dtype(op.type.data)

        def function(a: Lanes, b: Lanes) -> Lanes:
            wide = combine(a.view(number).astype(np.int64), b.view(number).astype(np.int64))
            return np.clip(wide, *range_of(op.type.data)).astype(number).view(a.dtype)

        return computing(op, program, function)

    return handler


def _saturating_sum(op: Any, program: Program) -> Step:
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

    return computing(op, program, function)


def _packed(combine: Combine, clamped: bool = False) -> Handler:
    def handler(op: Any, program: Program) -> Step:
        type_: str = op.type.data
        number = dtype(type_.removesuffix("x2"))

        def function(a: Lanes, b: Lanes) -> Lanes:
            parts = (np.ascontiguousarray(each).view(number) for each in (a, b))
            result = combine(*parts)
            return (np.maximum(result, 0) if clamped else result).view(a.dtype)

        return computing(op, program, function)

    return handler


def _by_mode(make: Callable[[Any], Callable[..., Lanes]]) -> Handler:
    def handler(op: Any, program: Program) -> Step:
        return computing(op, program, make(op))

    return handler


HANDLERS: dict[type[Operation], Handler] = {
    ptx.SadOp: of_type(_difference),
    ptx.MadHiOp: of_type(_high_sum),
    ptx.Mul24Op: _product_24,
    ptx.Mad24Op: _product_24,
    ptx.Dp2aOp: _dp2a,
    ptx.FnsOp: pure(_nth_bit),
    ptx.CnotOp: pure(_is_zero),
    ptx.AddSatOp: _saturating(np.add),
    ptx.SubSatOp: _saturating(np.subtract),
    ptx.MadHiSatOp: _saturating_sum,
    ptx.Mad24SatOp: _saturating_sum,
    ptx.SzextOp: _by_mode(lambda op: extended(op.type.data, op.mode.data)),
    ptx.BmskOp: _by_mode(lambda op: mask_of_ones(op.mode.data)),
    ptx.AddPackedOp: _packed(np.add),
    ptx.MinPackedOp: _packed(np.minimum),
    ptx.MaxPackedOp: _packed(np.maximum),
    ptx.MinReluOp: _packed(np.minimum, clamped=True),
    ptx.MaxReluOp: _packed(np.maximum, clamped=True),
}
"""Operation -> builder of its function."""

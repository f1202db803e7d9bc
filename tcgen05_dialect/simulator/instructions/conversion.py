"""
The state space of a generic address (5.1, 9.7.9.19).

The windows of constant, local and shared memory are not in global memory; that of the parameters
is.

Conversions from and to packed numbers of at most 8 bits (9.7.9.21).
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from xdsl.ir import Operation

from ...isa.instructions.conversion import RANDOM_BITS
from ...ptx import instructions as ptx
from ..machine.machine import Group, Step, Wait
from ..machine.memory import SHARED_WINDOW, WINDOW_BYTES
from ..machine.program import Handler, Program, computing
from ..numbers.conversions import Encode, encoder, packed, split, unpacked
from ..numbers.floats import F32, Lanes, decode
from .memory import is_in_window

_WINDOWS = ("const", "local", "shared::cluster")
"""The state spaces with windows outside global memory."""


def _isspacep(op: ptx.IsspacepOp, program: Program) -> Step:
    a, d, space = program.index(op.a), program.index(op.d), op.space.data

    def step(group: Group) -> Wait | None:
        addresses = group.read(a).astype(np.int64)
        group.write(d, _is_in(group, addresses, space))
        return None

    return step


def _is_in(group: Group, addresses: Lanes, space: str) -> Lanes:
    if space == "global":
        return ~np.logical_or.reduce([is_in_window(addresses, each) for each in _WINDOWS])
    if space in ("shared", "shared::cta"):
        first = SHARED_WINDOW + group.warp.cta.shared.base
        return (addresses >= first) & (addresses < first + WINDOW_BYTES)
    return is_in_window(addresses, space)


_SCALE = "ue8m0x2"
_HALF = 16


def _encoder(op: Any, rounding: str) -> Encode:
    element, _ = split(op.type.data)
    return encoder(element, rounding, op.saturate is not None, op.relu is not None)


def _pack(op: ptx.CvtPackNarrowOp, program: Program) -> Step:
    encode, type_ = _encoder(op, op.rounding.data), op.type.data

    def function(high: Lanes, low: Lanes) -> Lanes:
        return packed([encode(decode(bits, F32), None) for bits in (low, high)], type_)

    return computing(op, program, function)


def _packed(op: ptx.CvtPackedOp, program: Program) -> Step:
    encode, type_, source = _encoder(op, op.rounding.data), op.type.data, op.source.data

    def function(a: Lanes, *scale: Lanes) -> Lanes:
        values = unpacked(a, source)
        for factors in scale:
            pairs = zip(values, unpacked(factors, _SCALE), strict=True)
            values = [value * factor for value, factor in pairs]
        return packed([encode(value, None) for value in values], type_)

    return computing(op, program, function)


def _stochastic(op: Any, program: Program, fractions: Callable[[Lanes], Sequence[Lanes]]) -> Step:
    """Conversion of values, of which the first is the highest; `fractions` gives the random
    fraction for each of them."""
    encode, type_ = _encoder(op, "rs"), op.type.data

    def function(*operands: Lanes) -> Lanes:
        *values, random = operands
        codes = [
            encode(decode(bits, F32), fraction)
            for bits, fraction in zip(values, fractions(random), strict=True)
        ]
        return packed(codes[::-1], type_)

    return computing(op, program, function)


def _low(bits: Lanes, place: int, count: int) -> Lanes:
    """The fraction that has `count` bits at a place of a register."""
    part = bits >> np.uint32(place) & np.uint32((1 << count) - 1)
    return np.ldexp(part.astype(np.float64), -count)


def _pair(op: ptx.CvtStochasticPairOp, program: Program) -> Step:
    count = RANDOM_BITS[op.type.data]
    return _stochastic(op, program, lambda bits: [_low(bits, _HALF, count), _low(bits, 0, count)])


def _quad(op: ptx.CvtStochasticOp, program: Program) -> Step:
    element, _ = split(op.type.data)

    def fractions(bits: Lanes) -> Sequence[Lanes]:
        if element == "e2m1":
            upper, lower = ((bits >> np.uint32(s) & np.uint32(0x00FF00FF)) for s in (8, 0))
            first, last = ((each >> np.uint32(8) | each) for each in (upper, lower))
        else:
            first, last = bits >> np.uint32(_HALF), bits
        return [_low(each, 0, _HALF) for each in (first, first, last, last)]

    return _stochastic(op, program, fractions)


def _limited(op: Any) -> tuple[int, Callable[[Lanes], Lanes]]:
    """The size of an integer type, and the function that limits integers to its range."""
    type_: str = op.type.data
    size, is_signed = int(type_[1:]), type_[0] == "s"
    least = -(1 << size - 1) if is_signed else 0
    greatest = (1 << size - is_signed) - 1

    def function(bits: Lanes) -> Lanes:
        limited = np.clip(bits.view(np.int32).astype(np.int64), least, greatest)
        return limited & np.int64((1 << size) - 1)

    return size, function


def _pack_integers(op: Any, program: Program) -> Step:
    size, limited = _limited(op)

    def function(high: Lanes, low: Lanes, *rest: Lanes) -> Lanes:
        packed_ = limited(high) << size | limited(low)
        for bits in rest:
            packed_ = packed_ | bits.astype(np.int64) << 2 * size
        return (packed_ & np.int64(0xFFFFFFFF)).astype(np.uint32)

    return computing(op, program, function)


"""Operation -> builder of its function."""


HANDLERS: dict[type[Operation], Handler] = {
    ptx.IsspacepOp: _isspacep,
    ptx.CvtPackNarrowOp: _pack,
    ptx.CvtPackedOp: _packed,
    ptx.CvtPackIntegersOp: _pack_integers,
    ptx.CvtPackShortIntegersOp: _pack_integers,
    ptx.CvtStochasticOp: _quad,
    ptx.CvtStochasticPairOp: _pair,
}

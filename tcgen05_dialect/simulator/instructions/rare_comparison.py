"""
Comparisons with more than a predicate, and tests and signs of floats (9.7.3, 9.7.6, 9.7.7).

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
from ...ptx.text.syntax import word_of
from ..machine.machine import Group, Step
from ..machine.program import Handler, Program, computing
from ..machine.tensor_memory import SHARED_WINDOW, WINDOW_BYTES
from ..numbers.conversions import Encode, encoder, packed, split, unpacked
from ..numbers.floats import F32, FORMATS, Lanes, decode, dtype_of, encode, flush
from ..numbers.integers import compared, dtype, tested
from .arithmetic import Function, flushed
from .memory import is_in_window

_COMBINE: dict[str, Callable[[Lanes, Lanes], Lanes]] = {
    "and": np.logical_and,
    "or": np.logical_or,
    "xor": np.logical_xor,
}


def _halves(bits: Lanes) -> tuple[Lanes, Lanes]:
    """The lower and the upper half of each register."""
    pairs = np.ascontiguousarray(bits).view(np.uint16).reshape(-1, 2)
    return pairs[:, 0], pairs[:, 1]


def _both(op: Any, type_: str) -> Callable[[Lanes, Lanes], tuple[Lanes, Lanes]]:
    """The two results of a comparison: of the two halves, or whether it holds and does not."""
    base = type_.removesuffix("x2")
    compare = compared(op.comparison.data, base, flushed(op))
    if base == type_:

        def of_numbers(a: Lanes, b: Lanes) -> tuple[Lanes, Lanes]:
            holds = compare(a, b)
            return holds, ~holds

        return of_numbers

    def of_halves(a: Lanes, b: Lanes) -> tuple[Lanes, Lanes]:
        (a_low, a_high), (b_low, b_high) = _halves(a), _halves(b)
        return compare(a_low, b_low), compare(a_high, b_high)

    return of_halves


def _setp_pair(op: ptx.SetpPairOp, program: Program) -> Step:
    both = _both(op, op.type.data)
    a, b = program.index(op.a), program.index(op.b)
    others = [] if op.predicate is None else [program.index(op.predicate)]
    targets = program.index(op.d), program.index(op.other)
    combine = _COMBINE.get(word_of(op, "combination") or "")

    def step(group: Group) -> None:
        for target, holds in zip(targets, both(group.read(a), group.read(b)), strict=True):
            value = holds
            if combine is not None:
                value = combine(holds, group.read(others[0]))
            group.write(target, value)

    return step


def _setp_combined(op: ptx.SetpCombinedOp) -> Function:
    compare = compared(op.comparison.data, op.type.data, flushed(op))
    combine = _COMBINE[op.combination.data]

    def function(a: Lanes, b: Lanes, c: Lanes) -> Lanes:
        return combine(compare(a, b), c)

    return function


def _set(op: ptx.SetOp | ptx.SetCombinedOp) -> Function:
    source, type_, register = op.source.data, op.type.data, dtype_of(op.d.type)
    both, packed = _both(op, source), type_.endswith("x2")
    format_ = FORMATS.get(type_.removesuffix("x2"))
    true = ~register(0) if format_ is None else encode(np.ones(1), format_)[0]

    combine = _COMBINE.get(word_of(op, "combination") or "")

    def function(a: Lanes, b: Lanes, *c: Lanes) -> Lanes:
        low, high = both(a, b)
        if combine is not None:
            low, high = combine(low, c[0]), combine(high, c[0])
        if not source.endswith("x2"):
            return np.where(low, true, 0).astype(register)
        whole = np.uint16(0xFFFF) if format_ is None else true
        parts = [np.where(each, whole, 0).astype(np.uint32) for each in (low, high)]
        return (parts[0] | parts[1] << np.uint32(16)).astype(register)

    assert packed <= source.endswith("x2")
    return function


def _slct(op: ptx.SlctOp) -> Function:
    source = op.source.data

    def function(a: Lanes, b: Lanes, c: Lanes) -> Lanes:
        format_ = FORMATS.get(source)
        if format_ is None:
            return np.where(c.view(dtype(source)) >= 0, a, b)
        return np.where(decode(flush(c, format_) if flushed(op) else c, format_) >= 0, a, b)

    return function


def _testp(op: ptx.TestpOp) -> Function:
    return tested(op.test.data, FORMATS[op.type.data])


def _copysign(op: ptx.CopysignOp) -> Function:
    sign = FORMATS[op.type.data].sign

    def function(a: Lanes, b: Lanes) -> Lanes:
        return a & sign | b & ~sign

    return function


_WINDOWS = ("const", "local", "shared::cluster")
"""The state spaces with windows outside global memory."""


def _isspacep(op: ptx.IsspacepOp, program: Program) -> Step:
    a, d, space = program.index(op.a), program.index(op.d), op.space.data

    def step(group: Group) -> None:
        addresses = group.read(a).astype(np.int64)
        group.write(d, _is_in(group, addresses, space))

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


def _pack(op: ptx.CvtPackNarrowOp) -> Function:
    encode, type_ = _encoder(op, op.rounding.data), op.type.data

    def function(high: Lanes, low: Lanes) -> Lanes:
        return packed([encode(decode(bits, F32), None) for bits in (low, high)], type_)

    return function


def _packed(op: ptx.CvtPackedOp) -> Function:
    encode, type_, source = _encoder(op, op.rounding.data), op.type.data, op.source.data

    def function(a: Lanes, *scale: Lanes) -> Lanes:
        values = unpacked(a, source)
        for factors in scale:
            pairs = zip(values, unpacked(factors, _SCALE), strict=True)
            values = [value * factor for value, factor in pairs]
        return packed([encode(value, None) for value in values], type_)

    return function


def _stochastic(op: Any, fractions: Callable[[Lanes], Sequence[Lanes]]) -> Function:
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

    return function


def _low(bits: Lanes, place: int, count: int) -> Lanes:
    """The fraction that has `count` bits at a place of a register."""
    part = bits >> np.uint32(place) & np.uint32((1 << count) - 1)
    return np.ldexp(part.astype(np.float64), -count)


def _pair(op: ptx.CvtStochasticPairOp) -> Function:
    count = RANDOM_BITS[op.type.data]
    return _stochastic(op, lambda bits: [_low(bits, _HALF, count), _low(bits, 0, count)])


def _quad(op: ptx.CvtStochasticOp) -> Function:
    element, _ = split(op.type.data)

    def fractions(bits: Lanes) -> Sequence[Lanes]:
        if element == "e2m1":
            upper, lower = ((bits >> np.uint32(s) & np.uint32(0x00FF00FF)) for s in (8, 0))
            first, last = ((each >> np.uint32(8) | each) for each in (upper, lower))
        else:
            first, last = bits >> np.uint32(_HALF), bits
        return [_low(each, 0, _HALF) for each in (first, first, last, last)]

    return _stochastic(op, fractions)


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


def _pack_integers(op: Any) -> Function:
    size, limited = _limited(op)

    def function(high: Lanes, low: Lanes, *rest: Lanes) -> Lanes:
        packed_ = limited(high) << size | limited(low)
        for bits in rest:
            packed_ = packed_ | bits.astype(np.int64) << 2 * size
        return (packed_ & np.int64(0xFFFFFFFF)).astype(np.uint32)

    return function


HANDLERS: dict[type[Operation], Handler] = {
    ptx.SetpPairOp: _setp_pair,
    ptx.SetpCombinedOp: computing(_setp_combined),
    ptx.SetOp: computing(_set),
    ptx.SetCombinedOp: computing(_set),
    ptx.SlctOp: computing(_slct),
    ptx.TestpOp: computing(_testp),
    ptx.CopysignOp: computing(_copysign),
    ptx.IsspacepOp: _isspacep,
    ptx.CvtPackNarrowOp: computing(_pack),
    ptx.CvtPackedOp: computing(_packed),
    ptx.CvtPackIntegersOp: computing(_pack_integers),
    ptx.CvtPackShortIntegersOp: computing(_pack_integers),
    ptx.CvtStochasticOp: computing(_quad),
    ptx.CvtStochasticPairOp: computing(_pair),
}

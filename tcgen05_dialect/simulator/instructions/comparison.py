"""Comparisons with more than a predicate, and tests and signs of floats (9.7.3, 9.7.6, 9.7.7)."""

from collections.abc import Callable
from typing import Any

import numpy as np
from xdsl.ir import Operation

from ...ptx import instructions as ptx
from ...ptx.syntax import word_of
from ..machine.machine import Group, Step, Wait
from ..machine.program import Handler, Program, computing
from ..numbers.floats import FORMATS, Lanes, decode, dtype_of, encode, flush
from ..numbers.integers import compared, dtype, tested
from .arithmetic import flushed

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

    def step(group: Group) -> Wait | None:
        for target, holds in zip(targets, both(group.read(a), group.read(b)), strict=True):
            value = holds
            if combine is not None:
                value = combine(holds, group.read(others[0]))
            group.write(target, value)
        return None

    return step


def _setp_combined(op: ptx.SetpCombinedOp, program: Program) -> Step:
    compare = compared(op.comparison.data, op.type.data, flushed(op))
    combine = _COMBINE[op.combination.data]

    def function(a: Lanes, b: Lanes, c: Lanes) -> Lanes:
        return combine(compare(a, b), c)

    return computing(op, program, function)


def _set(op: ptx.SetOp | ptx.SetCombinedOp, program: Program) -> Step:
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
    return computing(op, program, function)


def _slct(op: ptx.SlctOp, program: Program) -> Step:
    source = op.source.data

    def function(a: Lanes, b: Lanes, c: Lanes) -> Lanes:
        format_ = FORMATS.get(source)
        if format_ is None:
            return np.where(c.view(dtype(source)) >= 0, a, b)
        return np.where(decode(flush(c, format_) if flushed(op) else c, format_) >= 0, a, b)

    return computing(op, program, function)


def _testp(op: ptx.TestpOp, program: Program) -> Step:
    return computing(op, program, tested(op.test.data, FORMATS[op.type.data]))


def _copysign(op: ptx.CopysignOp, program: Program) -> Step:
    sign = FORMATS[op.type.data].sign

    def function(a: Lanes, b: Lanes) -> Lanes:
        return a & sign | b & ~sign

    return computing(op, program, function)


HANDLERS: dict[type[Operation], Handler] = {
    ptx.SetpPairOp: _setp_pair,
    ptx.SetpCombinedOp: _setp_combined,
    ptx.SetOp: _set,
    ptx.SetCombinedOp: _set,
    ptx.SlctOp: _slct,
    ptx.TestpOp: _testp,
    ptx.CopysignOp: _copysign,
}
"""Operation -> builder of its function."""

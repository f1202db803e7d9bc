"""
Arithmetic, logic, comparison, selection and conversion (9.7.1 to 9.7.9).

All results are exact to the bit, except approximations, whose error the manual only bounds. These
are ex2, lg2, and rcp, sqrt and div with `.approx` or `.full`; they are computed in f64 and rounded
to nearest. `floats`, `integers` and `conversions` document the choices that the manual leaves open.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from xdsl.ir import Operation

from ...ptx import instructions as ptx
from ...ptx.analysis.values import meaning_of
from ...ptx.text.syntax import word_of
from ..machine.machine import Group, Step
from ..machine.program import Handler, Program, computing, pure
from ..numbers import floats
from ..numbers.conversions import conversion, pair
from ..numbers.float_arithmetic import arithmetic
from ..numbers.floats import FORMATS, Lanes, NumpyFormat, dtype_of, unsigned
from ..numbers.integers import LANES, compared

Function = Callable[..., Lanes]


def _split(bits: Lanes, part: Any) -> Lanes:
    """Split each register into parts, lowest first: lanes x parts."""
    return np.ascontiguousarray(bits).view(part).reshape(bits.size, -1)


def _joined(parts: Lanes, whole: Any) -> Lanes:
    """Join lanes x parts into registers."""
    return np.ascontiguousarray(parts).view(whole).reshape(len(parts))


def each_part(type_: str, make: Callable[[NumpyFormat], Function]) -> Function:
    """Function on registers of a floating-point type; a packed type holds two numbers."""
    format_ = FORMATS[type_.removesuffix("x2")]
    function = make(format_)
    if type_ in FORMATS:
        return function

    def on_parts(*operands: Lanes) -> Lanes:
        parts = (_split(bits, format_.unsigned) for bits in operands)
        return _joined(function(*parts), unsigned(2 * format_.bits))

    return on_parts


def _meaning(op: Operation) -> Function:
    function = meaning_of(op, LANES)
    assert function is not None
    return function


whole = computing(_meaning)
"""Handler of an instruction on whole numbers or predicates."""


def _typed(of_floats: Callable[[Any, NumpyFormat], Function]) -> Handler:
    """Handler of an instruction on integers and on floating-point numbers."""

    def make(op: Any) -> Function:
        type_: str = op.type.data
        if type_.removesuffix("x2") not in FORMATS:
            return _meaning(op)
        return each_part(type_, lambda format_: of_floats(op, format_))

    return computing(make)


def of_type(make: Callable[[str], Function]) -> Handler:
    """Handler of an instruction whose function depends only on its type."""
    return computing(lambda op: make(op.type.data))


def flushed(op: Any) -> bool:
    return op.flush is not None


def _rounded(operation: str) -> Callable[[Any, NumpyFormat], Function]:
    """Floating-point operation with the rounding of the instruction."""

    def make(op: Any, format_: NumpyFormat) -> Function:
        rounding = "rn" if op.rounding is None else op.rounding.data
        function = arithmetic(operation, rounding, format_, flushed(op))
        if word_of(op, "saturate") is not None:
            return lambda *operands: floats.saturated(function(*operands), format_)
        if word_of(op, "relu") is not None:
            return lambda *operands: floats.without_negatives(function(*operands), format_)
        return function

    return make


def _extremum(choose: Callable[[Lanes, Lanes], Lanes]) -> Handler:
    def on_floats(op: Any, format_: NumpyFormat) -> Function:
        signed = op.xorsign is not None
        extremum = floats.extremum(choose, format_, flushed(op), op.nan is not None, signed)
        return floats.with_sign_of_product(extremum, format_) if signed else extremum

    return _typed(on_floats)


def _sign(on_floats: Callable[[NumpyFormat, bool], Callable[[Lanes], Lanes]]) -> Handler:
    return _typed(lambda op, format_: on_floats(format_, flushed(op)))


def of_floats(make: Callable[[Any, NumpyFormat], Function]) -> Handler:
    """Handler of an instruction on floating-point numbers only."""
    return computing(lambda op: each_part(op.type.data, lambda format_: make(op, format_)))


def approximate(operation: str) -> Handler:
    """Handler of an instruction that is always approximate."""
    return of_floats(lambda op, format_: arithmetic(operation, "approx", format_, flushed(op)))


def _setp(op: ptx.SetpOp) -> Function:
    return compared(op.comparison.data, op.type.data, flushed(op))


def _cvt(op: ptx.CvtOp) -> Function:
    rounding = word_of(op, "rounding")
    saturate, clamped, register = word_of(op, "saturate"), op.relu is not None, dtype_of(op.d.type)
    types = op.type.data, op.source.data
    function = conversion(*types, rounding, flushed(op), saturate, clamped, register)
    return function


def _cvt_byte(op: ptx.CvtByteOp) -> Function:
    types, rounding = (op.type.data, op.source.data), op.rounding.data
    function = conversion(*types, rounding, False, "", False, dtype_of(op.d.type))
    return function


def _cvt_pack(op: ptx.CvtPackOp) -> Function:
    format_ = FORMATS[op.type.data.removesuffix("x2")]
    return pair(format_, op.rounding.data, op.saturate is not None, op.relu is not None)


def _pack(op: ptx.PackOp) -> Function:
    whole = dtype_of(op.d.type)

    def function(*parts: Lanes) -> Lanes:
        return _joined(np.stack(parts, axis=1), whole)

    return function


def _unpack(op: ptx.UnpackOp, program: Program) -> Step:
    source, targets = program.index(op.a), [program.index(part) for part in op.parts]
    part = dtype_of(op.parts[0].type)

    def step(group: Group) -> None:
        parts = _split(group.read(source), part)
        for index, target in enumerate(targets):
            group.write(target, parts[:, index].copy())

    return step


HANDLERS: dict[type[Operation], Handler] = {
    ptx.AddOp: _typed(_rounded("add")),
    ptx.SubOp: _typed(_rounded("sub")),
    ptx.MulOp: _typed(_rounded("mul")),
    ptx.FmaOp: of_floats(_rounded("fma")),
    ptx.DivOp: _typed(_rounded("div")),
    ptx.MinOp: _extremum(np.minimum),
    ptx.MaxOp: _extremum(np.maximum),
    ptx.NegOp: _sign(floats.negative),
    ptx.AbsOp: _sign(floats.magnitude),
    **dict.fromkeys((ptx.MulWideOp, ptx.MadOp, ptx.MadWideOp, ptx.RemOp), whole),
    **dict.fromkeys((ptx.AndOp, ptx.OrOp, ptx.XorOp, ptx.NotOp, ptx.ShlOp, ptx.ShrOp), whole),
    ptx.Ex2Op: approximate("ex2"),
    ptx.Lg2Op: approximate("lg2"),
    ptx.RcpOp: of_floats(_rounded("rcp")),
    ptx.SqrtOp: of_floats(_rounded("sqrt")),
    ptx.SetpOp: computing(_setp),
    ptx.SelpOp: pure(LANES.select),
    ptx.CvtOp: computing(_cvt),
    ptx.CvtByteOp: computing(_cvt_byte),
    ptx.CvtPackOp: computing(_cvt_pack),
    ptx.MovOp: pure(np.array),
    ptx.PackOp: computing(_pack),
    ptx.UnpackOp: _unpack,
}
"""Operation -> builder of its function."""

"""Conversions and selection of `arith`."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import IntegerType, i1, i32
from xdsl.ir import Operation, SSAValue

from tcgen05_dialect.ptx import arithmetic as ptx
from tcgen05_dialect.ptx.known_values import constant_value

from ..support.builder import PtxBuilder
from ..support.conversion import Lowering
from .integer import binary, negation, signed
from .scalar_types import integer_of, qualifier, width_of


def _select(build: PtxBuilder, op: arith.SelectOp) -> Sequence[SSAValue]:
    condition, a, b = op.cond, op.lhs, op.rhs
    if (known := constant_value(condition)) is not None:
        return (a if known else b,)
    register = build.register(a.type)
    if register == i1:
        then = binary(arith.AndIOp, build, condition, a)
        otherwise = binary(arith.AndIOp, build, negation(build, condition), b)
        return (binary(arith.OrIOp, build, then, otherwise),)
    type_ = qualifier(build, "b", a)
    return (build.compute_as(register, ptx.SelpOp, type_, a, b, condition),)


def _bitcast(build: PtxBuilder, op: arith.BitcastOp) -> Sequence[SSAValue]:
    register = build.register(op.result.type)
    if build.register(op.input.type) == register:
        return (op.input,)
    if width_of(build, op.input) != width_of(build, op.result):
        raise build.type_error(f"{op.input.type} to {op.result.type}", "types of one width")
    type_ = qualifier(build, "b", op.input)
    return (build.compute_as(register, ptx.MovOp, type_, op.input),)


def _cast_integer(kind: str) -> Lowering:
    """Truncate or extend an integer: sign-extend for `s`, zero-extend for `u`."""

    def lower(build: PtxBuilder, op: Any) -> Sequence[SSAValue]:
        return (_converted(build, kind, op.input, op.results[0]),)

    return lower


def _converted(build: PtxBuilder, kind: str, value: SSAValue, result: SSAValue) -> SSAValue:
    source, target = integer_of(build, value), integer_of(build, result)
    width = source.width.data
    if (known := constant_value(value)) is not None:
        known = signed(known, width) if kind == "s" else known % (1 << width)
        return build.constant(known, target)
    if source == target:
        return value
    if source == i1:
        return _widened(build, kind, value, target)
    if target == i1:
        type_ = qualifier(build, "b", value)
        low = build.compute(ptx.AndOp, type_, value, build.constant(1, source))
        return build.compute(ptx.SetpOp, type_, low, build.constant(0, source), comparison="ne")
    type_ = qualifier(build, kind, result)
    return build.compute(ptx.CvtOp, type_, value, source=qualifier(build, kind, value))


def _widened(build: PtxBuilder, kind: str, value: SSAValue, target: IntegerType) -> SSAValue:
    """A truth as a wider integer; as a signed number, true is -1."""
    ones, zero = build.constant(-1 if kind == "s" else 1, target), build.constant(0, target)
    return build.compute(ptx.SelpOp, f"b{target.width.data}", ones, zero, value)


def _cast_float(to: str, source: str, rounding: str | None) -> Lowering:
    """Convert from or to a float; `to` and `source` are the kinds of type: `s`, `u` or `f`."""
    qualifiers = {} if rounding is None else {"rounding": rounding}

    def lower(build: PtxBuilder, op: Any) -> Sequence[SSAValue]:
        value, result = cast(SSAValue, op.input), cast(SSAValue, op.results[0])
        if source in ("s", "u") and build.register(value.type) == i1:
            value = _widened(build, source, value, i32)
        type_ = qualifier(build, to, result)
        return (
            build.compute_as(
                build.register(result.type),
                ptx.CvtOp,
                type_,
                value,
                source=qualifier(build, source, value),
                **qualifiers,
            ),
        )

    return lower


_extend = _cast_float("f", "f", None)
_truncate = _cast_float("f", "f", "rn")


def _resize_float(build: PtxBuilder, op: arith.ExtFOp | arith.TruncFOp) -> Sequence[SSAValue]:
    """Extend or truncate a float; check the widths, which xDSL does not verify."""
    old, new = width_of(build, op.input), width_of(build, op.result)
    extends = isinstance(op, arith.ExtFOp)
    if new == old or (new > old) != extends:
        legal = "a wider type" if extends else "a narrower type"
        raise build.type_error(f"{op.input.type} to {op.result.type}", legal)
    return (_extend if extends else _truncate)(build, op)


LOWERINGS: Mapping[type[Operation], Lowering] = {
    arith.SelectOp: _select,
    arith.BitcastOp: _bitcast,
    arith.ExtSIOp: _cast_integer("s"),
    arith.ExtUIOp: _cast_integer("u"),
    arith.TruncIOp: _cast_integer("u"),
    arith.IndexCastOp: _cast_integer("s"),
    arith.ExtFOp: _resize_float,
    arith.TruncFOp: _resize_float,
    arith.SIToFPOp: _cast_float("f", "s", "rn"),
    arith.UIToFPOp: _cast_float("f", "u", "rn"),
    arith.FPToSIOp: _cast_float("s", "f", "rzi"),
    arith.FPToUIOp: _cast_float("u", "f", "rzi"),
}

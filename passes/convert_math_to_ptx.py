"""
The pass `convert-math-to-ptx`: converts scalar operations of `math` to `ptx`.

PTX has approximations of the transcendental functions of f32 only. They are good to about 22 bits;
the values of f16 and bf16 are computed as f32 and rounded. With `fastmath<afn>` subnormal numbers
count as zero; otherwise ptxas scales them, which takes four instructions more.
"""

from collections.abc import Callable, Mapping, Sequence
from math import e, log, log2
from typing import Any

from xdsl.context import Context
from xdsl.dialects import math
from xdsl.dialects.builtin import FloatAttr, ModuleOp, bf16, f16, f32
from xdsl.dialects.utils import FastMathFlag
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from tcgen05_dialect.isa.instructions.arithmetic import SQRT
from tcgen05_dialect.ptx import instructions as ptx
from tcgen05_dialect.ptx.instruction import Instruction
from tcgen05_dialect.ptx.structure import ConstantOp

from .convert_arith_to_ptx import qualifier, require
from .support.conversion import Conversion, Lowering, PtxBuilder

_WIDE = str(f32)
_HALVES = (str(f16), str(bf16))
_ROOTS = tuple(str(type_) for type_ in SQRT.values("type"))

Qualifiers = Mapping[str, str]
Function = Callable[[PtxBuilder, SSAValue, Qualifiers], SSAValue]
"""Builds a function of an f32; the qualifiers say whether subnormal numbers are flushed."""


def _approximated(function: Function) -> Lowering:
    """A function that PTX has for f32."""

    def lower(build: PtxBuilder, op: Any) -> Sequence[SSAValue]:
        value, type_ = op.operands[0], qualifier(build, "f", op.operands[0])
        require(build, type_, (*_HALVES, _WIDE))
        flush = {"flush": "ftz"} if FastMathFlag.APPROX_FUNC in op.fastmath.data else {}
        result = function(build, _widened(build, value, type_), flush)
        return (_narrowed(build, result, type_),)

    return lower


def _widened(build: PtxBuilder, value: SSAValue, type_: str) -> SSAValue:
    return value if type_ == _WIDE else build.compute(ptx.CvtOp, _WIDE, value, source=type_)


def _narrowed(build: PtxBuilder, value: SSAValue, type_: str) -> SSAValue:
    if type_ == _WIDE:
        return value
    return build.compute(ptx.CvtOp, type_, value, source=_WIDE, rounding="rn")


def _instruction(op_type: type[Instruction]) -> Function:
    return lambda build, value, flush: build.compute(op_type, _WIDE, value, **flush)


def _times(build: PtxBuilder, value: SSAValue, factor: float, flush: Qualifiers) -> SSAValue:
    constant = ConstantOp.create(properties={"value": FloatAttr(factor, f32)}, result_types=(f32,))
    build.insert(constant)
    return build.compute(ptx.MulOp, _WIDE, value, constant.result, rounding="rn", **flush)


def _exp(build: PtxBuilder, value: SSAValue, flush: Qualifiers) -> SSAValue:
    return build.compute(ptx.Ex2Op, _WIDE, _times(build, value, log2(e), flush), **flush)


def _log(build: PtxBuilder, value: SSAValue, flush: Qualifiers) -> SSAValue:
    return _times(build, build.compute(ptx.Lg2Op, _WIDE, value, **flush), log(2), flush)


def _rounded(rounding: str) -> Function:
    return lambda build, value, flush: build.compute(
        ptx.CvtOp, _WIDE, value, source=_WIDE, rounding=rounding
    )


def _absolute(build: PtxBuilder, op: math.AbsFOp) -> Sequence[SSAValue]:
    return (build.compute(ptx.AbsOp, qualifier(build, "f", op.operand), op.operand),)


def _fma(build: PtxBuilder, op: math.FmaOp) -> Sequence[SSAValue]:
    type_ = qualifier(build, "f", op.a)
    return (build.compute(ptx.FmaOp, type_, op.a, op.b, op.c, rounding="rn"),)


def _root(build: PtxBuilder, op: math.SqrtOp) -> Sequence[SSAValue]:
    """Lower a square root. That of an f16 or bf16, rounded twice, is correctly rounded."""
    value, type_ = op.operand, qualifier(build, "f", op.operand)
    if type_ in _ROOTS:
        return (build.compute(ptx.SqrtOp, type_, value, rounding="rn"),)
    root = build.compute(ptx.SqrtOp, _WIDE, _widened(build, value, type_), rounding="rn")
    return (_narrowed(build, root, type_),)


_LOWERINGS: Mapping[type[Operation], Lowering] = {
    math.AbsFOp: _absolute,
    math.FmaOp: _fma,
    math.SqrtOp: _root,
    math.ExpOp: _approximated(_exp),
    math.Exp2Op: _approximated(_instruction(ptx.Ex2Op)),
    math.LogOp: _approximated(_log),
    math.Log2Op: _approximated(_instruction(ptx.Lg2Op)),
    math.RsqrtOp: _approximated(_instruction(ptx.RsqrtOp)),
    math.TanhOp: _approximated(lambda build, value, flush: build.compute(ptx.TanhOp, _WIDE, value)),
    math.SinOp: _approximated(_instruction(ptx.SinOp)),
    math.CosOp: _approximated(_instruction(ptx.CosOp)),
    math.FloorOp: _approximated(_rounded("rmi")),
    math.CeilOp: _approximated(_rounded("rpi")),
    math.TruncOp: _approximated(_rounded("rzi")),
    math.RoundEvenOp: _approximated(_rounded("rni")),
}
CONVERSION = Conversion(_LOWERINGS, {}, frozenset({"math"}))


class ConvertMathToPtx(ModulePass):
    """Lowers scalar `math`: roots, absolute values, products, roundings and approximations."""

    name = "convert-math-to-ptx"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        CONVERSION.apply(op)

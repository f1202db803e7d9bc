"""
Floating-point operations of `arith`.

Types of scalar operands, and the type qualifiers of instructions for them.
"""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import AnyFloat, FixedBitwidthType, IntegerType, bf16, f16, f32, i64
from xdsl.ir import Operation, SSAValue

from tcgen05_dialect.isa.instructions.arithmetic import MIN
from tcgen05_dialect.ptx import instructions as ptx
from tcgen05_dialect.ptx.instruction import Instruction
from tcgen05_dialect.ptx.register_types import REGISTER_CLASSES

from ..support.builder import PtxBuilder
from ..support.conversion import Lowering

INDEX = i64
"""The integer type that `index` becomes."""


def width_of(build: PtxBuilder, value: SSAValue) -> int:
    """The width in bits of the register that holds a value. Raises OperationError."""
    return cast(FixedBitwidthType, build.register(value.type)).bitwidth


def integer_of(build: PtxBuilder, value: SSAValue) -> IntegerType:
    """The integer type of the register that holds a value. Raises OperationError."""
    register = build.register(value.type)
    if not isinstance(register, IntegerType):
        raise build.type_error(value.type, "an integer")
    return cast(IntegerType, register)


def qualifier(build: PtxBuilder, kind: str, value: SSAValue) -> str:
    """
    The type qualifier for a value: `s`, `u` or `b` with the width or, for kind `f`, the name of the
    float type.

    Raises OperationError if no instruction takes the type.
    """
    register = build.register(value.type)
    width = cast(FixedBitwidthType, register).bitwidth
    if isinstance(register, AnyFloat) != (kind == "f") and kind != "b":
        raise build.type_error(value.type, "a float" if kind == "f" else "an integer")
    if width == 1:
        raise build.type_error(register, "a wider integer")
    return str(register) if kind == "f" else f"{kind}{width}"


def require(build: PtxBuilder, type_: str, legal: Sequence[str]) -> None:
    """Raise OperationError unless a type qualifier is legal."""
    if type_ not in legal:
        raise build.type_error(type_, tuple(legal))


_HALVES = (f16, bf16)
_NAN_TYPES = tuple(t for t in map(str, REGISTER_CLASSES) if MIN.row(type=t, nan="NaN"))
"""Types for which min and max can return NaN if an operand is NaN."""

# Operation -> instruction, its qualifiers, its legal types (None for all).
_BINARY: Mapping[
    type[Operation], tuple[type[Instruction], dict[str, str], tuple[str, ...] | None]
] = {
    arith.AddfOp: (ptx.AddOp, {"rounding": "rn"}, None),
    arith.SubfOp: (ptx.SubOp, {"rounding": "rn"}, None),
    arith.MulfOp: (ptx.MulOp, {"rounding": "rn"}, None),
    arith.MinimumfOp: (ptx.MinOp, {"nan": "NaN"}, _NAN_TYPES),
    arith.MaximumfOp: (ptx.MaxOp, {"nan": "NaN"}, _NAN_TYPES),
    arith.MinnumfOp: (ptx.MinOp, {}, None),
    arith.MaxnumfOp: (ptx.MaxOp, {}, None),
}

# Comparisons by predicate number of `arith.cmpf`; None where the result is constant.
_COMPARISONS = (
    *(None, "eq", "gt", "ge", "lt", "le", "ne", "num"),
    *("equ", "gtu", "geu", "ltu", "leu", "neu", "nan", None),
)


def _binary(build: PtxBuilder, op: Any) -> Sequence[SSAValue]:
    instruction, qualifiers, legal = _BINARY[type(op)]
    type_ = qualifier(build, "f", op.lhs)
    if legal is not None:
        require(build, type_, legal)
    return (build.compute(instruction, type_, op.lhs, op.rhs, **qualifiers),)


def _divide(build: PtxBuilder, op: arith.DivfOp) -> Sequence[SSAValue]:
    """
    Lower a division. PTX has no division of 16-bit floats. They are divided as f32, which has
    enough digits for the result to be correctly rounded although it is rounded twice.
    """
    a, b, type_ = op.lhs, op.rhs, qualifier(build, "f", op.lhs)
    if a.type not in _HALVES:
        return (build.compute(ptx.DivOp, type_, a, b, rounding="rn"),)
    wide = str(f32)
    a, b = (build.compute(ptx.CvtOp, wide, value, source=type_) for value in (a, b))
    quotient = build.compute(ptx.DivOp, wide, a, b, rounding="rn")
    return (build.compute(ptx.CvtOp, type_, quotient, source=wide, rounding="rn"),)


def _compare(build: PtxBuilder, op: arith.CmpfOp) -> Sequence[SSAValue]:
    predicate = op.predicate.value.data
    comparison = _COMPARISONS[predicate]
    type_ = qualifier(build, "f", op.lhs)
    if comparison is None:
        return (build.truth(predicate > 0),)
    return (build.compute(ptx.SetpOp, type_, op.lhs, op.rhs, comparison=comparison),)


def _negate(build: PtxBuilder, op: arith.NegfOp) -> Sequence[SSAValue]:
    return (build.compute(ptx.NegOp, qualifier(build, "f", op.operand), op.operand),)


LOWERINGS: Mapping[type[Operation], Lowering] = {
    **dict.fromkeys(_BINARY, _binary),
    arith.DivfOp: _divide,
    arith.CmpfOp: _compare,
    arith.NegfOp: _negate,
}

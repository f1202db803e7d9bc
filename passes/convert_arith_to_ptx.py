"""The pass `convert-arith-to-ptx`: converts scalar `arith` to `ptx` and folds constants."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    AnyFloat,
    FixedBitwidthType,
    IndexType,
    IntegerAttr,
    IntegerType,
    ModuleOp,
    bf16,
    f16,
    f32,
    i1,
    i32,
    i64,
)
from xdsl.ir import Operation, SSAValue
from xdsl.passes import ModulePass

from tcgen05_dialect.isa.instructions.arithmetic import MIN
from tcgen05_dialect.isa.instructions.meaning import Integers
from tcgen05_dialect.ptx import instructions as ptx
from tcgen05_dialect.ptx.analysis.known_values import ARITH, ARITH_COMPARISONS, constant_value
from tcgen05_dialect.ptx.definition import operation
from tcgen05_dialect.ptx.instruction import Instruction
from tcgen05_dialect.ptx.register_types import REGISTER_CLASSES
from tcgen05_dialect.ptx.structure import ConstantOp

from .support.conversion import Conversion, Lowering, PtxBuilder

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
_FLOAT_BINARY: Mapping[
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
_FLOAT_COMPARISONS = (
    *(None, "eq", "gt", "ge", "lt", "le", "ne", "num"),
    *("equ", "gtu", "geu", "ltu", "leu", "neu", "nan", None),
)


def _float_binary(build: PtxBuilder, op: Any) -> Sequence[SSAValue]:
    instruction, qualifiers, legal = _FLOAT_BINARY[type(op)]
    type_ = qualifier(build, "f", op.lhs)
    if legal is not None:
        require(build, type_, legal)
    return (build.compute(instruction, type_, op.lhs, op.rhs, **qualifiers),)


def _divide(build: PtxBuilder, op: arith.DivfOp) -> Sequence[SSAValue]:
    """Lower a division. PTX has no division of 16-bit floats. They are divided as f32, which has
    enough digits for the result to be correctly rounded although it is rounded twice."""
    a, b, type_ = op.lhs, op.rhs, qualifier(build, "f", op.lhs)
    if a.type not in _HALVES:
        return (build.compute(ptx.DivOp, type_, a, b, rounding="rn"),)
    wide = str(f32)
    a, b = (build.compute(ptx.CvtOp, wide, value, source=type_) for value in (a, b))
    quotient = build.compute(ptx.DivOp, wide, a, b, rounding="rn")
    return (build.compute(ptx.CvtOp, type_, quotient, source=wide, rounding="rn"),)


def _compare(build: PtxBuilder, op: arith.CmpfOp) -> Sequence[SSAValue]:
    predicate = op.predicate.value.data
    comparison = _FLOAT_COMPARISONS[predicate]
    type_ = qualifier(build, "f", op.lhs)
    if comparison is None:
        return (build.truth(predicate > 0),)
    return (build.compute(ptx.SetpOp, type_, op.lhs, op.rhs, comparison=comparison),)


def _negate(build: PtxBuilder, op: arith.NegfOp) -> Sequence[SSAValue]:
    return (build.compute(ptx.NegOp, qualifier(build, "f", op.operand), op.operand),)


_FLOATING: Mapping[type[Operation], Lowering] = {
    **dict.fromkeys(_FLOAT_BINARY, _float_binary),
    arith.DivfOp: _divide,
    arith.CmpfOp: _compare,
    arith.NegfOp: _negate,
}


_PREDICATES: Mapping[type[Operation], type[Instruction]] = {
    arith.AddiOp: ptx.XorOp,
    arith.SubiOp: ptx.XorOp,
    arith.MuliOp: ptx.AndOp,
    arith.AndIOp: ptx.AndOp,
    arith.OrIOp: ptx.OrOp,
    arith.XOrIOp: ptx.XorOp,
    arith.MinUIOp: ptx.AndOp,
    arith.MaxUIOp: ptx.OrOp,
    arith.MinSIOp: ptx.OrOp,
    arith.MaxSIOp: ptx.AndOp,
}
"""Instructions for operations on i1. Arithmetic is modulo two; as a signed number, true is -1."""

EQUAL, NOT_EQUAL, SIGNED_LESS, SIGNED_GREATER_EQUAL = 0, 1, 2, 5
"""Predicate numbers of `arith.cmpi`."""


def binary(op_type: type[Operation], build: PtxBuilder, a: SSAValue, b: SSAValue) -> SSAValue:
    """Build the `arith` operation `op_type` on two integers and return its result."""
    type_ = integer_of(build, a)
    width = type_.width.data
    name, kind = ARITH[op_type.name]
    instruction, qualifiers = operation(name), {"half": "lo"} if name == "mul" else {}
    if type_ == i1:
        if op_type not in _PREDICATES:
            raise build.type_error(type_, "a wider integer")
        instruction, kind, qualifiers = _PREDICATES[op_type], "pred", {}
    elif op_type is arith.AddiOp:
        return build.add(a, b, type_)
    elif op_type in _UNSIGNED_DIVISIONS and (divisor := _power_of_two(b, width)) is not None:
        return _divided_by_power_of_two(op_type, build, a, divisor, type_)
    else:
        kind = f"{kind}{width}"
    return build.fold(instruction, kind, a, b, type_, **qualifiers)


_UNSIGNED_DIVISIONS = (arith.DivUIOp, arith.RemUIOp)


def _power_of_two(value: SSAValue, width: int) -> int | None:
    """The value, if it is known to be a power of two."""
    known = constant_value(value)
    unsigned = 0 if known is None else known % (1 << width)
    return unsigned if unsigned.bit_count() == 1 else None


def _divided_by_power_of_two(
    op_type: type[Operation], build: PtxBuilder, a: SSAValue, divisor: int, type_: IntegerType
) -> SSAValue:
    """Build a shift or a mask: for a warp-uniform value ptxas emits a long division."""
    if op_type is arith.RemUIOp:
        return binary(arith.AndIOp, build, a, build.constant(divisor - 1, type_))
    amount = build.constant(divisor.bit_length() - 1)
    return _shifted_by(arith.ShRUIOp, build, a, amount)


def _binary(op_type: type[Operation]) -> Lowering:
    return lambda build, op: (binary(op_type, build, op.lhs, op.rhs),)


def _shift(build: PtxBuilder, op: Any) -> Sequence[SSAValue]:
    a, amount = cast(SSAValue, op.lhs), cast(SSAValue, op.rhs)
    op_type = cast(type[Operation], type(op))
    width = width_of(build, a)
    if (known := constant_value(amount)) is not None:
        # In arith an amount of at least the width is undefined; in PTX all such amounts act alike.
        amount = build.constant(min(known % (1 << width), width))
    elif width != i32.width.data:
        amount = build.compute(ptx.CvtOp, "u32", amount, source=qualifier(build, "u", amount))
    return (_shifted_by(op_type, build, a, amount),)


def _shifted_by(
    op_type: type[Operation], build: PtxBuilder, a: SSAValue, amount: SSAValue
) -> SSAValue:
    """Build a shift of `a` by a 32-bit amount and return its result."""
    name, kind = ARITH[op_type.name]
    return build.fold(operation(name), qualifier(build, kind, a), a, amount, integer_of(build, a))


def compare(build: PtxBuilder, predicate: int, a: SSAValue, b: SSAValue) -> SSAValue:
    """Compare two integers by a predicate of `arith.cmpi`, given by its number."""
    comparison, kind = ARITH_COMPARISONS[predicate]
    if a.type == i1:
        return _compare_predicates(build, comparison, kind, a, b)
    type_ = qualifier(build, kind, a)
    return build.fold(ptx.SetpOp, type_, a, b, i1, comparison=comparison)


def _compare_predicates(
    build: PtxBuilder, comparison: str, kind: str, a: SSAValue, b: SSAValue
) -> SSAValue:
    """Compare two values of i1; as a signed number, true is -1."""
    if comparison in ("eq", "ne"):
        different = binary(arith.XOrIOp, build, a, b)
        return different if comparison == "ne" else negation(build, different)
    if (comparison[0] == "l") == (kind == "s"):
        a, b = b, a
    # From here the comparison is `a < b` or `a <= b`, unsigned.
    logic = arith.OrIOp if comparison[1] == "e" else arith.AndIOp
    return binary(logic, build, negation(build, a), b)


def negation(build: PtxBuilder, predicate: SSAValue) -> SSAValue:
    """The negation of a predicate."""
    if (known := constant_value(predicate)) is not None:
        return build.truth(not known)
    return build.compute(ptx.NotOp, "pred", predicate)


def _rounded_division(build: PtxBuilder, op: Any) -> Sequence[SSAValue]:
    """
    Lower a division that rounds up or down: the truncated quotient, corrected by one if needed.
    """
    a, b = cast(SSAValue, op.lhs), cast(SSAValue, op.rhs)
    type_ = integer_of(build, a)
    is_unsigned, rounds_down = isinstance(op, arith.CeilDivUIOp), isinstance(op, arith.FloorDivSIOp)
    divide, remain = (
        (arith.DivUIOp, arith.RemUIOp) if is_unsigned else (arith.DivSIOp, arith.RemSIOp)
    )
    quotient, remainder = binary(divide, build, a, b), binary(remain, build, a, b)
    zero = build.constant(0, type_)
    corrects = compare(build, NOT_EQUAL, remainder, zero)
    if not is_unsigned:
        # The quotient was rounded up if and only if the signs differ.
        signs = binary(arith.XOrIOp, build, remainder, b)
        predicate = SIGNED_LESS if rounds_down else SIGNED_GREATER_EQUAL
        corrects = binary(arith.AndIOp, build, corrects, compare(build, predicate, signs, zero))
    step = build.constant(-1 if rounds_down else 1, type_)
    if (known := constant_value(corrects)) is not None:
        return (build.add(quotient, step, type_) if known else quotient,)
    correction = build.compute(ptx.SelpOp, f"b{type_.width.data}", step, zero, corrects)
    return (build.add(quotient, correction, type_),)


def _constant(build: PtxBuilder, op: arith.ConstantOp) -> Sequence[SSAValue]:
    register = build.register(op.result.type)
    match op.value:
        case IntegerAttr(value=value):
            return (build.constant(value.data, integer_of(build, op.result)),)
        case value:
            new = ConstantOp.create(properties={"value": value}, result_types=(register,))
            build.insert(new)
            return (new.result,)


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
        number = Integers(width, kind == "s").resize(known, target.width.data)
        return build.constant(number, target)
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


_INTEGER: Mapping[type[Operation], Lowering] = {
    arith.ConstantOp: _constant,
    **{op_type: _binary(op_type) for op_type in arith.Arith.operations if op_type.name in ARITH},
    **dict.fromkeys((arith.ShLIOp, arith.ShRUIOp, arith.ShRSIOp), _shift),
    **dict.fromkeys((arith.CeilDivSIOp, arith.CeilDivUIOp, arith.FloorDivSIOp), _rounded_division),
    arith.CmpiOp: lambda build, op: (compare(build, op.predicate.value.data, op.lhs, op.rhs),),
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


CONVERSION = Conversion(
    {**_FLOATING, **_INTEGER},
    {IndexType: INDEX},
    frozenset({"arith"}),
)


class ConvertArithToPtx(ModulePass):
    """Lowers scalar `arith`; `index` becomes a 64-bit integer."""

    name = "convert-arith-to-ptx"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        CONVERSION.apply(op)

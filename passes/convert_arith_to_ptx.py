"""Lower scalar `arith` operations to instructions of `ptx`, folding constants."""

import operator
from collections.abc import Callable, Mapping
from typing import Any, cast

from xdsl.context import Context
from xdsl.dialects import arith
from xdsl.dialects.builtin import (
    FixedBitwidthType,
    FloatAttr,
    IndexType,
    IntegerAttr,
    IntegerType,
    ModuleOp,
    i1,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.passes import ModulePass
from xdsl.rewriter import Rewriter

from tcgen05_dialect.ptx import arithmetic as ptx
from tcgen05_dialect.ptx.errors import OperationError
from tcgen05_dialect.ptx.instruction import Instruction
from tcgen05_dialect.ptx.registers import REGISTER_CLASSES
from tcgen05_dialect.ptx.structure import ConstantOp, constant_value

from .support.builder import PtxBuilder

INDEX = i64
"""The integer type that stands for `index`."""

Lowering = Callable[[PtxBuilder, Any], SSAValue]


def _width(value: SSAValue) -> int:
    type_ = value.type
    if type_ not in REGISTER_CLASSES:
        legal = ", ".join(map(str, REGISTER_CLASSES))
        raise TypeError(f"type {type_} has no register in PTX; legal: {legal}, index")
    return cast(FixedBitwidthType, type_).bitwidth


def _type(kind: str, value: SSAValue) -> str:
    """The type qualifier of instructions on a value: `s`, `u` or `b` and its width."""
    return f"{kind}{_width(value)}"


def _float_type(value: SSAValue) -> str:
    _width(value)
    return str(value.type)


def _unsigned(function: Callable[[int, int], int]) -> Callable[[int, int, int], int]:
    return lambda a, b, width: function(a % (1 << width), b % (1 << width))


def _signed(function: Callable[[int, int], int]) -> Callable[[int, int, int], int]:
    return lambda a, b, width: function(_sign(a, width), _sign(b, width))


def _sign(value: int, width: int) -> int:
    value %= 1 << width
    return value - (1 << width) if value >> (width - 1) else value


def _truncated(a: int, b: int) -> int:
    """The quotient rounded towards zero."""
    quotient = abs(a) // abs(b)
    return quotient if (a < 0) == (b < 0) else -quotient


_PREDICATE_LOGIC: Mapping[type[Operation], type[Instruction]] = {
    arith.AddiOp: ptx.XorOp,
    arith.SubiOp: ptx.XorOp,
    arith.MuliOp: ptx.AndOp,
    arith.AndIOp: ptx.AndOp,
    arith.OrIOp: ptx.OrOp,
    arith.XOrIOp: ptx.XorOp,
}
"""Operations on i1, whose arithmetic is modulo two."""

# Operation -> instruction, kind of its type, its other qualifiers, what it does to constants.
_Binary = tuple[type[Instruction], str, dict[str, str], Callable[[int, int, int], int]]
_BINARY: Mapping[type[Operation], _Binary] = {
    arith.AddiOp: (ptx.AddOp, "s", {}, _unsigned(operator.add)),
    arith.SubiOp: (ptx.SubOp, "s", {}, _unsigned(operator.sub)),
    arith.MuliOp: (ptx.MulOp, "s", {"half": "lo"}, _unsigned(operator.mul)),
    arith.DivUIOp: (ptx.DivOp, "u", {}, _unsigned(operator.floordiv)),
    arith.DivSIOp: (ptx.DivOp, "s", {}, _signed(_truncated)),
    arith.RemUIOp: (ptx.RemOp, "u", {}, _unsigned(operator.mod)),
    arith.RemSIOp: (ptx.RemOp, "s", {}, _signed(lambda a, b: a - b * _truncated(a, b))),
    arith.AndIOp: (ptx.AndOp, "b", {}, _unsigned(operator.and_)),
    arith.OrIOp: (ptx.OrOp, "b", {}, _unsigned(operator.or_)),
    arith.XOrIOp: (ptx.XorOp, "b", {}, _unsigned(operator.xor)),
    arith.MinSIOp: (ptx.MinOp, "s", {}, _signed(min)),
    arith.MinUIOp: (ptx.MinOp, "u", {}, _unsigned(min)),
    arith.MaxSIOp: (ptx.MaxOp, "s", {}, _signed(max)),
    arith.MaxUIOp: (ptx.MaxOp, "u", {}, _unsigned(max)),
}
_DIVISIONS = (arith.DivUIOp, arith.DivSIOp, arith.RemUIOp, arith.RemSIOp)

_SHIFTS: Mapping[type[Operation], _Binary] = {
    arith.ShLIOp: (ptx.ShlOp, "b", {}, _unsigned(operator.lshift)),
    arith.ShRUIOp: (ptx.ShrOp, "u", {}, _unsigned(operator.rshift)),
    arith.ShRSIOp: (ptx.ShrOp, "s", {}, _signed(operator.rshift)),
}

_FLOAT: Mapping[type[Operation], tuple[type[Instruction], dict[str, str]]] = {
    arith.AddfOp: (ptx.AddOp, {"rounding": "rn"}),
    arith.SubfOp: (ptx.SubOp, {"rounding": "rn"}),
    arith.MulfOp: (ptx.MulOp, {"rounding": "rn"}),
    arith.DivfOp: (ptx.DivOp, {"rounding": "rn"}),
    arith.MinimumfOp: (ptx.MinOp, {"nan": "NaN"}),
    arith.MaximumfOp: (ptx.MaxOp, {"nan": "NaN"}),
    arith.MinnumfOp: (ptx.MinOp, {}),
    arith.MaxnumfOp: (ptx.MaxOp, {}),
}

# In the order of the predicates of `arith.cmpi`: PTX comparison, kind of type, what it means.
_INTEGER_COMPARISONS: tuple[tuple[str, str, Callable[[int, int, int], int]], ...] = (
    ("eq", "b", _unsigned(operator.eq)),
    ("ne", "b", _unsigned(operator.ne)),
    ("lt", "s", _signed(operator.lt)),
    ("le", "s", _signed(operator.le)),
    ("gt", "s", _signed(operator.gt)),
    ("ge", "s", _signed(operator.ge)),
    ("lt", "u", _unsigned(operator.lt)),
    ("le", "u", _unsigned(operator.le)),
    ("gt", "u", _unsigned(operator.gt)),
    ("ge", "u", _unsigned(operator.ge)),
)
# In the order of the predicates of `arith.cmpf`; None where the result is constant.
_FLOAT_COMPARISONS = (
    *(None, "eq", "gt", "ge", "lt", "le", "ne", "num"),
    *("equ", "gtu", "geu", "ltu", "leu", "neu", "nan", None),
)


def _constant(build: PtxBuilder, op: arith.ConstantOp) -> SSAValue:
    match op.value:
        case IntegerAttr(value=value, type=IntegerType() as type_):
            return build.constant(value.data, type_)
        case IntegerAttr(value=value):
            return build.constant(value.data, INDEX)
        case FloatAttr() as value if value.type in REGISTER_CLASSES:
            new = ConstantOp.create(properties={"value": value}, result_types=(value.type,))
            build.insert(new)
            return new.result
        case value:
            raise TypeError(f"constant {value} has no register in PTX")


def _integer_binary(build: PtxBuilder, op: Any) -> SSAValue:
    a, b = cast(SSAValue, op.lhs), cast(SSAValue, op.rhs)
    width = _width(a)
    if a.type == i1:
        if type(op) not in _PREDICATE_LOGIC:
            raise TypeError(f"{op.name} of i1 has no instruction in PTX")
        return build.compute(_PREDICATE_LOGIC[type(op)], "pred", a, b)
    if isinstance(op, arith.AddiOp):
        return build.add(a, b, cast(IntegerType, a.type))
    instruction, kind, qualifiers, function = _BINARY[type(op)]
    x, y = constant_value(a), constant_value(b)
    if x is not None and y is not None and (y != 0 or not isinstance(op, _DIVISIONS)):
        return build.constant(function(x, y, width), cast(IntegerType, a.type))
    return build.compute(instruction, _type(kind, a), a, b, **qualifiers)


def _shift(build: PtxBuilder, op: Any) -> SSAValue:
    a, amount = cast(SSAValue, op.lhs), cast(SSAValue, op.rhs)
    instruction, kind, _, function = _SHIFTS[type(op)]
    width = _width(a)
    x, y = constant_value(a), constant_value(amount)
    if y is not None and not 0 <= y < width:
        raise TypeError(f"a shift of {width} bits by {y} is undefined; legal: 0 to {width - 1}")
    if x is not None and y is not None:
        return build.constant(function(x, y, width), cast(IntegerType, a.type))
    if y is not None:
        amount = build.constant(y)
    elif width != i32.width.data:
        amount = build.compute(ptx.CvtOp, "u32", amount, source=_type("u", amount))
    return build.compute(instruction, _type(kind, a), a, amount)


def _compare(build: PtxBuilder, op: arith.CmpiOp) -> SSAValue:
    comparison, kind, function = _INTEGER_COMPARISONS[op.predicate.value.data]
    a, b = op.lhs, op.rhs
    x, y = constant_value(a), constant_value(b)
    if x is not None and y is not None:
        return build.constant(int(function(x, y, _width(a))), i1)
    if a.type == i1:
        if kind != "b":
            raise TypeError("an ordering of i1 has no instruction in PTX; legal: eq, ne")
        different = build.compute(ptx.XorOp, "pred", a, b)
        return different if comparison == "ne" else build.compute(ptx.NotOp, "pred", different)
    return build.compute(ptx.SetpOp, _type(kind, a), a, b, comparison=comparison)


def _compare_floats(build: PtxBuilder, op: arith.CmpfOp) -> SSAValue:
    predicate = op.predicate.value.data
    comparison = _FLOAT_COMPARISONS[predicate]
    if comparison is None:
        return build.constant(int(predicate > 0), i1)
    return build.compute(ptx.SetpOp, _float_type(op.lhs), op.lhs, op.rhs, comparison=comparison)


def _select(build: PtxBuilder, op: arith.SelectOp) -> SSAValue:
    a, b = op.lhs, op.rhs
    if (known := constant_value(op.cond)) is not None:
        return a if known else b
    if a.type == i1:
        otherwise = build.compute(ptx.AndOp, "pred", build.compute(ptx.NotOp, "pred", op.cond), b)
        then = build.compute(ptx.AndOp, "pred", op.cond, a)
        return build.compute(ptx.OrOp, "pred", then, otherwise)
    selected = build.compute(ptx.SelpOp, _type("b", a), a, b, op.cond)
    return _reinterpreted(build, selected, a.type)


def _reinterpreted(build: PtxBuilder, value: SSAValue, type_: Attribute) -> SSAValue:
    """The bits of a value as another type of the same width."""
    if value.type == type_:
        return value
    properties = {"type": _type("b", value)}
    return build.build(ptx.MovOp, {"a": (value,)}, properties, (type_,)).d


def _integer_cast(kind: str) -> Lowering:
    def lower(build: PtxBuilder, op: Any) -> SSAValue:
        value = cast(SSAValue, op.input)
        target = op.results[0].type
        target = INDEX if isinstance(target, IndexType) else cast(IntegerType, target)
        width = _width(value)
        if (known := constant_value(value)) is not None:
            return build.constant(
                _sign(known, width) if kind == "s" else known % (1 << width), target
            )
        if value.type == target:
            return value
        if value.type == i1:
            ones, zero = build.constant(-1 if kind == "s" else 1, target), build.constant(0, target)
            return build.compute(ptx.SelpOp, f"b{target.width.data}", ones, zero, value)
        if target == i1:
            bits, source = _type("b", value), cast(IntegerType, value.type)
            low = build.compute(ptx.AndOp, bits, value, build.constant(1, source))
            return build.compute(ptx.SetpOp, bits, low, build.constant(0, source), comparison="ne")
        return build.compute(
            ptx.CvtOp, f"{kind}{target.width.data}", value, source=_type(kind, value)
        )

    return lower


def _convert(to: str, source: str, rounding: str | None) -> Lowering:
    """A conversion that involves floats; `to` and `source` are `s`, `u` or `f`."""

    def name(kind: str, value: SSAValue) -> str:
        return _float_type(value) if kind == "f" else _type(kind, value)

    def lower(build: PtxBuilder, op: Any) -> SSAValue:
        value, result = cast(SSAValue, op.input), cast(SSAValue, op.results[0])
        qualifiers = {"source": name(source, value)}
        if rounding is not None:
            qualifiers["rounding"] = rounding
        return build.compute(ptx.CvtOp, name(to, result), value, **qualifiers)

    return lower


def _float_binary(build: PtxBuilder, op: Any) -> SSAValue:
    instruction, qualifiers = _FLOAT[type(op)]
    return build.compute(instruction, _float_type(op.lhs), op.lhs, op.rhs, **qualifiers)


def _negate(build: PtxBuilder, op: arith.NegfOp) -> SSAValue:
    return build.compute(ptx.NegOp, _float_type(op.operand), op.operand)


def _bitcast(build: PtxBuilder, op: arith.BitcastOp) -> SSAValue:
    _width(op.input)
    return _reinterpreted(build, op.input, op.result.type)


_LOWERINGS: Mapping[type[Operation], Lowering] = {
    arith.ConstantOp: _constant,
    **dict.fromkeys(_BINARY, _integer_binary),
    **dict.fromkeys(_SHIFTS, _shift),
    **dict.fromkeys(_FLOAT, _float_binary),
    arith.CmpiOp: _compare,
    arith.CmpfOp: _compare_floats,
    arith.SelectOp: _select,
    arith.NegfOp: _negate,
    arith.BitcastOp: _bitcast,
    arith.ExtSIOp: _integer_cast("s"),
    arith.ExtUIOp: _integer_cast("u"),
    arith.TruncIOp: _integer_cast("u"),
    arith.IndexCastOp: _integer_cast("s"),
    arith.ExtFOp: _convert("f", "f", None),
    arith.TruncFOp: _convert("f", "f", "rn"),
    arith.SIToFPOp: _convert("f", "s", "rn"),
    arith.UIToFPOp: _convert("f", "u", "rn"),
    arith.FPToSIOp: _convert("s", "f", "rzi"),
    arith.FPToUIOp: _convert("u", "f", "rzi"),
}


class ConvertArithToPtx(ModulePass):
    """Lowers scalar `arith`; `index` becomes a 64-bit integer."""

    name = "convert-arith-to-ptx"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        build = PtxBuilder()
        for inner in list(op.walk()):
            lower = _LOWERINGS.get(type(inner))
            if lower is not None:
                build.at = inner
                try:
                    result = lower(build, inner)
                except TypeError as error:
                    raise OperationError(inner, str(error)) from error
                Rewriter.replace_op(inner, (), (result,))
                continue
            if inner.name.startswith("arith."):
                raise OperationError(inner, "has no lowering to ptx")
            for values in (inner.results, *(b.args for r in inner.regions for b in r.blocks)):
                for value in values:
                    if isinstance(value.type, IndexType):
                        Rewriter.replace_value_with_new_type(value, INDEX)

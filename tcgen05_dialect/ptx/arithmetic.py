"""Arithmetic, logic, comparison, selection and conversion (PTX ISA 9.7.1 to 9.7.9)."""

from abc import ABC
from collections.abc import Mapping
from typing import ClassVar

from xdsl.irdl import (
    operand_def,
    result_def,
    var_operand_def,
    var_result_def,
)

from .instruction import PureInstruction, instruction, opt_qualifier, qualifier
from .registers import B32, B64, PRED, REGISTER

INTEGERS = ("u16", "s16", "u32", "s32", "u64", "s64")
FLOATS = ("f16", "bf16", "f32", "f64", "f16x2", "bf16x2")
BITS = ("b16", "b32", "b64")
ROUNDINGS = ("rn", "rz", "rm", "rp")
APPROXIMATIONS = ("approx", *ROUNDINGS)


class Binary(PureInstruction, ABC):
    """`d = op(a, b)`, all three of the type the qualifier `type` names."""

    a = operand_def(REGISTER)
    b = operand_def(REGISTER)
    d = result_def(REGISTER)
    TYPED: ClassVar[Mapping[str, str]] = {"a": "type", "b": "type", "d": "type"}


class Unary(PureInstruction, ABC):
    """`d = op(a)`, both of the type the qualifier `type` names."""

    a = operand_def(REGISTER)
    d = result_def(REGISTER)
    TYPED: ClassVar[Mapping[str, str]] = {"a": "type", "d": "type"}


@instruction("add.$rounding.$flush.$type %d, %a, %b")
class AddOp(Binary):
    name = "ptx.add"
    rounding = opt_qualifier(*ROUNDINGS)
    flush = opt_qualifier("ftz")
    type = qualifier(*INTEGERS, *FLOATS)


@instruction("sub.$rounding.$flush.$type %d, %a, %b")
class SubOp(Binary):
    name = "ptx.sub"
    rounding = opt_qualifier(*ROUNDINGS)
    flush = opt_qualifier("ftz")
    type = qualifier(*INTEGERS, *FLOATS)


@instruction("mul.$half.$rounding.$flush.$type %d, %a, %b")
class MulOp(Binary):
    """The product; of integers, its low or high half."""

    name = "ptx.mul"
    half = opt_qualifier("lo", "hi")
    rounding = opt_qualifier(*ROUNDINGS)
    flush = opt_qualifier("ftz")
    type = qualifier(*INTEGERS, *FLOATS)


@instruction("mul.wide.$type %d, %a, %b")
class MulWideOp(PureInstruction):
    """The 64-bit product of two 32-bit integers."""

    name = "ptx.mul.wide"
    type = qualifier("u32", "s32")
    a = operand_def(B32)
    b = operand_def(B32)
    d = result_def(B64)


@instruction("mad.lo.$type %d, %a, %b, %c")
class MadOp(PureInstruction):
    """The low half of `a * b`, plus `c`."""

    name = "ptx.mad"
    type = qualifier(*INTEGERS)
    a = operand_def(REGISTER)
    b = operand_def(REGISTER)
    c = operand_def(REGISTER)
    d = result_def(REGISTER)
    TYPED: ClassVar[Mapping[str, str]] = {"a": "type", "b": "type", "c": "type", "d": "type"}


@instruction("mad.wide.$type %d, %a, %b, %c")
class MadWideOp(PureInstruction):
    """The 64-bit product of two 32-bit integers, plus `c`."""

    name = "ptx.mad.wide"
    type = qualifier("u32", "s32")
    a = operand_def(B32)
    b = operand_def(B32)
    c = operand_def(B64)
    d = result_def(B64)


@instruction("fma.$rounding.$flush.$type %d, %a, %b, %c")
class FmaOp(PureInstruction):
    """`a * b + c`, rounded once."""

    name = "ptx.fma"
    rounding = qualifier(*ROUNDINGS)
    flush = opt_qualifier("ftz")
    type = qualifier(*FLOATS)
    a = operand_def(REGISTER)
    b = operand_def(REGISTER)
    c = operand_def(REGISTER)
    d = result_def(REGISTER)
    TYPED: ClassVar[Mapping[str, str]] = {"a": "type", "b": "type", "c": "type", "d": "type"}


@instruction("div.$rounding.$flush.$type %d, %a, %b")
class DivOp(Binary):
    name = "ptx.div"
    rounding = opt_qualifier("approx", "full", *ROUNDINGS)
    flush = opt_qualifier("ftz")
    type = qualifier(*INTEGERS, "f32", "f64")


@instruction("rem.$type %d, %a, %b")
class RemOp(Binary):
    name = "ptx.rem"
    type = qualifier(*INTEGERS)


@instruction("min.$flush.$nan.$type %d, %a, %b")
class MinOp(Binary):
    name = "ptx.min"
    flush = opt_qualifier("ftz")
    nan = opt_qualifier("NaN")
    type = qualifier(*INTEGERS, *FLOATS)


@instruction("max.$flush.$nan.$type %d, %a, %b")
class MaxOp(Binary):
    name = "ptx.max"
    flush = opt_qualifier("ftz")
    nan = opt_qualifier("NaN")
    type = qualifier(*INTEGERS, *FLOATS)


@instruction("and.$type %d, %a, %b")
class AndOp(Binary):
    name = "ptx.and"
    type = qualifier("pred", *BITS)


@instruction("or.$type %d, %a, %b")
class OrOp(Binary):
    name = "ptx.or"
    type = qualifier("pred", *BITS)


@instruction("xor.$type %d, %a, %b")
class XorOp(Binary):
    name = "ptx.xor"
    type = qualifier("pred", *BITS)


@instruction("not.$type %d, %a")
class NotOp(Unary):
    name = "ptx.not"
    type = qualifier("pred", *BITS)


@instruction("shl.$type %d, %a, %amount")
class ShlOp(PureInstruction):
    """`a` shifted left; amounts of the width or more give zero."""

    name = "ptx.shl"
    type = qualifier(*BITS)
    a = operand_def(REGISTER)
    amount = operand_def(B32)
    d = result_def(REGISTER)
    TYPED: ClassVar[Mapping[str, str]] = {"a": "type", "d": "type"}


@instruction("shr.$type %d, %a, %amount")
class ShrOp(PureInstruction):
    """`a` shifted right, filled by the sign if the type is signed."""

    name = "ptx.shr"
    type = qualifier(*BITS, *INTEGERS)
    a = operand_def(REGISTER)
    amount = operand_def(B32)
    d = result_def(REGISTER)
    TYPED: ClassVar[Mapping[str, str]] = {"a": "type", "d": "type"}


@instruction("neg.$flush.$type %d, %a")
class NegOp(Unary):
    name = "ptx.neg"
    flush = opt_qualifier("ftz")
    type = qualifier("s16", "s32", "s64", *FLOATS)


@instruction("abs.$flush.$type %d, %a")
class AbsOp(Unary):
    name = "ptx.abs"
    flush = opt_qualifier("ftz")
    type = qualifier("s16", "s32", "s64", *FLOATS)


@instruction("ex2.approx.$flush.$type %d, %a")
class Ex2Op(Unary):
    """Two to the power of `a`."""

    name = "ptx.ex2"
    flush = opt_qualifier("ftz")
    type = qualifier("f32", "f16")


@instruction("lg2.approx.$flush.$type %d, %a")
class Lg2Op(Unary):
    """The logarithm of `a` to base two."""

    name = "ptx.lg2"
    flush = opt_qualifier("ftz")
    type = qualifier("f32")


@instruction("rcp.$rounding.$flush.$type %d, %a")
class RcpOp(Unary):
    name = "ptx.rcp"
    rounding = qualifier(*APPROXIMATIONS)
    flush = opt_qualifier("ftz")
    type = qualifier("f32", "f64")


@instruction("sqrt.$rounding.$flush.$type %d, %a")
class SqrtOp(Unary):
    name = "ptx.sqrt"
    rounding = qualifier(*APPROXIMATIONS)
    flush = opt_qualifier("ftz")
    type = qualifier("f32", "f64")


@instruction("setp.$comparison.$type %d, %a, %b")
class SetpOp(PureInstruction):
    """A predicate: how `a` compares with `b`."""

    name = "ptx.setp"
    comparison = qualifier(
        *("eq", "ne", "lt", "le", "gt", "ge", "lo", "ls", "hi", "hs"),
        *("equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"),
    )
    type = qualifier(*BITS, *INTEGERS, "f16", "bf16", "f32", "f64")
    a = operand_def(REGISTER)
    b = operand_def(REGISTER)
    d = result_def(PRED)
    TYPED: ClassVar[Mapping[str, str]] = {"a": "type", "b": "type"}


@instruction("selp.$type %d, %a, %b, %condition")
class SelpOp(PureInstruction):
    """`a` if the condition holds, else `b`."""

    name = "ptx.selp"
    type = qualifier(*BITS, *INTEGERS, "f32", "f64")
    a = operand_def(REGISTER)
    b = operand_def(REGISTER)
    condition = operand_def(PRED)
    d = result_def(REGISTER)
    TYPED: ClassVar[Mapping[str, str]] = {"a": "type", "b": "type", "d": "type"}


@instruction("cvt.$rounding.$flush.$saturate.$type.$source %d, %a")
class CvtOp(PureInstruction):
    """Conversion from type `source` to type `type`."""

    name = "ptx.cvt"
    rounding = opt_qualifier(*ROUNDINGS, "rni", "rzi", "rmi", "rpi", "rna")
    flush = opt_qualifier("ftz")
    saturate = opt_qualifier("sat")
    type = qualifier(*INTEGERS, "u8", "s8", "f16", "bf16", "f32", "f64")
    source = qualifier(*INTEGERS, "u8", "s8", "f16", "bf16", "f32", "f64")
    a = operand_def(REGISTER)
    d = result_def(REGISTER)
    TYPED: ClassVar[Mapping[str, str]] = {"a": "source", "d": "type"}


@instruction("cvt.$rounding.$relu.$type.$source %d, %high, %low")
class CvtPackOp(PureInstruction):
    """Two f32 values converted into the halves of a register: `high` and `low`."""

    name = "ptx.cvt.pack"
    rounding = qualifier("rn", "rz")
    relu = opt_qualifier("relu")
    type = qualifier("f16x2", "bf16x2")
    source = qualifier("f32")
    high = operand_def(REGISTER)
    low = operand_def(REGISTER)
    d = result_def(B32)
    TYPED: ClassVar[Mapping[str, str]] = {"high": "source", "low": "source"}


@instruction("mov.$type %d, %a")
class MovOp(PureInstruction):
    """A copy; also the reinterpretation of a register's bits as another type."""

    name = "ptx.mov"
    type = qualifier("pred", *BITS)
    a = operand_def(REGISTER)
    d = result_def(REGISTER)
    TYPED: ClassVar[Mapping[str, str]] = {"a": "type", "d": "type"}


@instruction("mov.$type %d, {%parts}")
class PackOp(PureInstruction):
    """A register made from its parts, the lowest first."""

    name = "ptx.pack"
    type = qualifier("b32", "b64")
    parts = var_operand_def(REGISTER)
    d = result_def(REGISTER)
    TYPED: ClassVar[Mapping[str, str]] = {"d": "type"}


@instruction("mov.$type {%parts}, %a")
class UnpackOp(PureInstruction):
    """The parts of a register, the lowest first."""

    name = "ptx.unpack"
    type = qualifier("b32", "b64")
    a = operand_def(REGISTER)
    parts = var_result_def(REGISTER)
    TYPED: ClassVar[Mapping[str, str]] = {"a": "type"}

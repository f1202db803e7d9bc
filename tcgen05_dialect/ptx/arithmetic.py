"""Arithmetic, logic, comparison, selection and conversion (PTX ISA 9.7.1 to 9.7.9)."""

from abc import ABC
from collections.abc import Mapping
from typing import ClassVar

from xdsl.dialects.builtin import StringAttr
from xdsl.irdl import (
    operand_def,
    result_def,
    var_operand_def,
    var_result_def,
)
from xdsl.utils.exceptions import VerifyException

from ..isa.model.rule import Violation
from ..isa.ptx import conversion
from ..isa.ptx.arithmetic import (
    ABS,
    ADD,
    BITS,
    DIV,
    EX2,
    FMA,
    INTEGERS,
    LOGIC_TYPES,
    MAD_OF_FLOATS,
    MAX,
    MIN,
    MOV_TYPES,
    MUL,
    NEG,
    RCP,
    SELP_TYPES,
    SETP,
    SHR_TYPES,
    SQRT,
    SUB,
    WIDE_TYPES,
)
from ..isa.ptx.registers import TYPE_BITS
from .instruction import PureInstruction, instruction, opt_qualifier, opt_sinks, qualifier
from .register_types import ANY_REGISTER, B32, B64, PRED, REGISTER, REGISTER_OR_BYTE, register_bits
from .syntax import values_of


class Binary(PureInstruction, ABC):
    """`d = op(a, b)`; the qualifier `type` gives the type of all three."""

    a = operand_def(REGISTER)
    b = operand_def(REGISTER)
    d = result_def(REGISTER)
    TYPED: ClassVar[Mapping[str, str]] = {"a": "type", "b": "type", "d": "type"}


class Unary(PureInstruction, ABC):
    """`d = op(a)`; the qualifier `type` gives the type of both."""

    a = operand_def(REGISTER)
    d = result_def(REGISTER)
    TYPED: ClassVar[Mapping[str, str]] = {"a": "type", "d": "type"}


@instruction("add.$rounding.$flush.$saturate.$type %d, %a, %b", ADD)
class AddOp(Binary):
    name = "ptx.add"
    rounding = opt_qualifier(*ADD.values("rounding"))
    flush = opt_qualifier(*ADD.values("flush"))
    saturate = opt_qualifier(*ADD.values("saturate"))
    type = qualifier(*ADD.values("type"))


@instruction("sub.$rounding.$flush.$saturate.$type %d, %a, %b", SUB)
class SubOp(Binary):
    name = "ptx.sub"
    rounding = opt_qualifier(*SUB.values("rounding"))
    flush = opt_qualifier(*SUB.values("flush"))
    saturate = opt_qualifier(*SUB.values("saturate"))
    type = qualifier(*SUB.values("type"))


@instruction("mul.$half.$rounding.$flush.$saturate.$type %d, %a, %b", MUL)
class MulOp(Binary):
    """The product of floats, or the low or high half of the product of integers."""

    name = "ptx.mul"
    half = opt_qualifier(*MUL.values("half"))
    rounding = opt_qualifier(*MUL.values("rounding"))
    flush = opt_qualifier(*MUL.values("flush"))
    saturate = opt_qualifier(*MUL.values("saturate"))
    type = qualifier(*MUL.values("type"))


@instruction("mul.wide.$type %d, %a, %b")
class MulWideOp(PureInstruction):
    """The 64-bit product of two 32-bit integers."""

    name = "ptx.mul.wide"
    type = qualifier(*WIDE_TYPES)
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
    type = qualifier(*WIDE_TYPES)
    a = operand_def(B32)
    b = operand_def(B32)
    c = operand_def(B64)
    d = result_def(B64)


@instruction(
    "fma.$rounding.$flush.$saturate.$relu.$type %d, %a, %b, %c",
    FMA,
    MAD_OF_FLOATS,
    also={"mad": "mad.$rounding.$flush.$saturate.$relu.$type %d, %a, %b, %c"},
)
class FmaOp(PureInstruction):
    """`a * b + c`, rounded once."""

    name = "ptx.fma"
    rounding = qualifier(*FMA.values("rounding"))
    flush = opt_qualifier(*FMA.values("flush"))
    saturate = opt_qualifier(*FMA.values("saturate"))
    relu = opt_qualifier(*FMA.values("relu"))
    type = qualifier(*FMA.values("type"))
    a = operand_def(REGISTER)
    b = operand_def(REGISTER)
    c = operand_def(REGISTER)
    d = result_def(REGISTER)
    TYPED: ClassVar[Mapping[str, str]] = {"a": "type", "b": "type", "c": "type", "d": "type"}


@instruction("div.$rounding.$flush.$type %d, %a, %b", DIV)
class DivOp(Binary):
    name = "ptx.div"
    rounding = opt_qualifier(*DIV.values("rounding"))
    flush = opt_qualifier(*DIV.values("flush"))
    type = qualifier(*DIV.values("type"))


@instruction("rem.$type %d, %a, %b")
class RemOp(Binary):
    name = "ptx.rem"
    type = qualifier(*INTEGERS)


_XORSIGN = {"xorsign": {"xorsign": ".xorsign.abs"}}


@instruction("min.$flush.$nan.$xorsign.$type %d, %a, %b", MIN, spellings=_XORSIGN)
class MinOp(Binary):
    name = "ptx.min"
    flush = opt_qualifier(*MIN.values("flush"))
    nan = opt_qualifier(*MIN.values("nan"))
    xorsign = opt_qualifier(*MIN.values("xorsign"))
    type = qualifier(*MIN.values("type"))


@instruction("max.$flush.$nan.$xorsign.$type %d, %a, %b", MAX, spellings=_XORSIGN)
class MaxOp(Binary):
    name = "ptx.max"
    flush = opt_qualifier(*MAX.values("flush"))
    nan = opt_qualifier(*MAX.values("nan"))
    xorsign = opt_qualifier(*MAX.values("xorsign"))
    type = qualifier(*MAX.values("type"))


@instruction("and.$type %d, %a, %b")
class AndOp(Binary):
    name = "ptx.and"
    type = qualifier(*LOGIC_TYPES)


@instruction("or.$type %d, %a, %b")
class OrOp(Binary):
    name = "ptx.or"
    type = qualifier(*LOGIC_TYPES)


@instruction("xor.$type %d, %a, %b")
class XorOp(Binary):
    name = "ptx.xor"
    type = qualifier(*LOGIC_TYPES)


@instruction("not.$type %d, %a")
class NotOp(Unary):
    name = "ptx.not"
    type = qualifier(*LOGIC_TYPES)


@instruction("shl.$type %d, %a, %amount")
class ShlOp(PureInstruction):
    """`a` shifted left by `amount` bits; an amount of at least the width gives zero."""

    name = "ptx.shl"
    type = qualifier(*BITS)
    a = operand_def(REGISTER)
    amount = operand_def(B32)
    d = result_def(REGISTER)
    TYPED: ClassVar[Mapping[str, str]] = {"a": "type", "d": "type"}


@instruction("shr.$type %d, %a, %amount")
class ShrOp(PureInstruction):
    """`a` shifted right by `amount` bits; a signed type is filled with its sign."""

    name = "ptx.shr"
    type = qualifier(*SHR_TYPES)
    a = operand_def(REGISTER)
    amount = operand_def(B32)
    d = result_def(REGISTER)
    TYPED: ClassVar[Mapping[str, str]] = {"a": "type", "d": "type"}


@instruction("neg.$flush.$type %d, %a", NEG)
class NegOp(Unary):
    name = "ptx.neg"
    flush = opt_qualifier(*NEG.values("flush"))
    type = qualifier(*NEG.values("type"))


@instruction("abs.$flush.$type %d, %a", ABS)
class AbsOp(Unary):
    name = "ptx.abs"
    flush = opt_qualifier(*ABS.values("flush"))
    type = qualifier(*ABS.values("type"))


@instruction("ex2.approx.$flush.$type %d, %a", EX2)
class Ex2Op(Unary):
    """Two to the power of `a`."""

    name = "ptx.ex2"
    flush = opt_qualifier(*EX2.values("flush"))
    type = qualifier(*EX2.values("type"))


@instruction("lg2.approx.$flush.$type %d, %a")
class Lg2Op(Unary):
    """The logarithm of `a` to base two."""

    name = "ptx.lg2"
    flush = opt_qualifier("ftz")
    type = qualifier("f32")


@instruction("rcp.$rounding.$flush.$type %d, %a", RCP)
class RcpOp(Unary):
    name = "ptx.rcp"
    rounding = qualifier(*RCP.values("rounding"))
    flush = opt_qualifier(*RCP.values("flush"))
    type = qualifier(*RCP.values("type"))


@instruction("sqrt.$rounding.$flush.$type %d, %a", SQRT)
class SqrtOp(Unary):
    name = "ptx.sqrt"
    rounding = qualifier(*SQRT.values("rounding"))
    flush = opt_qualifier(*SQRT.values("flush"))
    type = qualifier(*SQRT.values("type"))


@instruction("setp.$comparison.$flush.$type %d, %a, %b", SETP)
class SetpOp(PureInstruction):
    """A predicate that holds if the comparison of `a` with `b` is true."""

    name = "ptx.setp"
    comparison = qualifier(*SETP.values("comparison"))
    flush = opt_qualifier(*SETP.values("flush"))
    type = qualifier(*SETP.values("type"))
    a = operand_def(REGISTER)
    b = operand_def(REGISTER)
    d = result_def(PRED)
    TYPED: ClassVar[Mapping[str, str]] = {"a": "type", "b": "type"}


@instruction("selp.$type %d, %a, %b, %condition")
class SelpOp(PureInstruction):
    """`a` if `condition` holds, else `b`."""

    name = "ptx.selp"
    type = qualifier(*SELP_TYPES)
    a = operand_def(REGISTER)
    b = operand_def(REGISTER)
    condition = operand_def(PRED)
    d = result_def(REGISTER)
    TYPED: ClassVar[Mapping[str, str]] = {"a": "type", "b": "type", "d": "type"}


@instruction("cvt.$rounding.$flush.$saturate.$relu.$type.$source %d, %a", conversion.CVT)
class CvtOp(PureInstruction):
    """`a` converted from type `source` to type `type`."""

    name = "ptx.cvt"
    rounding = opt_qualifier(*conversion.CVT.values("rounding"))
    flush = opt_qualifier(*conversion.CVT.values("flush"))
    saturate = opt_qualifier(*conversion.CVT.values("saturate"))
    relu = opt_qualifier(*conversion.CVT.values("relu"))
    type = qualifier(*conversion.CVT.values("type"))
    source = qualifier(*conversion.CVT.values("source"))
    a = operand_def(REGISTER_OR_BYTE)
    d = result_def(REGISTER_OR_BYTE)
    TYPED: ClassVar[Mapping[str, str]] = {"a": "source", "d": "type"}


@instruction("cvt.$rounding.$saturate.$relu.$type.$source %d, %high, %low", conversion.CVT_PACK)
class CvtPackOp(PureInstruction):
    """Two f32 values, converted and packed into the high and low half of a register."""

    name = "ptx.cvt.pack"
    rounding = qualifier(*conversion.CVT_PACK.values("rounding"))
    saturate = opt_qualifier(*conversion.CVT_PACK.values("saturate"))
    relu = opt_qualifier(*conversion.CVT_PACK.values("relu"))
    type = qualifier(*conversion.CVT_PACK.values("type"))
    source = qualifier(*conversion.CVT_PACK.values("source"))
    high = operand_def(REGISTER)
    low = operand_def(REGISTER)
    d = result_def(B32)
    TYPED: ClassVar[Mapping[str, str]] = {"high": "source", "low": "source", "d": "type"}


@instruction("mov.$type %d, %a")
class MovOp(PureInstruction):
    """A copy of `a`; the result may have another type of the same size."""

    name = "ptx.mov"
    type = qualifier(*MOV_TYPES)
    a = operand_def(ANY_REGISTER)
    d = result_def(ANY_REGISTER)
    TYPED: ClassVar[Mapping[str, str]] = {"a": "type", "d": "type"}


class _Packing(PureInstruction, ABC):
    """A register and its parts, lowest bits first."""

    @classmethod
    def element_bits(cls, name: str, qualifiers: Mapping[str, str], count: int) -> int | None:
        return TYPE_BITS[qualifiers["type"]] // count if name == "parts" else None

    def verify_(self) -> None:
        super().verify_()
        held = self.properties["type"]
        assert isinstance(held, StringAttr)
        parts = values_of(self, "parts")
        try:
            conversion.PACKING.check(type=held.data, parts=len(parts))
            for part in parts:
                bits = register_bits(part.type)
                conversion.PACKING.check(type=held.data, parts=len(parts), bits=bits)
        except Violation as violation:
            raise VerifyException(str(violation)) from violation


@instruction("mov.$type %d, {%parts}")
class PackOp(_Packing):
    """A register packed from its parts, lowest bits first."""

    name = "ptx.pack"
    type = qualifier(*conversion.PACKING.values("type"))
    parts = var_operand_def(REGISTER_OR_BYTE)
    d = result_def(ANY_REGISTER)
    TYPED: ClassVar[Mapping[str, str]] = {"d": "type"}


@instruction("mov.$type {%parts}, %a")
class UnpackOp(_Packing):
    """The parts of a register, lowest bits first. The results `sinks` are printed as `_`."""

    name = "ptx.unpack"
    type = qualifier(*conversion.PACKING.values("type"))
    a = operand_def(ANY_REGISTER)
    parts = var_result_def(REGISTER_OR_BYTE)
    sinks = opt_sinks()
    TYPED: ClassVar[Mapping[str, str]] = {"a": "type"}

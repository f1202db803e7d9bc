"""
Extended-precision arithmetic of integers (9.7.2).

A carry, or the borrow of a subtraction, is a value of the type `!ptx.carry`, which PTX does not
name: it is in the condition code register.
"""

from abc import ABC
from collections.abc import Mapping
from typing import ClassVar

from xdsl.irdl import operand_def, result_def
from xdsl.utils.exceptions import VerifyException

from ..isa.model.rule import Violation
from ..isa.ptx.extended_precision import HALVES, TYPES
from .analysis.registers import check_carry
from .instruction import PureInstruction, instruction, qualifier
from .register_types import CARRY, REGISTER


class _Sum(PureInstruction, ABC):
    type = qualifier(*TYPES)
    a = operand_def(REGISTER)
    b = operand_def(REGISTER)
    d = result_def(REGISTER)
    TYPED: ClassVar[Mapping[str, str]] = {"a": "type", "b": "type", "d": "type"}


class _SumOfProduct(PureInstruction, ABC):
    half = qualifier(*HALVES)
    type = qualifier(*TYPES)
    a = operand_def(REGISTER)
    b = operand_def(REGISTER)
    c = operand_def(REGISTER)
    d = result_def(REGISTER)
    TYPED: ClassVar[Mapping[str, str]] = {"a": "type", "b": "type", "c": "type", "d": "type"}


class CarryIn(PureInstruction, ABC):
    """An instruction that reads the condition code register."""

    carry = operand_def(CARRY)

    def verify_(self) -> None:
        super().verify_()
        try:
            check_carry(self, self.carry)
        except Violation as violation:
            raise VerifyException(str(violation)) from violation


class _CarryOut(PureInstruction, ABC):
    carry_out = result_def(CARRY)


@instruction("add.cc.$type %d, %a, %b~carry_out")
class AddCcOp(_Sum, _CarryOut):
    """`a + b`, with its carry."""

    name = "ptx.add.cc"


@instruction("addc.$type %d, %a, %b~carry")
class AddcOp(_Sum, CarryIn):
    """`a + b + carry`."""

    name = "ptx.addc"


@instruction("addc.cc.$type %d, %a, %b~carry~carry_out")
class AddcCcOp(_Sum, CarryIn, _CarryOut):
    """`a + b + carry`, with its carry."""

    name = "ptx.addc.cc"


@instruction("sub.cc.$type %d, %a, %b~carry_out")
class SubCcOp(_Sum, _CarryOut):
    """`a - b`, with its borrow."""

    name = "ptx.sub.cc"


@instruction("subc.$type %d, %a, %b~carry")
class SubcOp(_Sum, CarryIn):
    """`a - (b + carry)`, where `carry` is a borrow."""

    name = "ptx.subc"


@instruction("subc.cc.$type %d, %a, %b~carry~carry_out")
class SubcCcOp(_Sum, CarryIn, _CarryOut):
    """`a - (b + carry)`, with its borrow."""

    name = "ptx.subc.cc"


@instruction("mad.$half.cc.$type %d, %a, %b, %c~carry_out")
class MadCcOp(_SumOfProduct, _CarryOut):
    """A half of `a * b`, plus `c`, with the carry of the sum."""

    name = "ptx.mad.cc"


@instruction("madc.$half.$type %d, %a, %b, %c~carry")
class MadcOp(_SumOfProduct, CarryIn):
    """A half of `a * b`, plus `c + carry`."""

    name = "ptx.madc"


@instruction("madc.$half.cc.$type %d, %a, %b, %c~carry~carry_out")
class MadcCcOp(_SumOfProduct, CarryIn, _CarryOut):
    """A half of `a * b`, plus `c + carry`, with the carry of the sum."""

    name = "ptx.madc.cc"

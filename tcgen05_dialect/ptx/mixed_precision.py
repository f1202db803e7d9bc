"""Arithmetic of f32 with f16 and bf16 (9.7.5)."""

from abc import ABC
from collections.abc import Mapping
from typing import ClassVar

from xdsl.irdl import operand_def, result_def

from ..isa.ptx.mixed_precision import HALVES, PRODUCT_ROUNDINGS, SUM_ROUNDINGS, TYPES
from .instruction import PureInstruction, instruction, opt_qualifier, qualifier
from .register_types import REGISTER


class _Sum(PureInstruction, ABC):
    rounding = opt_qualifier(*SUM_ROUNDINGS)
    saturate = opt_qualifier("sat")
    type = qualifier(*TYPES)
    source = qualifier(*HALVES)
    a = operand_def(REGISTER)
    c = operand_def(REGISTER)
    d = result_def(REGISTER)
    TYPED: ClassVar[Mapping[str, str]] = {"a": "source", "c": "type", "d": "type"}


@instruction("add.$rounding.$saturate.$type.$source %d, !a, %c")
class AddMixedOp(_Sum):
    """`a + c`, where `a` is a half."""

    name = "ptx.add.mixed"


@instruction("sub.$rounding.$saturate.$type.$source %d, !a, %c")
class SubMixedOp(_Sum):
    """`a - c`, where `a` is a half."""

    name = "ptx.sub.mixed"


@instruction("fma.$rounding.$saturate.$type.$source %d, !a, !b, %c")
class FmaMixedOp(PureInstruction):
    """`a * b + c`, rounded once, where `a` and `b` are halves."""

    name = "ptx.fma.mixed"
    rounding = qualifier(*PRODUCT_ROUNDINGS)
    saturate = opt_qualifier("sat")
    type = qualifier(*TYPES)
    source = qualifier(*HALVES)
    a = operand_def(REGISTER)
    b = operand_def(REGISTER)
    c = operand_def(REGISTER)
    d = result_def(REGISTER)
    TYPED: ClassVar[Mapping[str, str]] = {"a": "source", "b": "source", "c": "type", "d": "type"}

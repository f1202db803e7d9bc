"""Comparisons with more than a predicate, and tests and signs of floats (9.7.3, 9.7.6, 9.7.7)."""

from collections.abc import Mapping
from typing import ClassVar

from xdsl.irdl import operand_def, opt_operand_def, result_def

from ..isa.ptx.arithmetic import SETP
from ..isa.ptx.comparison import COMBINATIONS, SET, SETP_PAIR, SLCT, TESTED_TYPES, TESTS
from .instruction import PureInstruction, instruction, opt_qualifier, qualifier
from .register_types import PRED, REGISTER

_SETP = "setp.$comparison.$combination.$flush.$type"
_OPERANDS = ", %a, %b?predicate(, %predicate)"


@instruction(
    f"{_SETP} %d|%other{_OPERANDS}",
    SETP_PAIR,
    also={
        "other_result": f"{_SETP} _|%other{_OPERANDS}",
        "first_result": f"{_SETP} %d|_{_OPERANDS}",
    },
)
class SetpPairOp(PureInstruction):
    """
    `d` holds if the comparison of `a` with `b` is true, and `other` holds if it is false. For
    packed numbers, `d` compares the lower halves and `other` the upper halves. Both are combined
    with `predicate` if it is given.
    """

    name = "ptx.setp_pair"
    comparison = qualifier(*SETP_PAIR.values("comparison"))
    combination = opt_qualifier(*SETP_PAIR.values("combination"))
    flush = opt_qualifier(*SETP_PAIR.values("flush"))
    type = qualifier(*SETP_PAIR.values("type"))
    a = operand_def(REGISTER)
    b = operand_def(REGISTER)
    predicate = opt_operand_def(PRED)
    d = result_def(PRED)
    other = result_def(PRED)
    TYPED: ClassVar[Mapping[str, str]] = {"a": "type", "b": "type"}


@instruction("setp.$comparison.$combination.$flush.$type %d, %a, %b, %c", SETP)
class SetpCombinedOp(PureInstruction):
    """The comparison of `a` with `b`, combined with `c`."""

    name = "ptx.setp_combined"
    comparison = qualifier(*SETP.values("comparison"))
    combination = qualifier(*COMBINATIONS)
    flush = opt_qualifier(*SETP.values("flush"))
    type = qualifier(*SETP.values("type"))
    a = operand_def(REGISTER)
    b = operand_def(REGISTER)
    c = operand_def(PRED)
    d = result_def(PRED)
    TYPED: ClassVar[Mapping[str, str]] = {"a": "type", "b": "type"}


@instruction("set.$comparison.$flush.$type.$source %d, %a, %b", SET)
class SetOp(PureInstruction):
    """All ones, or 1 as a float, if the comparison of `a` with `b` is true; else zero."""

    name = "ptx.set"
    comparison = qualifier(*SET.values("comparison"))
    flush = opt_qualifier(*SET.values("flush"))
    type = qualifier(*SET.values("type"))
    source = qualifier(*SET.values("source"))
    a = operand_def(REGISTER)
    b = operand_def(REGISTER)
    d = result_def(REGISTER)
    TYPED: ClassVar[Mapping[str, str]] = {"a": "source", "b": "source", "d": "type"}


@instruction("set.$comparison.$combination.$flush.$type.$source %d, %a, %b, %c", SET)
class SetCombinedOp(PureInstruction):
    """
    All ones, or 1 as a float, if the comparison of `a` with `b`, combined with `c`, is true; else
    zero. Of packed numbers each comparison is combined with `c`.
    """

    name = "ptx.set_combined"
    comparison = qualifier(*SET.values("comparison"))
    combination = qualifier(*COMBINATIONS)
    flush = opt_qualifier(*SET.values("flush"))
    type = qualifier(*SET.values("type"))
    source = qualifier(*SET.values("source"))
    a = operand_def(REGISTER)
    b = operand_def(REGISTER)
    c = operand_def(PRED)
    d = result_def(REGISTER)
    TYPED: ClassVar[Mapping[str, str]] = {"a": "source", "b": "source", "d": "type"}


@instruction("slct.$flush.$type.$source %d, %a, %b, %c", SLCT)
class SlctOp(PureInstruction):
    """`a` if `c` is at least zero, else `b`."""

    name = "ptx.slct"
    flush = opt_qualifier(*SLCT.values("flush"))
    type = qualifier(*SLCT.values("type"))
    source = qualifier(*SLCT.values("source"))
    a = operand_def(REGISTER)
    b = operand_def(REGISTER)
    c = operand_def(REGISTER)
    d = result_def(REGISTER)
    TYPED: ClassVar[Mapping[str, str]] = {"a": "type", "b": "type", "c": "source", "d": "type"}


@instruction("testp.$test.$type %d, %a")
class TestpOp(PureInstruction):
    """Whether `a` is a number of a class."""

    name = "ptx.testp"
    test = qualifier(*TESTS)
    type = qualifier(*TESTED_TYPES)
    a = operand_def(REGISTER)
    d = result_def(PRED)
    TYPED: ClassVar[Mapping[str, str]] = {"a": "type"}


@instruction("copysign.$type %d, %a, %b")
class CopysignOp(PureInstruction):
    """`b` with the sign of `a`."""

    name = "ptx.copysign"
    type = qualifier(*TESTED_TYPES)
    a = operand_def(REGISTER)
    b = operand_def(REGISTER)
    d = result_def(REGISTER)
    TYPED: ClassVar[Mapping[str, str]] = {"a": "type", "b": "type", "d": "type"}

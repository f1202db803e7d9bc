"""Less usual arithmetic of integers (9.7.1)."""

from abc import ABC
from collections.abc import Mapping
from typing import ClassVar

from xdsl.irdl import operand_def, result_def

from ..isa.ptx.arithmetic import INTEGERS
from ..isa.ptx.bits import DOT_TYPES, SHIFT_MODES
from ..isa.ptx.integers import (
    CNOT_TYPES,
    EXTENDED_TYPES,
    HALVES,
    PACKED_TYPES,
    RELU_TYPES,
    SAD_TYPES,
    SATURATING_TYPES,
    WORDS_24,
)
from .arithmetic import Binary, Unary
from .instruction import PureInstruction, instruction, qualifier
from .register_types import B32, REGISTER


class _Ternary(PureInstruction, ABC):
    a = operand_def(REGISTER)
    b = operand_def(REGISTER)
    c = operand_def(REGISTER)
    d = result_def(REGISTER)
    TYPED: ClassVar[Mapping[str, str]] = {"a": "type", "b": "type", "c": "type", "d": "type"}


@instruction("sad.$type %d, %a, %b, %c")
class SadOp(_Ternary):
    """The absolute value of the difference of `a` and `b`, plus `c`."""

    name = "ptx.sad"
    type = qualifier(*SAD_TYPES)


@instruction("mad.hi.$type %d, %a, %b, %c")
class MadHiOp(_Ternary):
    """The high half of `a * b`, plus `c`."""

    name = "ptx.mad.hi"
    type = qualifier(*INTEGERS)


@instruction("mul24.$half.$type %d, %a, %b")
class Mul24Op(Binary):
    """The low or the high 32 bits of the 48-bit product of the low 24 bits of `a` and `b`."""

    name = "ptx.mul24"
    half = qualifier(*HALVES)
    type = qualifier(*WORDS_24)


@instruction("mad24.$half.$type %d, %a, %b, %c")
class Mad24Op(_Ternary):
    """The low or the high 32 bits of the product of the low 24 bits of `a` and `b`, plus `c`."""

    name = "ptx.mad24"
    half = qualifier(*HALVES)
    type = qualifier(*WORDS_24)


@instruction("dp2a.$half.$a_type.$b_type %d, %a, %b, %c")
class Dp2aOp(PureInstruction):
    """The scalar product of the two halves of `a` and two bytes of `b`, plus `c`."""

    name = "ptx.dp2a"
    half = qualifier(*HALVES)
    a_type = qualifier(*DOT_TYPES)
    b_type = qualifier(*DOT_TYPES)
    a = operand_def(B32)
    b = operand_def(B32)
    c = operand_def(B32)
    d = result_def(B32)


@instruction("fns.b32 %d, %mask, %base, %offset")
class FnsOp(PureInstruction):
    """The position of a set bit of `mask`: the one that `offset` counts, beginning at bit `base`;
    all ones if there is none."""

    name = "ptx.fns"
    mask = operand_def(B32)
    base = operand_def(B32)
    offset = operand_def(B32)
    d = result_def(B32)


@instruction("cnot.$type %d, %a")
class CnotOp(Unary):
    """One if `a` is zero, else zero."""

    name = "ptx.cnot"
    type = qualifier(*CNOT_TYPES)


@instruction("add.sat.$type %d, %a, %b")
class AddSatOp(Binary):
    """The sum, limited to the range of the type."""

    name = "ptx.add.sat"
    type = qualifier(*SATURATING_TYPES)


@instruction("sub.sat.$type %d, %a, %b")
class SubSatOp(Binary):
    """The difference, limited to the range of the type."""

    name = "ptx.sub.sat"
    type = qualifier(*SATURATING_TYPES)


@instruction("add.$type %d, %a, %b")
class AddPackedOp(Binary):
    """The sums of both 16-bit integers of two registers."""

    name = "ptx.add.packed"
    type = qualifier(*PACKED_TYPES)


@instruction("min.$type %d, %a, %b")
class MinPackedOp(Binary):
    """The lesser of both 16-bit integers of two registers."""

    name = "ptx.min.packed"
    type = qualifier(*PACKED_TYPES)


@instruction("max.$type %d, %a, %b")
class MaxPackedOp(Binary):
    """The greater of both 16-bit integers of two registers."""

    name = "ptx.max.packed"
    type = qualifier(*PACKED_TYPES)


@instruction("min.relu.$type %d, %a, %b")
class MinReluOp(Binary):
    """The lesser of two integers, or of both 16-bit integers of two registers, but at least
    zero."""

    name = "ptx.min.relu"
    type = qualifier(*RELU_TYPES)


@instruction("max.relu.$type %d, %a, %b")
class MaxReluOp(Binary):
    """The greater of two integers, or of both 16-bit integers of two registers, but at least
    zero."""

    name = "ptx.max.relu"
    type = qualifier(*RELU_TYPES)


@instruction("mad.hi.sat.$type %d, %a, %b, %c")
class MadHiSatOp(_Ternary):
    """The high half of `a * b`, plus `c`, limited to the range of the type."""

    name = "ptx.mad.hi.sat"
    type = qualifier(*SATURATING_TYPES)


@instruction("mad24.hi.sat.$type %d, %a, %b, %c")
class Mad24SatOp(_Ternary):
    """The high 32 bits of the product of the low 24 bits of `a` and `b`, plus `c`, limited to the
    range of the type."""

    name = "ptx.mad24.sat"
    type = qualifier(*SATURATING_TYPES)


@instruction("szext.$mode.$type %d, %a, %length")
class SzextOp(PureInstruction):
    """The lowest `length` bits of `a`, extended with their sign or with zeros."""

    name = "ptx.szext"
    mode = qualifier(*SHIFT_MODES)
    type = qualifier(*EXTENDED_TYPES)
    a = operand_def(B32)
    length = operand_def(B32)
    d = result_def(B32)


@instruction("bmsk.$mode.b32 %d, %position, %length")
class BmskOp(PureInstruction):
    """A mask of `length` ones from bit `position` on."""

    name = "ptx.bmsk"
    mode = qualifier(*SHIFT_MODES)
    position = operand_def(B32)
    length = operand_def(B32)
    d = result_def(B32)

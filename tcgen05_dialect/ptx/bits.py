"""Instructions on the bits and bytes of integers (9.7.1, 9.7.8, 9.7.9.7)."""

from collections.abc import Mapping
from typing import ClassVar

from xdsl.irdl import operand_def, result_def

from ..isa.ptx.bits import (
    BYTE_SELECTIONS,
    DOT_TYPES,
    FIELD_TYPES,
    LOOK_UP_COMBINATIONS,
    LOOK_UP_TABLE,
    SHIFT_MODES,
    SHIFTS,
    WORDS,
)
from .instruction import PureInstruction, immediate, instruction, opt_qualifier, qualifier
from .register_types import B32, PRED, REGISTER


@instruction("bfe.$type %d, %a, %position, %length")
class BfeOp(PureInstruction):
    """
    The field of `length` bits at bit `position` of `a`. A signed type is extended with the highest
    bit of the field.
    """

    name = "ptx.bfe"
    type = qualifier(*FIELD_TYPES)
    a = operand_def(REGISTER)
    position = operand_def(B32)
    length = operand_def(B32)
    d = result_def(REGISTER)
    TYPED: ClassVar[Mapping[str, str]] = {"a": "type", "d": "type"}


@instruction("bfi.$type %d, %a, %b, %position, %length")
class BfiOp(PureInstruction):
    """`b` with the lowest `length` bits of `a` at bit `position`."""

    name = "ptx.bfi"
    type = qualifier(*WORDS)
    a = operand_def(REGISTER)
    b = operand_def(REGISTER)
    position = operand_def(B32)
    length = operand_def(B32)
    d = result_def(REGISTER)
    TYPED: ClassVar[Mapping[str, str]] = {"a": "type", "b": "type", "d": "type"}


@instruction("prmt.b32.$mode %d, %a, %b, %selector")
class PrmtOp(PureInstruction):
    """Four of the eight bytes of `b` and `a`; each digit of `selector` chooses one."""

    name = "ptx.prmt"
    mode = opt_qualifier(*BYTE_SELECTIONS)
    a = operand_def(B32)
    b = operand_def(B32)
    selector = operand_def(B32)
    d = result_def(B32)


@instruction("popc.$type %d, %a")
class PopcOp(PureInstruction):
    """The number of bits of `a` that are one."""

    name = "ptx.popc"
    type = qualifier(*WORDS)
    a = operand_def(REGISTER)
    d = result_def(B32)
    TYPED: ClassVar[Mapping[str, str]] = {"a": "type"}


@instruction("clz.$type %d, %a")
class ClzOp(PureInstruction):
    """The number of zeros above the highest bit of `a` that is one."""

    name = "ptx.clz"
    type = qualifier(*WORDS)
    a = operand_def(REGISTER)
    d = result_def(B32)
    TYPED: ClassVar[Mapping[str, str]] = {"a": "type"}


@instruction("bfind.$shift_amount.$type %d, %a")
class BfindOp(PureInstruction):
    """
    The position of the highest bit of `a` that differs from its sign, or the shift that brings it
    to the top; all ones if there is none.
    """

    name = "ptx.bfind"
    shift_amount = opt_qualifier("shiftamt")
    type = qualifier(*FIELD_TYPES)
    a = operand_def(REGISTER)
    d = result_def(B32)
    TYPED: ClassVar[Mapping[str, str]] = {"a": "type"}


@instruction("brev.$type %d, %a")
class BrevOp(PureInstruction):
    """The bits of `a` in reverse order."""

    name = "ptx.brev"
    type = qualifier(*WORDS)
    a = operand_def(REGISTER)
    d = result_def(REGISTER)
    TYPED: ClassVar[Mapping[str, str]] = {"a": "type", "d": "type"}


@instruction("shf.$direction.$mode.b32 %d, %low, %high, %amount")
class ShfOp(PureInstruction):
    """The upper half of `high` and `low` shifted left, or their lower half shifted right."""

    name = "ptx.shf"
    direction = qualifier(*SHIFTS)
    mode = qualifier(*SHIFT_MODES)
    low = operand_def(B32)
    high = operand_def(B32)
    amount = operand_def(B32)
    d = result_def(B32)


@instruction("lop3.b32 %d, %a, %b, %c, $table", limits={"table": LOOK_UP_TABLE})
class Lop3Op(PureInstruction):
    """For each bit, the entry of the look-up table that the bits of `a`, `b` and `c` select."""

    name = "ptx.lop3"
    a = operand_def(B32)
    b = operand_def(B32)
    c = operand_def(B32)
    table = immediate()
    d = result_def(B32)


_LOP3 = "%a, %b, %c, $table, %predicate"


@instruction(
    f"lop3.$operation.b32 %d|%holds, {_LOP3}",
    limits={"table": LOOK_UP_TABLE},
    also={"no_result": f"lop3.$operation.b32 _|%holds, {_LOP3}"},
)
class Lop3PredicateOp(PureInstruction):
    """The bits of a look-up table as for `ptx.lop3`, and whether any of them is set, combined with
    `predicate`."""

    name = "ptx.lop3.predicate"
    operation = qualifier(*LOOK_UP_COMBINATIONS)
    a = operand_def(B32)
    b = operand_def(B32)
    c = operand_def(B32)
    table = immediate()
    predicate = operand_def(PRED)
    d = result_def(B32)
    holds = result_def(PRED)


@instruction("dp4a.$a_type.$b_type %d, %a, %b, %c")
class Dp4aOp(PureInstruction):
    """The scalar product of the four bytes of `a` and `b`, plus `c`."""

    name = "ptx.dp4a"
    a_type = qualifier(*DOT_TYPES)
    b_type = qualifier(*DOT_TYPES)
    a = operand_def(B32)
    b = operand_def(B32)
    c = operand_def(B32)
    d = result_def(B32)

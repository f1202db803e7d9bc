"""Constant operands: the values of the operands of PTX text that are constant expressions."""

from collections.abc import Mapping, Sequence

from xdsl.dialects.builtin import AnyFloat, IntegerType, f32, i1, i8, i16, i32, i64
from xdsl.ir import Attribute, SSAValue

from ..isa.model.table import Limit
from ..isa.ptx import ptx_text
from ..isa.ptx.constant import CONVERTED_BITS
from ..isa.ptx.registers import TYPE_RULE
from ..ptx.structure import ConstantOp
from ..xdsl_support.attributes import bits_of, float_attribute
from .constant_expression import typed
from .operands import Leaf
from .tokens import Fault

INTEGERS: Mapping[Attribute, IntegerType] = {type_: type_ for type_ in (i1, i8, i16, i32, i64)}


def legal_integers(type_: IntegerType, limit: Limit | None) -> range | frozenset[int]:
    """The integers that a constant of a type may be; without `limit`, those that fit into it."""
    bits = type_.width.data
    return range(-(1 << bits - 1), 1 << bits) if limit is None else limit.values


def integer_constant(number: int, type_: IntegerType) -> ConstantOp:
    """The constant of a type for an integer in PTX text."""
    return ConstantOp.of(number != 0 if type_ == i1 else number, type_)


def constant(name: str, leaf: Leaf, types: Sequence[Attribute], limit: Limit | None) -> SSAValue:
    """
    The value of an operand that is a constant and may have one of `types`; `limit` gives its legal
    numbers if the instruction restricts them. Raises Fault.
    """
    number, kind = typed(leaf.words)
    for type_ in types:
        if isinstance(number, float) and isinstance(type_, AnyFloat):
            try:
                value = float_attribute(bits_of(number, type_), type_)
            except OverflowError:
                break
            constant = ConstantOp.create(properties={"value": value}, result_types=[type_])
            return constant.result
        if isinstance(number, float) and leaf.in_vector and (kind, type_) == ("f32", i32):
            return ConstantOp.of(bits_of(number, f32), i32).result
        if isinstance(number, int) and type_ in INTEGERS:
            bits = INTEGERS[type_].width.data
            rule = ptx_text.CONSTANT_RULE if limit is None else limit.rule
            legal = legal_integers(INTEGERS[type_], limit)
            if bits not in CONVERTED_BITS and number not in legal:
                violation = rule.violation(number, legal, rule.subject if limit else name)
                raise Fault(violation, leaf.start, leaf.end)
            return integer_constant(number, INTEGERS[type_]).result
    names = tuple(str(type_) for type_ in types)
    violation = TYPE_RULE.violation("".join(leaf.words), names, name)
    raise Fault(violation, leaf.start, leaf.end)

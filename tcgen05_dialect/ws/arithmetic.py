"""
Conversions of vectors that `arith` has only for scalars.

Masks of the vector of a thread.
"""

from abc import ABC
from collections.abc import Iterator, Sequence
from typing import ClassVar, Self, cast

from xdsl.dialects.builtin import AnyFloat, IntegerType, Signedness, VectorType
from xdsl.ir import Attribute
from xdsl.irdl import irdl_op_definition, operand_def, result_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure

from ..isa.model.rule import Violation, raise_any
from ..isa.warp_specialization import OPERAND_RULE
from ..ptx.register_types import B32
from ..tcgen05.base import violations_reported
from ..xdsl_support.construction import Operands, Properties
from .base import WsOperation, parse_value, print_attributes
from .vectors import vector_shape


class IntegersToFloats(WsOperation, ABC):
    """
    The integers of a vector as floating-point numbers.

    - `vector`: integers, such as sums of kind i8, or weights of 8 or 4 bits
    - `result`: as many floating-point numbers
    """

    SIGNED: ClassVar[bool]
    vector = operand_def(VectorType)
    result = result_def(VectorType)
    traits = traits_def(Pure())

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        vector = parse_value(parser)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation("->")
        return cls.create(
            operands=[vector], attributes=attributes, result_types=[parser.parse_type()]
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.vector)
        print_attributes(printer, self)
        printer.print_string(" -> ")
        printer.print_attribute(self.result.type)

    def verify_(self) -> None:
        with violations_reported():
            raise_any(self._violations())

    def _violations(self) -> Iterator[Violation]:
        given, made = vector_shape(self.vector.type), vector_shape(self.result.type)
        if given is None or not isinstance(given[1], IntegerType):
            legal = "a vector of integers with one dimension, such as vector<32xi32>"
            yield OPERAND_RULE.violation(self.vector.type, legal, "what a thread holds")
        elif cast("IntegerType", given[1]).signedness.data == _OTHER[self.SIGNED]:
            other = UIToFPOp if self.SIGNED else SIToFPOp
            legal = f"{'signed' if self.SIGNED else 'unsigned'} integers"
            what, help_ = "what a thread holds", f"use {other.name}"
            yield OPERAND_RULE.violation(self.vector.type, legal, what, help=help_)
        elif made is None or made[0] != given[0] or not isinstance(made[1], AnyFloat):
            legal = f"a vector of {given[0]} floating-point numbers"
            yield OPERAND_RULE.violation(self.result.type, legal, "the type of the result")


_OTHER = {True: Signedness.UNSIGNED, False: Signedness.SIGNED}


@irdl_op_definition
class SIToFPOp(IntegersToFloats):
    """
    The signed integers of a vector as floating-point numbers, as `arith.sitofp`, which xDSL's own
    verifier refuses for vectors.

        %result = ws.sitofp %vector -> <type>
    """

    name = "ws.sitofp"
    SIGNED: ClassVar[bool] = True


@irdl_op_definition
class UIToFPOp(IntegersToFloats):
    """
    The unsigned integers of a vector as floating-point numbers; see `ws.sitofp`.

        %result = ws.uitofp %vector -> <type>
    """

    name = "ws.uitofp"
    SIGNED: ClassVar[bool] = False


@irdl_op_definition
class KeepFirstOp(WsOperation):
    """
    The first elements of a vector as they are, and a number in place of the others.

        %result = ws.keep_first %count of %vector else %other

    A negative count keeps none, and a count beyond the vector keeps all. Masked softmax uses it to
    give the lowest number to the keys that a query must not see.

    - `count`: the number of elements to keep, with its sign
    - `vector`: the elements
    - `other`: a number of the type of the elements
    """

    name = "ws.keep_first"
    count = operand_def(B32)
    vector = operand_def(VectorType)
    other = operand_def()
    result = result_def(VectorType)
    traits = traits_def(Pure())

    @classmethod
    def inferred_types(cls, operands: Operands, properties: Properties) -> Sequence[Attribute]:
        return [operands["vector"][0].type]

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        count = parse_value(parser)
        parser.parse_keyword("of")
        vector = parse_value(parser)
        parser.parse_keyword("else")
        other = parse_value(parser)
        return cls.create(
            operands=[count, vector, other],
            attributes=parser.parse_optional_attr_dict(),
            result_types=[vector.type],
        )

    def print(self, printer: Printer) -> None:
        for word, value in (("", self.count), ("of ", self.vector), ("else ", self.other)):
            printer.print_string(f" {word}")
            printer.print_ssa_value(value)
        print_attributes(printer, self)

    def verify_(self) -> None:
        with violations_reported():
            raise_any(self._violations())

    def _violations(self) -> Iterator[Violation]:
        shape = vector_shape(self.vector.type)
        if shape is None:
            example = "a vector with one dimension, such as vector<32xf32>"
            yield OPERAND_RULE.violation(self.vector.type, example, "what a thread holds")
            return
        if self.result.type != self.vector.type:
            legal = f"{self.vector.type}, as the operand has"
            yield OPERAND_RULE.violation(self.result.type, legal, "the type of the result")
        if self.other.type != shape[1]:
            what, legal = "the type of the other number", f"{shape[1]}, as the elements have"
            yield OPERAND_RULE.violation(self.other.type, legal, what, culprit="other")

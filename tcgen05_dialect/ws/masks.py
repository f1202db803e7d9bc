"""Masks of the vector of a thread."""

from collections.abc import Iterator, Sequence
from typing import Self

from xdsl.dialects.builtin import VectorType
from xdsl.ir import Attribute
from xdsl.irdl import irdl_op_definition, operand_def, result_def, traits_def
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import Pure

from ..isa.model.rule import Violation, raise_any
from ..isa.warp_specialization import OPERAND_RULE
from ..ptx.register_types import B32
from ..tcgen05.base import violations_reported
from ..xdsl_support.constructible import Operands, Properties
from .base import WsOperation
from .text import parse_value, print_attributes
from .vector_access import vector_shape


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

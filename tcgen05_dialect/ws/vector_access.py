"""The base classes of loads and stores of vectors: a vector holds elements of one thread."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, ClassVar, Self, cast

from xdsl.dialects.builtin import (
    I64,
    DenseArrayBase,
    IntegerType,
    VectorType,
    f8E4M3FN,
    f8E5M2,
)
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import operand_def, prop_def, result_def, var_operand_def
from xdsl.parser import Parser
from xdsl.printer import Printer

from ..isa.model.rule import Violation, alternatives, raise_any
from ..isa.tensor_memory.cells import CELL_BITS
from ..isa.warp_specialization import OPERAND_RULE
from ..ptx.known_values import constant_value
from ..ptx.register_types import B32
from ..tcgen05.base import violations_reported
from .base import WsOperation
from .ranges import Range, range_of
from .roles import outside_violations
from .text import check_mixed, mixed, parse_indices, parse_value, print_attributes, print_indices

LEAST_BITS = 16
"""The bits of the smallest register."""
NARROW = (f8E4M3FN, f8E5M2)
"""Floating-point types of 8 bits, to and from which instructions convert two numbers at a time."""


def is_packed(element: Attribute) -> bool:
    """Whether registers hold several elements of a type, which are converted for arithmetic."""
    return element in NARROW or (isinstance(element, IntegerType) and element.bitwidth in (4, 8))


def vector_shape(type_: Attribute) -> tuple[int, Attribute] | None:
    """The number of elements of a vector and their type; None for other types."""
    if not isinstance(type_, VectorType):
        return None
    vector = cast("VectorType[Any]", type_)
    shape = vector.get_shape()
    return (shape[0], vector.get_element_type()) if len(shape) == 1 else None


def _element_violations(length: int, element: Attribute) -> Iterator[Violation]:
    """The violations by elements of vectors that are loaded or stored."""
    bits = getattr(element, "bitwidth", 0)
    if bits < LEAST_BITS and not (is_packed(element) and bits == 8):
        types = (f"a type of {LEAST_BITS} bits or more", "an integer of 8 bits", *map(str, NARROW))
        legal = alternatives(types)
        yield OPERAND_RULE.violation(element, legal, "the element type of the vector")
    elif bits < LEAST_BITS and length * bits % CELL_BITS:
        legal = f"a multiple of {CELL_BITS // bits}, the elements of a register"
        yield OPERAND_RULE.violation(length, legal, "the number of elements of the vector")


class Access(WsOperation, ABC):
    """A copy of the vector of each thread; `INDICES` are the names of the indices."""

    INDICES: ClassVar[tuple[str, ...]]
    indices = var_operand_def(B32)
    static_indices = prop_def(DenseArrayBase[I64])

    @property
    def mixed_indices(self) -> list[SSAValue | int]:
        """The indices, each a value or a number."""
        return mixed(self.indices, self.static_indices)

    def known_indices(self) -> list[int | None]:
        """The indices, each None if it is not constant."""
        return [
            each if isinstance(each, int) else constant_value(each) for each in self.mixed_indices
        ]

    def index_ranges(self) -> list[Range | None]:
        """The range of each index, None if it is not known."""
        return [range_of(each, self) for each in self.mixed_indices]

    @property
    @abstractmethod
    def memory(self) -> SSAValue:
        """The buffer or the pointer that is accessed."""

    @property
    @abstractmethod
    def vector(self) -> SSAValue:
        """The vector of each thread."""

    def verify_(self) -> None:
        with violations_reported():
            check_mixed(self.indices, self.static_indices)
            found, legal = len(self.static_indices.get_values()), len(self.INDICES)
            if found != legal:
                shown = f"{legal}: [{', '.join(self.INDICES)}]"
                raise OPERAND_RULE.violation(found, shown, "the number of indices")
            shape = vector_shape(self.vector.type)
            if shape is None:
                example = "a vector with one dimension, such as vector<32xf32>"
                raise OPERAND_RULE.violation(self.vector.type, example, "what a thread holds")
            raise_any(outside_violations(self))
            raise_any(_element_violations(*shape))
            raise_any(self.violations(*shape))

    @abstractmethod
    def violations(self, length: int, element: Attribute) -> Iterator[Violation]:
        """The violations by a vector of this length and element type."""

    def print_memory(self, printer: Printer) -> None:
        """Print the memory and the indices."""
        printer.print_ssa_value(self.memory)
        print_indices(printer, self.mixed_indices)

    @classmethod
    def parse_memory(cls, parser: Parser) -> tuple[list[SSAValue], dict[str, Attribute]]:
        """Parse the memory and the indices: operands and properties."""
        memory = parse_value(parser)
        values, numbers = parse_indices(parser)
        return [memory, *values], {"static_indices": numbers}


class Load(Access, ABC):
    """A load, which gives the vector of each thread."""

    result = result_def(VectorType)

    @property
    def vector(self) -> SSAValue:
        return self.result

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        operands, properties = cls.parse_memory(parser)
        attributes = parser.parse_optional_attr_dict()
        parser.parse_punctuation("->")
        return cls.create(
            operands=operands,
            properties=properties,
            attributes=attributes,
            result_types=[parser.parse_type()],
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        self.print_memory(printer)
        print_attributes(printer, self)
        printer.print_string(" -> ")
        printer.print_attribute(self.result.type)


class Store(Access, ABC):
    """A store of the vector of each thread."""

    value = operand_def(VectorType)

    @property
    def vector(self) -> SSAValue:
        return self.value

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        value = parse_value(parser)
        parser.parse_keyword("to")
        operands, properties = cls.parse_memory(parser)
        return cls.create(
            operands=[value, *operands],
            properties=properties,
            attributes=parser.parse_optional_attr_dict(),
        )

    def print(self, printer: Printer) -> None:
        printer.print_string(" ")
        printer.print_ssa_value(self.value)
        printer.print_string(" to ")
        self.print_memory(printer)
        print_attributes(printer, self)

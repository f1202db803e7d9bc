"""
The syntax of tcgen05 operations: qualifiers as keywords before the operands, as in PTX.

Attribute dictionaries hold the qualifiers in an older spelling, which is still read.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import TypeVar

from xdsl.dialects.builtin import IntegerAttr, StringAttr, UnitAttr, i32
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import IRDLOperation
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer

from ..isa.targets import CTA_GROUP
from ..ptx.assembly import expected
from ..ptx.tcgen05_base import identifier

Words = Mapping[str, Attribute]
"""Keyword -> value of the property that it stands for."""
NumberT = TypeVar("NumberT")

CTA_GROUP_WORDS: Words = {
    identifier("cta_group", ctas): IntegerAttr(ctas, i32) for ctas in CTA_GROUP.spellings
}
ONE_CTA = IntegerAttr(1, i32)


def words(names: Iterable[object]) -> Words:
    """Keywords that are the strings of a property."""
    return {name: StringAttr(name) for name in names if isinstance(name, str)}


def flag(name: str) -> Words:
    """The keyword of a property without a value."""
    return {name: UnitAttr()}


def parse_words(
    parser: Parser, qualifiers: Mapping[str, Words], properties: dict[str, Attribute]
) -> None:
    """Parse keywords, in any order, into properties."""
    known = {
        word: (name, value) for name, each in qualifiers.items() for word, value in each.items()
    }
    while True:
        position = parser.pos
        word = parser.parse_optional_keyword_in(known)
        if word is None:
            return
        name, value = known[word]
        if name in properties:
            parser.raise_error(f"{name} is given twice", position)
        properties[name] = value


def parse_first_operand(
    parser: Parser,
    qualifiers: Mapping[str, Words],
    properties: Mapping[str, Attribute],
    *others: str,
) -> UnresolvedOperand:
    """Parse the operand after keywords; the error names the keywords that are still possible."""
    operand = parser.parse_optional_unresolved_operand()
    if operand is None:
        left = [word for name in qualifiers.keys() - properties for word in qualifiers[name]]
        return parser.parse_unresolved_operand(expected("an operand", [*left, *others]))
    return operand


def print_words(
    printer: Printer, qualifiers: Mapping[str, Words], properties: Mapping[str, Attribute]
) -> None:
    """Print the properties that are not the default as keywords."""
    for name, each in qualifiers.items():
        value = properties.get(name)
        if value is not None and value != ONE_CTA:
            word = next((word for word, known in each.items() if known == value), None)
            printer.print_string(f" {word or _unknown(name, value)}")


def _unknown(name: str, value: Attribute) -> str:
    """The text of a value that the verifier refuses."""
    if isinstance(value, IntegerAttr):
        return identifier(name, value.value.data)
    return value.data if isinstance(value, StringAttr) else name


def parse_attributes(
    parser: Parser, op_type: type[IRDLOperation], properties: dict[str, Attribute]
) -> dict[str, Attribute]:
    """Parse a dictionary; properties in it are moved. The default of a missing one is added."""
    position = parser.pos
    attributes = parser.parse_optional_attr_dict()
    for name, definition in op_type.get_irdl_definition().properties.items():
        if name in attributes:
            if name in properties:
                parser.raise_error(f"{name} is given twice", position)
            properties[name] = attributes.pop(name)
        elif name not in properties and definition.default_value is not None:
            properties[name] = definition.default_value
    return attributes


def parse_number(parser: Parser, name: str, parse: Callable[[Parser], NumberT]) -> NumberT | None:
    """Parse `[name = number]` after an operand; None if there is none."""
    if parser.parse_optional_punctuation("[") is None:
        return None
    parser.parse_keyword(name)
    parser.parse_punctuation("=")
    number = parse(parser)
    parser.parse_punctuation("]")
    return number


def parse_offset(parser: Parser, name: str, properties: dict[str, Attribute]) -> None:
    """Parse `[k = number]`, an offset along K, into a property."""
    number = parse_number(parser, "k", Parser.parse_integer)
    if number:
        properties[name] = IntegerAttr(number, i32)


def print_offset(printer: Printer, offset: Attribute | None) -> None:
    """Print `[k = number]` unless there is no offset."""
    if isinstance(offset, IntegerAttr):
        printer.print_string(f"[k = {offset.value.data}]")


def parse_types(parser: Parser, count: int) -> list[Attribute]:
    """Parse `: type, type`."""
    parser.parse_punctuation(":")
    types: list[Attribute] = [parser.parse_type()]
    while len(types) < count:
        parser.parse_punctuation(",")
        types.append(parser.parse_type())
    return types


def print_types(printer: Printer, values: Iterable[SSAValue]) -> None:
    """Print `: type, type`."""
    printer.print_string(" : ")
    printer.print_list([value.type for value in values], printer.print_attribute)

"""
Base classes of the operations of `tcgen05`, and their syntax: qualifiers as keywords before the
operands, as in PTX.

Attribute dictionaries hold the qualifiers in an older spelling, which is still read.
"""

from abc import ABC
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from typing import ClassVar, Self, cast

from typing_extensions import TypeVar
from xdsl.dialects.builtin import IntegerAttr, StringAttr, UnitAttr, i32
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
    IRDLOperation,
    ParsePropInAttrDict,
    operand_def,
    opt_operand_def,
    prop_def,
    traits_def,
)
from xdsl.parser import Parser, UnresolvedOperand
from xdsl.printer import Printer
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect
from xdsl.utils.exceptions import VerifyException

from ..isa.mma.products import ROLE
from ..isa.model.rule import Violation
from ..isa.model.table import Mnemonic
from ..isa.targets import CTA_GROUP, check_feature, first_version, parse_version
from ..ptx.register_types import INTEGER_32, OneOf, describe_types
from ..ptx.tcgen05 import identifier
from ..ptx.text.assembly import expected
from ..ptx.types import known_target_of
from ..xdsl_support.construction import ConstructedOperation

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


AttributeT = TypeVar("AttributeT", bound=Attribute)


def typed_operand(
    *types: type[AttributeT],
    what: str = "",
    role: str = "",
    refused: type[Attribute] | None = None,
) -> SSAValue[AttributeT]:
    """
    Declare an operand of one of these types, in a way that Python type checkers understand.

    `what` is the name of the operand in messages; `role` is its required role in tensor memory.
    The verifier of the operation refuses the type `refused`, as it knows the other operands.
    """
    left = () if refused is None else (refused,)
    return cast("SSAValue[AttributeT]", operand_def(_one_of(types, what, role, left)))


def optional_typed_operand(
    *types: type[AttributeT], what: str = "", role: str = ""
) -> SSAValue[AttributeT] | None:
    """Declare an operand that may be absent; see `typed_operand`."""
    return cast("SSAValue[AttributeT] | None", opt_operand_def(_one_of(types, what, role, ())))


def _one_of(
    types: tuple[type[Attribute], ...], what: str, role: str, left: tuple[type[Attribute], ...]
) -> OneOf:
    first, *others = describe_types(types)
    expected = " or ".join((f"{first} of role {role}" if role else first, *others))
    return OneOf(types, ROLE, what, expected, left)


@contextmanager
def violations_reported() -> Generator[None]:
    """Turn each Violation raised inside into a VerifyException."""
    try:
        yield
    except Violation as violation:
        raise VerifyException(str(violation)) from violation


class Tcgen05Operation(ConstructedOperation, ABC):
    """An operation with an effect on tensor memory or on synchronisation."""

    irdl_options = (ParsePropInAttrDict(),)
    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

    def required_features(self) -> tuple[str, ...]:
        """The target features that the operation needs besides tcgen05 (see `targets.FEATURES`)."""
        return ()

    def check_target(self) -> None:
        """
        Check that the target of the module supports this operation.

        A module without a target is not checked. Raises Violation.
        """
        features = self.required_features()
        target = known_target_of(self) if features else None
        if target is not None:
            version = parse_version(target.version.data)
            for feature in features:
                check_feature(feature, target.target.data, version)

    def has_feature(self, feature: str) -> bool:
        """Whether the target of the module is known and has this feature. Raises Violation."""
        target = known_target_of(self)
        if target is None:
            return False
        first = first_version(feature, target.target.data)
        return first is not None and parse_version(target.version.data) >= first


class CtaGroupOperation(Tcgen05Operation, ABC):
    """
    An operation for one CTA or, with `cta_group_2`, for a CTA pair (PTX ISA 9.7.16.5).

    - `cta_group`: the number of CTAs; it is the same for all operations of a kernel
    """

    cta_group = prop_def(INTEGER_32, ONE_CTA)

    QUALIFIERS: ClassVar[Mapping[str, Words]] = {"cta_group": CTA_GROUP_WORDS}
    """Properties that are written as keywords before the operands."""
    TYPED: ClassVar[tuple[str, ...]] = ()
    """Operands whose types are written at the end; hints of the parser read them, too."""
    OFFSETS: ClassVar[Mapping[str, str]] = {}
    """Operands that may have an offset along K -> the property that holds it."""

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        properties: dict[str, Attribute] = {}
        parse_words(parser, cls.QUALIFIERS, properties)
        found: dict[str, UnresolvedOperand] = {}
        for name, _ in cls.get_irdl_definition().operands:
            if found:
                parser.parse_punctuation(",")
                found[name] = parser.parse_unresolved_operand()
            else:
                found[name] = parse_first_operand(parser, cls.QUALIFIERS, properties)
            if name in cls.OFFSETS:
                parse_offset(parser, cls.OFFSETS[name], properties)
        attributes = parse_attributes(parser, cls, properties)
        types = parse_types(parser, len(cls.TYPED)) if cls.TYPED else ()
        typed = dict(zip(cls.TYPED, types, strict=True))
        operands = [
            parser.resolve_operand(operand, typed.get(name, i32)) for name, operand in found.items()
        ]
        return cls.create(operands=operands, properties=properties, attributes=attributes)

    def print(self, printer: Printer) -> None:
        print_words(printer, self.QUALIFIERS, self.properties)
        names = [name for name, _ in self.get_irdl_definition().operands]
        for index, (name, value) in enumerate(zip(names, self.operands, strict=True)):
            printer.print_string(", " if index else " ")
            printer.print_ssa_value(value)
            if name in self.OFFSETS:
                print_offset(printer, self.properties.get(self.OFFSETS[name]))
        printer.print_op_attributes(self.attributes)
        if self.TYPED:
            print_types(
                printer, [v for n, v in zip(names, self.operands, strict=True) if n in self.TYPED]
            )

    @property
    def ctas(self) -> int:
        """The number of CTAs, 1 or 2."""
        return self.cta_group.value.data

    def verify_(self) -> None:
        with violations_reported():
            CTA_GROUP.check(self.ctas)


class KeywordOperation(Tcgen05Operation, ABC):
    """An operation without operands, whose only parameter is a qualifier of the instruction."""

    KEYWORD: ClassVar[tuple[Mnemonic, str]]
    """The instruction, and the qualifier that is held by the property of the same name."""

    @classmethod
    def _words(cls) -> tuple[str, ...]:
        mnemonic, name = cls.KEYWORD
        return tuple(mnemonic.qualifiers[name].spellings)

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        word = parser.parse_keyword_in(cls._words())
        attributes = parser.parse_optional_attr_dict()
        return cls.create(properties={cls.KEYWORD[1]: StringAttr(word)}, attributes=attributes)

    @property
    def word(self) -> str:
        """The value of the qualifier."""
        word = self.properties[self.KEYWORD[1]]
        assert isinstance(word, StringAttr)
        return word.data

    def print(self, printer: Printer) -> None:
        printer.print_string(f" {self.word}")
        printer.print_op_attributes(self.attributes)

    def verify_(self) -> None:
        mnemonic, name = self.KEYWORD
        with violations_reported():
            mnemonic.qualifiers[name].check(self.word)


def values_of(op: Operation, name: str) -> Sequence[SSAValue]:
    """The values of the operand `name`; empty if the operation does not have it."""
    values: SSAValue | Sequence[SSAValue] | None = getattr(op, name, None)
    if values is None:
        return ()
    return (values,) if isinstance(values, SSAValue) else values

"""Base classes of the operations of the `tcgen05` dialect."""

from abc import ABC
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import ClassVar, Self, cast

from typing_extensions import TypeVar
from xdsl.dialects.builtin import ModuleOp, StringAttr, i32
from xdsl.ir import Attribute, Operation, SSAValue
from xdsl.irdl import (
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
from ..isa.model.instruction import Mnemonic
from ..isa.model.rule import Violation
from ..isa.targets import CTA_GROUP, check_feature, first_version, parse_version
from ..ptx.constraints import INTEGER_32, OneOf, describe_types
from ..ptx.target import TargetAttr, known_target_of
from ..xdsl_support.construction import ConstructedOperation
from .syntax import (
    CTA_GROUP_WORDS,
    ONE_CTA,
    Words,
    parse_attributes,
    parse_first_operand,
    parse_offset,
    parse_types,
    parse_words,
    print_offset,
    print_types,
    print_words,
)

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

    def known_target(self) -> TargetAttr | None:
        """The target of the module; None if it has none or an unknown one."""
        module = self.get_toplevel_object()
        return known_target_of(module) if isinstance(module, ModuleOp) else None

    def check_target(self) -> None:
        """
        Check that the target of the module supports this operation.

        A module without a target is not checked. Raises Violation.
        """
        features = self.required_features()
        target = self.known_target() if features else None
        if target is not None:
            version = parse_version(target.version.data)
            for feature in features:
                check_feature(feature, target.target.data, version)

    def has_feature(self, feature: str) -> bool:
        """Whether the target of the module is known and has this feature. Raises Violation."""
        target = self.known_target()
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

"""The base class of the operations of the `ptx` dialect that are PTX instructions."""

from abc import ABC
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import ClassVar, Self

from typing_extensions import TypeVar
from xdsl.dialects.builtin import I32, DenseArrayBase, IntegerAttr, StringAttr, i32
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AttrConstraint,
    AttrSetConstraint,
    AttrSizedOperandSegments,
    ConstraintContext,
    EqAttrConstraint,
    IRDLOperation,
    OperandDef,
    OptPropertyDef,
    PropertyDef,
    ResultDef,
    VariadicDef,
    irdl_op_definition,
    opt_prop_def,
    prop_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect, Pure
from xdsl.utils.exceptions import VerifyException

from .registers import TYPES
from .syntax import (
    Element,
    Formatter,
    Group,
    Immediate,
    Qualifier,
    Spellings,
    Values,
    formatter,
    parse_syntax,
    values_of,
)


def _spellings(values: Sequence[str]) -> AttrConstraint[StringAttr]:
    return AttrSetConstraint.get(*(StringAttr(value) for value in values))


def qualifier(*values: str) -> StringAttr:
    """A property that holds one of these qualifiers, spelled as in PTX without the dot."""
    return prop_def(_spellings(values))


def opt_qualifier(*values: str) -> StringAttr | None:
    """A qualifier that may be left out."""
    return opt_prop_def(_spellings(values))


def immediate() -> IntegerAttr[I32]:
    """A property that is printed as an immediate operand."""
    return prop_def(IntegerAttr[I32])


def opt_immediate() -> IntegerAttr[I32] | None:
    """An immediate operand that may be left out."""
    return opt_prop_def(IntegerAttr[I32])


def opt_offset() -> IntegerAttr[I32] | None:
    """The immediate byte offset of the address operand whose name the property begins with."""
    return opt_prop_def(IntegerAttr[I32])


@dataclass(frozen=True)
class Value:
    """What the syntax needs to know of an operand or a result."""

    name: str
    type: Attribute | None
    """The register type, if there is one only."""
    follows: str | None
    """The qualifier that gives the register type otherwise."""
    variadic: bool

    def usual_type(self, properties: Mapping[str, Attribute]) -> Attribute:
        """The type the value has unless the IR says otherwise."""
        if self.type is not None:
            return self.type
        spelling = None if self.follows is None else properties.get(self.follows)
        return TYPES[spelling.data][0] if isinstance(spelling, StringAttr) else i32


@dataclass(frozen=True)
class SpelledQualifier:
    """A qualifier as IR spells it."""

    name: str
    spellings: frozenset[str]
    optional: bool


class Syntax:
    """The syntax line of an instruction, compiled."""

    ptx: Formatter
    qualifiers: tuple[SpelledQualifier, ...]
    operands: tuple[Element, ...]
    """The elements of the operand list that IR spells, without the results."""
    values: Mapping[str, Value]
    """The operands and the results by name."""
    results: tuple[Value, ...]
    addresses: tuple[str, ...]
    """The operands that stand in brackets, where a variable may stand in for a register."""
    vectors: tuple[str, ...]
    """The operands whose elements must be registers."""
    is_block: bool
    """Whether the text is a block in braces, which takes no guard and no semicolon."""
    segmented: bool
    """Whether the operation holds the sizes of its operand segments."""

    def __init__(self, op_type: "type[Instruction]"):
        definition = op_type.get_irdl_definition()
        text, spellings = _LINES[op_type]
        line = parse_syntax(text)
        self.ptx = formatter(line, spellings)
        self.results = tuple(_value(op_type, *result) for result in definition.results)
        operands = [_value(op_type, *operand) for operand in definition.operands]
        self.values = {value.name: value for value in (*operands, *self.results)}
        self.qualifiers = tuple(
            _qualifier(element.name, definition.properties[element.name])
            for element in _flatten(line)
            if isinstance(element, Qualifier)
        )
        self.operands = tuple(_spelled(line, {value.name for value in self.results}))
        self.addresses = self._operands_of_form("[")
        self.vectors = self._operands_of_form("!")
        self.is_block = text.startswith("{\n")
        self.segmented = any(
            isinstance(option, AttrSizedOperandSegments) for option in definition.options
        )

    def _operands_of_form(self, form: str) -> tuple[str, ...]:
        elements = _flatten(self.operands)
        return tuple(e.name for e in elements if isinstance(e, Values) and e.form == form)


def _value(op_type: "type[Instruction]", name: str, definition: OperandDef | ResultDef) -> Value:
    constraint = definition.constr
    known = constraint.can_infer(frozenset(), length_known=True)
    register = constraint.infer(ConstraintContext(), length=1)[0] if known else None
    return Value(name, register, op_type.TYPED.get(name), isinstance(definition, VariadicDef))


def _qualifier(name: str, definition: PropertyDef) -> SpelledQualifier:
    match definition.constr:
        case AttrSetConstraint(values=values):
            attributes: frozenset[Attribute] = values
        case EqAttrConstraint(attr=attribute):
            attributes = frozenset((attribute,))
        case constraint:
            raise TypeError(f"qualifier {name} has no set of spellings: {constraint}")
    spellings = frozenset(a.data for a in attributes if isinstance(a, StringAttr))
    return SpelledQualifier(name, spellings, isinstance(definition, OptPropertyDef))


def _flatten(elements: Sequence[Element]) -> Iterator[Element]:
    for element in elements:
        if isinstance(element, Group):
            yield from _flatten(element.elements)
        else:
            yield element


def _spelled(elements: Sequence[Element], results: set[str]) -> Iterator[Element]:
    """What IR spells after the qualifiers; a group once, however often PTX mentions it."""
    seen: set[str] = set()
    for element in elements:
        match element:
            case Values(name) if name not in results:
                yield element
            case Immediate():
                yield element
            case Group(name, several=False) if name not in seen:
                seen.add(name)
                yield element
            case _:
                pass


@cache
def syntax_of(op_type: "type[Instruction]") -> Syntax:
    """The compiled syntax line of an instruction."""
    return Syntax(op_type)


_LINES: dict[type[IRDLOperation], tuple[str, Spellings]] = {}

InstructionT = TypeVar("InstructionT", bound="Instruction")


def instruction(
    line: str, spellings: Spellings | None = None
) -> Callable[[type[InstructionT]], type[InstructionT]]:
    """
    Define an operation that is a PTX instruction with this syntax line; see `ptx.syntax`.

    `spellings` gives the PTX text of qualifiers whose text in IR is another.
    """

    def define(op_type: type[InstructionT]) -> type[InstructionT]:
        op_type = irdl_op_definition(op_type)
        _LINES[op_type] = line, spellings or {}
        return op_type

    return define


class Instruction(IRDLOperation, ABC):
    """A PTX instruction. Its text in PTX and in IR follows from its syntax line."""

    TYPED: ClassVar[Mapping[str, str]] = {}
    """Operand or result -> the qualifier that gives its type, where it is not fixed."""

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        from .assembly import parse_instruction

        return parse_instruction(cls, parser)

    def print(self, printer: Printer) -> None:
        from .assembly import print_instruction

        print_instruction(self, printer)

    @classmethod
    def assemble(
        cls,
        operands: Mapping[str, Sequence[SSAValue]],
        result_types: Sequence[Attribute] | None = None,
        properties: Mapping[str, Attribute | str | int] | None = None,
        attributes: Mapping[str, Attribute] | None = None,
    ) -> Self:
        """
        Create the operation from its operands by name.

        Properties may be given as the text of a qualifier or as an integer. Without
        `result_types` each result of fixed number has the type its qualifier says.
        """
        syntax = syntax_of(cls)
        held: dict[str, Attribute] = {
            name: StringAttr(value)
            if isinstance(value, str)
            else (IntegerAttr(value, i32) if isinstance(value, int) else value)
            for name, value in (properties or {}).items()
        }
        names = [name for name, _ in cls.get_irdl_definition().operands]
        if syntax.segmented:
            sizes = [len(operands.get(name, ())) for name in names]
            held["operandSegmentSizes"] = DenseArrayBase.from_list(i32, sizes)
        if result_types is None:
            result_types = [
                result.usual_type(held) for result in syntax.results if not result.variadic
            ]
        return cls.create(
            operands=[value for name in names for value in operands.get(name, ())],
            result_types=result_types,
            properties=held,
            attributes=attributes or {},
        )

    def verify_(self) -> None:
        for name, type_qualifier in self.TYPED.items():
            spelling = self.properties[type_qualifier]
            assert isinstance(spelling, StringAttr)
            legal = TYPES[spelling.data]
            for value in values_of(self, name):
                if value.type not in legal:
                    expected = " or ".join(map(str, legal))
                    raise VerifyException(
                        f"{name} of a .{spelling.data} instruction has type {value.type}; "
                        f"legal: {expected}"
                    )


class PureInstruction(Instruction, ABC):
    """An instruction that only computes its results."""

    traits = traits_def(Pure())


class EffectInstruction(Instruction, ABC):
    """
    An instruction that synchronises, or reads or writes memory.

    The write effect keeps xDSL's rewriting and dead code elimination from erasing it.
    """

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

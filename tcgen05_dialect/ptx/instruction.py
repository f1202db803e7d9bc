"""The base class of PTX instructions in the `ptx` dialect."""

import re
from abc import ABC
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache, partial
from threading import RLock
from typing import ClassVar, Self

from typing_extensions import TypeVar
from xdsl.dialects.builtin import I32, DenseArrayBase, IntegerAttr, StringAttr, i32
from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import (
    AttrConstraint,
    IRDLOperation,
    OpDef,
    get_accessors_from_op_def,
    opt_prop_def,
    prop_def,
    traits_def,
)
from xdsl.parser import Parser
from xdsl.printer import Printer
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect, Pure
from xdsl.utils.exceptions import VerifyException

from ..isa.instructions.table import WordOf
from ..isa.model.rule import Violation
from ..isa.model.table import Limit, Table
from ..isa.targets import Version
from ..xdsl_support.attributes import integer, text
from ..xdsl_support.construction import ConstructedOperation, Operands, Properties
from .register_types import INTEGER_32, SINKS, Spelled
from .text.assembly import parse_instruction, print_instruction
from .text.compiled_syntax import CompiledSyntax, Declaration
from .text.syntax import SPELLING, Spellings


def _spellings(values: Sequence[str | None]) -> AttrConstraint[StringAttr]:
    return Spelled(frozenset(StringAttr(value) for value in values if value is not None))


def qualifier(*values: str) -> StringAttr:
    """A qualifier: a property with one of these values, spelled as in PTX without the dot."""
    return prop_def(_spellings(values))


def opt_qualifier(*values: str | None) -> StringAttr | None:
    """An optional qualifier; `None` among the values is ignored."""
    return opt_prop_def(_spellings(values))


def immediate() -> IntegerAttr[I32]:
    """An immediate operand, held by a property."""
    return prop_def(INTEGER_32)


def opt_immediate() -> IntegerAttr[I32] | None:
    """An optional immediate operand."""
    return opt_prop_def(INTEGER_32)


def opt_offset() -> IntegerAttr[I32] | None:
    """The immediate byte offset of an address operand: the property `x_offset` of operand `x`."""
    return opt_prop_def(INTEGER_32)


def opt_sinks() -> DenseArrayBase[I32] | None:
    """The indices of the results whose values are not kept, which PTX prints as `_`."""
    return opt_prop_def(SINKS)


@cache
def syntax_of(op_type: "type[Instruction]") -> CompiledSyntax:
    """The compiled syntax line of an instruction."""
    definition = op_type.get_irdl_definition()
    return CompiledSyntax(definition, op_type.TYPED, _DECLARATIONS[op_type], op_type.WIDER)


def syntax_line(op_type: "type[Instruction]") -> str:
    """The syntax line of an instruction, as declared."""
    return _DECLARATIONS[op_type].line


def first_words(op_type: "type[Instruction]") -> frozenset[str]:
    """The first words of the names of an instruction in PTX, one for each of its syntax lines."""
    declaration = _DECLARATIONS[op_type]
    lines = (declaration.line, *declaration.also.values())
    return frozenset(found[1] for line in lines if (found := _FIRST_WORD.search(line)))


_FIRST_WORD = re.compile(r"^\t?([a-z][a-z0-9_]*)", re.MULTILINE)
"""The first word of an instruction, which may be in a block of directives and labels."""


@lru_cache(maxsize=1024)
def segment_sizes(sizes: tuple[int, ...]) -> DenseArrayBase[I32]:
    """The property with the number of values of each operand; cached, because few values occur."""
    return DenseArrayBase.from_list(i32, sizes)


_DECLARATIONS: dict[type[IRDLOperation], Declaration] = {}
_defining = RLock()
"""Held while an operation gets its definition."""

InstructionT = TypeVar("InstructionT", bound="Instruction")


def instruction(
    line: str,
    *tables: Table,
    spellings: Spellings | None = None,
    limits: Mapping[str, Limit] | None = None,
    also: Mapping[str, str] | None = None,
    needs: Callable[[WordOf], Sequence[str]] | None = None,
) -> Callable[[type[InstructionT]], type[InstructionT]]:
    """
    Define an operation as the PTX instruction with this syntax line; see `ptx/text/syntax.py`.

    `tables` hold the legal combinations of qualifiers and of the numbers of variadic operands and
    results. `limits` hold the legal values of an immediate or a constant operand, or the legal
    number of values of a variadic operand. `spellings` maps the IR spelling of a qualifier to its
    PTX spelling where the two differ. `also` holds other syntax lines for the same instruction by
    name; an operation that is printed with one of them has its name in the property `spelling`.
    `needs` gives the features of targets that the words of an instruction need.
    """

    def define(op_type: type[InstructionT]) -> type[InstructionT]:
        if also:
            setattr(op_type, SPELLING, opt_qualifier(*also))
        declaration = Declaration(line, spellings or {}, tables, limits or {}, also or {}, needs)
        _DECLARATIONS[op_type] = declaration
        return op_type

    return define


class Instruction(ConstructedOperation, ABC):
    """A PTX instruction. Its text in PTX and in IR follows from its syntax line."""

    TYPED: ClassVar[Mapping[str, str]] = {}
    """Operand or result -> the qualifier that gives its type or, for an address, its state space.
    Operands of a fixed type are absent."""
    WIDER: ClassVar[frozenset[str]] = frozenset()
    """The operands and results among TYPED whose registers may be wider than the type."""
    ADDRESS_REGISTERS: ClassVar[frozenset[str] | None] = None
    """PTX types of the registers that may hold an address; None if all integer types may."""

    @classmethod
    def get_irdl_definition(cls) -> OpDef:
        """
        The definition of the operation, made at the first use.

        xDSL makes definitions with the classes, which takes 4 ms for instructions that a kernel
        does not use. This method is replaced in the class, after all else that the definition adds:
        another thread that finds the definition finds it complete.
        """
        with _defining:
            if cls.get_irdl_definition.__func__ is Instruction.get_irdl_definition.__func__:
                added = get_accessors_from_op_def(OpDef.from_pyrdl(cls), cls.verify_)
                definition = added.pop("get_irdl_definition")
                for name, each in (*added.items(), ("get_irdl_definition", definition)):
                    setattr(cls, name, each)
        return cls.get_irdl_definition()

    @classmethod
    def parse(cls, parser: Parser) -> Self:
        return cls.assemble(*parse_instruction(parser, syntax_of(cls)))

    def print(self, printer: Printer) -> None:
        print_instruction(self, printer, syntax_of(type(self)))

    def spelled(self, text: str, version: Version) -> str:
        """Its text in PTX as assemblers of a PTX version accept it."""
        return text

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

        Properties may be given as the text of a qualifier or as an integer. Without `result_types`,
        each result that is not variadic has its usual type.
        """
        syntax = syntax_of(cls)
        held: dict[str, Attribute] = {
            name: text(value)
            if isinstance(value, str)
            else (integer(value) if isinstance(value, int) else value)
            for name, value in (properties or {}).items()
        }
        names = syntax.operand_names
        if syntax.segmented:
            sizes = tuple(len(operands.get(name, ())) for name in names)
            held["operandSegmentSizes"] = segment_sizes(sizes)
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

    @classmethod
    def operand_order(cls) -> Sequence[str]:
        return syntax_of(cls).order

    @classmethod
    def optional_operands(cls) -> Sequence[str]:
        return syntax_of(cls).optional

    @classmethod
    def inferred_types(
        cls, operands: Operands, properties: Properties
    ) -> Sequence[Attribute] | None:
        syntax = syntax_of(cls)
        types: list[Attribute] = []
        for result in syntax.results:
            count = syntax.only_count(result.name, operands, properties) if result.variadic else 1
            if count is None:
                return None
            types.extend([result.usual_type(properties)] * count)
        return types

    def verify_(self) -> None:
        try:
            syntax_of(type(self)).check(self)
        except Violation as violation:
            raise VerifyException(str(violation)) from violation

    @classmethod
    def element_bits(cls, name: str, qualifiers: Mapping[str, str], count: int) -> int | None:
        """The size of one of `count` values of the operand `name`, where their number decides it
        together with the qualifiers; otherwise None."""
        return None

    def features(self) -> Sequence[str]:
        """The features of `isa.targets` that the target must have for this instruction."""
        needs = _DECLARATIONS[type(self)].needs
        return () if needs is None else needs(partial(syntax_of(type(self)).column, self))


class PureInstruction(Instruction, ABC):
    """An instruction that only computes its results."""

    traits = traits_def(Pure())


class EffectInstruction(Instruction, ABC):
    """
    An instruction that synchronises, or reads or writes memory.

    The write effect keeps xDSL's rewriting and dead code elimination from erasing it.
    """

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())

"""The class of an instruction, made from its row in `isa/instructions` at its first use."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any, ClassVar, NamedTuple

from xdsl.irdl import (
    AttrSizedOperandSegments,
    operand_def,
    opt_operand_def,
    result_def,
    var_operand_def,
    var_result_def,
)

from ..isa.effects.model import Elements
from ..isa.instructions import table
from ..isa.instructions.table import Row
from ..isa.model.table import Place
from . import register_types
from .instruction import (
    EffectInstruction,
    Instruction,
    PureInstruction,
    immediate,
    instruction,
    opt_immediate,
    opt_offset,
    opt_qualifier,
    opt_sinks,
    qualifier,
)
from .text.syntax import (
    SINKS,
    Immediate,
    LiteralText,
    OptionalPart,
    QualifierElement,
    SyntaxElement,
    Values,
    parse_syntax,
)

_SHARED = "SHARED_ADDRESS"
_MODULE = __name__.replace("definition", "instructions")
"""The module of the classes."""


def class_name(name: str) -> str:
    """The name of the class of the instruction `name`."""
    return "".join(f"{word[:1].upper()}{word[1:]}" for word in re.split("[._]", name)) + "Op"


@cache
def operation(name: str) -> type[Instruction]:
    """The class of the instruction `name`, without `ptx.`. Raises KeyError."""
    return _define(table.row(name))


def operations(family: str) -> Sequence[type[Instruction]]:
    """The classes of all instructions of a family."""
    return [operation(name) for name in table.names_in(family)]


def operation_of_class(name: str) -> type[Instruction] | None:
    """The instruction whose class has this name; None if there is none."""
    word = re.match("[A-Z][a-z0-9]*", name)
    for family in table.families_with("" if word is None else word[0].lower()):
        if (found := _by_class(family).get(name)) is not None:
            return operation(found)
    return None


@cache
def _by_class(family: str) -> dict[str, str]:
    return {class_name(name): name for name in table.names_in(family)}


_CONSTANTS = ("TYPED", "WIDER")


def _define(row: Row) -> type[Instruction]:
    elements = parse_syntax(row.line)
    results = {*_results(elements)} if row.has_result else set[str]()
    fields = dict(_fields(row, elements, results, is_optional=False))
    uncertain = [each for each in fields.values() if isinstance(each, _Uncertain)]
    options = (AttrSizedOperandSegments(as_property=True),) if len(uncertain) > 1 else ()
    base: Any = _base(row)
    name = class_name(row.name)
    body: dict[str, Any] = {
        "__module__": _MODULE,
        "__annotations__": dict.fromkeys(_CONSTANTS, ClassVar[Any]),
        "__doc__": row.meaning,
        "name": f"ptx.{row.name}",
        "irdl_options": options,
        "TYPED": {name: each.of for name, each in row.registers.items() if each.of is not None},
        "WIDER": row.wider,
        **{
            name: each.field if isinstance(each, _Uncertain) else each
            for name, each in fields.items()
        },
    }
    if row.has_sinks:
        body[SINKS] = opt_sinks()
    made: type[Instruction] = type(base)(name, (base,), body)
    define = instruction(
        row.line,
        *row.tables,
        spellings=row.spellings,
        limits=row.limits,
        also=row.also,
        needs=row.needs,
    )
    return define(made)


class _Uncertain(NamedTuple):
    """The field of an operand with any number of values."""

    field: Any


def _results(elements: Sequence[SyntaxElement]) -> Iterator[str]:
    """The registers that are results: the first one, unless it is an address, and the one after
    `|`; and values that the line does not show."""
    before, is_first = "", True
    for element in elements:
        match element:
            case LiteralText(text):
                before = text
            case Values(name, "~") if name.endswith("_out"):
                yield name
            case Values(name, form):
                if before.endswith("|") or (is_first and form != "[" and not before.endswith("[")):
                    yield name
                is_first, before = False, ""
            case _:
                before = ""


def _fields(
    row: Row, elements: Sequence[SyntaxElement], results: set[str], is_optional: bool
) -> Iterator[tuple[str, Any]]:
    """The properties, operands and results that some elements of the syntax line show."""
    for element in elements:
        match element:
            case QualifierElement(name):
                legal = row.qualifiers[name]
                yield name, (opt_qualifier if legal.is_optional else qualifier)(*legal.words)
            case Immediate(name):
                yield name, opt_immediate() if is_optional else immediate()
            case Values(name, form):
                constraint = getattr(register_types, row.registers[name].constraint)
                is_vector = form in "{<"
                if name in results:
                    yield name, (var_result_def if is_vector else result_def)(constraint)
                elif is_vector or is_optional:
                    made = var_operand_def if is_vector else opt_operand_def
                    yield name, _Uncertain(made(constraint))
                else:
                    yield name, operand_def(constraint)
                if form in "[&":
                    yield f"{name}_offset", opt_offset()
            case OptionalPart(_, inner, several):
                yield from _fields(row, inner, results, not several)
            case _:
                pass


def _base(row: Row) -> type[Instruction]:
    """The base class of an instruction."""
    if row.base:
        from . import bases

        return getattr(bases, row.base)
    if row.effects is None:
        return PureInstruction
    areas = row.effects.areas
    if any(each.constraint == _SHARED for each in row.registers.values()) or any(
        isinstance(each.extent, Place | Elements) for each in areas
    ):
        from .analysis.operand_checks import PlaceInstruction

        return PlaceInstruction
    return EffectInstruction

"""How the instructions of the tcgen05 family come from the tables of `isa` (9.7.16)."""

from abc import ABC
from collections.abc import Callable, Mapping

from xdsl.dialects.builtin import StringAttr

from ..isa.model.instruction import Mnemonic as Form
from ..isa.model.limit import Limit
from ..isa.model.table import Table
from .instruction import EffectInstruction, InstructionT, instruction, opt_qualifier, qualifier
from .syntax import Spellings


def identifier(name: str, value: object) -> str:
    """How IR spells a qualifier's value: a flag by its name, a number after its name."""
    if value is True:
        return name
    return f"{name}_{value}" if isinstance(value, int) else str(value)


def spellings(form: Form) -> Spellings:
    """The IR and PTX spellings of all qualifiers of an instruction of the manual."""
    return {
        name: {
            identifier(name, value): text
            for value, text in qualifier_.spellings.items()
            if value is not None and value is not False
        }
        for name, qualifier_ in form.qualifiers.items()
    }


def spelled(form: Form, name: str, value: object) -> str:
    """How IR spells a value of a qualifier of an instruction. Raises Violation."""
    form.qualifiers[name].check(value)
    return identifier(name, value)


def mandatory(form: Form, name: str) -> StringAttr:
    """A qualifier of an instruction of the manual, as a property."""
    return qualifier(*spellings(form)[name])


def optional(form: Form, name: str) -> StringAttr | None:
    """A qualifier of an instruction of the manual that may be left out."""
    return opt_qualifier(*spellings(form)[name])


def _line(form: Form, operands: str, implied: Mapping[str, str]) -> str:
    """
    The syntax line of an instruction of the manual.

    `implied` says what stands for a qualifier that no property holds: nothing, or a text with {}
    for the only spelling of the qualifier.
    """
    fields = {name: f".${name}" for name in form.qualifiers}
    for name, text in implied.items():
        fields[name] = text.format(*spellings(form)[name].values())
    mnemonic = form.template.format_map(fields)
    return f"{mnemonic} {operands}" if operands else mnemonic


class Tcgen05Instruction(EffectInstruction, ABC):
    """An instruction of the tcgen05 family; its mnemonic comes from the tables of `isa`."""


def tcgen05(
    form: Form,
    operands: str = "",
    *tables: Table,
    implied: Mapping[str, str] | None = None,
    limits: Mapping[str, Limit] | None = None,
) -> Callable[[type[InstructionT]], type[InstructionT]]:
    """
    Define an operation that is an instruction of the manual; see `ptx.instruction.instruction`.

    `operands` is the part of the syntax line behind the mnemonic. `implied` says what stands for
    qualifiers that no property holds: nothing, or a text with {} for their only spelling.
    """
    return instruction(
        _line(form, operands, implied or {}), *tables, spellings=spellings(form), limits=limits
    )

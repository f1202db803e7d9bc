"""The base class of tcgen05 instructions, which are declared from the tables of `isa` (9.7.16)."""

from abc import ABC
from collections.abc import Callable, Mapping

from xdsl.dialects.builtin import StringAttr

from ..isa.model.instruction import Mnemonic
from ..isa.model.table import Limit, Table
from ..isa.targets import CTA_GROUP
from .instruction import EffectInstruction, InstructionT, instruction, opt_qualifier, qualifier
from .syntax import Spellings


def identifier(name: str, value: object) -> str:
    """The IR spelling of a qualifier's value: a flag is its name, a number follows the name."""
    if value is True:
        return name
    return f"{name}_{value}" if isinstance(value, int) else str(value)


CTA_GROUPS = {identifier("cta_group", value): value for value in CTA_GROUP.spellings}
"""The IR spelling of a cta_group -> its number of CTAs."""


def spellings(mnemonic: Mnemonic) -> Spellings:
    """The IR and PTX spellings of all qualifiers of an instruction."""
    return {
        name: {
            identifier(name, value): text
            for value, text in qualifier_.spellings.items()
            if value is not None and value is not False
        }
        for name, qualifier_ in mnemonic.qualifiers.items()
    }


def spelled(mnemonic: Mnemonic, name: str, value: object) -> str:
    """The spelling in IR of one value of a qualifier. Raises Violation."""
    mnemonic.qualifiers[name].check(value)
    return identifier(name, value)


def mandatory(mnemonic: Mnemonic, name: str) -> StringAttr:
    """A qualifier of an instruction, as a property."""
    return qualifier(*spellings(mnemonic)[name])


def optional(mnemonic: Mnemonic, name: str) -> StringAttr | None:
    """A qualifier of an instruction, as an optional property."""
    return opt_qualifier(*spellings(mnemonic)[name])


def _line(mnemonic: Mnemonic, operands: str, implied: Mapping[str, str]) -> str:
    """The syntax line of an instruction; see `tcgen05`."""
    fields = {name: f".${name}" for name in mnemonic.qualifiers}
    for name, text in implied.items():
        fields[name] = text.format(*spellings(mnemonic)[name].values())
    name = mnemonic.template.format_map(fields)
    return f"{name} {operands}" if operands else name


class Tcgen05Instruction(EffectInstruction, ABC):
    """An instruction of the tcgen05 family; its mnemonic comes from the tables of `isa`."""


def tcgen05(
    mnemonic: Mnemonic,
    operands: str = "",
    *tables: Table,
    implied: Mapping[str, str] | None = None,
    limits: Mapping[str, Limit] | None = None,
) -> Callable[[type[InstructionT]], type[InstructionT]]:
    """
    Define the operation of an instruction; see `ptx.instruction.instruction`.

    `operands` is the part of the syntax line after the mnemonic. `implied` gives the text of each
    qualifier without a property; {} in it is replaced by the only spelling of the qualifier.
    """
    return instruction(
        _line(mnemonic, operands, implied or {}),
        *tables,
        spellings=spellings(mnemonic),
        limits=limits,
    )

"""Certain faults of the operands of known instructions."""

from ..isa.ptx import ptx_text
from ..isa.ptx.opcodes import UNCHECKED
from ..isa.ptx.special_registers import READERS, is_special
from ..ptx.register_types import TYPE_RULE
from .fault import Fault, SurplusFault, TypeFault
from .match import match
from .scope import Scope
from .syntax_tree import InstructionStatement


def wrong_operands(statement: InstructionStatement, scope: Scope) -> Fault | None:
    """
    The fault of the operands of an instruction whose opcode and qualifiers the dialect knows; None
    if it does not know them, or if PTX may take the operands.

    PTX takes more operands than the dialect: addresses that are constants, addresses of labels and
    functions, addresses of other widths, sinks, and wider registers in loads, stores and
    conversions.
    """
    try:
        match(statement, scope)
    except Fault as fault:
        violation, opcode = fault.violation, statement.first
        match violation.rule:
            case ptx_text.OPERANDS_RULE:
                is_certain = isinstance(violation.found, int) or isinstance(fault, SurplusFault)
            case ptx_text.NAME_RULE:
                name = str(violation.found)
                takes_special = opcode in READERS and is_special(name)
                is_certain = not takes_special and (
                    opcode not in ptx_text.TAKE_NAMES or name[0] == "%"
                )
            case _ if isinstance(fault, TypeFault):
                words = {word.text for word in statement.opcode}
                is_certain = fault.is_certain and not any(each <= words for each in UNCHECKED)
            case _:
                is_certain = violation.rule is TYPE_RULE
        return fault if is_certain else None
    return None


def wrong_type(statement: InstructionStatement, scope: Scope) -> Fault | None:
    """The fault of the operands of an instruction of the dialect, if it is the type of a register
    with the right width, as a float where the instruction needs an integer."""
    fault = wrong_operands(statement, scope)
    return fault if fault is not None and fault.violation.rule is TYPE_RULE else None

"""Certain faults of the operands of known instructions."""

from typing import cast

from ..isa.model.rule import Violation
from ..isa.ptx import ptx_text
from ..isa.ptx.opcodes import OF_WIDER_REGISTERS, UNCHECKED
from ..isa.ptx.special_registers import READERS, is_special
from ..ptx.register_types import TYPE_RULE
from .fault import Fault
from .match import match
from .scope import Scope
from .syntax_tree import InstructionStatement

_COPY = "cp"


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
                is_certain = isinstance(violation.found, int)
            case ptx_text.NAME_RULE:
                name = str(violation.found)
                takes_special = opcode in READERS and is_special(name)
                is_certain = not takes_special and (
                    opcode not in ptx_text.TAKE_NAMES or name[0] == "%"
                )
            case _:
                in_address = any(
                    each.form == "[" and each.start <= fault.start < each.end
                    for each in statement.operands
                )
                is_type = violation.rule is TYPE_RULE and not in_address
                is_certain = is_type and _is_certain(violation, statement, scope)
        return fault if is_certain else None
    return None


def _is_certain(violation: Violation, statement: InstructionStatement, scope: Scope) -> bool:
    """Whether ptxas refuses a register of this type."""
    words = tuple(word.text for word in statement.opcode)
    if any(words[: len(each)] == each for each in UNCHECKED):
        return False
    is_wider = words[0] in OF_WIDER_REGISTERS
    declared = scope.find(str(violation.found).partition(",")[0])
    if declared is None or not declared.is_register:
        return not is_wider
    bits = ptx_text.REGISTER_BITS.get(declared.type)
    in_vector = any(each.form == "{" for each in statement.operands)
    if bits is None:
        # ptxas does not check predicates in vectors, and cp.async has a form with a predicate.
        return not in_vector and words[0] != _COPY
    legal_types = cast("frozenset[str]", violation.legal)
    legal = [each for each in ptx_text.REGISTER_BITS if each in legal_types]
    sizes = [ptx_text.REGISTER_BITS[each] or 0 for each in legal]
    if bits in sizes:
        # Bit types agree with all types, wherever the instruction has them.
        of_bits = f".b{bits}" in words
        return not in_vector and not of_bits and any(each[:2] != ".b" for each in legal)
    return not is_wider or bits < min(sizes, default=0)


def wrong_type(statement: InstructionStatement, scope: Scope) -> Fault | None:
    """The fault of the operands of an instruction of the dialect, if it is the type of a register
    with the right width, as a float where the instruction needs an integer."""
    fault = wrong_operands(statement, scope)
    return fault if fault is not None and fault.violation.rule is TYPE_RULE else None

"""Types of operands, and the types of registers that may hold them."""

from collections.abc import Mapping, Sequence
from functools import cache

from xdsl.ir import Attribute
from xdsl.irdl import AttrConstraint, RangeConstraint, VerificationContext
from xdsl.utils.exceptions import VerifyException

from ..isa.ptx import ptx_text
from ..ptx.instruction import Instruction, syntax_of
from ..ptx.register_types import RARE_CLASSES, REGISTER_CLASSES, TYPES, register_bits


@cache
def registers(
    types: tuple[Attribute, ...], qualifier: str | None, in_vector: bool
) -> Mapping[str, Attribute]:
    """
    PTX type of a register that may hold an operand of one of `types` -> the type of the value.

    `qualifier` is the type qualifier or state space that the instruction gives for the operand:
    empty if it is omitted, None if the instruction has none. An element of a vector may have any
    type of the right size.
    """
    is_address = qualifier is not None and qualifier not in TYPES
    found: dict[str, Attribute] = {}
    for type_ in types:
        bits = register_bits(type_)
        if bits is None:
            operand = ".pred"
        elif qualifier is not None and not is_address:
            operand = f".{qualifier}"
        else:
            any_type = in_vector or sum(register_bits(other) == bits for other in types) > 1
            operand = f".{'b' if any_type else 'u'}{bits}"
        for register, register_size in ptx_text.REGISTER_BITS.items():
            if register_size == bits and ptx_text.agrees(operand, register):
                found.setdefault(register, type_)
    if is_address:
        for register, register_size in ptx_text.REGISTER_BITS.items():
            if register_size in ptx_text.ADDRESS_BITS and ptx_text.agrees(".u", register):
                found.setdefault(register, types[0])
    return found


@cache
def types_of(op_type: type[Instruction], name: str) -> Sequence[Attribute]:
    """The register types that an operand or a result may have, the usual one first."""
    definition = op_type.get_irdl_definition()
    constraint = dict((*definition.operands, *definition.results))[name].constr
    every = (*REGISTER_CLASSES, *RARE_CLASSES)
    allowed = [type_ for type_ in every if allows(constraint, type_)]
    usual = syntax_of(op_type).values[name].usual_type({})
    return sorted(allowed, key=lambda type_: type_ != usual)


def allows(constraint: AttrConstraint | RangeConstraint, type_: Attribute) -> bool:
    """Whether the constraint of an operand or a result allows a type."""
    try:
        if isinstance(constraint, RangeConstraint):
            constraint.verify((type_,), VerificationContext())
        else:
            constraint.verify(type_, VerificationContext())
    except VerifyException:
        return False
    return True

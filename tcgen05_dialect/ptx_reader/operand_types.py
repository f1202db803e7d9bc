"""Types of operands, and the types of registers that may hold them."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import NamedTuple

from xdsl.ir import Attribute
from xdsl.irdl import AttrConstraint, RangeConstraint, VerificationContext
from xdsl.utils.exceptions import VerifyException

from ..isa.ptx import ptx_text
from ..isa.ptx.packed_conversion import PACKED_ELEMENTS
from ..isa.ptx.registers import TYPE_BITS
from ..ptx.instruction import Instruction, syntax_of
from ..ptx.register_types import RARE_CLASSES, REGISTER_CLASSES, register_bits
from ..ptx.types import TensorMapType


class Use(NamedTuple):
    """The place of an operand in an instruction."""

    qualifier: str | None
    """The type qualifier or the state space that the instruction gives for the operand: empty if it
    is omitted, None if the instruction has none."""
    is_address: bool
    in_vector: bool
    wider: bool
    """Whether registers may be wider than the type."""
    kind: str
    """The kind of the type of an operand without a type qualifier; see `ptx_text.holders`."""
    converts: bool


@cache
def holders(types: tuple[Attribute, ...], use: Use) -> frozenset[str]:
    """The PTX types of the registers that PTX accepts for an operand of one of `types`."""
    if use.is_address:
        return ptx_text.HOLD_ADDRESSES
    if use.qualifier is not None:
        bits = TYPE_BITS.get(use.qualifier) or register_bits(types[0])
        if bits is None:
            return _PREDICATES
        # Numbers of fewer than 16 bits are bits for instructions that only move them.
        is_packed = use.qualifier.partition("x")[0] in PACKED_ELEMENTS and not use.converts
        type_ = f"b{bits}" if is_packed else use.qualifier
        return ptx_text.holders(type_, bits, use.wider or bits == _BYTE, use.in_vector)
    found: frozenset[str] = frozenset()
    for type_ in types:
        bits = register_bits(type_)
        if bits is None:
            found |= _PREDICATES
            continue
        several = sum(register_bits(other) == bits for other in types) > 1
        wider = use.wider and use.converts
        found |= ptx_text.holders(f"{'b' if several else use.kind}{bits}", bits, wider)
    return found


_PREDICATES = frozenset((ptx_text.PREDICATE, ptx_text.PACKED))
"""The types of the registers that ptxas accepts as predicates (measured)."""
_BYTE = 8


@cache
def registers(types: tuple[Attribute, ...], use: Use) -> Mapping[str, Attribute]:
    """
    PTX type of a register that may hold an operand of one of `types` -> the type of the value.

    An element of a vector may have any type of the right size here; `check_elements` compares it
    with the others.
    """
    accepted = holders(types, use)
    if use.in_vector:
        accepted = ptx_text.REGISTER_BITS.keys()
    found = {
        register: type_
        for type_ in reversed(types)
        for register, bits in ptx_text.REGISTER_BITS.items()
        if register in accepted and bits == register_bits(type_)
    }
    if use.is_address and use.qualifier is not None:
        for register, bits in ptx_text.REGISTER_BITS.items():
            if register in accepted and bits in ptx_text.ADDRESS_BITS:
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


@cache
def is_tensor_map(op_type: type[Instruction], name: str) -> bool:
    """Whether an operand is the address of a tensor map before coordinates, whose register ptxas
    does not check."""
    definition = op_type.get_irdl_definition()
    constraint = dict((*definition.operands, *definition.results))[name].constr
    is_first = name not in syntax_of(op_type).addresses
    return is_first and allows(constraint, TensorMapType())


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

"""The check of the element types of vectors of registers."""

from collections.abc import Sequence
from itertools import pairwise

from ..isa.ptx import ptx_text
from ..isa.ptx.registers import TYPE_RULE
from .constant_expression import typed
from .fault import Fault, TypeFault
from .operand_matching import Leaf, is_name
from .scope import Scope
from .statement_text import joined


def check_vector(name: str, leaves: Sequence[Leaf], scope: Scope | None) -> None:
    """Check the types of the elements of the operand `name`. Raises Fault."""
    types = [_type(leaf, scope) for leaf in leaves]
    constants = [not is_name(leaf.words) for leaf in leaves]
    for leaf, type_, is_constant in zip(leaves, types, constants, strict=True):
        if is_constant and type_ not in ptx_text.ELEMENT_CONSTANTS:
            raise _fault(name, leaf, type_, "a register, an integer, or a float written 0f...")
    for index, (before, type_) in enumerate(pairwise(types), 1):
        if not ptx_text.agrees(before, type_):
            beside = f"a type that agrees with {joined(leaves[index - 1].words)} ({before})"
            raise _fault(name, leaves[index], type_, f"{beside}, such as .b32")
    integers = [
        is_constant and ptx_text.ELEMENT_CONSTANTS[type_]
        for type_, is_constant in zip(types, constants, strict=True)
    ]
    # An integer takes its type from a register, but not from a float constant at the beginning.
    if any(integers) and (all(integers) or (constants[0] and not integers[0])):
        at = integers.index(True)
        legal = "a register as the first element, which gives integers their type"
        raise _fault(name, leaves[at], types[at], legal)


def check_elements(
    name: str, leaves: Sequence[Leaf], scope: Scope | None, accepted: frozenset[str]
) -> None:
    """
    Check that the registers of a vector agree with each other, and with an operand that registers
    of the types `accepted` may hold. Raises TypeFault.

    ptxas checks only the vector as a whole, which has a bit type if one of its registers has.
    """
    declared = [None if scope is None else scope.find(leaf.words[-1]) for leaf in leaves]
    known = [
        (leaf, each.type)
        for leaf, each in zip(leaves, declared, strict=True)
        if each is not None and each.is_register
    ]
    if len(known) < len(leaves) or any(type_ == ptx_text.PREDICATE for _, type_ in known):
        # ptxas takes predicates in many vectors.
        return
    for (before, first), (leaf, type_) in pairwise(known):
        sizes = ptx_text.REGISTER_BITS[first], ptx_text.REGISTER_BITS[type_]
        if sizes[0] != sizes[1] or not ptx_text.agrees(first, type_):
            legal = f"a type that agrees with {joined(before.words)} ({first})"
            raise _type_fault(name, leaf, type_, legal)
    bits = next((type_ for _, type_ in known if type_.startswith(".b")), None)
    for leaf, type_ in known:
        if (bits or type_) not in accepted:
            raise _type_fault(name, leaf, type_, accepted)


def _type_fault(name: str, leaf: Leaf, type_: str, legal: object) -> TypeFault:
    violation = TYPE_RULE.violation(f"{leaf.words[-1]}, a {type_} register", legal, name)
    return TypeFault(violation, leaf.start, leaf.end)


def _fault(name: str, leaf: Leaf, type_: str, legal: str) -> Fault:
    violation = TYPE_RULE.violation(f"{joined(leaf.words)} ({type_})", legal, name)
    return Fault(violation, leaf.start, leaf.end)


def _type(leaf: Leaf, scope: Scope | None) -> str:
    """The type of an element; an undeclared register may have any type."""
    if not is_name(leaf.words):
        return f".{typed(leaf.words).type}"
    declared = None if scope is None else scope.find(leaf.words[-1])
    return ptx_text.ANY_TYPE if declared is None else declared.type

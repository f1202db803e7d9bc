"""
Message for a property that violates the declaration of its operation.

Replaces xDSL's message, which names neither the property nor a legal value. Uses no private names.
It can be deleted when xDSL's `verify_` names the property.
"""

from collections.abc import Collection, Mapping

from xdsl import __version__
from xdsl.dialects.builtin import IntegerAttr, i32, i64
from xdsl.ir import Attribute
from xdsl.irdl import AttrConstraint, IRDLOperation, VerificationContext
from xdsl.utils.exceptions import VerifyException

from ..isa.model.rule import Violation, describe, did_you_mean
from ..isa.ptx.ir_form import ATTRIBUTE_RULE, wrong_value


def check_properties(op_type: type[IRDLOperation], properties: Mapping[str, Attribute]) -> None:
    """
    Check the properties of an operation. Raises Violation, which names the wrong property and shows
    a legal value.
    """
    declared = op_type.get_irdl_definition().properties
    for name in properties:
        if name not in declared:
            raise _unknown(name, declared)
    for name, definition in declared.items():
        attribute = properties.get(name)
        fault = None if attribute is None else _refusal(definition.constr, attribute)
        if attribute is None or fault is None:
            continue
        if isinstance(fault.__cause__, Violation):
            raise fault.__cause__
        numbers = (IntegerAttr(number_in(attribute), type_) for type_ in (i32, i64))
        legal = next((n for n in numbers if _refusal(definition.constr, n) is None), None)
        shown = str(fault) if legal is None else "a number"
        raise wrong_value(attribute, shown, legal, name) from fault


def _unknown(name: str, declared: Collection[str]) -> Violation:
    """The violation to raise for a property that an operation does not declare."""
    legal = describe(frozenset(declared))
    meant = did_you_mean(name, declared)
    help_ = meant or f"write the operation without {name}: xDSL {__version__} does not know it"
    return ATTRIBUTE_RULE.violation(name, legal, culprit=name, help=help_)


def number_in(attribute: Attribute, usual: int = 1) -> int:
    """The integer in an attribute, or else the usual number."""
    return attribute.value.data if isinstance(attribute, IntegerAttr) else usual


def _refusal(constraint: AttrConstraint, attribute: Attribute) -> VerifyException | None:
    try:
        constraint.verify(attribute, VerificationContext())
    except VerifyException as error:
        return error
    return None

"""
Message for a property that violates the declaration of its operation.

Replaces xDSL's message, which names neither the property nor a legal value. Uses no private names.
It can be deleted when xDSL's `verify_` names the property.
"""

from collections.abc import Mapping

from xdsl.dialects.builtin import IntegerAttr, i32, i64
from xdsl.ir import Attribute
from xdsl.irdl import AttrConstraint, IRDLOperation, VerificationContext
from xdsl.utils.exceptions import VerifyException

from ..isa.model.rule import Violation
from ..isa.ptx.ir_form import wrong_value


def check_properties(op_type: type[IRDLOperation], properties: Mapping[str, Attribute]) -> None:
    """
    Check the properties of an operation. Raises Violation, which names the wrong property and shows
    a legal value.
    """
    for name, definition in op_type.get_irdl_definition().properties.items():
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


def number_in(attribute: Attribute, usual: int = 1) -> int:
    """The integer in an attribute, or else the usual number."""
    return attribute.value.data if isinstance(attribute, IntegerAttr) else usual


def _refusal(constraint: AttrConstraint, attribute: Attribute) -> VerifyException | None:
    try:
        constraint.verify(attribute, VerificationContext())
    except VerifyException as error:
        return error
    return None

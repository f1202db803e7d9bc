"""
Message for a property that violates the declaration of its operation.

Replaces xDSL's message, which names neither the property nor a legal value. Uses no private names.
It can be deleted when xDSL's `verify_` names the property.
"""

from collections.abc import Collection, Mapping
from itertools import chain

from xdsl import __version__
from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    FunctionType,
    IntegerAttr,
    IntegerType,
    StringAttr,
    SymbolRefAttr,
    UnitAttr,
    i1,
    i32,
    i64,
)
from xdsl.ir import Attribute, Operation
from xdsl.irdl import AttrConstraint, IRDLOperation, OptPropertyDef, VerificationContext
from xdsl.utils.exceptions import VerifyException

from ..isa.model.rule import Violation, alternatives, describe, did_you_mean
from ..isa.ptx.ir_form import ATTRIBUTE_RULE, wrong_value
from .messages import sentence


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
        samples = chain(
            (("a number", _number(attribute, type_)) for type_ in (i32, i64)),
            _SAMPLES,
        )
        fitting = (each for each in samples if _refusal(definition.constr, each[1]) is None)
        shown, legal = next(fitting, (_described(definition.constr, fault), None))
        raise wrong_value(attribute, shown, legal, name) from fault


def has_declared_properties(operation: Operation) -> bool:
    """Whether each property of an operation is as declared. If not, other code must not read it."""
    if not isinstance(operation, IRDLOperation):
        return True
    declared = operation.get_irdl_definition().properties
    return all(
        isinstance(definition, OptPropertyDef)
        if (attribute := operation.properties.get(name)) is None
        else _refusal(definition.constr, attribute) is None
        for name, definition in declared.items()
    )


_SAMPLES: tuple[tuple[str, Attribute], ...] = (
    ("a string", StringAttr("name")),
    ("the name of a symbol", SymbolRefAttr("name")),
    ("a list of numbers", DenseArrayBase.from_list(i32, [1])),
    ("a list of numbers", DenseArrayBase.from_list(i64, [1])),
    ("a list", ArrayAttr([])),
    ("a mark without a value", UnitAttr()),
    ("a dictionary", DictionaryAttr({})),
    ("a type of functions", FunctionType.from_lists([], [])),
    ("a truth", IntegerAttr(1, i1)),
    ("a type", i32),
)
"""Kinds of attributes, each with an example."""


def _described(constraint: AttrConstraint, fault: VerifyException) -> str:
    """What a constraint allows: the attributes by their names, or else what xDSL says."""
    names = frozenset(f"#{base.name}" for base in constraint.get_bases() or ())
    return alternatives(names) if names else sentence(str(fault))


def _unknown(name: str, declared: Collection[str]) -> Violation:
    """The violation to raise for a property that an operation does not declare."""
    legal = describe(frozenset(declared))
    meant = did_you_mean(name, declared)
    help_ = meant or f"write the operation without {name}: xDSL {__version__} does not know it"
    return ATTRIBUTE_RULE.violation(name, legal, culprit=name, help=help_)


def _number(attribute: Attribute, type_: IntegerType) -> IntegerAttr:
    """The number in an attribute as one of a type, or else the usual number."""
    lowest, end = type_.value_range()
    number = number_in(attribute)
    return IntegerAttr(number if lowest <= number < end else 1, type_)


def number_in(attribute: Attribute, usual: int = 1) -> int:
    """The integer in an attribute, or else the usual number."""
    return attribute.value.data if isinstance(attribute, IntegerAttr) else usual


def _refusal(constraint: AttrConstraint, attribute: Attribute) -> VerifyException | None:
    try:
        constraint.verify(attribute, VerificationContext())
    except VerifyException as error:
        return error
    return None

"""Constraints on operands, results and properties; their errors name the broken rule."""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Generic

from typing_extensions import TypeVar
from xdsl.dialects.builtin import I32, DenseArrayBase, IntegerAttr, StringAttr
from xdsl.ir import Attribute
from xdsl.irdl import (
    AttrConstraint,
    AttrSetConstraint,
    InferenceContext,
    IntConstraint,
    VerificationContext,
    irdl_to_attr_constraint,
)
from xdsl.utils.exceptions import VerifyException

from ..isa.model.rule import Rule
from ..isa.ptx.ir_form import wrong_value
from ..isa.ptx.ptx_text import QUALIFIER_RULE
from ..isa.ptx.registers import TYPE_RULE
from ..xdsl_support.operation_format import number_in

AttributeCovT = TypeVar("AttributeCovT", bound=Attribute, covariant=True)

Legal = Attribute | type[Attribute]
"""One attribute, or all attributes of a class."""


INTEGER_32: AttrConstraint[IntegerAttr[I32]] = irdl_to_attr_constraint(IntegerAttr[I32])
"""A 32-bit number. Shared, because xDSL would create one constraint for each property."""
SINKS: AttrConstraint[DenseArrayBase[I32]] = irdl_to_attr_constraint(DenseArrayBase[I32])
"""Indices of results whose values are not kept."""


def describe_types(legal: tuple[Legal, ...]) -> tuple[str, ...]:
    """The spellings of types in IR; a class is given by its name."""
    return tuple(str(each) if isinstance(each, Attribute) else f"!{each.name}" for each in legal)


@dataclass(frozen=True)
class OneOf(AttrConstraint):
    """
    A type that is one of `legal`.

    Another type breaks `rule`. In the message `what` replaces the rule's subject, and `expected`
    the list of types. The types `left` are left to the verifier of the operation.
    """

    legal: tuple[Legal, ...]
    rule: Rule = TYPE_RULE
    what: str = ""
    expected: str = ""
    left: tuple[type[Attribute], ...] = ()

    def verify(self, attr: Attribute, constraint_context: VerificationContext) -> None:
        if attr not in self.legal and type(attr) not in (*self.legal, *self.left):
            legal = self.expected or describe_types(self.legal)
            violation = self.rule.violation(attr, legal, self.what)
            raise VerifyException(str(violation)) from violation

    def can_infer(self, var_constraint_names: AbstractSet[str]) -> bool:
        return len(self.legal) == 1 and isinstance(self.legal[0], Attribute)

    def infer(self, context: InferenceContext) -> Attribute:
        (attribute,) = self.legal
        assert isinstance(attribute, Attribute)
        return attribute

    def get_bases(self) -> set[type[Attribute]]:
        return {type(each) if isinstance(each, Attribute) else each for each in self.legal}

    def mapping_type_vars(
        self, type_var_mapping: Mapping[TypeVar, AttrConstraint | IntConstraint]
    ) -> AttrConstraint:
        return self


class Spelled(AttrSetConstraint[StringAttr]):
    """A qualifier with one of the legal spellings."""

    def verify(self, attr: Attribute, constraint_context: VerificationContext) -> None:
        if attr not in self.values:
            found = attr.data if isinstance(attr, StringAttr) else attr
            legal = frozenset(value.data for value in self.values)
            violation = QUALIFIER_RULE.violation(found, legal, "qualifier")
            raise VerifyException(str(violation)) from violation


@dataclass(frozen=True)
class Written(AttrConstraint[AttributeCovT], Generic[AttributeCovT]):
    """
    Another constraint with its own message. `legal` describes the legal values of the attribute
    `what`. `example` is a legal value; `{}` in it stands for the number found, or else for `usual`.
    """

    constraint: AttrConstraint[AttributeCovT]
    what: str
    legal: str
    example: str
    usual: int

    def verify(self, attr: Attribute, constraint_context: VerificationContext) -> None:
        try:
            self.constraint.verify(attr, constraint_context)
        except VerifyException as error:
            example = self.example.format(number_in(attr, self.usual))
            violation = wrong_value(attr, self.legal, example, self.what)
            violation.__cause__ = error
            raise VerifyException(str(violation)) from violation

    def get_bases(self) -> set[type[Attribute]] | None:
        return self.constraint.get_bases()

    def mapping_type_vars(
        self, type_var_mapping: Mapping[TypeVar, AttrConstraint | IntConstraint]
    ) -> AttrConstraint[AttributeCovT]:
        return self

"""
Texts that are one of some words, left to the verifier of the operation.

`AttrSetConstraint` of xDSL would refuse another word with a message that names no rule. Uses no
private names. It can be deleted when a constraint of xDSL leaves its message to the operation.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from typing_extensions import TypeVar
from xdsl.dialects.builtin import StringAttr
from xdsl.ir import Attribute
from xdsl.irdl import AttrConstraint, BaseAttr, IntConstraint, VerificationContext

_TEXT = BaseAttr(StringAttr)


@dataclass(frozen=True)
class Word(AttrConstraint[StringAttr]):
    """Any text; `words` are those that the verifier of the operation accepts."""

    words: tuple[str, ...]

    def verify(self, attr: Attribute, constraint_context: VerificationContext) -> None:
        _TEXT.verify(attr, constraint_context)

    def get_bases(self) -> set[type[Attribute]]:
        return {StringAttr}

    def mapping_type_vars(
        self, type_var_mapping: Mapping[TypeVar, AttrConstraint | IntConstraint]
    ) -> AttrConstraint[StringAttr]:
        return self


def one_of(words: Iterable[object]) -> Word:
    """The constraint for words of a table, whose cells may also be empty."""
    return Word(tuple(sorted(each for each in words if isinstance(each, str))))

"""Facts that the constructor of an operation needs besides its definition."""

from abc import ABC
from collections.abc import Mapping, Sequence
from typing import Protocol, TypeAlias, runtime_checkable

from xdsl.ir import Attribute, SSAValue
from xdsl.irdl import OptionalDef

from .creation import CreatedOperation

Operands: TypeAlias = Mapping[str, Sequence[SSAValue]]
"""The operands of an operation by name."""
Properties: TypeAlias = Mapping[str, Attribute]
"""The properties of an operation by name."""


@runtime_checkable
class HasValue(Protocol):
    """Anything that stands for a value of IR."""

    @property
    def ssa_value(self) -> SSAValue: ...


class Constructible(CreatedOperation, ABC):
    """An operation whose constructor follows from its definition and from these methods."""

    @classmethod
    def operand_order(cls) -> Sequence[str]:
        """The names of the operands in the order in which the constructor takes them."""
        return [name for name, _ in cls.get_irdl_definition().operands]

    @classmethod
    def optional_operands(cls) -> Sequence[str]:
        """The names of the operands that may be left out, which are given by name."""
        defined = cls.get_irdl_definition().operands
        return [name for name, each in defined if isinstance(each, OptionalDef)]

    @classmethod
    def inferred_types(
        cls, operands: Operands, properties: Properties
    ) -> Sequence[Attribute] | None:
        """
        The types of the results, where they follow from operands and properties.

        None if they do not; the constructor then needs them. The operands and properties may be
        illegal: the verifier refuses the operation later.
        """
        return None

    @classmethod
    def block_arguments(cls, operands: Operands, properties: Properties) -> Sequence[Attribute]:
        """The types of the arguments of the block of a region that is not given."""
        return ()

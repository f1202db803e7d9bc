"""Known values: the integers of operands that are constants."""

from functools import cache

from xdsl.dialects.builtin import FixedBitwidthType, IntegerAttr
from xdsl.ir import Attribute, Block, Operation, SSAValue
from xdsl.traits import ConstantLike, HasFolder


def constant_value(value: SSAValue) -> int | None:
    """
    The integer that a value is known to be, if it is the result of a constant operation.

    As in xDSL's attributes it is signed, and -1 for a predicate that holds.
    """
    owner = value.owner
    folder = _folder(type(owner))
    if folder is None or not isinstance(owner, Operation) or not (folded := folder.fold(owner)):
        return None
    constant = folded[0]
    return constant.value.data if isinstance(constant, IntegerAttr) else None


def constant_bits(value: SSAValue) -> int | None:
    """The bits of the integer that a value is known to be, as an unsigned number."""
    known = constant_value(value)
    if known is None or not isinstance(value.type, FixedBitwidthType):
        return None
    return known % (1 << value.type.bitwidth)


def known_address(value: SSAValue, offset: Attribute | None) -> int | None:
    """The bits of an address operand that is a constant, with the offset added to it."""
    known = constant_bits(value)
    if known is None or not isinstance(value.type, FixedBitwidthType):
        return None
    number = offset.value.data if isinstance(offset, IntegerAttr) else 0
    return (known + number) % (1 << value.type.bitwidth)


@cache
def _folder(owner: type[Operation | Block]) -> HasFolder | None:
    """The folder of constant operations; xDSL would search the traits each time."""
    if issubclass(owner, Operation) and owner.has_trait(ConstantLike):
        return owner.get_trait(HasFolder)
    return None

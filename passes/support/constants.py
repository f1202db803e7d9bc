"""Values that are known when the program is compiled."""

from xdsl.dialects.builtin import IntegerAttr
from xdsl.ir import SSAValue
from xdsl.traits import ConstantLike


def constant_value(value: SSAValue) -> int | None:
    """The integer that a value is, if it is the result of a constant operation."""
    constant = ConstantLike.get_constant_value(value)
    return constant.value.data if isinstance(constant, IntegerAttr) else None

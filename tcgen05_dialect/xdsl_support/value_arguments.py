"""
Objects that stand for a value, such as those of the builder, as operands of xDSL's operations.

The constructors of xDSL take values and operations with one result, and fail for any other object
with an AttributeError, or read it as a list. Replaces `SSAValue.get` and
`irdl_build_operations_arg`, which take the argument of an operand. Uses no private names. It can be
deleted when xDSL has an interface for objects that stand for a value.
"""

from collections.abc import Iterable
from typing import Any, cast

from xdsl.ir import Operation, SSAValue
from xdsl.irdl import operations

from .construction import value_of

_get = SSAValue.get
_built = operations.irdl_build_operations_arg


def _value(arg: Any, **named: Any) -> SSAValue:
    return _get(arg if isinstance(arg, Operation) else value_of(arg, "an operand"), **named)


def _operand(operand: Any) -> SSAValue | list[SSAValue]:
    if operand is None or isinstance(operand, (SSAValue, Operation, Iterable)):
        return _built(cast(Any, operand))
    return value_of(operand, "an operand")


def take_objects_as_values() -> None:
    """Let xDSL's constructors take such objects, and refuse others with TypeError, for the rest of
    the process."""
    # If xDSL no longer calls them, a test fails.
    setattr(SSAValue, _get.__name__, staticmethod(_value))
    setattr(operations, _built.__name__, _operand)

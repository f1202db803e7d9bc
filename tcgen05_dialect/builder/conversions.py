"""Operations that convert numbers and vectors to another type."""

from collections.abc import Callable
from typing import Any, cast

from xdsl.dialects import arith
from xdsl.dialects.builtin import AnyFloat, IntegerType, Signedness
from xdsl.ir import Attribute, Operation, SSAValue

from ..operations import ws


def conversion(
    old: Attribute, new: Attribute, of_vector: bool
) -> Callable[[SSAValue, Any], Operation] | None:
    """The operation of a conversion; None if there is none."""
    if isinstance(old, AnyFloat) and isinstance(new, AnyFloat):
        return arith.ExtFOp if old.bitwidth < new.bitwidth else arith.TruncFOp
    if isinstance(old, IntegerType) and isinstance(new, AnyFloat):
        is_unsigned = cast("IntegerType", old).signedness.data == Signedness.UNSIGNED
        if not of_vector:
            return arith.UIToFPOp if is_unsigned else arith.SIToFPOp
        op_type = ws.UIToFPOp if is_unsigned else ws.SIToFPOp
        return lambda integers, type_: op_type(integers, result_type=type_)
    if of_vector:
        return None
    if isinstance(old, AnyFloat) and isinstance(new, IntegerType):
        return arith.FPToSIOp
    if isinstance(old, IntegerType) and isinstance(new, IntegerType):
        return arith.ExtUIOp if old.bitwidth < new.bitwidth else arith.TruncIOp
    return None

"""Operations that convert numbers and vectors to another type."""

from collections.abc import Callable
from typing import Any

from xdsl.dialects import arith
from xdsl.dialects.builtin import AnyFloat, IntegerType
from xdsl.ir import Attribute, Operation, SSAValue

from ..operations import ws


def conversion(
    old: Attribute, new: Attribute, of_vector: bool
) -> Callable[[SSAValue, Any], Operation] | None:
    """The operation of a conversion; None if there is none."""
    if isinstance(old, AnyFloat) and isinstance(new, AnyFloat):
        return arith.ExtFOp if old.bitwidth < new.bitwidth else arith.TruncFOp
    if isinstance(old, IntegerType) and isinstance(new, AnyFloat):
        return _vector_to_float if of_vector else arith.SIToFPOp
    if of_vector:
        return None
    if isinstance(old, AnyFloat) and isinstance(new, IntegerType):
        return arith.FPToSIOp
    if isinstance(old, IntegerType) and isinstance(new, IntegerType):
        return arith.ExtUIOp if old.bitwidth < new.bitwidth else arith.TruncIOp
    return None


def _vector_to_float(integers: SSAValue, type_: Attribute) -> Operation:
    return ws.SIToFPOp(integers, result_type=type_)

"""Types of scalar operands, and the type qualifiers of instructions for them."""

from collections.abc import Sequence
from typing import cast

from xdsl.dialects.builtin import AnyFloat, FixedBitwidthType, IntegerType, i64
from xdsl.ir import SSAValue

from ..support.builder import PtxBuilder

INDEX = i64
"""The integer type that `index` becomes."""


def width_of(build: PtxBuilder, value: SSAValue) -> int:
    """The width in bits of the register that holds a value. Raises OperationError."""
    return cast(FixedBitwidthType, build.register(value.type)).bitwidth


def integer_of(build: PtxBuilder, value: SSAValue) -> IntegerType:
    """The integer type of the register that holds a value. Raises OperationError."""
    register = build.register(value.type)
    if not isinstance(register, IntegerType):
        raise build.type_error(value.type, "an integer")
    return cast(IntegerType, register)


def qualifier(build: PtxBuilder, kind: str, value: SSAValue) -> str:
    """
    The type qualifier for a value: `s`, `u` or `b` with the width or, for kind `f`, the name of the
    float type.

    Raises OperationError if no instruction takes the type.
    """
    register = build.register(value.type)
    width = cast(FixedBitwidthType, register).bitwidth
    if isinstance(register, AnyFloat) != (kind == "f") and kind != "b":
        raise build.type_error(value.type, "a float" if kind == "f" else "an integer")
    if width == 1:
        raise build.type_error(register, "a wider integer")
    return str(register) if kind == "f" else f"{kind}{width}"


def require(build: PtxBuilder, type_: str, legal: Sequence[str]) -> None:
    """Raise OperationError unless a type qualifier is legal."""
    if type_ not in legal:
        raise build.type_error(type_, tuple(legal))

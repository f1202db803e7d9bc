"""The types of the arguments of constructors."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from xdsl.dialects.builtin import (
    ArrayAttr,
    DenseArrayBase,
    DictionaryAttr,
    FloatAttr,
    IntAttr,
    IntegerAttr,
    StringAttr,
    SymbolRefAttr,
    UnitAttr,
)
from xdsl.ir import Attribute, Block, Operation, Region, SSAValue

from .construction import HasValue

Value: TypeAlias = SSAValue | Operation | HasValue
"""An operand: a value, an operation with one result, or an object that stands for a value."""
Body: TypeAlias = Region | Block | Sequence[Operation]
"""A region."""
Flag: TypeAlias = bool | UnitAttr
Integer: TypeAlias = int | IntegerAttr[Any] | IntAttr
Float: TypeAlias = float | FloatAttr[Any]
Text: TypeAlias = str | StringAttr
Symbol: TypeAlias = str | SymbolRefAttr
Integers: TypeAlias = Sequence[int] | DenseArrayBase[Any]
Items: TypeAlias = Sequence[object] | ArrayAttr[Attribute]
"""A list of attributes or of plain values."""
Dictionary: TypeAlias = Mapping[str, object] | DictionaryAttr

"""Base classes and small helpers of the operations of `ws`."""

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import ClassVar

from xdsl.ir import Operation, SSAValue
from xdsl.irdl import traits_def
from xdsl.traits import MemoryReadEffect, MemoryWriteEffect, is_side_effect_free

from ..xdsl_support.constructed import ConstructedOperation
from .types import Buffer, RingType

_PURE = frozenset({"arith.remui", "arith.extsi", "vector.bitcast", "vector.reduction"})
"""Operations without effects that xDSL does not declare as such."""


class WsOperation(ConstructedOperation, ABC):
    """An operation with an effect on memory or on synchronisation."""

    traits = traits_def(MemoryReadEffect(), MemoryWriteEffect())


TMA, MMA, THREADS = "tma", "mma", "threads"


class HolderOp(WsOperation, ABC):
    """An operation with which a role takes a stage of a ring."""

    NOUN: ClassVar[str]
    """What messages call the operation."""

    @property
    @abstractmethod
    def kind(self) -> str:
        """Who works on the buffers: `tma`, `mma` or `threads`."""


def enclosing(op: Operation | None) -> Iterator[Operation]:
    """The operations around an operation, the innermost first."""
    above = None if op is None else op.parent_op()
    while above is not None:
        yield above
        above = above.parent_op()


def buffer_of(value: SSAValue) -> Buffer | None:
    """The type of a buffer; None if the value is something else."""
    return type_ if isinstance(type_ := value.type, Buffer) else None


def ring_type(value: SSAValue) -> RingType | None:
    """The type of a ring; None if the value is something else."""
    return type_ if isinstance(type_ := value.type, RingType) else None


def only_computes(op: Operation) -> bool:
    """Whether an operation has no effects."""
    return op.name in _PURE or is_side_effect_free(op)

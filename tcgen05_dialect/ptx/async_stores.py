"""Asynchronous stores and reductions by threads, and stores of zeros (9.7.9.12, 9.7.9.13,
9.7.13.7)."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import ClassVar

from xdsl.irdl import operand_def, var_operand_def

from ..isa.model.table import Place
from ..isa.ptx.async_stores import (
    CLEARED,
    GLOBAL_SCOPES,
    GLOBAL_TYPES,
    QUAD,
    REDUCTION,
    RELEASE,
    SIZE,
    VECTORS,
)
from ..isa.ptx.ptx_text import GENERIC
from .effects import bytes_at
from .instruction import instruction, opt_offset, opt_qualifier, qualifier
from .known_values import constant_bits
from .register_types import ANY_REGISTER, B64, REGISTER, SHARED_ADDRESS
from .shared_accesses import PlaceInstruction

_MECHANISM = "shared::cluster.mbarrier::complete_tx::bytes"
_GLOBAL = "$mmio.$semantics.$scope.$space"


@cache
def _places(size: int) -> Mapping[str, Place]:
    return {"address": Place(size, size)}


class _Store(PlaceInstruction):
    """A store whose size follows from its type and its values."""

    def places(self) -> Mapping[str, Place]:
        return {**super().places(), **_places(bytes_at(self, "address"))}


@instruction(
    f"st.async.$semantics.{_MECHANISM}*values(.v#(values)).$type "
    "[%address], <%values>, [%mbarrier]",
    VECTORS,
)
class StAsyncOp(_Store):
    """
    Store registers to shared memory of a CTA of the cluster; `mbarrier`, in the same CTA, tracks
    the completion.
    """

    name = "ptx.st.async"
    semantics = opt_qualifier("weak")
    type = qualifier(*VECTORS.values("type"))
    address = operand_def(SHARED_ADDRESS)
    address_offset = opt_offset()
    values = var_operand_def(ANY_REGISTER)
    mbarrier = operand_def(SHARED_ADDRESS)
    mbarrier_offset = opt_offset()
    TYPED: ClassVar[Mapping[str, str]] = {"values": "type"}

    def features(self) -> Sequence[str]:
        return ("st_async_b128",) if self.type.data == QUAD else ()


@instruction(
    f"st.async.{_GLOBAL}.$type [%address], %value",
    GLOBAL_SCOPES,
)
class StAsyncGlobalOp(_Store):
    """Store a register to global memory; the store releases earlier accesses."""

    name = "ptx.st.async.global"
    mmio = opt_qualifier(*GLOBAL_SCOPES.values("mmio"))
    semantics = qualifier(RELEASE)
    scope = qualifier(*GLOBAL_SCOPES.values("scope"))
    space = opt_qualifier("global")
    type = qualifier(*GLOBAL_TYPES)
    address = operand_def(B64)
    address_offset = opt_offset()
    value = operand_def(REGISTER)
    TYPED: ClassVar[Mapping[str, str]] = {"value": "type"}

    def features(self) -> Sequence[str]:
        return ("async_global",)


@instruction(
    f"red.async.relaxed.cluster.{_MECHANISM}.$operation.$type [%address], %value, [%mbarrier]",
    REDUCTION,
)
class RedAsyncOp(_Store):
    """
    Combine a number in shared memory of a CTA of the cluster with `value`; `mbarrier`, in the same
    CTA, tracks the completion.
    """

    name = "ptx.red.async"
    operation = qualifier(*REDUCTION.values("operation"))
    type = qualifier(*REDUCTION.values("type"))
    address = operand_def(SHARED_ADDRESS)
    address_offset = opt_offset()
    value = operand_def(REGISTER)
    mbarrier = operand_def(SHARED_ADDRESS)
    mbarrier_offset = opt_offset()
    TYPED: ClassVar[Mapping[str, str]] = {"value": "type"}


@instruction(
    f"red.async.{_GLOBAL}.$operation.$type [%address], %value",
    GLOBAL_SCOPES,
    REDUCTION,
)
class RedAsyncGlobalOp(_Store):
    """Combine a number in global memory with `value`; the reduction releases earlier accesses."""

    name = "ptx.red.async.global"
    mmio = opt_qualifier(*GLOBAL_SCOPES.values("mmio"))
    semantics = qualifier(RELEASE)
    scope = qualifier(*GLOBAL_SCOPES.values("scope"))
    space = opt_qualifier("global")
    operation = qualifier(*REDUCTION.values("operation"))
    type = qualifier(*REDUCTION.values("type"))
    address = operand_def(B64)
    address_offset = opt_offset()
    value = operand_def(REGISTER)
    TYPED: ClassVar[Mapping[str, str]] = {"value": "type"}

    def features(self) -> Sequence[str]:
        return ("async_global",)


@instruction(
    "st.bulk.$semantics.shared::cta [!address], %size, 0",
    limits={"size": SIZE},
    also={GENERIC: "st.bulk.$semantics [!address], %size, 0"},
)
class StBulkOp(PlaceInstruction):
    """Clear `size` bytes of shared memory of this CTA."""

    name = "ptx.st.bulk"
    semantics = opt_qualifier("weak")
    address = operand_def(SHARED_ADDRESS)
    address_offset = opt_offset()
    size = operand_def(B64)

    def places(self) -> Mapping[str, Place]:
        size = constant_bits(self.size)
        return {"address": CLEARED if size is None else CLEARED._replace(bytes=size)}

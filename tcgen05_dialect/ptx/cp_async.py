"""Asynchronous copies of a few bytes by each thread from global to shared memory (9.7.9.25.3)."""

from collections.abc import Mapping

from xdsl.irdl import AttrSizedOperandSegments, operand_def, opt_operand_def

from ..isa.model.table import Place
from ..isa.ptx.cp_async import PENDING_COPIES, PREFETCH_SIZES, SIZE, SIZES
from ..isa.ptx.ptx_text import GENERIC
from .instruction import (
    EffectInstruction,
    immediate,
    instruction,
    opt_offset,
    opt_qualifier,
    qualifier,
)
from .mbarrier import BarrierInstruction
from .register_types import B32, B64, SHARED_ADDRESS
from .shared_accesses import PlaceInstruction

_COPY = (
    "cp.async.$cache.shared::cta.global?cache_policy(.L2::cache_hint).$prefetch "
    "[%destination], [%source], $size?source_size(, %source_size)?cache_policy(, %cache_policy)"
)
_ARRIVE = "cp.async.mbarrier.arrive.$increment.shared::cta.b64 [%address]"


@instruction(
    _COPY, SIZES, limits={"size": SIZE}, also={"shared": _COPY.replace("shared::cta", "shared")}
)
class CpAsyncOp(PlaceInstruction):
    """
    Copy `size` bytes, as part of the current group. Only the first `source_size` bytes are read, if
    that is given; zeros are written for the others.
    """

    name = "ptx.cp.async"
    cache = qualifier(*SIZES.values("cache"))
    prefetch = opt_qualifier(*PREFETCH_SIZES)
    destination = operand_def(SHARED_ADDRESS)
    destination_offset = opt_offset()
    source = operand_def(B64)
    source_offset = opt_offset()
    size = immediate()
    source_size = opt_operand_def(B32)
    cache_policy = opt_operand_def(B64)
    irdl_options = (AttrSizedOperandSegments(as_property=True),)

    def places(self) -> Mapping[str, Place]:
        size = self.size.value.data
        return {"destination": Place(size, size)}


@instruction("cp.async.commit_group")
class CpAsyncCommitGroupOp(EffectInstruction):
    """Put the copies that this thread has started since the last commit into a group."""

    name = "ptx.cp.async.commit_group"


@instruction("cp.async.wait_group $pending", limits={"pending": PENDING_COPIES})
class CpAsyncWaitGroupOp(EffectInstruction):
    """Wait until at most the latest `pending` groups of copies are incomplete."""

    name = "ptx.cp.async.wait_group"
    pending = immediate()


@instruction("cp.async.wait_all")
class CpAsyncWaitAllOp(EffectInstruction):
    """Wait for all copies that this thread has started."""

    name = "ptx.cp.async.wait_all"


@instruction(
    _ARRIVE,
    also={
        "shared": _ARRIVE.replace("shared::cta", "shared"),
        GENERIC: _ARRIVE.replace(".shared::cta", ""),
    },
)
class CpAsyncMbarrierArriveOp(BarrierInstruction):
    """
    Let the completion of all copies that this thread has started arrive at a barrier object. Unless
    `noinc` is given, the phase expects one more arrival.
    """

    name = "ptx.cp.async.mbarrier.arrive"
    increment = opt_qualifier("noinc")
    address = operand_def(SHARED_ADDRESS)
    address_offset = opt_offset()

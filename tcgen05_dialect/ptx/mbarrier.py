"""Barrier objects in shared memory (9.7.13.15)."""

from abc import ABC
from collections.abc import Mapping
from typing import ClassVar

from xdsl.irdl import operand_def, result_def

from ..isa.model.place import Place
from ..isa.ptx.mbarrier import ARRIVE, BARRIER_OBJECT, BYTES, COUNT, PARITY, TRY_WAIT
from .instruction import instruction, opt_offset, opt_qualifier
from .register_types import B32, PRED
from .shared_accesses import PlaceInstruction


class _BarrierInstruction(PlaceInstruction, ABC):
    """An instruction on the barrier object at `address`."""

    PLACES: ClassVar[Mapping[str, Place]] = {"address": BARRIER_OBJECT}


@instruction("mbarrier.init.shared::cta.b64 [%address], %count", limits={"count": COUNT})
class MbarrierInitOp(_BarrierInstruction):
    """Initialise a barrier object that expects `count` arrivals in each phase."""

    name = "ptx.mbarrier.init"
    address = operand_def(B32)
    address_offset = opt_offset()
    count = operand_def(B32)


@instruction("mbarrier.inval.shared::cta.b64 [%address]")
class MbarrierInvalOp(_BarrierInstruction):
    """Invalidate a barrier object, so that its memory can be used otherwise."""

    name = "ptx.mbarrier.inval"
    address = operand_def(B32)
    address_offset = opt_offset()


@instruction("mbarrier.arrive.$semantics.$scope.shared::cta.b64 _, [%address]", ARRIVE)
class MbarrierArriveOp(_BarrierInstruction):
    """Arrive once at a barrier object of this CTA."""

    name = "ptx.mbarrier.arrive"
    semantics = opt_qualifier(*ARRIVE.values("semantics"))
    scope = opt_qualifier(*ARRIVE.values("scope"))
    address = operand_def(B32)
    address_offset = opt_offset()
    ARRIVES_AT: ClassVar[str] = "address"


@instruction("mbarrier.arrive.$semantics.$scope.shared::cluster.b64 _, [%address]", ARRIVE)
class MbarrierArriveRemoteOp(_BarrierInstruction):
    """Arrive once at a barrier object of any CTA of the cluster."""

    name = "ptx.mbarrier.arrive.remote"
    semantics = opt_qualifier(*ARRIVE.values("semantics"))
    scope = opt_qualifier(*ARRIVE.values("scope"))
    address = operand_def(B32)
    address_offset = opt_offset()
    ARRIVES_AT: ClassVar[str] = "address"


@instruction(
    "mbarrier.arrive.expect_tx.$semantics.$scope.shared::cta.b64 _, [%address], %bytes",
    ARRIVE,
    limits={"bytes": BYTES},
)
class MbarrierArriveExpectTxOp(_BarrierInstruction):
    """Increase the transaction count of the current phase by `bytes`, then arrive."""

    name = "ptx.mbarrier.arrive.expect_tx"
    semantics = opt_qualifier(*ARRIVE.values("semantics"))
    scope = opt_qualifier(*ARRIVE.values("scope"))
    address = operand_def(B32)
    address_offset = opt_offset()
    bytes = operand_def(B32)
    ARRIVES_AT: ClassVar[str] = "address"


@instruction(
    "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%address], %bytes", limits={"bytes": BYTES}
)
class MbarrierExpectTxOp(_BarrierInstruction):
    """Increase the transaction count of the current phase by `bytes`."""

    name = "ptx.mbarrier.expect_tx"
    address = operand_def(B32)
    address_offset = opt_offset()
    bytes = operand_def(B32)


@instruction(
    "mbarrier.try_wait.parity.$semantics.$scope.shared::cta.b64 %done, [%address], %parity",
    TRY_WAIT,
    limits={"parity": PARITY},
)
class MbarrierTryWaitOp(_BarrierInstruction):
    """Wait for a limited time; `done` holds if the phase with parity `parity` has completed."""

    name = "ptx.mbarrier.try_wait.parity"
    semantics = opt_qualifier(*TRY_WAIT.values("semantics"))
    scope = opt_qualifier(*TRY_WAIT.values("scope"))
    address = operand_def(B32)
    address_offset = opt_offset()
    parity = operand_def(B32)
    done = result_def(PRED)


@instruction(
    "{\n\t.reg .pred %%done;\n%%wait:\n"
    "\tmbarrier.try_wait.parity.$semantics.$scope.shared::cta.b64 %%done, [%address], %parity;"
    "\n\t@!%%done bra %%wait;\n\t}",
    TRY_WAIT,
    limits={"parity": PARITY},
)
class MbarrierWaitOp(_BarrierInstruction):
    """Wait until the phase with parity `parity` has completed: a loop around `try_wait`."""

    name = "ptx.mbarrier.wait"
    semantics = opt_qualifier(*TRY_WAIT.values("semantics"))
    scope = opt_qualifier(*TRY_WAIT.values("scope"))
    address = operand_def(B32)
    address_offset = opt_offset()
    parity = operand_def(B32)

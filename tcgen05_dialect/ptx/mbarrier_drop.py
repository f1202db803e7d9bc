"""
Less usual instructions on barrier objects (9.7.13.15): arrivals of threads that leave, arrivals
that complete no phase, completed transactions, and pending counts.
"""

from typing import ClassVar

from xdsl.irdl import operand_def, opt_operand_def, result_def
from xdsl.utils.exceptions import VerifyException

from ..isa.ptx.mbarrier import ARRIVE_DROP, BYTES, COMPLETE_TX, COUNT, NO_COMPLETE, STATE_RULE
from .instruction import EffectInstruction, instruction, opt_offset, opt_qualifier
from .mbarrier import BarrierInstruction, Expectation, shared_spellings, with_state
from .register_types import B32, B64, SHARED_ADDRESS

_DROP = "mbarrier.arrive_drop.$semantics.$scope.shared::cta.b64 _, [%address]?count(, %count)"
_DROP_EXPECT_TX = (
    "mbarrier.arrive_drop.expect_tx.$semantics.$scope.shared::cta.b64 _, [%address], %bytes"
)
_NO_COMPLETE = (
    "mbarrier.arrive.noComplete.$semantics.$scope.shared::cta.b64 %state, [%address], %count"
)
_DROP_NO_COMPLETE = _NO_COMPLETE.replace("arrive", "arrive_drop")
_COMPLETE_TX = "mbarrier.complete_tx.$semantics.$scope.shared::cta.b64 [%address], %bytes"


def _remote(line: str) -> str:
    """The syntax line for a barrier object of any CTA of the cluster."""
    return line.replace("shared::cta", "shared::cluster")


@instruction(_DROP, ARRIVE_DROP, limits={"count": COUNT}, also=shared_spellings(_DROP))
class MbarrierArriveDropOp(BarrierInstruction):
    """Arrive once or, if given, `count` times; later phases expect that many fewer arrivals."""

    name = "ptx.mbarrier.arrive_drop"
    semantics = opt_qualifier(*ARRIVE_DROP.values("semantics"))
    scope = opt_qualifier(*ARRIVE_DROP.values("scope"))
    address = operand_def(SHARED_ADDRESS)
    address_offset = opt_offset()
    count = opt_operand_def(B32)


@instruction(
    with_state(_DROP),
    ARRIVE_DROP,
    limits={"count": COUNT},
    also=shared_spellings(with_state(_DROP)),
)
class MbarrierArriveDropStateOp(BarrierInstruction):
    """Arrive, and let later phases expect fewer arrivals; `state` identifies the phase."""

    name = "ptx.mbarrier.arrive_drop.state"
    semantics = opt_qualifier(*ARRIVE_DROP.values("semantics"))
    scope = opt_qualifier(*ARRIVE_DROP.values("scope"))
    address = operand_def(SHARED_ADDRESS)
    address_offset = opt_offset()
    count = opt_operand_def(B32)
    state = result_def(B64)


@instruction(_remote(_DROP), ARRIVE_DROP, limits={"count": COUNT})
class MbarrierArriveDropRemoteOp(BarrierInstruction):
    """Arrive at a barrier object of any CTA of the cluster; later phases expect fewer arrivals."""

    name = "ptx.mbarrier.arrive_drop.remote"
    IS_REMOTE: ClassVar[bool] = True
    semantics = opt_qualifier(*ARRIVE_DROP.values("semantics"))
    scope = opt_qualifier(*ARRIVE_DROP.values("scope"))
    address = operand_def(SHARED_ADDRESS)
    address_offset = opt_offset()
    count = opt_operand_def(B32)


@instruction(
    _DROP_EXPECT_TX, ARRIVE_DROP, limits={"bytes": BYTES}, also=shared_spellings(_DROP_EXPECT_TX)
)
class MbarrierArriveDropExpectTxOp(Expectation):
    """Increase the transaction count by `bytes`, then arrive; later phases expect one arrival
    fewer."""

    name = "ptx.mbarrier.arrive_drop.expect_tx"
    semantics = opt_qualifier(*ARRIVE_DROP.values("semantics"))
    scope = opt_qualifier(*ARRIVE_DROP.values("scope"))
    address = operand_def(SHARED_ADDRESS)
    address_offset = opt_offset()
    bytes = operand_def(B32)


@instruction(
    with_state(_DROP_EXPECT_TX),
    ARRIVE_DROP,
    limits={"bytes": BYTES},
    also=shared_spellings(with_state(_DROP_EXPECT_TX)),
)
class MbarrierArriveDropExpectTxStateOp(Expectation):
    """The same; `state` identifies the phase."""

    name = "ptx.mbarrier.arrive_drop.expect_tx.state"
    semantics = opt_qualifier(*ARRIVE_DROP.values("semantics"))
    scope = opt_qualifier(*ARRIVE_DROP.values("scope"))
    address = operand_def(SHARED_ADDRESS)
    address_offset = opt_offset()
    bytes = operand_def(B32)
    state = result_def(B64)


@instruction(_remote(_DROP_EXPECT_TX), ARRIVE_DROP, limits={"bytes": BYTES})
class MbarrierArriveDropExpectTxRemoteOp(Expectation):
    """The same for a barrier object of any CTA of the cluster."""

    name = "ptx.mbarrier.arrive_drop.expect_tx.remote"
    IS_REMOTE: ClassVar[bool] = True
    semantics = opt_qualifier(*ARRIVE_DROP.values("semantics"))
    scope = opt_qualifier(*ARRIVE_DROP.values("scope"))
    address = operand_def(SHARED_ADDRESS)
    address_offset = opt_offset()
    bytes = operand_def(B32)


@instruction(
    _NO_COMPLETE, NO_COMPLETE, limits={"count": COUNT}, also=shared_spellings(_NO_COMPLETE)
)
class MbarrierArriveNoCompleteOp(BarrierInstruction):
    """Arrive `count` times, which must not complete the phase that `state` identifies."""

    name = "ptx.mbarrier.arrive.no_complete"
    semantics = opt_qualifier(*NO_COMPLETE.values("semantics"))
    scope = opt_qualifier(*NO_COMPLETE.values("scope"))
    address = operand_def(SHARED_ADDRESS)
    address_offset = opt_offset()
    count = operand_def(B32)
    state = result_def(B64)


@instruction(
    _DROP_NO_COMPLETE,
    NO_COMPLETE,
    limits={"count": COUNT},
    also=shared_spellings(_DROP_NO_COMPLETE),
)
class MbarrierArriveDropNoCompleteOp(BarrierInstruction):
    """Arrive `count` times, which must not complete the phase; later phases expect that many fewer
    arrivals."""

    name = "ptx.mbarrier.arrive_drop.no_complete"
    semantics = opt_qualifier(*NO_COMPLETE.values("semantics"))
    scope = opt_qualifier(*NO_COMPLETE.values("scope"))
    address = operand_def(SHARED_ADDRESS)
    address_offset = opt_offset()
    count = operand_def(B32)
    state = result_def(B64)


@instruction(
    _COMPLETE_TX, COMPLETE_TX, limits={"bytes": BYTES}, also=shared_spellings(_COMPLETE_TX)
)
class MbarrierCompleteTxOp(BarrierInstruction):
    """Complete `bytes` of the current phase, as an asynchronous copy does."""

    name = "ptx.mbarrier.complete_tx"
    semantics = opt_qualifier(*COMPLETE_TX.values("semantics"))
    scope = opt_qualifier(*COMPLETE_TX.values("scope"))
    address = operand_def(SHARED_ADDRESS)
    address_offset = opt_offset()
    bytes = operand_def(B32)


@instruction(_remote(_COMPLETE_TX), COMPLETE_TX, limits={"bytes": BYTES})
class MbarrierCompleteTxRemoteOp(BarrierInstruction):
    """Complete `bytes` on a barrier object of any CTA of the cluster."""

    name = "ptx.mbarrier.complete_tx.remote"
    IS_REMOTE: ClassVar[bool] = True
    semantics = opt_qualifier(*COMPLETE_TX.values("semantics"))
    scope = opt_qualifier(*COMPLETE_TX.values("scope"))
    address = operand_def(SHARED_ADDRESS)
    address_offset = opt_offset()
    bytes = operand_def(B32)


@instruction("mbarrier.pending_count.b64 %d, %state")
class MbarrierPendingCountOp(EffectInstruction):
    """The number of arrivals that the phase of `state` still expected when the state was taken."""

    name = "ptx.mbarrier.pending_count"
    state = operand_def(B64)
    d = result_def(B32)

    def verify_(self) -> None:
        super().verify_()
        owner = self.state.owner
        if isinstance(owner, BarrierInstruction) and not isinstance(owner, _NO_COMPLETES):
            violation = STATE_RULE.violation(owner.name, tuple(op.name for op in _NO_COMPLETES))
            raise VerifyException(str(violation)) from violation


_NO_COMPLETES = MbarrierArriveNoCompleteOp, MbarrierArriveDropNoCompleteOp

"""Barrier objects in shared memory (9.7.13.15)."""

from abc import ABC
from collections.abc import Mapping
from typing import ClassVar

from xdsl.irdl import operand_def, opt_operand_def, result_def

from ..isa.ptx.mbarrier import ARRIVE, BYTES, COUNT, PARITY, TRY_WAIT
from ..isa.ptx.ptx_text import GENERIC
from .instruction import instruction, opt_offset, opt_qualifier
from .register_types import B32, B64, PRED, SHARED_ADDRESS
from .shared_accesses import PlaceInstruction


class BarrierInstruction(PlaceInstruction, ABC):
    """An instruction on the barrier object at `address`."""

    IS_REMOTE: ClassVar[bool] = False
    """Whether the barrier object may belong to another CTA of the cluster."""


class Expectation(BarrierInstruction, ABC):
    """An instruction that increases the transaction count of a phase by `bytes`."""

    address = operand_def(SHARED_ADDRESS)
    address_offset = opt_offset()
    bytes = operand_def(B32)


def shared_spellings(line: str) -> Mapping[str, str]:
    """The spelling of a syntax line with `.shared`, which is short for `.shared::cta`, and that
    with a generic address."""
    return {
        "shared": line.replace(".shared::cta", ".shared"),
        GENERIC: line.replace(".shared::cta", ""),
    }


def _expectation(line: str) -> Mapping[str, str]:
    """The spellings of `expect_tx`, whose semantics may be left out."""
    semantics = ".relaxed.cta"
    plain = line.replace(semantics, "")
    return {
        **shared_spellings(line),
        "plain": plain,
        "plain_shared": plain.replace(".shared::cta", ".shared"),
        "plain_generic": plain.replace(".shared::cta", ""),
        "cluster": (cluster := line.replace(semantics, ".relaxed.cluster")),
        **{f"cluster_{name}": text for name, text in shared_spellings(cluster).items()},
    }


_INIT = "mbarrier.init.shared::cta.b64 [%address], %count"
_INVAL = "mbarrier.inval.shared::cta.b64 [%address]"
_ARRIVE = "mbarrier.arrive.$semantics.$scope.shared::cta.b64 _, [%address]?count(, %count)"
_ARRIVE_EXPECT_TX = (
    "mbarrier.arrive.expect_tx.$semantics.$scope.shared::cta.b64 _, [%address], %bytes"
)
_EXPECT_TX = "mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%address], %bytes"
_TRY_WAIT = (
    "mbarrier.try_wait.parity.$semantics.$scope.shared::cta.b64 %done, [%address], %parity"
    "?time_limit(, %time_limit)"
)
_TEST_WAIT = (
    "mbarrier.test_wait.parity.$semantics.$scope.shared::cta.b64 %done, [%address], %parity"
)
_TRY_WAIT_STATE = (
    "mbarrier.try_wait.$semantics.$scope.shared::cta.b64 %done, [%address], %state"
    "?time_limit(, %time_limit)"
)
_TEST_WAIT_STATE = "mbarrier.test_wait.$semantics.$scope.shared::cta.b64 %done, [%address], %state"


def with_state(line: str) -> str:
    """The syntax line of an arrival whose result is the state of the barrier object."""
    return line.replace(" _,", " %state,")


@instruction(_INIT, limits={"count": COUNT}, also=shared_spellings(_INIT))
class MbarrierInitOp(BarrierInstruction):
    """Initialise a barrier object that expects `count` arrivals in each phase."""

    name = "ptx.mbarrier.init"
    address = operand_def(SHARED_ADDRESS)
    address_offset = opt_offset()
    count = operand_def(B32)


@instruction(_INVAL, also=shared_spellings(_INVAL))
class MbarrierInvalOp(BarrierInstruction):
    """Invalidate a barrier object, so that its memory can be used for other data."""

    name = "ptx.mbarrier.inval"
    address = operand_def(SHARED_ADDRESS)
    address_offset = opt_offset()


@instruction(_ARRIVE, ARRIVE, limits={"count": COUNT}, also=shared_spellings(_ARRIVE))
class MbarrierArriveOp(BarrierInstruction):
    """Arrive at a barrier object of this CTA: once or, if given, `count` times."""

    name = "ptx.mbarrier.arrive"
    semantics = opt_qualifier(*ARRIVE.values("semantics"))
    scope = opt_qualifier(*ARRIVE.values("scope"))
    address = operand_def(SHARED_ADDRESS)
    address_offset = opt_offset()
    count = opt_operand_def(B32)


@instruction(
    with_state(_ARRIVE), ARRIVE, limits={"count": COUNT}, also=shared_spellings(with_state(_ARRIVE))
)
class MbarrierArriveStateOp(BarrierInstruction):
    """Arrive at a barrier object; `state` identifies the phase, for a wait."""

    name = "ptx.mbarrier.arrive.state"
    semantics = opt_qualifier(*ARRIVE.values("semantics"))
    scope = opt_qualifier(*ARRIVE.values("scope"))
    address = operand_def(SHARED_ADDRESS)
    address_offset = opt_offset()
    count = opt_operand_def(B32)
    state = result_def(B64)


@instruction(
    "mbarrier.arrive.$semantics.$scope.shared::cluster.b64 _, [%address]?count(, %count)",
    ARRIVE,
    limits={"count": COUNT},
)
class MbarrierArriveRemoteOp(BarrierInstruction):
    """Arrive at a barrier object of any CTA of the cluster: once or, if given, `count` times."""

    name = "ptx.mbarrier.arrive.remote"
    IS_REMOTE: ClassVar[bool] = True
    semantics = opt_qualifier(*ARRIVE.values("semantics"))
    scope = opt_qualifier(*ARRIVE.values("scope"))
    address = operand_def(SHARED_ADDRESS)
    address_offset = opt_offset()
    count = opt_operand_def(B32)


@instruction(
    _ARRIVE_EXPECT_TX, ARRIVE, limits={"bytes": BYTES}, also=shared_spellings(_ARRIVE_EXPECT_TX)
)
class MbarrierArriveExpectTxOp(Expectation):
    """Increase the transaction count of the current phase by `bytes`, then arrive."""

    name = "ptx.mbarrier.arrive.expect_tx"
    semantics = opt_qualifier(*ARRIVE.values("semantics"))
    scope = opt_qualifier(*ARRIVE.values("scope"))
    address = operand_def(SHARED_ADDRESS)
    address_offset = opt_offset()
    bytes = operand_def(B32)


@instruction(
    with_state(_ARRIVE_EXPECT_TX),
    ARRIVE,
    limits={"bytes": BYTES},
    also=shared_spellings(with_state(_ARRIVE_EXPECT_TX)),
)
class MbarrierArriveExpectTxStateOp(Expectation):
    """Increase the transaction count by `bytes`, then arrive; `state` identifies the phase."""

    name = "ptx.mbarrier.arrive.expect_tx.state"
    semantics = opt_qualifier(*ARRIVE.values("semantics"))
    scope = opt_qualifier(*ARRIVE.values("scope"))
    address = operand_def(SHARED_ADDRESS)
    address_offset = opt_offset()
    bytes = operand_def(B32)
    state = result_def(B64)


@instruction(
    "mbarrier.arrive.expect_tx.$semantics.$scope.shared::cluster.b64 _, [%address], %bytes",
    ARRIVE,
    limits={"bytes": BYTES},
)
class MbarrierArriveExpectTxRemoteOp(Expectation):
    """Increase the transaction count of a barrier object of any CTA of the cluster, then arrive."""

    name = "ptx.mbarrier.arrive.expect_tx.remote"
    IS_REMOTE: ClassVar[bool] = True
    semantics = opt_qualifier(*ARRIVE.values("semantics"))
    scope = opt_qualifier(*ARRIVE.values("scope"))
    address = operand_def(SHARED_ADDRESS)
    address_offset = opt_offset()
    bytes = operand_def(B32)


@instruction(_EXPECT_TX, limits={"bytes": BYTES}, also=_expectation(_EXPECT_TX))
class MbarrierExpectTxOp(Expectation):
    """Increase the transaction count of the current phase by `bytes`."""

    name = "ptx.mbarrier.expect_tx"
    address = operand_def(SHARED_ADDRESS)
    address_offset = opt_offset()
    bytes = operand_def(B32)


@instruction(
    "mbarrier.expect_tx.relaxed.cluster.shared::cluster.b64 [%address], %bytes",
    limits={"bytes": BYTES},
    also={
        "plain": "mbarrier.expect_tx.shared::cluster.b64 [%address], %bytes",
        "cta": "mbarrier.expect_tx.relaxed.cta.shared::cluster.b64 [%address], %bytes",
    },
)
class MbarrierExpectTxRemoteOp(Expectation):
    """Increase the transaction count of a barrier object of any CTA of the cluster."""

    name = "ptx.mbarrier.expect_tx.remote"
    IS_REMOTE: ClassVar[bool] = True
    address = operand_def(SHARED_ADDRESS)
    address_offset = opt_offset()
    bytes = operand_def(B32)


@instruction(_TRY_WAIT, TRY_WAIT, limits={"parity": PARITY}, also=shared_spellings(_TRY_WAIT))
class MbarrierTryWaitOp(BarrierInstruction):
    """
    Wait for a limited time; `done` holds if the phase with parity `parity` has completed.
    `time_limit` is in nanoseconds.
    """

    name = "ptx.mbarrier.try_wait.parity"
    semantics = opt_qualifier(*TRY_WAIT.values("semantics"))
    scope = opt_qualifier(*TRY_WAIT.values("scope"))
    address = operand_def(SHARED_ADDRESS)
    address_offset = opt_offset()
    parity = operand_def(B32)
    time_limit = opt_operand_def(B32)
    done = result_def(PRED)


@instruction(_TEST_WAIT, TRY_WAIT, limits={"parity": PARITY}, also=shared_spellings(_TEST_WAIT))
class MbarrierTestWaitOp(BarrierInstruction):
    """`done` holds if the phase with parity `parity` has completed; the thread does not wait."""

    name = "ptx.mbarrier.test_wait.parity"
    semantics = opt_qualifier(*TRY_WAIT.values("semantics"))
    scope = opt_qualifier(*TRY_WAIT.values("scope"))
    address = operand_def(SHARED_ADDRESS)
    address_offset = opt_offset()
    parity = operand_def(B32)
    done = result_def(PRED)


@instruction(_TRY_WAIT_STATE, TRY_WAIT, also=shared_spellings(_TRY_WAIT_STATE))
class MbarrierTryWaitStateOp(BarrierInstruction):
    """Wait for a limited time; `done` holds if the phase of `state` has completed."""

    name = "ptx.mbarrier.try_wait"
    semantics = opt_qualifier(*TRY_WAIT.values("semantics"))
    scope = opt_qualifier(*TRY_WAIT.values("scope"))
    address = operand_def(SHARED_ADDRESS)
    address_offset = opt_offset()
    state = operand_def(B64)
    time_limit = opt_operand_def(B32)
    done = result_def(PRED)


@instruction(_TEST_WAIT_STATE, TRY_WAIT, also=shared_spellings(_TEST_WAIT_STATE))
class MbarrierTestWaitStateOp(BarrierInstruction):
    """`done` holds if the phase of `state` has completed; the thread does not wait."""

    name = "ptx.mbarrier.test_wait"
    semantics = opt_qualifier(*TRY_WAIT.values("semantics"))
    scope = opt_qualifier(*TRY_WAIT.values("scope"))
    address = operand_def(SHARED_ADDRESS)
    address_offset = opt_offset()
    state = operand_def(B64)
    done = result_def(PRED)


@instruction(
    "{\n\t.reg .pred %%done;\n%%wait:\n"
    "\tmbarrier.try_wait.parity.$semantics.$scope.shared::cta.b64 %%done, [%address], %parity;"
    "\n\t@!%%done bra %%wait;\n\t}",
    TRY_WAIT,
    limits={"parity": PARITY},
)
class MbarrierWaitOp(BarrierInstruction):
    """Wait until the phase with parity `parity` has completed: a loop around `try_wait`."""

    name = "ptx.mbarrier.wait"
    semantics = opt_qualifier(*TRY_WAIT.values("semantics"))
    scope = opt_qualifier(*TRY_WAIT.values("scope"))
    address = operand_def(B32)
    address_offset = opt_offset()
    parity = operand_def(B32)

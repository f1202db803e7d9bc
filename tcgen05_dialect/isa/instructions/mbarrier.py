"""Barrier objects in shared memory (9.7.13.15)."""

from __future__ import annotations

from collections.abc import Mapping

from tcgen05_dialect.isa.effects.model import (
    CLUSTER_SCOPES,
    COMMITTED,
    COPIED,
    COPIED_BY_THREAD,
    CTA_SCOPE,
    Area,
    Effects,
    Ordering,
    Participants,
    StateSpace,
    by_semantics,
)
from tcgen05_dialect.isa.model.rule import rule
from tcgen05_dialect.isa.model.table import Limit, Place, Table
from tcgen05_dialect.isa.ptx.ptx_text import GENERIC

_ARRIVE = "9.7.13.15.13"
_ARRIVE_DROP = "9.7.13.15.14"
_WAIT = "9.7.13.15.16"
_MAX = (1 << 20) - 1


def _semantics(
    id: str,
    name: str,
    section: str,
    semantics: str | tuple[str, ...],
    scopes: str | tuple[str, ...] = CLUSTER_SCOPES,
) -> Table:
    return Table(
        name,
        section,
        ("semantics", "scope"),
        ((None, None), (semantics, scopes)),
        rule(id),
    )


ARRIVE = _semantics("T5-PTX-040", "mbarrier.arrive", _ARRIVE, ("release", "relaxed"))
ARRIVE_DROP = _semantics("T5-PTX-215", "mbarrier.arrive_drop", _ARRIVE_DROP, ("release", "relaxed"))
NO_COMPLETE = _semantics("T5-PTX-216", "mbarrier.arrive.no_complete", _ARRIVE, "release", CTA_SCOPE)
COMPLETE_TX = _semantics("T5-PTX-217", "mbarrier.complete_tx", "9.7.13.15.12", "relaxed")
TRY_WAIT = _semantics("T5-PTX-041", "mbarrier.try_wait", _WAIT, ("acquire", "relaxed"))
STATE_RULE = rule("T5-PTX-218")
STATES_OF_PHASE = ("mbarrier.arrive.no_complete", "mbarrier.arrive_drop.no_complete")
"""The instructions whose states mbarrier.pending_count takes."""

_OBJECT_BYTES = 8
_OBJECT_RULE = rule("T5-PTX-045", object_bytes=_OBJECT_BYTES)
BARRIER_OBJECT = Place(_OBJECT_BYTES, _OBJECT_BYTES, _OBJECT_RULE, _OBJECT_RULE)

COUNT = Limit(
    rule("T5-PTX-042"),
    range(1, _MAX + 1),
)
BYTES = Limit(
    rule("T5-PTX-043"),
    range(_MAX + 1),
)
PARITY = Limit(
    rule("T5-PTX-044"),
    range(2),
)

_OBJECT = Area(StateSpace.BARRIER, ("address",), BARRIER_OBJECT)
_STATE = Area(StateSpace.REGISTERS, ("state",), proxy=None)
INITIALISATION = Effects(writes=(_OBJECT,), executed_by=Participants.ONE)
CHANGE = Effects(writes=(_OBJECT,))
ARRIVAL = Effects(
    writes=(_OBJECT,),
    orders=by_semantics(Ordering.RELEASE),
    scope="cluster",
    arrives_at="address",
)
ARRIVAL_WITH_STATE = ARRIVAL._replace(writes=(_OBJECT, _STATE))
ARRIVAL_IN_PHASE = ARRIVAL_WITH_STATE._replace(scope=CTA_SCOPE)
COMPLETION = Effects(writes=(_OBJECT,), completes_at="address")
# The count depends on the order of the arrivals.
PENDING_COUNT = Effects(
    reads=(_STATE, Area(StateSpace.COUNTER, proxy=None)),
    writes=(Area(StateSpace.REGISTERS, ("d",), proxy=None),),
)
WAIT = Effects(
    reads=(_OBJECT,),
    orders=by_semantics(Ordering.ACQUIRE),
    scope=CTA_SCOPE,
    completes=(COPIED, COMMITTED, COPIED_BY_THREAD),
)
LIMITED_WAIT = WAIT._replace(data=("time_limit",))


def shared_spellings(line: str) -> Mapping[str, str]:
    """The spelling of a syntax line with `.shared`, which is short for `.shared::cta`, and that
    with a generic address."""
    return {
        "shared": line.replace(".shared::cta", ".shared"),
        GENERIC: line.replace(".shared::cta", ""),
    }


def expectation_spellings(line: str) -> Mapping[str, str]:
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


INSTRUCTIONS = r"""
mbarrier.init | mbarrier.init.shared::cta.b64 [%address], %count | 9.7.13.15.9
    | address SHARED_ADDRESS; count B32 in COUNT; also shared_spellings; base BarrierInstruction
    | INITIALISATION | Initialise a barrier object that expects `count` arrivals in each phase.
mbarrier.inval | mbarrier.inval.shared::cta.b64 [%address] | 9.7.13.15.10
    | address SHARED_ADDRESS; also shared_spellings; base BarrierInstruction | CHANGE
    | Invalidate a barrier object, so that its memory can be used for other data.
mbarrier.expect_tx | mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [%address], %bytes
    | 9.7.13.15.11
    | address SHARED_ADDRESS; bytes B32 in BYTES; also expectation_spellings; base Expectation
    | CHANGE | Increase the transaction count of the current phase by `bytes`.
mbarrier.expect_tx.remote
    | mbarrier.expect_tx.relaxed.cluster.shared::cluster.b64 [%address], %bytes
      / plain: mbarrier.expect_tx.shared::cluster.b64 [%address], %bytes
      / cta: mbarrier.expect_tx.relaxed.cta.shared::cluster.b64 [%address], %bytes
    | 9.7.13.15.11 | address SHARED_ADDRESS; bytes B32 in BYTES; base Expectation | CHANGE
    | Increase the transaction count of a barrier object of any CTA of the cluster.
mbarrier.complete_tx | mbarrier.complete_tx.$semantics.$scope.shared::cta.b64 [%address], %bytes
    | 9.7.13.15.12
    | COMPLETE_TX; address SHARED_ADDRESS; bytes B32 in BYTES; also shared_spellings; base
      BarrierInstruction | COMPLETION
    | Complete `bytes` of the current phase, as an asynchronous copy does.
mbarrier.complete_tx.remote
    | mbarrier.complete_tx.$semantics.$scope.shared::cluster.b64 [%address], %bytes | 9.7.13.15.12
    | COMPLETE_TX; address SHARED_ADDRESS; bytes B32 in BYTES; base BarrierInstruction
    | COMPLETION | Complete `bytes` on a barrier object of any CTA of the cluster.
mbarrier.arrive | mbarrier.arrive.$semantics.$scope.shared::cta.b64 _, [%address]?count(, %count)
    | 9.7.13.15.13
    | ARRIVE; address SHARED_ADDRESS; count B32 in COUNT; also shared_spellings; base
      BarrierInstruction | ARRIVAL
    | Arrive at a barrier object of this CTA: once or, if given, `count` times.
mbarrier.arrive.state
    | mbarrier.arrive.$semantics.$scope.shared::cta.b64 %state, [%address]?count(, %count)
    | 9.7.13.15.13
    | ARRIVE; state B64; address SHARED_ADDRESS; count B32 in COUNT; also shared_spellings; base
      BarrierInstruction | ARRIVAL_WITH_STATE
    | Arrive at a barrier object; `state` identifies the phase, for a wait.
mbarrier.arrive.remote
    | mbarrier.arrive.$semantics.$scope.shared::cluster.b64 _, [%address]?count(, %count)
    | 9.7.13.15.13 | ARRIVE; address SHARED_ADDRESS; count B32 in COUNT; base BarrierInstruction
    | ARRIVAL
    | Arrive at a barrier object of any CTA of the cluster: once or, if given, `count` times.
mbarrier.arrive.expect_tx
    | mbarrier.arrive.expect_tx.$semantics.$scope.shared::cta.b64 _, [%address], %bytes
    | 9.7.13.15.13
    | ARRIVE; address SHARED_ADDRESS; bytes B32 in BYTES; also shared_spellings; base Expectation
    | ARRIVAL | Increase the transaction count of the current phase by `bytes`, then arrive.
mbarrier.arrive.expect_tx.state
    | mbarrier.arrive.expect_tx.$semantics.$scope.shared::cta.b64 %state, [%address], %bytes
    | 9.7.13.15.13
    | ARRIVE; state B64; address SHARED_ADDRESS; bytes B32 in BYTES; also shared_spellings; base
      Expectation | ARRIVAL_WITH_STATE
    | Increase the transaction count by `bytes`, then arrive; `state` identifies the phase.
mbarrier.arrive.expect_tx.remote
    | mbarrier.arrive.expect_tx.$semantics.$scope.shared::cluster.b64 _, [%address], %bytes
    | 9.7.13.15.13 | ARRIVE; address SHARED_ADDRESS; bytes B32 in BYTES; base Expectation
    | ARRIVAL
    | Increase the transaction count of a barrier object of any CTA of the cluster, then arrive.
mbarrier.arrive.no_complete
    | mbarrier.arrive.noComplete.$semantics.$scope.shared::cta.b64 %state, [%address], %count
    | 9.7.13.15.13
    | NO_COMPLETE; state B64; address SHARED_ADDRESS; count B32 in COUNT; also shared_spellings;
      base BarrierInstruction | ARRIVAL_IN_PHASE
    | Arrive `count` times, which must not complete the phase that `state` identifies.
mbarrier.arrive_drop
    | mbarrier.arrive_drop.$semantics.$scope.shared::cta.b64 _, [%address]?count(, %count)
    | 9.7.13.15.14
    | ARRIVE_DROP; address SHARED_ADDRESS; count B32 in COUNT; also shared_spellings; base
      BarrierInstruction | ARRIVAL
    | Arrive once or, if given, `count` times; later phases expect that many fewer arrivals.
mbarrier.arrive_drop.state
    | mbarrier.arrive_drop.$semantics.$scope.shared::cta.b64 %state, [%address]?count(, %count)
    | 9.7.13.15.14
    | ARRIVE_DROP; state B64; address SHARED_ADDRESS; count B32 in COUNT; also shared_spellings;
      base BarrierInstruction | ARRIVAL_WITH_STATE
    | Arrive, and let later phases expect fewer arrivals; `state` identifies the phase.
mbarrier.arrive_drop.remote
    | mbarrier.arrive_drop.$semantics.$scope.shared::cluster.b64 _, [%address]?count(, %count)
    | 9.7.13.15.14
    | ARRIVE_DROP; address SHARED_ADDRESS; count B32 in COUNT; base BarrierInstruction | ARRIVAL
    | Arrive at a barrier object of any CTA of the cluster; later phases expect fewer arrivals.
mbarrier.arrive_drop.expect_tx
    | mbarrier.arrive_drop.expect_tx.$semantics.$scope.shared::cta.b64 _, [%address], %bytes
    | 9.7.13.15.14
    | ARRIVE_DROP; address SHARED_ADDRESS; bytes B32 in BYTES; also shared_spellings; base
      Expectation | ARRIVAL
    | Increase the transaction count by `bytes`, then arrive; later phases expect one arrival
      fewer.
mbarrier.arrive_drop.expect_tx.state
    | mbarrier.arrive_drop.expect_tx.$semantics.$scope.shared::cta.b64 %state, [%address], %bytes
    | 9.7.13.15.14
    | ARRIVE_DROP; state B64; address SHARED_ADDRESS; bytes B32 in BYTES; also shared_spellings;
      base Expectation | ARRIVAL_WITH_STATE | The same; `state` identifies the phase.
mbarrier.arrive_drop.expect_tx.remote
    | mbarrier.arrive_drop.expect_tx.$semantics.$scope.shared::cluster.b64 _, [%address], %bytes
    | 9.7.13.15.14 | ARRIVE_DROP; address SHARED_ADDRESS; bytes B32 in BYTES; base Expectation
    | ARRIVAL | The same for a barrier object of any CTA of the cluster.
mbarrier.arrive_drop.no_complete
    | mbarrier.arrive_drop.noComplete.$semantics.$scope.shared::cta.b64 %state, [%address], %count
    | 9.7.13.15.14
    | NO_COMPLETE; state B64; address SHARED_ADDRESS; count B32 in COUNT; also shared_spellings;
      base BarrierInstruction | ARRIVAL_IN_PHASE
    | Arrive `count` times, which must not complete the phase; later phases expect that many fewer
      arrivals.
mbarrier.try_wait.parity
    | mbarrier.try_wait.parity.$semantics.$scope.shared::cta.b64 %done, [%address], %parity?time_limit(, %time_limit)
    | 9.7.13.15.16
    | TRY_WAIT; done PRED; address SHARED_ADDRESS; parity B32 in PARITY; time_limit B32; also
      shared_spellings; base BarrierInstruction | LIMITED_WAIT
    | Wait for a limited time; `done` holds if the phase with parity `parity` has completed.
      `time_limit` is in nanoseconds.
mbarrier.test_wait.parity
    | mbarrier.test_wait.parity.$semantics.$scope.shared::cta.b64 %done, [%address], %parity
    | 9.7.13.15.16
    | TRY_WAIT; done PRED; address SHARED_ADDRESS; parity B32 in PARITY; also shared_spellings;
      base BarrierInstruction | WAIT
    | `done` holds if the phase with parity `parity` has completed; the thread does not wait.
mbarrier.try_wait
    | mbarrier.try_wait.$semantics.$scope.shared::cta.b64 %done, [%address], %state?time_limit(, %time_limit)
    | 9.7.13.15.16
    | TRY_WAIT; done PRED; address SHARED_ADDRESS; state B64; time_limit B32; also
      shared_spellings; base BarrierInstruction | LIMITED_WAIT
    | Wait for a limited time; `done` holds if the phase of `state` has completed.
mbarrier.test_wait
    | mbarrier.test_wait.$semantics.$scope.shared::cta.b64 %done, [%address], %state
    | 9.7.13.15.16
    | TRY_WAIT; done PRED; address SHARED_ADDRESS; state B64; also shared_spellings; base
      BarrierInstruction | WAIT
    | `done` holds if the phase of `state` has completed; the thread does not wait.
mbarrier.wait
    | {\n\t.reg .pred %%done;\n%%wait:\n\tmbarrier.try_wait.parity.$semantics.$scope.shared::cta.b64 %%done, [%address], %parity;\n\t@!%%done bra %%wait;\n\t}
    | 9.7.13.15.16 | TRY_WAIT; address B32; parity B32 in PARITY; base BarrierInstruction | WAIT
    | Wait until the phase with parity `parity` has completed: a loop around `try_wait`.
mbarrier.pending_count | mbarrier.pending_count.b64 %d, %state | 9.7.13.15.17
    | d B32; state B64; base PendingCount | PENDING_COUNT
    | The number of arrivals that the phase of `state` still expected when the state was taken.
"""

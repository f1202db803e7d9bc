"""Barriers, fences, and control of grids, clusters and registers (9.7.13, 9.7.19)."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping

from tcgen05_dialect.isa.effects.model import (
    COPIED,
    Actor,
    Area,
    Choice,
    Effects,
    Ordering,
    Participants,
    Proxy,
    StateSpace,
    by_semantics,
)
from tcgen05_dialect.isa.effects.model import SCOPES as SCOPES
from tcgen05_dialect.isa.instructions.mbarrier import BARRIER_OBJECT
from tcgen05_dialect.isa.model.rule import rule
from tcgen05_dialect.isa.model.table import Limit, Place
from tcgen05_dialect.isa.targets import MULTIPROCESSOR_THREADS
from tcgen05_dialect.isa.targets import REGISTERS as ALL_REGISTERS
from tcgen05_dialect.isa.tensor_memory.alloc import WARP_LANES

INCREASE = "inc"
GRID_WAIT = "wait"

WARPGROUP_WARPS = 4
"""Number of warps of a warpgroup; the index of its first warp is a multiple of this number."""
MAX_THREADS = 1024
"""Largest number of threads in a CTA."""
BARRIERS = range(16)
BARRIER = Limit(
    rule("T5-PTX-060", first=BARRIERS[0], last=BARRIERS[-1]),
    BARRIERS,
)
BARRIER_THREADS = Limit(
    rule("T5-PTX-061", warp_lanes=WARP_LANES),
    range(WARP_LANES, MAX_THREADS + 1, WARP_LANES),
)
_REGISTERS = range(24, 257, 8)
REGISTERS = Limit(
    rule("T5-PTX-062", step=_REGISTERS.step, least=_REGISTERS[0], most=_REGISTERS[-1]),
    _REGISTERS,
)
ENTRY_REGISTERS = rule("T5-PTX-248")
REGISTER_BUDGET = rule("T5-PTX-249")

EARLY_ACCESS = rule("T5-PTX-250")


def registers_of(number: int) -> int:
    """The registers that a thread has if its maximum is `number`: whole units."""
    return -(-number // _REGISTERS.step) * _REGISTERS.step


def most_registers(threads: int, ctas: int = 1) -> int:
    """The largest number of registers of each thread with which `ctas` CTAs of `threads` threads
    fit into a multiprocessor. Registers are allocated to whole warpgroups."""
    warps = -(-threads // WARP_LANES)
    allocated = -(-warps // WARPGROUP_WARPS) * WARPGROUP_WARPS * WARP_LANES * ctas
    fitting = (each for each in _REGISTERS if each * allocated <= ALL_REGISTERS)
    return max(fitting, default=_REGISTERS[0])


def registers_at_start(
    maxnreg: int | None, minnctapersm: int | None, threads: int, increases: Collection[int]
) -> int | None:
    """
    The registers of each thread at the start of a kernel with setmaxnreg; None if neither directive
    gives them. `threads` is the largest number of threads of a CTA, or 0; `increases` are the
    operands of its setmaxnreg.inc, beyond which ptxas uses no register. Measured with ptxas.
    """
    limits: list[int] = []
    if maxnreg is not None:
        limits.append(registers_of(maxnreg))
    if minnctapersm is not None and 0 < minnctapersm * threads <= MULTIPROCESSOR_THREADS:
        limits.append(most_registers(threads, minnctapersm))
    if not limits:
        return None
    return max(_REGISTERS[0], min(*limits, max(increases, default=_REGISTERS[-1])))


MEMBAR_SCOPES = {"cta": ".cta", "gpu": ".gl", "sys": ".sys"}
"""Scope of membar -> its name in PTX."""

RESPONSE = Place(16, 16)
"""The response to a request: an opaque number of 128 bits (9.7.13.16.1)."""
DIMENSIONS = ("x", "y", "z")
EVERY_CTA = "multicast::cluster::all"
"""Qualifier of a request whose response goes to each CTA of the cluster."""
FIRST_CTA = {each: f".get_first_ctaid::{each}" for each in DIMENSIONS}
"""Dimension -> the qualifier for the coordinate of the first CTA of a cluster."""
COORDINATES = Limit(
    rule("T5-PTX-046"),
    frozenset((4,)),
)

_BOTH = (Ordering.RELEASE, Ordering.ACQUIRE)
_SHARED = (Ordering.PROXY_SHARED, Ordering.INITIALISATION)
_ALIGNED = Choice("aligned", {"aligned": Participants.RUNNING, None: Participants.EACH})
_SPELLED = {
    **dict.fromkeys(
        (None, "bar_cta", "barrier_aligned", "barrier_cta_aligned"), Participants.RUNNING
    ),
    **dict.fromkeys(("barrier", "barrier_cta"), Participants.EACH),
}
"""Spelling of an instruction on a barrier of the CTA -> who executes it; `bar` is aligned."""
CTA_BARRIER = Effects(executed_by=Choice("spelling", _SPELLED), orders=_BOTH, scope="cta")
CTA_ARRIVAL = CTA_BARRIER._replace(orders=(Ordering.RELEASE,))
CTA_REDUCTION = CTA_BARRIER._replace(
    executed_by=Participants.RUNNING,
    reads=(Area(StateSpace.REGISTERS, ("a",), "in all threads", proxy=None),),
    writes=(Area(StateSpace.REGISTERS, ("d",), proxy=None),),
    data=("a",),
)
WARP_BARRIER = Effects(executed_by=Participants.NAMED, orders=_BOTH, scope="warp")
CLUSTER_ARRIVAL = Effects(
    executed_by=_ALIGNED, orders=by_semantics(Ordering.RELEASE), scope="cluster"
)
CLUSTER_WAIT = CLUSTER_ARRIVAL._replace(orders=by_semantics(Ordering.ACQUIRE))
FENCE = Effects(orders=by_semantics(*_BOTH))
MEMBAR = Effects(orders=_BOTH)
PROXY_FENCE = Effects(
    orders=Choice(
        "space",
        {
            None: (*_SHARED, Ordering.PROXY_GLOBAL),
            "global": (Ordering.PROXY_GLOBAL,),
            "shared::cta": _SHARED,
            "shared::cluster": _SHARED,
        },
    ),
)
INITIALISATION = Effects(orders=(Ordering.INITIALISATION,), scope="cluster")
RELEASE_OF_MAP = Effects(orders=(Ordering.RELEASE,))
ACQUISITION_OF_MAP = Effects(
    reads=(Area(StateSpace.TENSOR_MAP, ("address",), proxy=Proxy.TENSORMAP),),
    orders=by_semantics(),
)
ACQUISITION = Effects(orders=(Ordering.ACQUIRE,), scope="cluster")
RELEASE = Effects(orders=(Ordering.RELEASE,), scope="cluster")
ASYNC_FENCE = Effects(orders=_SHARED, scope="cluster")
REGISTER_CHANGE = Effects(executed_by=Participants.WHOLE)
GRID_DEPENDENCY = Effects(
    orders=Choice("action", {GRID_WAIT: (Ordering.ACQUIRE,), "launch_dependents": ()}),
    scope="gpu",
)
SLEEP = Effects(data=("duration",))
CANCELLATION = Effects(
    writes=(
        Area(StateSpace.SHARED, ("address",), RESPONSE, Proxy.ASYNC, COPIED),
        Area(StateSpace.BARRIER, ("mbarrier",), BARRIER_OBJECT, Proxy.ASYNC),
    ),
    actor=Actor.SCHEDULER,
    executed_by=Participants.ONE,
    completes_at="mbarrier",
)


def barrier_spellings(line: str) -> Mapping[str, str]:
    """The other spellings of an instruction on a barrier of the CTA."""
    found = _BARRIER_LINE.fullmatch(line)
    assert found is not None
    action, type_, operands = found.groups()
    return {
        "bar_cta": f"bar.cta.{action}{type_} {operands}",
        "barrier": f"barrier.{action}{type_} {operands}",
        "barrier_cta": f"barrier.cta.{action}{type_} {operands}",
        "barrier_aligned": f"barrier.{action}.aligned{type_} {operands}",
        "barrier_cta_aligned": f"barrier.cta.{action}.aligned{type_} {operands}",
    }


_BARRIER_LINE = re.compile(r"bar\.(.*?)(\.pred|\.u32|) (.*)")

INSTRUCTIONS = r"""
bar.sync | bar.sync %barrier?threads(, %threads) | 9.7.13.1
    | barrier B32 in BARRIER; threads B32 in BARRIER_THREADS; no result; also barrier_spellings;
      base CtaBarrier | CTA_BARRIER
    | Wait at barrier `barrier` for all running threads or, if given, for `threads` threads.
bar.arrive | bar.arrive %barrier, %threads | 9.7.13.1
    | barrier B32 in BARRIER; threads B32 in BARRIER_THREADS; no result; also barrier_spellings;
      base CtaBarrier | CTA_ARRIVAL
    | Arrive at barrier `barrier` without waiting; `threads` threads take part in it.
bar.red | bar.red.$operation.pred %d, %barrier?threads(, %threads), %a | 9.7.13.1
    | operation and or; d a PRED; barrier B32 in BARRIER; threads B32 in BARRIER_THREADS; also
      barrier_spellings; base CtaBarrier | CTA_REDUCTION
    | Wait at a barrier, and tell whether `a` holds in all threads that meet there, or in any.
bar.red.popc | bar.red.popc.u32 %d, %barrier?threads(, %threads), %a | 9.7.13.1
    | d B32; barrier B32 in BARRIER; threads B32 in BARRIER_THREADS; a PRED; also
      barrier_spellings; base CtaBarrier | CTA_REDUCTION
    | Wait at a barrier, and count the threads that meet there in which `a` holds.
bar.warp.sync | bar.warp.sync %mask | 9.7.13.2 | mask B32; no result | WARP_BARRIER
    | Wait for the lanes of the warp that are in `mask`.
barrier.cluster.arrive | barrier.cluster.arrive.$semantics.$aligned | 9.7.13.3
    | semantics? relaxed release; aligned? aligned | CLUSTER_ARRIVAL
    | Arrive at the barrier of the cluster.
barrier.cluster.wait | barrier.cluster.wait.$semantics.$aligned | 9.7.13.3
    | semantics? acquire; aligned? aligned | CLUSTER_WAIT | Wait at the barrier of the cluster.
fence.proxy.async | fence.proxy.async.$space | 9.7.13.4
    | space? shared::cluster shared::cta global | PROXY_FENCE
    | Order memory accesses between the generic proxy and the async proxy.
fence.mbarrier_init | fence.mbarrier_init.release.cluster | 9.7.13.4 | - | INITIALISATION
    | Make the initialisation of barrier objects visible to the cluster.
fence | fence.$semantics.$scope | 9.7.13.4 | semantics? acq_rel acquire sc release; scope SCOPES
    | FENCE
    | Order memory accesses of this thread for the other threads of the scope. Without semantics,
      the fence is `acq_rel`.
membar | membar.$scope | 9.7.13.4 | scope MEMBAR_SCOPES | MEMBAR
    | Order memory accesses of this thread for the threads of the scope, as `fence.sc` does.
fence.proxy.alias | fence.proxy.alias
      / membar: membar.proxy.alias
    | 9.7.13.4 | - | unordered
    | Order memory accesses through virtual addresses of the same memory.
fence.proxy.tensormap.release | fence.proxy.tensormap::generic.release.$scope | 9.7.13.4
    | scope SCOPES | RELEASE_OF_MAP
    | Make changes of tensor maps by the generic proxy visible to threads that acquire them with
      `ptx.fence.proxy.tensormap.acquire`.
fence.proxy.tensormap.acquire | fence.proxy.tensormap::generic.$semantics.$scope [%address], 128
    | 9.7.13.4 | semantics acq_rel acquire; scope SCOPES; address B64 | ACQUISITION_OF_MAP
    | Order later uses of the tensor map at `address` after changes by the generic proxy.
fence.acquire.sync_restrict | fence.acquire.sync_restrict::shared::cluster.cluster | 9.7.13.4 | -
    | ACQUISITION
    | Acquire what other threads release with operations on barrier objects of the cluster.
fence.release.sync_restrict | fence.release.sync_restrict::shared::cta.cluster | 9.7.13.4 | -
    | RELEASE | Release earlier accesses for operations on barrier objects of this CTA.
fence.proxy.async.acquire
    | fence.proxy.async::generic.acquire.sync_restrict::shared::cluster.cluster | 9.7.13.4 | -
    | ASYNC_FENCE
    | Order accesses of the async proxy after those that barrier objects of the cluster order.
fence.proxy.async.release | fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster
    | 9.7.13.4 | - | ASYNC_FENCE
    | Release earlier accesses to shared memory of this CTA to the async proxy of the cluster.
griddepcontrol | griddepcontrol.$action | 9.7.13.13 | action launch_dependents wait
    | GRID_DEPENDENCY
    | Let dependent grids launch, or wait for the grids that this grid depends on.
clusterlaunchcontrol.try_cancel
    | clusterlaunchcontrol.try_cancel.async.shared::cta.mbarrier::complete_tx::bytes.$multicast.b128 [%address], [%mbarrier]
    | 9.7.13.16.1 | multicast? multicast::cluster::all; address mbarrier SHARED_ADDRESS
    | CANCELLATION
    | Request to cancel the launch of a cluster that has not started, and write the response to
      shared memory; `mbarrier` tracks its completion.
clusterlaunchcontrol.is_canceled
    | clusterlaunchcontrol.query_cancel.is_canceled.pred.b128 %d, %response | 9.7.13.16.2
    | d PRED; response B128; as bits d | pure | Whether a launch was cancelled.
clusterlaunchcontrol.first_cta
    | clusterlaunchcontrol.query_cancel.$coordinate.b32.b128 %d, %response | 9.7.13.16.2
    | coordinate FIRST_CTA; d B32; response B128; as bits d | pure
    | A coordinate of the first CTA of the cancelled cluster, if a launch was cancelled.
clusterlaunchcontrol.first_cta_vector
    | clusterlaunchcontrol.query_cancel.get_first_ctaid.v4.b32.b128 {%coordinates}, %response
    | 9.7.13.16.2 | coordinates B32 in COORDINATES; response B128; sinks | pure
    | The coordinates of the first CTA of the cancelled cluster, if a launch was cancelled, and an
      unused number. The results `sinks` are printed as `_`.
nanosleep | nanosleep.u32 %duration | 9.7.19.2 | duration B32; no result | SLEEP
    | Suspend the thread for about `duration` nanoseconds.
setmaxnreg | setmaxnreg.$action.sync.aligned.u32 $registers | 9.7.19.5
    | action inc dec; registers in REGISTERS; base RegisterChange | REGISTER_CHANGE
    | Raise or lower the maximum number of registers of each thread of the warp.
"""

"""Barriers, fences, exchange within a warp (9.7.13), and miscellaneous instructions (9.7.19)."""

from abc import ABC
from collections.abc import Iterator, Mapping

from xdsl.ir import SSAValue
from xdsl.irdl import operand_def, opt_operand_def, result_def
from xdsl.utils.exceptions import VerifyException

from ..isa.model.rule import Violation, raise_any
from ..isa.ptx.synchronization import (
    BARRIER,
    BARRIER_THREADS,
    CLUSTER_ARRIVE_SEMANTICS,
    CLUSTER_WAIT_SEMANTICS,
    FENCE_SCOPES,
    FENCE_SEMANTICS,
    GRIDDEPCONTROL_ACTIONS,
    INCREASE,
    PROXY_SPACES,
    REGISTERS,
    SETMAXNREG_ACTIONS,
    SHUFFLES,
)
from ..reporting.diagnostics import OperationWithWarnings
from .instruction import EffectInstruction, immediate, instruction, opt_qualifier, qualifier
from .register_types import B32, PRED


@instruction("fence.proxy.async.$space")
class FenceProxyAsyncOp(EffectInstruction):
    """Order memory accesses between the generic proxy and the async proxy."""

    name = "ptx.fence.proxy.async"
    space = opt_qualifier(*PROXY_SPACES)


@instruction("fence.mbarrier_init.release.cluster")
class FenceMbarrierInitOp(EffectInstruction):
    """Make the initialisation of barrier objects visible to the cluster."""

    name = "ptx.fence.mbarrier_init"


@instruction("fence.$semantics.$scope")
class FenceOp(EffectInstruction):
    """
    Order memory accesses of this thread for the other threads of the scope. Without semantics, the
    fence is `acq_rel`.
    """

    name = "ptx.fence"
    semantics = opt_qualifier(*FENCE_SEMANTICS)
    scope = qualifier(*FENCE_SCOPES)


class CtaBarrier(EffectInstruction, ABC):
    """An instruction by which threads arrive at the barrier of a CTA with the number `barrier`."""

    @property
    def number(self) -> SSAValue:
        """The number of the barrier, the first operand."""
        return self.operands[0]


def spellings_of_barrier(action: str, type_: str, operands: str) -> Mapping[str, str]:
    """The other syntax lines of an instruction on a barrier of the CTA."""
    return {
        "bar_cta": f"bar.cta.{action}{type_} {operands}",
        "barrier": f"barrier.{action}{type_} {operands}",
        "barrier_cta": f"barrier.cta.{action}{type_} {operands}",
        "barrier_aligned": f"barrier.{action}.aligned{type_} {operands}",
        "barrier_cta_aligned": f"barrier.cta.{action}.aligned{type_} {operands}",
    }


@instruction(
    "bar.sync %barrier?threads(, %threads)",
    limits={"barrier": BARRIER, "threads": BARRIER_THREADS},
    also=spellings_of_barrier("sync", "", "%barrier?threads(, %threads)"),
)
class BarSyncOp(CtaBarrier):
    """Wait at barrier `barrier` for all running threads or, if given, for `threads` threads."""

    name = "ptx.bar.sync"
    barrier = operand_def(B32)
    threads = opt_operand_def(B32)


@instruction(
    "bar.arrive %barrier, %threads",
    limits={"barrier": BARRIER, "threads": BARRIER_THREADS},
    also=spellings_of_barrier("arrive", "", "%barrier, %threads"),
)
class BarArriveOp(CtaBarrier):
    """Arrive at barrier `barrier` without waiting; `threads` threads take part in it."""

    name = "ptx.bar.arrive"
    barrier = operand_def(B32)
    threads = operand_def(B32)


@instruction("bar.warp.sync %mask")
class BarWarpSyncOp(EffectInstruction):
    """Wait for the lanes of the warp that are in `mask`."""

    name = "ptx.bar.warp.sync"
    mask = operand_def(B32)


@instruction("barrier.cluster.arrive.$semantics.$aligned")
class BarrierClusterArriveOp(EffectInstruction):
    """Arrive at the barrier of the cluster."""

    name = "ptx.barrier.cluster.arrive"
    semantics = opt_qualifier(*CLUSTER_ARRIVE_SEMANTICS)
    aligned = opt_qualifier("aligned")


@instruction("barrier.cluster.wait.$semantics.$aligned")
class BarrierClusterWaitOp(EffectInstruction):
    """Wait at the barrier of the cluster."""

    name = "ptx.barrier.cluster.wait"
    semantics = opt_qualifier(*CLUSTER_WAIT_SEMANTICS)
    aligned = opt_qualifier("aligned")


@instruction(
    "elect.sync %leader|%elected, %mask", also={"no_leader": "elect.sync _|%elected, %mask"}
)
class ElectSyncOp(EffectInstruction):
    """Elect one lane of `mask`: `elected` holds only there, and `leader` is its number."""

    name = "ptx.elect.sync"
    mask = operand_def(B32)
    leader = result_def(B32)
    elected = result_def(PRED)


@instruction(
    "shfl.sync.$mode.b32 %d|%in_range, %a, %lane, %clamp, %mask",
    also={"no_predicate": "shfl.sync.$mode.b32 %d, %a, %lane, %clamp, %mask"},
)
class ShflSyncOp(EffectInstruction):
    """The value of `a` in another lane of the warp; `in_range` holds if that lane is in range."""

    name = "ptx.shfl.sync"
    mode = qualifier(*SHUFFLES)
    a = operand_def(B32)
    lane = operand_def(B32)
    clamp = operand_def(B32)
    mask = operand_def(B32)
    d = result_def(B32)
    in_range = result_def(PRED)


@instruction("setmaxnreg.$action.sync.aligned.u32 $registers", limits={"registers": REGISTERS})
class SetmaxnregOp(EffectInstruction, OperationWithWarnings):
    """Raise or lower the maximum number of registers of each thread of the warp."""

    name = "ptx.setmaxnreg"
    action = qualifier(*SETMAXNREG_ACTIONS)
    registers = immediate()

    @property
    def takes(self) -> bool:
        """Whether it takes registers; else it gives them up."""
        return self.action.data == INCREASE

    @property
    def count(self) -> int:
        """The registers that each thread of the warp has afterwards."""
        return self.registers.value.data

    def verify_(self) -> None:
        super().verify_()
        # Imported here, because few kernels need it.
        from .analysis.registers import register_violations

        try:
            raise_any(register_violations(self))
        except Violation as violation:
            raise VerifyException(str(violation)) from violation

    def warnings(self) -> Iterator[Violation]:
        from .analysis.registers import register_warnings

        return register_warnings(self)


@instruction("griddepcontrol.$action")
class GriddepcontrolOp(EffectInstruction):
    """Let dependent grids launch, or wait for the grids that this grid depends on."""

    name = "ptx.griddepcontrol"
    action = qualifier(*GRIDDEPCONTROL_ACTIONS)


@instruction("nanosleep.u32 %duration")
class NanosleepOp(EffectInstruction):
    """Suspend the thread for about `duration` nanoseconds."""

    name = "ptx.nanosleep"
    duration = operand_def(B32)

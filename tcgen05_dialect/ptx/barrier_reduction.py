"""Barriers of a CTA that combine a predicate of all threads (9.7.13.1)."""

from xdsl.irdl import operand_def, opt_operand_def, result_def

from ..isa.ptx.synchronization import BARRIER, BARRIER_REDUCTIONS, BARRIER_THREADS
from .instruction import instruction, qualifier
from .register_types import B32, PRED
from .synchronization import CtaBarrier, spellings_of_barrier

_OPERANDS = "%d, %barrier?threads(, %threads), %a"
_LIMITS = {"barrier": BARRIER, "threads": BARRIER_THREADS}


@instruction(
    f"bar.red.$operation.pred {_OPERANDS}",
    limits=_LIMITS,
    also=spellings_of_barrier("red.$operation", ".pred", _OPERANDS),
)
class BarRedOp(CtaBarrier):
    """Wait at a barrier, and tell whether `a` holds in all threads that meet there, or in any."""

    name = "ptx.bar.red"
    operation = qualifier(*BARRIER_REDUCTIONS)
    barrier = operand_def(B32)
    threads = opt_operand_def(B32)
    a = operand_def(PRED)
    d = result_def(PRED)


@instruction(
    f"bar.red.popc.u32 {_OPERANDS}",
    limits=_LIMITS,
    also=spellings_of_barrier("red.popc", ".u32", _OPERANDS),
)
class BarRedPopcOp(CtaBarrier):
    """Wait at a barrier, and count the threads that meet there in which `a` holds."""

    name = "ptx.bar.red.popc"
    barrier = operand_def(B32)
    threads = opt_operand_def(B32)
    a = operand_def(PRED)
    d = result_def(B32)

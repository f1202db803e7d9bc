"""Barriers, fences, exchange between the threads of a warp, and control instructions (9.7.9.6,
9.7.13, 9.7.19)."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple

from tcgen05_dialect.isa.model.limit import Limit
from tcgen05_dialect.isa.model.rule import rule
from tcgen05_dialect.isa.ptx.memory import SCOPES
from tcgen05_dialect.isa.targets import MULTIPROCESSOR_THREADS
from tcgen05_dialect.isa.targets import REGISTERS as ALL_REGISTERS
from tcgen05_dialect.isa.tensor_memory.cells import WARP_LANES

FENCE_SEMANTICS = ("sc", "acq_rel", "acquire", "release")
FENCE_SCOPES = SCOPES
PROXY_SPACES = ("global", "shared::cta", "shared::cluster")
SHUFFLES = ("up", "down", "bfly", "idx")


class ShuffleBounds(NamedTuple):
    """
    Operand c of shfl (9.7.9.6). Bits 4:0 are `clamp`, the bound of the source lane. Bits 12:8 are
    `segment`, the mask of the lane bits that source and destination have in common.
    """

    clamp: Any
    segment: Any

    @classmethod
    def decode(cls, bits: Any) -> ShuffleBounds:
        """The fields in an integer, or in an array of integers."""
        return cls(bits & WARP_LANES - 1, bits >> 8 & WARP_LANES - 1)


CLUSTER_ARRIVE_SEMANTICS = ("release", "relaxed")
CLUSTER_WAIT_SEMANTICS = ("acquire",)
BARRIER_REDUCTIONS = ("and", "or")
INCREASE = "inc"
SETMAXNREG_ACTIONS = (INCREASE, "dec")
GRID_WAIT = "wait"
GRIDDEPCONTROL_ACTIONS = ("launch_dependents", GRID_WAIT)

WARPGROUP_WARPS = 4
"""Number of warps of a warpgroup; the index of its first warp is a multiple of this number."""
MAX_THREADS = 1024
"""Largest number of threads in a CTA."""
_BARRIERS = range(16)
BARRIER = Limit(
    rule(
        "T5-PTX-060",
        "9.7.13.1",
        subject="number of a barrier",
        statement="The number of a barrier is one of the named barriers of a CTA.",
        why="There is no barrier with another number.",
        fix=f"use barriers {_BARRIERS[0]} to {_BARRIERS[-1]}",
    ),
    _BARRIERS,
)
BARRIER_THREADS = Limit(
    rule(
        "T5-PTX-061",
        "9.7.13.1",
        subject="threads of a barrier",
        statement="The number of threads of a barrier is a multiple of the warp size.",
        why="The barrier counts warps, not threads; the manual leaves other numbers undefined.",
        fix=f"give a multiple of {WARP_LANES} threads",
    ),
    range(WARP_LANES, MAX_THREADS + 1, WARP_LANES),
)
_REGISTERS = range(24, 257, 8)
REGISTERS = Limit(
    rule(
        "T5-PTX-062",
        "9.7.19.5",
        subject="registers of setmaxnreg",
        statement=(
            "The number of registers in setmaxnreg is one that the hardware can give to a "
            "warpgroup."
        ),
        why="Registers are allocated in units; the manual leaves other numbers undefined.",
        fix=f"use a multiple of {_REGISTERS.step}, from {_REGISTERS[0]} to {_REGISTERS[-1]}",
    ),
    _REGISTERS,
)
ENTRY_REGISTERS = rule(
    "T5-PTX-248",
    "9.7.19.5",
    subject="registers at the start of a kernel with setmaxnreg",
    statement=(
        "A kernel with setmaxnreg gives the number of registers that each thread has at the start: "
        "by maxnreg, or by minnctapersm together with the number of threads."
    ),
    why="Without this number, setmaxnreg may have no effect.",
    fix="give the kernel maxnreg",
    severity="warning",
    practice="ptxas ignores setmaxnreg then, unless its option --maxrregcount gives the number",
)
REGISTER_BUDGET = rule(
    "T5-PTX-249",
    "9.7.19.5",
    subject="registers that setmaxnreg moves between warps",
    statement=(
        "A warp gives up registers that it has with setmaxnreg.dec, and takes registers that other "
        "warps of the CTA have given up with setmaxnreg.inc. The registers that all threads have "
        "at the start fit into a multiprocessor."
    ),
    why="The instruction setmaxnreg.inc waits until registers are free, or forever.",
    fix=(
        "let warps that need few registers give up, with setmaxnreg.dec, as many as the other "
        "warps take"
    ),
)

EARLY_ACCESS = rule(
    "T5-PTX-250",
    "9.7.13.13",
    subject="accesses before griddepcontrol.wait",
    statement=(
        "A kernel with griddepcontrol.wait writes global memory only after the wait, and it reads "
        "memory that it also writes only after the wait."
    ),
    why="The grids for which it waits may still read or write this memory.",
    fix="execute griddepcontrol.wait before the access",
    severity="warning",
    practice="kernels load only data such as weights, which no other grid writes, before the wait",
)


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

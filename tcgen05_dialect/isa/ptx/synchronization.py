"""Barriers, fences, exchange between the threads of a warp, and control instructions (9.7.9.6,
9.7.13, 9.7.19)."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple

from tcgen05_dialect.isa.model.rule import rule
from tcgen05_dialect.isa.model.table import Limit
from tcgen05_dialect.isa.ptx.memory import SCOPES
from tcgen05_dialect.isa.targets import MULTIPROCESSOR_THREADS
from tcgen05_dialect.isa.targets import REGISTERS as ALL_REGISTERS
from tcgen05_dialect.isa.tensor_memory.alloc import WARP_LANES

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
    rule("T5-PTX-060", first=_BARRIERS[0], last=_BARRIERS[-1]),
    _BARRIERS,
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

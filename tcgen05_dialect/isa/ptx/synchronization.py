"""Barriers, fences, exchange between the threads of a warp, and control instructions (9.7.9.6,
9.7.13, 9.7.19)."""

from __future__ import annotations

from typing import Any, NamedTuple

from tcgen05_dialect.isa.model.limit import Limit
from tcgen05_dialect.isa.model.rule import rule
from tcgen05_dialect.isa.ptx.memory import SCOPES
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
SETMAXNREG_ACTIONS = ("inc", "dec")
GRIDDEPCONTROL_ACTIONS = ("launch_dependents", "wait")

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

"""Barriers, fences, warp-level exchange and control of the machine (9.7.9.6, 9.7.13, 9.7.19)."""

from __future__ import annotations

from tcgen05_dialect.isa.model.limit import Limit
from tcgen05_dialect.isa.model.rule import Rule
from tcgen05_dialect.isa.ptx.memory import SCOPES
from tcgen05_dialect.isa.tensor_memory.cells import WARP_LANES

FENCE_SEMANTICS = ("sc", "acq_rel", "acquire", "release")
FENCE_SCOPES = SCOPES
PROXY_SPACES = ("global", "shared::cta", "shared::cluster")
SHUFFLES = ("up", "down", "bfly", "idx")
CLUSTER_ARRIVE_SEMANTICS = ("release", "relaxed")
CLUSTER_WAIT_SEMANTICS = ("acquire",)
SETMAXNREG_ACTIONS = ("inc", "dec")
GRIDDEPCONTROL_ACTIONS = ("launch_dependents", "wait")

MAX_THREADS = 1024
"""Threads of a CTA."""
_BARRIERS = range(16)
BARRIER = Limit(
    Rule(
        "T5-PTX-060",
        "number of a barrier",
        "9.7.13.1",
        f"use barriers {_BARRIERS[0]} to {_BARRIERS[-1]}",
    ),
    _BARRIERS,
)
BARRIER_THREADS = Limit(
    Rule("T5-PTX-061", "threads of a barrier", "9.7.13.1", "count whole warps"),
    range(WARP_LANES, MAX_THREADS + 1, WARP_LANES),
)
_REGISTERS = range(24, 257, 8)
REGISTERS = Limit(
    Rule(
        "T5-PTX-062",
        "registers of setmaxnreg",
        "9.7.19.5",
        f"use a multiple of {_REGISTERS.step}, from {_REGISTERS[0]} to {_REGISTERS[-1]}",
    ),
    _REGISTERS,
)

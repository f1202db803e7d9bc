"""
Emulator of `ptx` kernels on the CPU.

`simulate` runs a kernel; `docs/simulator.md` describes the model. The settings, `Launch` and `Run`,
are here; the other public names are imported at first use.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .launch.launch import Report, simulate
    from .machine.machine import Statistics
    from .machine.tensor_map import TensorMap
    from .machine.trace import Event

__all__ = ["Launch", "Report", "Run", "Statistics", "TensorMap", "simulate"]

SCHEDULES = ("eager", "lazy", "random")
"""The orders of concurrent events."""
MAX_STEPS = 700_000
"""Default limit on the instructions of all warps. An endless loop of loads and stores ends after
about a minute (12 000 instructions per second)."""


@dataclass(frozen=True)
class Launch:
    """
    Launch of a kernel. `kernel` selects one of several kernels in the module.

    By default the block is the kernel's `reqntid`, the cluster is its `cluster_dims` or one CTA,
    and the grid is one cluster. `dynamic_shared_memory` is in bytes.
    """

    grid: Sequence[int] | None = None
    block: Sequence[int] | None = None
    cluster: Sequence[int] | None = None
    dynamic_shared_memory: int = 0
    kernel: str | None = None


@dataclass(frozen=True)
class Run:
    """
    Options of the emulator: `schedule` and `seed` as in `Schedule`; `max_steps` limits the
    instructions of all warps together. `strict` turns warnings into errors.

    `trace` receives the events in their order; `str(event)` is a line, or empty. `progress`
    regularly receives the number of executed instructions and the number of pending asynchronous
    operations.
    """

    schedule: str = "eager"
    seed: int = 0
    max_steps: int = MAX_STEPS
    strict: bool = False
    trace: "Callable[[Event], None] | None" = None
    progress: Callable[[int, int], None] | None = None


_MODULES = {
    "Report": ".launch.launch",
    "Statistics": ".machine.machine",
    "TensorMap": ".machine.tensor_map",
    "simulate": ".launch.launch",
}


def __getattr__(name: str) -> object:
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_MODULES[name], __name__), name)

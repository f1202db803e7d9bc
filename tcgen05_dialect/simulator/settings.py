"""Settings of a run of a kernel: its launch, and how the emulator runs it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

SCHEDULES = ("eager", "lazy", "random")
MAX_STEPS = 700_000
"""Default limit on the instructions of all warps: an endless loop of loads and stores ends after
about a minute (12 000 instructions a second)."""


@dataclass(frozen=True)
class Launch:
    """
    A launch of a kernel: `kernel` names it if the module has several.

    By default a CTA has the threads that the kernel requires (`reqntid`), a cluster has its
    `cluster_dims` or one CTA, and the grid has one cluster. `dynamic_shared_memory` is in bytes.
    """

    grid: Sequence[int] | None = None
    block: Sequence[int] | None = None
    cluster: Sequence[int] | None = None
    dynamic_shared_memory: int = 0
    kernel: str | None = None


@dataclass(frozen=True)
class Run:
    """
    How the emulator runs a kernel: `schedule` and `seed` as in `Schedule`, and the limit on the
    instructions of all warps.

    `trace` receives one line for each event; `progress` receives, now and then, the number of
    executed instructions and the number of pending asynchronous operations.
    """

    schedule: str = "eager"
    seed: int = 0
    max_steps: int = MAX_STEPS
    trace: Callable[[str], None] | None = None
    progress: Callable[[int, int], None] | None = None

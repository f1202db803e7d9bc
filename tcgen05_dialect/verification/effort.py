"""Effort: how thoroughly to verify whole kernels."""

from typing import ClassVar, Literal

Effort = Literal["off", "quick", "thorough"]
"""Without runs, or the number of sizes: two, or all that matter."""
EFFORTS: tuple[Effort, ...] = ("off", "quick", "thorough")


class Helpers:
    """Whether a second process may help with the runs of a kernel; see `ahead`."""

    allowed: ClassVar[bool] = False


MAX_STEPS = 50_000
"""Limit on the instructions of a run."""
MAX_LONG_STEPS = 250_000
"""Limit on the instructions of the runs of `thorough`, up to the first run that reaches it."""

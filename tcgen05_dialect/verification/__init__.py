"""
Verification of whole kernels without a launch file and without data.

The emulator runs the control skeleton of a kernel on launches that the verifier invents. The rules
are those of the emulator.

Effort: how thoroughly to verify whole kernels. It is here, because parsers of arguments need it
fast.
"""

import time
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING, ClassVar, Literal

if TYPE_CHECKING:
    from ..reporting.diagnostics import Finding

Effort = Literal["off", "quick", "thorough"]
"""Without runs, or the number of sizes: two, or all that matter."""
EFFORTS: tuple[Effort, ...] = ("off", "quick", "thorough")


class Budget:
    """The time that the runs for the verdict on a kernel may take."""

    seconds: ClassVar[float | None] = None
    _end: ClassVar[float] = float("inf")

    @classmethod
    @contextmanager
    def of_kernel(cls) -> Generator[None]:
        """Limit the time of the runs in the `with` statement."""
        if cls.seconds is not None:
            cls._end = time.monotonic() + cls.seconds
        try:
            yield
        finally:
            cls._end = float("inf")

    @classmethod
    def is_spent(cls) -> bool:
        return time.monotonic() > cls._end


class FirstFix:
    """
    A search for fixes that ends with the first one. It leaves out findings that are `allowed`, and
    tries those last, among the findings of a kernel, that are `late`.
    """

    def __init__(self, allowed: "Callable[[Finding], bool]", late: "Callable[[Finding], bool]"):
        self.allowed, self.late = allowed, late
        self.is_over = False


def unheard(text: str) -> None:
    """Progress that nobody follows."""


class Progress:
    """The receiver of texts about the runs for a verdict."""

    tell: ClassVar[Callable[[str], None]] = unheard

    @classmethod
    @contextmanager
    def told_to(cls, tell: Callable[[str], None]) -> Generator[None]:
        """Tell a function about the runs in the `with` statement."""
        cls.tell = tell
        try:
            yield
        finally:
            cls.tell = unheard


MAX_STEPS = 50_000
"""Limit on the instructions of a run, for each CTA."""
MAX_LONG_STEPS = 250_000
"""Limit on the instructions of the runs of `thorough`, for each CTA, up to the first run that
reaches it."""

"""Telling how far a run is."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from ..machine.schedule import Schedule

if TYPE_CHECKING:
    from ..machine.machine import Machine


class Watched(Schedule):
    """A schedule that tells after each round how many instructions have been executed, and how
    many asynchronous operations are pending."""

    def __init__(self, kind: str, seed: int, progress: Callable[[int, int], None]) -> None:
        super().__init__(kind, seed)
        self._progress = progress

    def round(self, machine: "Machine") -> bool:
        happened = super().round(machine)
        self._progress(machine.steps, len(machine.tasks))
        return happened

"""Barrier objects (9.7.13.15), and the barriers of a CTA and of a cluster (9.7.13.1)."""

from dataclasses import dataclass, field

from ..isa.rule import Violation
from ..isa.simulation import BARRIER


@dataclass(eq=False)
class Mbarrier:
    """
    A barrier object: its phase ends when no arrivals and no bytes are pending.

    `phase` counts the phases that are over.
    """

    name: str
    count: int
    pending: int = field(init=False)
    bytes: int = 0
    phase: int = 0

    def __post_init__(self) -> None:
        self.pending = self.count

    def arrive(self, arrivals: int) -> None:
        """So many arrivals. Raises Violation."""
        if arrivals > self.pending:
            raise self._violation(f"{arrivals} arrivals", f"at most {self.pending} in this phase")
        self.pending -= arrivals
        self._end_phase()

    def expect(self, count: int) -> None:
        """Wait for so many more bytes in this phase."""
        self.bytes += count

    def complete(self, count: int) -> None:
        """So many bytes have come; they may come before they are expected."""
        self.bytes -= count
        self._end_phase()

    def _end_phase(self) -> None:
        if self.pending == 0 and self.bytes == 0:
            self.phase += 1
            self.pending = self.count

    def is_over(self, parity: int) -> bool:
        """Whether the phase of a parity is over, of the one that runs and the one before it."""
        return self.phase % 2 != parity

    def _violation(self, found: str, legal: str) -> Violation:
        return BARRIER.violation(f"{found} at {self.name}", legal)

    def describe(self) -> str:
        """What the phase that runs still waits for."""
        return (
            f"{self.name}, phase {self.phase}: {self.pending} of {self.count} arrivals and "
            f"{self.bytes} bytes are missing"
        )


@dataclass(eq=False)
class Meeting:
    """Where so many threads meet; `generation` counts how often they have."""

    name: str
    arrived: int = 0
    generation: int = 0

    def arrive(self, threads: int, expected: int) -> None:
        """So many threads arrive, of so many that meet. Raises Violation."""
        self.arrived += threads
        if self.arrived > expected:
            raise BARRIER.violation(
                f"{self.arrived} threads at {self.name}", f"{expected}, as its users say"
            )
        if self.arrived == expected:
            self.arrived = 0
            self.generation += 1

"""Scenarios: the sizes of one run of a kernel, and how often its loops then run."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from xdsl.ir import BlockArgument

from ..simulator.machine.state import LaunchSizes
from .loops import MOST_STAGES, Loop

MOST_ITERATIONS = 2 * MOST_STAGES + 2
"""Largest number of iterations that is counted; it stands for any larger number."""


class SizedLoop(NamedTuple):
    """A loop, the numbers on which its number of iterations depends, and its smallest and largest
    number of iterations for any of the values that may be chosen."""

    loop: Loop
    numbers: tuple[BlockArgument, ...]
    least: int
    most: int


@dataclass(frozen=True)
class Scenario:
    """
    Values of the numbers among the parameters, by index, the sizes of the launch, and the
    iterations of each loop that depends on them, at most MOST_ITERATIONS.

    `waiting` is the number of clusters that are not launched before others end, so that these may
    take over their work.
    """

    values: Mapping[int, int]
    sizes: LaunchSizes
    iterations: tuple[int, ...] = ()
    loops: "tuple[SizedLoop, ...]" = ()
    waiting: int = 0

    def covers(self, other: "Scenario") -> bool:
        """Whether each loop runs at least as often as in another scenario."""
        return self.waiting >= other.waiting and all(
            a >= b for a, b in zip(self.iterations, other.iterations, strict=True)
        )

    def is_below(self, other: "Scenario") -> bool:
        """Whether loops run less often than in another scenario, and none more often, but each that
        runs there runs here, too."""
        return self.iterations != other.iterations and all(
            min(b, 1) <= a <= b for a, b in zip(self.iterations, other.iterations, strict=True)
        )

    def with_waiting(self, waiting: int) -> "Scenario":
        """The same with a number of clusters that wait."""
        x, y, z = self.sizes.grid
        launched = x // (1 + self.waiting)
        sizes = replace(self.sizes, grid=(launched * (1 + waiting), y, z))
        return replace(self, sizes=sizes, waiting=waiting)

    def is_within(self, other: "Scenario") -> bool:
        """Whether no value is larger than in another scenario."""
        return all(value <= other.values[index] for index, value in self.values.items())

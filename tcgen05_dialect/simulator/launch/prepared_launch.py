"""Launches that are ready to run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ..settings import Launch
from .arguments import array_of
from .arrays import Array
from .binder import Argument
from .expected import Difference, difference
from .reference import Uses


@dataclass
class PreparedLaunch:
    """Launch with all expressions evaluated and all arrays created."""

    launch: Launch
    arguments: list[Argument]
    arrays: Mapping[str, Array]
    expected: Mapping[str, Array]
    tolerance: float
    uses: Uses
    guessed: Sequence[str] = ()
    """The names of values that the launch file calls guesses."""

    def expected_arguments(self) -> dict[int, Array]:
        """The expected content of arguments, by their numbers."""
        found: dict[int, Array] = {}
        for number, argument in enumerate(self.arguments):
            array = array_of(argument)
            for name, content in self.expected.items():
                if array is not None and np.shares_memory(self.arrays[name], array):
                    found[number] = content
        return found

    def differences(self) -> list[Difference]:
        """Arrays that differ from their expected content."""
        pairs = ((name, self.arrays[name], expected) for name, expected in self.expected.items())
        found = (difference(*pair, self.tolerance) for pair in pairs)
        return [each for each in found if each is not None]

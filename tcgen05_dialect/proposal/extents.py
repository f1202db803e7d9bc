"""Extents of tensors as expressions of sizes: those that follow a size from one run to another."""

from collections.abc import Iterator, Mapping

from ..simulator.launch.scope import Scope
from ..simulator.machine.errors import LaunchError
from .facts import LaunchFacts
from .trial import Coordinates, Key, Trial, Trials

_FACTOR = 2
"""Ratio of the values of a size in the two runs."""
_MOST_SIZES = 4
"""Number of sizes that are tried."""


class Following:
    """Expressions for the extents of tensors, by runs with another value of each size."""

    def __init__(self, facts: LaunchFacts, trials: Trials, sizes: Mapping[int, str]):
        self._changed: list[tuple[str, int, int, Trial]] = []
        trial = trials.first
        if not trial.is_run:
            return
        values = {index: trial.numbers[index, 0] for index in sizes if (index, 0) in trial.numbers}
        for index, value in [*values.items()][:_MOST_SIZES]:
            if value < 1:
                continue
            tried = {**values, index: _FACTOR * value}
            other = trials.other(tried, _grid(facts, tried))
            # A contract may ask for another number.
            changed = other.numbers.get((index, 0), value)
            same = all(other.numbers.get((n, 0)) == tried[n] for n in tried if n != index)
            if other.is_run and same and changed != value:
                self._changed.append((sizes[index], value, changed, other))

    def expressions(
        self, key: Key, box: Coordinates, reached: Coordinates
    ) -> tuple[int | str, ...]:
        """The extents of a tensor, `reached`, innermost first, as expressions where they follow
        one size."""
        found: list[int | str] = [*reached]
        for at, extent in enumerate(reached):
            names = [*self._names(key, at, box[at], extent)]
            if len(names) == 1 and names[0]:
                found[at] = names[0]
        return tuple(found)

    def _names(self, key: Key, at: int, box: int, extent: int) -> Iterator[str]:
        """For each size on which an extent depends, the expression; empty if there is none."""
        for name, value, changed, trial in self._changed:
            corners = [each[at] for each in trial.origins.get(key, ())]
            other = box + max([0, *corners])
            if other == extent:
                continue
            factor, rest = divmod(extent, value)
            divisor = -(-value // extent)
            if not rest and other == factor * changed:
                yield name if factor == 1 else f"{factor} * {name}"
            elif -(-value // divisor) == extent and -(-changed // divisor) == other:
                yield f"ceildiv({name}, {divisor})"
            else:
                yield ""


def _grid(facts: LaunchFacts, values: Mapping[int, int]) -> tuple[int, ...] | None:
    """The grid that a kernel needs at some values; None if it does not give it."""
    if facts.grid is None:
        return None
    numbers = {facts.parameters[index]: value for index, value in values.items()}
    try:
        return tuple(Scope(numbers).integers(facts.grid, "the grid", "grid"))
    except LaunchError:
        return None

"""The equations of the phases of barrier objects, and the sizes of boxes that solve them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

from ..isa.shared_memory.descriptor import UNIT_BYTES
from ..isa.shared_memory.tensor_map import ELEMENTS

_PAYLOADS = {e.unit_payload for e in ELEMENTS.values()} - {UNIT_BYTES}


@dataclass(frozen=True)
class Box:
    """The bytes that a copy completes on a barrier object, and the bytes of its tile with
    padding."""

    bytes: int = UNIT_BYTES
    tile: int = UNIT_BYTES
    is_guess: bool = False
    """Whether other sizes explain the run, too."""
    readers: tuple[str, ...] = ()
    """Two readers of different parts of the tile; each part may be a tile of its own."""


class Equation(NamedTuple):
    """A phase: the number of copies of each map, and the bytes that they bring in total."""

    copies: tuple[tuple[int, int], ...]
    bytes: int

    def rest(self, found: Mapping[int, int]) -> int:
        """The bytes that the maps bring whose sizes are not found yet."""
        return self.bytes - sum(found[each] * n for each, n in self.copies if each in found)


class Bounds(NamedTuple):
    """Least and greatest number of bytes of a tile."""

    least: int
    most: int
    pads: bool
    """Whether elements may be padded in shared memory."""
    read: int
    """Number of bytes that are read from the beginning of a tile, up to the next one."""

    def allows(self, size: int) -> bool:
        """Whether a tile may bring this many bytes."""
        return self.least <= size <= self.most or self._is_padded(size)

    @property
    def likely(self) -> Iterable[int]:
        """The sizes to try."""
        padded = (self.read * payload // UNIT_BYTES for payload in _PAYLOADS)
        return dict.fromkeys((self.most, self.least, *(padded if self.pads else ())))

    def box(self, size: int, is_guess: bool) -> Box:
        """The box whose tile brings this many bytes."""
        size = max(size, UNIT_BYTES)
        return Box(size, self.read if self._is_padded(size) else size, is_guess)

    def _is_padded(self, size: int) -> bool:
        """Whether a tile of padded elements may bring this many bytes."""
        return self.pads and any(size * UNIT_BYTES == self.read * payload for payload in _PAYLOADS)


def solved_sizes(
    equations: Iterable[Equation], bounds: Mapping[int, Bounds]
) -> tuple[dict[int, int], set[int]]:
    """Sizes that solve equations, and the maps of which they are guesses; maps of unsolvable
    equations are left out."""
    found: dict[int, int] = {}
    guessed: set[int] = set()
    pending = sorted(equations, key=lambda each: len(each.copies))
    while pending:
        solved = None
        for solve in (_solution, _equal):
            for equation in pending:
                unknown = [map_ for map_, _ in equation.copies if map_ not in found]
                solution = solve(equation, unknown, found, bounds)
                if solution is not None:
                    found.update(solution)
                    guessed.update(solution if solve is _equal else ())
                    solved = equation
                    break
            if solved is not None:
                break
        if solved is None:
            break
        pending.remove(solved)
    return found, guessed


def _equal(
    equation: Equation,
    unknown: Sequence[int],
    found: Mapping[int, int],
    bounds: Mapping[int, Bounds],
) -> dict[int, int] | None:
    """Equal sizes of the unknown maps of an equation; None if there are none within the bounds."""
    counts = dict(equation.copies)
    rest = equation.rest(found)
    size, over = divmod(rest, sum(counts[each] for each in unknown) or 1)
    if over or size <= 0 or not all(bounds[each].allows(size) for each in unknown):
        return None
    return dict.fromkeys(unknown, size)


def _solution(
    equation: Equation,
    unknown: Sequence[int],
    found: Mapping[int, int],
    bounds: Mapping[int, Bounds],
) -> dict[int, int] | None:
    """Sizes of the unknown maps of an equation; None if there are none within the bounds."""
    counts = dict(equation.copies)
    rest = equation.rest(found)
    if not unknown:
        return {}
    for last in unknown:
        others = [each for each in unknown if each != last]
        for sizes in product(*(filter(None, bounds[each].likely) for each in others)):
            taken = sum(size * counts[each] for size, each in zip(sizes, others, strict=True))
            size, over = divmod(rest - taken, counts[last])
            if not over and size > 0 and bounds[last].allows(size):
                return {**dict(zip(others, sizes, strict=True)), last: size}
    return None

"""
Outlines, the boxes of tensor maps of which only the bytes are known, and the equations of barrier
phases that give their sizes.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice, product
from typing import Any, ClassVar, NamedTuple
from zlib import crc32

import numpy as np
import numpy.typing as npt

from ...isa.model.rule import Violation
from ...isa.shared_memory.descriptor import UNIT_BYTES
from ...isa.shared_memory.tensor_map import ELEMENTS
from ...simulator.numbers.floats import Lanes, every
from ...simulator.numbers.integers import Combine, content_of

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
    unread: int = 0
    """Bytes at the end of the tile that nothing reads."""


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
    """Sizes that solve equations, and the maps whose boxes are guesses; maps of unsolvable
    equations are left out."""
    found: dict[int, int] = {}
    guessed: set[int] = set()
    pending = sorted(equations, key=lambda each: len(each.copies))
    while pending:
        for solve, equation in product((_solution, _equal), pending):
            counts = {map_: n for map_, n in equation.copies if map_ not in found}
            if (solution := solve(counts, equation.rest(found), bounds)) is not None:
                found.update(solution)
                guessed.update(solution if solve is _equal else ())
                pending.remove(equation)
                break
        else:
            break
    return found, guessed


def _equal(
    counts: Mapping[int, int], rest: int, bounds: Mapping[int, Bounds]
) -> dict[int, int] | None:
    """Equal sizes of maps that bring a number of bytes together, with the number of copies of each;
    None if there are none within the bounds."""
    size, over = divmod(rest, sum(counts.values()) or 1)
    if over or size <= 0 or not all(bounds[each].allows(size) for each in counts):
        return None
    return dict.fromkeys(counts, size)


def _solution(
    counts: Mapping[int, int], rest: int, bounds: Mapping[int, Bounds]
) -> dict[int, int] | None:
    """Sizes as for `_equal`, but not necessarily equal."""
    if not counts:
        return {}
    for last in counts:
        others = [each for each in counts if each != last]
        for sizes in product(*(filter(None, bounds[each].likely) for each in others)):
            taken = sum(size * counts[each] for size, each in zip(sizes, others, strict=True))
            size, over = divmod(rest - taken, counts[last])
            if not over and size > 0 and bounds[last].allows(size):
                return {**dict(zip(others, sizes, strict=True)), last: size}
    return None


_BOXES = 1 << 16
"""Number of boxes in the memory of a map."""
_BOX_BYTES = 4
"""Bytes of global memory that stand for a box: a number for its content."""
TENSOR_BYTES = _BOXES * _BOX_BYTES


@dataclass(frozen=True)
class _Cell:
    """The bytes of global memory that stand for a box."""

    first: int
    inside: tuple[slice, ...] = (slice(_BOX_BYTES),)

    def of(self, content: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return content[self.first : self.first + _BOX_BYTES]


@lru_cache(maxsize=64)
def _units(count: int) -> npt.NDArray[np.int64]:
    return np.arange(count)


def _kept(old: Lanes, given: Lanes) -> Lanes:
    """The result of a reduction, which a run without data does not compute."""
    return old


@dataclass(eq=False)
class Outline:
    """
    Tensor map whose boxes have a known size. Its tensor is a memory with a number for each box,
    which stands for its content, so two boxes are the same or disjoint.
    """

    parameter: int
    """Number of the parameter."""
    box: Box
    extents: tuple[int, ...]
    """One for each coordinate."""
    address: int = 0
    element: str = "element"
    can_store: bool = True
    tensor_bytes: int = TENSOR_BYTES
    contents: npt.NDArray[np.uint8] | None = None
    """The bytes of its memory, if boxes have contents."""
    has_im2col_mode: ClassVar[bool] = True
    seed: int = 0
    """The seed of the contents of boxes."""
    _cells: dict[tuple[int, ...], int] = field(default_factory=dict[tuple[int, ...], int])

    @property
    def tile_bytes(self) -> int:
        return self.box.bytes

    @property
    def origins(self) -> Collection[tuple[int, ...]]:
        """The coordinates of the boxes that copies used."""
        return self._cells.keys()

    @property
    def row_violation(self) -> str:
        # The boxes of a map for such copies are rows.
        return ""

    def box_at(self, cell: int) -> tuple[tuple[int, ...], int]:
        """The coordinates of the box with a cell, and the number for its content, 0 without one."""
        number = cell // _BOX_BYTES
        origin = next(islice(self._cells, number, None))
        if self.contents is None:
            return origin, 0
        first = number * _BOX_BYTES
        return origin, int.from_bytes(self.contents[first : first + _BOX_BYTES].tobytes())

    def can_store_at(self, origin: Sequence[int]) -> bool:
        # Coordinates may come from numbers that no launch has.
        return True

    def origin_violations(self, origin: Sequence[int]) -> Iterator[Violation]:
        return iter(())

    def window(self, origin: Sequence[int]) -> _Cell:
        box = tuple(origin)
        if is_new := box not in self._cells:
            self._cells[box] = len(self._cells)
        cell = _Cell(self._cells[box] % _BOXES * _BOX_BYTES)
        if is_new and self.contents is not None:
            cell.of(self.contents)[...] = _number_of(repr((self.address, box)).encode())
        return cell

    def places(self, address: int) -> npt.NDArray[np.int64]:
        return _units(max(1, self.box.tile // UNIT_BYTES))

    def filled(self) -> npt.NDArray[np.uint8]:
        return np.zeros(UNIT_BYTES, np.uint8)

    def rounded(self, elements: npt.NDArray[Any]) -> npt.NDArray[Any]:
        return elements

    def padded(self, tile: npt.NDArray[Any]) -> npt.NDArray[np.uint8]:
        if self.contents is None:
            return tile
        first = int.from_bytes(tile[:_BOX_BYTES].tobytes()) << _PLACE_BITS
        return content_of(first + np.arange(self.places(0).size * UNIT_BYTES), self.seed)

    def written(self) -> npt.NDArray[np.bool_]:
        return np.ones(UNIT_BYTES, np.bool_)

    def combination(self, operation: str) -> Combine:
        return _kept

    def stored(self, content: npt.NDArray[np.uint8]) -> npt.NDArray[Any]:
        # Each byte of a flag for a written byte is 0xff.
        if every(content == 0xFF):
            return np.full(_BOX_BYTES, 0xFF, np.uint8)
        return _number_of(content.tobytes())


_PLACE_BITS = 20
"""Bits of the place of a byte in a box."""


def _number_of(content: bytes) -> npt.NDArray[np.uint8]:
    """The number that stands for a content."""
    return np.frombuffer(crc32(content).to_bytes(_BOX_BYTES), np.uint8)

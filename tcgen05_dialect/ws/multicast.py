"""Multicast: the CTAs of a cluster that want the same tile, of which each loads a part."""

from collections.abc import Collection, Iterable, Sequence
from functools import reduce
from itertools import accumulate
from operator import mul
from typing import NamedTuple

from ..isa.ptx.clusterlaunchcontrol import DIMENSIONS
from ..isa.warp_specialization import MULTICAST_RULE
from .boxes import PlacedBox

EVERY = "every"
"""In place of a dimension: along the ranks of all CTAs of a cluster."""
Cluster = tuple[int, int, int]
"""The extents of a cluster in CTAs."""


class Sharing(NamedTuple):
    """
    The CTAs of a cluster that want the same tiles: so many along a dimension, whose ranks
    have the distance `step`. `unit` neighbours along the dimension want different tiles.
    """

    dimension: str
    unit: int
    ctas: int
    step: int

    @property
    def ranks(self) -> frozenset[int]:
        """The ranks of the CTAs with rank 0."""
        return frozenset(self.step * position for position in range(self.ctas))

    def place(self, rank: int, cluster: Cluster) -> tuple[int, int]:
        """The first rank of the CTAs with a rank, and the position of this one among them."""
        if self.dimension == EVERY:
            return 0, rank
        at = DIMENSIONS.index(self.dimension)
        stride = _strides(cluster)[at]
        position = rank // stride % cluster[at] // self.unit
        return rank - position * self.step, position


def _strides(cluster: Cluster) -> Sequence[int]:
    """The distance of the ranks of neighbours along each dimension."""
    return [*accumulate((1, *cluster), mul)]


def position_of(rank: int, cluster: Cluster) -> Cluster:
    """The position of a CTA in its cluster."""
    x, y, z = (
        rank // stride % extent for stride, extent in zip(_strides(cluster), cluster, strict=False)
    )
    return x, y, z


def sharing_along(dimension: str, cluster: Cluster, unit: int) -> Sharing:
    """The CTAs along a dimension; `unit` neighbours want different tiles."""
    at = DIMENSIONS.index(dimension)
    return Sharing(dimension, unit, cluster[at] // unit, unit * _strides(cluster)[at])


def widest(sharings: Iterable[Sharing]) -> tuple[Sharing, ...]:
    """The sharings, without those between CTAs that share all by another."""
    found = [*dict.fromkeys(sharings)]
    return tuple(each for each in found if not any(each.ranks < other.ranks for other in found))


def receivers(sharings: Iterable[Sharing], cluster: Cluster, rank: int) -> frozenset[int]:
    """The ranks of the CTAs to which a CTA sends parts of tiles, itself included."""
    found = {rank}
    for sharing in sharings:
        first, _ = sharing.place(rank, cluster)
        found.update(first + each for each in sharing.ranks)
    return frozenset(found)


def mask_of(ranks: Collection[int]) -> int:
    """The mask with the bits of CTAs."""
    return reduce(lambda mask, rank: mask | 1 << rank, ranks, 0)


class Part(NamedTuple):
    """The boxes that the first CTA loads, and how far those of the next CTA are away."""

    boxes: Sequence[PlacedBox]
    distance: PlacedBox


def first_part(boxes: Sequence[PlacedBox], ctas: int) -> Part:
    """
    The part of the boxes of a tile that the first of some CTAs loads: as many rows as the others
    or, if the rows cannot be divided, as many columns. Raises Violation.
    """
    size, rest = divmod(len(boxes), ctas)
    for order in () if rest else _ORDERS:
        ordered = sorted(boxes, key=order)
        first, *others = (ordered[at : at + size] for at in range(0, len(boxes), size))
        distance = PlacedBox(*(b - a for a, b in zip(first[0], others[0][0], strict=True)))
        if others == [[_moved(box, distance, n) for box in first] for n in range(1, ctas)]:
            return Part(first, distance)
    legal = f"a multiple of {ctas}, the number of CTAs that share the tile"
    raise MULTICAST_RULE.violation(
        len(boxes),
        legal,
        "the number of boxes of the tile",
        culprit="tensor_map",
        help="give the tensor map a smaller box, or leave out multicast",
    )


def _by_rows(box: PlacedBox) -> tuple[int, int]:
    return box.row, box.column


def _by_columns(box: PlacedBox) -> tuple[int, int]:
    return box.column, box.row


_ORDERS = (_by_rows, _by_columns)


def _moved(box: PlacedBox, distance: PlacedBox, times: int) -> PlacedBox:
    return PlacedBox(*(a + times * b for a, b in zip(box, distance, strict=True)))

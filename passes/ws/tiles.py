"""The tiles of a kernel, as values: how many there are, and which ones a CTA has."""

from collections.abc import Sequence

from xdsl.dialects import arith
from xdsl.ir import SSAValue

from tcgen05_dialect.ptx.structure import SpecialRegisterOp
from tcgen05_dialect.ws.multicast import DIMENSIONS
from tcgen05_dialect.ws.roles import WarpSpecializeOp

from .emitter import Emitter


class Tiles:
    """
    The tiles in blocks, each of which the CTAs of a cluster have at a time: as many along each
    dimension as the cluster has CTAs or, in pairs, half as many along the first.

    Values for all roles are made by `head`.
    """

    def __init__(self, op: WarpSpecializeOp, head: Emitter) -> None:
        self._op, self._head = op, head
        self._dimensions = DIMENSIONS[: len(op.tile)]
        self.counts: Sequence[SSAValue] = ()
        self._inside: Sequence[SSAValue | None] = ()

    def register(self, name: str) -> SSAValue:
        """A special register."""
        return self._head.ptx(SpecialRegisterOp, properties={"register": name}).d

    def of_position(self) -> list[SSAValue]:
        """The indices of the tile at the position of this CTA in the grid."""
        x, *others = (self.register(f"ctaid.{each}") for each in self._dimensions)
        return [self._head.over(x, self._op.ctas), *others]

    def count(self) -> SSAValue:
        """The number of blocks; `numbered` needs it."""
        head, op = self._head, self._op
        self.counts = [
            head.binary(arith.CeilDivUIOp, size, extent * tiles)
            for size, extent, tiles in zip(op.sizes, op.tile, op.cluster_tiles, strict=False)
        ]
        total, *others = self.counts
        for each in others:
            total = head.times(total, each)
        return total

    def own_block(self) -> tuple[SSAValue, SSAValue]:
        """The number of the cluster along x, and the number of clusters along x."""
        head, op = self._head, self._op
        along_x, *_ = op.cluster
        first, step = (head.over(self.register(f"{name}.x"), along_x) for name in _GRID)
        ctas = (op.ctas, 1, 1)
        self._inside = [
            head.over(self.register(f"cluster_ctaid.{dimension}"), unit) if tiles > 1 else None
            for dimension, tiles, unit in zip(
                self._dimensions, op.cluster_tiles, ctas, strict=False
            )
        ]
        return first, step

    def numbered(self, emit: Emitter, number: SSAValue) -> list[SSAValue]:
        """The indices of the tile of this CTA in the block with a number."""
        found: list[SSAValue] = []
        for count in self.counts[:-1]:
            found.append(emit.binary(arith.RemUIOp, number, count))
            number = emit.binary(arith.DivUIOp, number, count)
        return self._in_block(emit, [*found, number])

    def _in_block(self, emit: Emitter, block: Sequence[SSAValue]) -> list[SSAValue]:
        """The indices of the tile of this CTA in the block with these indices."""
        return [
            each if inside is None else emit.plus(emit.times(each, tiles), inside)
            for each, inside, tiles in zip(
                block, self._inside, self._op.cluster_tiles, strict=False
            )
        ]


_GRID = ("ctaid", "nctaid")

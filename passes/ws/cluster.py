"""The place of a CTA among those of its cluster that share tiles, as values."""

from functools import cache, cached_property

from xdsl.dialects import arith
from xdsl.dialects.builtin import i16
from xdsl.ir import SSAValue

from tcgen05_dialect.ptx.structure import SpecialRegisterOp
from tcgen05_dialect.ws.multicast import Cluster, Sharing, mask_of, receivers
from tcgen05_dialect.ws.roles import WarpSpecializeOp

from .emitter import Emitter

Sharings = tuple[Sharing, ...]


class ClusterPlace:
    """Values about this CTA, each made once, by `emit`."""

    def __init__(self, op: WarpSpecializeOp, emit: Emitter) -> None:
        self._cluster: Cluster = op.cluster
        self._ctas = op.ctas
        self._emit = emit
        self.position = cache(self._position)
        self.mask = cache(self._mask)
        self.others = cache(self._others)
        self._register = cache(self._read)
        self._first = cache(self._lowest)

    def _read(self, name: str) -> SSAValue:
        return self._emit.ptx(SpecialRegisterOp, properties={"register": name}).d

    @property
    def rank(self) -> SSAValue:
        """The rank of this CTA."""
        return self._register("cluster_ctarank")

    @cached_property
    def is_first(self) -> SSAValue:
        """Whether this CTA has rank 0."""
        return self._emit.compare("eq", self.rank, 0)

    def _position(self, sharing: Sharing) -> SSAValue:
        """The position of this CTA among those that share a tile."""
        at = self._register(f"cluster_ctaid.{sharing.dimension}")
        return self._emit.over(at, sharing.unit)

    def _lowest(self, sharing: Sharing) -> SSAValue:
        """The lowest rank of the CTAs that share a tile with this one."""
        rank, before = self._register("cluster_ctarank"), self.position(sharing)
        return self._emit.minus(rank, self._emit.times(before, sharing.step))

    def _mask(self, sharings: Sharings, of_pair: bool) -> SSAValue:
        """
        The mask of the CTAs that share a tile with this one or, in its leader, with either CTA of
        the pair.
        """
        emit = self._emit
        found: SSAValue | None = None
        for sharing in sharings:
            ranks = {0, 1} if of_pair else {0}
            bits = mask_of({each for r in ranks for each in receivers([sharing], self._cluster, r)})
            mask = emit.binary(arith.ShLIOp, bits, self._first(sharing))
            found = mask if found is None else emit.binary(arith.OrIOp, found, mask)
        assert found is not None
        mask = emit.compute(arith.TruncIOp, [found], i16)
        mask.name_hint = "multicast_mask"
        return mask

    def _others(self, sharings: Sharings) -> list[SSAValue]:
        """The ranks of the other CTAs that share a tile with this one."""
        emit = self._emit
        ranks: list[SSAValue] = []
        for sharing in sharings:
            for distance in range(1, sharing.ctas):
                after = emit.plus(self.position(sharing), distance)
                position = emit.binary(arith.RemUIOp, after, sharing.ctas)
                ranks.append(emit.plus(self._first(sharing), emit.times(position, sharing.step)))
        return ranks

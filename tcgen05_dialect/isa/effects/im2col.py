"""Effects of bulk tensor copies in im2col mode, the same as in tile mode (9.7.9.25.5)."""

from __future__ import annotations

from tcgen05_dialect.isa.effects import bulk_copy
from tcgen05_dialect.isa.effects.model import Area, Effects

_PLACE = ("tensor_map", "coordinates")


def _with_offsets(area: Area) -> Area:
    return area._replace(operands=(*_PLACE, "offsets")) if area.operands == _PLACE else area


_TILE = bulk_copy.EFFECTS
_LOAD: Effects = _TILE["cp.async.bulk.tensor.load"]
_PREFETCH: Effects = _TILE["cp.async.bulk.prefetch.tensor"]

EFFECTS = {
    "cp.async.bulk.tensor.im2col": _LOAD._replace(reads=tuple(map(_with_offsets, _LOAD.reads))),
    "cp.async.bulk.tensor.im2col_no_offs": _TILE["cp.async.bulk.tensor.store"],
    "cp.reduce.async.bulk.tensor.im2col_no_offs": _TILE["cp.reduce.async.bulk.tensor"],
    "cp.async.bulk.prefetch.tensor.im2col": _PREFETCH._replace(data=(*_PREFETCH.data, "offsets")),
}

"""
Responses to requests for the tiles of clusters that have not started (9.7.13.16).

They are the stages of a ring that only the lowering of `clc` makes: one more warp produces them,
and all roles consume them.
"""

from math import prod

from xdsl.dialects.builtin import f32
from xdsl.irdl import irdl_op_definition, result_def

from ..isa.ptx.clusterlaunchcontrol import RESPONSE
from ..isa.shared_memory.layout import MAJORS
from ..ptx.register_types import PRED
from ..tcgen05.base import typed_operand
from .base import WsOperation
from .multicast import EVERY, Cluster, Sharing
from .types import RingType, SharedTileType

STAGES = 2
"""A role may be two tiles ahead of the last one, as with two accumulators."""
_ROWS = 8
"""The rows of the smallest tile."""
TILE = SharedTileType.get(_ROWS, RESPONSE.bytes // f32.size, f32, MAJORS[0], "no_swizzle")
"""A tile whose first row is a response."""
RING = RingType.get(STAGES, (TILE,))


def sharing_of(cluster: Cluster) -> Sharing | None:
    """The CTAs that get the same responses: all of a cluster."""
    ctas = prod(cluster)
    return Sharing(EVERY, 1, ctas, 1) if ctas > 1 else None


@irdl_op_definition
class TryCancelOp(WsOperation):
    """
    Ask for the tile of another cluster, and wait for the response. It is no part of the dialect:
    only the lowering makes it.

    - `tile`: where the response goes
    - `more`: whether there is another tile
    """

    name = "ws.try_cancel"
    tile = typed_operand(SharedTileType, what="tile")
    more = result_def(PRED)

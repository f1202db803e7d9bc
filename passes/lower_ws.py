"""The pass `tcgen05-lower-ws`: the lowerings of `ws`, in order."""

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from .ws_lower import WsLower
from .ws_partition import WsPartition
from .ws_sink_tiles import WsSinkTiles
from .ws_unroll_vectors import WsUnrollVectors


class LowerWs(ModulePass):
    """Lowers warp-specialised kernels to `ptx`, `tcgen05`, `scf` and `arith`."""

    name = "tcgen05-lower-ws"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for each in (WsPartition(), WsSinkTiles(), WsUnrollVectors(), WsLower()):
            each.apply(ctx, op)

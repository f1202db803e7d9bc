"""The pass `tcgen05-lower-ws`: the lowerings of `ws`, in order."""

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from tcgen05_dialect.ws.kernel import warp_specialized

from .support.functions import without_functions
from .ws_lower import WsLower
from .ws_sink_tiles import WsSinkTiles
from .ws_unroll_vectors import WsUnrollVectors


class LowerWs(ModulePass):
    """Lowers warp-specialised kernels to `ptx`, `tcgen05`, `scf` and `arith`."""

    name = "tcgen05-lower-ws"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        without_functions(op)
        if any(each.is_sequential for each in warp_specialized(op)):
            # Imported here, because few kernels have this form.
            from .ws_partition import WsPartition

            WsPartition().apply(ctx, op)
        for each in (WsSinkTiles(), WsUnrollVectors(), WsLower()):
            each.apply(ctx, op)

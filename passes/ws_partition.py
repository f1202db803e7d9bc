"""The pass `ws-partition`: replaces the sequential form by roles and rings."""

from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from tcgen05_dialect.reporting.diagnostics import located
from tcgen05_dialect.ws.kernel import warp_specialized
from tcgen05_dialect.ws.partition import partition
from tcgen05_dialect.ws.partition.plan import MOST_STAGES
from tcgen05_dialect.ws.partition.turns import Refusal

from .support.conversion import without_functions


@dataclass(frozen=True)
class WsPartition(ModulePass):
    """Replaces the single role of a kernel in the sequential form by a role for each kind of
    operation, and buffers by rings. A ring that TMA fills has at most `stages` stages."""

    name = "ws-partition"
    stages: int = MOST_STAGES

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        without_functions(op)
        for roles in warp_specialized(op):
            if roles.is_sequential:
                try:
                    partition(roles, self.stages)
                except Refusal as refusal:
                    raise located(refusal.op, refusal.violation) from refusal

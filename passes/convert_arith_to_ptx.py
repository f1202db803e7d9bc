"""Lower scalar `arith` operations to instructions of `ptx`, folding constants."""

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from .arith import casts, floating, integer
from .arith.operands import index_register_type
from .support.conversion import Conversion

CONVERSION = Conversion(
    {**integer.LOWERINGS, **floating.LOWERINGS, **casts.LOWERINGS},
    index_register_type,
    frozenset({"arith"}),
)


class ConvertArithToPtx(ModulePass):
    """Lowers scalar `arith`; `index` becomes a 64-bit integer."""

    name = "convert-arith-to-ptx"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        CONVERSION.apply(op)

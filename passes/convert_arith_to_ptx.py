"""
The pass `convert-arith-to-ptx`: converts scalar `arith` to `ptx` and folds constants.
"""

from xdsl.context import Context
from xdsl.dialects.builtin import IndexType, ModuleOp
from xdsl.passes import ModulePass

from .arith import floating, integer
from .arith.floating import INDEX
from .support.conversion import Conversion

CONVERSION = Conversion(
    {**integer.LOWERINGS, **floating.LOWERINGS, **integer.LOWERINGS},
    {IndexType: INDEX},
    frozenset({"arith"}),
)


class ConvertArithToPtx(ModulePass):
    """Lowers scalar `arith`; `index` becomes a 64-bit integer."""

    name = "convert-arith-to-ptx"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        CONVERSION.apply(op)

"""The whole way from `tcgen05`, `scf`, `cf` and `arith` to `ptx`."""

from xdsl.context import Context
from xdsl.dialects import scf
from xdsl.dialects.builtin import ModuleOp
from xdsl.ir import Operation
from xdsl.passes import ModulePass
from xdsl.pattern_rewriter import PatternRewriter, RewritePattern
from xdsl.transforms.convert_scf_to_cf import ForLowering, IfLowering, SwitchLowering

from tcgen05_dialect.ptx.errors import OperationError

from .convert_arith_to_ptx import ConvertArithToPtx
from .convert_cf_to_ptx import ConvertCfToPtx
from .convert_tcgen05_to_ptx import ConvertTcgen05ToPtx
from .ptx_fold_addresses import PtxFoldAddresses

_SCF_LOWERINGS: dict[type[Operation], RewritePattern] = {
    scf.ForOp: ForLowering(),
    scf.IfOp: IfLowering(),
    scf.IndexSwitchOp: SwitchLowering(),
}


def convert_scf_to_cf(module: ModuleOp) -> None:
    """
    Apply the patterns of xDSL's `convert-scf-to-cf`, the last operation first.

    Each splits its block and moves what follows: from the last to the first that costs time linear
    in the program, in the order of xDSL's pass it is quadratic.
    """
    for op in reversed(list(module.walk())):
        if op.parent is None or not op.name.startswith("scf.") or isinstance(op, scf.YieldOp):
            continue
        pattern = _SCF_LOWERINGS.get(type(op))
        if pattern is None:
            raise OperationError(op, "has no lowering to cf")
        pattern.match_and_rewrite(op, PatternRewriter(op))


class LowerToPtx(ModulePass):
    """Lowers a module of kernels to operations of `ptx` alone."""

    name = "tcgen05-lower-to-ptx"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        ConvertTcgen05ToPtx().apply(ctx, op)
        convert_scf_to_cf(op)
        ConvertArithToPtx().apply(ctx, op)
        ConvertCfToPtx().apply(ctx, op)
        PtxFoldAddresses().apply(ctx, op)

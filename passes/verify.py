"""The pass `tcgen05-verify`: verifies whole kernels without a run."""

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from tcgen05_dialect.isa.ptx.ir_form import OPERATION_RULE
from tcgen05_dialect.reporting.operation_error import located
from tcgen05_dialect.uniformity.kernels import kernel_errors

from .lower_to_ptx import LowerToPtx
from .support.checks import check_lowered, not_lowered


class Verify(ModulePass):
    """
    Verifies the kernels of a lowered module as a whole, without changing them.

    It reports an instruction for all threads of a warp that certainly only some of them execute,
    and an instruction for one thread that certainly several execute.


    """

    name = "tcgen05-verify"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for other in not_lowered(op):
            legal = f"an operation of ptx: {self.name} reads lowered IR"
            help = f"run {LowerToPtx.name} before it: -p {LowerToPtx.name},{self.name}"
            what = "each operation"
            raise located(other, OPERATION_RULE.violation(other.name, legal, what, help=help))
        check_lowered(op)
        for error in kernel_errors(op):
            raise error

"""The pass `tcgen05-verify`: verifies whole kernels without a run."""

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from tcgen05_dialect.verification.kernels import kernel_errors

from .support.checks import check_lowered


class Verify(ModulePass):
    """
    Verifies the kernels of a lowered module as a whole, without changing them.

    It reports an instruction for all threads of a warp that certainly only some of them execute,
    and an instruction for one thread that certainly several execute.


    """

    name = "tcgen05-verify"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        check_lowered(op)
        for error in kernel_errors(op):
            raise error

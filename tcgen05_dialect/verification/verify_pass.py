"""The pass `tcgen05-verify`: verifies whole kernels."""

import sys
from dataclasses import dataclass

from xdsl.context import Context
from xdsl.dialects.builtin import ModuleOp
from xdsl.passes import ModulePass

from tcgen05_dialect.passes.lower_to_ptx import LowerToPtx
from tcgen05_dialect.passes.support.builder import check_lowered, not_lowered, out_of_order

from ..reporting.diagnostics import OperationError
from ..reporting.findings import has_errors
from ..uniformity.convergence import kernel_errors
from .effort import Effort
from .kernel_findings import RunOptions, run_findings


@dataclass(frozen=True)
class Verify(ModulePass):
    """
    Verifies the kernels of a lowered module as a whole, without changing them.

    It reports an instruction for all threads of a warp that certainly only some of them execute,
    and an instruction for one thread that certainly several execute. With effort "quick" or
    "thorough", it also runs the kernels in the emulator, without data, and reports the first error.
    """

    name = "tcgen05-verify"

    effort: Effort = "quick"

    def apply(self, ctx: Context, op: ModuleOp) -> None:
        for other in not_lowered(op):
            raise out_of_order(other, "an operation of ptx", LowerToPtx.name, self.name)
        check_lowered(op)
        for error in kernel_errors(op):
            raise error
        for found in run_findings(op, None, RunOptions(self.effort, remarks=False)):
            error = found.__cause__
            if isinstance(error, OperationError) and has_errors(found.findings):
                raise error
            # xDSL has no warnings.
            print(found, file=sys.stderr)
